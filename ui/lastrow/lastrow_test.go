package lastrow

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"diurna/ui/cells"
	"diurna/ui/theme"
	"diurna/ui/view"
)

// bench is a last row with all that draws it.
type bench struct {
	Row
	s   view.Scene
	at  Place
	st  view.Status
	box *view.Prompt
}

func newBench() *bench {
	return &bench{s: view.Scene{Th: theme.Plain(true), Now: time.Date(2026, time.November, 20, 10, 49, 0, 0, time.UTC)}, at: River, st: view.Status{State: "state"}}
}

// draw gives what the row says in 200 cells.
func (b *bench) draw() string {
	lines, _ := b.Draw(&b.s, b.at, b.st, b.box, 200)
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// bring lets a kind be there, and says how it reads.
func (b *bench) bring(k Kind) string {
	switch k {
	case Box:
		b.box = &view.Prompt{Label: "box"}
	case Found:
		b.st = view.Status{State: "found", About: view.AboutKeys}
	case Trouble:
		b.st = view.Status{State: "trouble", About: view.AboutTrouble}
	case Hint:
		b.Know(nil)
		return hints[b.at].long
	case State:
	default:
		b.Put(k, k.String())
	}
	return k.String()
}

// end takes away what stands in the row, in the way of its kind.
func (b *bench) end(k Kind) {
	switch table[k].goes {
	case withOwner:
		b.box, b.st = nil, view.Status{State: "state"}
		b.Put(k, "")
	case withDoing:
		b.Key(b.s.Now)
		b.Done()
	case withKey:
		b.Key(b.s.Now)
	case withReading:
		b.Key(b.s.Now)
		b.s.Now = b.s.Now.Add(ReadIn)
		b.Key(b.s.Now)
	}
}

// TestEveryPair: of two kinds the one further up in the table stands in the row,
// whichever came first, and the other one once that is gone.
func TestEveryPair(t *testing.T) {
	for high := Box; high < Kinds; high++ {
		for low := high + 1; low < Kinds; low++ {
			if high == Found && low == Trouble {
				continue // a view has one state
			}
			for _, order := range [][2]Kind{{high, low}, {low, high}} {
				b, want := newBench(), map[Kind]string{}
				for _, k := range order {
					want[k] = b.bring(k)
					b.draw()
				}
				if got := b.draw(); got != want[high] {
					t.Errorf("%v then %v: the row says %q, want %q", order[0], order[1], got, want[high])
				}
				b.end(high)
				if low == Found || low == Trouble {
					b.bring(low)
				}
				if got := b.draw(); got != want[low] {
					t.Errorf("%v then %v, then %v went: the row says %q, want %q", order[0], order[1], high, got, want[low])
				}
				b.end(low)
				if got := b.draw(); got != "state" {
					t.Errorf("%v then %v, then both went: the row says %q", order[0], order[1], got)
				}
			}
		}
	}
}

// TestNothingIsLostUnread: whatever happens in whatever order, a notice, an offer and a
// message that had to wait stand in the row before they go, and the offer for its time.
func TestNothingIsLostUnread(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 16))
		b := newBench()
		b.Know(nil)
		stood := map[string]bool{}
		var notices, waited []string
		var offered time.Time // since when the offer stands
		seen := 0             // keys while it does
		for i := range 60 {
			switch r.IntN(8) {
			case 0:
				if len(b.texts[Notice]) < maxWaiting {
					notices = append(notices, fmt.Sprintf("notice %d.", i))
					b.Put(Notice, notices[len(notices)-1])
				}
			case 1:
				if m := fmt.Sprintf("message %d.", i); b.shown < Message && b.Has(b.shown) && len(b.texts[Message]) < maxWaiting {
					waited = append(waited, m)
					b.Put(Message, m)
				} else {
					b.Put(Message, m)
				}
			case 2:
				b.Put(Offer, "offer.")
			case 3:
				b.at = Place(r.IntN(int(places)))
			case 4:
				b.box = nil
				if r.IntN(3) == 0 {
					b.box = &view.Prompt{Label: "box"}
				}
			case 5:
				b.s.Now = b.s.Now.Add(time.Duration(r.IntN(7)) * time.Second)
			default:
				had, stands := b.Has(Offer), b.shown == Offer
				seen++
				b.Key(b.s.Now)
				if r.IntN(2) == 0 {
					b.Done()
				}
				if had && !b.Has(Offer) && (!stands || seen < 2 || b.s.Now.Sub(offered) < ReadIn) {
					t.Fatalf("seed %d: the offer went after %v and %d keys", seed, b.s.Now.Sub(offered), seen)
				}
			}
			was := b.shown
			stood[b.draw()] = true
			if b.shown == Offer && was != Offer {
				offered, seen = b.s.Now, 0
			}
		}
		b.box, b.at = nil, River
		for range 200 {
			stood[b.draw()] = true
			b.Key(b.s.Now)
			b.Done()
		}
		for _, want := range append(notices, waited...) {
			if !stood[want] {
				t.Fatalf("seed %d: %q never stood in the row", seed, want)
			}
		}
	}
}

