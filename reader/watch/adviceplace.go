package watch

import (
	"context"
	"fmt"
	"strings"

	"diurna/reader/advice"
	"diurna/reader/page"
	"diurna/store"
)

// namePlace makes the first advice to quiet a page name what to ignore: the block
// that at least two of the newest changes show which nobody looked at, instead of a
// threshold; or, where each of them is elsewhere, the heading they stand under.
func (ps *Pages) namePlace(ctx context.Context, p *Page, l *watchLog, s *advice.Suggestion) error {
	const most = 3 // changes are compared
	f, err := ps.pageFeed(ctx, p.Key)
	if err != nil {
		return err
	}
	list, err := ps.store.PageRevisions(ctx, p.Key)
	if err != nil {
		return fmt.Errorf("read the revisions: %w", err)
	}
	rules, paths := tally{}, tally{}
	looked := 0
	revs := asRevisions(list)
	for i := len(revs) - 1; i >= 0 && looked < most; i-- {
		id := store.MakeItemID(p.Key, list[i].Item)
		if at, ok := l.reported[id]; !ok || !l.seen(at) || l.opened[id] || revs[i].Child || revs[i].Base == 0 {
			continue
		}
		looked++
		d, err := ps.plainDiff(ctx, f, revs[i].Base, revs[i].No)
		if err != nil {
			return err
		}
		inRules, inPaths := map[string]bool{}, map[string]bool{}
		for _, h := range d.Hunks {
			for k := range h.Rows {
				if row := &h.Rows[k]; row.Kind != page.Same && row.Class != page.Volatile {
					inRules[row.Rule], inPaths[strings.Join(h.Path, " > ")] = true, true
				}
			}
		}
		rules.add(inRules)
		paths.add(inPaths)
	}
	if rule, n := rules.most(); n >= 2 {
		s.Kind, s.Rule = advice.IgnoreBlock, rule
		s.Reason = fmt.Sprintf("%q is in %d of the last %d of them, and %s", rule, n, looked, s.Reason)
	} else if path, n := paths.most(); n > 0 {
		s.Reason += fmt.Sprintf("; %d of the last %d are under %q", n, looked, path)
	}
	return nil
}

// plainDiff compares two revisions of a page without a history.
func (ps *Pages) plainDiff(ctx context.Context, f *store.Feed, from, to int) (page.Diff, error) {
	old, err := ps.kept(ctx, f.ID, from)
	if err != nil {
		return page.Diff{}, err
	}
	now, err := ps.kept(ctx, f.ID, to)
	if err != nil {
		return page.Diff{}, err
	}
	a, _ := page.Decode(old.body, old.ContentType)
	b, _ := page.Decode(now.body, now.ContentType)
	if err := ps.compareSem.Enter(ctx, true); err != nil {
		return page.Diff{}, err
	}
	defer ps.compareSem.Leave()
	defer withMemoryLimit(len(a) + len(b))()
	return page.Compare(a, b, pageOptions(f, false))
}

// tally counts in how many changes something is.
type tally map[string]int

func (t tally) add(in map[string]bool) {
	for name := range in {
		if name != "" {
			t[name]++
		}
	}
}

// most returns what is in the most changes; of several the first in order.
func (t tally) most() (name string, n int) {
	for k, v := range t {
		if v > n || v == n && k < name {
			name, n = k, v
		}
	}
	return name, n
}
