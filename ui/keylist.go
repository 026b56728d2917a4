package ui

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"diurna/ui/view"
)

// The key table as a list, for those who want it on paper.

// keyList gives every row of the table once, by place, then the person's own.
func keyList(o Options) ([]Key, error) {
	m := &model{opts: o, keys: newKeymap()}
	m.ownKeys()
	var list []Key
	shared := make(map[string]bool) // rows of more than one place that are there already
	for c := range view.Contexts {
		for _, p := range helpParts(c) {
			for _, k := range m.keys.partRows(c, p) {
				at := k.Place + "\t" + strings.Join(k.Keys, " ")
				if k.Place != view.ContextName(c) && shared[at] {
					continue
				}
				shared[at] = true
				list = append(list, k)
			}
		}
	}
	list = append(list, m.keys.ownRows()...)
	if m.message != "" {
		return list, fmt.Errorf("%s", strings.TrimSuffix(m.message, "."))
	}
	return list, nil
}

// partRows are the bindings of a part of the help; those under one help text
// are one row. A key that the person gave another meaning is left out.
func (k *keymap) partRows(c view.Context, p view.Part) []Key {
	var rows []Key
	help, joins := "", false
	for i := range p.Rows {
		b := &p.Rows[i]
		if b.Help != view.Ditto {
			help, joins = b.Help, false
		}
		var keys []string
		for _, key := range b.Keys {
			if _, taken := k.user[c][key]; !taken {
				keys = append(keys, key)
			}
		}
		switch {
		case help == "" || len(keys) == 0:
		case joins:
			rows[len(rows)-1].Keys = append(rows[len(rows)-1].Keys, keys...)
		default:
			joins = true
			rows = append(rows, Key{Place: placeOf(c, p.Name, b.Keys[0]), Keys: keys, Does: help})
		}
	}
	return rows
}

// placeOf names where a row holds: what moves does so in every list, and what
// lists and articles have in common is everywhere.
func placeOf(c view.Context, part, key string) string {
	common := func(b view.Binding) bool { return slices.Contains(b.Keys, key) }
	switch {
	case part == "Moving":
		return "any list"
	case part == "Everywhere" && c <= view.CtxFeeds && !slices.ContainsFunc(commonKeys(), common):
		return "any list" // the views
	case part == "Everywhere":
		return "everywhere"
	}
	return view.ContextName(c)
}

// ownRows are what the person's keys and the keymap that the config chose
// stand for, and the macros.
func (k *keymap) ownRows() []Key {
	var rows, everywhere []Key
	add := func(to *[]Key, place, key string, keys []string) {
		does := "stands for " + strings.Join(keys, " ")
		if len(keys) == 0 {
			does = "nothing"
		}
		*to = append(*to, Key{Place: place, Keys: []string{key}, Does: does, Yours: true})
	}
	all := sections["everywhere"]
	for _, c := range all {
		for _, key := range slices.Sorted(maps.Keys(k.user[c])) {
			keys := k.user[c][key]
			if !slices.ContainsFunc(all, func(o view.Context) bool { return !slices.Equal(k.user[o][key], keys) || k.user[o][key] == nil }) {
				if c == all[0] {
					add(&everywhere, "everywhere", key, keys)
				}
				continue
			}
			add(&rows, view.ContextName(c), key, keys)
		}
	}
	rows = append(rows, everywhere...)
	for _, name := range slices.Sorted(maps.Keys(k.macro)) {
		rows = append(rows, Key{Place: "after a comma", Keys: []string{name}, Does: "macro: " + strings.Join(k.macro[name], " "), Yours: true})
	}
	return rows
}
