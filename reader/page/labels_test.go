package page

import (
	"testing"

	"diurna/reader/align"
	"diurna/reader/align/aligntest"
)

// TestLabels holds the default settings against pairs labelled by reading
// them: noise must not be reported, what matters must be.
func TestLabels(t *testing.T) {
	var reported, reportedRight, matters, mattersReported int
	for _, p := range aligntest.Pairs(t) {
		d, err := Compare(p.A, p.B, Options{})
		if err != nil {
			t.Fatal(err)
		}
		wrong := ""
		switch p.Label {
		case "significant":
			matters++
			if d.Significant {
				mattersReported++
				reported++
				reportedRight++
			} else {
				wrong = "MISSED"
			}
		case "noise":
			if d.Significant {
				reported++
				wrong = "FALSE ALARM"
			}
		default:
			wrong = "ambiguous"
		}
		if wrong != "" || testing.Verbose() && aligntest.Full() {
			t.Logf("%-26s %-11s %-24s %-9s %6.2f +%d -%d %v %s", p.ID, p.Label, p.Category, d.Class, d.Score, d.Words.Added, d.Words.Deleted, d.Blocks, wrong)
			for _, term := range d.Terms {
				t.Logf("      %v", term)
			}
			if wrong != "" {
				t.Log(sample(d, 6))
			}
		}
	}
	t.Logf("precision %d of %d, recall %d of %d", reportedRight, reported, mattersReported, matters)
	if float64(reportedRight) < .97*float64(reported) || float64(mattersReported) < .97*float64(matters) {
		t.Error("want precision and recall of at least .97")
	}
}

func sample(d Diff, n int) string {
	s := ""
	for _, h := range d.Hunks {
		for _, r := range h.Rows {
			if r.Kind == Same || n == 0 {
				continue
			}
			n--
			s += "\n        " + string(r.Class) + " "
			for _, g := range r.Segments {
				text := g.Text
				if len(text) > 90 {
					text = text[:90] + "…"
				}
				switch g.Kind {
				case align.Delete:
					s += "[-" + text + "-]"
				case align.Insert:
					s += "{+" + text + "+}"
				default:
					s += text
				}
			}
		}
	}
	return s
}
