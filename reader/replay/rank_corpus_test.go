package replay

import (
	"context"
	"testing"
)

// TestCorpus: at least .10 above the printed model, which knows one topic an item,
// and not more than .01 below Rocchio, which cannot explain itself. Where people
// lean on subjects alone, one topic is all there is to know: nothing is lost then.
func TestCorpus(t *testing.T) {
	numbers(t)
	rows, err := RankCorpus(context.Background(), 1, 60)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, r := range rows {
		got[r.Taste+" "+r.Strategy] = r.NDCG
		t.Logf("%-8s %-12s %.3f ± %.3f", r.Taste, r.Strategy, r.NDCG, r.CI95)
	}
	for _, paper := range []string{"paper-0", "paper-10"} {
		if got["feeds ours"] < got["feeds "+paper]+.10 {
			t.Errorf("ours has %.3f, %s %.3f", got["feeds ours"], paper, got["feeds "+paper])
		}
		if got["subjects ours"] < got["subjects "+paper]-.02 {
			t.Errorf("leaning on subjects ours has %.3f, %s %.3f", got["subjects ours"], paper, got["subjects "+paper])
		}
	}
	for _, taste := range []string{"feeds ", "subjects "} {
		if got[taste+"ours"] < got[taste+"rocchio"]-.01 {
			t.Errorf("leaning on %s ours has %.3f, rocchio %.3f", taste, got[taste+"ours"], got[taste+"rocchio"])
		}
		if got[taste+"random"] > got[taste+"paper-0"]-.05 {
			t.Errorf("random has %.3f, the printed model %.3f: the corpus teaches nothing", got[taste+"random"], got[taste+"paper-0"])
		}
	}
}
