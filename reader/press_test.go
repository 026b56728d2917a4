package reader

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"time"
)

// press is a made-up press of many publishers, each with habits of its own, and
// the book in which every visit is judged as it happens: nothing is kept
// but what the rules need, so that it may run for half a year.
type press struct {
	mu                sync.Mutex
	began             time.Time
	papers            map[string]*paper // by address
	hosts             map[string]*hostBook
	open              int // hosts that are being asked right now
	book              etiquette
	offline, portal   bool
	visits, unchanged int
}

// paper is one feed.
type paper struct {
	url, host, habit string
	period           time.Duration // between two posts
	moved            string        // where 301 leads
	asked            int

	// What the reader was answered, and when it came: see rules.
	answered visit
	wished   time.Time // asked for by hand
}

// hostBook is what one host knows of its visitor.
type hostBook struct {
	last   time.Time
	open   int
	closed time.Time // 429 or 503: not before
	busy   int       // answers of that kind in a row
}

// habits are how publishers behave; robustness.md, E1 to E8 and N5, N12, N14.
var habits = []string{
	"etag", "weak", "odd", "renew", "dates", "both", "bare", "max-age", "years", "expires", "ttl", "skip", "update",
	"busy seconds", "busy date", "busy bare", "flaky", "not found", "gone", "locked", "refused", "moves", "hijacked", "found", "stuck", "cut",
}

// newPress makes n papers; every fourth shares a host with others.
func newPress(n int) *press {
	p := &press{began: time.Now(), papers: map[string]*paper{}, hosts: map[string]*hostBook{}}
	p.book.press = p
	for i := range n {
		habit := habits[i%len(habits)]
		host := fmt.Sprintf("h%d.example", i)
		if i%4 == 3 && !strings.HasPrefix(habit, "busy") {
			host = "shared.example"
		}
		if strings.HasPrefix(habit, "busy") {
			host = fmt.Sprintf("busy%d.example", i/3)
		}
		f := &paper{url: fmt.Sprintf("https://%s/%d.xml", host, i), host: host, habit: habit, period: time.Duration(3+7*(i%11)) * time.Hour}
		if habit == "moves" || habit == "hijacked" {
			f.moved = fmt.Sprintf("https://new%d.example/%d.xml", i, i)
			p.papers[f.moved] = &paper{url: f.moved, host: fmt.Sprintf("new%d.example", i), habit: "at " + habit, period: f.period}
		}
		if habit == "found" {
			f.moved = fmt.Sprintf("https://cdn%d.example/%d.xml", i, i)
			p.papers[f.moved] = &paper{url: f.moved, host: fmt.Sprintf("cdn%d.example", i), habit: "etag", period: f.period}
		}
		p.papers[f.url] = f
	}
	return p
}

// first lists the addresses to subscribe to.
func (p *press) first() []string {
	var out []string
	for i := range len(p.papers) {
		for u, f := range p.papers {
			if strings.HasSuffix(u, fmt.Sprintf("/%d.xml", i)) && !strings.HasPrefix(f.habit, "at ") && !strings.HasPrefix(f.host, "cdn") {
				out = append(out, u)
			}
		}
	}
	return out
}

// RoundTrip takes a moment, so that two visits at once are seen.
func (p *press) RoundTrip(req *http.Request) (*http.Response, error) {
	now := time.Now()
	p.mu.Lock()
	if p.offline {
		p.mu.Unlock()
		return nil, fmt.Errorf("dial: %w", syscall.ENETUNREACH) // nobody was reached
	}
	u := req.URL.String()
	f := p.papers[u]
	h := p.hosts[req.URL.Host]
	if h == nil {
		h = &hostBook{}
		p.hosts[req.URL.Host] = h
	}
	p.visits++
	p.book.arrives(req, f, h, now)
	if h.open++; h.open == 1 {
		p.open++
	}
	portal := p.portal
	p.mu.Unlock()
	time.Sleep(300 * time.Millisecond)
	p.mu.Lock()
	defer p.mu.Unlock()
	if h.open--; h.open == 0 {
		p.open--
	}
	if err := req.Context().Err(); err != nil {
		return nil, err // stopped: the visitor never hears the answer
	}
	now = time.Now()
	var res *http.Response
	switch {
	case portal && req.URL.Host != "portal.example":
		res = answer(req, 301, "", "")
		res.Header.Set("Location", "https://portal.example/login")
	case req.URL.Host == "portal.example":
		return answer(req, 200, "text/html", "<!doctype html><html><body><form>Room number</form></body></html>"), nil
	case f == nil:
		return answer(req, 404, "", ""), nil
	case f.habit == "refused" && p.week(now) >= 2:
		p.book.leaves(f, h, nil, now)
		return nil, fmt.Errorf("dial: %w", syscall.ECONNREFUSED)
	default:
		f.asked++
		res = p.reply(f, req, now)
	}
	if res.StatusCode == 304 {
		p.unchanged++
	}
	p.book.leaves(f, h, res, now)
	return res, nil
}

