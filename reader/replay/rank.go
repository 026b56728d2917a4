package replay

import ()

// RankStrategies are the names of Rank's comparison, in the order of the tables:
//
//	random       any order
//	greedy       by the mean of Beta(1, 3) (Sia 2009, section 3.3)
//	paper-10     the paper's score with λ = 10; paper-L takes any L, and paper-L-keep-K
//	             keeps only K of a topic's evidence when it is shown
//	paper-20
//	thompson     by a draw from each posterior (Thompson 1933)
//	bayes-ucb    by the 1 − 1/t quantile of each posterior (Kaufmann et al. 2012)
//	rocchio      by the profile .75·opened − .25·passed over (Rocchio 1971)
//	naive-bayes  by the log odds of the features, one added to each count
//	ours         the shipped model, settings chosen by the log
func RankStrategies() []string { return append([]string(nil), rankStrategies...) }

// RankWorlds are the names of the worlds: paper (Sia 2009, Table 3.1), paper-drift
// (every 30 turns 2 of the 7 strong topics change places with 2 of no interest),
// reader (120 feeds, 20 rows, most feeds below .05), reader-drift, folders (a
// feed's chance lies near its folder's) and folders-flat (folders say nothing).
func RankWorlds() []string {
	names := make([]string, 0, len(rankWorlds))
	for _, w := range rankWorlds {
		names = append(names, w.Name)
	}
	return names
}

// RankWorld is a world of one's own: K topics of which Rows are shown at a time.
type RankWorld struct {
	Name   string
	Theta  []float64 // chance of opening each topic if read, 0 to 1; its length is K
	Rows   int       // 1 to K
	Turns  int       // 0: 100
	Drift  int       // every so many turns the best two change places with the last two; 0: never
	Folder []int     // of each topic; nil: no folders
}

// RankOptions chooses what Rank compares.
type RankOptions struct {
	Worlds     []string   // names of RankWorlds; none: all, or none if Own is given
	Own        *RankWorld //
	Strategies []string   // names of RankStrategies, or paper-L, paper-L-keep-K; none: all
	Users      int        // simulated people; 0: 300 in worlds of up to 60 topics, else 100
	Seed       uint64
}

// RankTotal is what one strategy reached in one world.
type RankTotal struct {
	World    string  `json:"world"`
	Strategy string  `json:"strategy"`
	Users    int     `json:"users"`
	Turns    int     `json:"turns"`
	Clicks   float64 `json:"total_clicks"` // a user, over all turns
	CI95     float64 `json:"ci95"`         // half width, of the mean over users
	At10     float64 `json:"clicks_at_10"` // in turn 10
	At30     float64 `json:"clicks_at_30"`
	AtEnd    float64 `json:"clicks_at_end"` // in the last turn
	// MAE is Σ|θ' − θ|/θ over the topics with θ > 0 after the last turn (Sia 2009,
	// section 3.4.1); null for strategies that estimate no chance.
	MAE *float64 `json:"mae"`
	// Recovery is for each drift the turns until the mean curve is back at 90 % of
	// the 5 turns before the drift (mean of two neighbouring turns); -1: not before
	// the next drift.
	Recovery []int `json:"recovery,omitempty"`
	// Settings counts the users for whom the shipped model ended at each setting,
	// "λ/keep/idle".
	Settings map[string]int `json:"settings,omitempty"`
}

// RankCurve is the mean number of clicks of each turn.
type RankCurve struct {
	World    string    `json:"world"`
	Strategy string    `json:"strategy"`
	Clicks   []float64 `json:"clicks"`
	MAE      []float64 `json:"mae,omitempty"`
}

// RankReport is what Rank found. The same options give the same bytes.
type RankReport struct {
	Seed   uint64      `json:"seed"`
	Totals []RankTotal `json:"totals"`
	Curves []RankCurve `json:"curves"`
}
