package pages

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"diurna/reader"
	"diurna/reader/page"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/ui/cli/arguments"
	"diurna/ui/cli/exit"
	"diurna/ui/cli/table"
)

// What a comparison of two files should take: so much, and so many times the
// files; and how much of that is made ready, for files of up to so many bytes.
const (
	diffBase  = 20 << 20
	diffShare = 8
	diffRoom  = 4
	roomUpTo  = 16 << 20
)

// maxPage is how many bytes of a page in a file are compared.
const maxPage = 512 << 20

// diffFlags are the flags of diff.
type diffFlags struct {
	from, to, back, context int
	unified, word           bool
	numbered                bool // with the numbers that watch --ignore takes
	engine                  string
	types                   []string // of two files
}

func (s *Commands) diffCommand() *cobra.Command {
	var o diffFlags
	c := &cobra.Command{
		Use:   "diff PAGE|ITEM|A.html B.html",
		Short: "show what changed: on a watched page, in an edited item, between two files",
		Long: `PAGE is a watched page, as list --pages prints it: its last change, or the one
between the revisions --from and --to. The last one has the numbers behind its
changes that diurna watch PAGE --ignore takes. ITEM is an item of a feed that its
publisher edited, or a change of a page. Two files are compared as they are,
without any history. Deleted words stand in [-...-], added ones in {+...+}.
--json prints {"score","significant","terms","class","words","ops"}; the ranges
of its ops are bytes of the two pages as they were served, and put together they
are the two pages.`,
		Example:     "  diurna diff pier\n  diurna diff pier --from 3 --to 9 --json\n  diurna diff old.html new.html --unified",
		Annotations: arguments.Exits("0 done · 1 nothing to compare, or not readable · 2 wrong usage · 4 busy · 5 damaged or newer"),
		Args:        diffArgs,

		ValidArgsFunction: s.CompletePages,
		RunE: func(c *cobra.Command, args []string) error {
			if err := arguments.WholeFlags(c, "from", "to", "back", "context"); err != nil {
				return err
			}
			if o.engine != "" && o.engine != string(page.Loctags) {
				return exit.Usage("without --engine the pages are aligned by their blocks", "there is no engine %q; try loctags", o.engine)
			}
			if len(args) == 2 {
				return s.diffFiles(args[0], args[1], &o)
			}
			lib, err := s.Library("diff")
			if err != nil {
				return err
			}
			return s.diffKept(c.Context(), lib, args[0], &o)
		},
	}
	f := c.Flags()
	f.IntVar(&o.from, "from", 0, "compare from revision `N`; 0: the one before --to")
	f.IntVar(&o.to, "to", 0, "compare to revision `N`; 0: the last reported change")
	f.IntVar(&o.back, "back", 0, "of an item, the edit `N` before the last one")
	f.BoolVar(&o.unified, "unified", false, "print a changed block before and after, on a line each")
	f.BoolVar(&o.word, "word", false, "print a changed block once, with [-old-] {+new+} in it; the default without --unified")
	f.IntVar(&o.context, "context", 1, "print `N` unchanged blocks around a change")
	f.StringVar(&o.engine, "engine", "", "align two files with `NAME`: loctags is the paper's own way, a baseline")
	f.StringSliceVar(&o.types, "content-type", nil, "treat the files as served with Content-Type `TYPE`; of two, the second is the second's")
	return c
}

func diffArgs(_ *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return exit.Usage("diurna diff --help has an example", "diurna diff needs a page, an item, or two files")
	case len(args) > 2:
		return exit.Usage("diurna diff A.html B.html", "diurna diff compares two files, not %d", len(args))
	}
	return nil
}

