package info

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// What info says of a watched page, and what can be set there.

func (in *View) pageFacts(pg *reader.Page, s *view.Scene) {
	in.facts(fact{"revisions", wording.Count(pg.Revisions) + " kept"})
	if !pg.Changed.IsZero() {
		in.facts(fact{"last change", fmt.Sprintf("%s, score %.1f: %s", wording.When(pg.Changed, s.Now), pg.Score, pg.Why)})
	}
	if say := pg.Unreported(); say != "" {
		in.facts(fact{"not reported", wording.When(pg.Compared, s.Now) + ", " + say})
	}
	if pg.Children > 0 {
		in.facts(fact{"child pages", wording.Count(pg.Children)})
	}
	if view.Broken(pg) {
		in.facts(fact{"trouble", view.PageTrouble(pg, s.Now)})
	}
}

// pageSettings are what Enter changes of how a page is watched.
func (in *View) pageSettings(pg *reader.Page) []infoRow {
	whole := func(list []string, none string) string {
		if len(list) == 0 {
			return none
		}
		return strings.Join(list, ", ")
	}
	keep := "all revisions"
	if pg.Keep > 0 {
		keep = wording.Plural(pg.Keep, "revision")
	}
	depth := [...]string{"the page alone", "and the pages it links to", "and theirs on the same host"}[min(max(pg.Depth, 0), 2)]
	rows := []infoRow{
		{label: "looked at", value: whole(pg.Select, "the whole page"), field: "select", raw: strings.Join(pg.Select, ", ")},
		{label: "left out", value: whole(pg.Ignore, "nothing"), field: "ignore", raw: strings.Join(pg.Ignore, ", ")},
		{label: "keywords", value: whole(pg.Keywords, "none"), field: "keywords", raw: strings.Join(pg.Keywords, ", ")},
		{label: "with words", value: whole(pg.Has, "any"), field: "has", raw: strings.Join(pg.Has, ", ")},
		{label: "not with", value: whole(pg.Not, "none"), field: "not", raw: strings.Join(pg.Not, ", ")},
		{label: "only when", value: cmp.Or(pg.When, "it changes"), field: "when", raw: pg.When},
		{label: "reported above", value: fmt.Sprintf("a score of %g", pg.Threshold), field: "threshold", raw: strconv.FormatFloat(pg.Threshold, 'g', -1, 64)},
		{label: "depth", value: depth, field: "depth", raw: strconv.Itoa(pg.Depth)},
		{label: "kept", value: keep, field: "keep", raw: strconv.Itoa(pg.Keep)},
	}
	return append(rows, in.placeRows()...)
}

// pageSays tells, while a setting of a page is typed, what belongs there.
func pageSays(field string) string {
	return map[string]string{
		"select":    "CSS selectors with commas; empty: whole page",
		"ignore":    "CSS selectors with commas; empty: none",
		"keywords":  "words with commas, which count more",
		"has":       "words with commas: only with one of them",
		"not":       "words with commas: not with one of them",
		"when":      "price<44, number>=10; empty: every change",
		"threshold": "reported above this score; 1 is usual",
		"depth":     "0 the page, 1 its links too, 2 and theirs",
		"keep":      "how many revisions; 0: all",
	}[field]
}
