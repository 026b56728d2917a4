package pages

import (
	"diurna/reader"
	"diurna/ui/view"
)

// Rung says which pages have a newer reported change than the screen knew of, each as
// a line of text. Whether that is worth a sound was decided when it was filed; the
// screen only notices, when it is told that the library has changed.
func Rung(s *view.Scene, now []reader.Page) []string {
	var rung []string
	for i := range now {
		was := s.Watched(now[i].Key)
		if now[i].LastItem == 0 || was == nil || was.LastItem == now[i].LastItem || !now[i].Changed.After(was.Changed) || now[i].Unread == 0 {
			continue
		}
		rung = append(rung, now[i].Title+": "+now[i].Why)
	}
	return rung
}
