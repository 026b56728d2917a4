// Package library holds the commands that look after the library itself: doctor,
// backup, restore, compact, stats.
package library

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/trends"
	"diurna/reader/wording"
	"diurna/ui/cells"
	"diurna/ui/cli/arguments"
	"diurna/ui/cli/exit"
	"diurna/ui/cli/session"
	"diurna/ui/cli/table"
)

// Library is what these commands need of the library's maintenance.
type Library interface {
	Backup(ctx context.Context, path string) error
	BackupPacked(ctx context.Context, path string) error
	CheckBackup(ctx context.Context, path string) error
	Thin(ctx context.Context, path, base string) error
	Compact(ctx context.Context) (before, after int64, err error)
	Descent(ctx context.Context, path string) (reader.Descent, error)
	Doctor(ctx context.Context, progress func(what string, done, of int)) (reader.Diagnosis, error)
	Exists() bool
	Lost(ctx context.Context, aside string) (reader.Lost, error)
	Quarantine(ctx context.Context) (aside string, err error)
	Restore(ctx context.Context, path string) (aside string, err error)
}

// Commands are those that look after the library.
type Commands struct{ *session.Session }

// New gives the commands of one run of the program.
func New(s *session.Session) *Commands { return &Commands{Session: s} }

// All are the commands.
func (s *Commands) All() []arguments.Command {
	return []arguments.Command{
		{Name: "stats", Build: s.statsCommand},
		{Name: "doctor", Build: s.doctorCommand},
		{Name: "backup", Build: s.backupCommand},
		{Name: "restore", Build: s.restoreCommand},
		{Name: "compact", Build: s.compactCommand},
	}
}

func (s *Commands) doctorCommand() *cobra.Command {
	var quiet, silent, terminal bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "check the library and say which feeds need attention",
		Long: `Every record is checked, and that what is marked, saved, tagged and counted is
what the log of your changes adds up to.`,
		Example:     "  diurna doctor\n  0 8 * * 1  diurna doctor -q      in a crontab: mails only what needs attention",
		Annotations: arguments.Exits("0 all is well · 1 not done · 2 wrong usage · 3 feeds in trouble, or a library or fetching that is hindered · 4 busy · 5 damaged or newer"),
		Args:        arguments.AtMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if terminal {
				t := s.terminalHere(c.Context())
				if s.JSON {
					return s.PrintJSON(t)
				}
				s.printTerminal(&t)
				return nil
			}
			return s.examine(c.Context(), quiet, silent)
		},
	}
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "print only what needs attention")
	c.Flags().BoolVar(&terminal, "terminal", false, "say what the terminal can do, and what would be better")
	c.Flags().BoolVar(&silent, "silent", false, "list the feeds without a post for 60 days")
	return c
}

// examine checks the library and prints what was found: everything, or of it
// what needs attention, or the silent feeds.
func (s *Commands) examine(ctx context.Context, quiet, silent bool) error {
	r, err := s.Library("doctor")
	if err != nil {
		return err
	}
	lib := r.Maintenance()
	lib.Exact = !s.Terminal()
	p := s.Progress("checking")
	d, err := lib.Doctor(ctx, func(_ string, done, total int) { p.Show(done, total) })
	p.End()
	if err != nil {
		return err
	}
	if what, do := Missing(ctx, lib, s.Places().Library, s.Clock()); what != "" && d.Library != "" {
		d.Problems = append(d.Problems, reader.Problem{Place: "library", What: what, Do: do})
	}
	if !d.Damaged() {
		s.missesBackup(ctx, lib, &d)
		// Both lie in the cache: where that cannot be read, doctor says so above.
		d.Texts, _ = r.FullTexts().Today(ctx)
		failures, _ := r.Rules().Failures(ctx)
		for _, f := range failures {
			d.Problems = append(d.Problems, ruleProblem(&f, s.Clock()))
		}
	}
	var spare spareFeeds
	if !d.Damaged() && !quiet && !silent {
		if spare, err = spareOf(ctx, r, s.Clock().Now); err != nil {
			return err
		}
	}
	switch {
	case s.JSON:
		err = s.PrintJSON(diagnosisJSON{&d, &spare})
	case silent:
		err = session.Print(s.Session, table.Feeds, d.Silent)
	default:
		s.printDiagnosis(ctx, &d, &spare, quiet, lastFetch(ctx, r))
		if s.Terminal() && !quiet {
			s.sumTerminal(ctx)
		}
	}
	switch {
	case err != nil:
		return err
	case d.Damaged():
		return exit.Reported(exit.Damaged)
	case len(d.Trouble)+len(d.Problems) > 0 && !silent:
		return exit.Reported(exit.Partly)
	}
	return nil
}

