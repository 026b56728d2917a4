package record

import (
	"slices"
	"strconv"
	"strings"
)

// A rule is a value of the library named RulePrefix and its number, which a step sets
// (Adjusted of feed 0): what it says is its writer's. What it did to items are
// facts of the same kinds as a user's marks, of no step, whose Field names the rule;
// Ref is the step with which it was done or turned, 0 for items that came later.

// ByImport is the Field of a fact that tells what another program knew of an item which
// an import brought: nobody does it now. Ref is the import's step.
const ByImport = "imported"

// RulePrefix begins the names of the values that keep rules.
const RulePrefix = "rule "

// RuleField is the name of the value that keeps a rule.
func RuleField(no int) string { return RulePrefix + strconv.Itoa(no) }

// ByRule is the number of the rule that did what a fact about items tells; 0: no rule.
func (f *Fact) ByRule() int {
	switch f.Kind {
	case MarkedRead, MarkedUnread, Saved, Unsaved, Tagged, Untagged:
		return RuleOf(f.Field)
	}
	return 0
}

// RuleOf is the number of the rule that a field keeps; 0: none.
func RuleOf(field string) int {
	digits, ok := strings.CutPrefix(field, RulePrefix)
	if !ok {
		return 0
	}
	no, err := strconv.Atoi(digits)
	if err != nil || no < 0 {
		return 0
	}
	return no
}

// mutedPrefix begins the tag that a muted item bears. No tag of a user has a space.
// A program from before there were rules shows it as a tag of a read item.
const mutedPrefix = "muted by rule "

// MutedTag is the tag of items that a rule mutes.
func MutedTag(rule int) string { return mutedPrefix + strconv.Itoa(rule) }

// MutedBy is the number of the rule whose MutedTag a tag is; 0: none.
func MutedBy(tag string) int {
	digits, ok := strings.CutPrefix(tag, mutedPrefix)
	if !ok {
		return 0
	}
	no, _ := strconv.Atoi(digits)
	return no
}

// SplitMuted takes the tags of rules that mute an item off its tags.
func SplitMuted(flags Flags, tags []string) (own []string, rule int) {
	at := slices.IndexFunc(tags, isMutedTag)
	if at < 0 {
		return tags, 0
	}
	if flags&FlagRead != 0 {
		rule = MutedBy(tags[at])
	}
	for _, t := range tags {
		if !isMutedTag(t) {
			own = append(own, t)
		}
	}
	return own, rule
}

func isMutedTag(tag string) bool { return MutedBy(tag) != 0 }

// Ruling is what rules do to the new items of a Filing. At is the At of the Rules that
// were asked: if others hold by now, the filing is ErrStale.
type Ruling struct {
	At    uint64
	Step  uint64 // of the marks of an import: its step
	Marks []RuleMark
}

// RuleMark is one thing that a rule does to new items: those at the places New of
// Filing.New, ascending.
type RuleMark struct {
	Rule  int  // 0: an import, which brought this along
	Kind  Kind // MarkedRead, Saved or Tagged
	Value string
	New   []int
}

// Rules are the library's rules as their writer keeps them.
type Rules struct {
	At   uint64 // changes with every change of a rule
	Next int    // number of the next rule
	Fact uint64 // number of the newest fact
	Text map[int]string
}
