package reader

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

// onlyFeeds leaves out the watched pages.
func onlyFeeds(list []Feed) []Feed {
	return slices.DeleteFunc(slices.Clone(list), func(f Feed) bool { return f.Watched })
}

// pageOutline is a watched page as a subscription list takes it.
func pageOutline(f *Feed, address string) opml.Outline {
	watch := map[string]string{}
	for name, attr := range pageFields {
		if v := f.Attrs[attr]; v != "" {
			watch[outlineName(name)] = v
		}
	}
	if v := f.Attrs["interval"]; v != "" {
		watch["interval"] = v
	}
	return opml.Outline{URL: address, Title: f.Title, Folder: f.Folder, Tags: f.Tags, Hidden: f.Hidden, Watch: watch}
}

func outlineName(field string) string { return strings.ReplaceAll(field, "_", "-") }

// pageAttrs are the settings that an outline brings, as far as they make sense.
func pageAttrs(watch map[string]string) map[string]string {
	attrs := map[string]string{attrPage: "yes"}
	for name, attr := range pageFields {
		if v, err := pageSetting(name, plain.Text(watch[outlineName(name)], 4096)); err == nil && v != "" {
			attrs[attr] = v
		}
	}
	if every := model.IntervalOf(&store.Feed{Attrs: watch}); every > 0 {
		attrs["interval"] = every.String()
	}
	return attrs
}

// listKey is what two entries of lists share that mean the same: of a feed its
// address, of a page also what of it is watched.
func listKey(address string, attrs map[string]string) string {
	if attrs[attrPage] == "" {
		return web.Key(address)
	}
	return "page " + web.Key(requestAddress(address)) + "\n" + attrs[attrSelect]
}

// addressBook holds the addresses that are taken, for pages that share one.
type addressBook map[string]bool

func (p addressBook) free(address string) string {
	free := address
	for n := 2; p[free]; n++ {
		free = address + watchMark + strconv.Itoa(n)
	}
	p[free] = true
	return free
}
