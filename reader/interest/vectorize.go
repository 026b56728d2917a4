package interest

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"diurna/ranking"
	"diurna/ranking/topics"
	"diurna/reader/plain"
	"diurna/store"
)

// What of an item the model looks at.
const (
	maxStems      = 24  // of a title
	maxCategories = 6   // of a publisher's
	topicText     = 800 // bytes of the text, for its topics; retention keeps their words
)

// vectorize makes vectors of the items that have none yet. An item that is not
// there any more has none.
func (in *learned) vectorize(ctx context.Context, s Library, ids []store.ItemID) error {
	return in.vectorizeAll(ctx, s, ids, nil)
}

// vectorizeAll is describe for lists of any length: progress, which may be nil,
// hears how many of those without a vector have one by now.
func (in *learned) vectorizeAll(ctx context.Context, s Library, ids []store.ItemID, progress func(done, of int)) error {
	var lack []store.ItemID
	for _, id := range ids {
		if in.vec.get(id) == nil {
			lack = append(lack, id)
		}
	}
	slices.Sort(lack)
	lack = slices.Compact(lack)
	for of := len(lack); len(lack) > 0; {
		if progress != nil {
			progress(of-len(lack), of)
		}
		n := min(512, len(lack))
		if err := in.vectorizeSome(ctx, s, lack[:n]); err != nil {
			return err
		}
		lack = lack[n:]
	}
	return nil
}

func (in *learned) vectorizeSome(ctx context.Context, s Library, ids []store.ItemID) error {
	items, err := s.Items(ctx, ids)
	if errors.Is(err, store.ErrUnknown) && len(ids) > 1 {
		// One of them is not there: find the others one by one.
		for _, id := range ids {
			if err := in.vectorizeSome(ctx, s, []store.ItemID{id}); err != nil {
				return err
			}
		}
		return nil
	}
	if errors.Is(err, store.ErrUnknown) {
		return nil
	}
	if err != nil {
		return err
	}
	texts := map[store.ItemID]string{}
	if in.model != nil {
		err := s.Bodies(ctx, ids, func(id store.ItemID, b store.Body) { texts[id] = textOf(b, topicText) })
		if err != nil {
			return err
		}
	}
	for i := range items {
		in.vec.put(items[i].ID, in.b.Vector(in.item(&items[i], texts[items[i].ID])))
	}
	return nil
}

// textOf is the beginning of an item's text.
func textOf(b store.Body, most int) string {
	return cmp.Or(b.Words, plain.LeadText(b.HTML, b.Summary, most))
}

// Kept is what of a text makes the same vectors as the whole: the words of its beginning, in
// alphabetical order, in which they take least space.
func Kept(b store.Body) store.Body {
	return store.Body{Words: topics.Bag(textOf(b, topicText))}
}

// item is what the model may know of an item.
func (in *learned) item(it *store.Item, text string) ranking.Item {
	out := ranking.Item{ID: uint64(it.ID), Feed: it.ID.Feed().String(), Folder: in.folder(it.ID.Feed()),
		Author: strings.ToLower(plain.Line(it.Author, 80)), Words: topics.Stems(it.Title, maxStems)}
	for _, c := range it.Categories {
		if c = strings.ToLower(plain.Line(c, 60)); c != "" && len(out.Categories) < maxCategories && !slices.Contains(out.Categories, c) {
			out.Categories = append(out.Categories, c)
		}
	}
	if in.model != nil {
		for _, share := range in.model.Assign(wordsOf(it.Title, text), ranking.TopicFloor) {
			// Three digits: what is packed and read again must be what was computed.
			w := math.Round(share.Weight*1000) / 1000
			out.Topics = append(out.Topics, ranking.Weighted{Name: topicKey(in.model.Topics[share.Topic].ID), Weight: w})
		}
	}
	return out
}

// wordsOf is an item for the topics: its title twice, its text once.
func wordsOf(title, text string) []topics.Word {
	words := topics.Words(title)
	return append(append(words, words...), topics.Words(text)...)
}

// topicKey names a topic in the model; its ID outlives its terms.
func topicKey(id uint64) string { return strconv.FormatUint(id, 36) }

