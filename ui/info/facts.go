package info

import (
	"fmt"
	"strings"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// fact is a row that is only read.
type fact struct{ label, value string }

// facts adds those that say something.
//
//go:noinline // 18 places
func (in *View) facts(of ...fact) {
	for _, f := range of {
		if f.value != "" {
			in.entries = append(in.entries, infoRow{label: f.label, value: f.value})
		}
	}
}

// feedFacts are what is known of the feed.
func (in *View) feedFacts(s *view.Scene, f *reader.Feed) {
	in.facts(fact{"site", plain.Redact(f.Site)}, fact{"format", f.Format},
		fact{"items", fmt.Sprintf("%s, %s unread, %s saved", wording.Count(f.Items), wording.Count(f.Unread), wording.Count(f.Saved))})
	for _, l := range in.about {
		in.facts(fact{l.Label, l.Text})
	}
	if d := in.rhythm; d != nil {
		in.facts(fact{"rhythm", rhythmOf(d)})
	}
	if st := in.stats; st != nil {
		requests := ""
		if st.Requests > 0 {
			requests = fmt.Sprintf("%s in 28 days, %s answered \"not changed\"", wording.Count(st.Requests), wording.Count(st.NotChanged))
		}
		in.facts(fact{"posts", fmt.Sprintf("%.3g a week", st.PostsPerWeek)},
			fact{"you opened", opened(st)},
			fact{"last opened", wording.When(st.LastOpened, s.Now)}, fact{"requests", requests})
	}
	due, least := wording.Due(f.NextFetch, s.Now), ""
	if due != "" && f.NextReason != 0 {
		due += " (" + f.NextReason.String() + ")"
	}
	if f.NotBefore.After(s.Now) {
		if least = wording.Due(f.NotBefore, s.Now); f.NotBeforeBy != (reader.Wait{}) {
			least += " (" + f.NotBeforeBy.String() + ")"
		}
	}
	in.facts(fact{"last post", wording.When(f.LastPost, s.Now)}, fact{"last fetch", wording.When(f.LastFetch, s.Now)},
		fact{"next fetch", due}, fact{"not before", least}, fact{"subscribed", wording.When(f.Subscribed, s.Now)})
}

// itemFacts are what is known of the item.
func (in *View) itemFacts(s *view.Scene) {
	it := in.item
	in.facts(fact{"item", it.Key.String() + " " + s.Th.Dot + " " + view.TitleOr(it.Title, it.Lead)}, fact{"link", it.Link}, fact{"author", it.Author})
	if !it.Published.IsZero() {
		in.facts(fact{"published", view.Stamp(it.Published, s.Now)})
	}
	if !it.FirstSeen.IsZero() {
		in.facts(fact{"came", view.Stamp(it.FirstSeen, s.Now)})
	}
	if it.Words > 0 {
		in.facts(fact{"length", wording.Plural(it.Words, "word")})
	}
	in.facts(fact{"tags of it", strings.Join(it.Tags, " ")}, fact{"categories", strings.Join(it.Categories, ", ")})
	if n := len(it.Enclosures); n > 0 {
		in.facts(fact{"enclosures", wording.Plural(n, "file")})
	}
	if it.Edits > 0 {
		in.facts(fact{"edited", wording.Plural(it.Edits, "time")})
	}
	in.facts(fact{"feed", s.FeedTitle(it.FeedKey)}, fact{"also in", in.also})
}

// opened says how often items were opened and shown, once a session each, and the share.
func opened(st *reader.FeedStats) string {
	say := fmt.Sprintf("%s, shown %s", wording.Plural(st.Opened, "time"), wording.Plural(st.Shown, "time"))
	if st.Shown > 0 {
		say += fmt.Sprintf(", %d %%", min(100, (100*st.Opened+st.Shown/2)/st.Shown))
	}
	return say
}

// rhythmOf says at which hours a feed posts most: those with at least half of what
// the busiest one has. With few posts that is not known.
func rhythmOf(d *reader.Rhythm) string {
	if d.Shape == "" {
		return ""
	}
	most := 0.0
	for _, n := range d.Hours {
		most = max(most, n)
	}
	var spans []string
	for h := 0; h < 24; h++ {
		from := h
		for h < 24 && 2*d.Hours[h] >= most {
			h++
		}
		if h > from {
			spans = append(spans, fmt.Sprintf("%02d:00-%02d:00", from, h))
		}
	}
	if len(spans) == 1 && spans[0] == "00:00-24:00" {
		return d.Shape + ", at all hours"
	}
	return d.Shape + ", most posts " + strings.Join(spans, ", ")
}
