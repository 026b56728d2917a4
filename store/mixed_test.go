//go:build unix

package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// mixer is a process that does everything a library is for, in a random order
// and for ever, and prints a line for each thing that was acknowledged. Each
// thing has a word of its own (tag), by which the ledger finds it again.
type mixer struct {
	s     *Store
	r     *rand.Rand
	name  string // of the part it plays: its own feeds
	aside string // a folder that no power cut touches
	part  part
	out   io.Writer
	seq   int
	feeds []FeedID
	items []ItemID
	tag   string
}

// part is what a mixer does.
type part int

const (
	everything part = iota
	onlyActs        // neither compact nor restore nor what lies beside the library
	onlyCompact
)

func init() {
	children["mixer"] = func() error {
		s, err := childStore()
		if err != nil {
			return err
		}
		m := &mixer{s: s, name: os.Getenv("DIURNA_STORE_NAME"), aside: os.Getenv("DIURNA_STORE_ASIDE"), out: os.Stdout,
			r: rand.New(rand.NewPCG(uint64(os.Getpid()), uint64(len(os.Args))))}
		n, _ := strconv.Atoi(os.Getenv("DIURNA_STORE_PART"))
		m.part = part(n)
		for ; ; m.seq++ {
			m.tag = fmt.Sprintf("%s.%d.%d", m.name, os.Getpid(), m.seq)
			if err := m.one(tbackground); err != nil && !passing(err) {
				return err
			}
		}
	}
}

