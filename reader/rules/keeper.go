package rules

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"sync"
	"time"

	"diurna/reader/links"
	"diurna/reader/model"
	"diurna/reader/plain"
	"diurna/reader/query"
	"diurna/store"
)

// Library is what rules need of the store.
type Library interface {
	Rules(ctx context.Context, known uint64) (store.Rules, error)
	ActRule(ctx context.Context, now time.Time, a store.RuleAct) (store.Done, error)
}

// Log has all that happened, and the cache beside it.
type Log interface {
	Cache() *store.Cache
	Facts(ctx context.Context, after uint64, visit func(*store.Fact) error) (last uint64, err error)
}

// Asker finds the items that a query fits.
type Asker interface {
	Rows(ctx context.Context, q query.Query, limit int) ([]store.Row, error)
}

// Keeper has the rules of a library, and asks them about items that come.
type Keeper struct {
	lib    Library
	log    Log
	items  Asker
	config []Rule
	lost   bool // config.toml has rules and is not understood

	mu       sync.Mutex
	known    store.Rules
	list     []Rule
	set      *Set
	compiled time.Time
}

// NewKeeper returns a keeper of the library's rules and those of config.toml; lost: it has
// some, and is not understood.
func NewKeeper(lib Library, log Log, items Asker, config []Rule, lost bool) *Keeper {
	return &Keeper{lib: lib, log: log, items: items, config: config, lost: lost}
}

// Known is an error where the rules of config.toml are not known. A rule looks at an item
// once, when it comes: nothing may come until they are.
func (k *Keeper) Known() error {
	if !k.lost {
		return nil
	}
	return &model.UserError{Sentence: "config.toml has rules but cannot be read, so nothing is fetched or filed: the rules would miss new items", Try: "fix config.toml; diurna config names the line"}
}

// Await is Known for who fetches until ctx ends. A screen, which has said so, waits for
// that.
func (k *Keeper) Await(ctx context.Context, screen bool) error {
	err := k.Known()
	if err != nil && screen {
		<-ctx.Done()
		return nil
	}
	return err
}

// read brings the rules up to date. The lock is held.
func (k *Keeper) read(ctx context.Context) error {
	got, err := k.lib.Rules(ctx, k.known.At)
	if errors.Is(err, store.ErrNone) {
		k.known, k.list, k.set = store.Rules{Next: 1}, nil, nil
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the rules: %w", err)
	}
	if got.Text == nil {
		k.known.Fact = got.Fact
		return nil
	}
	k.known, k.list, k.set = got, make([]Rule, 0, len(got.Text)), nil
	for _, no := range slices.Sorted(maps.Keys(got.Text)) {
		r, err := Decode(no, got.Text[no])
		if err != nil {
			return err
		}
		k.list = append(k.list, r)
	}
	return nil
}

// List returns all rules: the library's by number, those that ended by themselves too,
// and those of config.toml, the ones that marked nothing yet last.
func (k *Keeper) List(ctx context.Context) ([]Rule, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.read(ctx); err != nil {
		return nil, err
	}
	list, gone := k.all()
	list = append(list, gone...)
	sort.SliceStable(list, func(i, j int) bool { // those of config.toml have no number and come last
		a, b := list[i].No, list[j].No
		return a != 0 && (b == 0 || a < b)
	})
	return list, nil
}

// all are the rules that may hold, and those that config.toml no longer has. The lock
// is held.
func (k *Keeper) all() (list, gone []Rule) {
	list, gone = withNumbers(k.config, k.list)
	for i := range gone {
		gone[i].Lost = k.lost
	}
	for _, r := range k.list {
		if !r.Config {
			list = append(list, r)
		}
	}
	return list, gone
}

// relativeFor is how long what "today" and "2d" of a rule mean is not looked at again.
const relativeFor = time.Minute

// compile makes the set of all rules. The lock is held.
func (k *Keeper) compile(now time.Time) *Set {
	age := now.Sub(k.compiled)
	if k.set == nil || k.set.Relative && (age < 0 || age > relativeFor) {
		list, _ := k.all()
		k.set, _ = Compile(list, now) // what is not understood was refused when it was made
		k.compiled = now
	}
	return k.set
}

