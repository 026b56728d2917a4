package view

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// Binding is one thing that keys do in one place. The table of bindings drives
// the keys, the help screen and the test that no key means two things there.
// It is one pointer, which makes the code of the tables 40 KB smaller than copies would.
type Binding struct{ *Bound }

// Bound is what a binding says.
type Bound struct {
	Keys []string
	Help string // what it does; "" for what is not worth a row of the help, ditto for a key named in the row before
	Also string // words people bring along, for the search in the help
	Do   func(Host) tea.Cmd
}

// Bind makes a binding of keys with blanks between.
//
//go:noinline // tables of keys call it 230 times
func Bind(keys, help, also string, do func(Host) tea.Cmd) Binding {
	return Binding{&Bound{Keys: strings.Fields(keys), Help: help, Also: also, Do: do}}
}

// Ditto is the help of a key whose row is the one before: "n N  next, previous".
const Ditto = "\""

// Part is a group of bindings under one heading of the help.
type Part struct {
	Name  string
	Rows  []Binding
	Right bool // stands in the right column of the help
}

// Context is a place where keys have their meaning.
type Context uint8

const (
	CtxItems Context = iota
	CtxFeeds
	CtxArticle
	CtxLetters // letters stand on the links
	CtxHelp
	CtxSteps
	CtxFiles
	CtxAdd     // the cursor is in the add box: its editor has the keys
	CtxChoices // what was found on this machine
	CtxFound   // candidates of an address
	CtxInfo
	CtxTrouble // a feed in trouble
	CtxSheet   // text to be read
	CtxRhythm
	CtxDiff     // what changed
	CtxPages    // the watched pages
	CtxTrends   // what the feeds talk about
	CtxMark     // after M: what to mark read
	CtxMarkFeed // the same in Feeds
	CtxSort     // after =: how to sort
	CtxSortFeed // the same in Feeds
	CtxSortBack // after = =: what to sort by from the end
	CtxFeedBack // the same in Feeds
	CtxZ        // after Z
	Contexts
)

var contextNames = [Contexts]string{"a list", "Feeds", "an article", "links", "help", "what was done", "enclosures",
	"the add box", "what was found here", "what an address brings", "info", "a feed's trouble", "a text", "Rhythm", "a diff", "Pages", "Trends", "M in a list", "M in Feeds", "= in a list", "= in Feeds", "= = in a list", "= = in Feeds", "Z"}

func ContextName(c Context) string { return contextNames[c] }

// Fits reports whether a binding answers to a search. One letter is a key.
func (b *Bound) Fits(text, low string) bool {
	for _, k := range b.Keys {
		if k == text {
			return true
		}
	}
	return len(low) != 1 && strings.Contains(strings.ToLower(b.Help+" "+b.Also), low)
}

// keyNames write keys as people do.
var keyNames = map[string]string{
	"enter": "Enter", "space": "space", "pgdown": "PgDn", "pgup": "PgUp", "down": "Down", "up": "Up", "left": "Left",
	"right": "Right", "home": "Home", "end": "End", "esc": "Esc", "tab": "Tab", "shift+tab": "S-Tab",
}

// Label is the keys of a binding as the help names them.
func (b *Bound) Label() string {
	if len(b.Keys) == 10 {
		return "0 ... 9"
	}
	k := b.Keys[0]
	if rest, ok := strings.CutPrefix(k, "ctrl+"); ok {
		return "^" + rest
	}
	if name := keyNames[k]; name != "" {
		return name
	}
	return k
}
