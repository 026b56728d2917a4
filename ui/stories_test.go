package ui

import (
	"context"
	"slices"
	"strings"
	"testing"

	"diurna/reader"
	"diurna/reader/stories"
	"diurna/ui/list"
)

// fakeStories says of the fake's items which tell one story.
type fakeStories struct {
	lib   *fake
	list  [][]stories.Member
	apart map[reader.ItemID]bool
	came  [][]stories.Member // what the next Update finds
}

func (f *fake) storyLib() list.Stories {
	if f.stories == nil {
		return nil
	}
	f.stories.lib = f
	return f.stories
}

func (s *fakeStories) Groups(context.Context) (*stories.Groups, error) {
	return stories.NewGroups(s.list, s.apart), nil
}

func (s *fakeStories) Update(context.Context) (bool, error) {
	came := s.came
	s.list, s.came = append(s.list, came...), nil
	return len(came) > 0, nil
}

func (s *fakeStories) TakeApart(_ context.Context, id reader.ItemID) (reader.Done, error) {
	was := s.apart
	now := map[reader.ItemID]bool{}
	g, _ := s.Groups(context.Background())
	for _, m := range g.Of(id) {
		now[m.ID] = true
	}
	s.apart = now
	no := s.lib.step("took apart a group", nil, nil, nil)
	if s.lib.backs == nil {
		s.lib.backs = map[uint64]func(){}
	}
	s.lib.backs[no] = func() { s.apart = was }
	return reader.Done{Step: no, Changed: len(now)}, nil
}

// withStories has a story of Harbour Gazette, Kernel Notes and Bread and Salt: the first two have
// one address.
func withStories() *fake {
	f := newFake()
	f.stories = &fakeStories{list: [][]stories.Member{{{ID: item(3, 8), Page: 1}, {ID: item(1, 8), Page: 1}, {ID: item(6, 1)}}}}
	return f
}

func (f *fake) read(id reader.ItemID) bool { return f.row(id).Flags&reader.FlagRead != 0 }

// TestOneStoryIsOneRow: the rows of a story are one, which says how many more feeds tell it
// and which, and stands where the newest unread one is.
func TestOneStoryIsOneRow(t *testing.T) {
	d := newDesk(t, withStories(), 80, 24)
	d.shows("Ferry 3 out of service until Monday", "+2")
	d.lacks("Patches worth reading", "Notes on a very old oven")
	d.press("j")
	d.shows("also in Kernel Notes, Bread and Salt")
	d.press("i")
	d.shows("also in", "Kernel Notes, Bread and Salt")

	f := withStories()
	f.row(item(3, 8)).Flags |= reader.FlagRead
	d = newDesk(t, f, 80, 24)
	d.shows("Patches worth reading")
	d.lacks("Notes on a very old oven", "Ferry 3")
}

// TestHiddenFeedsAreNotNamed: a hidden feed does not count in +2 and is not named; a story
// that only hidden feeds tell too has no sign and nothing to take apart.
func TestHiddenFeedsAreNotNamed(t *testing.T) {
	f := withStories()
	f.feeds[5].Hidden = true // Bread and Salt
	d := newDesk(t, f, 80, 24)
	d.shows("Ferry 3", "+1")
	d.lacks("+2")
	d.press("j")
	d.shows("also in Kernel Notes")
	d.lacks("Notes, Bread and Salt")

	f = withStories()
	f.feeds[0].Hidden, f.feeds[5].Hidden = true, true
	d = newDesk(t, f, 80, 24)
	d.shows("Ferry 3")
	d.lacks("+1", "+2")
	d.press("W")
	d.says("No other feed has this story.")
}

// TestTwinsAreMarkedTogether: items with one address are marked with their row as one
// step, the others of the story are not.
func TestTwinsAreMarkedTogether(t *testing.T) {
	for _, keys := range [][]string{{"j", "m"}, {"j", "enter", "q"}, {"j", "o"}} {
		f := withStories()
		d := newDesk(t, f, 80, 24)
		d.press(keys...)
		if !f.read(item(3, 8)) || !f.read(item(1, 8)) || f.read(item(6, 1)) {
			t.Errorf("%v: read are %v %v %v, want the first two", keys, f.read(item(3, 8)), f.read(item(1, 8)), f.read(item(6, 1)))
		}
		steps := len(f.steps)
		d.press("u")
		if f.read(item(1, 8)) || len(f.steps) != steps {
			t.Errorf("%v: u did not bring back the twin: %v", keys, f.steps)
		}
	}
}

