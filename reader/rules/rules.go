// Package rules says what happens to an item when it comes: a rule is a query and
// what is done to items that fit. Compile makes a Set of rules, Set.Fitting says which
// of them fit an item. docs/rules.md describes rules for those who write them.
//
// Most rules are words, and a library may have a thousand: a Set looks the words of
// an item up and asks only those rules of which a needed word is there.
package rules

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"diurna/reader/query"
	"diurna/reader/wording"
	"diurna/store"
)

// Rule is a query and what is done to the items that fit, when they come.
type Rule struct {
	No     int    // in the library, from 1; 0: not there
	Query  string // as it was typed
	Mute   bool   // kept out of the unread items, and not read
	Read   bool
	Save   bool
	Tags   []string
	Notify bool
	Run    []string  // a command, of config.toml only
	Made   time.Time // zero: of config.toml
	Until  time.Time // items that come from then on are left alone; zero: for good
	Config bool      // of config.toml; No is that of its entry in the library, 0 before it marked anything
	Gone   bool      // of config.toml once, and no longer there
	Lost   bool      // of a config.toml that is not understood now; Gone, as far as is known
}

// record is a Rule as the library keeps it.
type record struct {
	Query  string   `json:"query"`
	Mute   bool     `json:"mute,omitempty"`
	Read   bool     `json:"read,omitempty"`
	Save   bool     `json:"save,omitempty"`
	Tags   []string `json:"tags,omitempty"`
	Notify bool     `json:"notify,omitempty"`
	Made   int64    `json:"made"`
	Until  int64    `json:"until,omitempty"`
	Config bool     `json:"config,omitempty"`
}

// Encode is the rule as the library keeps it, without what is of config.toml only.
func (r *Rule) Encode() (string, error) {
	rec := record{Query: r.Query, Mute: r.Mute, Read: r.Read, Save: r.Save, Tags: r.Tags, Notify: r.Notify, Made: r.Made.Unix()}
	if !r.Until.IsZero() {
		rec.Until = r.Until.Unix()
	}
	b, err := json.Marshal(rec)
	return string(b), err
}

// Decode reads what Encode made.
func Decode(no int, text string) (Rule, error) {
	var rec record
	if err := json.Unmarshal([]byte(text), &rec); err != nil {
		return Rule{}, fmt.Errorf("rule %d of the library is not understood: %w", no, err)
	}
	r := Rule{No: no, Query: rec.Query, Mute: rec.Mute, Read: rec.Read, Save: rec.Save, Tags: rec.Tags, Notify: rec.Notify, Made: time.Unix(rec.Made, 0), Config: rec.Config}
	if rec.Until != 0 {
		r.Until = time.Unix(rec.Until, 0)
	}
	return r, nil
}

// Holds reports whether items that come at a time are asked about.
func (r *Rule) Holds(now time.Time) bool {
	return !r.Gone && (r.Until.IsZero() || now.Before(r.Until))
}

// Effects says in words what the rule does: "mute", "read, tag later".
func (r *Rule) Effects() string {
	var does []string
	for _, e := range []struct {
		on   bool
		word string
	}{{r.Mute, "mute"}, {r.Read, "read"}, {r.Save, "save"}, {r.Notify, "notify"}, {len(r.Run) > 0, "run"}} {
		if e.on {
			does = append(does, e.word)
		}
	}
	for _, t := range r.Tags {
		does = append(does, "tag "+t)
	}
	return strings.Join(does, ", ")
}

// Change is something that a rule does to items.
type Change struct {
	Kind  store.Kind
	Value string
}

// Changes are what the rule does to an item that fits and comes unread or read.
func (r *Rule) Changes(unread bool) []Change {
	var out []Change
	if unread && (r.Mute || r.Read) {
		out = append(out, Change{Kind: store.MarkedRead})
	}
	if unread && r.Mute {
		out = append(out, Change{store.Tagged, store.MutedTag(r.No)})
	}
	if r.Save {
		out = append(out, Change{Kind: store.Saved})
	}
	for _, t := range r.Tags {
		out = append(out, Change{store.Tagged, t})
	}
	return out
}

