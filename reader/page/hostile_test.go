package page

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
)

// maker makes about n bytes of a page, another one for every seed.
type maker struct {
	name string
	make func(seed uint64, n int) []byte
}

// of repeats what piece writes until there are n bytes.
func of(piece func(b *bytes.Buffer, r *rand.Rand, i int)) func(seed uint64, n int) []byte {
	return func(seed uint64, n int) []byte {
		r := rand.New(rand.NewPCG(seed, 7))
		var b bytes.Buffer
		for i := 0; b.Len() < n; i++ {
			piece(&b, r, i)
		}
		return b.Bytes()
	}
}

// word is a pseudo-word of four to six letters; below is how many there are.
func word(k int) string {
	var b [6]byte
	for i := range b {
		b[i] = 'a' + byte(k%26)
		k /= 26
	}
	return strings.TrimRight(string(b[:]), "a") + "q"
}

// makers are the pages made to be slow or large: each puts as much as it can of
// one thing into a byte, or defeats one shortcut.
func makers() []maker {
	f := fmt.Fprintf
	letter := func(r *rand.Rand, k int) byte { return 'a' + byte(r.IntN(k)) }
	one := func(format string, letters int) func(uint64, int) []byte {
		return of(func(b *bytes.Buffer, r *rand.Rand, _ int) { f(b, format, letter(r, letters)) })
	}
	numbered := func(format string, most int) func(uint64, int) []byte {
		return of(func(b *bytes.Buffer, r *rand.Rand, _ int) { f(b, format, r.IntN(most)) })
	}
	same := func(piece string) func(uint64, int) []byte {
		return func(_ uint64, n int) []byte { return []byte(strings.Repeat(piece, n/len(piece)+1)) }
	}
	return []maker{
		{"letters", one("%c ", 26)}, {"two letters", one("%c ", 2)}, {"letters in b", one("<b>%c</b>", 26)},
		{"paragraphs", one("<p>%c", 26)}, {"paragraphs of two", one("<p>%c", 2)}, {"numbers", numbered("<p>%d", 10)},
		{"signs", of(func(b *bytes.Buffer, r *rand.Rand, _ int) { b.WriteByte(`"'()*!?;`[r.IntN(8)]) })},
		{"signs and letters", of(func(b *bytes.Buffer, r *rand.Rand, _ int) { b.WriteByte(letter(r, 26)); b.WriteByte(`"*;-`[r.IntN(4)]) })},
		{"bytes", of(func(b *bytes.Buffer, r *rand.Rand, _ int) { b.WriteByte(byte(r.IntN(256))) })},
		{"one token", func(seed uint64, n int) []byte { return bytes.Repeat([]byte{'a' + byte(seed%26)}, n) }},
		{"tags", of(func(b *bytes.Buffer, r *rand.Rand, _ int) {
			b.WriteString([]string{"<b>", "<i>", "</b>", "</i>"}[r.IntN(4)])
		})},
		{"distinct tags", numbered("<x%d>", 1<<30)},
		{"nested", of(func(b *bytes.Buffer, r *rand.Rand, _ int) { f(b, "<div>%c ", letter(r, 3)) })},
		{"distinct words", of(func(b *bytes.Buffer, r *rand.Rand, _ int) { b.WriteString(word(r.IntN(1<<27)) + " ") })},
		{"short words", of(func(b *bytes.Buffer, r *rand.Rand, _ int) {
			f(b, "%c%c%c ", letter(r, 26), letter(r, 26), letter(r, 26))
		})},
		{"one word", same("word ")},
		{"two words", func(seed uint64, n int) []byte {
			return []byte(strings.Repeat([]string{"tick tock ", "tock tick "}[seed%2], n/10))
		}},
		{"table", of(func(b *bytes.Buffer, r *rand.Rand, i int) {
			if i%20 == 0 {
				b.WriteString("<tr>")
			}
			f(b, "<td>%d", r.IntN(100))
		})},
		{"characters", of(func(b *bytes.Buffer, r *rand.Rand, _ int) { b.WriteRune(rune(0x4E00 + r.IntN(2000))) })},
		{"marks", of(func(b *bytes.Buffer, r *rand.Rand, _ int) { f(b, "%c\u0bbf", rune(0x0b95+r.IntN(3))) })},
		{"references", of(func(b *bytes.Buffer, r *rand.Rand, _ int) { f(b, "&#%d;", 33+r.IntN(90)) })},
		{"bare references", of(func(b *bytes.Buffer, r *rand.Rand, _ int) { b.WriteString([]string{"&", "&lt", "&a", "&#"}[r.IntN(4)]) })},
		{"less than", of(func(b *bytes.Buffer, r *rand.Rand, _ int) { b.WriteString([]string{"<", "< ", "<<1"}[r.IntN(3)]) })},
		{"open comments", of(func(b *bytes.Buffer, r *rand.Rand, _ int) {
			b.WriteString([]string{"<!-->", "<!", "<!---->", "<?>"}[r.IntN(4)])
		})},
		{"attributes", func(seed uint64, n int) []byte {
			return append([]byte("<a "), of(func(b *bytes.Buffer, r *rand.Rand, i int) { f(b, "x%d=%d ", i, r.IntN(10)) })(seed, n)...)
		}},
		{"long address", func(seed uint64, n int) []byte {
			return []byte(`<a href="` + strings.Repeat([]string{"/a.b-c", "&amp;x=1;"}[seed%2], n/9) + `">x</a>`)
		}},
		{"links of few letters", of(func(b *bytes.Buffer, r *rand.Rand, _ int) {
			f(b, "<a href=%c%c%c%c>", letter(r, 26), letter(r, 26), letter(r, 26), letter(r, 26))
		})},
		{"queries", of(func(b *bytes.Buffer, r *rand.Rand, i int) { f(b, "<a href=/%d?v=%d>x</a>", i, r.IntN(100)) })},
		{"links", numbered("<a href=/%d>x</a>", 1<<30)}, {"images", numbered("<img src=%d.png>", 1<<30)},
		{"fields", numbered("<input name=f%x>", 1<<30)}, {"lists", numbered("<li>x y z w %d", 3)},
		{"headings", of(func(b *bytes.Buffer, r *rand.Rand, _ int) { f(b, "<h%d>%c", 1+r.IntN(6), letter(r, 26)) })},
		{"headings closed", of(func(b *bytes.Buffer, r *rand.Rand, _ int) { f(b, "<h%d>%c</h1>y", 1+r.IntN(6), letter(r, 26)) })},
		{"counters", numbered("<p>place %d here", 1<<30)}, {"ages", numbered("<li>%d minutes ago", 1<<10)},
		{"lines", of(func(b *bytes.Buffer, r *rand.Rand, _ int) { f(b, "%c\n", letter(r, 26)) })},
		{"forms", numbered("<form><input name=a>%d</form>", 1<<20)},
		{"quiet", one("<title>%c</title>", 26)}, {"addresses", numbered("a@b%d.c ", 1<<30)},
		{"prices", numbered("%d \u20ac ", 1<<30)},
	}
}

