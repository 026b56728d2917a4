package cells

import (
	"strings"
	"testing"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func TestFit(t *testing.T) {
	for _, c := range []struct {
		in   string
		w    int
		want string
	}{
		{"", 3, "   "},
		{"abc", 3, "abc"},
		{"abc", 5, "abc  "},
		{"abcdef", 4, "abc…"},
		{"abc", 0, ""},
		{"abc", -2, ""},
		{"abc", 1, "…"},
		{"港の便り", 8, "港の便り"},
		{"港の便り", 7, "港の便…"},
		{"港の便り", 6, "港の… "}, // a third wide character would stand across the edge
		{"港の便り", 2, "… "},
		{"cafe\u0301s", 5, "caf\u00e9s"},         // composed: the renderer loses marks on ASCII letters
		{"\u0301abc", 4, "abc "},                 // a mark without a base
		{"a\u202eb\u2066c\u00ad", 4, "abc "},     // bidi controls, soft hyphen
		{"👨\u200d👩\u200d👧", 6, "👨👩👧"},            // joiners
		{"❤\ufe0f!", 3, "❤! "},                   // VS16
		{"👍🏽!", 3, "👍!"},                         // skin tone
		{"🇩🇪 x", 4, "DE x"},                      // flag
		{"a\tb\nc", 5, "a b c"},                  // white space of a line
		{"\x1b[31mred\x07\u009b", 8, "[31mred "}, // no control survives
		{"\xff\xfe", 3, "�� "},                   // not UTF-8
		{"می\u200cخواهم", 8, "می\u200cخواهم "},   // spelling
		{"र्त्स्न्य", 6, "र्त्स्न् य"}, // five consonants, more than the renderer's four cells
		{"\u05d0" + strings.Repeat("\u05b8", 40), 2, "\u05d0" + strings.Repeat("\u05b8", 8) + " "},
	} {
		if got := Fit(c.in, c.w); got != c.want {
			t.Errorf("Fit(%q, %d) = %q, want %q", c.in, c.w, got, c.want)
		}
	}
}

func TestMark(t *testing.T) {
	m := Measure{ASCII: true}
	for w, want := range []string{"", ".", "..", "...", "a...", "ab...", "abcdef"} {
		if got := m.Fit("abcdef", w); got != want {
			t.Errorf("Fit(abcdef, %d) in ASCII = %q, want %q", w, got, want)
		}
	}
	if got := m.Cut("港の便り", 6); got != "港..." {
		t.Errorf("Cut in ASCII = %q", got)
	}
	if got := PadLeft("214", 6) + PadLeft("12345", 4); got != "   214123…" {
		t.Errorf("PadLeft = %q", got)
	}
}

// anyText draws strings that are rich in what breaks columns.
func anyText() *rapid.Generator[string] {
	awkward := rapid.SampledFrom([]rune{
		'港', '👨', '👍', 0x1f3fd, 0x200d, 0xfe0f, 0x301, 0x202e, 0xad, 0x1f1e9, 0x1f1ea, 0x600,
		0x928, 0x93f, 0x915, 0x94d, 0x937, 0xe01, 0xe33, 0x1100, 0x1161, 0x11a8, 0x200c, 0x6af,
		0x20e3, '1', 0x1b, 0x9b, '\t', 0xfffd, 0x3000, 0xac00, 0x115f, 0x0d4e, 0xe0041, 0x2764,
	})
	one := rapid.OneOf(rapid.Rune(), awkward, rapid.RuneFrom([]rune("abc ")))
	return rapid.Custom(func(t *rapid.T) string {
		s := string(rapid.SliceOfN(one, 0, 40).Draw(t, "text"))
		if rapid.Bool().Draw(t, "broken") {
			s += string(rapid.SliceOfN(rapid.Byte(), 0, 8).Draw(t, "bytes"))
		}
		return s
	})
}

func TestFitIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, w := anyText().Draw(t, "s"), rapid.IntRange(0, 60).Draw(t, "w")
		m := Measure{Graphemes: rapid.Bool().Draw(t, "graphemes"), ASCII: rapid.Bool().Draw(t, "ascii")}
		for name, got := range map[string]string{"Fit": m.Fit(s, w), "PadLeft": m.PadLeft(s, w)} {
			if n := m.Width(got); n != w {
				t.Fatalf("%s(%q, %d) = %q: %d cells", name, s, w, got, n)
			}
			// What the renderer draws is what moves columns.
			if n := drawn(m, got); n != w {
				t.Fatalf("%s(%q, %d) = %q: the renderer draws %d cells", name, s, w, got, n)
			}
			if strings.ContainsFunc(got, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 }) || !utf8.ValidString(got) {
				t.Fatalf("%s(%q, %d) = %q lets a control through", name, s, w, got)
			}
		}
		if cut := m.Cut(s, w); m.Width(cut) > w || m.Width(s) <= w && m.Width(cut) != m.Width(s) {
			t.Fatalf("Cut(%q, %d) = %q", s, w, cut)
		}
		if c := Clean(s); (Measure{}).clean(c) != c || Width(c) != Width(s) {
			t.Fatalf("clean is not idempotent on %q", s)
		}
	})
}

