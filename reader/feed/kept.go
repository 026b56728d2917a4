package feed

import (
	"time"

	"diurna/reader/feed/xmlscan"
	"diurna/reader/plain"
)

// Kept makes an entry of what another program kept of one: its texts and addresses are
// made as plain as those of a document, base being what they are relative to, and dates
// after now are moved to it. Where text is true ContentHTML is plain text.
func Kept(e Entry, base string, text bool, now time.Time) Entry {
	e.IDRaw = e.IDRaw[:min(len(e.IDRaw), MaxURL)]
	e.Title, e.Author = title(e.Title, textGuess), line(e.Author, MaxTitle)
	e.Link = line(xmlscan.Resolve(base, line(e.Link, MaxURL)), MaxURL)
	for _, at := range []*time.Time{&e.Published, &e.Updated} {
		if at.After(now) {
			*at = now
		}
	}
	if len(e.ContentHTML) > 2*MaxItem {
		e.ContentHTML = e.ContentHTML[:2*MaxItem]
	}
	if text {
		e.ContentHTML = textToHTML(e.ContentHTML)
	}
	e.ContentHTML = plain.HTML(xmlscan.Rebase(e.ContentHTML, base), MaxItem)
	e.Words = plain.Words(e.ContentHTML)
	files := e.Enclosures
	e.Enclosures = nil
	for _, f := range files[:min(len(files), MaxEnclosures)] {
		f.URL, f.Type, f.Title = xmlscan.Address(base, line(f.URL, MaxURL)), line(f.Type, 128), line(f.Title, MaxTitle)
		if f.URL != "" {
			e.Enclosures = append(e.Enclosures, f)
		}
	}
	return e
}
