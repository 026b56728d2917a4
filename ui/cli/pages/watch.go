// Package pages holds the commands that watch pages and show what changed on them.
package pages

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"diurna/reader"
	"diurna/reader/advice"
	"diurna/reader/page"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/ui/cli/arguments"
	"diurna/ui/cli/exit"
	"diurna/ui/cli/session"
	"diurna/ui/cli/table"
)

// Library is what these commands need of *reader.Reader besides its pages.
type Library interface {
	Adjust(ctx context.Context, id reader.FeedID, field, value string) (reader.Done, error)
	ItemChange(ctx context.Context, id reader.ItemID, back int) (reader.ItemEdit, error)
	Pages() *reader.Pages
}

// Commands are those that watch pages and show what changed.
type Commands struct{ *session.Session }

// New gives the commands of one run of the program.
func New(s *session.Session) *Commands { return &Commands{Session: s} }

// All are the commands.
func (s *Commands) All() []arguments.Command {
	return []arguments.Command{
		{Name: "watch", Build: s.watchCommand},
		{Name: "diff", Build: s.diffCommand},
	}
}

func (s *Commands) watchCommand() *cobra.Command {
	var o reader.WatchOptions
	var every, threshold, depth, keep string
	var ignored bool
	var report int
	c := &cobra.Command{
		Use:   "watch ADDRESS…|PAGE",
		Short: "watch a web page for changes, or change how one is watched",
		Long: `The page at ADDRESS is fetched like a feed, and a second time some seconds later: a
place that differs then changes by itself and is not reported. If the page has a
clear main part, the command that watches only that part is printed. A change whose
score is above the threshold becomes an item; what was served is kept, byte for
byte, as long as --keep says (all of it without). A PAGE that is watched already
gets the settings that are named on the line. --select and --ignore take CSS and
may be given again; "" takes a setting back. --ignore N ignores the place of change N in
diurna diff PAGE for good, as i in a diff on the screen does; --ignored lists such
places, and those that were learned to change by themselves, each with the reason;
--report N reports changes of one of them from then on, whatever was learned of it.

--has and --not look at the changed text of each block, in any case of letters;
several words, with commas between, are alternatives. --when takes price, the
first amount with a currency below the page's heading, or number, the first
number; < <= > >= = or !=; and a number as any country writes it. It is reported
when it becomes true, again after it was false, and nothing else is. --select CSS
chooses another price. diurna watch PAGE alone prints how it is watched; --has '' and --when '' take a setting back.`,
		Example: `  diurna watch pier.example/timetable
  diurna watch --when 'price<44' shop.example/lantern   # when it falls below 44
  diurna watch --has 'in stock' shop.example/kettle     # back in stock, or gone again
  diurna watch status.example                           # an outage, and its end
  diurna watch --select '#jobs' --has cook jobs.example # a new row in a list
  diurna watch terms.example; diurna diff terms         # terms: what was added and removed
  diurna watch code.example/releases                    # releases, not counts of downloads or stars
  diurna watch --select main --ignore .ads --keywords winter,boat pier.example
  diurna watch pier --threshold 3 --every 6h
  diurna watch pier --ignore 2
  diurna watch pier --ignored`,
		Annotations:       arguments.Exits("0 done · 1 no page there, or not done · 2 wrong usage · 4 busy · 5 damaged or newer"),
		Args:              arguments.AtLeastOne("an address or a page"),
		ValidArgsFunction: s.CompletePages,
		RunE: s.With("watch", func(c *cobra.Command, lib *reader.Reader, args []string) error {
			if len(args) > 1 {
				if err := severalWatches(c.Flags(), args); err != nil {
					return err
				}
			} else if ignored || c.Flags().Changed("report") {
				return s.ignored(c, lib, args[0], ignored, report)
			}
			if no, ok := changeNumber(o.Ignore); ok && len(args) == 1 {
				return s.ignoreChange(c.Context(), lib, args[0], no)
			}
			var err error
			if o.Every, err = everyOf(every); err != nil {
				return err
			}
			if p, err := s.watchedAs(c.Context(), lib, args); err != nil || p != nil {
				if err == nil {
					err = s.adjustPage(c.Context(), lib, p, c.Flags(), every)
				}
				return err
			}
			if err := numbersOf(&o, threshold, depth, keep); err != nil {
				return err
			}
			return s.watch(c.Context(), lib, args, o)
		}),
	}
	f := c.Flags()
	f.StringArrayVar(&o.Select, "select", nil, "watch only what `CSS` matches")
	f.StringArrayVar(&o.Ignore, "ignore", nil, "leave out what `CSS` matches, or a number: the place of that change")
	f.StringSliceVar(&o.Keywords, "keywords", nil, "`WORDS`, with commas between, count more in what changed")
	f.StringSliceVar(&o.Has, "has", nil, "report only changes with one of `WORDS`, with commas between, in what came or went")
	f.StringSliceVar(&o.Not, "not", nil, "leave out blocks with one of `WORDS` in what came or went")
	f.StringVar(&o.When, "when", "", "report only when `COND` becomes true, such as 'price<44' or 'number>=10'")
	f.StringVar(&every, "every", "", "fetch it every `TIME`, such as 2h or 1d; the plan decides without")
	f.StringVar(&threshold, "threshold", "", "report changes with a score above `N` (default 1); 0: all but counters and the like")
	f.StringVar(&depth, "depth", "", "watch the pages it links to as well (`N` 1), and theirs on the same host (2)")
	f.StringVar(&keep, "keep", "", "keep the last `N` revisions at least; 0: all")
	f.StringVar(&o.Title, "title", "", "use `TITLE` as its title")
	f.StringVar(&o.Folder, "folder", "", "put the page into `FOLDER`")
	f.StringSliceVar(&o.Tags, "tag", nil, "add the tag `TAG`; may be repeated")
	f.BoolVar(&o.AllowPrivate, "allow-private", false, "allow its private address")
	f.BoolVar(&ignored, "ignored", false, "list the places of a watched page whose changes are not reported, and why")
	f.IntVar(&report, "report", 0, "report changes of place `N` of --ignored from now on; ends that for one that is")
	s.CompleteFlags(c)
	return c
}