// spareFeeds are feeds that a reader may do without: nothing is wrong with them.
type spareFeeds struct {
	unopened  []reader.Feed
	redundant []trends.Redundant
}

// Of a feed that is said never to be opened so many items came in 28 days, for so long.
const (
	unopenedItems = 10
	unopenedAfter = 28 * 24 * time.Hour
)

// spareOf finds the feeds that were never opened and those that another one makes redundant.
func spareOf(ctx context.Context, lib *reader.Reader, now time.Time) (out spareFeeds, err error) {
	st, err := lib.Stats().Stats(ctx, now)
	if err != nil {
		return out, err
	}
	out.unopened = unopened(st.PerFeed, now)
	keeper := reader.Stories(lib)
	keeper.Keep(ctx)
	groups, _ := keeper.Groups(ctx) // who reads can do without
	out.redundant, err = reader.Trends(lib).Redundant(ctx, groups)
	return out, err
}

func unopened(list []reader.FeedStats, now time.Time) (out []reader.Feed) {
	for i := range list {
		f := &list[i]
		if f.Opened == 0 && f.Attention.Offered >= unopenedItems && now.Sub(f.Feed.Subscribed) > unopenedAfter && !f.Feed.SavesPages() {
			out = append(out, f.Feed)
		}
	}
	return out
}

// someNames names a few feeds, and how many more there are.
func someNames(feeds []reader.Feed) string {
	const most = 3
	var names []string
	for i := range feeds[:min(len(feeds), most)] {
		names = append(names, feeds[i].Title)
	}
	if n := len(feeds) - most; n > 0 {
		return strings.Join(names, ", ") + " and " + wording.Count(n) + " more"
	}
	return strings.Join(names, ", ")
}

// ruleProblem is a rule of config.toml whose command failed the last time.
func ruleProblem(f *reader.RuleFailure, c wording.Clock) reader.Problem {
	times := ""
	if f.Times > 1 {
		times = " (" + wording.Plural(f.Times, "time") + ")"
	}
	return reader.Problem{Place: "rules", What: fmt.Sprintf("the command %s of the rule %q has failed since %s%s: %s", plain.Argument(f.Rule.Run[0]), plain.Line(f.Rule.Query, 80), c.When(f.Since), times, f.Why),
		Do: "diurna show --json ITEM | " + plain.Argument(f.Rule.Run[0]) + "    tries it; the command is not run again for items that came meanwhile"}
}

// missesBackup notes that the newest backup is damaged, or that the day's is not made
// because something that is none has its name.
func (s *Commands) missesBackup(ctx context.Context, lib Library, d *reader.Diagnosis) {
	c := s.Clock()
	path, own := wanted(ctx, lib, s.Places().Library, c.Now)
	if len(own) > 0 {
		newest := own[len(own)-1].path
		if err := lib.CheckBackup(ctx, newest); errors.Is(err, reader.ErrDamaged) {
			d.Problems = append(d.Problems, reader.Problem{Place: "backup", What: "damaged: " + filepath.Base(newest) + "; older ones may need it",
				Do: reader.Aside(newest, "the next fetch creates another")})
		}
	}
	if path == "" {
		return
	}
	var taken *InTheWay
	if _, err := nameFree(ctx, lib, path); !errors.As(err, &taken) {
		return
	}
	since := "none yet"
	if len(own) > 0 {
		since = "none since " + dayOf(own[len(own)-1].path, c)
	}
	d.Problems = append(d.Problems, reader.Problem{Place: "backup", What: fmt.Sprintf("%s: %s is %s", since, filepath.Base(path), taken.what),
		Do: reader.Aside(path, "the next fetch creates the day's backup")})
}