// Set are rules, compiled. One goroutine may use it.
type Set struct {
	all      []compiled
	byWord   map[string][]int // rules by a word that must stand in an item
	byText   map[string][]int // the same where it may stand in the text
	always   []int            // rules without such a word
	texts    bool             // some rule asks for texts, or for what they point to
	links    bool
	Relative bool // some rule depends on when it was compiled

	marked []int // of each rule, the item that it was last found for
	item   int
	feed   *feedWords
}

type compiled struct {
	rule  *Rule
	fits  *query.Matcher
	query query.Query
}

// Compile makes a set of the rules that hold now. Wrong are those whose query is
// not understood, by place in the list.
func Compile(list []Rule, now time.Time) (s *Set, wrong map[int]error) {
	s = &Set{byWord: map[string][]int{}, byText: map[string][]int{}}
	for i := range list {
		r := &list[i]
		if !r.Holds(now) {
			continue
		}
		q, err := query.Parse(r.Query, now)
		if err != nil {
			if wrong == nil {
				wrong = map[int]error{}
			}
			wrong[i] = err
			continue
		}
		q = q.WithHidden()
		s.Relative = s.Relative || q.Relative()
		s.texts = s.texts || q.Needs(query.Text)
		s.links = s.links || q.Needs(query.LinksTo)
		at := len(s.all)
		s.all = append(s.all, compiled{r, q.Matcher(), q})
		k := keyOf(q)
		switch {
		case !k.ok:
			s.always = append(s.always, at)
		case k.inText:
			addWords(s.byText, k.words, at)
		default:
			addWords(s.byWord, k.words, at)
		}
	}
	s.marked = make([]int, len(s.all))
	return s, wrong
}

// addWords files a rule under words, each once.
func addWords(m map[string][]int, list []string, rule int) {
	slices.Sort(list)
	for _, w := range slices.Compact(list) {
		m[w] = append(m[w], rule)
	}
}

// Empty reports whether no rule holds.
func (s *Set) Empty() bool { return s == nil || len(s.all) == 0 }

// Rule is the rule at a place that Fitting gave.
func (s *Set) Rule(i int) *Rule { return s.all[i].rule }

// IsMuted reports whether a tag is that of items which a rule mutes.
func IsMuted(tag string) bool { return store.MutedBy(tag) != 0 }

// Describe says in words what a step did that made or removed a rule.
func Describe(s *store.Step) string {
	did := "rule %d made (%s), %s marked by it"
	switch {
	case s.New == "":
		did = "rule %d removed (%s), %s no longer muted"
	case OfConfig(s):
		return fmt.Sprintf("rule %d of config.toml marked its first item (%s)", store.RuleOf(s.Field), s.Scope)
	}
	return fmt.Sprintf(did, store.RuleOf(s.Field), s.Scope, wording.Plural(s.Count, "item"))
}

// TextOf is the query of the words of a command line. A word that has spaces in it and
// is no more than words was in quotes, which the shell took off: it is a phrase.
func TextOf(args []string) string {
	parts := slices.Clone(args)
	for i, a := range parts {
		q, err := query.Parse(a, time.Time{})
		if err == nil && strings.ContainsAny(strings.TrimSpace(a), " \t") && !strings.Contains(a, `"`) && q.OnlyWords() {
			parts[i] = `"` + strings.TrimSpace(a) + `"`
		}
	}
	return strings.Join(parts, " ")
}

// Until is when a rule ends that holds for a time such as 12h, 30d, 2w, 6m or 1y, or
// to a date; false for what is none of these or not to come.
func Until(text string, now time.Time) (time.Time, bool) {
	t, ok := query.ParseTime(text, now)
	if ok && !strings.Contains(text, "-") {
		t = now.Add(now.Sub(t))
	}
	return t, ok && t.After(now)
}
