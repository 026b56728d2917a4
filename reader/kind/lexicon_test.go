package kind

import (
	"testing"
)

// TestWordTable: each section of the table is read, and none of its lines is lost.
func TestWordTable(t *testing.T) {
	for i, l := range readWords(wordTable) {
		if len(l.Words)+len(l.stems)+len(l.joined) < 10 {
			t.Errorf("section %s has hardly a word", sectionNames[i])
		}
	}
}