// diffFiles compares two files through the engine that watches pages, without
// history, and without opening the library.
func (s *Commands) diffFiles(a, b string, o *diffFlags) error {
	if o.from != 0 || o.to != 0 || o.back != 0 {
		return exit.Usage("diurna diff PAGE --from 3 --to 9", "two files have no revisions")
	}
	if a == "-" && b == "-" {
		return exit.Usage("diurna diff A.html - < B.html", "only one of two files can be stdin")
	}
	var size [2]int // 0 for stdin's
	for i, name := range []string{a, b} {
		if st, err := os.Stat(name); err == nil && name != "-" {
			size[i] = int(min(st.Size(), maxPage)) + bytes.MinRead
		}
	}
	var room []byte
	if !s.Env.Inside { // there the process goes on
		room = prepare(size[0] + size[1])
	}
	var side [2]page.Served
	for i, name := range []string{a, b} {
		n := min(size[i], len(room))
		body, err := s.ReadFile(name, maxPage, room[:n:n])
		if err != nil {
			return noFile(err)
		}
		room, side[i].Body = room[n:], body
		if len(o.types) > 0 {
			side[i].ContentType = o.types[min(i, len(o.types)-1)]
		}
	}
	if !s.Env.Inside {
		limitMemory(len(side[0].Body) + len(side[1].Body)) // of stdin it was not known
	}
	d, err := page.CompareServed(side[0], side[1], page.Options{Engine: page.Engine(o.engine), NoRules: true, OnlyText: !s.JSON, Room: room})
	if err != nil {
		return err
	}
	if s.JSON {
		return s.printDiffJSON(&d, struct{}{})
	}
	s.printDiff(&d, o)
	return nil
}

// prepare makes ready a process that compares two files of so many bytes and does
// nothing after that. It returns zeroed memory for the files and what is read out of
// them.
//
// The heap of such a process need not be collected at all below a limit that an
// honest page never comes near. Collected there, a hostile one takes about as much
// memory. Then a seventh of the time goes into the first touch of every page of the
// heap, which large pages save.
func prepare(files int) []byte {
	debug.SetGCPercent(-1)
	limitMemory(files)
	room := make([]byte, diffRoom*min(files, roomUpTo)+largePage)
	return room[largePages(room):]
}

func limitMemory(files int) { debug.SetMemoryLimit(diffBase + diffShare*int64(files)) }

// noFile says what may have been meant where a file is not there.
func noFile(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return exit.With(exit.Error, err, "diurna diff PAGE compares the revisions of a watched page; diurna list --pages names them")
	}
	return err
}

// diffKept compares what the library keeps of a page or an item.
func (s *Commands) diffKept(ctx context.Context, lib Library, name string, o *diffFlags) error {
	if o.engine != "" {
		return exit.Usage("diurna diff A.html B.html --engine loctags", "--engine is for two files")
	}
	if id, ok := reader.ParseItemID(name); ok && strings.Contains(name, "-") {
		if o.from != 0 || o.to != 0 {
			return exit.Usage("diurna diff "+name+" --back 1; diurna diff PAGE --from 3 --to 9", "--from and --to are of a page's revisions, and %s is an item", name)
		}
		c, err := lib.Pages().ChangeOf(ctx, id)
		if err == nil {
			return s.printChange(&c, o)
		}
		if !errors.Is(err, reader.ErrNotWatched) {
			return err
		}
		e, err := lib.ItemChange(ctx, id, o.back)
		if err != nil {
			return err
		}
		return s.printEdit(&e, o)
	}
	if o.back != 0 {
		return exit.Usage("diurna diff PAGE --from 3 --to 9", "--back is of an item, and %s is none", name)
	}
	p, err := findPage(ctx, lib, name)
	if err != nil {
		if _, missing := os.Stat(name); missing == nil {
			return exit.Usage("diurna diff "+name+" OTHER.html", "%s is a file, and a file is compared with another", name)
		}
		return err
	}
	c, err := lib.Pages().Change(ctx, p.Key, o.from, o.to)
	if errors.Is(err, reader.ErrNotFound) {
		if list, e := lib.Pages().Revisions(ctx, p.Key); e == nil {
			return exit.With(exit.CodeOf(err), err, "kept are "+revisionRange(list))
		}
	}
	if err != nil {
		return err
	}
	o.numbered = o.from == 0 && o.to == 0
	if err := s.printChange(&c, o); err != nil || s.JSON {
		return err
	}
	if o.numbered && s.Terminal() {
		s.Talk("diurna watch %s --ignore N ignores the place of change #N for good.", p.Key)
	}
	return nil
}