func (s *Commands) printDiagnosis(ctx context.Context, d *reader.Diagnosis, spare *spareFeeds, quiet bool, last time.Time) {
	put := func(label, format string, args ...any) {
		fmt.Fprintf(s.Out, "%-11s %s\n", label, plain.Line(fmt.Sprintf(format, args...), 0))
	}
	s.printLibrary(ctx, d, quiet, put)
	if d.Clock != "" && !quiet {
		put("clock", "%s", d.Clock)
	}
	for _, h := range d.Problems {
		put(h.Place, "%s", h.What)
		s.printDo(h.Do)
	}
	if !quiet {
		c := s.Clock()
		switch {
		case hindered(d, "fetching"):
		case d.Fetcher != "":
			put("fetching", "good: %s; last fetch %s", d.Fetcher, cmp.Or(c.When(last), "-"))
		case last.IsZero():
			put("fetching", "nothing was fetched yet")
		default:
			put("fetching", "nothing fetches now; last fetch %s", cmp.Or(c.When(last), "-"))
		}
		if d.Texts > 0 {
			put("texts", "%s today for whole texts; the day's budget is for checking for new items", wording.Plural(d.Texts, "request"))
		}
		if d.Bytes > 0 {
			put("disk", "%s used, %s free", wording.Size(d.Bytes), wording.Size(d.Free))
		}
	}
	if len(d.Trouble) > 0 {
		put("trouble", "%s of %s", wording.Count(len(d.Trouble)), subscriptions(d))
		s.printTrouble(d.Trouble)
	} else if !quiet {
		put("trouble", "none of %s", subscriptions(d))
	}
	if quiet {
		return
	}
	for _, l := range d.Lost {
		put("lost", "%s", l)
	}
	if len(d.Silent) > 0 {
		put("silent", "%s without a post for 60 days: %s (diurna doctor --silent)", wording.Plural(len(d.Silent), "feed"), someNames(d.Silent))
	}
	if n := len(spare.unopened); n > 0 {
		put("unopened", "%s with %d items or more in 28 days never opened: %s (diurna stats --feeds)", wording.Plural(n, "feed"), unopenedItems, someNames(spare.unopened))
	}
	for _, f := range spare.redundant {
		put("redundant", "%s: %d %% of its items are also in %s (diurna why %s)", f.Feed.Title, int(100*f.In.Share+.5), f.In.Title, f.Feed.Key)
	}
}

// printLibrary is the report's part about the library itself.
func (s *Commands) printLibrary(ctx context.Context, d *reader.Diagnosis, quiet bool, put func(label, format string, args ...any)) {
	switch {
	case d.Damaged():
		put("library", "damaged: %s in %s checked", wording.Plural(len(d.Findings), "finding"), wording.Plural(d.Items, "item"))
		for _, f := range d.Findings {
			fmt.Fprintf(s.Out, "  %s\n", strings.TrimLeft(plain.Line(f, 0), ": "))
		}
		put("readable", "%s", readable(&d.Left))
		if list := s.backups(ctx); len(list) > 0 {
			fmt.Fprintf(s.Out, "         do: diurna restore    (the backup of %s)\n", dayOf(list[len(list)-1].path, s.Clock()))
		} else {
			if d.Left.Feeds > 0 {
				fmt.Fprintf(s.Out, "         do: diurna export > feeds.opml    (the feeds that can be read)\n")
			}
			fmt.Fprintf(s.Out, "         do: diurna restore FILE, if there is a copy elsewhere; keep this one\n")
		}
	case quiet:
	case d.Library != "" && len(d.Problems) == 0:
		put("library", "%s", d.Library)
	case d.Library == "":
		state := "good"
		if hindered(d, "library") {
			state = "whole"
		}
		put("library", "%s: %s checked in %s s%s", state, wording.Plural(d.Items, "item"), wording.Tenth(d.Took.Seconds()), s.lastBackup(ctx))
	}
}

// hindered reports whether what keeps the library from being of use stands in
// that line of the report.
func hindered(d *reader.Diagnosis, place string) bool {
	for _, h := range d.Problems {
		if h.Place == place {
			return true
		}
	}
	return false
}

// subscriptions is "287 feeds and 12 pages", or those there are of the two.
func subscriptions(d *reader.Diagnosis) string {
	switch {
	case d.Pages == 0:
		return wording.Plural(d.Feeds, "feed")
	case d.Feeds == 0:
		return wording.Plural(d.Pages, "page")
	}
	return wording.Plural(d.Feeds, "feed") + " and " + wording.Plural(d.Pages, "page")
}

// lastBackup is "; last backup yesterday", "" when there is none.
func (s *Commands) lastBackup(ctx context.Context) string {
	own, others := split(s.backups(ctx))
	say := ""
	if len(own) > 0 {
		say = "; last backup " + dayOf(own[len(own)-1].path, s.Clock())
	}
	if others > 0 {
		say += "; " + wording.Plural(others, "backup") + " of another library"
	}
	return say
}