// passing are the errors that another process's acts explain: a restore takes
// back what a mixer has just done, and an act what could be redone.
func passing(err error) bool {
	for _, e := range []error{ErrNone, ErrUnknown, ErrStale, ErrTaken, ErrDepends, ErrNothing} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

func (m *mixer) say(kind string, a ...any) {
	fmt.Fprintln(m.out, strings.TrimSuffix(fmt.Sprintln(append([]any{kind, m.tag}, a...)...), "\n"))
}

func (m *mixer) one(ctx context.Context) error {
	if m.part == onlyCompact {
		return m.compact(ctx)
	}
	if len(m.feeds) == 0 {
		return m.subscribe(ctx)
	}
	if len(m.items) == 0 {
		return m.file(ctx)
	}
	n := m.r.IntN(200)
	if m.part == onlyActs {
		n = m.r.IntN(175)
	}
	switch {
	case n < 50:
		return m.file(ctx)
	case n < 130:
		return m.act(ctx)
	case n < 150:
		return m.turn(ctx)
	case n < 165:
		return m.note(ctx)
	case n < 170:
		return m.remove(ctx)
	case n < 175:
		return m.subscribe(ctx)
	case n < 178:
		return m.s.Cache().Put(ctx, "terms", map[string][]byte{m.name: []byte(prose(m.r, 4000))})
	case n < 182:
		return m.fetch()
	case n < 188:
		return m.backup(ctx)
	case n < 192:
		return m.compact(ctx)
	case n < 196:
		return m.restore(ctx)
	default:
		_, err := m.s.Rows(ctx, RowQuery{Which: All})
		return err
	}
}

// compact may find that another mixer compacts too, or restores a backup.
func (m *mixer) compact(ctx context.Context) error {
	_, _, err := m.s.Compact(ctx)
	if errors.Is(err, ErrBusy) || errors.Is(err, ErrReplaced) {
		return nil
	}
	if err == nil {
		m.say("compacted")
	}
	return err
}

// subscribe imports two feeds, and now and then ends one and takes it up again.
func (m *mixer) subscribe(ctx context.Context) error {
	subs := make([]Change, 2)
	for i := range subs {
		subs[i] = Change{Kind: Subscribed, Sub: &Subscription{URL: fmt.Sprintf("https://%s.example/%d", m.name, m.r.IntN(5)), Folder: words[m.r.IntN(5)]}}
	}
	if len(m.feeds) > 0 && m.r.IntN(2) == 0 {
		return m.step(ctx, Change{Kind: Unsubscribed, Feed: m.feeds[m.r.IntN(len(m.feeds))]})
	}
	d, err := m.s.Act(ctx, day, m.tag, subs...)
	if err != nil {
		return err
	}
	for _, f := range d.Feeds {
		if !slices.Contains(m.feeds, f) {
			m.feeds = append(m.feeds, f)
		}
	}
	if d.Step != 0 {
		m.say("step", d.Step, int(Subscribed))
	}
	return nil
}

func (m *mixer) step(ctx context.Context, c Change) error {
	d, err := m.s.Act(ctx, day, m.tag, c)
	if err == nil && d.Step != 0 {
		m.say("step", d.Step, int(c.Kind))
	}
	return err
}

// file takes in two items for each of its feeds in one transaction, now and then
// an edit and a new key of an older one, and for a watched page its revision.
func (m *mixer) file(ctx context.Context) error {
	heads, err := m.s.PageHeads(ctx)
	if err != nil {
		return err
	}
	var fs []Filing
	for _, f := range m.feeds {
		got, err := m.s.Match(ctx, f, nil)
		if err != nil {
			return err
		}
		title := m.tag + ":" + f.String()
		a := arrivals(m.r, 2, 300+m.r.IntN(4000), m.r.IntN(4) > 0)
		a[0].Title, a[1].Title = title, title
		g := Filing{Feed: f, Next: got.Next, New: a, Poll: &Poll{ETag: m.tag}, Outcome: &Outcome{Kind: AnswerNew, Status: 200}}
		if n := got.Next - 1; n > 0 && m.r.IntN(3) == 0 {
			e := arrivals(m.r, 1, 800, false)[0]
			old := 1 + m.r.Uint32N(n)
			e.Title = "edited"
			g.Edited = []EditedItem{{N: old, NewItem: e, MakeUnread: true, KeepRevision: true}}
			g.Rekey = []Rekey{{N: old, Keys: []uint64{m.r.Uint64()}}}
		}
		if f%3 == 0 {
			last := heads[f].Last
			g.Page = &PageFiling{After: last, Notes: map[uint64][]byte{1: []byte(title)}, Revisions: []PageRevision{{Base: last, At: day, Reported: true, Item: 1, Packed: []byte(title)}}}
		}
		fs = append(fs, g)
	}
	filed, err := m.s.File(ctx, day, fs)
	if err != nil {
		return err
	}
	for i, f := range filed {
		if f.Err != nil {
			m.feeds = slices.DeleteFunc(m.feeds, func(id FeedID) bool { return id == f.Feed })
			continue
		}
		m.items = append(m.items, f.Items...)
		fmt.Fprintln(m.out, "filed", fs[i].New[0].Title, len(f.Items))
		if fs[i].Page != nil {
			fmt.Fprintln(m.out, "paged", fs[i].New[0].Title)
		}
	}
	return nil
}

func (m *mixer) act(ctx context.Context) error {
	ids := make([]ItemID, 1+m.r.IntN(3))
	for i := range ids {
		ids[i] = m.items[len(m.items)-1-m.r.IntN(min(20, len(m.items)))]
	}
	kind := []Kind{MarkedRead, MarkedUnread, Saved, Unsaved, Tagged, Untagged, Adjusted}[m.r.IntN(7)]
	if kind == Adjusted {
		return m.step(ctx, Change{Kind: kind, Feed: m.feeds[m.r.IntN(len(m.feeds))], Field: "title", Value: m.tag})
	}
	return m.step(ctx, Change{Kind: kind, Items: ids, Value: words[m.r.IntN(3)]})
}

// turn undoes one of the newest steps, whoever did it, or does it again.
func (m *mixer) turn(ctx context.Context) error {
	if m.r.IntN(3) == 0 {
		st, err := m.s.Redo(ctx, day)
		if err == nil {
			m.say("turned", st.No, int(Redone), st.Scope)
		}
		return err
	}
	steps, err := m.s.Steps(ctx, 5)
	if err != nil || len(steps) == 0 {
		return err
	}
	st, err := m.s.Undo(ctx, day, steps[m.r.IntN(len(steps))].No, 0)
	if err == nil {
		m.say("turned", st.No, int(Undone), st.Scope)
	}
	return err
}

func (m *mixer) note(ctx context.Context) error {
	id := m.items[m.r.IntN(len(m.items))]
	err := m.s.Note(ctx, day, Fact{Kind: Opened, Items: []ItemID{id}}, Fact{Kind: Trained, New: m.tag})
	if err != nil {
		return err
	}
	m.say("taught")
	if err := m.s.SetMeta(ctx, m.name, []byte(strconv.Itoa(m.seq))); err != nil {
		return err
	}
	return nil
}

// remove takes rows or texts away, of which titles stay, and moves the rest into blocks.
func (m *mixer) remove(ctx context.Context) error {
	oldest := m.items[:min(12, len(m.items))]
	var ids []ItemID
	for _, id := range oldest {
		it, err := m.s.Item(ctx, id)
		if err != nil {
			return err
		}
		if it.Title != "edited" { // else the title by which the ledger knows it would go
			ids = append(ids, id)
		}
	}
	m.s.packAfter = 1
	if m.r.IntN(2) == 0 {
		_, err := m.s.Remove(ctx, day, TextRemoved, ids, lead10)
		return err
	}
	gone, err := m.s.Remove(ctx, day, RowRemoved, ids, lead10)
	m.items = m.items[len(oldest):]
	if m.part == everything {
		return err // another may have restored a backup meanwhile that still has them
	}
	for _, id := range gone {
		if it, err := m.s.Item(ctx, id); err != nil || it.Flags&FlagGone == 0 {
			return fmt.Errorf("%s was removed: flags %d, %w", id, it.Flags, err)
		}
	}
	return err
}

// fetch holds the right to fetch; a file says that nobody else has it meanwhile.
func (m *mixer) fetch() error {
	l, err := m.s.FetchLock("mixer")
	if errors.Is(err, ErrBusy) {
		return nil
	}
	if err != nil {
		return err
	}
	defer l.Release()
	mark := filepath.Join(m.aside, "fetching")
	if b, err := os.ReadFile(mark); err == nil {
		if pid, _ := strconv.Atoi(string(b)); pid != 0 && pid != os.Getpid() && syscall.Kill(pid, 0) == nil && !dying(pid) {
			return fmt.Errorf("%d and %d fetch at once", pid, os.Getpid())
		}
	}
	if err := os.WriteFile(mark, []byte(strconv.Itoa(os.Getpid())), 0o600); err != nil {
		return err
	}
	return os.Remove(mark)
}

// dying reports whether a process has ended or is about to: its locks are
// released some time before it is a zombie.
func dying(pid int) bool {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return true
	}
	_, after, _ := strings.Cut(string(b), ") ")
	words := strings.Fields(after)
	flags, err := strconv.Atoi(words[6])
	const exiting = 4 // PF_EXITING
	return err == nil && flags&exiting != 0 || strings.ContainsAny(words[0], "ZX")
}

func (m *mixer) backup(ctx context.Context) error {
	err := m.s.Backup(ctx, m.s.Path()+".backup-"+m.name)
	if err == nil {
		m.say("backup")
	}
	return err
}

// restore takes the library back to a backup. What was acknowledged since then
// is in the file that was set aside.
func (m *mixer) restore(ctx context.Context) error {
	_, err := m.s.Restore(ctx, day, m.s.Path()+".backup-"+m.name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
