package cli

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
	"diurna/reader/page"
	"diurna/reader/plain"
	"diurna/reader/wording"
)

func (s *session) watchCommand() *cobra.Command {
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
places and --report N reports changes of one of them again.

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
		Annotations:       exits("0 done · 1 no page there, or not done · 2 wrong usage · 4 busy · 5 damaged or newer"),
		Args:              atLeastOne("an address or a page"),
		ValidArgsFunction: s.completePages,
		RunE: func(c *cobra.Command, args []string) error {
			lib, err := s.library("watch")
			if err != nil {
				return err
			}
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
		},
	}
	f := c.Flags()
	f.StringArrayVar(&o.Select, "select", nil, "watch only what `CSS` matches")
	f.StringArrayVar(&o.Ignore, "ignore", nil, "leave out what `CSS` matches, or a number: the place of that change")
	f.StringSliceVar(&o.Keywords, "keywords", nil, "`WORDS`, with commas between, count more in what changed")
	f.StringSliceVar(&o.Has, "has", nil, "report only changes with one of `WORDS`, with commas between, in what came or went")
	f.StringSliceVar(&o.Not, "not", nil, "leave out blocks with one of `WORDS` in what came or went")
	f.StringVar(&o.When, "when", "", "report only when `COND` becomes true, such as 'price<44' or 'number>=10'")
	f.StringVar(&every, "every", "", "fetch it every `TIME`, such as 2h or 1d; the plan decides without")
	f.StringVar(&threshold, "threshold", "", "tell of changes with a score above `N` (1 without); 0: all but counters and the like")
	f.StringVar(&depth, "depth", "", "watch the pages it links to as well (`N` 1), and theirs on the same host (2)")
	f.StringVar(&keep, "keep", "", "keep the last `N` revisions at least; 0: all")
	f.StringVar(&o.Title, "title", "", "call the page `TITLE`")
	f.StringVar(&o.Folder, "folder", "", "put the page into `FOLDER`")
	f.StringSliceVar(&o.Tags, "tag", nil, "tag the page with `TAG`; may be given again")
	f.BoolVar(&o.AllowPrivate, "allow-private", false, "fetch this page although its address is private")
	f.BoolVar(&ignored, "ignored", false, "list the ignored places of a watched page, and what each hides now")
	f.IntVar(&report, "report", 0, "report changes of place `N` of --ignored again")
	return c
}

// numbersOf reads the numbers of a new watch; what they may be the reader says.
func numbersOf(o *reader.WatchOptions, threshold, depth, keep string) (err error) {
	const hint = "diurna watch --help"
	if threshold != "" {
		if o.Threshold, err = strconv.ParseFloat(threshold, 64); err != nil || o.Threshold < 0 {
			return usage(hint, "%q is not a threshold of 0 or more, such as 2.5", threshold)
		}
		if o.Threshold == 0 {
			o.Threshold = page.Everything
		}
	}
	if depth != "" {
		if o.Depth, err = strconv.Atoi(depth); err != nil {
			return usage(hint, "%q is not a depth of 0, 1 or 2", depth)
		}
	}
	if keep != "" && keep != "all" {
		if o.Keep, err = strconv.Atoi(keep); err != nil {
			return usage(hint, "%q is not a number of revisions to keep, or all", keep)
		}
	}
	return nil
}

