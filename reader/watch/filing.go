package watch

import (
	"cmp"
	"context"
	"fmt"
	"html"
	"slices"
	"strings"

	"diurna/reader/model"
	"diurna/reader/page"
	"diurna/reader/plain"
	"diurna/reader/poll"
	"diurna/reader/wording"
	"diurna/store"
)

// File turns the answers of a visit into what the store keeps, and works out the
// page's next poll. With again the library changed meanwhile and all is weighed
// again; reweighed says that it was, so that Answer may be another one.
func (ps *Pages) File(ctx context.Context, f *store.Filing, g *Visit, again bool) (next store.Poll, reweighed bool, err error) {
	// Read first: what is filed from here on makes this filing stale.
	heads, err := ps.store.PageHeads(ctx)
	if err != nil {
		return store.Poll{}, false, fmt.Errorf("count the revisions: %w", err)
	}
	if !again {
		if again, err = ps.overtaken(ctx, g); err != nil {
			return store.Poll{}, false, err
		}
	}
	if again {
		if err := ps.weighAgain(ctx, g); err != nil {
			return store.Poll{}, false, err
		}
	}
	// What is served at a new address is this page if a fifth of it is.
	if b := &g.targets[0].diff.Blocks; 5*b.Same >= b.Same+b.Changed+b.Moved {
		g.Overlap = b.Same > 0
	}
	f.Format = "page"
	f.Page = &store.PageFiling{After: heads[f.Feed].Last, Notes: map[uint64][]byte{}}
	for i := range g.targets {
		if err := g.targets[i].file(f, g.feed); err != nil {
			return store.Poll{}, false, err
		}
	}
	if err := g.keepNotes(f); err != nil {
		return store.Poll{}, false, err
	}
	if len(f.New) > 0 {
		known, err := ps.store.Match(ctx, f.Feed, nil)
		if err != nil {
			return store.Poll{}, false, fmt.Errorf("count the items of %s: %w", f.FeedTitle, err)
		}
		f.Next = known.Next
	}
	if len(f.Page.Revisions) > 0 {
		f.Outcome = g.h.Outcome(store.AnswerNew, g.Look)
		f.Page.Drop, err = ps.surplus(ctx, g.feed, len(f.Page.Revisions))
	}
	return ps.pagePoll(f, g), again, err
}

// overtaken reports whether a revision of an address was kept after its answer
// was weighed: another process may have been served the same.
func (ps *Pages) overtaken(ctx context.Context, g *Visit) (bool, error) {
	if !slices.ContainsFunc(g.targets, func(l watchTarget) bool { return l.rev != nil }) {
		return false, nil
	}
	list, err := ps.store.PageRevisions(ctx, g.feed.ID)
	if err != nil {
		return false, fmt.Errorf("read the revisions: %w", err)
	}
	newest := map[string]uint32{}
	for i := range list {
		newest[addressOf(&list[i])] = list[i].No
	}
	for i := range g.targets {
		if l := &g.targets[i]; l.rev != nil && newest[addressOf(l.rev)] != l.last {
			return true, nil
		}
	}
	return false, nil
}

// weighAgain weighs the answers against the library as it is now.
func (ps *Pages) weighAgain(ctx context.Context, g *Visit) error {
	notes, err := ps.notesOf(ctx, g.feed.ID)
	if err != nil {
		return err
	}
	for i := range g.targets {
		l := &g.targets[i]
		if n, ok := notes[l.key]; ok {
			l.note = n
		}
		l.h = l.got
		if err := ps.weigh(ctx, g.feed, l); err != nil {
			return err
		}
		if l.key != 0 {
			l.note.took(&l.h, ps.rules.MinRetry)
		}
	}
	g.h = g.targets[0].h
	return nil
}

// file puts a target's revision and the item that tells of it into the filing.
func (l *watchTarget) file(f *store.Filing, feed *store.Feed) error {
	if l.rev == nil {
		return nil
	}
	rev := *l.rev
	title := plain.Line(l.diff.Title[1], 300)
	if l.reported {
		no := f.Page.After + uint32(len(f.Page.Revisions)) + 1
		f.New = append(f.New, l.item(no, title))
		rev.Item = uint32(len(f.New))
		l.note.Reported = no
	}
	f.Page.Revisions = append(f.Page.Revisions, rev)
	if l.key == 0 {
		f.FeedTitle, f.Site = cmp.Or(title, feed.FeedTitle, model.Name(feed.URL)), RequestAddress(feed.URL)
	} else {
		l.note.Title = title
	}
	return nil
}