// Called is an item that a rule with a command or a notification fits.
type Called struct {
	Rule *Rule
	New  int // place in Filing.New
}

// Call is an item that a rule's command is to run for.
type Call struct {
	Rule *Rule
	Item store.ItemID
}

// Ask has the rules mark the new items of a filing of a feed, and returns which of
// them ask for more. first: the feed was never fetched before, so nothing in it is
// news.
func (k *Keeper) Ask(ctx context.Context, f *store.Filing, feed *model.Feed, first bool, now time.Time) ([]Called, error) {
	f.Rules = nil
	if len(f.New) == 0 {
		return nil, nil
	}
	if err := k.Known(); err != nil {
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.read(ctx); err != nil {
		return nil, err
	}
	called, unnumbered := k.mark(f, feed, first, now)
	if len(unnumbered) > 0 {
		if err := k.adopt(ctx, unnumbered, now); err != nil {
			return nil, err
		}
		called, _ = k.mark(f, feed, first, now)
	}
	return called, nil
}

// mark is Ask with the rules as they were read. unnumbered are rules of config.toml
// that mark items and are not in the library yet: they marked none. The lock is held.
func (k *Keeper) mark(f *store.Filing, feed *model.Feed, first bool, now time.Time) (called []Called, unnumbered []*Rule) {
	f.Rules = &store.Ruling{At: k.known.At}
	set := k.compile(now)
	if set.Empty() {
		return nil, nil
	}
	type mark struct {
		rule int
		Change
	}
	at := map[mark]int{}
	for i := range f.New {
		n := &f.New[i]
		for _, at2 := range set.FittingNew(n, feed, now) {
			r := set.Rule(at2)
			if !r.Holds(now) {
				continue
			}
			if !first && (r.Notify || len(r.Run) > 0) {
				called = append(called, Called{r, i})
			}
			if r.No == 0 {
				if r.marks() && !slices.Contains(unnumbered, r) {
					unnumbered = append(unnumbered, r)
				}
				continue
			}
			for _, c := range r.Changes(n.Unread) {
				m, ok := at[mark{r.No, c}]
				if !ok {
					m = len(f.Rules.Marks)
					at[mark{r.No, c}] = m
					f.Rules.Marks = append(f.Rules.Marks, store.RuleMark{Rule: r.No, Kind: c.Kind, Value: c.Value})
				}
				f.Rules.Marks[m].New = append(f.Rules.Marks[m].New, i)
			}
		}
	}
	return called, unnumbered
}

// FittingNew is Fitting of an item that is being filed.
func (s *Set) FittingNew(n *store.NewItem, feed *model.Feed, now time.Time) []int {
	row := rowOf(n, now)
	return s.Fitting(Item{Row: &row, Feed: feed, Deep: func() *query.Deep { return s.deepOf(n) }})
}

// rowOf is an item that is being filed as lists will show it.
func rowOf(n *store.NewItem, now time.Time) store.Row {
	row := store.Row{At: now.Unix(), Words: uint32(max(0, n.Words)), Title: n.Title, Author: n.Author}
	if !n.Published.IsZero() {
		row.At = min(row.At, n.Published.Unix())
	}
	if !n.Unread {
		row.Flags = store.FlagRead
	}
	return row
}

// deepOf is what some rule asks of an item beyond its row.
func (s *Set) deepOf(n *store.NewItem) *query.Deep {
	d, html := &query.Deep{Link: model.ShownLink(n.Link)}, cmp.Or(n.Body.HTML, n.Body.Summary)
	if s.texts {
		d.Texts = []string{plain.FromHTML(html, 0)}
	}
	if s.links {
		d.Links = links.Of(d.Link, html)
	}
	return d
}

// Preview says what a rule would do.
type Preview struct {
	Month  []store.Row // those that came in the last 30 days and fit, newest first
	Unread []store.Row // the unread items that fit: what a new rule is applied to
}

// MonthDays is how many days a Preview looks back.
const MonthDays = 30

// Try says what a rule with a query would do. The error may be a *query.Error.
func (k *Keeper) Try(ctx context.Context, text string, now time.Time) (Preview, error) {
	q, err := asked(text, now)
	if err != nil {
		return Preview{}, err
	}
	came := map[store.ItemID]bool{}
	from := now.AddDate(0, 0, -MonthDays)
	if _, err := k.log.Facts(ctx, 0, func(f *store.Fact) error {
		if f.Kind == store.Arrived && f.At.After(from) {
			for _, id := range f.Items {
				came[id] = true
			}
		}
		return nil
	}); err != nil && !errors.Is(err, store.ErrNone) {
		return Preview{}, fmt.Errorf("read what came: %w", err)
	}
	var p Preview
	all, err := k.items.Rows(ctx, q, 0)
	for _, r := range all {
		if came[r.ID] {
			p.Month = append(p.Month, r)
		}
		if r.Flags&store.FlagRead == 0 {
			p.Unread = append(p.Unread, r)
		}
	}
	return p, err
}

// asked is the query of a rule.
func asked(text string, now time.Time) (query.Query, error) {
	q, err := query.Parse(text, now)
	if err == nil && q.Empty() {
		err = errors.New("a rule needs a query: an empty one matches every item")
	}
	if err == nil {
		err = Checked(q)
	}
	return q.WithHidden(), err
}

// Add keeps a new rule and applies it to the unread items that fit, as one step; with
// later only to items that come. A rule of the library that does the same for a shorter
// time is extended instead. It returns the rule with its number. ErrKnown: there is such a
// rule, for as long.
func (k *Keeper) Add(ctx context.Context, r Rule, later bool, now time.Time) (Rule, model.Done, error) {
	if !r.Mute && !r.Read && !r.Save && !r.Notify && len(r.Tags) == 0 {
		return r, model.Done{}, errors.New("a rule needs something to do")
	}
	r.Run = nil
	q, err := asked(r.Query, now)
	if err != nil {
		return r, model.Done{}, err
	}
	for try := 0; ; try++ {
		r.Made = now
		known, err := k.lib.Rules(ctx, 0)
		if err != nil {
			return r, model.Done{}, err
		}
		var fit []store.Row
		if !later {
			if fit, err = k.items.Rows(ctx, query.Unread().And(q), 0); err != nil {
				return r, model.Done{}, err
			}
		}
		have, extends, err := like(&r, known, now)
		if err != nil {
			return r, model.Done{}, err
		}
		a := store.RuleAct{No: known.Next, Scope: scope(&r), Seen: known.Fact}
		if extends {
			a.No, a.Was, a.Scope = have.No, known.Text[have.No], "extended, "+a.Scope
			r.Query, r.Made = have.Query, have.Made
		}
		r.No = a.No
		if a.Text, err = r.Encode(); err != nil {
			return r, model.Done{}, err
		}
		if ids := idsOf(fit); len(ids) > 0 {
			for _, c := range r.Changes(true) {
				a.Changes = append(a.Changes, store.Change{Kind: c.Kind, Value: c.Value, Items: ids})
			}
		}
		done, err := k.lib.ActRule(ctx, now, a)
		if (errors.Is(err, store.ErrStale) || errors.Is(err, store.ErrTaken)) && try < 5 {
			continue // something came meanwhile
		}
		if err != nil {
			return r, model.Done{}, fmt.Errorf("keep the rule: %w", err)
		}
		return r, model.Done{Step: done.Step, Changed: done.Changed}, nil
	}
}

// scope is what the log says of a step of a rule.
func scope(r *Rule) string { return r.Effects() + ": " + plain.Line(r.Query, 200) }

func idsOf(rows []store.Row) []store.ItemID {
	ids := make([]store.ItemID, len(rows))
	for i := range rows {
		ids[i] = rows[i].ID
	}
	return ids
}

// ErrNoRule: there is no rule with this number.
var ErrNoRule = errors.New("there is no rule with this number")

// Remove ends a rule, as one step: what it muted is unread again, but for what was
// opened since; what it marked read, saved or tagged stays so.
func (k *Keeper) Remove(ctx context.Context, no int, now time.Time) (Rule, model.Done, error) {
	list, err := k.List(ctx)
	if err != nil {
		return Rule{}, model.Done{}, err
	}
	at := slices.IndexFunc(list, func(r Rule) bool { return r.No == no })
	if at < 0 {
		return Rule{}, model.Done{}, ErrNoRule
	}
	done, err := k.lib.ActRule(ctx, now, store.RuleAct{No: no, Scope: scope(&list[at])})
	if err != nil {
		return list[at], model.Done{}, fmt.Errorf("remove the rule: %w", err)
	}
	return list[at], model.Done{Step: done.Step, Changed: done.Changed}, nil
}

// Counts are how many items each of rules did something to, marked or had its command run
// for, as far back as is known.
func (k *Keeper) Counts(ctx context.Context, list []Rule) ([]int, error) {
	marked, err := k.marked(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]int, len(list))
	for i := range list {
		if r := &list[i]; len(r.Run) > 0 {
			rec, err := k.failure(ctx, r)
			if err != nil {
				return nil, err
			}
			out[i] = rec.Runs
		}
		out[i] = max(out[i], marked[list[i].No])
	}
	return out, nil
}