// TestTheOfferStays: never the first key takes it away, and none before it stood for
// five seconds; under something else it does not stand.
func TestTheOfferStays(t *testing.T) {
	b := newBench()
	b.Put(Offer, "offer")
	key := func(after time.Duration, want string) {
		t.Helper()
		b.s.Now = b.s.Now.Add(after)
		b.Key(b.s.Now)
		b.Done()
		if got := b.draw(); got != want {
			t.Fatalf("the row says %q, want %q", got, want)
		}
	}
	b.draw()
	key(time.Hour, "offer") // the first key, of somebody who comes back
	b.Put(Message, "message")
	b.draw()
	key(time.Hour, "offer")
	key(0, "offer")
	key(4*time.Second, "offer")
	key(time.Second, "state")
	b.Put(Offer, "offer")
	b.at = Article
	if got := b.draw(); got != "state" {
		t.Errorf("in an article, where 3 is a link, the row says %q", got)
	}
	key(time.Hour, "state")
	key(time.Hour, "state")
	b.at = Feeds
	if got := b.draw(); got != "offer" {
		t.Errorf("back in a list the row says %q", got)
	}
}

// TestIdleKeysAreNotReportedLater: keys may come faster than drawings, and while something
// else stands in the row; what is said on one that did nothing is gone at the next.
func TestIdleKeysAreNotReportedLater(t *testing.T) {
	b := newBench()
	b.Idle("% does nothing")
	b.Done() // j, before a drawing
	if got := b.draw(); got != "state" {
		t.Errorf("after a key that acts the row says %q", got)
	}
	b.Put(Notice, "notice")
	for _, key := range []string{"a", "b", "c"} {
		b.Idle(key + " does nothing")
		b.draw()
	}
	b.Put(Message, "marked")
	b.Done()
	if got := b.draw(); got != "marked" || b.Last(Message) != "marked" {
		t.Errorf("after the notice the row says %q, and %q waits", got, b.Last(Message))
	}
	b.Idle("x does nothing")
	if got := b.draw(); got != "x does nothing" {
		t.Errorf("the row says %q", got)
	}
	b.Done()
	if got := b.draw(); got != "state" {
		t.Errorf("at the next key the row says %q", got)
	}
}

// TestMessages: the last word of an event counts, a newer one replaces one that stood,
// and one that says more replaces the one it says more of.
func TestMessages(t *testing.T) {
	b := newBench()
	b.Put(Message, "first")
	b.Put(Message, "second")
	if got := b.draw(); got != "second" {
		t.Errorf("the row says %q", got)
	}
	b.Put(Message, "third")
	if got := b.draw(); got != "third" || len(b.texts[Message]) != 1 {
		t.Errorf("the row says %q, %d wait", got, len(b.texts[Message]))
	}
	b.Amend("second", "no")
	b.Amend("third", "third and more")
	if got := b.draw(); got != "third and more" {
		t.Errorf("the row says %q", got)
	}
	b.Put(Notice, "at https://reader:secret@example.org/feed")
	if got := b.draw(); strings.Contains(got, "secret") {
		t.Errorf("the row says %q", got)
	}
	for i := range 10 * maxWaiting {
		b.Put(Notice, fmt.Sprintf("notice %d", i))
	}
	if n := len(b.texts[Notice]); n != maxWaiting {
		t.Errorf("%d notices wait, want %d", n, maxWaiting)
	}
	if said := b.Take(); len(said) != maxWaiting+1 || b.draw() != "state" {
		t.Errorf("took %d, left %q", len(said), b.draw())
	}
}

