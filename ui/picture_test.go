package ui

import (
	"encoding/xml"
	"flag"
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"diurna/reader"
)

// pictures are those that README shows: a name, what the picture is of, and
// the keys that lead there from River.
var pictures = []struct {
	name, alt string
	keys      string
	high      int // rows; all are 80 columns wide
}{
	{"river", "River: every feed's items, newest first", "j", 24},
	{"article", "An article, its links numbered", "enter", 24},
	{"diff", "What changed on a watched page, the words in brackets", "5 enter n", 24},
	{"ranked", "Ranked, and why a row stands where it stands", "3 j w", 24},
	{"pages", "Pages: what is watched, what changed last and how much that matters", "5", 8},
	{"feeds", "Feeds: folders, numbers of unread, the last post and the next fetch", "2 j j", 13},
}

// TestPictures holds docs/pictures to what the screen draws; -update draws
// them again.
func TestPictures(t *testing.T) {
	for _, p := range pictures {
		t.Run(p.name, func(t *testing.T) {
			d := newDesk(t, pictureLibrary(), 80, p.high, func(o *Options) { o.Config.Theme = "dark" })
			d.m.Scene.Th = d.m.look.theme()
			d.press(strings.Fields(p.keys)...)
			got := svg(p.alt, d.screen(), 80, p.high, dark)
			path := filepath.Join("..", "docs", "pictures", p.name+".svg")
			if f := flag.Lookup("update"); f != nil && f.Value.String() == "true" {
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s is not what the screen draws now: go test ./ui -run TestPictures -update", path)
			}
			if err := xml.Unmarshal([]byte(got), new(struct{})); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		})
	}
}

// TestReadmeShowsThePictures: each of them stands in README.
func TestReadmeShowsThePictures(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pictures {
		if want := fmt.Sprintf("![%s](docs/pictures/%s.svg)", p.alt, p.name); !strings.Contains(string(readme), want) {
			t.Errorf("README has no %s", want)
		}
	}
}

