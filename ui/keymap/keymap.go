// Package keymap is the table of keys as a whole: what a key means in each
// place, what the user's own keys of keys.toml stand for, and the table as the
// help and a list show it. What a key does stands with the view it does it in.
package keymap

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"diurna/ui/bindkeys"
	"diurna/ui/macro"
	"diurna/ui/toml"
	"diurna/ui/view"
)

// keys.toml: a key of the user's own stands for one or more keys of the
// table, so that whatever can be done has a name already. A table for each
// place, and one for macros, which a comma leads to:
//
//	[list]
//	"x" = "m j"
//	[macro]
//	"l" = "s t l a t e r enter"
//
// A value is a string of keys with blanks between, or a list of keys; ":words" and
// "|words" are lines of the command line and the pipe. A macro may also be words of
// the command line with semicolons between, and a list of those and of programs: see
// package macro.

// sections are the places that keys.toml names.
var sections = map[string][]view.Context{
	"list": {view.CtxItems}, "feeds": {view.CtxFeeds}, "article": {view.CtxArticle}, "pages": {view.CtxPages}, "diff": {view.CtxDiff},
	"everywhere": {view.CtxItems, view.CtxFeeds, view.CtxArticle, view.CtxSteps, view.CtxFiles, view.CtxInfo, view.CtxTrouble, view.CtxSheet, view.CtxDiff, view.CtxPages, view.CtxRhythm, view.CtxTrends},
}

// Newsboat is the preset with newsboat's keys.
const Newsboat = "newsboat"