// everyOf reads an interval; days are days.
func everyOf(s string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(s, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n > 365 {
			return 0, usage("diurna watch --every 7d ADDRESS", "%q is longer than a year", s)
		} else if err == nil && n > 0 {
			return time.Duration(n) * 24 * time.Hour, nil
		}
	}
	if s == "" || s == "0" {
		return 0, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 15*time.Minute {
		return 0, usage("diurna watch --every 2h ADDRESS", "%q is not an interval of 15 minutes or more, such as 2h or 1d", s)
	}
	return d, nil
}

// watchedAs finds the watched page that a word names; nil for an address, which
// may be watched in several ways.
func (s *session) watchedAs(ctx context.Context, lib *reader.Reader, words []string) (*reader.Page, error) {
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
func (s *session) adjustPage(ctx context.Context, lib *reader.Reader, p *reader.Page, flags *pflag.FlagSet, every string) error {
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
	now, err := lib.FindPage(ctx, p.Key.String())
	if err != nil {
		return err
	}
	if s.json {
		return s.printJSON(now)
	}
	if flags.NFlag() == 0 {
		for _, l := range howWatched(&now) {
			fmt.Fprintln(s.out, plain.Line(l, 0))
		}
		return nil
	}
	if len(did) == 0 {
		s.talk("nothing changed: %s is watched like that already.", p.Title)
		return nil
	}
	s.talk("%s: changed %s. diurna undo takes it back, one at a time.", p.Title, strings.Join(did, ", "))
	if flags.Changed("when") && now.When != "" {
		reading, err := lib.ReadCondition(ctx, p.Key)
		if err != nil {
			return err
		}
		s.talk("%s.", readingSentence(now.When, reading))
	}
	return nil
}

// completePages offers the ids of the watched pages.
func (s *session) completePages(c *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	lib, err := s.library("completion")
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	pages, err := lib.Pages(c.Context())
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var list []cobra.Completion
	for i := range pages {
		list = append(list, cobra.CompletionWithDesc(pages[i].Key.String(), plain.Line(pages[i].Title, 60)))
	}
	return list, cobra.ShellCompDirectiveDefault
}

// pageColumns is how `list --pages` prints.
var pageColumns = []column[reader.Page]{
	{name: "id", field: func(p reader.Page) string { return p.Key.String() }, head: "ID", cell: func(p reader.Page, _ time.Time) string { return p.Key.String() }},
	{name: "url", field: func(p reader.Page) string { return p.Address() }},
	{name: "title", field: func(p reader.Page) string { return p.Title }},
	{name: "folder", field: func(p reader.Page) string { return p.Folder }},
	{name: "tags", field: func(p reader.Page) string { return strings.Join(p.Tags, ",") }},
	{name: "unread", field: func(p reader.Page) string { return strconv.Itoa(p.Unread) }, head: "UNREAD", right: true, spare: 4, cell: func(p reader.Page, _ time.Time) string { return wording.Count(p.Unread) }},
	{name: "revisions", field: func(p reader.Page) string { return strconv.Itoa(p.Revisions) }, head: "KEPT", right: true, spare: 3, cell: func(p reader.Page, _ time.Time) string { return wording.Count(p.Revisions) }},
	{name: "changed", field: func(p reader.Page) string { return stamp(p.Changed) }, head: "CHANGED", cell: func(p reader.Page, now time.Time) string { return when(p.Changed, now) }},
	{name: "score", field: func(p reader.Page) string { return tenth(p.Score) }, head: "SCORE", right: true, cell: func(p reader.Page, _ time.Time) string { return pageScore(p) }},
	{name: "threshold", field: func(p reader.Page) string { return score(p.Threshold) }},
	{name: "class", field: func(p reader.Page) string { return p.Class }},
	{name: "why", field: func(p reader.Page) string { return p.Why }},
	{name: "last_fetch", field: func(p reader.Page) string { return stamp(p.LastFetch) }},
	{name: "next_fetch", field: func(p reader.Page) string { return stamp(p.NextFetch) }, head: "NEXT FETCH", spare: 1, cell: func(p reader.Page, now time.Time) string { return due(p.NextFetch, now) }},
	{name: "state", field: func(p reader.Page) string { return p.State.String() }, head: "STATE", most: 32, spare: 2, cell: func(p reader.Page, now time.Time) string { return feedState(p.Feed, now) }},
	{name: "since", field: func(p reader.Page) string { return stamp(p.Since) }},
	{name: "error", field: func(p reader.Page) string { return p.Error }, head: "PAGE", cell: func(p reader.Page, _ time.Time) string { return feedName(p.Feed) }},
}

func pageScore(p reader.Page) string {
	if p.Changed.IsZero() {
		return "-"
	}
	return tenth(p.Score)
}

// listPages prints the watched pages that fit a query.
func (s *session) listPages(ctx context.Context, lib *reader.Reader, q reader.Query) error {
	pages, err := lib.Pages(ctx)
	if err != nil {
		return err
	}
	if len(pages) == 0 {
		s.talk("no page is watched. diurna watch ADDRESS watches one.")
		return nil
	}
	var fits []reader.Page
	for i := range pages {
		if feedFits(q, &pages[i].Feed) {
			fits = append(fits, pages[i])
		}
	}
	if len(fits) == 0 {
		s.talk("no page fits %q.", q.String())
	}
	return printList(s, pageColumns, fits)
}

// showRevision prints what was served: as text, or with raw byte for byte.
func (s *session) showRevision(ctx context.Context, lib *reader.Reader, name string, no int, raw bool) error {
	p, err := findPage(ctx, lib, name)
	if err != nil {
		return err
	}
	list, err := lib.Revisions(ctx, p.Key)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return &failure{ExitError, fmt.Errorf("no revision of %s is kept yet", p.Title), "diurna fetch " + p.Key.String() + " fetches it"}
	}
	for i := range list {
		if no == 0 && !list[len(list)-1-i].Child {
			no = list[len(list)-1-i].No
		}
	}
	body, contentType, err := lib.RevisionRaw(ctx, p.Key, no)
	if err != nil {
		return &failure{codeOf(err), err, "kept are " + revisionRange(list)}
	}
	if raw {
		_, err := s.out.Write(body)
		return err
	}
	text, charset := page.Decode(body, contentType)
	var of reader.Revision
	for _, rev := range list {
		if rev.No == no {
			of = rev
		}
	}
	if s.json {
		return s.printJSON(revisionJSON{p.Key.String(), of.No, of.At, plain.Redact(of.Address), of.Bytes, charset, contentType, of.Told, of.Score, plain.HTML(string(text), 0)})
	}
	a := reader.Article{Item: reader.Item{Title: fmt.Sprintf("%s, revision %d", p.Title, no), Feed: p.Title, Link: plain.Redact(of.Address), Published: of.At, FirstSeen: of.At},
		HTML: string(text), Base: of.Address}
	whole, err := page.Compare(nil, text, page.Options{}) // counted as watch counts them
	if err != nil {
		return err
	}
	a.Words = whole.Words.Added
	s.printArticle(&a)
	return nil
}

type revisionJSON struct {
	Page    string    `json:"page"`
	No      int       `json:"revision"`
	At      time.Time `json:"at"`
	Address string    `json:"address"`
	Bytes   int       `json:"bytes"`
	Charset string    `json:"charset"`
	Type    string    `json:"content_type"`
	Told    bool      `json:"told"`
	Score   float64   `json:"score"`
	HTML    string    `json:"content_html"`
}

func revisionRange(list []reader.Revision) string {
	if len(list) == 0 {
		return "none"
	}
	return fmt.Sprintf("%s from %d to %d", wording.Plural(len(list), "revision"), list[0].No, list[len(list)-1].No)
}

// printWhyPage says how a page is watched, what its last change was made of, and
// what might be better.
func (s *session) printWhyPage(ctx context.Context, lib *reader.Reader, id reader.FeedID) error {
	p, err := lib.FindPage(ctx, id.String())
	if err != nil {
		return err
	}
	put := func(label, format string, args ...any) {
		fmt.Fprintf(s.out, "%-13s %s\n", label, plain.Line(fmt.Sprintf(format, args...), 0))
	}
	put("watched", "%s", strings.Join(howWatched(&p), "; "))
	c, err := lib.Change(ctx, id, 0, 0)
	switch {
	case errors.Is(err, reader.ErrNotFound):
		put("last change", "none was reported yet")
	case err != nil:
		return err
	default:
		put("last change", "%s, revision %d, score %.1f, %s", when(c.To.At, time.Now()), c.To.No, c.Diff.Score, c.Diff.Class)
		for _, t := range c.Diff.Terms {
			put("", "%-10s %5d  weight %.2f  %5.2f points", t.Category, t.Count, t.Weight, t.Points)
		}
	}
	if say := p.Untold(); say != "" {
		put("not reported", "%s, %s", when(p.Compared, time.Now()), say)
	}
	seen, err := lib.LastChanges(ctx, id)
	if err != nil {
		return err
	}
	for _, c := range seen {
		put(string(c.Attention), "%s, score %.1f, %s: %s", when(c.At, time.Now()), c.Score, c.Class, c.Rule)
		for _, pl := range c.Places {
			put("", "%.1f %s (%s)", pl.Score, plain.Line(pl.Text, 60), pl.Rule)
		}
		if c.More > 0 {
			put("", "%s more", wording.Plural(c.More, "place"))
		}
	}
	list, err := lib.Suggestions(ctx)
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
	}{{"select", p.Select}, {"ignore", p.Ignore}, {"keywords", p.Keywords}, {"has", p.Has}, {"not", p.Not}, {"ignored blocks", p.IgnoreBlocks}} {
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
	case page.RaiseInterval:
		return fmt.Sprintf("fetch it every %s instead of %s: diurna watch %s --every %s", a.To, a.From, a.Page, a.To)
	case page.RaiseThreshold:
		return fmt.Sprintf("tell above %s instead of %s: diurna watch %s --threshold %s", a.To, a.From, a.Page, a.To)
	case page.IgnoreBlock:
		return fmt.Sprintf("ignore the block %q (i in its diff on the screen, or diurna watch %s --ignore N)", a.Rule, a.Page)
	}
	return "this page always changes; watch a part of it: diurna watch " + a.Page.String() + " --select CSS"
}
