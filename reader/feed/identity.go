package feed

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"
	"sync"

	"diurna/reader/feed/xmlscan"
	"diurna/reader/plain"
)

// hash64 returns the first 8 bytes of SHA-256 over the parts, which are
// separated so that ("ab","c") and ("a","bc") differ; never 0. A weaker hash
// would let a feed make an item that takes another one's place.
func hash64(parts ...string) uint64 {
	var short [512]byte // most are links and dates
	return sealed(appendParts(short[:0], parts...))
}

func appendParts(b []byte, parts ...string) []byte {
	for _, s := range parts {
		b = binary.LittleEndian.AppendUint64(b, uint64(len(s)))
		b = append(b, s...)
	}
	return b
}

func sealed(b []byte) uint64 {
	sum := sha256.Sum256(b)
	return max(binary.LittleEndian.Uint64(sum[:]), 1)
}

// folding has room for folded texts, up to maxRoom bytes each.
var folding sync.Pool

const maxRoom = 64 << 10

// hashFolded is hash64 of a name and s as appendFolded makes it.
func hashFolded(name, s string) uint64 {
	room, _ := folding.Get().(*[]byte)
	if room == nil {
		room = new([]byte)
	}
	b := appendParts((*room)[:0], name)
	defer func() {
		if cap(b) <= maxRoom {
			*room = b
			folding.Put(room)
		}
	}()
	at := len(b)
	b = appendFolded(append(b, make([]byte, 8)...), s)
	binary.LittleEndian.PutUint64(b[at:], uint64(len(b)-at-8))
	return sealed(b)
}

// Identity returns the item's identity. To match an item with those already
// stored for the same feed, compare the step IdentityLevel of both, then lower ones:
// an id that is duplicated within a document (IdentityLevel > 0 although ID is not
// empty) must not be used.
func (it Entry) Identity() Identity {
	id := Identity{ID: it.IDRaw, Link: NormalLink(it.Link), IdentityLevel: it.IdentityLevel}
	id.Body = hashFolded("body", placeless(it.ContentHTML))
	date, file := it.PublishedRaw, it.file()
	if date == "" {
		// Not the updated date where there is another: it moves with every edit.
		date = it.UpdatedRaw
	}
	if it.Title == "" && date == "" && file == "" {
		id.Hash = hashFolded("text", plain.FromHTML(it.ContentHTML, 4096))
	} else {
		id.Hash = hash64("item", strings.ToLower(it.Title), date, NormalLink(file))
	}
	return id
}

// file is the address of the first enclosure, "" if there is none.
func (it Entry) file() string {
	if len(it.Enclosures) == 0 {
		return ""
	}
	return it.Enclosures[0].URL
}

// placeless is markup without the scheme and host of its addresses: a publisher
// who moves, or answers from two places by turns, has edited nothing.
func placeless(s string) string {
	i := strings.Index(s, "://")
	if i < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	for i >= 0 {
		head := s[:i]
		switch {
		case strings.HasSuffix(head, "https"):
			head = head[:i-5]
		case strings.HasSuffix(head, "http"):
			head = head[:i-4]
		default:
			out = append(out, s[:i+3]...)
			s = s[i+3:]
			i = strings.Index(s, "://")
			continue
		}
		out = append(out, head...)
		s = s[i+3:]
		end := strings.IndexAny(s, "/?# \t\r\n\"'<>")
		if end < 0 {
			end = len(s)
		}
		s = s[end:]
		i = strings.Index(s, "://")
	}
	return string(append(out, s...))
}

// appendFolded appends s with runs of white space as single spaces and none around.
// Most texts have single spaces, so what lies between two other runs is copied whole.
func appendFolded(b []byte, s string) []byte {
	s = strings.Trim(s, " \t\n\r")
	if strings.IndexByte(s, '\n') < 0 && strings.IndexByte(s, '\t') < 0 && strings.IndexByte(s, '\r') < 0 && !strings.Contains(s, "  ") {
		return append(b, s...)
	}
	from := 0
	for i := 0; i < len(s); i++ {
		if s[i] > ' ' || !xmlscan.IsSpace(s[i]) {
			continue
		}
		end := i + 1
		for xmlscan.IsSpace(s[end]) { // s ends in something else
			end++
		}
		if s[i] != ' ' || end > i+1 {
			b = append(append(b, s[from:i]...), ' ')
			from = end
		}
		i = end
	}
	return append(b, s[from:]...)
}

// Keys returns the three steps of the ladder as 64-bit keys, stable over time
// and machines; 0 stands for a step the item does not have.
func (id Identity) Keys() [3]uint64 {
	k := [3]uint64{2: id.Hash}
	if id.ID != "" {
		k[0] = hash64("id", id.ID)
	}
	if id.Link != "" {
		k[1] = hash64("link", id.Link)
	}
	return k
}