// own takes in a table of the user's keys; the error is the sentence to show.
func (k *Map) own(file, text string) error {
	doc, err := toml.Parse([]byte(text))
	if wrong := (*toml.Error)(nil); errors.As(err, &wrong) {
		return fmt.Errorf("%s line %d: %w; the file was ignored", file, wrong.Line, err)
	}
	type entry struct {
		section, key string
		value        *toml.Value
	}
	var entries []entry
	for section, keys := range doc {
		for key, value := range keys.Table {
			entries = append(entries, entry{section, key, value})
		}
		if keys.Table == nil {
			return fmt.Errorf("%s line %d: %q does not stand in a table such as [list]; the file was ignored", file, keys.Line, section)
		}
	}
	// Places before everywhere, which must not cover them; else by line.
	sort.Slice(entries, func(i, j int) bool {
		a, b := entries[i], entries[j]
		return cmp.Or(cmp.Compare(rank(a.section), rank(b.section)), cmp.Compare(a.value.Line, b.value.Line)) < 0
	})
	taken := make(map[string]bool)
	var wrong []string
	for _, e := range entries {
		if e.section == "macro" { // each stands for itself: the others hold
			if err := k.takeMacro(e.key, e.value.Any()); err != nil {
				wrong = append(wrong, fmt.Sprintf("line %d: macro %q: %s", e.value.Line, e.key, err))
			}
			continue
		}
		if why := k.take(taken, e.section, e.key, e.value.Any()); why != "" {
			return fmt.Errorf("%s line %d: %s; the file was ignored", file, e.value.Line, why)
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	return macroError(file + " " + strings.Join(wrong, ". ") + "; the rest of the file is used")
}

// macroError is about macros, without which the table holds.
type macroError string

func (e macroError) Error() string { return string(e) }

// takeMacro adds a macro.
func (k *Map) takeMacro(key string, value any) error {
	name, ok := Named(key)
	if !ok {
		return fmt.Errorf("%q is not a key", key)
	}
	m, err := macro.Parse(value, macro.Names{Key: Named, Words: k.commands})
	if err == nil {
		k.macro[name] = m
	}
	return err
}

func rank(section string) int {
	if section == "everywhere" {
		return 1
	}
	return 0
}

// take adds one line of a table; why is what is wrong with it. taken are the
// keys that the same text gave a meaning in a place of their own.
func (k *Map) take(taken map[string]bool, section, key string, value any) (why string) {
	keys, ok := keysOf(value)
	if !ok {
		return fmt.Sprintf("%q needs keys such as \"m j\"", key)
	}
	name, ok := Named(key)
	if !ok {
		return fmt.Sprintf("%q is not a key", key)
	}
	for i, to := range keys {
		if to, ok := Named(to); ok {
			keys[i] = to
			continue
		}
		if to[0] != ':' && to[0] != '|' {
			return fmt.Sprintf("%q is not a key", to)
		}
	}
	places, ok := sections[section]
	if !ok {
		return fmt.Sprintf("[%s] is not known: there are [list] [feeds] [article] [pages] [diff] [everywhere] [macro]", section)
	}
	if len(keys) > 0 && !k.meant(places, keys[0]) {
		return fmt.Sprintf("there is no action %q in %s", keys[0], section)
	}
	for _, c := range places {
		at := fmt.Sprint(c, name)
		if section == "everywhere" && taken[at] {
			continue // a place's own table goes before
		}
		taken[at] = true
		k.user[c][name] = keys
		if len(keys) == 1 && keys[0] == name { // its own meaning, which a preset took
			delete(k.user[c], name)
		}
	}
	return ""
}

// meant reports whether a key has a meaning in one of the places.
func (k *Map) meant(places []view.Context, key string) bool {
	return key[0] == ':' || key[0] == '|' || slices.ContainsFunc(places, func(c view.Context) bool { return k.table[c][key] != nil })
}

// keysOf reads the keys of a value.
func keysOf(value any) ([]string, bool) {
	switch v := value.(type) {
	case string:
		return strings.Fields(v), true
	case []any:
		var keys []string
		for _, e := range v {
			s, ok := e.(string)
			if !ok || s == "" {
				return nil, false
			}
			keys = append(keys, s)
		}
		return keys, true
	}
	return nil, false
}

// Map is the table turned into one map per place, made once, with what the
// user's own keys stand for.
type Map struct {
	parts func(view.Context) []view.Part
	table [view.Contexts]map[string]*view.Binding
	user  [view.Contexts]map[string][]string // a key and the keys of the table it stands for
	macro map[string]macro.Macro             // what follows the comma

	commands []string // what a line of the command line may begin with

	foreign, greek, cyrillic bool // letters of no Latin keyboard were pressed; which the last one was of
}

// New makes the table of what parts gives for each place, with the keys of a
// preset ("newsboat", "" for none) and of the text of keys.toml. The error is the
// sentence about what is wrong with either; the keys of the other one hold then, and
// of a text with a wrong macro all that is right. Macros may be made of commands.
func New(parts func(view.Context) []view.Part, preset, text string, commands []string) (*Map, error) {
	var wrong error
	set := ""
	switch preset {
	case "":
	case Newsboat:
		set = bindkeys.Default()
	default:
		wrong = fmt.Errorf("config.toml: there is no keymap %q, only %q", preset, Newsboat)
	}
	k := table(parts, commands)
	wrong = cmp.Or(wrong, k.own(preset, set)) // a test holds the preset to be right
	err := k.own("keys.toml", text)
	var macros macroError
	if errors.As(err, &macros) {
		wrong = cmp.Or(wrong, err)
	} else if err != nil {
		k = table(parts, commands) // half a file is worse than none; the preset stays
		wrong = cmp.Or(wrong, k.own(preset, set), err)
	}
	return k, wrong
}

// Parts are the bindings of a place as the help shows them.
func (k *Map) Parts(c view.Context) []view.Part { return k.parts(c) }

// Bound is what a key does in a place, nil for nothing.
func (k *Map) Bound(c view.Context, key string) *view.Binding { return k.table[c][key] }

// Own are the keys that one of the user's own stands for in a place.
func (k *Map) Own(c view.Context, key string) (keys []string, ok bool) {
	keys, ok = k.user[c][key]
	return keys, ok
}

// Macro gives a macro.
func (k *Map) Macro(name string) (m macro.Macro, ok bool) {
	m, ok = k.macro[name]
	return m, ok
}

// Macros are the names of all macros, as people write them.
func (k *Map) Macros() []string {
	names := make([]string, 0, len(k.macro))
	for name := range k.macro {
		names = append(names, Label(name))
	}
	slices.Sort(names)
	return names
}

// table is the keymap without anybody's own keys.
func table(parts func(view.Context) []view.Part, commands []string) *Map {
	k := Map{parts: parts, macro: make(map[string]macro.Macro), commands: commands}
	for c := range view.Contexts {
		k.table[c] = make(map[string]*view.Binding)
		k.user[c] = make(map[string][]string)
		for _, p := range parts(c) {
			for i := range p.Rows {
				for _, key := range p.Rows[i].Keys {
					k.table[c][key] = &p.Rows[i]
				}
			}
		}
	}
	return &k
}
