package session

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/ui/cli/table"
	"diurna/ui/prose"
)

// PrintArticle prints as the article screen shows it: title, where and when it
// is from, the link in full, then the text.
func (s *Session) PrintArticle(a *reader.Article) {
	width := textWidth
	if s.Env.Width > 0 {
		width = min(width, s.Env.Width)
	}
	fmt.Fprintln(s.Out, prose.Isolated(plain.Line(table.TitleOf(a.Item), 0)))
	words := a.Words
	if a.Full != nil && a.Full.HTML != "" {
		words = a.Full.Words
	}
	facts := []string{plain.Line(a.Feed, 0), cmp.Or(s.Clock().When(ItemTime(a.Item)), "-"), wording.Plural(words, "word")}
	if a.Author != "" {
		facts = append(facts, "by "+plain.Line(a.Author, 0))
	}
	if len(a.Tags) > 0 {
		facts = append(facts, "tags: "+plain.Line(strings.Join(a.Tags, ", "), 0))
	}
	fmt.Fprintln(s.Out, strings.Join(facts, " · "))
	if a.Link != "" {
		fmt.Fprintln(s.Out, plain.Line(a.Link, 0))
	}
	switch {
	case a.Kept > 0:
		fmt.Fprintf(s.Out, "edited by its publisher %s; diurna diff %s says what changed\n", times(a.Kept), a.Key)
	case a.Edits > 0:
		fmt.Fprintf(s.Out, "edited by its publisher %s before you read it\n", times(a.Edits))
	}
	switch f := a.Full; {
	case f == nil:
	case f.HTML == "":
		does := ""
		if f.Unasked {
			does = "; --full fetches it"
		}
		fmt.Fprintf(s.Out, "no whole text: %s (%s)%s\n", plain.Line(f.Sentence, 0), s.Clock().When(f.At), does)
	default:
		fmt.Fprintf(s.Out, "whole text from the page (%s); the feed gave %s\n", s.Clock().When(f.At), wording.Plural(a.Words, "word"))
	}
	fmt.Fprintln(s.Out)
	layout := prose.Layout{Width: width, Signs: true, WholeCode: s.Env.Width <= 0}
	fmt.Fprint(s.Out, layout.Render(a.Whole()).Text())
	for _, e := range a.Enclosures {
		fmt.Fprintf(s.Out, "enclosure: %s\n", plain.Line(strings.Join(enclosureFacts(e), " · "), 0))
	}
}

// times is "once", "twice", "3 times".
func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return wording.Count(n) + " times"
}

func enclosureFacts(e reader.Enclosure) []string {
	facts := []string{e.URL}
	if e.Type != "" {
		facts = append(facts, e.Type)
	}
	if e.Length > 0 {
		facts = append(facts, wording.Size(e.Length))
	}
	if played := wording.Played(e.Seconds); played != "" {
		facts = append(facts, played)
	}
	return facts
}

// ItemTime is what rows are sorted by: published, or first seen if that was
// earlier or nothing was said.
func ItemTime(it reader.Item) time.Time {
	if it.Published.IsZero() || !it.FirstSeen.IsZero() && it.FirstSeen.Before(it.Published) {
		return it.FirstSeen
	}
	return it.Published
}

// textWidth is what one line of prose takes at most: longer ones are hard to
// find back from.
const textWidth = 72
