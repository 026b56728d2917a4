package feeds

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"diurna/reader"
	"diurna/reader/discover"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/ui/cells"
	"diurna/ui/cli/arguments"
	"diurna/ui/cli/exit"
	"diurna/ui/cli/table"
)

// maxDocument is how many bytes of a feed in a file are read: as many as one
// from the net may have once it is unpacked.
const maxDocument = 16 << 20

func (s *Commands) previewCommand() *cobra.Command {
	var base, contentType string
	var allow bool
	c := &cobra.Command{
		Use:   "preview ADDRESS|FILE",
		Short: "show a feed without subscribing to it",
		Long: `ADDRESS is read as add would read it. FILE, "-" for stdin, is read as if a server
had sent it.`,
		Example:     "  diurna preview harbour.example\n  diurna preview --base https://harbour.example/feed.xml feed.xml --json",
		Annotations: arguments.Exits("0 done · 1 no feed, or not readable · 2 wrong usage · 4 busy · 5 damaged or newer"),
		Args:        arguments.AtLeastOne("an address or a file"),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return exit.Usage("diurna preview "+plain.Argument(args[0]), "diurna preview takes one address at a time")
			}
			lib, err := s.Library("preview")
			if err != nil {
				return err
			}
			var p reader.Preview
			if isFile(args[0]) {
				doc, rerr := s.ReadFile(args[0], maxDocument, nil)
				if rerr != nil {
					return rerr
				}
				p, err = discover.PreviewBytes(doc, base, contentType, time.Now())
			} else {
				p, err = lib.Finder().Preview(c.Context(), args[0], allow)
			}
			if errors.Is(err, reader.ErrPrivate) {
				return exit.With(exit.Error, err, "to allow it: diurna preview --allow-private "+plain.Argument(args[0]))
			}
			if err != nil {
				return err
			}
			if s.JSON {
				return s.PrintJSON(p)
			}
			s.printPreview(&p, allow)
			return nil
		},
	}
	f := c.Flags()
	f.StringVar(&base, "base", "", "treat FILE as served from `URL`")
	f.StringVar(&contentType, "content-type", "", "treat FILE as served with Content-Type `TYPE`")
	f.BoolVar(&allow, "allow-private", false, "allow a private address")
	return c
}

// isFile reports whether a word names a file: stdin, or one that is there. A
// path that is not there is an address that fails to be one, which says so.
func isFile(word string) bool {
	if word == "-" {
		return true
	}
	if strings.Contains(word, "://") {
		return false
	}
	_, err := os.Stat(word)
	return err == nil || strings.HasPrefix(word, "/") || strings.HasPrefix(word, "./") || strings.HasPrefix(word, "../")
}

// printPreview prints it; the command to keep the feed may ask what this one may.
func (s *Commands) printPreview(p *reader.Preview, allow bool) {
	c := s.Clock()
	put := func(label, value string) {
		value = plain.Line(value, 0)
		fmt.Fprintf(s.Out, "%-9s %s\n", label, value)
	}
	put("feed", p.Feed.Title)
	if p.Feed.URL != "" {
		put("address", p.Feed.Address()+named(p))
	}
	put("format", previewFormat(p, c))
	for i, problem := range p.Problems {
		label := ""
		if i == 0 {
			label = "problems"
		}
		put(label, problem)
	}
	for i := range p.Articles {
		it := &p.Articles[i].Item
		at := cmp.Or(c.Layout(it.Published, "2006-01-02 15:04"), "-")
		title := plain.Line(table.TitleOf(*it), 0)
		if s.Env.Width > 0 {
			title = cells.Cut(title, max(s.Env.Width-18, 8))
		}
		if s.Terminal() {
			at = cells.Fit(at, 16)
		}
		fmt.Fprintf(s.Out, "%s  %s\n", at, title)
	}
	if p.Feed.URL != "" {
		add := " diurna add "
		if allow {
			add += "--allow-private "
		}
		put("keep it:", add+plain.Argument(p.Feed.URL))
	}
}

// named says how the address was found, and what else the page names.
func named(p *reader.Preview) string {
	var others []string
	for _, c := range p.Others {
		name := c.Title
		if name == "" {
			name = plain.Redact(c.URL)
		}
		others = append(others, name)
	}
	also := ""
	if len(others) > 0 {
		also = "there is also: " + strings.Join(others, ", ")
	}
	switch {
	case p.Named && also != "":
		return " (named by the page; " + also + ")"
	case p.Named:
		return " (named by the page)"
	case also != "":
		return " (" + also + ")"
	}
	return ""
}

// previewFormat is "RSS 2.0, 20 items, 11-20 Nov, about 9 a day, full text".
func previewFormat(p *reader.Preview, c wording.Clock) string {
	facts := []string{p.Feed.Format, wording.Plural(len(p.Articles), "item")}
	var oldest, newest time.Time
	long := 0
	for i := range p.Articles {
		t := p.Articles[i].Published
		if !t.IsZero() && (oldest.IsZero() || t.Before(oldest)) {
			oldest = t
		}
		if t.After(newest) {
			newest = t
		}
		if p.Articles[i].Words >= fullText {
			long++
		}
	}
	if !oldest.IsZero() {
		from, to, now := c.Day(oldest), c.Day(newest), c.Now
		switch {
		case from == to:
			facts = append(facts, to)
		case oldest.In(now.Location()).Month() == newest.In(now.Location()).Month() && len(from) < 8 && len(to) < 8:
			facts = append(facts, strings.Fields(from)[0]+"-"+to)
		default:
			facts = append(facts, from+" - "+to)
		}
		if rate := postRate(len(p.Articles), newest.Sub(oldest)); rate != "" {
			facts = append(facts, rate)
		}
	}
	if 2*long > len(p.Articles) {
		facts = append(facts, "full text")
	}
	return strings.Join(facts, ", ")
}

// fullText is how many words most items need before a feed is said to carry
// whole articles rather than their beginnings.
const fullText = 120

// postRate is how often items come, over the time they span.
func postRate(n int, span time.Duration) string {
	days := span.Hours() / 24
	if n < 2 || days <= 0 {
		return ""
	}
	perDay := float64(n-1) / days
	switch {
	case perDay >= 0.95:
		return fmt.Sprintf("about %.0f a day", perDay)
	case perDay*7 >= 0.95:
		return fmt.Sprintf("about %.0f a week", perDay*7)
	}
	return fmt.Sprintf("about %.0f a year", max(perDay*365, 1))
}
