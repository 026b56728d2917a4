package match

import (
	"fmt"
	"html"
	"math/rand/v2"
	"strings"
	"testing"

	"diurna/reader/feed"
	"diurna/store/storetest"
)

// twinDoc is a feed whose items differ in nothing but their texts.
func twinDoc(t *testing.T, name string, texts ...string) feed.Document {
	t.Helper()
	var b strings.Builder
	b.WriteString(`<rss version="2.0"><channel><title>Twins</title>`)
	for _, text := range texts {
		fmt.Fprintf(&b, "<item>%s<title>Notice</title><description>%s</description></item>", name, html.EscapeString(text))
	}
	doc, err := feed.Parse(feed.Input{Body: []byte(b.String() + "</channel></rss>")})
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

var twinNames = []string{
	`<guid isPermaLink="false">1</guid><link>https://x.example/n</link>`,
	`<link>https://x.example/n</link>`,
	`<guid isPermaLink="false">1</guid><link>https://x.example/n</link><pubDate>Mon, 02 Feb 2026 08:00:00 GMT</pubDate>`,
	``,
}

// Items that only their texts tell apart stay apart; each edit is an edit of the one
// whose text it is nearest to, whichever of them are in the document.
func TestTwinsAndTheirEdits(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	words := strings.Fields("harbour ferry north quay closed until noon because storm wind tide market stalls open library lecture river level bridge works detour bus line")
	for _, name := range twinNames {
		f := newFiler(t, t.TempDir())
		texts := make([][]string, 4)
		for i := range texts {
			for range 12 {
				texts[i] = append(texts[i], fmt.Sprintf("%s%d", words[rng.IntN(len(words))], i))
			}
		}
		serve := func(which []int) feed.Document {
			var all []string
			for _, i := range which {
				all = append(all, strings.Join(texts[i], " "))
			}
			return twinDoc(t, name, all...)
		}
		if got := f.file(serve([]int{0, 1, 2, 3})); got != 4 {
			t.Fatalf("%s: %d of 4 items came in", name, got)
		}
		ids := map[string]int{} // of an item: which of the twins it is
		for n := range storetest.Size(40, 250) {
			i := rng.IntN(len(texts))
			for range 1 + rng.IntN(3) {
				texts[i][rng.IntN(12)] = fmt.Sprintf("%s%d%d", words[rng.IntN(len(words))], i, n)
			}
			which := rng.Perm(4)[:1+rng.IntN(4)]
			which = append(which, i)
			if got := f.file(serve(which)); got != 0 {
				t.Fatalf("%s, edit %d: %d items are new", name, n, got)
			}
			for _, row := range f.rows() {
				b, err := f.s.Body(t.Context(), row.ID)
				if err != nil {
					t.Fatal(err)
				}
				word := strings.TrimLeft(strings.Fields(b.HTML)[0], "abcdefghijklmnopqrstuvwxyz")
				if was, ok := ids[row.ID.String()]; ok && was != int(word[0]-'0') {
					t.Fatalf("%s, edit %d: an edit went to another item: %s", name, n, b.HTML)
				}
				ids[row.ID.String()] = int(word[0] - '0')
			}
		}
		if rows := f.rows(); len(rows) != 4 {
			t.Errorf("%s: %d items", name, len(rows))
		}
		if got := f.file(twinDoc(t, name, strings.Join(texts[0], " "), "A wholly different announcement about something else")); got != 1 {
			t.Errorf("%s: a fifth twin: %d new items", name, got)
		}
		f.close()
	}
}
