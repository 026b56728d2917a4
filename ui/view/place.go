package view

import "diurna/reader"

// Place is where the reader was, kept between sittings.
type Place struct {
	View    uint8         `json:"view"`
	Item    reader.ItemID `json:"item,omitempty"`
	Article reader.ItemID `json:"article,omitempty"`
	At      int64         `json:"at,omitempty"`    // when the item appeared, unix s: it is read by then, and its row gone
	Above   int           `json:"above,omitempty"` // lines between the top of the screen and the row
	Para    int           `json:"para,omitempty"`  // the paragraph at the top of the article, counted from 1
	Into    int           `json:"into,omitempty"`  // lines of it, or of the heading, that are scrolled out
	Edits   bool          `json:"edits,omitempty"` // what changed in the article is shown, at row Para and line Into of it
	Revs    [2]int        `json:"revs,omitzero"`   // which two revisions are compared; of an item the edits after the shown one
	Page    reader.FeedID `json:"page,omitempty"`  // the chosen row of Pages
	Folded  []string      `json:"folded,omitempty"`
	Starts  int           `json:"starts"` // how often the screen was left before
}