func (in *learned) folder(id store.FeedID) string {
	if f := in.feed(id); f != nil {
		return f.Folder
	}
	return ""
}

// feed is the feed of an id, nil if there is none.
func (in *learned) feed(id store.FeedID) *store.Feed {
	i := sort.Search(len(in.feeds), func(i int) bool { return in.feeds[i].ID >= id })
	if i == len(in.feeds) || in.feeds[i].ID != id {
		return nil
	}
	return &in.feeds[i]
}

// When topics are learned: from so many items on, and again when the library has
// grown by a third since.
const (
	topicsFrom = 240
	maxDocs    = 3000 // documents
	topicsText = 1600 // bytes of each
)

// ever is how many items the feeds brought, those with it whose rows were removed.
func (in *learned) ever() int {
	n := 0
	for i := range in.feeds {
		if !in.feeds[i].Removed {
			n += in.feeds[i].Brought
		}
	}
	return n
}

func topicsDue(items int, h *checkpoint) bool {
	return items >= topicsFrom && (h.FitItems == 0 || items >= h.FitItems+h.FitItems/3)
}

// fitTopics learns topics from the newest items; nil if there is too little.
func (r *Ranker) fitTopics(ctx context.Context, previous *topics.Model) (*topics.Model, error) {
	rows, err := r.lib.Rows(ctx, store.RowQuery{Which: store.All, Limit: maxDocs})
	if err != nil {
		return nil, err
	}
	titles := make(map[store.ItemID]string, len(rows))
	ids := make([]store.ItemID, len(rows))
	for i := range rows {
		ids[i], titles[rows[i].ID] = rows[i].ID, rows[i].Title
	}
	slices.Sort(ids)
	docs := make([]topics.Document, 0, len(ids))
	texts := map[store.ItemID]string{}
	if err := r.lib.Bodies(ctx, ids, func(id store.ItemID, b store.Body) { texts[id] = textOf(b, topicsText) }); err != nil {
		return nil, err
	}
	for _, id := range ids {
		docs = append(docs, topics.Document{Words: wordsOf(titles[id], texts[id])})
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return topics.Fit(docs, topics.FitOptions{Seed: 1, Previous: previous}), nil
}

// stemOf is a word as the model counts it; "" if it says nothing.
func stemOf(word string) string {
	stems := topics.Stems(word, 1)
	if len(stems) == 0 {
		return ""
	}
	return stems[0]
}

// vectors are the vectorized items: of each feed a place for every number, because
// a map of 50,000 items takes as long to make as all the rest. They lie in pieces,
// because one list that grows is copied and cleared as often as it is filled.
type vectors struct {
	at     map[store.FeedID][]int32 // place, counted from 1; 0: none
	n      int32
	pieces [][]ranking.Vector // of vectorsPiece each
}

const vectorsPiece = 1 << 10

// get is the vector of an item, nil if it has none.
func (v *vectors) get(id store.ItemID) *ranking.Vector {
	of, n := v.at[id.Feed()], int(id.N())
	if n >= len(of) || of[n] == 0 {
		return nil
	}
	p := of[n] - 1
	return &v.pieces[p/vectorsPiece][p%vectorsPiece]
}

// maxNumber bounds what a damaged record may ask for: items of one feed.
const maxNumber = 1 << 24

func (v *vectors) put(id store.ItemID, vec ranking.Vector) {
	of, n := v.at[id.Feed()], int(id.N())
	if n >= maxNumber {
		return
	}
	if n >= len(of) {
		of = append(of, make([]int32, n+1-len(of)+n/2)...)
		v.at[id.Feed()] = of
	}
	if v.n%vectorsPiece == 0 {
		v.pieces = append(v.pieces, make([]ranking.Vector, vectorsPiece))
	}
	v.pieces[v.n/vectorsPiece][v.n%vectorsPiece] = vec
	v.n++
	of[n] = v.n
}

func (v *vectors) drop(id store.ItemID) {
	if of, n := v.at[id.Feed()], int(id.N()); n < len(of) {
		of[n] = 0
	}
}
