package rules

import (
	"encoding/json"
	"strconv"
	"time"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/cli/table"
)

// line is a rule as it is listed: touched counts the items that it did something to.
type line struct {
	reader.Rule
	touched int
}

// number is the rule's; "-" for one of config.toml that marked nothing yet.
func (l line) number() string {
	if l.No == 0 {
		return "-"
	}
	return strconv.Itoa(l.No)
}

// does says what the rule does, and where it stands if that is not the library.
func (l line) does() string {
	switch {
	case l.Lost:
		return "unknown: config.toml cannot be read (" + l.Effects() + ")"
	case l.Gone:
		return "nothing: no longer in config.toml (" + l.Effects() + ")"
	case l.Config:
		return l.Effects() + " (config.toml)"
	}
	return l.Effects()
}

// MarshalJSON writes {rule,does,query,until,touched,made}; of a rule of config.toml also
// config, and rule is 0 before it marked anything.
func (l line) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Rule    int            `json:"rule"`
		Does    string         `json:"does"`
		Query   string         `json:"query"`
		Until   wording.Moment `json:"until"`
		Touched int            `json:"touched"`
		Made    wording.Moment `json:"made"`
		Config  bool           `json:"config,omitempty"`
	}{l.No, l.does(), l.Query, wording.Moment{Time: l.Until}, l.touched, wording.Moment{Time: l.Made}, l.Config})
}

var columns = []table.Column[line]{
	{Name: "rule", Field: line.number, Head: "RULE", Right: true, Cell: func(l line, _ time.Time) string { return l.number() }},
	{Name: "does", Field: line.does, Head: "DOES", Most: 30, Cell: func(l line, _ time.Time) string { return l.does() }},
	{Name: "touched", Field: func(l line) string { return strconv.Itoa(l.touched) }, Head: "ITEMS", Right: true, Cell: func(l line, _ time.Time) string { return strconv.Itoa(l.touched) }},
	{Name: "until", Field: func(l line) string { return table.Stamp(l.Until) }, Head: "UNTIL", Spare: 1, Cell: until},
	{Name: "made", Field: func(l line) string { return table.Stamp(l.Made) }},
	{Name: "query", Field: func(l line) string { return l.Query }, Head: "QUERY", Cell: func(l line, _ time.Time) string { return l.Query }},
}

func until(l line, now time.Time) string {
	switch {
	case l.Until.IsZero():
		return ""
	case !now.Before(l.Until):
		return "ended " + wording.Day(l.Until, now)
	}
	return wording.Day(l.Until, now)
}

// tried is how the items are listed that a rule would have touched.
var tried = []table.Column[reader.Item]{
	{Name: "id", Field: func(it reader.Item) string { return it.Key.String() }, Head: "ID", Cell: func(it reader.Item, _ time.Time) string { return it.Key.String() }},
	{Name: "published", Field: func(it reader.Item) string { return table.Stamp(it.Published) }, Head: "WHEN", Cell: func(it reader.Item, now time.Time) string { return table.When(it.Published, now) }},
	{Name: "title", Field: func(it reader.Item) string { return it.Title }, Head: "TITLE", Cell: func(it reader.Item, _ time.Time) string { return it.Title }},
}