// keepNotes files what is remembered of the addresses, as far as it changed.
func (g *Visit) keepNotes(f *store.Filing) error {
	for key, n := range g.notes {
		if key != 0 && n.Address != "" {
			b, err := n.encode()
			if err != nil {
				return err
			}
			f.Page.Notes[key] = b
		}
	}
	for _, key := range g.forget {
		if _, back := g.notes[key]; !back {
			f.Page.Notes[key] = nil
		}
	}
	for i := range g.targets {
		l := &g.targets[i]
		if _, known := g.notes[l.key]; l.key != 0 && !known {
			continue // dropped by a page above it in this very visit
		}
		b, err := l.note.encode()
		if err != nil {
			return err
		}
		f.Page.Notes[l.key] = b
	}
	return nil
}

// pagePoll is nextPoll for a page: what brought no revision is "not changed" to
// the plan, however many bytes differ.
func (ps *Pages) pagePoll(f *store.Filing, g *Visit) store.Poll {
	root := &g.targets[0]
	h := root.h
	if h.Err == nil && root.rev == nil {
		h.Same = true
	}
	p := poll.Next(g.feed.Poll, h.Polled(), f.Feed, ps.rules)
	for i := range g.targets[1:] {
		poll.CountDay(&p, g.targets[1+i].h.Polled())
	}
	if g.extra > 0 {
		poll.CountMore(&p, g.h.At, g.extra)
		poll.NoteFetch(&p, g.h.At, g.robots)
	}
	w := &p.Watch
	if h.Err != nil {
		w.State = store.ParsePageState(stateOfError(h.Err).String())
		return p
	}
	w.State = store.PageFine
	if old := &g.feed.Poll; root.second {
		p.ETag, p.LastModified, p.ValidatorsFor = old.ETag, old.LastModified, old.ValidatorsFor
		return p
	}
	w.Fetches++
	if !root.h.Same {
		p.BodyHash = root.h.Hash
		if words := root.diff.Words; !root.first && words.Added+words.Deleted > 0 {
			w.Differed++
		}
	}
	if g.notes != nil {
		n := 0
		for _, note := range g.notes {
			if note.Depth > 0 {
				n++
			}
		}
		w.Children = n
	}
	if l := g.compared(); l != nil {
		w.LastClass, w.LastScore, w.LastAt, w.Held = store.ParseChangeClass(string(l.diff.Class)), max(l.diff.Score, 0), g.h.At.Unix(), ""
		if l.diff.Class != page.None {
			w.Held = cmp.Or(l.held, onlyQuiet(&l.diff))
		}
	}
	for i := range g.targets {
		l := &g.targets[i]
		if !l.reported {
			continue
		}
		w.Score, w.Changed, w.Class = max(l.diff.Score, 0), l.h.At.Unix(), store.ParseChangeClass(string(l.diff.Class))
		w.Why, w.Item = plain.Line(l.diff.Why(), 300), f.Next+uint32(len(f.New))-1
	}
	return p
}

// surplus are the revisions that need not be kept any more: whole chains, so
// that what is kept stands on what is kept. Few at a time.
func (ps *Pages) surplus(ctx context.Context, f *store.Feed, coming int) ([]uint32, error) {
	const step = 32
	keep := settingsOf(f).Keep
	if keep == 0 || f.ID == 0 {
		return nil, nil
	}
	list, err := ps.store.PageRevisions(ctx, f.ID)
	if err != nil {
		return nil, fmt.Errorf("read the revisions: %w", err)
	}
	by := map[string][]store.PageRevision{}
	for _, rev := range list {
		at := ""
		if rev.Child {
			at = rev.Address
		}
		by[at] = append(by[at], rev)
	}
	var drop []uint32
	for _, chain := range by {
		from := max(len(chain)+coming-max(keep, 2), 0) // two at least: a change needs both sides
		from = min(from, len(chain)-1)
		for from > 0 && chain[from].Base != 0 {
			from--
		}
		for _, rev := range chain[:from] {
			drop = append(drop, rev.No)
		}
	}
	slices.Sort(drop)
	return drop[:min(len(drop), step)], nil
}

// item is the row that tells of a change.
func (l *watchTarget) item(no uint32, title string) store.NewItem {
	what := cmp.Or(l.says, changeTitle(&l.diff))
	if l.key != 0 {
		what = cmp.Or(title, model.Name(l.note.Address)) + ": " + what
	}
	words := l.diff.Words.Added + l.diff.Words.Deleted
	id := fmt.Sprintf("revision %d", no)
	return store.NewItem{
		Item: store.Item{IDRaw: id, Title: plain.Line("changed: "+what, 300), Link: l.h.Result.URL, Published: l.h.At, FirstSeen: l.h.At,
			Words: words, Hash: l.h.Hash},
		Body: store.Body{HTML: changeHTML(&l.diff)}, Keys: []uint64{noteKey(id)}, Unread: true,
	}
}

const (
	maxPieces = 3  // of a change in its title
	pieceLong = 40 // characters of one
)

