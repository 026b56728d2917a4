package fetch

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/trends"
	"diurna/reader/wording"
	"diurna/ui/cells"
	"diurna/ui/cli/arguments"
	"diurna/ui/cli/pages"
	"diurna/ui/cli/session"
)

func (s *Commands) whyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "why ITEM|FEED|PAGE",
		Short: "explain an item's rank, a feed's next fetch, or why a page's change was reported",
		Long: `ITEM is an id that items prints, FEED the short id that list prints, an address,
or a unique part of a title. Of an item every term of its score is printed, with
what was opened of what was shown; of a watched page its last reported, suppressed
and volatile changes, with the rule and score of each place; of a feed also what it is about. --json has
them in full.`,
		Example:     "  diurna why kernel\n  diurna why k3f --json\n  diurna why m2x-17",
		Annotations: arguments.Exits("0 done · 1 no such feed or item · 2 wrong usage, or a name that matches several · 4 busy · 5 damaged or newer"),
		Args:        arguments.AtLeastOne("an item or a feed"),

		ValidArgsFunction: s.CompleteFeeds(1),
		RunE: s.With("why", func(c *cobra.Command, lib *reader.Reader, args []string) error {
			name := strings.Join(args, " ")
			if id, ok := reader.ParseItemID(name); ok {
				return s.whyItem(c.Context(), lib, id)
			}
			f, err := lib.FindFeed(c.Context(), name)
			if errors.Is(err, reader.ErrNotFound) {
				if id, ierr := session.FindItem(c.Context(), lib, name); ierr == nil {
					return s.whyItem(c.Context(), lib, id)
				}
			}
			if err != nil {
				return err
			}
			w, err := lib.Planner().WhyFeed(c.Context(), f.Key, time.Now())
			if err != nil {
				return err
			}
			look, last, err := portray(c.Context(), lib, f.Key)
			if err != nil {
				return err
			}
			if s.JSON {
				o := whyObject{w.Feed, w.Fetches, w.Share, w.PerDay, w.Posts, w.PerWeek, w.Window, nil, nil, w.Opened, w.Shown, wording.Moment{Time: last}, nil, nil}
				if !w.Feed.Watched {
					o.Portrait = &look
				}
				if w.Shape != "" {
					o.Shape = &w.Shape
				}
				if w.Weight > 0 {
					o.Weight = &w.Weight
				}
				if w.Feed.Watched {
					if o.Changes, err = lib.Pages().LastChanges(c.Context(), w.Feed.Key); err != nil {
						return err
					}
				}
				return s.PrintJSON(o)
			}
			s.printWhy(&w)
			lines := look.Lines()
			if !last.IsZero() {
				lines = append(lines, trends.Line{Label: "last opened", Text: s.Clock().When(last)})
			}
			for _, l := range lines {
				s.printLine(l.Label, l.Text)
			}
			if w.Feed.Watched {
				return pages.New(s.Session).PrintWhyPage(c.Context(), lib, w.Feed.Key)
			}
			return nil
		}),
	}
}

// portray says what a feed is about, and when an item of it was opened last.
func portray(ctx context.Context, lib *reader.Reader, id reader.FeedID) (p trends.Portrait, last time.Time, err error) {
	keeper := reader.Stories(lib)
	keeper.Keep(ctx)
	groups, _ := keeper.Groups(ctx) // who reads can do without
	if p, err = reader.Trends(lib).Portrait(ctx, id, groups); err != nil {
		return p, last, err
	}
	st, err := lib.Stats().Stats(ctx, time.Now())
	for i := range st.PerFeed {
		if st.PerFeed[i].Feed.Key == id {
			last = st.PerFeed[i].LastOpened
		}
	}
	return p, last, err
}

// whyItem prints why an item stands where it stands in Ranked.
func (s *Commands) whyItem(ctx context.Context, lib *reader.Reader, id reader.ItemID) error {
	w, err := lib.Ranker().WhyItem(ctx, id, 0)
	if err != nil {
		return err
	}
	if s.JSON {
		return s.PrintJSON(w)
	}
	fmt.Fprintln(s.Out, plain.Line(w.Sum(), 0))
	s.printSteps(w.Lines())
	if err := s.printDoings(ctx, lib, id); err != nil {
		return err
	}
	if w.Opened < reader.OpensNeeded {
		s.Talk("Ranked needs %d opened items to learn from; you have opened %d.", reader.OpensNeeded, w.Opened)
	}
	return nil
}

// printSteps prints the steps of a score in columns, as wide as what stands in
// them: people's terminals alone cut long names.
func (s *Commands) printSteps(lines []reader.WhyLine) {
	var what, seen, move int
	for i := range lines {
		l := &lines[i]
		l.What, l.Seen = plain.Line(l.What, 0), plain.Line(l.Seen, 0)
		if s.Terminal() {
			l.What = cells.Cut(l.What, maxName)
		}
		what, seen, move = max(what, cells.Width(l.What)), max(seen, cells.Width(l.Seen)), max(move, cells.Width(l.Move))
	}
	for _, l := range lines {
		fmt.Fprintln(s.Out, strings.TrimRight("  "+cells.Fit(l.What, what)+"  "+cells.Fit(l.Seen, seen)+"  "+cells.Fit(l.Move, move)+" "+l.To, " "))
	}
}

// maxName is how many cells a name takes at most on a terminal.
const maxName = 60

type whyObject struct {
	Feed    reader.Feed           `json:"feed"`
	Fetches []reader.PlannedFetch `json:"fetches"`
	Share   int                   `json:"share"`
	PerDay  int                   `json:"budget"`
	Posts   int                   `json:"learned_from_posts"`
	PerWeek float64               `json:"posts_week"`
	Window  int                   `json:"window"`
	Shape   *string               `json:"shape"`  // null: too few posts
	Weight  *float64              `json:"weight"` // null: too little was opened
	Opened  int                   `json:"opened"`
	Shown   int                   `json:"shown"`
	Last    wording.Moment        `json:"last_opened"`

	Portrait *trends.Portrait `json:"portrait,omitempty"` // not of a page

	Changes []reader.Seen `json:"changes,omitempty"` // of a watched page
}

func (s *Commands) printWhy(w *reader.FeedPlan) {
	f := &w.Feed
	fmt.Fprintln(s.Out, plain.Line(fmt.Sprintf("%s  %s  %s", f.Title, f.Key, f.Address()), 0))
	for _, l := range w.Lines(s.Clock()) {
		s.printLine(l.Label, l.Text)
	}
}

func (s *Commands) printLine(label, text string) {
	fmt.Fprintf(s.Out, "%-13s %s\n", label, plain.Line(text, 0))
}

// printDoings prints what rules did to an item.
func (s *Commands) printDoings(ctx context.Context, lib *reader.Reader, id reader.ItemID) error {
	done, err := lib.Rules().Doings(ctx, id)
	for _, d := range done {
		fmt.Fprintf(s.Out, "%s, %s\n", plain.Line(d.What, 0), s.Clock().When(d.At))
	}
	return err
}
