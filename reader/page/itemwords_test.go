package page

import "testing"

// What a publisher's program counts is no edit, a slip is a minor one, and a title
// or a whole text of which most words are others is a real one.
func TestKindsOfItemEdits(t *testing.T) {
	const text = "<p>Of the pier it is told that boats come and go with the tide.</p>"
	for _, c := range []struct {
		name             string
		old, next        Item
		seen, minor, new bool // something to be seen but counters; new: rewritten
	}{
		{"another title", Item{"Storm is coming", text}, Item{"Storm warning lifted", text}, true, false, true},
		{"another note", Item{"", "Storm is coming"}, Item{"", "Storm warning lifted"}, true, false, true},
		{"a slip", Item{"Strom warnning lifted", text}, Item{"Storm warning lifted", text}, true, true, false},
		{"a longer title", Item{"Storm is coming", text}, Item{"Storm is coming tonight", text}, true, true, false},
		{"one line of several", Item{"Storm", text + "<p>By Anna Holm</p>"}, Item{"Storm", text + "<p>By Bo Lind</p>"}, true, true, false},
		{"a pixel", Item{"Storm", text + `<img height="1" width="1" src="https://a.example/p/1.gif">`}, Item{"Storm", text + `<img height="1" width="1" src="https://b.example/p/2.gif">`}, false, true, false},
		{"a picture", Item{"Storm", text + `<img height="300" width="400" src="https://a.example/p/1.png">`}, Item{"Storm", text + `<img height="300" width="400" src="https://a.example/p/2.png">`}, true, true, false},
		{"comments", Item{"Storm", text + `<p><a href="/c">9 comments</a></p>`}, Item{"Storm", text + `<p><a href="/c">12 comments</a></p>`}, false, false, false},
		{"a first comment", Item{"Storm", text + `<p>Comments (0) · Share</p>`}, Item{"Storm", text + `<p>Comments (1) · Share</p>`}, false, false, false},
		{"a price", Item{"Storm", text + "<p>A ticket costs 8 crowns</p>"}, Item{"Storm", text + "<p>A ticket costs 9 crowns</p>"}, true, false, false},
		{"how many are dead", Item{"Storm", text + "<p>2 dead, 40 hurt</p>"}, Item{"Storm", text + "<p>3 dead, 40 hurt</p>"}, true, false, false},
	} {
		got := CompareItem(c.old, c.next, 0)
		seen := got.Title || got.Told > got.Counts || got.Words.Added+got.Words.Deleted > got.Counts
		if seen != c.seen || got.Minor != c.minor || got.Rewritten != c.new {
			t.Errorf("%s: seen %t, minor %t, rewritten %t: %+v", c.name, seen, got.Minor, got.Rewritten, got)
		}
	}
}