// drawn counts the cells the screen's renderer fills with s.
func drawn(m Measure, s string) (n int) {
	s = strings.ReplaceAll(s, "|", "/") // the mark of the end below
	method := ansi.WcWidth
	if m.Graphemes {
		method = ansi.GraphemeWidth
	}
	scr := uv.NewScreenBuffer(80, 1)
	scr.Method = method
	uv.NewStyledString(s+"|").Draw(scr, scr.Bounds())
	for n < 80 && scr.CellAt(n, 0).Content != "|" {
		n++
	}
	return n
}

// TestColumnsStayApart puts three columns together: what one holds must not
// change the width of the next.
func TestColumnsStayApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := anyText().Draw(t, "a"), anyText().Draw(t, "b"), anyText().Draw(t, "c")
		row := Fit(a, 7) + " " + Fit(b, 16) + " " + Fit(c, 40)
		if n := drawn(Measure{}, row); n != 65 {
			t.Fatalf("%q takes %d cells instead of 65", row, n)
		}
	})
}

func BenchmarkFit(b *testing.B) {
	for _, c := range []struct{ name, in string }{
		{"ascii", "The new block layer, six months on, and what it cost"},
		{"short", "Kernel Notes"},
		{"cjk", "三月の潮と港の工事について、あるいは灯台の話"},
		{"emoji", "Ferry 3 🚢 out of service until Monday 👨\u200d👩\u200d👧"},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_ = Fit(c.in, 40)
			}
		})
	}
}

func TestFitAllocates(t *testing.T) {
	long := "The new block layer, six months on, and what it cost"
	for name, c := range map[string]struct {
		in   string
		w    int
		most float64
	}{"exact": {long[:40], 40, 0}, "cut": {long, 40, 1}, "padded": {"Kernel Notes", 40, 1}} {
		if n := testing.AllocsPerRun(100, func() { sink = Fit(c.in, c.w) }); n > c.most {
			t.Errorf("%s: %.0f allocations, want at most %.0f", name, n, c.most)
		}
	}
}

var sink string

// TestEmojiStayWhole: sequences that a terminal with mode 2027 shows as one
// sign are kept for it, and for no other.
func TestEmojiStayWhole(t *testing.T) {
	whole, single := Measure{Graphemes: true}, Measure{}
	for _, c := range []struct {
		in, single string
		emoji      bool
	}{
		{"👨\u200d👩\u200d👧\u200d👦", "👨👩👧👦", true},
		{"👍🏽", "👍", true},
		{"❤\ufe0f", "❤", true},
		{"🇩🇪", "DE", true},
		{"👩🏽\u200d❤\ufe0f\u200d👨🏿", "👩❤👨", true},
		{"🚢", "🚢", false}, // one code point: there is nothing to keep together
		{"🇩", "D", false},
		{"🏴\U000e0067\U000e0062\U000e007f", "🏴", false}, // tags are text that nobody sees
		{"1\ufe0f", "1", false},
		{"👩\u200d", "👩", false},
		{"a\u200db", "ab", false},
		{"e\u0301", "é", false},
	} {
		if got := EmojiSequence(c.in); got != c.emoji {
			t.Errorf("EmojiSequence(%q) = %v", c.in, got)
		}
		if got := single.Clean(c.in); got != c.single {
			t.Errorf("Clean(%q) = %q, want %q", c.in, got, c.single)
		}
		want := c.single
		if c.emoji {
			want = c.in
			if got := whole.Fit(c.in+"x", 2); got != "…" && got != "… " {
				t.Errorf("Fit(%q, 2) = %q", c.in+"x", got)
			}
			if got := whole.Fit(c.in, 3); got != c.in+" " {
				t.Errorf("Fit(%q, 3) = %q", c.in, got)
			}
		}
		if got := whole.Clean(c.in); got != want || whole.Clean(got) != got {
			t.Errorf("by clusters Clean(%q) = %q, want %q", c.in, got, want)
		}
	}
}
