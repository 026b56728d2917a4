package main

import (
	"encoding/xml"
	"fmt"
	"image/color"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"
)

// The form of the picture, in pixels; the same as that of the other pictures.
const (
	cellWide, cellHigh = 9, 19
	fontSize, ascent   = 15, 14
	margin             = 12
	ground, ink, quiet = "#1e2127", "#d7dae0", "#8b93a1"
)

// drawRow draws a row of the screen as at the top of the picture: the text of each
// piece of one style at its column, stretched to the cells it takes.
func drawRow(emu *vt.SafeEmulator, y int) string {
	var b strings.Builder
	for x := 0; x < cols; {
		x = drawRun(&b, emu, x, y)
	}
	return b.String()
}

// drawRun draws what begins in a cell and has one style, up to a wide character or
// to two blanks, and gives the cell after it.
func drawRun(b *strings.Builder, emu *vt.SafeEmulator, x, y int) int {
	first := emu.CellAt(x, y)
	filled := first != nil && (first.Style.Attrs&uv.AttrReverse != 0 || first.Style.Bg != nil)
	if blank(first) && !filled {
		return x + 1
	}
	text, end := "", x
	for end < cols {
		c := emu.CellAt(end, y)
		if c == nil || !c.Style.Equal(&first.Style) || c.Width > 1 && end > x {
			break
		}
		if blank(c) && !filled && (end+1 >= cols || blank(emu.CellAt(end+1, y))) {
			break
		}
		if c.Content == "" {
			text += " "
		}
		text += c.Content
		end += max(1, c.Width)
		if c.Width > 1 {
			break
		}
	}
	end = max(end, x+1)
	left, long := margin+x*cellWide, (end-x)*cellWide
	fore, back := hex(first.Style.Fg, ink), hex(first.Style.Bg, ground)
	if first.Style.Attrs&uv.AttrReverse != 0 {
		fore, back = back, fore
	}
	if filled {
		fmt.Fprintf(b, `<rect x="%d" width="%d" height="%d" fill="%s"/>`, left, long, cellHigh, back)
	}
	if strings.TrimSpace(text) != "" {
		attrs := styleOf(&first.Style)
		if fore != ink {
			attrs += ` fill="` + fore + `"`
		}
		fmt.Fprintf(b, `<text%s x="%d" y="%d" textLength="%d">%s</text>`, attrs, left, ascent, long, escaped(text))
	}
	return end
}

func blank(c *uv.Cell) bool { return c == nil || strings.TrimSpace(c.Content) == "" }

func styleOf(s *uv.Style) (attrs string) {
	for _, a := range []struct {
		on   bool
		text string
	}{
		{s.Attrs&uv.AttrBold != 0, ` font-weight="bold"`}, {s.Attrs&uv.AttrFaint != 0, ` fill-opacity="0.6"`},
		{s.Attrs&uv.AttrItalic != 0, ` font-style="italic"`}, {s.Underline != uv.UnderlineNone, ` text-decoration="underline"`},
	} {
		if a.on {
			attrs += a.text
		}
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

// movie puts the frames side by side on a strip that jumps from one to the next.
// A row that stands in several frames is drawn once.
func movie(alt string, frames []frame) string {
	const wide, high = cols*cellWide + 2*margin, (rows+2)*cellHigh + 2*margin
	total := 0.0
	for _, f := range frames {
		total += f.seconds
	}
	var defs, strip, keys strings.Builder
	known := map[string]string{}
	at := 0.0
	for i, f := range frames {
		fmt.Fprintf(&keys, "%.3f%%{transform:translateX(%dpx)}", 100*at/total, -i*wide)
		at += f.seconds
		fmt.Fprintf(&strip, "<g transform=\"translate(%d)\">", i*wide)
		for y, row := range f.rows {
			if row == "" {
				continue
			}
			if known[row] == "" {
				known[row] = fmt.Sprintf("r%d", len(known))
				fmt.Fprintf(&defs, "<g id=%q>%s</g>\n", known[row], row)
			}
			fmt.Fprintf(&strip, `<use href="#%s" y="%d"/>`, known[row], margin+y*cellHigh)
		}
		fmt.Fprintf(&strip, "<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text></g>\n", margin, margin+(rows+1)*cellHigh+ascent, quiet, escaped(f.says))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\">\n<title>%s</title>\n", wide, high, wide, high, escaped(alt))
	fmt.Fprintf(&b, "<style>@keyframes film{%s}.film{animation:film %.1fs step-end infinite}</style>\n<defs>\n%s</defs>\n", keys.String(), total, defs.String())
	fmt.Fprintf(&b, "<rect width=\"%d\" height=\"%d\" rx=\"6\" fill=\"%s\"/>\n", wide, high, ground)
	fmt.Fprintf(&b, "<g font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"%d\" fill=\"%s\" xml:space=\"preserve\">\n<g class=\"film\">\n%s</g></g>\n</svg>\n",
		fontSize, ink, strip.String())
	return b.String()
}
