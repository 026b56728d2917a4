package interest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"diurna/ranking"
	"diurna/ranking/topics"
	"diurna/reader/model"
	"diurna/store"
)

// Term is one line of a WhyItem: a feature, how often items with it were opened of
// how often shown, and what it does.
type Term struct {
	Kind   string  `json:"kind"` // feed, folder, category, topic, word, author
	Name   string  `json:"name"` // in a user's words
	Weight float64 `json:"weight"`
	Alpha  float64 `json:"alpha"`
	Beta   float64 `json:"beta"`
	Opened int     `json:"opened"`
	Shown  int     `json:"shown"`
	Effect float64 `json:"effect"`
}

// ReasonStep is a line of an explanation: a term and where it moves the chance.
type ReasonStep struct {
	Term
	From, To float64
}

// ItemWhy says why an item stands where it stands in Ranked. Its JSON form is
// everything that the score is made of: Score follows from Start, Explore, Slope, Offset, Passed,
// Naive, Blend and Terms alone. It does not hang on what else is unread.
type ItemWhy struct {
	ID        string  `json:"id"`
	FeedID    string  `json:"feed_id"`
	Title     string  `json:"title"`
	Score     float64 `json:"score"`
	Chance    float64 `json:"chance"`
	Bonus     float64 `json:"finding_out"`
	Start     float64 `json:"start"`
	Opened    int     `json:"opened"`
	Shown     int     `json:"shown"`
	Explore   float64 `json:"lambda"`
	Keep      float64 `json:"keep_on_show"`
	Idle      float64 `json:"keep_idle"`
	Agreement float64 `json:"folder_agreement"`
	Slope     float64 `json:"slope"`
	Offset    float64 `json:"offset"`
	Passed    float64 `json:"passed_over"`
	Naive     float64 `json:"naive_bayes"`
	Blend     float64 `json:"naive_bayes_weight"`
	Pinned    bool    `json:"pinned"`
	Excluded  bool    `json:"left_out"`
	Frozen    bool    `json:"frozen"`
	Terms     []Term  `json:"terms"`

	Steps   []ReasonStep `json:"-"` // as a user reads them
	Place   int          `json:"-"` // its row of Ranked, 1 the top; 0: it is read, or it is too early
	Rows    int          `json:"-"` // of Ranked
	By      int          `json:"-"` // its row by score, before a page is built
	Plain   int          `json:"-"` // its row by chance alone
	Finding bool         `json:"-"`
	FeedAge time.Time    `json:"-"` // subscribed
	Since   time.Time    `json:"-"` // of the oldest evidence
}

// question asks why an item stands where it stands.
type question struct {
	id     store.ItemID
	title  string
	unread bool // a read item has no place in Ranked
	screen int  // as in Arrange
	feeds  []model.Feed
}

// WhyItem says why an item stands where it stands in Ranked; screen as in Arrange.
func (r *Ranker) WhyItem(ctx context.Context, id store.ItemID, screen int) (ItemWhy, error) {
	items, err := r.lib.Items(ctx, []store.ItemID{id})
	if errors.Is(err, store.ErrUnknown) || errors.Is(err, store.ErrNone) || err == nil && len(items) == 0 {
		return ItemWhy{}, model.NoItem(id)
	}
	if err != nil {
		return ItemWhy{}, fmt.Errorf("read the items: %w", err)
	}
	feeds, err := r.feeds.Feeds(ctx)
	if err != nil {
		return ItemWhy{}, err
	}
	q := question{id: id, title: items[0].Title, unread: items[0].Flags&store.FlagRead == 0, screen: screen, feeds: feeds}
	var w ItemWhy
	err = r.withLearned(ctx, func(in *learned) (err error) {
		w, err = r.explain(ctx, in, &q)
		return err
	})
	for i := range feeds {
		if feeds[i].Key == id.Feed() {
			w.FeedAge = feeds[i].Subscribed
		}
	}
	return w, err
}

// river is what Ranked holds: what is unread, but in hidden feeds.
func (r *Ranker) river(ctx context.Context, feeds []model.Feed) ([]Spot, error) {
	rows, err := r.lib.Rows(ctx, store.RowQuery{Which: store.Unread})
	if err != nil {
		return nil, fmt.Errorf("read the items: %w", err)
	}
	hidden := map[store.FeedID]bool{}
	for i := range feeds {
		hidden[feeds[i].Key] = feeds[i].Hidden
	}
	rows = slices.DeleteFunc(rows, func(row store.Row) bool { return hidden[row.ID.Feed()] })
	return Spots(rows, func(store.FeedID) string { return "" }), nil
}

