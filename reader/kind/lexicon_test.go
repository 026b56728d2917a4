package kind

import (
	"strings"
	"testing"
)

// TestWordTable: each section of the table is read, and none of its lines is lost.
func TestWordTable(t *testing.T) {
	all := 0
	for s := range sections {
		l := s.words()
		n := len(l.stems) + len(l.joined) + len(l.entries)
		if all += n; n < 10 {
			t.Errorf("section %s has hardly a word", sectionNames[s])
		}
	}
	// What stands between the commas of the table, twice in one section counting once.
	want := map[string]bool{}
	section := ""
	for line := range strings.Lines(wordTable) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "[") {
			section = line
		}
		if _, list, ok := strings.Cut(line, ":"); ok && line[0] != '#' && section != "" {
			for entry := range strings.SplitSeq(list, ",") {
				if entry = strings.TrimSpace(entry); entry != "" {
					if strings.ToLower(entry) != entry {
						t.Errorf("%s: %q is not in lower case", section, entry)
					}
					want[section+entry] = true
					s := Section(0)
					for "["+sectionNames[s]+"]" != section {
						s++
					}
					if w := strings.TrimSuffix(entry, "*"); !s.Has(strings.Fields(strings.Trim(w, ".:!?()"))) && len([]rune(w)) > 2 && !strings.ContainsAny(entry, ".:!?()") {
						t.Errorf("%s: %q is not found", section, entry)
					}
				}
			}
		}
	}
	if all < len(want) {
		t.Errorf("%d entries of %d were read", all, len(want))
	}
}