// changeTitle says in the page's own words what changed: `"winter" for "summer"`.
// Where no words changed it says what the score is made of.
func changeTitle(d *page.Diff) string {
	var pieces []string
	more := 0
	add := func(s string) {
		switch {
		case slices.Contains(pieces, s):
		case len(pieces) < maxPieces:
			pieces = append(pieces, s)
		default:
			more++
		}
	}
	for _, h := range d.Hunks {
		for i := range h.Rows {
			if h.Rows[i].Class == page.Content {
				rowPieces(&h.Rows[i], add)
			}
		}
	}
	if len(pieces) == 0 {
		return cmp.Or(d.Why(), "something small")
	}
	if more > 0 {
		pieces = append(pieces, fmt.Sprintf("%d more", more))
	}
	return strings.Join(pieces, ", ")
}

// rowPieces gives what is new in a row, and what it stands for.
func rowPieces(row *page.Row, add func(string)) {
	switch row.Kind {
	case page.Inserted:
		add("+ " + quoted(row.New()))
		return
	case page.Deleted:
		add("- " + quoted(row.Old()))
		return
	case page.Changed:
	default:
		return
	}
	for i := 0; i < len(row.Segments); i++ {
		s := row.Segments[i]
		var next page.Segment
		if i+1 < len(row.Segments) {
			next = row.Segments[i+1]
		}
		switch {
		case strings.TrimSpace(s.Text) == "":
		case s.Kind == page.Delete && next.Kind == page.Insert && strings.TrimSpace(next.Text) != "":
			add(quoted(next.Text) + " for " + quoted(s.Text))
			i++
		case s.Kind == page.Delete:
			add("- " + quoted(s.Text))
		case s.Kind == page.Insert:
			add("+ " + quoted(s.Text))
		}
	}
}

func quoted(s string) string {
	if s = strings.TrimSpace(s); len(s) > 20*pieceLong {
		s = strings.ToValidUTF8(s[:20*pieceLong], "") // a piece may be the whole page
	}
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > pieceLong {
		s = strings.TrimSpace(string(r[:pieceLong-1])) + "…"
	}
	return `"` + s + `"`
}

// maxRows and maxText bound the text of a change; one row may be the whole
// page.
const (
	maxRows = 200
	maxText = 256 << 10
)

// changeHTML is the change as an article: the score, then the changed blocks
// under their headings.
func changeHTML(d *page.Diff) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<p>score %.1f: %s</p>\n", d.Score, html.EscapeString(cmp.Or(d.Why(), "something small")))
	rows, shown := 0, 0
	for _, h := range d.Hunks {
		headed := false
		for i := range h.Rows {
			row := &h.Rows[i]
			if row.Kind == page.Same || row.Class == page.Volatile && d.Class != page.Volatile {
				continue // a clock beside what changed is no part of what was reported
			}
			if rows++; rows > maxRows || b.Len() > maxText {
				continue
			}
			if !headed && len(h.Path) > 0 {
				fmt.Fprintf(&b, "<h3>%s</h3>\n", html.EscapeString(strings.Join(h.Path, " > ")))
			}
			headed = true
			shown++
			b.WriteString("<p>" + rowHTML(row) + "</p>\n")
		}
	}
	if rows > shown {
		fmt.Fprintf(&b, "<p>%s more changed blocks</p>\n", wording.Count(rows-shown))
	}
	return plain.HTML(b.String(), 0)
}

// cutText cuts a text that no one reads to its end.
func cutText(s string) string {
	if len(s) > maxText {
		return strings.ToValidUTF8(s[:maxText], "") + "…"
	}
	return s
}

func rowHTML(row *page.Row) string {
	if row.Kind == page.Moved {
		return "moved here from " + html.EscapeString(cmp.Or(strings.Join(row.From, " > "), "the top of the page")) + ": " + html.EscapeString(cutText(row.New()))
	}
	var b strings.Builder
	for _, s := range row.Segments {
		if b.Len() > maxText {
			b.WriteString("…")
			break
		}
		text := html.EscapeString(cutText(s.Text))
		switch {
		case s.Kind == page.Delete && strings.TrimSpace(s.Text) != "":
			text = "<del>" + text + "</del>"
		case s.Kind == page.Insert && strings.TrimSpace(s.Text) != "":
			text = "<ins>" + text + "</ins>"
		}
		b.WriteString(text)
	}
	return b.String()
}

// Notifications lists the changes of a page that were filed, for whoever rings.
func (g *Visit) Notifications(title string, f *store.Filing, done *store.Filed) []Notification {
	var out []Notification
	n := 0
	for i := range g.targets {
		l := &g.targets[i]
		if l.rev == nil || !l.reported || n >= len(done.Items) || n >= len(f.New) {
			continue
		}
		out = append(out, Notification{Item: done.Items[n], Page: title, What: strings.TrimPrefix(f.New[n].Title, "changed: "),
			Why: plain.Line(l.diff.Why(), 300), Link: model.ShownLink(f.New[n].Link), Score: l.diff.Score})
		n++
	}
	return out
}
