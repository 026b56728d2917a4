package argv

import (
	"strings"
	"testing"
)

// TestOutput: what is above the bound is taken, and left out.
func TestOutput(t *testing.T) {
	var o Output
	for i, part := range []string{"the beginning ", strings.Repeat("x", MaxOutput-20), "the end that is too long"} {
		if n, err := o.Write([]byte(part)); n != len(part) || err != nil {
			t.Errorf("%d: %d, %v", i, n, err)
		}
		if o.Cut != (i == 2) {
			t.Errorf("%d: cut %v", i, o.Cut)
		}
	}
	if s := o.String(); len(s) != MaxOutput || !strings.HasPrefix(s, "the beginning x") || !strings.HasSuffix(s, "xthe en") {
		t.Errorf("%d bytes, ends with %q", len(s), s[len(s)-10:])
	}
}