// marked counts the items that each rule marked, by its number.
func (k *Keeper) marked(ctx context.Context) (map[int]int, error) {
	items := map[int]map[store.ItemID]bool{}
	_, err := k.log.Facts(ctx, 0, func(f *store.Fact) error {
		no := f.ByRule()
		if no == 0 || f.Kind != store.MarkedRead && f.Kind != store.Saved && f.Kind != store.Tagged {
			return nil
		}
		if items[no] == nil {
			items[no] = map[store.ItemID]bool{}
		}
		for _, id := range f.Items {
			items[no][id] = true
		}
		return nil
	})
	if errors.Is(err, store.ErrNone) {
		return nil, nil
	}
	counts := map[int]int{}
	for no, ids := range items {
		counts[no] = len(ids)
	}
	return counts, err
}

// Doing is something that a rule did to an item: "muted by rule 3: crypto until 24 Dec".
type Doing struct {
	Rule int
	At   time.Time
	What string
}

// doings are what rules do and take back, as it is said.
var doings = map[store.Kind]string{store.MarkedRead: "marked read", store.MarkedUnread: "marked unread again", store.Saved: "saved",
	store.Unsaved: "no longer saved", store.Tagged: "tagged", store.Untagged: "no longer tagged"}

// Doings lists what rules did to an item, oldest first.
func (k *Keeper) Doings(ctx context.Context, id store.ItemID) ([]Doing, error) {
	var out []Doing
	muted := map[int]bool{} // said with its tag
	known := map[int]string{}
	_, err := k.log.Facts(ctx, 0, func(f *store.Fact) error {
		if no := store.RuleOf(f.Field); no != 0 && f.Kind == store.Adjusted && f.New != "" {
			if r, err := Decode(no, f.New); err == nil {
				known[no], muted[no] = r.named(), r.Mute
			}
		}
		no := f.ByRule()
		if no == 0 || !slices.Contains(f.Items, id) {
			return nil
		}
		what := doings[f.Kind]
		switch {
		case f.New == store.MutedTag(no):
			what = map[store.Kind]string{store.Tagged: "muted", store.Untagged: "no longer muted"}[f.Kind]
		case f.New != "":
			what += " #" + f.New
		case muted[no] && (f.Kind == store.MarkedRead || f.Kind == store.MarkedUnread):
			return nil
		}
		out = append(out, Doing{no, f.At, fmt.Sprintf("%s by rule %d: %s", what, no, known[no])})
		return nil
	})
	return out, err
}

// named is the query with the day on which the rule ends.
func (r *Rule) named() string {
	if r.Until.IsZero() {
		return r.Query
	}
	return r.Query + " until " + r.Until.Format("2 Jan 2006")
}
