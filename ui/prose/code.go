package prose

import "strings"

// verbatim writes preformatted text: indented by 4, its blanks kept. A line
// that is too long goes on in the next one, behind a mark in the indent.
// Scrolling sideways would hide the ends of lines until a key brings them, take
// the beginnings away meanwhile, and be nothing for a pipe.
func (b *builder) verbatim(all string, room int) {
	blanks := "    "[:min(4, room/4)]
	mark := blanks[:max(0, len(blanks)-2)] + b.marks.continued
	if len(blanks) < 2 {
		mark = strings.TrimSpace(b.marks.continued)
		blanks = " "
	}
	at := 0
	for _, l := range strings.Split(all, "\n") {
		if l == "" {
			b.line(nil)
			at++
			continue
		}
		lead := Span{Text: blanks, Style: Code}
		for from := 0; from < len(l); {
			to := len(l)
			if !b.WholeCode {
				to = from + b.breakCode(l[from:], room-len(blanks))
			}
			b.line(b.para.spans(all, at+from, at+to, []Span{lead}))
			lead = Span{Text: mark, Style: Code | Dim}
			from = to
		}
		at += len(l) + 1
	}
}

// breakCode gives how many bytes of a line of code stand on a line of w cells:
// up to the last blank in its second half, or as many as there is room for. No
// blank is dropped, so that what is copied is what was written.
func (b *builder) breakCode(s string, w int) int {
	used, blank := 0, 0
	for i := 0; i < len(s); {
		n, c := b.cells.next(s[i:])
		if used+c > w && i > 0 {
			if blank > 0 {
				return blank
			}
			return i
		}
		i += n
		if used += c; s[i-1] == ' ' && used > w/2 {
			blank = i
		}
	}
	return len(s)
}

// sayCut says at the end of a page that a limit left something out.
func (b *builder) sayCut() {
	say := "(The rest is not shown: the text is too long.)"
	for _, c := range b.cells.wrap(say, b.width, nil) {
		b.page.Lines = append(b.page.Lines, Line{Spans: []Span{{Text: say[c.from:c.to], Style: Dim}}})
	}
}