// hostilePair is two hostile pages.
type hostilePair struct {
	name string
	a, b []byte
}

// hostilePairs are pairs of n bytes a side: each page with another of its
// kind, with itself but for little, with its words turned round and shuffled,
// and with a page of another kind.
func hostilePairs(n int) []func() hostilePair {
	var out []func() hostilePair
	list := makers()
	for i, m := range list {
		other := list[(i*7+3)%len(list)]
		out = append(out,
			func() hostilePair { return hostilePair{m.name, m.make(1, n), m.make(2, n)} },
			func() hostilePair { a := m.make(1, n); return hostilePair{m.name + ", edited", a, edited(a)} },
			func() hostilePair {
				return hostilePair{m.name + " against " + other.name, m.make(1, n), other.make(2, n)}
			})
	}
	for _, name := range []string{"distinct words", "letters", "paragraphs", "counters"} {
		for _, m := range list {
			if m.name == name {
				out = append(out,
					func() hostilePair { a := m.make(1, n); return hostilePair{name + ", reversed", a, reversed(a)} },
					func() hostilePair { a := m.make(1, n); return hostilePair{name + ", shuffled", a, shuffled(a)} })
			}
		}
	}
	return append(out, func() hostilePair { return hostilePair{"nothing against letters", nil, list[0].make(1, n)} })
}

// edited replaces a few bytes of a page and takes a few out.
func edited(a []byte) []byte {
	b := bytes.Clone(a)
	for k := 1; k < 4; k++ {
		copy(b[k*len(b)/4:], " other ")
	}
	return append(b[:len(b)/8:len(b)/8], b[len(b)/8+100:]...)
}

// pieces cuts a page before each tag, or else at its spaces.
func pieces(a []byte) [][]byte {
	cut := byte(' ')
	if bytes.IndexByte(a, '<') >= 0 {
		cut = '<'
	}
	var out [][]byte
	for len(a) > 0 {
		i := bytes.IndexByte(a[1:], cut) + 1
		if i == 0 {
			i = len(a)
		}
		out, a = append(out, a[:i]), a[i:]
	}
	return out
}

func reversed(a []byte) []byte {
	list := pieces(a)
	for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
	return bytes.Join(list, nil)
}

func shuffled(a []byte) []byte {
	list := pieces(a)
	rand.New(rand.NewPCG(5, 5)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return bytes.Join(list, nil)
}
