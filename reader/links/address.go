package links

import (
	"net/url"
	"slices"
	"strings"

	"diurna/reader/feed"
)

// maxAddress is the longest address that is compared; longer ones belong to nobody else.
const maxAddress = 2048

// Canonical is the form in which addresses are compared: what feed.NormalLink leaves of
// one, taken out of redirectors that have it in their query, without AMP, mobile hosts,
// index pages and more parameters and fragments that lead nowhere else. "" where an address
// names no page of its own: a home page, or none at all. It is not an address to open.
func Canonical(link string) string {
	key := canonical(link)
	if IsHome(key) {
		return ""
	}
	return key
}

// IsHome reports whether what Each gives is the form of a home page: "sea.example/".
func IsHome(key string) bool { return key != "" && strings.IndexByte(key, '/') == len(key)-1 }

// canonical is Canonical of all pages.
func canonical(link string) string {
	for range 3 { // a redirector to a redirector
		inner := behind(link)
		if inner == "" {
			break
		}
		link = inner
	}
	if len(link) > maxAddress || !strings.Contains(link, "://") {
		return ""
	}
	rest, fragment, _ := strings.Cut(feed.NormalLink(link), "#")
	rest, query, _ := strings.Cut(rest, "?")
	host, path, _ := strings.Cut(rest, "/")
	if strings.Contains(host, ":/") || !strings.Contains(host, ".") {
		return ""
	}
	amp := false
	if strings.HasSuffix(host, ".cdn.ampproject.org") || host == "cdn.ampproject.org" {
		for _, kind := range []string{"c/s/", "v/s/", "c/", "v/"} {
			if after, ok := strings.CutPrefix(path, kind); ok {
				host, path, _ = strings.Cut(after, "/")
				host, amp = strings.TrimPrefix(strings.ToLower(host), "www."), true
				break
			}
		}
	}
	host = plainHost(host)
	path, query = plainPath(escapes(path), amp), plainQuery(escapes(query))
	if !kept(fragment) {
		fragment = ""
	}
	out := host + "/" + path
	if query != "" {
		out += "?" + query
	}
	if fragment != "" {
		out += "#" + fragment
	}
	return out
}

// plainHost is a host without the first label of its phone edition.
func plainHost(host string) string {
	labels := strings.Split(host, ".")
	for i := 0; i < 2 && len(labels)-i > 2; i++ {
		if l := labels[i]; l == "m" || l == "mobile" || l == "amp" {
			return strings.Join(slices.Delete(labels, i, i+1), ".")
		}
	}
	return host
}

// plainPath is a path without what makes a page the AMP edition of another, and without the
// name of an index page.
func plainPath(path string, amp bool) string {
	parts := strings.Split(strings.TrimSuffix(path, "/"), "/")
	last := len(parts) - 1
	switch {
	case last > 0 && parts[0] == "amp":
		parts = parts[1:]
		last--
	case last > 0 && parts[last] == "amp":
		parts = parts[:last]
		last--
	}
	name := parts[last]
	for _, ending := range []string{".html", ".htm", ".php"} {
		if base, ok := strings.CutSuffix(name, ".amp"+ending); ok {
			name = base + ending
		}
	}
	if base, ok := strings.CutSuffix(name, ".amp"); ok && amp {
		name = base
	}
	switch name {
	case "index.html", "index.htm", "index.php":
		name = ""
	}
	parts[last] = name
	return strings.TrimSuffix(strings.Join(parts, "/"), "/")
}

// idle are parameters beyond those of feed.NormalLink that say where a click came from, or
// in which edition a page is shown.
var idle = map[string]bool{
	"amp": true, "wt_mc": true, "ocid": true, "s_cid": true, "trk": true, "replytocom": true, "sid": true, "phpsessid": true, "jsessionid": true,
	"mkt_tok": true, "_hsenc": true, "_hsmi": true, "vero_id": true, "wickedid": true, "twclid": true, "ttclid": true, "li_fat_id": true, "wprov": true,
	"guccounter": true, "spm": true, "share": true, "mod": true, "cid": true, "icid": true, "ncid": true, "src": true, "via": true,
	"from_source": true, "traffic_source": true, "campaign_id": true, "rssfeed": true,
}

// plainQuery is a query in one order, without parameters that lead nowhere else.
func plainQuery(query string) string {
	if query == "" {
		return ""
	}
	pairs := slices.DeleteFunc(strings.Split(query, "&"), func(pair string) bool {
		name, value, _ := strings.Cut(strings.ToLower(pair), "=")
		switch name {
		case "output", "outputtype":
			return value == "amp"
		case "cid", "mod", "src", "sid", "share", "via":
			// Numbers may name a page; words, and the hash of a session, do not.
			return value == "" || strings.Trim(value, "0123456789") != ""
		}
		return name == "" || idle[name] || strings.HasPrefix(name, "hsa_") || strings.HasPrefix(name, "pk_") || strings.HasPrefix(name, "mtm_")
	})
	slices.Sort(pairs)
	return strings.Join(pairs, "&")
}

// kept reports whether a fragment names a part of a page that an item may be of its own, as
// in changelogs and applications.
func kept(fragment string) bool {
	switch f := strings.ToLower(fragment); f {
	case "", "comments", "respond", "disqus_thread", "top", "main", "content", "rss":
		return false
	default:
		for _, idle := range []string{":~:", "more-", "ref=", "xtor", "rss-", "comment-", "utm_", "echobox", "cid="} {
			if strings.HasPrefix(f, idle) {
				return false
			}
		}
	}
	return true
}

// carriers are redirectors that have the address they lead to in their query, or in their
// path behind a prefix.
var carriers = []struct{ host, path, parameter string }{
	{"google.com", "/url", "q"}, {"google.com", "/url", "url"}, {"google.com", "/amp/s/", ""}, {"google.com", "/amp/", ""},
	{"l.facebook.com", "/l.php", "u"}, {"lm.facebook.com", "/l.php", "u"}, {"out.reddit.com", "/", "url"}, {"t.umblr.com", "/redirect", "z"},
	{"youtube.com", "/redirect", "q"}, {"slack-redir.net", "/link", "url"}, {"l.instagram.com", "/", "u"}, {"getpocket.com", "/redirect", "url"},
}

// behind is the address that a redirector leads to, "" if it is none.
func behind(link string) string {
	u, err := url.Parse(link)
	if err != nil || u.Host == "" {
		return ""
	}
	host := strings.TrimPrefix(strings.ToLower(u.Host), "www.")
	for _, c := range carriers {
		if host != c.host || !strings.HasPrefix(u.Path, c.path) {
			continue
		}
		if c.parameter == "" {
			inner := strings.TrimPrefix(u.Path, c.path)
			if h, _, _ := strings.Cut(inner, "/"); strings.Contains(h, ".") {
				return "https://" + inner
			}
			continue
		}
		if inner := u.Query().Get(c.parameter); strings.HasPrefix(inner, "http://") || strings.HasPrefix(inner, "https://") {
			return inner
		}
	}
	return ""
}

// escapes decodes what is escaped in an address without need, so that it may be compared.
func escapes(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			hi, lo := hex(s[i+1]), hex(s[i+2])
			if c := hi<<4 | lo; hi >= 0 && lo >= 0 && strings.IndexByte("/?#%&=+ ", byte(c)) < 0 && c > ' ' {
				b.WriteByte(byte(c))
				i += 2
				continue
			}
			b.WriteString(strings.ToUpper(s[i : i+3]))
			i += 2
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func hex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|' ' >= 'a' && c|' ' <= 'f':
		return int(c|' '-'a') + 10
	}
	return -1
}
