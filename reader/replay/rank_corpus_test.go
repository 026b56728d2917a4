package replay

import (
	"context"
	"testing"
)

// TestCorpus: at least .10 above the printed model, which knows one topic an item,
// and not more than .01 below Rocchio, which cannot explain itself.
func TestCorpus(t *testing.T) {
	rows, err := RankCorpus(context.Background(), 1, 60)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, r := range rows {
		got[r.Strategy] = r.NDCG
		t.Logf("%-12s %.3f ± %.3f", r.Strategy, r.NDCG, r.CI95)
	}
	for _, paper := range []string{"paper-0", "paper-10"} {
		if got["ours"] < got[paper]+.10 {
			t.Errorf("ours has %.3f, %s %.3f", got["ours"], paper, got[paper])
		}
	}
	if got["ours"] < got["rocchio"]-.01 {
		t.Errorf("ours has %.3f, rocchio %.3f", got["ours"], got["rocchio"])
	}
	if got["random"] > got["paper-0"]-.05 {
		t.Errorf("random has %.3f, the printed model %.3f: the corpus teaches nothing", got["random"], got["paper-0"])
	}
}
