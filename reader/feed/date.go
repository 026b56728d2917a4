package feed

import (
	"time"

	"diurna/reader/feed/dates"
)

// date reads the date in an element's content: the moment, the text as it
// stands, and whether the moment could be read.
func (p *parser) date(e *element) (at time.Time, raw string, ok bool) {
	s, _ := p.valueOf(e, 4*MaxDate) // capped before anything looks at it
	raw = line(s, MaxDate)
	if raw == "" {
		return time.Time{}, "", false
	}
	at, zoned, ok := dates.Parse(raw)
	switch {
	case !ok:
		p.badDate++
		return time.Time{}, raw, false
	case !zoned:
		p.noZone++
	}
	if !p.in.Now.IsZero() && at.After(p.in.Now) {
		p.future++
		at = p.in.Now
	}
	return at.UTC(), raw, true
}

// dates takes over an element that holds a date. A date that cannot be read
// never displaces one that can; of two alike the last one counts, as readers
// have it.
func (p *parser) dates(d *draft, e element) bool {
	pub, upd := 0, 0
	switch e.key {
	case "pubdate", "published", "issued", "atom:published", "atom:issued":
		pub = 5
	case "dcterms:issued":
		pub = 4
	case "dcterms:created", "created", "atom:created":
		pub = 3
	case "dc:date", "date", "dcterms:date":
		pub = 2
	case "updated", "modified", "atom:updated", "atom:modified", "lastbuilddate":
		upd = 5
	case "dcterms:modified":
		upd = 4
	default:
		return false
	}
	at, raw, ok := p.date(&e)
	switch {
	case pub > 0 && (ok && pub >= d.pubRank || d.it.PublishedRaw == ""):
		d.it.Published, d.it.PublishedRaw = at, raw
		if ok {
			d.pubRank = pub
		}
	case upd > 0 && (ok && upd >= d.updRank || d.it.UpdatedRaw == ""):
		d.it.Updated, d.it.UpdatedRaw = at, raw
		if ok {
			d.updRank = upd
		}
	}
	return true
}
