package reader

import "testing"

// TestReportsCountEachFeedOnce: of two fetches one after the other a feed counts
// as the first one settled it, also when the second found it waiting.
func TestReportsCountEachFeedOnce(t *testing.T) {
	var first, second FetchReport
	first.count(FetchResult{Feed: 1, Outcome: OutcomeNew, New: 2})
	first.count(FetchResult{Feed: 2, Outcome: OutcomeEarly, Rule: RuleServer})
	second.count(FetchResult{Feed: 1, Outcome: OutcomeEarly, Rule: RuleServer})
	second.count(FetchResult{Feed: 2, Outcome: OutcomeEarly, Rule: RuleServer})
	second.count(FetchResult{Feed: 3, Outcome: OutcomeEarly, Rule: RuleServer})
	second.count(FetchResult{Feed: 4, Outcome: OutcomeEarly})
	second.count(FetchResult{Feed: 5, Outcome: OutcomeFailed})
	rep := first.and(second)
	if rep.Fetched != 2 || rep.Failed != 1 || rep.Early != 3 || rep.Waiting != 2 || rep.New != 2 || len(rep.Results) != 5 {
		t.Errorf("%+v", rep)
	}
}
