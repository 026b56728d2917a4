package keymap

import (
	"maps"
	"slices"
	"strings"

	"diurna/ui/view"
)

// The key table as a list, for those who want it on paper.

// Key is a row of the table.
type Key struct {
	Place string   // where the keys mean it: "a list", "an article", "everywhere"
	Keys  []string // as keys.toml names them: "ctrl+d"; of a row such as "page down, up" all keys of both
	Does  string
	Yours bool // from keys.toml, or from the keymap that the config chose
}

// List gives every row of the table once, by place, then the user's own.
func (k *Map) List() []Key {
	var list []Key
	shared := make(map[string]bool) // rows of more than one place that are there already
	for c := range view.Contexts {
		for _, p := range k.parts(c) {
			for _, row := range k.partRows(c, p) {
				at := row.Place + "\t" + strings.Join(row.Keys, " ")
				if row.Place != view.ContextName(c) && shared[at] {
					continue
				}
				shared[at] = true
				list = append(list, row)
			}
		}
	}
	return append(list, k.ownRows()...)
}

// partRows are the bindings of a part of the help; those under one help text
// are one row. A key that the user gave another meaning is left out.
func (k *Map) partRows(c view.Context, p view.Part) []Key {
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
			rows = append(rows, Key{Place: k.placeOf(c, p.Name, b.Keys[0]), Keys: keys, Does: help})
		}
	}
	return rows
}

// placeOf names where a row holds: what moves does so in every list, and what
// lists and articles have in common is everywhere.
func (k *Map) placeOf(c view.Context, part, key string) string {
	common := func(b view.Binding) bool { return slices.Contains(b.Keys, key) }
	switch {
	case part == "Moving":
		return "any list"
	case part == "Everywhere" && c <= view.CtxFeeds && !slices.ContainsFunc(k.common(), common):
		return "any list" // the views
	case part == "Everywhere":
		return "everywhere"
	}
	return view.ContextName(c)
}

// common are the keys that lists and articles have in common: what an article
// shows as everywhere.
func (k *Map) common() []view.Binding {
	for _, p := range k.parts(view.CtxArticle) {
		if p.Name == "Everywhere" {
			return p.Rows
		}
	}
	return nil
}

// ownRows are what the user's keys and the keymap that the config chose
// stand for, and the macros.
func (k *Map) ownRows() []Key {
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
		rows = append(rows, Key{Place: "after a comma", Keys: []string{name}, Does: "macro: " + k.macro[name].Text, Yours: true})
	}
	return rows
}
