// Package lastrow decides what stands in the last row of the screen. More than one
// thing may want it: a box, a question, messages, the hint of a view, the offer of
// Ranked, the state of what is chosen. The table below says which of them stands
// there and which key takes it away; the others wait, and nothing is lost that did
// not stand there first. Nothing here waits for time to pass.
package lastrow

import (
	"slices"
	"strings"
	"time"

	"diurna/reader/plain"
	"diurna/ui/view"
)

// Kind is what may stand in the last row, in order of precedence: the first kind
// that is there stands in the row.
type Kind uint8

const (
	Nothing   Kind = iota
	Box            // a box that is typed into
	Question       // which keys are meant, after M or a comma
	Notice         // what nobody asked for: a mistake in the config, a change that could not be kept
	Message        // what became of the last thing done
	Found          // what keys found, narrowed, selected or chose in the view
	Trouble        // why what is chosen is in trouble
	Freshness      // when was fetched for the usual look that begins
	Hint           // what can be done in a view, on its first visit
	Offer          // of Ranked
	State          // what is chosen, in words
	Kinds
)

// going is what takes a kind away once it stood in the row.
type going uint8

const (
	withOwner   going = iota // its owner: the box that closes, the key that was asked for, the view that says something else
	withDoing                // a key that does something
	withKey                  // any key
	withReading              // any key from ReadIn on, but never the first
)

// ReadIn is how long the offer stands before a key takes it away.
const ReadIn = 5 * time.Second

// table says of every kind how it stands in the row.
var table = [Kinds]struct {
	name string
	goes going
	keys bool                   // the keys of the view stand at its right
	all  bool                   // each is shown: a newer one waits instead of taking the place
	in   func(place Place) bool // where it stands; nil: everywhere
}{
	Nothing:   {name: "nothing"},
	Box:       {name: "box", goes: withOwner},
	Question:  {name: "question", goes: withOwner},
	Notice:    {name: "notice", goes: withDoing, all: true},
	Message:   {name: "message", goes: withDoing},
	Found:     {name: "found", goes: withOwner, keys: true},
	Trouble:   {name: "trouble", goes: withOwner, keys: true},
	Freshness: {name: "freshness", goes: withKey, keys: true, in: Place.ofItems},
	Hint:      {name: "hint", goes: withKey, keys: true},
	Offer:     {name: "offer", goes: withReading, in: Place.ofLists},
	State:     {name: "state", goes: withOwner, keys: true},
}

// String is the kind as docs/architecture.md names it.
func (k Kind) String() string { return table[k].name }

// maxWaiting bounds the texts of one kind that wait: beyond it the newest replaces
// the one before.
const maxWaiting = 20

// text waits to be shown, or stands in the row.
type text struct {
	words string
	drawn bool
	put   uint64 // drawings before it came
}

// Row is the last row. The zero Row is empty, and shows no hints: see Know.
type Row struct {
	texts [Kinds][]text // of each kind, oldest first
	read  [places]bool  // hints that were read
	known bool          // Know was called
	idle  string        // the message on the last key that did nothing

	shown Kind // what the last drawing shows
	words string
	place Place
	since time.Time // it stands there
	keys  int       // pressed since then
	draws uint64
}

// Put lets a text be shown once it is its turn; "" takes what waits away. What is
// secret in an address is left out.
func (r *Row) Put(k Kind, words string) {
	words = plain.Redact(words)
	waits := r.texts[k]
	n := len(waits)
	switch {
	case words == "":
		r.texts[k] = nil
		return
	case slices.ContainsFunc(waits, func(t text) bool { return t.words == words }):
		return
	case n > 0 && (n >= maxWaiting || !table[k].all && (waits[n-1].drawn || waits[n-1].put == r.draws)):
		waits = waits[:n-1] // the last word of one event stands for it
	}
	r.texts[k] = append(waits[:len(waits):len(waits)], text{words: words, put: r.draws})
}

// Amend replaces a message by one that says more, where it still is.
func (r *Row) Amend(words, by string) {
	words = plain.Redact(words)
	for i := range r.texts[Message] {
		if r.texts[Message][i].words == words {
			r.texts[Message][i].words = plain.Redact(by)
		}
	}
}

// Has reports whether a text of a kind waits or is shown, Last is the newest of
// them, "" for none.
func (r *Row) Has(k Kind) bool { return len(r.texts[k]) > 0 }

func (r *Row) Last(k Kind) string {
	if n := len(r.texts[k]); n > 0 {
		return r.texts[k][n-1].words
	}
	return ""
}

// Take gives what a screen of sentences says at once, oldest first, and empties the
// row of it.
func (r *Row) Take() (said []string) {
	for _, k := range []Kind{Notice, Message, Question} {
		for _, t := range r.texts[k] {
			said = append(said, t.words)
		}
		r.texts[k] = nil
	}
	return said
}

