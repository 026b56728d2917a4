package query

import (
	"strings"

	"diurna/reader/model"
)

// FeedsNamed returns the feeds that name may mean, in their order: those whose title,
// or folder and title, it is, else those whose title it is a part of. Letter case does
// not matter.
func FeedsNamed(feeds []model.Feed, name string) []model.Feed {
	want := foldText(name)
	var fits, exact []model.Feed
	for _, f := range feeds {
		full := strings.ToLower(f.Folder + "/" + f.Title)
		switch {
		case strings.ToLower(f.Title) == want || full == want:
			exact = append(exact, f)
		case want != "" && (containsFold(f.Title, want) || strings.Contains(full, want)):
			fits = append(fits, f)
		}
	}
	if len(exact) > 0 {
		return exact
	}
	return fits
}
