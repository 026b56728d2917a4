package subscriptions

import (
	"slices"
	"strconv"
	"strings"

	"diurna/reader/model"
	"diurna/reader/opml"
	"diurna/reader/plain"
	"diurna/reader/web"
	"diurna/store"
)

// This file holds what an exported list needs to come back as it went.

// exportBook gives the addresses of one exported list.
type exportBook map[string]bool

// address returns the address under which a feed stands in the list; lost says
// that a secret was taken out of it.
func (b exportBook) address(address string, lost bool) string {
	free := address
	if lost {
		for n := 2; b[web.Key(free)]; n++ {
			free = address + web.TwinMark + strconv.Itoa(n)
		}
	}
	b[web.Key(free)] = true
	return free
}

// lostSecret names a feed whose address goes out without its secret.
func lostSecret(f *model.Feed, address string) string {
	return plain.Line(f.Title, 80) + " (" + plain.Redact(plain.Line(address, 200)) + ")"
}

// categoryOf is the category attribute of an exported feed: the one it came with
// as far as its labels are still the feed's, and then the feed's other tags. "" if
// it came without one.
func categoryOf(category string, tags []string) string {
	if category == "" {
		return ""
	}
	kept, left := "", slices.Clone(tags)
	whole := true
	for _, label := range opml.Labels(category) {
		tag := model.TagName(label.Tag)
		if tag != "" && !slices.Contains(tags, tag) {
			whole = false // the user removed it
			continue
		}
		kept += label.Text
		left = slices.DeleteFunc(left, func(t string) bool { return t == tag })
	}
	if whole && len(left) == 0 {
		return category
	}
	kept = strings.TrimRight(kept, ", \t\r\n")
	if more := opml.Category(left); kept != "" && more != "" {
		return kept + "," + more
	} else {
		return kept + more
	}
}

// fileAlso files a feed where its list names it once more: other programs write a
// feed that is in two folders twice. It has one folder here; the other is a tag.
func fileAlso(sub, again *store.Subscription) {
	more := again.Tags
	if sub.Folder == "" {
		sub.Folder = again.Folder
	} else if again.Folder != sub.Folder {
		more = append([]string{model.TagName(again.Folder)}, more...)
	}
	for _, t := range more {
		if t != "" && !slices.Contains(sub.Tags, t) {
			sub.Tags = append(sub.Tags, t)
		}
	}
}
