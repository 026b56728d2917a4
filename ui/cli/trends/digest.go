package trends

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/query"
	"diurna/reader/trends"
	"diurna/reader/wording"
	"diurna/ui/cli/arguments"
	"diurna/ui/cli/exit"
	"diurna/ui/cli/session"
	"diurna/ui/cli/table"
)

// digestTrends is how many trends a digest names.
const digestTrends = 8

// clock is how the beginning of what is summed up is written.
const clock = "Mon 2 Jan 15:04"

func (s *Commands) digestCommand() *cobra.Command {
	since, top := "24h", usualLimit
	var markdown, asHTML bool
	c := &cobra.Command{
		Use:   "digest",
		Short: "sum up what came, for mail or the morning",
		Long: `The unread items that you are most likely to open come first, or the newest before
there is enough to rank by; those that tell one story are one entry. Below stand what
changed on watched pages and what is new in trends. Nothing is marked read, and it is
no look. Nothing is printed if nothing unread came.`,
		Example: `  diurna digest
  30 7 * * *  diurna digest --since 24h | mail -E -s feeds me      in a crontab
  diurna digest --since 7d --top 50 --html > week.html`,
		Annotations: arguments.Exits("0 done · 1 not done · 2 wrong usage · 4 busy · 5 damaged or newer"),
		Args:        arguments.AtMost(0),
		RunE: s.With("digest", func(c *cobra.Command, lib *reader.Reader, _ []string) error {
			if err := arguments.WholeFlags(c, "top"); err != nil {
				return err
			}
			if n := btoi(markdown) + btoi(asHTML) + btoi(s.JSON); n > 1 {
				return exit.Usage("diurna digest --html", "--markdown, --html and --json exclude each other")
			}
			now := time.Now()
			length, err := lengthOf(since, now)
			if err != nil {
				return err
			}
			d, err := s.digest(c.Context(), lib, length, now, top)
			switch {
			case err != nil:
				return err
			case s.JSON:
				return s.PrintJSON(d)
			case len(d.Items)+len(d.Pages) == 0:
				s.Talk("nothing unread came since %s.", d.Since.Local().Format(clock))
				return nil
			case asHTML:
				d.html(s)
			case markdown:
				d.text(s, markdownForm)
			default:
				d.text(s, plainForm)
			}
			return nil
		}),
	}
	c.Flags().StringVar(&since, "since", since, "what came in this `TIME`: 24h, 7d, 2w, up to 30d, or since a date")
	c.Flags().IntVar(&top, "top", top, "at most `N` entries; 0: all")
	c.Flags().BoolVar(&markdown, "markdown", false, "print Markdown")
	c.Flags().BoolVar(&asHTML, "html", false, "print a page of HTML, without pictures or anything else that is fetched")
	return c
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// digest is what is printed.
type digest struct {
	Since  wording.Moment `json:"since"`
	Now    wording.Moment `json:"now"`
	Ranked bool           `json:"ranked"` // else the newest first
	Count  int            `json:"count"`  // unread items that came, pages left out
	Feeds  int            `json:"feeds"`
	Items  []entry        `json:"items"`
	Pages  []entry        `json:"pages"`
	Trends []row          `json:"trends"`
}

// entry is an item, with the others that tell the same story.
type entry struct {
	item reader.Item
	also []string // the other feeds
}

// MarshalJSON writes the item and also.
func (e entry) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Item reader.Item `json:"item"`
		Also []string    `json:"also"`
	}{e.item, plain.Lines(e.also)})
}

