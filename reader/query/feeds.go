package query

import (
	"strings"

	"diurna/reader/model"
	"diurna/reader/words"
)

// FeedsNamed returns the feeds that name may mean, in their order: those whose title,
// or folder and title, it is, else those whose title it is a part of. Letter case and
// accents do not matter.
func FeedsNamed(feeds []model.Feed, name string) []model.Feed {
	want := words.Fold(strings.TrimSpace(name))
	var fits, exact []model.Feed
	for _, f := range feeds {
		title := words.Fold(f.Title)
		full := words.Fold(f.Folder + "/" + f.Title)
		switch {
		case title == want || full == want:
			exact = append(exact, f)
		case want != "" && (strings.Contains(title, want) || strings.Contains(full, want)):
			fits = append(fits, f)
		}
	}
	if len(exact) > 0 {
		return exact
	}
	return fits
}