// numbersOf reads the numbers of a new watch; what they may be the reader says.
func numbersOf(o *reader.WatchOptions, threshold, depth, keep string) (err error) {
	const hint = "diurna watch --help"
	if threshold != "" {
		if o.Threshold, err = strconv.ParseFloat(threshold, 64); err != nil || o.Threshold < 0 {
			return exit.Usage(hint, "%q is not a threshold of 0 or more, such as 2.5", threshold)
		}
		if o.Threshold == 0 {
			o.Threshold = page.Everything
		}
	}
	if depth != "" {
		if o.Depth, err = strconv.Atoi(depth); err != nil {
			return exit.Usage(hint, "%q is not a depth of 0, 1 or 2", depth)
		}
	}
	if keep != "" && keep != "all" {
		if o.Keep, err = strconv.Atoi(keep); err != nil {
			return exit.Usage(hint, "%q is not a number of revisions to keep, or all", keep)
		}
	}
	return nil
}

// everyOf reads an interval; days are days.
func everyOf(s string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(s, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n > 365 {
			return 0, exit.Usage("diurna watch --every 7d ADDRESS", "%q is longer than a year", s)
		} else if err == nil && n > 0 {
			return time.Duration(n) * 24 * time.Hour, nil
		}
	}
	if s == "" || s == "0" {
		return 0, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 15*time.Minute {
		return 0, exit.Usage("diurna watch --every 2h ADDRESS", "%q is not an interval of 15 minutes or more, such as 2h or 1d", s)
	}
	return d, nil
}

// watchedAs finds the watched page that a word names; nil for an address, which
// may be watched in several ways.
func (s *Commands) watchedAs(ctx context.Context, lib Library, words []string) (*reader.Page, error) {
	if len(words) > 1 || strings.ContainsAny(words[0], "./:") {
		return nil, nil
	}
	p, err := findPage(ctx, lib, words[0])
	if err != nil {
		return nil, err
	}
	return &p, nil
}

func score(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// adjustPage gives a watched page the settings named on the line.
func (s *Commands) adjustPage(ctx context.Context, lib Library, p *reader.Page, flags *pflag.FlagSet, every string) error {
	var did []string
	var failed error
	set := func(field, value string) {
		if failed != nil {
			return
		}
		done, err := lib.Adjust(ctx, p.Key, field, value)
		if failed = err; err == nil && done.Changed > 0 {
			did = append(did, strings.ReplaceAll(field, "_", " "))
		}
	}
	selects, _ := flags.GetStringArray("select")
	if flags.Changed("select") { // first: it may be refused, and nothing is changed then
		set("select", strings.Join(selects, "\n"))
	}
	flags.Visit(func(f *pflag.Flag) {
		value := f.Value.String()
		switch f.Name {
		case "ignore":
			list, _ := flags.GetStringArray(f.Name)
			set(f.Name, strings.Join(list, "\n"))
		case "keywords", "has", "not":
			list, _ := flags.GetStringSlice(f.Name)
			set(f.Name, strings.Join(list, ","))
		case "every":
			if d, err := everyOf(every); err == nil && d > 0 {
				value = d.String()
			} else {
				value = ""
			}
			set("interval", value)
		case "threshold", "depth", "keep", "title", "folder", "when":
			set(f.Name, value)
		case "tag":
			list, _ := flags.GetStringSlice(f.Name)
			set("tags", strings.Join(list, ","))
		case "allow-private":
			set("allow_private", value)
		}
	})
	if failed != nil {
		return failed
	}
	now, err := lib.Pages().Find(ctx, p.Key.String())
	if err != nil {
		return err
	}
	if s.JSON {
		return s.PrintJSON(now)
	}
	if flags.NFlag() == 0 {
		for _, l := range howWatched(&now) {
			fmt.Fprintln(s.Out, plain.Line(l, 0))
		}
		return nil
	}
	if len(did) == 0 {
		s.Talk("nothing changed: %s is already watched like that.", p.Title)
		return nil
	}
	s.Talk("%s: changed %s. diurna undo reverts it, one step at a time.", p.Title, strings.Join(did, ", "))
	if flags.Changed("when") && now.When != "" {
		reading, err := lib.Pages().ReadCondition(ctx, p.Key)
		if err != nil {
			return err
		}
		s.Talk("%s.", readingSentence(now.When, reading))
	}
	return nil
}

// PageColumns is how `list --pages` prints.
var PageColumns = []table.Column[reader.Page]{
	{Name: "id", Field: func(p reader.Page) string { return p.Key.String() }, Head: "ID", Cell: func(p reader.Page, _ time.Time) string { return p.Key.String() }},
	{Name: "url", Field: func(p reader.Page) string { return p.Address() }},
	{Name: "title", Field: func(p reader.Page) string { return p.Title }},
	{Name: "folder", Field: func(p reader.Page) string { return p.Folder }},
	{Name: "tags", Field: func(p reader.Page) string { return strings.Join(p.Tags, ",") }},
	{Name: "unread", Field: func(p reader.Page) string { return strconv.Itoa(p.Unread) }, Head: "UNREAD", Right: true, Spare: 4, Cell: func(p reader.Page, _ time.Time) string { return wording.Count(p.Unread) }},
	{Name: "revisions", Field: func(p reader.Page) string { return strconv.Itoa(p.Revisions) }, Head: "KEPT", Right: true, Spare: 3, Cell: func(p reader.Page, _ time.Time) string { return wording.Count(p.Revisions) }},
	{Name: "changed", Field: func(p reader.Page) string { return table.Stamp(p.Changed) }, Head: "CHANGED", Cell: func(p reader.Page, now time.Time) string { return table.When(p.Changed, now) }},
	{Name: "score", Field: func(p reader.Page) string { return wording.Tenth(p.Score) }, Head: "SCORE", Right: true, Cell: func(p reader.Page, _ time.Time) string { return pageScore(p) }},
	{Name: "threshold", Field: func(p reader.Page) string { return score(p.Threshold) }},
	{Name: "class", Field: func(p reader.Page) string { return string(p.Class) }},
	{Name: "why", Field: func(p reader.Page) string { return p.Why }},
	{Name: "last_fetch", Field: func(p reader.Page) string { return table.Stamp(p.LastFetch) }},
	{Name: "next_fetch", Field: func(p reader.Page) string { return table.Stamp(p.NextFetch) }, Head: "NEXT FETCH", Spare: 1, Cell: func(p reader.Page, now time.Time) string { return table.Due(p.NextFetch, now) }},
	{Name: "state", Field: func(p reader.Page) string { return p.State.String() }, Head: "STATE", Most: 32, Spare: 2, Cell: func(p reader.Page, now time.Time) string { return table.FeedState(p.Feed, now) }},
	{Name: "since", Field: func(p reader.Page) string { return table.Stamp(p.Since) }},
	{Name: "error", Field: func(p reader.Page) string { return p.Error }, Head: "PAGE", Cell: func(p reader.Page, _ time.Time) string { return table.FeedName(p.Feed) }},
}

func pageScore(p reader.Page) string {
	if p.Changed.IsZero() {
		return "-"
	}
	return wording.Tenth(p.Score)
}

// ListPages prints the watched pages that fit a query.
func (s *Commands) ListPages(ctx context.Context, lib Library, q reader.Query) error {
	pages, err := lib.Pages().List(ctx)
	if err != nil {
		return err
	}
	if len(pages) == 0 {
		s.Talk("no page is watched. diurna watch ADDRESS watches one.")
		return nil
	}
	var fits []reader.Page
	for i := range pages {
		if q.FitsFeed(&pages[i].Feed) {
			fits = append(fits, pages[i])
		}
	}
	if len(fits) == 0 {
		s.Talk("no page matches %q.", q.String())
	}
	return session.Print(s.Session, PageColumns, fits)
}

// PrintWhyPage says how a page is watched, what its last change was made of, and
// what might be better.
func (s *Commands) PrintWhyPage(ctx context.Context, lib Library, id reader.FeedID) error {
	p, err := lib.Pages().Find(ctx, id.String())
	if err != nil {
		return err
	}
	put := func(label, format string, args ...any) {
		fmt.Fprintf(s.Out, "%-13s %s\n", label, plain.Line(fmt.Sprintf(format, args...), 0))
	}
	clock, most := s.Clock(), 0
	if s.Terminal() {
		most = 60
	}
	put("watched", "%s", strings.Join(howWatched(&p), "; "))
	c, err := lib.Pages().Change(ctx, id, 0, 0)
	switch {
	case errors.Is(err, reader.ErrNotFound):
		put("last change", "none was reported yet")
	case err != nil:
		return err
	default:
		put("last change", "%s, revision %d, score %.1f, %s", clock.When(c.To.At), c.To.No, c.Diff.Score, c.Diff.Class)
		for _, t := range c.Diff.Terms {
			put("", "%-10s %5d  weight %.2f  %5.2f points", t.Category, t.Count, t.Weight, t.Points)
		}
	}
	if say := p.Unreported(); say != "" {
		put("not reported", "%s, %s", clock.When(p.Compared), say)
	}
	seen, err := lib.Pages().LastChanges(ctx, id)
	if err != nil {
		return err
	}
	for _, c := range seen {
		put(string(c.Attention), "%s, score %.1f, %s: %s", clock.When(c.At), c.Score, c.Class, c.Rule)
		for _, pl := range c.Places {
			put("", "%.1f %s (%s)", pl.Score, plain.Line(pl.Text, most), pl.Rule)
		}
		if c.More > 0 {
			put("", "%s more", wording.Plural(c.More, "place"))
		}
	}
	list, err := lib.Pages().Suggestions(ctx)
	if err != nil {
		return err
	}
	for _, a := range list {
		if a.Page == id {
			put("advice", "%s", adviceWords(&a))
			put("", "because %s; chance that it helps %.0f %%", a.Reason, 100*a.Chance)
		}
	}
	return nil
}

func howWatched(p *reader.Page) []string {
	how := []string{"reported above a score of " + score(p.Threshold)}
	for _, part := range []struct {
		name string
		list []string
	}{{"select", p.Select}, {"ignore", p.Ignore}, {"keywords", p.Keywords}, {"has", p.Has}, {"not", p.Not}, {"ignored blocks", p.IgnoreBlocks}, {"always reported", p.ReportBlocks}} {
		if len(part.list) > 0 {
			how = append(how, part.name+" "+strings.Join(part.list, ", "))
		}
	}
	if p.When != "" {
		how[0] = "reported when " + p.When + " becomes true"
	}
	if p.Interval > 0 {
		how = append(how, "every "+strings.TrimSuffix(strings.TrimSuffix(p.Interval.String(), "0s"), "0m"))
	}
	if p.Depth > 0 {
		how = append(how, fmt.Sprintf("depth %d, %s", p.Depth, wording.Plural(p.Children, "child page")))
	}
	keep := "all kept"
	if p.Keep > 0 {
		keep = fmt.Sprintf("at least %d kept", p.Keep)
	}
	return append(how, fmt.Sprintf("%s, %s", wording.Plural(p.Revisions, "revision"), keep))
}

// adviceWords says what would be done, and how.
func adviceWords(a *reader.Suggestion) string {
	switch a.Kind {
	case advice.RaiseInterval:
		return fmt.Sprintf("fetch it every %s instead of %s: diurna watch %s --every %s", a.To, a.From, a.Page, a.To)
	case advice.RaiseThreshold:
		return fmt.Sprintf("report above %s instead of %s: diurna watch %s --threshold %s", a.To, a.From, a.Page, a.To)
	case advice.IgnoreBlock:
		return fmt.Sprintf("ignore the block %q (i in its diff on the screen, or diurna watch %s --ignore N)", a.Rule, a.Page)
	}
	return "this page always changes; watch a part of it: diurna watch " + a.Page.String() + " --select CSS"
}