func (r *Ranker) explain(ctx context.Context, in *learned, q *question) (ItemWhy, error) {
	if err := in.vectorize(ctx, r.lib, []store.ItemID{q.id}); err != nil {
		return ItemWhy{}, err
	}
	w := in.why(q.id, titlesOf(q.feeds))
	w.Title = q.title
	w.inWords(q.title)
	var err error
	if w.Since, err = r.since(ctx); err != nil {
		return w, err
	}
	if !q.unread || in.b.Opens() < OpensNeeded {
		return w, nil
	}
	rows, err := r.river(ctx, q.feeds)
	if err != nil {
		return w, err
	}
	placed, err := r.rank(ctx, in, Ranked, rows, q.screen, nil)
	if err != nil {
		return w, err
	}
	w.Rows = len(placed)
	for i := range placed {
		if p := &placed[i]; rows[p.Index].ID == q.id {
			w.Place, w.By, w.Plain, w.Finding = i+1, p.Place, p.Plain, p.Finding
		}
	}
	return w, nil
}

// vector is an item's; of one that is gone that of its feed.
func (in *learned) vector(id store.ItemID) ranking.Vector {
	if v := in.vec.get(id); v != nil {
		return *v
	}
	return in.b.Vector(ranking.Item{Feed: id.Feed().String(), Folder: in.folder(id.Feed())})
}

// candidate is the vector of an item as it may be opened now.
func (in *learned) candidate(id store.ItemID) ranking.Vector {
	return in.vector(id).Again(in.b.ShownBefore(uint64(id), marked(in.head.Shown, id)))
}

// why is the explanation of one item in a user's words.
func (in *learned) why(id store.ItemID, feeds Titles) ItemWhy {
	e := in.b.Explain(in.candidate(id))
	w := ItemWhy{ID: id.String(), FeedID: id.Feed().String(), Score: e.Score, Chance: e.Chance, Bonus: e.Bonus,
		Start: e.Start, Opened: e.Opened, Shown: e.Shown, Explore: e.Explore, Keep: e.Keep, Idle: e.Idle,
		Agreement: e.Agreement, Slope: e.Slope, Offset: e.Offset, Passed: e.Passed, Naive: e.Naive, Blend: e.Blend, Pinned: e.Pinned, Excluded: e.Excluded, Frozen: in.b.Frozen(), Terms: []Term{}}
	for i := range e.Terms {
		w.Terms = append(w.Terms, in.term(&e.Terms[i], feeds))
	}
	for _, s := range e.Steps() {
		w.Steps = append(w.Steps, ReasonStep{in.term(&s.Term, feeds), s.From, s.To})
	}
	return w
}

// inWords gives words in the form that stands in the title, where they are known
// by their stems.
func (w *ItemWhy) inWords(title string) {
	forms := map[string]string{}
	for _, word := range topics.Words(title) {
		if forms[word.Stem] == "" {
			forms[word.Stem] = word.Form
		}
	}
	write := func(t *Term) {
		if t.Kind == ranking.Word.String() && forms[t.Name] != "" {
			t.Name = forms[t.Name]
		}
	}
	for i := range w.Terms {
		write(&w.Terms[i])
	}
	for i := range w.Steps {
		write(&w.Steps[i].Term)
	}
}

func (in *learned) term(t *ranking.Term, feeds Titles) Term {
	return Term{Kind: t.Kind, Name: in.nameOf(t.Subject, t.Name, feeds), Weight: t.Weight, Alpha: t.Alpha, Beta: t.Beta,
		Opened: t.Opened, Shown: t.Shown, Effect: t.Effect}
}

// nameOf is what people call a feature: of a feed its title, of a topic its terms.
func (in *learned) nameOf(of ranking.Subject, name string, feeds Titles) string {
	switch of {
	case ranking.Feed:
		if id, ok := store.ParseFeedID(name); ok {
			if title, ok := feeds(id); ok {
				return title
			}
		}
	case ranking.Topic:
		if in.model == nil {
			break
		}
		for _, t := range in.model.Topics {
			if topicKey(t.ID) == name {
				return t.Name
			}
		}
	}
	return name
}

// OpenedOf returns how many items of a feed were opened and how many were shown.
func (r *Ranker) OpenedOf(ctx context.Context, feed store.FeedID, folder string) (opened, shown int, err error) {
	in, err := r.load(ctx, bare)
	if err != nil {
		return 0, 0, err
	}
	for _, t := range in.b.Explain(in.b.Vector(ranking.Item{Feed: feed.String(), Folder: folder})).Terms {
		if t.Subject == ranking.Feed {
			opened, shown = t.Opened, t.Shown
		}
	}
	return opened, shown, nil
}
