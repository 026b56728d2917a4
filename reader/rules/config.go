package rules

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"diurna/reader/model"
	"diurna/reader/query"
	"diurna/store"
)

// A rule of config.toml stands in no library until it first marks an item: then the
// library keeps its query and what it marks under a number, as a step, so that its
// facts, its undo and its mutes are those of other rules. Its command is not kept:
// nobody's library and nobody's import runs anything. What holds is what stands in
// config.toml; an entry that is no longer there does nothing.

// maxRules is how many rules a config has at most, maxWords how many words a command.
const (
	maxRules = 1000
	maxWords = 100
)

// CheckAll says what is wrong with the rules of a config, and puts their tags into
// the form in which tags are kept.
func CheckAll(list []Rule, now time.Time) error {
	if len(list) > maxRules {
		return fmt.Errorf("there are more than %d rules", maxRules)
	}
	for i := range list {
		if err := list[i].check(now); err != nil {
			return fmt.Errorf("rule %d: %w", i+1, err)
		}
	}
	return nil
}

func (r *Rule) check(now time.Time) error {
	q, err := query.Parse(r.Query, now)
	var wrong *query.Error
	switch {
	case errors.As(err, &wrong):
		return fmt.Errorf("query %q, character %d: %w", r.Query, len([]rune(wrong.Before()))+1, err)
	case err != nil:
		return err
	case q.Empty():
		return errors.New("it needs a query; an empty one matches every item")
	}
	if err := Checked(q); err != nil {
		return err
	}
	for i, t := range r.Tags {
		if r.Tags[i] = model.TagName(t); r.Tags[i] == "" {
			return fmt.Errorf("%q is not a tag", t)
		}
	}
	switch {
	case r.Run != nil && (len(r.Run) == 0 || strings.TrimSpace(r.Run[0]) == ""):
		return errors.New("run needs the name of a program")
	case len(r.Run) > maxWords:
		return fmt.Errorf("run has more than %d words", maxWords)
	case r.Effects() == "":
		return errors.New("it needs something to do: read, save, mute or notify = true, tag or run = [...]")
	}
	r.Config = true
	return nil
}

// marks reports whether the rule changes items.
func (r *Rule) marks() bool { return r.Mute || r.Read || r.Save || len(r.Tags) > 0 }

// entry is a rule of config.toml as a library keeps it.
func (r *Rule) entry(made time.Time) string {
	rec := record{Query: r.Query, Mute: r.Mute, Read: r.Read, Save: r.Save, Tags: r.Tags, Made: made.Unix(), Config: true}
	b, err := json.Marshal(rec)
	if err != nil {
		panic(err) // strings and flags
	}
	return string(b)
}

// withNumbers returns the rules of config.toml with the numbers that the library
// keeps them under, and the entries of the library that config.toml no longer has.
func withNumbers(config, library []Rule) (list, gone []Rule) {
	list = slices.Clone(config)
	for _, kept := range library {
		if !kept.Config {
			continue
		}
		at := slices.IndexFunc(list, func(r Rule) bool { return r.No == 0 && r.entry(kept.Made) == kept.entry(kept.Made) })
		if at < 0 {
			kept.Gone = true
			gone = append(gone, kept)
			continue
		}
		list[at].No, list[at].Made = kept.No, kept.Made
	}
	return list, gone
}

// adopt has the library keep rules of config.toml that are about to mark items. The
// lock is held.
func (k *Keeper) adopt(ctx context.Context, list []*Rule, now time.Time) error {
	for _, r := range list {
		err := store.ErrTaken
		for try := 0; try < 5 && errors.Is(err, store.ErrTaken); try++ { // another process made a rule meanwhile
			var known store.Rules
			if known, err = k.lib.Rules(ctx, 0); errors.Is(err, store.ErrNone) {
				known, err = store.Rules{Next: 1}, nil
			}
			if err == nil {
				_, err = k.lib.ActRule(ctx, now, store.RuleAct{No: known.Next, Text: r.entry(now), Scope: scope(r)})
			}
		}
		if err != nil {
			return fmt.Errorf("keep a rule of config.toml: %w", err)
		}
	}
	return k.read(ctx)
}

// OfConfig reports whether a step is a rule of config.toml at its first item: no
// step of the reader, so undo without a number leaves it alone.
func OfConfig(s *store.Step) bool {
	no := store.RuleOf(s.Field)
	if no == 0 || s.New == "" {
		return false
	}
	r, err := Decode(no, s.New)
	return err == nil && r.Config
}
