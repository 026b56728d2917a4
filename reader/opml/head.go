package opml

import (
	"strings"

	"diurna/reader/plain"
)

func (p *parser) version(attrs []attr) {
	for _, a := range attrs {
		if strings.EqualFold(a.name, "version") && p.list.Version == "" {
			p.list.Version = line(a.value)
		}
	}
}

func (p *parser) head(name string) {
	if p.list.Head == nil {
		p.list.Head = map[string]string{}
	}
	if v := line(p.text()); v != "" && p.list.Head[name] == "" {
		p.list.Head[name] = v
	}
}

// addPage notes an entry that names a page and no feed.
func (p *parser) addPage(title, address string, at int) {
	if u, ok := plain.URL(address); ok && len(p.list.Pages) < MaxFeeds {
		p.list.Pages = append(p.list.Pages, Page{Title: title, URL: u, Line: at})
	}
}

func (p *parser) tellPages() {
	switch n := len(p.list.Pages); {
	case n == 1:
		p.problem("1 entry names a page and no feed; diurna add looks for one there: %s", p.list.Pages[0].URL)
	case n > 1:
		p.problem("%d entries name a page and no feed; diurna add looks for one there: %s, ...", n, p.list.Pages[0].URL)
	}
}
