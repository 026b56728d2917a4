package reader

import (
	"context"
	"fmt"

	"diurna/reader/fulltext"
	"diurna/reader/model"
)

// wholeTexts is the feed of a result whose items' pages are wanted, if it is one.
func wholeTexts(jobs []job, res *FetchResult) []fulltext.Fresh {
	for i := range jobs {
		if f := jobs[i].feed; f.ID == res.Feed && f.Attrs[model.SettingFull] == "true" && res.Outcome != OutcomeFailed && res.Outcome != OutcomeEarly {
			n := res.New
			if res.Outcome == OutcomeFirst {
				n = 0 // the newest few
			}
			return []fulltext.Fresh{{Feed: f, New: n}}
		}
	}
	return nil
}

// wholeTexts fetches the pages of the newest items of feeds. A fetch that is stopped
// meanwhile has lost nothing: the next one goes on.
func (r *refresher) wholeTexts(ctx context.Context, fresh []fulltext.Fresh) error {
	if len(fresh) == 0 {
		return nil
	}
	err := fulltext.New(r.store, r.web, r.now, r.texts.Touched).Refresh(ctx, fresh)
	if ctx.Err() != nil {
		return nil
	}
	r.news.tell()
	if err != nil {
		return fmt.Errorf("fetch whole texts: %w", err)
	}
	return nil
}
