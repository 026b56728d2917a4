package corpus

import (
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
)

// real is where a collection of real documents lies, when it does.
const real = "../../../shared/data/feeds"

// TestCorpus measures the collection and holds every rate to what is promised.
// DIURNA_MISSES names a folder that then gets a file of misses for each rate.
func TestCorpus(t *testing.T) {
	if _, err := os.Stat(filepath.Join(real, "manifest.tsv")); err != nil {
		t.Skip("the collection of real feeds is not here")
	}
	rep, err := Measure(t.Context(), real, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range rep.Panics {
		t.Error(p)
	}
	for i := range rep.Rows {
		r := &rep.Rows[i]
		t.Logf("%-32s %6d of %6d  %6.2f %%  left out %d %v", r.Name, r.OK, r.Of, r.Percent(), r.Left(), r.LeftOut)
		if !r.Reached() {
			t.Errorf("%s: %.2f %% of %d, %d left out; promised are %.1f %%", r.Name, r.Percent(), r.Of, r.Left(), r.Asked)
		}
		if dir := os.Getenv("DIURNA_MISSES"); dir != "" {
			sort.Strings(r.Misses)
			name := filepath.Join(dir, strings.ReplaceAll(strings.TrimSpace(r.Name), " ", "-"))
			if err := os.WriteFile(name, []byte(strings.Join(r.Misses, "\n")+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}
