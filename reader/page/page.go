// Package page aligns two versions of a page (LOCTAGS), says what changed and
// how much it matters. Start with Compare; Align gives the bare edit script.
package page

// Kind is what a token of a page is.
type Kind uint8

// The kinds of token.
const (
	Tag     Kind = iota // a start, end or empty tag with its attributes
	Word                // a word, number, price or address
	Space               // white space
	Punct               // signs that are part of no word
	Raw                 // code: the content of script and style
	Comment             // comments and declarations
)

// OpKind says what a step of a script does.
type OpKind uint8

// The kinds of step.
const (
	Equal  OpKind = iota // the same bytes on both sides
	Delete               // bytes of the old page only
	Insert               // bytes of the new page only
)

// Op is one step of an edit script: A are bytes [from, to) of the old page, B
// of the new one. Equal and deleted ranges tile the old page, equal and
// inserted ranges the new one; equal means equal byte for byte. Pages are
// below 1 GiB; longer ones are replaced whole.
type Op struct {
	Kind OpKind
	A, B [2]int32
}

// Engine names a way to align.
type Engine string

// The engines.
const (
	Blocks  Engine = ""        // block anchors, then words, then tags
	Loctags Engine = "loctags" // the paper's, taken literally: a baseline
)

// Align returns the edit script from a to b. It is deterministic, takes
// O(N log N) to O(N^1.5) operations with a budget for the worst case, and
// never fails.
func Align(a, b []byte, e Engine) []Op {
	return read(a, b, e).script()
}