func (p *press) week(now time.Time) int { return int(now.Sub(p.began) / (7 * 24 * time.Hour)) }

// reply is what a paper answers.
func (p *press) reply(f *paper, req *http.Request, now time.Time) *http.Response {
	if status, header := p.refuses(f, now); status != 0 {
		res := answer(req, status, "text/plain", "")
		for k, v := range header {
			res.Header.Set(k, v)
		}
		return res
	}
	n := int(now.Sub(p.began)/f.period) + 20 // posts so far
	if f.habit == "stuck" && f.asked > 1 {
		n = 20
	}
	header, same := p.validators(f, req, n, now)
	if same {
		res := answer(req, 304, "", "")
		for k, v := range header {
			res.Header[k] = []string{v}
		}
		return res
	}
	doc := p.document(f, n)
	res := answer(req, 200, "application/rss+xml", doc)
	if !strings.HasSuffix(doc, "</rss>") {
		res.Header.Set("X-Cut", "short") // for the book
	}
	for k, v := range header {
		res.Header[k] = []string{v}
	}
	return res
}

// refuses gives the status of a paper that serves no feed now, 0 if it does.
func (p *press) refuses(f *paper, now time.Time) (int, map[string]string) {
	week := p.week(now)
	switch {
	case f.habit == "busy seconds" && f.asked%9 == 5:
		return 429, map[string]string{"Retry-After": "20000"}
	case f.habit == "busy date" && f.asked%11 == 6:
		return 503, map[string]string{"Retry-After": now.Add(3 * 24 * time.Hour).UTC().Format(http.TimeFormat)}
	case f.habit == "busy bare" && f.asked%10 >= 7:
		return 429, nil
	case f.habit == "flaky" && f.asked%12 >= 6:
		return 500, nil
	case f.habit == "not found" && week >= 1 && week%4 != 0:
		return 404, nil
	case f.habit == "gone" && week >= 2:
		return 410, nil
	case f.habit == "locked" && week >= 1 && week%3 != 0:
		return 403, nil
	case (f.habit == "moves" || f.habit == "hijacked") && week >= 1:
		return 301, map[string]string{"Location": f.moved}
	case f.habit == "found":
		return 302, map[string]string{"Location": f.moved}
	}
	return 0, nil
}

// validators are the headers of an answer, and whether the visitor knows it all.
func (p *press) validators(f *paper, req *http.Request, n int, now time.Time) (map[string]string, bool) {
	tag := fmt.Sprintf(`"%d-%d"`, len(f.url), n)
	date := p.began.Add(time.Duration(n-20) * f.period).UTC().Format(http.TimeFormat)
	inm, ims := strings.Join(req.Header["If-None-Match"], ""), strings.Join(req.Header["If-Modified-Since"], "")
	h := map[string]string{}
	switch f.habit {
	case "bare":
		return h, false
	case "dates":
		date = strings.Replace(date, "GMT", "+0000", 1)
		h["Last-Modified"] = date
		return h, ims == date
	case "weak":
		tag = "W/" + tag
	case "odd":
		tag = "\"\xe9 " + tag + ", x"
	case "renew": // a new name with every answer, for the same text
		tag = fmt.Sprintf(`"%d.%d"`, n, f.asked)
		h["Etag"] = tag
		return h, strings.HasPrefix(inm, fmt.Sprintf(`"%d.`, n))
	case "both":
		h["Last-Modified"] = date
	case "max-age":
		h["Cache-Control"], h["Age"] = "public, max-age=14400", "600"
	case "years":
		h["Cache-Control"] = "max-age=504576000"
	case "expires":
		h["Expires"], h["Date"] = now.Add(5*time.Hour).UTC().Format(http.TimeFormat), now.UTC().Format(http.TimeFormat)
	}
	h["Etag"] = tag
	return h, inm == tag
}

// document is the feed with its twenty newest posts.
func (p *press) document(f *paper, n int) string {
	var items []string
	for i := n; i > n-20; i-- {
		name, title := f.url[strings.LastIndexByte(f.url, '/')+1:], "Post"
		if f.habit == "at hijacked" {
			name, title = "foreign", "Foreign"
		}
		items = append(items, fmt.Sprintf("%s-%d|%s %d|%s|text", name, i, title, i, p.began.Add(time.Duration(i-20)*f.period).UTC().Format(time.RFC1123Z)))
	}
	doc := rssOf("Paper "+f.habit, items...)
	head := ""
	switch f.habit {
	case "ttl":
		head = "<ttl>300</ttl>"
	case "skip":
		head = "<skipHours><hour>2</hour><hour>3</hour><hour>4</hour><hour>14</hour></skipHours><skipDays><day>Sunday</day></skipDays>"
	case "update":
		head = `<sy:updatePeriod xmlns:sy="http://purl.org/rss/1.0/modules/syndication/">daily</sy:updatePeriod>`
	case "cut":
		if n%3 == 1 {
			return doc[:len(doc)*2/3]
		}
	}
	return strings.Replace(doc, "<channel>", "<channel>"+head, 1)
}
