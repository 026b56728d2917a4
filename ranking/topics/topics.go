// Package topics turns item text into terms, topics, channel profiles, novelty and
// trends.
//
// Start with [Words], which takes a text apart; [Fit] learns topics from the words
// of many items, [Model.Assign] says which of them an item is about. A [Profile]
// follows what one feed writes and which of its items are news; [Entropy],
// [Emergence], [Jaccard] and [JensenShannon] are the measures of trends.
// Everything is arithmetic: no clock, chance only from a seed.
package topics

import "errors"

// ErrModel: not a packed model of this version. Fit again.
var ErrModel = errors.New("not a topic model of this version")

// Word is one word of a text: the stem that counts and the form that was written.
type Word struct{ Stem, Form string }

// Words takes a text apart: words by UAX #29, compatibility forms unified
// (NFKC), lower case, without stop words and bare numbers. English is stemmed;
// other languages are told by their stop words and left whole. Scripts without
// spaces between words become pairs of neighbouring characters.
func Words(text string) []Word { return words(text) }

// Stems are the distinct stems of a text in the order of their first occurrence,
// no more than most (0: all): what ranking.Item calls Words.
func Stems(text string, most int) []string { return stems(text, most) }

// Document is an item for Fit: its title's words twice and its text's once is a
// good mixture.
type Document struct{ Words []Word }

// Weight is a number with a name.
type Weight struct {
	Name  string
	Value float64
}

// Topic is one learned topic. ID stays from one refit to the next as long as the
// topic does. Name is the written form of its strongest terms, "radio, antenna".
type Topic struct {
	ID    uint64
	Name  string
	Terms []Weight // strongest first, at most 30, by stem
}

// FitOptions say how to learn.
type FitOptions struct {
	Topics    int    // K, 2 to 100; 0: one for every 60 documents, 20 to 45
	Terms     int    // vocabulary: the most frequent that are neither rare nor everywhere; 0: 4000
	Documents int    // the last so many are learned from; 0: 6000
	Rounds    int    // of multiplicative updates; 0: 40
	Seed      uint64 //
	Previous  *Model // topics go on from there and keep their IDs; nil: none
}

// Model is a set of learned topics.
type Model struct {
	Topics []Topic
	m      fitted
}

// Fit factors the tf-idf matrix of the documents into topics (non-negative
// matrix factorisation by the multiplicative updates of Lee and Seung 2001). Nil if
// there are fewer than 2 documents per topic to learn from.
func Fit(docs []Document, o FitOptions) *Model { return fit(docs, o) }

// Assign says which topics a text is about: index into Topics and soft weight,
// adding up to 1, largest first, those above floor. None if no word is known.
func (m *Model) Assign(words []Word, floor float64) []Share { return m.assign(words, floor) }

// Share is a topic's part in an item.
type Share struct {
	Topic  int
	Weight float64
}

// Pack makes bytes of a model; Unpack reads them. Damaged bytes are an ErrModel.
func (m *Model) Pack() []byte { return m.pack() }

// Unpack is the inverse of Pack.
func Unpack(data []byte) (*Model, error) { return unpack(data) }

// Profile is what a channel writes about: tf-idf over its last Window items, idf
// over all items it was shown (Roitman et al. 2008, section 3).
type Profile struct {
	Window int     // items; 0: 20
	Beta   float64 // of Novel; 0: .1
	p      profile
}

// Add takes in an item and says how like the profile it was (the cosine of the
// profiles before and after it, Eq. 3; 0 for an empty one) and whether it is
// novel: not like it at least as much as the channel's items usually are, mean plus
// Beta deviations (Eq. 7). Until two items were seen everything is novel.
func (p *Profile) Add(words []string) (similarity float64, novel bool) { return p.add(words) }

// Cohesion is the mean similarity of the items added, and its deviation (0 below
// two items).
func (p *Profile) Cohesion() (mean, deviation float64) { return p.cohesion() }

// Vector is the profile as tf-idf weights, strongest first, at most most terms.
func (p *Profile) Vector(most int) []Weight { return p.vector(most) }

// Like is the cosine of two channels' profiles, 0 to 1. "Feeds like this one" are
// those at .25 and above.
func (p *Profile) Like(q *Profile) float64 { return p.like(q) }

// Entropy is −Σ p log2 p in bits of weights that need not add up to 1 (Sia 2009,
// Eq. 5.1): how unspecific a word is.
func Entropy(weights []float64) float64 { return entropy(weights) }

// Emergence is ΔH(D|w)/log2 ΔC (Sia 2009, Eq. 5.3) for a word whose occurrences
// in clusters were before and are after: how it spreads for as often as it is used
// more. ok is false where ΔC is below 2.
func Emergence(before, after []float64) (r float64, ok bool) { return emergence(before, after) }

// Jaccard is how much of two sets is shared (Sia 2009, Eq. 5.4): the stability of a
// word's company.
func Jaccard(a, b []string) float64 { return jaccard(a, b) }

// JensenShannon is the divergence of two distributions in nats, 0 to ln 2. The
// symmetric divergence of Sia 2009, Eq. 5.5, is infinite as soon as a word is new.
func JensenShannon(p, q []float64) float64 { return jensenShannon(p, q) }

// SymmetricKL is Eq. 5.5 itself, with epsilon added to every component first.
func SymmetricKL(p, q []float64, epsilon float64) float64 { return symmetricKL(p, q, epsilon) }
