package segment

import (
	"strings"

	"diurna/reader/align"
)

// tidy makes segments readable without changing what is counted: an equal
// stretch of one word or of mere space between two replacements is swallowed
// ("[-Janu-]y[-…-]" helps nobody), and white space is trimmed at the ends.
func tidy(in []Segment) []Segment {
	in = grouped(in)
	var out []Segment
	for n := 0; n < len(in); n++ {
		s := in[n]
		// out ends with a replacement (- +), s is short and equal, and the
		// next two are a replacement again.
		if k := len(out); s.Kind == align.Equal && short(s) && k >= 2 && n+2 < len(in) &&
			out[k-2].Kind == align.Delete && out[k-1].Kind == align.Insert &&
			in[n+1].Kind == align.Delete && in[n+2].Kind == align.Insert {
			out[k-2].Text += s.Text + in[n+1].Text
			out[k-1].Text += s.Text + in[n+2].Text
			out[k-2].words += s.words + in[n+1].words
			out[k-1].words += s.words + in[n+2].words
			n += 2
			continue
		}
		out = append(out, s)
	}
	return trimEnds(out)
}

// short says whether an equal stretch carries too little to stand alone.
func short(s Segment) bool {
	return s.words == 0 && strings.TrimSpace(s.Text) == "" || s.words == 1 && len(strings.TrimSpace(s.Text)) <= 3
}

// grouped puts deletions before insertions between two equal stretches and
// joins neighbours of one kind.
func grouped(in []Segment) []Segment {
	var out []Segment
	var del, ins Segment
	flush := func() {
		for _, s := range [2]Segment{del, ins} {
			if s.Text != "" {
				out = append(out, s)
			}
		}
		del, ins = Segment{Kind: align.Delete}, Segment{Kind: align.Insert}
	}
	flush()
	for _, s := range in {
		switch s.Kind {
		case align.Delete:
			del.Text, del.words = del.Text+s.Text, del.words+s.words
		case align.Insert:
			ins.Text, ins.words = ins.Text+s.Text, ins.words+s.words
		default:
			flush()
			out = append(out, s)
		}
	}
	flush()
	return out
}

func trimEnds(s []Segment) []Segment {
	for len(s) > 0 {
		s[0].Text = strings.TrimLeft(s[0].Text, " ")
		if s[0].Text != "" {
			break
		}
		s = s[1:]
	}
	for len(s) > 0 {
		n := len(s) - 1
		s[n].Text = strings.TrimRight(s[n].Text, " ")
		if s[n].Text != "" {
			break
		}
		s = s[:n]
	}
	return s
}
