package feed

import (
	"bytes"
	"strings"
	"testing"
)

func TestLastIndex(t *testing.T) {
	for _, s := range []string{"", "x", "<!--", "<<!--", "a<!--b<!--", "<!--<!-", strings.Repeat("<!--", 9) + "-"} {
		if got, want := lastIndex([]byte(s), []byte("<!--")), bytes.LastIndex([]byte(s), []byte("<!--")); got != want {
			t.Errorf("lastIndex(%q) = %d, want %d", s, got, want)
		}
	}
}

func TestUndoubleAtEachPlace(t *testing.T) {
	for before := range 20 {
		for after := range 10 {
			head, tail := strings.Repeat("a", before), strings.Repeat("b", after)
			if got := undouble(head + "Ã©" + tail); got != head+"é"+tail {
				t.Errorf("undouble with %d before and %d after: %q", before, after, got)
			}
			for _, whole := range []string{head + "é" + tail, head + "漢" + tail} {
				if got := undouble(whole); got != whole {
					t.Errorf("undouble(%q) = %q", whole, got)
				}
			}
		}
	}
}

// TestHashesStay holds the hashes by which stored items are known: another value
// would make every item of every library new or edited.
func TestHashesStay(t *testing.T) {
	if got := hashFolded("body", " a\t\n b  c\r"); got != hash64("body", "a b c") {
		t.Errorf("hashFolded is %d, hash64 of the folded text %d", got, hash64("body", "a b c"))
	}
	if got := hash64("id", "https://example.org/1"); got != 1727610609822802677 {
		t.Errorf("hash64 is %d", got)
	}
	if got := hashFolded("body", " \n"); got != hash64("body", "") {
		t.Errorf("hashFolded of white space is %d", got)
	}
}
