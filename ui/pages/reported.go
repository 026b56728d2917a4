package pages

import (
	"diurna/reader"
	"diurna/ui/view"
)

// Reported lists the pages with a newer reported change than the screen knew of, each as
// a line of text. Whether it is worth a sound was decided when it was filed; the
// screen only notices it when the library has changed.
func Reported(s *view.Scene, now []reader.Page) []string {
	var reported []string
	for i := range now {
		was := s.Watched(now[i].Key)
		if now[i].LastItem == 0 || was == nil || was.LastItem == now[i].LastItem || !now[i].Changed.After(was.Changed) || now[i].Unread == 0 {
			continue
		}
		reported = append(reported, now[i].Title+": "+now[i].Why)
	}
	return reported
}
