package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/theme"
)

// TestSearchWhileTyping: 8 opens the box, each key searches, Enter goes to the rows,
// whose keys are those of a list; / and 8 edit the query, which is kept.
func TestSearchWhileTyping(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24)
	d.press("8")
	d.shows("[8Search]", "Type words to find them", "search: ")
	d.typeIn("sma")
	d.shows("[8Search] · sma", "Small boats, big radios", "1 of ", "What was said of it at the harbour")
	if got := lib.search.asked; !slices.Equal(got, []string{"s", "sm", "sma"}) {
		t.Errorf("asked for %q", got)
	}
	d.press("l")
	few := lib.search.limit
	d.press("esc")
	d.shows("[8Search] · smal", "Enter open")
	if many := lib.search.limit; few > 100 || many < 2*few {
		t.Errorf("%d rows are searched for while the query is typed, then %d", few, many)
	}
	chosen := d.m.Top().Row().ID
	was := lib.row(chosen).Flags & reader.FlagRead
	d.press("m")
	if lib.row(chosen).Flags&reader.FlagRead == was {
		t.Fatal("m did not mark")
	}
	d.press("u")
	if lib.row(chosen).Flags&reader.FlagRead != was {
		t.Fatal("u did not undo")
	}
	d.press("s", "enter")
	d.shows("space on")
	if lib.row(chosen).Flags&reader.FlagRead == 0 {
		t.Error("Enter did not mark read")
	}
	d.press("q", "/")
	d.shows("search: smal")
	d.press("esc", "1", "8")
	d.shows("search: smal", "[8Search] · smal", "1 of ")
	d.press("backspace", "backspace", "backspace", "backspace", "enter")
	d.shows("Type words to find them")
	d.lacks("1 of ")
	d.press("tab")
	d.shows("[1River]")
	d.press("shift+tab", "shift+tab")
	d.shows("[7Trends]")
}

// TestSearchRefuses: an unfinished query is no error until Enter, and what was found
// stays meanwhile.
func TestSearchRefuses(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24)
	d.press("8")
	d.typeIn("ferry (")
	d.shows("· ferry", "Ferry 3 out of service")
	d.lacks("^")
	d.press("enter")
	d.shows("^", "Ferry 3 out of service")
	d.press("backspace", "enter")
	d.lacks("^", "search:")
	if got := d.m.Top().Row(); got == nil || !strings.HasPrefix(got.Title, "Ferry 3") {
		t.Errorf("chosen is %+v", got)
	}
	d = newDesk(t, newFake(), 80, 24)
	d.press("8")
	d.typeIn(`"ferry 3 ou`) // a phrase that is still typed
	d.shows("Ferry 3 out of service")
	d.lacks("^")
	d.press("enter")
	d.shows("^", "this \" is not closed", "Ferry 3 out of service")
	d.typeIn(`t"`)
	d.press("enter")
	d.lacks("^", "search:")
	d.shows("Ferry 3 out of service")
}

// TestSearchDropsStaleAnswers: the answer to a text that was typed on from is not
// shown, and the one to the text that stands there is, in whichever order they come.
func TestSearchDropsStaleAnswers(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24)
	d.press("8")
	old := d.hold("f")
	now := d.hold("e")
	d.run(now)
	d.shows("· fe", "Ferry 3", " of 1")
	before := d.screen()
	d.run(old)
	if d.screen() != before {
		t.Errorf("an old answer was shown:\n%s", d.screen())
	}
}

// TestSearchShowsTheIndexing: while texts are indexed row 1 says how many are, keys
// work, and searching again at the end brings what came into the index.
func TestSearchShowsTheIndexing(t *testing.T) {
	lib := newFake()
	lib.search.steps, lib.search.gate = []int{3200}, make(chan struct{})
	d := newDesk(t, lib, 80, 24)
	cmd := d.hold("8")
	msgs := make(chan tea.Msg, 8) // of commands that run side by side, as in the program
	var start func(tea.Cmd)
	start = func(cmd tea.Cmd) {
		if cmd == nil {
			return
		}
		go func() {
			switch msg := cmd().(type) {
			case tea.BatchMsg:
				for _, c := range msg {
					start(c)
				}
			case nil:
			default:
				msgs <- msg
			}
		}()
	}
	start(cmd)
	until := func(want string, shown bool) {
		t.Helper()
		for strings.Contains(d.screen(), want) != shown {
			_, next := d.m.Update(within(t, msgs))
			start(next)
		}
	}
	until("indexing 3,200/20,151", true)
	_, next := d.m.Update(keyMsg("f"))
	start(next)
	until("Ferry 3", true)
	d.shows("indexing 3,200/20,151")
	asked := len(lib.asks())
	close(lib.search.gate)
	until("indexing", false)
	until("1 of ", true)
	for len(lib.asks()) == asked {
		_, next := d.m.Update(within(t, msgs))
		start(next)
	}
}

// TestSearchMendsTheIndex: an index that turns out to be damaged is made again, once, and
// what was asked for is found then.
func TestSearchMendsTheIndex(t *testing.T) {
	for _, missing := range []int{1, 1000} {
		lib := newFake()
		d := newDesk(t, lib, 80, 24)
		d.press("8")
		d.typeIn("f")
		updates := lib.search.updates
		lib.search.missing = missing
		d.typeIn("e")
		if got := lib.search.updates - updates; got != 2 { // one for the key, one for the index
			t.Errorf("%d searches without an index: %d updates", missing, got)
		}
		d.press("enter")
		if missing == 1 {
			d.shows("1 of ", "Ferry 3")
		}
	}
}

func (f *fake) asks() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.search.asked)
}

// TestSearchMarksWords: the words stand out in the snippet, also where it is cut.
func TestSearchMarksWords(t *testing.T) {
	for w, marked := range map[int]string{40: "harbou…", 80: "harbour"} {
		d := newDesk(t, newFake(), w, 24)
		d.m.Scene.Th = theme.New("dark", false)
		d.press("8", "f", "e", "r", "enter")
		want := d.m.Scene.Th.In(d.m.Scene.Th.Pointer, marked)
		if got := d.m.View().Content; !strings.Contains(got, want) {
			t.Errorf("%d: no %q in\n%q", w, want, got)
		}
	}
}

// within is the next message, which comes at once unless something hangs.
func within(t *testing.T, msgs <-chan tea.Msg) tea.Msg {
	t.Helper()
	select {
	case msg := <-msgs:
		return msg
	case <-time.After(time.Minute):
		t.Fatal("no message within a minute")
		return nil
	}
}