func (s *Commands) printChange(c *reader.Change, o *diffFlags) error {
	if s.JSON {
		return s.printDiffJSON(&c.Diff, struct {
			Page    string         `json:"page"`
			Title   string         `json:"title"`
			Address string         `json:"address"`
			From    int            `json:"from"`
			To      int            `json:"to"`
			FromAt  wording.Moment `json:"from_at"`
			ToAt    wording.Moment `json:"to_at"`
			Why     string         `json:"why"`
		}{c.Page.Key.String(), plain.Line(c.Page.Title, 0), plain.Line(plain.Redact(c.To.Address), 0), c.From.No, c.To.No, wording.Moment{Time: c.From.At}, wording.Moment{Time: c.To.At}, plain.Line(c.Diff.Why(), 0)})
	}
	fmt.Fprintf(s.Out, "%s  revisions %d and %d of %d · %s -> %s\n", plain.Line(c.Page.Title, 0), c.From.No, c.To.No, c.Of, s.moment(c.From.At), s.moment(c.To.At))
	if c.To.Child {
		fmt.Fprintln(s.Out, plain.Line(plain.Redact(c.To.Address), 0))
	}
	s.printDiff(&c.Diff, o)
	return nil
}

func (s *Commands) printEdit(e *reader.ItemEdit, o *diffFlags) error {
	if s.JSON {
		return s.printDiffJSON(&e.Diff, struct {
			Item  string         `json:"item"`
			Title string         `json:"title"`
			Was   string         `json:"was"`
			Edit  int            `json:"edit"`
			Of    int            `json:"of"`
			At    wording.Moment `json:"at"`
			Minor bool           `json:"minor"`
			Why   string         `json:"why"`
		}{e.Item.Key.String(), plain.Line(e.Item.Title, 0), plain.Line(e.Old, 0), e.No, e.Of, wording.Moment{Time: e.At}, e.Minor, plain.Line(e.Diff.Why(), 0)})
	}
	fmt.Fprintf(s.Out, "%s  edit %d of %d · fetched %s%s\n", plain.Line(table.TitleOf(e.Item), 0), e.No, e.Of, s.moment(e.At), minorWord(e.Minor))
	s.printDiff(&e.Diff, o)
	return nil
}

func minorWord(minor bool) string {
	if minor {
		return " · too little to be unread again"
	}
	return ""
}

// printDiffJSON prints the object of every diff with what it is of at its end.
func (s *Commands) printDiffJSON(d *page.Diff, of any) error {
	more, err := json.Marshal(of)
	if err != nil {
		return err
	}
	if err := d.WriteJSON(s.Out.Write, more); err != nil {
		return err
	}
	return s.Out.WriteByte('\n')
}

// printDiff prints what changed as text: the score with what it is made of,
// the counts, then the blocks under their headings.
func (s *Commands) printDiff(d *page.Diff, o *diffFlags) {
	line := fmt.Sprintf("score %.1f", d.Score)
	if why := d.Why(); why != "" {
		line += ": " + why
	}
	fmt.Fprintln(s.Out, plain.Line(line, 0))
	b := &d.Blocks
	facts := []string{wording.Plural(b.Changed, "block") + " changed"}
	if b.Moved > 0 {
		facts = append(facts, fmt.Sprintf("%s moved", wording.Count(b.Moved)))
	}
	facts = append(facts, wording.Plural(d.Words.Added, "word")+" added", fmt.Sprintf("%s removed", wording.Count(d.Words.Deleted)),
		wording.Plural(b.Same, "block")+" unchanged")
	if b.Ignored > 0 {
		facts = append(facts, fmt.Sprintf("%s ignored", wording.Count(b.Ignored)))
	}
	fmt.Fprintln(s.Out, strings.Join(facts, " · "))
	text := d.Unified
	if o.numbered {
		text = d.Numbered
	}
	for _, l := range strings.SplitAfter(text(max(o.context, 0), o.word || !o.unified), "\n") {
		if l != "" {
			fmt.Fprintln(s.Out, strings.TrimRight(plain.Text(l, 0), "\n"))
		}
	}
	for _, r := range d.Retargets {
		fmt.Fprintln(s.Out, plain.Line(fmt.Sprintf("~ link %q: %s -> %s", r.Text, r.Old, r.New), 0))
	}
}

// moment is a time as a heading has it: "Tue 17 Nov 08:10".
func (s *Commands) moment(t time.Time) string {
	c := s.Clock()
	if t.In(c.Now.Location()).Year() != c.Now.Year() {
		return cmp.Or(c.Layout(t, "2 Jan 2006 15:04"), "-")
	}
	return c.Layout(t, "Mon 2 Jan 15:04")
}