// tracking are query parameters that say where a click came from and nothing of
// where it goes.
var tracking = map[string]bool{
	"fbclid": true, "gclid": true, "dclid": true, "msclkid": true, "igshid": true, "mc_cid": true, "mc_eid": true,
	"ref": true, "ref_src": true, "cmpid": true, "cmp": true, "ns_campaign": true, "ns_source": true, "ns_mchannel": true,
	"source": true, "sr_share": true, "smid": true, "xtor": true, "at_medium": true, "at_campaign": true, "rss": true,
	"_ga": true, "yclid": true, "ito": true, "partner": true, "ftag": true, "feature": true,
}

// NormalLink is a link in the form in which links are compared, without what
// changes and leads nowhere else. It is not an address to open.
// Scheme, "www.", fragment, tracking parameters and trailing slash are left out.
func NormalLink(s string) string {
	s = strings.TrimSpace(s)
	n := xmlscan.SchemeOf(s)
	if n == 0 || !strings.HasPrefix(s[n:], "//") {
		return s
	}
	if scheme := strings.ToLower(s[:n]); scheme != "http:" && scheme != "https:" {
		return s
	}
	s = s[n+2:]
	end := strings.IndexAny(s, "/?#")
	if end < 0 {
		end = len(s)
	}
	host, rest := strings.ToLower(s[:end]), s[end:]
	host = strings.TrimPrefix(strings.TrimSuffix(strings.TrimSuffix(host, ":80"), ":443"), "www.")
	fragment := ""
	if i := strings.IndexByte(rest, '#'); i >= 0 {
		// Changelogs put every entry on one page: their fragments tell items
		// apart. Those that analysts add do not.
		if fragment = rest[i:]; strings.Contains(fragment, "xtor=") || strings.HasPrefix(fragment, "#Echobox") ||
			strings.Contains(fragment, "utm_") || fragment == "#" || fragment == "#comments" {
			fragment = ""
		}
		rest = rest[:i]
	}
	path, query, _ := strings.Cut(rest, "?")
	path = strings.TrimRight(path, "/")
	var kept []string
	for _, pair := range strings.FieldsFunc(query, func(r rune) bool { return r == '&' || r == ';' }) {
		name, _, _ := strings.Cut(strings.ToLower(pair), "=")
		if !strings.HasPrefix(name, "utm_") && !tracking[name] {
			kept = append(kept, pair)
		}
	}
	if len(kept) > 0 {
		path += "?" + strings.Join(kept, "&")
	}
	return host + path + fragment
}

// BeyondMost says how many items of a document were left out.
func BeyondMost(n int) string {
	if n == 1 {
		return "1 item beyond the first 2,000 was left out"
	}
	return fmt.Sprintf("%d items beyond the first 2,000 were left out", n)
}

// finish merges items that are the same, finds the step of the ladder on which
// each item stands, and writes the sentences about what was done.
func (p *parser) finish() {
	d := &p.doc
	// Two items are the same when nothing of them differs; comparing the texts
	// themselves costs a tenth of hashing them for good.
	type whole struct{ id, link, author, title, date, updated, body, file string }
	ids, links := map[string]int{}, map[string]int{}
	seen := make(map[whole]bool, len(d.Items))
	kept := d.Items[:0]
	normal := make([]string, 0, len(d.Items))
	for _, it := range d.Items {
		w := whole{it.IDRaw, NormalLink(it.Link), it.Author, it.Title, it.PublishedRaw, it.UpdatedRaw, it.ContentHTML, it.file()}
		if seen[w] {
			p.merged++
			continue
		}
		seen[w] = true
		ids[w.id]++
		links[w.link]++
		kept = append(kept, it)
		normal = append(normal, w.link)
	}
	clear(d.Items[len(kept):])
	d.Items = kept
	for i := range d.Items {
		it := &d.Items[i]
		switch {
		case it.IDRaw != "" && ids[it.IDRaw] == 1:
			it.IdentityLevel = 0
		case it.Link != "" && links[normal[i]] == 1:
			it.IdentityLevel = 1
		default:
			it.IdentityLevel = 2
		}
		if it.IDRaw != "" && it.IdentityLevel > 0 {
			p.shared++
		}
	}
	d.LeftOut = p.dropped
	if d.UpdateEvery < 0 { // a frequency without a period counts per day
		d.UpdateEvery = 24 * 60 * 60 * 1e9 / -d.UpdateEvery
	}
	p.sentences()
}

func (p *parser) sentences() {
	count := func(n int, one, many string) {
		switch {
		case n == 1:
			p.problem("%s", one)
		case n > 1:
			p.problem(many, n)
		}
	}
	count(p.noZone, "1 date without a zone, read as UTC", "%d dates without a zone, read as UTC")
	count(p.badDate, "1 date could not be read", "%d dates could not be read")
	count(p.future, "1 date is in the future; the time of the fetch is used instead",
		"%d dates are in the future; the time of the fetch is used instead")
	count(p.merged, "1 duplicate item", "%d duplicate items")
	count(p.shared, "1 item shares its id with others; its link or text identifies it instead",
		"%d items share ids with others; their links or texts identify them instead")
	count(p.badItem, "1 item could not be read", "%d items could not be read")
	count(p.tooLong, "1 text was longer than 1 MB and was cut", "%d texts were longer than 1 MB and were cut")
	if p.dropped > 0 {
		p.problem("%s", BeyondMost(p.dropped))
	}
}