// TestHintsFit: a hint is one line at 80 and at 40 cells, once per view, and none where
// it is not known which were read.
func TestHintsFit(t *testing.T) {
	for p := River; p < places; p++ {
		h := hints[p]
		if n := cells.Width(h.long); n < 40 || n > 78 {
			t.Errorf("%s: %d cells", h.name, n)
		}
		if n := cells.Width(h.short); n < 10 || n > 38 {
			t.Errorf("%s: %d cells where there are 40", h.name, n)
		}
		b := newBench()
		b.at = p
		if got := b.draw(); got != "state" {
			t.Errorf("%s: %q stands before it is known what was read", h.name, got)
		}
		b.Know([]string{"no such view"})
		for _, w := range []int{40, 80, 120} {
			lines, _ := b.Draw(&b.s, b.at, b.st, nil, w)
			if len(lines) != 1 || !strings.Contains(lines[0], h.fitting(w)) || cells.Width(lines[0]) != w {
				t.Errorf("%s at %d cells: %q", h.name, w, lines)
			}
		}
		if k, of := b.Key(b.s.Now); k != Hint || of != p || b.draw() != "state" {
			t.Errorf("%s: a key took away %v of %v", h.name, k, of)
		}
		again := newBench()
		again.at = p
		again.Know(b.Read())
		if got := again.draw(); got != "state" {
			t.Errorf("%s: %q stands in another session", h.name, got)
		}
	}
}

// TestTheTableIsDocumented: docs/architecture.md names the kinds in their order.
func TestTheTableIsDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(string(text), "## The last row")
	if at < 0 {
		t.Fatal("there is no chapter about the last row")
	}
	rest := string(text)[at:]
	for k := Box; k < Kinds; k++ {
		i := strings.Index(rest, "\n| "+k.String()+" |")
		if i < 0 {
			t.Fatalf("%q does not stand there, or not in its place", k)
		}
		rest = rest[i:]
	}
}

// TestFolded: a text of groups is broken between two of them, any other between
// words, and both lines have the width of the screen.
func TestFolded(t *testing.T) {
	b := newBench()
	for _, c := range []struct {
		words string
		w     int
		want  string
	}{
		{"M: j below 22  k above 1  d day 1  f feed 9  w older week 0  m older month 0  a all 22", 80,
			" M: j below 22  k above 1  d day 1  f feed 9  w older week 0  m older month 0\n a all 22"},
		{"M: d day 0  w older week 0  m older month 0  a all 20  in All feeds", 40,
			" M: d day 0  w older week 0\n m older month 0  a all 20  in All feeds"},
		{"M: d day 0  a group that no line of a narrow screen has room for", 40,
			" M: d day 0  a group that no line of a\n narrow screen has room for"},
		{"Harbour Gazette: last fetch today, and more than fits", 40,
			" Harbour Gazette: last fetch today, and\n more than fits"},
		{"  x" + strings.Repeat("y", 50), 40, " xyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\n yyyyyyyyyyyy"},
	} {
		b.Row = Row{}
		b.Put(Question, c.words)
		lines, _ := b.Draw(&b.s, b.at, b.st, nil, c.w)
		for i, l := range lines {
			if n := cells.Width(l); n != c.w {
				t.Errorf("%d cells in %q, want %d", n, l, c.w)
			}
			lines[i] = strings.TrimRight(l, " ")
		}
		if got := strings.Join(lines, "\n"); got != c.want {
			t.Errorf("%q in %d cells:\n%s\nwant\n%s", c.words, c.w, got, c.want)
		}
	}
}