// sumTerminal is doctor's one line about the terminal.
func (s *Commands) sumTerminal(ctx context.Context) {
	t := s.terminalHere(ctx)
	state := "good"
	if n := t.hints(); n > 0 {
		state += ", " + wording.Plural(n, "hint") + " (diurna doctor --terminal)"
	}
	fmt.Fprintf(s.Out, "%-11s %s\n", "terminal", state)
}

func (s *Commands) printTrouble(list []reader.Trouble) {
	wide := 0
	for i := range list {
		wide = max(wide, cells.Width(plain.Line(list[i].Feed.Title, 0)))
	}
	if s.Terminal() {
		wide = min(wide, 24)
	}
	for _, t := range list {
		fmt.Fprintf(s.Out, "  %s  %s  %s\n", t.Feed.Key, cells.Fit(plain.Line(t.Feed.Title, 0), wide), plain.Line(t.What, 0))
		if t.Do != "" {
			s.printDo(t.Do)
		}
	}
}

// printDo prints an advice, which may carry a remark behind a gap: the gap is kept.
func (s *Commands) printDo(do string) {
	do, remark, ok := strings.Cut(do, "    ")
	if ok {
		remark = "    " + plain.Line(remark, 0)
	}
	fmt.Fprintf(s.Out, "         do: %s%s\n", plain.Line(do, 0), remark)
}

// lastFetch is when the most recently fetched feed was fetched.
func lastFetch(ctx context.Context, lib *reader.Reader) time.Time {
	feeds, err := lib.Feeds(ctx)
	if err != nil {
		return time.Time{} // doctor has said what is wrong with the library
	}
	var last time.Time
	for i := range feeds {
		if feeds[i].LastFetch.After(last) {
			last = feeds[i].LastFetch
		}
	}
	return last
}

// diagnosisJSON is doctor's report for scripts.
type diagnosisJSON struct {
	d     *reader.Diagnosis
	spare *spareFeeds
}

func (j diagnosisJSON) MarshalJSON() ([]byte, error) {
	type trouble struct {
		Feed reader.Feed `json:"feed"`
		What string      `json:"what"`
		Do   string      `json:"do"`
	}
	d := j.d
	list := make([]trouble, 0, len(d.Trouble))
	for _, t := range d.Trouble {
		list = append(list, trouble{t.Feed, plain.Line(t.What, 0), plain.Line(t.Do, 0)})
	}
	feeds := func(list []reader.Feed) []reader.Feed { return append([]reader.Feed{}, list...) }
	type redundant struct {
		Feed  reader.Feed `json:"feed"`
		In    string      `json:"also_in"`
		Share float64     `json:"share"`
	}
	again := []redundant{}
	for _, f := range j.spare.redundant {
		again = append(again, redundant{f.Feed, f.In.Feed.String(), f.In.Share})
	}
	hindered := make([]string, 0, len(d.Problems))
	for _, h := range d.Problems {
		hindered = append(hindered, plain.Line(h.Place+": "+h.What+"; do: "+h.Do, 0))
	}
	var fetcher *string
	if d.Fetcher != "" {
		f := plain.Line(d.Fetcher, 0)
		fetcher = &f
	}
	return json.Marshal(struct {
		Good     bool          `json:"good"`
		Findings []string      `json:"findings"`
		Items    int           `json:"items"`
		Feeds    int           `json:"feeds"`
		Seconds  float64       `json:"seconds"`
		Bytes    int64         `json:"bytes"`
		Free     int64         `json:"free"`
		Fetcher  *string       `json:"fetcher"`
		Trouble  []trouble     `json:"trouble"`
		Silent   []reader.Feed `json:"silent"`
		Unopened []reader.Feed `json:"never_opened"`
		Again    []redundant   `json:"redundant"`
		Readable *readableJSON `json:"readable,omitempty"`
		Lost     []string      `json:"lost"`
		Clock    string        `json:"clock,omitempty"`
		Hindered []string      `json:"hindered"`
		Texts    int           `json:"text_requests"`
	}{!d.Damaged() && len(d.Problems) == 0, plain.Lines(d.Findings), d.Items, d.Feeds, d.Took.Seconds(), d.Bytes, d.Free, fetcher, list, feeds(d.Silent), feeds(j.spare.unopened), again, readableOf(d), plain.Lines(d.Lost), plain.Line(d.Clock, 0), hindered, d.Texts})
}