// TestMassMarksOfStories: A marks the rows that are drawn and their twins, and says how many
// items that were.
func TestMassMarksOfStories(t *testing.T) {
	f := withStories()
	d := newDesk(t, f, 80, 24)
	unread := 0
	for i := range f.rows {
		if f.rows[i].Flags&reader.FlagRead == 0 {
			unread++
		}
	}
	d.press("M")
	if want := "a all 8"; unread != 9 || !strings.Contains(d.last(), want) {
		t.Errorf("of %d unread M says %q, want %q", unread, d.last(), want)
	}
	d.press("a")
	d.says("Marked 8 read in River. u undoes.")
	if f.read(item(6, 1)) {
		t.Error("an item that stood behind another was marked")
	}
	// Where the list is made again the story stands at what is unread.
	d.press("2", "1")
	d.shows("Notes on a very old oven")
}

// TestUnfoldingAStory: z shows the items of a story below its row and folds them.
func TestUnfoldingAStory(t *testing.T) {
	d := newDesk(t, withStories(), 80, 24)
	d.press("j", "z")
	rows := strings.Split(d.screen(), "\n")
	at := slices.IndexFunc(rows, func(s string) bool { return strings.Contains(s, "Ferry 3") })
	if !strings.Contains(rows[at+1], "  Patches worth reading") || !strings.Contains(rows[at+2], "  Notes on a very old oven") {
		t.Errorf("unfolded it is\n%s", d.screen())
	}
	if !strings.Contains(d.chosenLine(), "Ferry 3") {
		t.Errorf("chosen is %q", d.chosenLine())
	}
	d.press("j", "z")
	d.lacks("Patches worth reading")
	if !strings.Contains(d.chosenLine(), "Ferry 3") {
		t.Errorf("folded again chosen is %q", d.chosenLine())
	}
	d.press("k", "z")
	d.says("No other feed has this story.")
	d.press("j", "z", "&")
	d.typeIn("patches")
	d.press("enter")
	d.shows("Patches worth reading")
	d.lacks("Ferry 3")
	d.press("z")
	d.says("The others are not in River: also in Harbour Gazette, Bread and Salt.")
}

// TestTakingAStoryApart: W does so for good, u takes it back.
func TestTakingAStoryApart(t *testing.T) {
	f := withStories()
	d := newDesk(t, f, 80, 24)
	d.press("j", "W")
	d.shows("Ferry 3", "Patches worth reading", "Notes on a very old oven")
	d.lacks("+2")
	d.says("Taken apart from Kernel Notes, Bread and Salt. u undoes.")
	d.press("u")
	d.shows("Ferry 3", "+2")
	d.lacks("Patches worth reading")
	d.press("k", "W")
	d.says("No other feed has this story.")
}

// TestUndoMovesNoStory: u folds no story, and another item does not come to stand for it.
func TestUndoMovesNoStory(t *testing.T) {
	d := newDesk(t, withStories(), 80, 24)
	d.press("j", "z", "s", "u")
	d.shows("Ferry 3", "Patches worth reading", "Notes on a very old oven")
	d.press("z", "m", "u")
	if !strings.Contains(d.chosenLine(), "Ferry 3") {
		t.Errorf("after m and u %q is chosen", d.chosenLine())
	}
}

// TestNarrowingLeavesStoriesFoldable: a row that stood for a story only while the list was
// narrow does not take the key from the one that does so again.
func TestNarrowingLeavesStoriesFoldable(t *testing.T) {
	for range 8 {
		d := newDesk(t, withStories(), 80, 24)
		d.press("j", "&")
		d.typeIn("notes")
		d.press("enter", "esc", "z")
		d.shows("Ferry 3", "Patches worth reading", "Notes on a very old oven")
	}
}

// TestStoriesComeBehindTheScreen: what is grouped while nobody has moved is shown at once;
// under a key's eyes rows stay, and are grouped when the list is made again.
func TestStoriesComeBehindTheScreen(t *testing.T) {
	late := [][]stories.Member{{{ID: item(3, 8)}, {ID: item(1, 8)}}}
	f := newFake()
	f.stories = &fakeStories{came: late}
	d := newDesk(t, f, 80, 24)
	d.shows("Ferry 3", "+1")
	d.lacks("Patches worth reading")

	f = newFake()
	f.stories = &fakeStories{}
	d = newDesk(t, f, 80, 24)
	d.press("j")
	f.stories.came = late
	d.run(d.m.river.Load(d.m))
	d.shows("Ferry 3", "+1", "Patches worth reading")
	d.press("2", "1")
	d.lacks("Patches worth reading")
}