// TestSVG: a wide character takes two columns, what is reversed has a ground,
// and what XML would take for itself is written out.
func TestSVG(t *testing.T) {
	got := svg("a & b", "港 x<y\n\x1b[7mon\x1b[m  \x1b[1mbold\x1b[m \x1b[2mfaint\x1b[m", 20, 2, dark)
	for _, want := range []string{"<title>a &amp; b</title>", fmt.Sprintf(`x="%d" y="%d" textLength="%d">港<`, margin, margin+ascent, 2*cellWide),
		fmt.Sprintf(`x="%d" y="%d" textLength="%d">x&lt;y<`, margin+3*cellWide, margin+ascent, 3*cellWide),
		fmt.Sprintf(`<rect x="%d" y="%d" width="%d" height="%d"`, margin, margin+cellHigh, 2*cellWide, cellHigh),
		`font-weight="bold"`, `fill-opacity="0.6"`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}

// pictureLibrary is the tests' library with enough in it to fill a screen.
func pictureLibrary() *fake {
	f := withPages(newFake())
	f.interest.opens = 40
	more := []struct {
		feed  int
		when  time.Duration // before noon
		title string
		flags reader.Flags
	}{
		{2, 40, "Page checksums cost less than you think", 0}, {6, 43, "Rye at altitude", 0}, {3, 46, "Council votes for the second breakwater", 0},
		{1, 49, "A scheduler that sleeps", reader.FlagRead}, {4, 51, "灯台の夜", 0}, {2, 66, "What fsync promises on four file systems", reader.FlagSaved},
		{6, 69, "Seeds, salt and a slow oven", 0}, {3, 71, "Fish market: prices of the week", 0}, {1, 74, "Allocators, and who is left holding the page", 0},
		{2, 90, "Vacuum, compaction and other housework", 0},
	}
	rows := f.rows[:len(f.rows)-2]
	old := append([]reader.Row(nil), f.rows[len(f.rows)-2:]...)
	for i, r := range more {
		rows = append(rows, reader.Row{ID: item(r.feed, 90-i), At: noon.Add(-r.when * time.Hour).Unix(), Title: r.title, Words: uint32(300 + 97*i), Flags: r.flags})
	}
	f.rows = append(rows, old...)
	f.count()
	return f
}

// The form of a picture, in pixels. A monospaced letter is 0.6 of its size wide.
const (
	cellWide, cellHigh = 9, 19
	fontSize, ascent   = 15, 14
	margin             = 12
)

// The ground and the letters of a dark terminal.
var dark = paper{ground: "#1e2127", ink: "#d7dae0"}

// paper is what a terminal shows where nothing else was said.
type paper struct{ ground, ink string }

// svg draws a frame of w by h cells: the text of each piece of one style at
// its column, stretched to the cells it takes, so that columns hold in
// whatever font the reader has.
func svg(alt, frame string, w, h int, on paper) string {
	buf := uv.NewScreenBuffer(w, h)
	buf.Method = ansi.GraphemeWidth
	uv.NewStyledString(strings.ReplaceAll(frame, "\n", "\r\n")).Draw(buf, buf.Bounds())
	var b strings.Builder
	wide, high := w*cellWide+2*margin, h*cellHigh+2*margin
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img">`+"\n", wide, high, wide, high)
	fmt.Fprintf(&b, "<title>%s</title>\n", escaped(alt))
	fmt.Fprintf(&b, `<rect width="%d" height="%d" rx="6" fill="%s"/>`+"\n", wide, high, on.ground)
	fmt.Fprintf(&b, `<g font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="%d" fill="%s" xml:space="preserve">`+"\n", fontSize, on.ink)
	for y := range h {
		for x := 0; x < w; {
			x = drawRun(&b, buf, x, y, on)
		}
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

// drawRun draws what begins in a cell and has one style, up to a wide
// character or to two blanks, and gives the cell after it.
func drawRun(b *strings.Builder, buf uv.ScreenBuffer, x, y int, on paper) int {
	first := buf.CellAt(x, y)
	filled := first != nil && (first.Style.Attrs&uv.AttrReverse != 0 || first.Style.Bg != nil)
	if blank(first) && !filled {
		return x + 1
	}
	text, end := "", x
	for end < buf.Width() {
		c := buf.CellAt(end, y)
		if c == nil || !c.Style.Equal(&first.Style) || c.Width > 1 && end > x {
			break
		}
		if next := buf.CellAt(end+1, y); blank(c) && (next == nil || blank(next)) && !filled {
			break
		}
		text += c.Content
		end += max(1, c.Width)
		if c.Width > 1 {
			break
		}
	}
	left, top, long := margin+x*cellWide, margin+y*cellHigh, (end-x)*cellWide
	attrs := styleOf(&first.Style)
	ink, ground := hex(first.Style.Fg, on.ink), hex(first.Style.Bg, on.ground)
	if first.Style.Attrs&uv.AttrReverse != 0 {
		ink, ground = ground, ink
	}
	if filled {
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`+"\n", left, top, long, cellHigh, ground)
	}
	if ink != on.ink {
		attrs += ` fill="` + ink + `"`
	}
	fmt.Fprintf(b, `<text%s x="%d" y="%d" textLength="%d">%s</text>`+"\n", attrs, left, top+ascent, long, escaped(text))
	return end
}

func blank(c *uv.Cell) bool { return c == nil || strings.TrimSpace(c.Content) == "" }

// styleOf gives the attributes of a text but for its colours.
func styleOf(s *uv.Style) string {
	attrs := ""
	if s.Attrs&uv.AttrBold != 0 {
		attrs += ` font-weight="bold"`
	}
	if s.Attrs&uv.AttrFaint != 0 {
		attrs += ` fill-opacity="0.6"`
	}
	if s.Attrs&uv.AttrItalic != 0 {
		attrs += ` font-style="italic"`
	}
	if s.Underline != uv.UnderlineNone {
		attrs += ` text-decoration="underline"`
	}
	return attrs
}

// hex gives a colour as SVG writes it, or what stands for none.
func hex(c color.Color, none string) string {
	if c == nil {
		return none
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

func escaped(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder takes everything
	return b.String()
}
