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

// Share is a topic's part in an item.
type Share struct {
	Topic  int
	Weight float64
}

// Profile is what a channel writes about: tf-idf over its last Window items, where tf
// counts occurrences and idf is log(items / items with the term) over all items that the
// channels which share Seen have shown (Roitman, Carmel and Yom-Tov 2008, section 4.2).
type Profile struct {
	Window int     // W, items, 1 or more
	Beta   float64 // of the novelty filter, in deviations
	Seen   *Seen   // from NewSeen
	p      profile
}
