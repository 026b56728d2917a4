package view

import "diurna/reader"

// Place is where the reader was, kept between sessions.
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

	Arranged map[string]Arranged `json:"arranged,omitempty"` // by the name of a view or a kind of list, where it is not as usual
}

// Arranged is how a view shows its rows.
type Arranged struct {
	Order  string `json:"order,omitempty"`  // "title"
	Turned bool   `json:"turned,omitempty"` // . was pressed: it hides what it shows as a rule, or shows it
	Back   bool   `json:"back,omitempty"`   // Feeds: from the end
	Tags   bool   `json:"tags,omitempty"`   // Feeds: by tag instead of folder

	Folders bool `json:"folders,omitempty"` // Feeds: by folder, though none has one
}

// Arrange notes how a view shows its rows.
func (p *Place) Arrange(name string, a Arranged) {
	if p.Arranged == nil {
		p.Arranged = make(map[string]Arranged)
	}
	p.Arranged[name] = a
}