func (s *Commands) digest(ctx context.Context, lib *reader.Reader, since time.Duration, now time.Time, top int) (*digest, error) {
	d := &digest{Since: wording.Moment{Time: now.Add(-since)}, Now: wording.Moment{Time: now}, Items: []entry{}, Pages: []entry{}, Trends: []row{}}
	feeds, err := lib.Feeds(ctx)
	if err != nil || len(feeds) == 0 {
		return d, err
	}
	of := make(map[reader.FeedID]*reader.Feed, len(feeds))
	for i := range feeds {
		of[feeds[i].Key] = &feeds[i]
	}
	q, err := query.Parse("unread not muted newer:"+fmt.Sprint(int(since.Hours()+1))+"h", now)
	if err != nil {
		return nil, err
	}
	all, err := lib.Rows(ctx, q, 0)
	if err != nil {
		return nil, err
	}
	var rows, changes []reader.Row
	posted := map[reader.FeedID]bool{}
	for i := range all {
		switch f := of[all[i].ID.Feed()]; {
		case f == nil || all[i].At <= now.Add(-since).Unix():
		case f.Watched:
			changes = append(changes, all[i])
		default:
			rows = append(rows, all[i])
			posted[f.Key] = true
		}
	}
	d.Count, d.Feeds = len(rows), len(posted)
	arranged, err := lib.Ranker().Arrange(ctx, now, reader.Ranked, reader.Spots(rows, func(id reader.FeedID) string { return of[id].Title }), top, nil)
	if err != nil {
		return nil, err
	}
	d.Ranked = !arranged.Early()
	keeper := reader.Stories(lib)
	keeper.Keep(ctx)
	groups, err := keeper.Groups(ctx)
	if err != nil {
		return nil, err
	}
	var ids []reader.ItemID
	listed, also := map[int32]bool{}, map[reader.ItemID][]string{}
	for _, i := range arranged.Index {
		id := rows[i].ID
		if n := groups.Number(id); n >= 0 {
			if listed[n] {
				continue
			}
			listed[n] = true
			seen := map[reader.FeedID]bool{id.Feed(): true}
			for _, m := range groups.Of(id) {
				if f := of[m.ID.Feed()]; f != nil && !f.Hidden && !seen[f.Key] {
					seen[f.Key] = true
					also[id] = append(also[id], f.Title)
				}
			}
		}
		if ids = append(ids, id); len(ids) == top {
			break
		}
	}
	if d.Items, err = entries(ctx, lib, ids, also); err != nil {
		return nil, err
	}
	ids = nil
	for i := range changes {
		if ids = append(ids, changes[i].ID); len(ids) == top {
			break
		}
	}
	if d.Pages, err = entries(ctx, lib, ids, nil); err != nil {
		return nil, err
	}
	r, err := s.top(ctx, lib, since, now, 2*digestTrends)
	if err != nil {
		return nil, err
	}
	for _, t := range r.Trends {
		if t.Kind != trends.Steady && len(d.Trends) < digestTrends {
			d.Trends = append(d.Trends, row{Trend: t, first: *cmpFeed(of[t.First.Feed()])})
		}
	}
	return d, d.linkTrends(ctx, lib)
}

// linkTrends gives each trend its address: of a word that of its newest item.
func (d *digest) linkTrends(ctx context.Context, lib *reader.Reader) error {
	for i := range d.Trends {
		t := &d.Trends[i]
		if t.Kind == trends.Link {
			t.link = webLink(t.What)
		} else if len(t.Newest) > 0 {
			items, err := lib.Items(ctx, t.Newest[:1])
			if err != nil {
				return err
			}
			for k := range items {
				t.link = webLink(items[k].Link)
			}
		}
	}
	return nil
}

func cmpFeed(f *reader.Feed) *reader.Feed {
	if f == nil {
		return &reader.Feed{}
	}
	return f
}

