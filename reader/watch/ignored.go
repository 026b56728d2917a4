package watch

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"diurna/reader/model"
	"diurna/reader/page"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/store"
)

// Quiet says how changes at a place of a page are handled, and by whose word.
type Quiet string

// The ways.
const (
	ByRule    Quiet = "ignored"  // hidden by a rule that the user made
	ByHistory Quiet = "learned"  // not reported, by its history or by what it is
	Never     Quiet = "reported" // taken back by the user: reported whatever is known of it
)

// Ignored is a place of a page at which changes are not reported, or were not until the
// user took it back.
type Ignored struct {
	No      int    `json:"no"`     // 1, 2, ... those of the user's rules first, in the order they were made
	Rule    string `json:"rule"`   // what the blocks read like, with # for numbers
	Blocks  int    `json:"blocks"` // how many there are on the newest revision
	Text    string `json:"text"`   // what the first of them says there
	Quiet   Quiet  `json:"state"`
	Under   string `json:"under"`   // the headings above it
	Why     string `json:"why"`     // a clause
	Changed int    `json:"changed"` // ByHistory: in how many of the last fetches it changed
	Of      int    `json:"of"`
}

// TakenBack reports whether the user took a place back: its changes are reported.
func (g *Ignored) TakenBack() bool { return g.Quiet == Never }

// Reason says why a place is handled as it is, and by which rule.
func (g *Ignored) Reason() string {
	switch {
	case g.Quiet == ByHistory && g.Of > 0:
		return fmt.Sprintf("%s, at %d of %s: %q", g.Why, g.Changed, wording.Plural(g.Of, "fetch"), g.Rule)
	case g.Quiet == ByHistory:
		return fmt.Sprintf("%s: %q", g.Why, g.Rule)
	}
	return fmt.Sprintf("%s: %q, %s", g.Why, g.Rule, wording.Plural(g.Blocks, "block"))
}

// ruleChanges are what makes a rule ignore a place (attrBlocks), has it always reported
// (attrReports) or neither (""), as far as that is not so.
func ruleChanges(f *store.Feed, rule, in string) (out []store.Change) {
	s := settingsOf(f)
	put := func(field string, rules []string) {
		list := slices.DeleteFunc(slices.Clone(rules), func(r string) bool { return r == rule })
		if field == in {
			list = append(rules, rule)
		}
		if value := join(list); value != join(rules) {
			out = append(out, store.Change{Kind: store.Adjusted, Feed: f.ID, Field: field, Value: value})
		}
	}
	put(attrBlocks, s.IgnoreBlocks)
	put(attrReports, s.ReportBlocks)
	return out
}

func (ps *Pages) putRule(ctx context.Context, id store.FeedID, rule, in string) (model.Done, error) {
	f, err := ps.pageFeed(ctx, id)
	if err != nil {
		return model.Done{}, err
	}
	changes := ruleChanges(f, strings.Join(strings.Fields(rule), " "), in)
	if len(changes) == 0 {
		return model.Done{}, nil
	}
	d, err := ps.store.Act(ctx, ps.now(), "", changes...)
	if err != nil {
		return model.Done{}, fmt.Errorf("change what is reported: %w", err)
	}
	return model.Done{Step: d.Step, Changed: d.Changed}, nil
}

// IgnoreBlock ignores the blocks of a page that read like rule (page.Row.Rule),
// as one step. Other settings of a page are changed by Adjust: "select",
// "ignore", "keywords", "has" and "not" (with commas between them), "ignore_blocks" and
// "report_blocks" (a line each), "when", "threshold", "depth", "keep" and "interval".
func (ps *Pages) IgnoreBlock(ctx context.Context, id store.FeedID, rule string) (model.Done, error) {
	return ps.putRule(ctx, id, rule, attrBlocks)
}

// ReportBlock takes a place that IgnoredBlocks lists back: its changes are reported from
// now on, whatever was set or learned of it. What is taken back already is left to what
// was learned. One step.
func (ps *Pages) ReportBlock(ctx context.Context, id store.FeedID, p *Ignored) (model.Done, error) {
	in := attrReports
	if p.TakenBack() {
		in = ""
	}
	return ps.putRule(ctx, id, p.Rule, in)
}

// IgnoredBlocks lists the places of a page at which changes are not reported, with what
// each says on its newest revision: those that rules of the user ignore, those that
// were learned to change by themselves, and last those that ReportBlock took back.
func (ps *Pages) IgnoredBlocks(ctx context.Context, id store.FeedID) ([]Ignored, error) {
	f, err := ps.pageFeed(ctx, id)
	if err != nil {
		return nil, err
	}
	notes, err := ps.notesOf(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := ps.compareSem.Enter(ctx, true); err != nil {
		return nil, err
	}
	defer ps.compareSem.Leave()
	last, err := ps.lastRevision(ctx, id, &watchTarget{})
	if err != nil {
		return nil, err
	}
	var text []byte
	if last != nil {
		text, _ = page.Decode(last.body, last.ContentType)
	}
	defer withMemoryLimit(len(text))()
	o := pageOptions(f, false)
	list, err := hits(nil, text, o, o.IgnoreBlocks, ByRule, "a rule of yours")
	if err != nil {
		return nil, err
	}
	root := notes[0]
	learned, err := page.Quiet(text, root.remembered(), o)
	if err != nil {
		return nil, err
	}
	for _, l := range learned {
		list = append(list, Ignored{len(list) + 1, l.Rule, 1, l.Text, ByHistory, under(l.Path), l.Why, l.Changed, l.Of})
	}
	return hits(list, text, o, o.ReportBlocks, Never, "you took it back")
}

// hits appends what rules find on a page.
func hits(list []Ignored, text []byte, o page.Options, rules []string, how Quiet, why string) ([]Ignored, error) {
	found, err := page.Hits(text, rules, o)
	for i, h := range found {
		list = append(list, Ignored{No: len(list) + 1, Rule: rules[i], Blocks: h.Blocks, Text: h.Text, Quiet: how, Under: under(h.Path), Why: why})
	}
	return list, err
}

func under(path []string) string { return plain.Line(strings.Join(path, " > "), 80) }
