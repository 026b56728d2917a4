package keymap

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"diurna/ui/view"
)

// homes are the views that a key without meaning is said to belong to, in the
// plural where there are many of them. Places that are open for one key only,
// or that a user types in, are left out.
var homes = []struct {
	context view.Context
	name    string
}{
	{view.CtxItems, "lists of items"}, {view.CtxFeeds, "Feeds"}, {view.CtxArticle, "articles"}, {view.CtxPages, "Pages"},
	{view.CtxDiff, "diffs"}, {view.CtxRhythm, "Rhythm"}, {view.CtxTrends, "Trends"}, {view.CtxInfo, "info"}, {view.CtxSteps, "what was done"},
	{view.CtxFiles, "enclosures"}, {view.CtxHelp, "help"},
}

// maxHomes is how many of them are named: what works in more does so nearly
// everywhere.
const maxHomes = 3

// Dead is the sentence about a key that does nothing in a place: which views it
// belongs to. It is "" where silence is right: Esc ends whatever there is to
// end, and a key with nothing to end is no mistake.
func (k *Map) Dead(c view.Context, key string) string {
	label := Label(key)
	switch {
	case key == "esc":
		return ""
	case utf8.RuneCountInString(label) > maxLabel || strings.ContainsFunc(label, unicode.IsControl):
		label = "This key"
	}
	if keys, own := k.user[c][key]; own && len(keys) == 0 {
		return label + " does nothing: keys.toml unbound it."
	}
	switch c {
	case view.CtxMark, view.CtxMarkFeed:
		return label + " does nothing after M; nothing was marked."
	case view.CtxSort, view.CtxSortFeed, view.CtxSortBack, view.CtxFeedBack:
		return label + " does nothing after =; the order stays."
	case view.CtxZ:
		return label + " does nothing after Z; ZZ quits."
	}
	var in []string
	for _, h := range homes {
		if h.context != c && (k.table[h.context][key] != nil || len(k.user[h.context][key]) > 0) {
			in = append(in, h.name)
		}
	}
	dead := label + " does nothing in " + view.ContextName(c)
	switch n := len(in); {
	case n == 0:
		return dead + ". ? lists the keys."
	case n > maxHomes:
		return dead + "; it works in " + strings.Join(in[:maxHomes], ", ") + " and more."
	case n > 1:
		return dead + "; it works in " + strings.Join(in[:n-1], ", ") + " and " + in[n-1] + "."
	default:
		return dead + "; it works in " + in[0] + "."
	}
}

// maxLabel is how long the name of a key may be to be said: a terminal can send
// whole words as the text of one, and none of it may steer the screen.
const maxLabel = 12