// entries reads items in their order.
func entries(ctx context.Context, lib *reader.Reader, ids []reader.ItemID, also map[reader.ItemID][]string) ([]entry, error) {
	items, err := lib.Items(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := make([]entry, 0, len(items))
	for i := range items {
		out = append(out, entry{items[i], also[items[i].Key]})
	}
	return out, nil
}

// form is how a digest is written as text.
type form struct {
	title, head string
	item        func(n int, title, link, facts string) string
	line        func(text, link string) string
	esc         func(string) string
}

var plainForm = form{title: "%s", head: "\n%s\n", esc: func(s string) string { return s },
	item: func(n int, title, link, facts string) string {
		out := fmt.Sprintf("%3d. %s\n     %s\n", n, title, facts)
		if link != "" {
			out += "     " + link + "\n"
		}
		return out
	},
	line: func(text, link string) string {
		if link != "" && !strings.Contains(text, link) {
			text += "\n     " + link
		}
		return "   - " + text + "\n"
	}}

var markdownForm = form{title: "# %s", head: "\n## %s\n\n", esc: plain.Markdown,
	item: func(n int, title, link, facts string) string {
		return fmt.Sprintf("%d. %s — %s\n", n, markdownLink(title, link), facts)
	},
	line: func(text, link string) string { return "- " + markdownLink(text, link) + "\n" }}

func markdownLink(text, link string) string {
	if link == "" {
		return text
	}
	return "[" + text + "](<" + link + ">)"
}

func htmlLink(text, link string) string {
	if link == "" {
		return html.EscapeString(text)
	}
	return "<a rel=\"noreferrer\" href=\"" + html.EscapeString(link) + "\">" + html.EscapeString(text) + "</a>"
}

func (d *digest) headline() string {
	order := "newest first"
	if d.Ranked {
		order = "by what you are likely to open"
	}
	return fmt.Sprintf("%s of %s since %s, %s", wording.Plural(d.Count, "unread item"), wording.Plural(d.Feeds, "feed"), d.Since.Local().Format(clock), order)
}

func (e *entry) title() string { return plain.Line(table.TitleOf(e.item), 0) }

// page is a watched page and what changed on it.
func (e *entry) page() string { return plain.Line(e.item.Feed, 0) + ": " + e.title() }

// facts are the feed, the time and the other feeds.
func (e *entry) facts() string {
	out := plain.Line(e.item.Feed, 0) + ", " + session.ItemTime(e.item).Local().Format("Mon 15:04")
	if len(e.also) > 0 {
		out += "; also in " + strings.Join(plain.Lines(e.also), ", ")
	}
	return out
}

// webLink is an address, if a browser may have it.
func webLink(address string) string {
	if link := plain.Redact(address); plain.WebAddress(link) {
		return strings.ReplaceAll(link, ">", "%3E")
	}
	return ""
}

func sayTrend(r *row) string {
	usual := "never before"
	if r.Times() > 0 {
		usual = "usual " + wording.Tenth(r.Usual)
	}
	return fmt.Sprintf("%s: %s of %s, %s", plain.Line(trends.Say(&r.Trend), 0), wording.Plural(r.Items, "item"), wording.Plural(r.Feeds, "feed"), usual)
}

func (d *digest) text(s *Commands, f form) {
	put := func(text string) { _, _ = s.Out.WriteString(text) }
	put(fmt.Sprintf(f.title+"\n", f.esc(d.headline())))
	put("\n")
	for i := range d.Items {
		e := &d.Items[i]
		put(f.item(i+1, f.esc(e.title()), webLink(e.item.Link), f.esc(e.facts())))
	}
	if len(d.Pages) > 0 {
		put(fmt.Sprintf(f.head, "Changed pages"))
		for i := range d.Pages {
			put(f.line(f.esc(d.Pages[i].page()), webLink(d.Pages[i].item.Link)))
		}
	}
	if len(d.Trends) > 0 {
		put(fmt.Sprintf(f.head, "What several feeds talk about"))
		for i := range d.Trends {
			put(f.line(f.esc(sayTrend(&d.Trends[i])), d.Trends[i].link))
		}
	}
}

func (d *digest) html(s *Commands) {
	esc := html.EscapeString
	put := func(format string, args ...any) { fmt.Fprintf(s.Out, format, args...) }
	head := esc(d.headline())
	put("<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>%s</title></head><body>\n<h1>%s</h1>\n<ol>\n", head, head)
	for i := range d.Items {
		e := &d.Items[i]
		put("<li>%s<br><small>%s</small></li>\n", htmlLink(e.title(), webLink(e.item.Link)), esc(e.facts()))
	}
	put("</ol>\n")
	list := func(head string, n int, line func(i int) (text, link string)) {
		if n == 0 {
			return
		}
		put("<h2>%s</h2>\n<ul>\n", head)
		for i := range n {
			put("<li>%s</li>\n", htmlLink(line(i)))
		}
		put("</ul>\n")
	}
	list("Changed pages", len(d.Pages), func(i int) (string, string) { return d.Pages[i].page(), webLink(d.Pages[i].item.Link) })
	list("What several feeds talk about", len(d.Trends), func(i int) (string, string) { return sayTrend(&d.Trends[i]), d.Trends[i].link })
	put("</body></html>\n")
}