// Key is called at every key, before it is done, and gives what it takes away of what
// stands in the row: a hint, of the place, the offer, or Nothing.
func (r *Row) Key(now time.Time) (gone Kind, of Place) {
	k := r.shown
	switch r.keys++; {
	case table[k].goes == withKey, table[k].goes == withReading && r.keys > 1 && now.Sub(r.since) >= ReadIn:
		r.drop()
		return k, r.place
	}
	return Nothing, Elsewhere
}

// Idle says that a key did nothing, instead of what was said on the one before. Keys
// may come faster than drawings: at the next key that does something it is gone, drawn
// or not.
func (r *Row) Idle(words string) {
	r.forget()
	r.idle = plain.Redact(words)
	r.Put(Message, words)
}

// forget takes away what was said on a key that did nothing.
func (r *Row) forget() {
	r.texts[Message] = slices.DeleteFunc(r.texts[Message], func(t text) bool { return t.words == r.idle })
}

// Done is called at a key that does something: what stood in the row until then was
// about something before.
func (r *Row) Done() {
	if table[r.shown].goes == withDoing {
		r.drop()
	}
	r.forget()
}

// drop takes away what stands in the row.
func (r *Row) drop() {
	if r.shown == Hint {
		r.read[r.place] = true
	}
	if waits := r.texts[r.shown]; len(waits) > 0 {
		r.texts[r.shown] = waits[1:]
	}
	r.shown = Nothing // until the next drawing
}

// choose gives what stands in the row.
func (r *Row) choose(at Place, st *view.Status, w int) (Kind, string) {
	for k := Question; k < State; k++ {
		switch {
		case k == Found && st.About == view.AboutKeys, k == Trouble && st.About == view.AboutTrouble:
			return k, st.State
		case k == Hint && r.known && !r.read[at] && hints[at].long != "":
			return k, hints[at].fitting(w)
		case len(r.texts[k]) > 0 && (table[k].in == nil || table[k].in(at)):
			return k, r.texts[k][0].words
		}
	}
	return State, st.State
}

// Draw gives the last row in w cells, or the lines of a long text, which lie
// over the content; x is the cell of the cursor in a box.
func (r *Row) Draw(s *view.Scene, at Place, st view.Status, box *view.Prompt, w int) (lines []string, x int) {
	r.draws++
	if box != nil {
		r.shown = Box
		return box.Rows(s, w)
	}
	k, words := r.choose(at, &st, w)
	if r.place = at; k != r.shown || words != r.words {
		r.shown, r.words, r.since, r.keys = k, words, s.Now, 0
	}
	if len(r.texts[k]) > 0 {
		r.texts[k][0].drawn = true
	}
	keys := st.Keys
	if !table[k].keys {
		keys = nil
	}
	if long := s.Th.Measure.Width(words) > w-2; !long || table[k].keys && k != Found {
		return []string{line(s, k, words, keys, w)}, 0
	}
	lines = folded(s, words, w)
	end := strings.TrimRight(lines[len(lines)-1], " ")
	if room := w - s.Th.Measure.Width(end) - 2; room > 0 {
		right := s.Th.Words(keys, room)
		lines[len(lines)-1] = s.Th.Fit(end, w-s.Th.Measure.Width(right)) + right
	}
	return lines, 0
}

// folded is a long text in as many lines as it takes, of at most the screen but three.
// Where two lines do and it has groups, with two blanks between them, such as a key and
// its count, no group is broken if that can be.
func folded(s *view.Scene, words string, w int) []string {
	fits := func(text string) bool { return s.Th.Measure.Width(text) <= w-1 }
	for at := len(words); at > 0; {
		if at = strings.LastIndex(words[:at], "  "); at > 0 && fits(words[:at]) {
			if rest := words[at+2:]; fits(rest) {
				return s.FitAll([]string{" " + words[:at], " " + rest}, w)
			}
			break
		}
	}
	lines := s.FitAll(s.Wrap(words, 1, w), w)
	if most := max(2, s.H-3); len(lines) > most {
		lines = append(lines[:most-1], s.Th.Fit(strings.TrimRight(lines[most-1], " ")+" "+strings.TrimSpace(lines[most]), w))
	}
	return lines
}

// line is a text with the keys that fit at its right.
func line(s *view.Scene, k Kind, words string, keys []string, w int) string {
	left := " " + words
	room := w - s.Th.Measure.Width(left) - 2
	right := ""
	if room > 0 {
		right = s.Th.Words(keys, room)
	}
	if s.Th.Measure.Width(right) > room {
		right = ""
	}
	if n := len(keys); right == "" && n > 0 && w >= view.Wide && k != Hint {
		right = "  " + keys[n-1] // a long state gives way to the one key that leads to the others
	}
	return s.Th.Fit(left, w-s.Th.Measure.Width(right)) + right
}

// Know says which hints were read before, by their names: from now on the others are
// shown.
func (r *Row) Know(names []string) {
	r.known = true
	for p := range hints {
		if hints[p].name != "" && slices.Contains(names, hints[p].name) {
			r.read[p] = true
		}
	}
}

// Read are the names of the hints that were read.
func (r *Row) Read() (names []string) {
	for p := range hints {
		if r.read[p] && hints[p].name != "" {
			names = append(names, hints[p].name)
		}
	}
	return names
}
