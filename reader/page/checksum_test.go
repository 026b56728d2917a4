package page

import (
	"fmt"
	"strings"
	"testing"
)

// TestChecksums: a checksum that changes now and then is news where it has a name of its
// own or stands whole in a table; one that changes all the time, a build's and a short
// one are none.
func TestChecksums(t *testing.T) {
	page := func(block string) string {
		return "<h1>Brindle</h1><p>Zarkum frell mollup osk tervin brask.</p>" + block + "<p>Vorlik dremmen oskel.</p>"
	}
	const long, other = "91c0d2f7a3be4e88b7010fd2aa45c6e091c0d2f7a3be4e88b7010fd2aa45c6e0", "4e88b7010fd2aa45c6e091c0d2f7a3be4e88b7010fd2aa45c6e091c0d2f7a3be"
	for name, c := range map[string]struct {
		block string
		every int // fetches
		want  bool
	}{
		"a name":             {"<p>Zark-9: <code>%.40s</code></p>", 6, true},
		"a name, cut":        {"<p>Zark-9 of frell : <code>%.16s</code></p>", 6, true},
		"a name in brackets": {"<p>Zark-9 (frell of osk): <code>%.20s</code></p>", 6, true},
		"a name of a file":   {"<p>zark256 k9-380.bin: <code>%.20s</code></p>", 6, true},
		"beside a count":     {"<p>zark256 k9-380.bin: <code>%.20s</code></p><p>Vorlik: k9-380.bin <b>#</b></p>", 6, true},
		"whole in a table":   {"<table><tr><td>frell.img<td>12 MB<td>%.40s</table>", 6, true},
		"cut in a table":     {"<table><tr><td>frell.img<td>12 MB<td>%.12s</table>", 6, false},
		"at each fetch":      {"<p>Zark-9: <code>%.40s</code></p>", 1, false},
		"without a name":     {"<p>Zark %.40s</p>", 6, false},
		"the one of a build": {"<p>powered by: %.40s</p>", 6, false},
		"a short one":        {"<p>Zark: %.8s</p>", 6, false},
	} {
		var revs []string
		for n := range 9 {
			sum := long
			if n/c.every%2 == 1 {
				sum = other
			}
			if c.every == 1 {
				sum = long[n:] + other
			}
			revs = append(revs, page(strings.Replace(fmt.Sprintf(c.block, sum), "#", fmt.Sprint(20400+17*n), 1)))
		}
		got, _ := watch(t, Options{}, revs...)
		for n, reported := range got {
			if want := c.want && n == 5; reported != want {
				t.Errorf("%s: reported at fetch %d: %v", name, n, reported)
			}
		}
	}
}
