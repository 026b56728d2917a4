package demo

import (
	"embed"
	"fmt"
	"hash/fnv"
	"io/fs"
	"net/url"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
)

//go:embed data/*.txt
var texts embed.FS

// publication is one feed: its head, its rhythm and its articles.
type publication struct {
	title, about, url, kind, folder, author, lang string
	tags                                          []string
	rhythm                                        []slot
	skip                                          int // one post in so many falls out; 0: none
	window                                        int // items in the document
	maxAge                                        int // seconds
	edits                                         int // one item in so many is corrected ten hours later; 0: none
	goneFor, movedFor                             int // days since it answers 404, or 301 to movedTo
	movedTo                                       string
	passesOn                                      string // the feed whose news it passes on while one looks on; "": none
	unsubscribed                                  bool
	articles                                      []article
	story                                         string // what the feed says of yesterday's story, which several of them have
	storySlot                                     int    // which slot's article begins with it, from 1 on
}

// slot is a time of day on some days of the week.
type slot struct {
	days    [7]bool // by time.Weekday
	hour, m int
}

// article is a title and its HTML, with {slots|of words}.
type article struct{ title, html string }

// publications reads the texts once; they are part of the program, so a mistake
// in them is a bug that the tests find.
var publications = sync.OnceValue(func() []publication {
	names, err := fs.Glob(texts, "data/*.txt")
	if err != nil {
		panic(err)
	}
	list := make([]publication, 0, len(names))
	for _, name := range names {
		b, err := texts.ReadFile(name)
		if err != nil {
			panic(err)
		}
		p, err := parse(string(b))
		if err != nil {
			panic(fmt.Errorf("%s: %w", name, err))
		}
		list = append(list, p)
	}
	return list
})

// parse reads a head of "name: value" lines and articles that begin with "# ". With
// "story: 2" the last of them opens the article of the second slot on the day before today.
func parse(s string) (publication, error) {
	p := publication{window: 20, maxAge: 900}
	head, rest, _ := strings.Cut(s, "\n# ")
	for line := range strings.Lines(head) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), ":")
		if name == "" {
			continue
		}
		if !ok {
			return p, fmt.Errorf("no value in %q", line)
		}
		if err := p.set(name, strings.TrimSpace(value)); err != nil {
			return p, err
		}
	}
	for _, part := range strings.Split(rest, "\n# ") {
		title, html, ok := strings.Cut(part, "\n")
		if !ok {
			return p, fmt.Errorf("article %q has no text", part)
		}
		if title == "(untitled)" {
			title = ""
		}
		p.articles = append(p.articles, article{title, strings.TrimSpace(html)})
	}
	if last := len(p.articles) - 1; p.storySlot > 0 {
		p.story, p.articles = p.articles[last].html+"\n", p.articles[:last]
	}
	return p, nil
}

func (p *publication) set(name, value string) error {
	var err error
	switch name {
	case "title":
		p.title = value
	case "about":
		p.about = value
	case "url":
		p.url = value
	case "kind":
		p.kind = value
	case "folder":
		p.folder = value
	case "author":
		p.author = value
	case "lang":
		p.lang = value
	case "tags":
		for t := range strings.SplitSeq(value, ",") {
			p.tags = append(p.tags, strings.TrimSpace(t))
		}
	case "at":
		err = p.addSlots(value)
	case "passes-on":
		p.passesOn = value
	case "moved-to":
		p.movedTo = value
	case "unsubscribed":
		p.unsubscribed = value == "yes"
	default:
		numbers := map[string]*int{"skip": &p.skip, "window": &p.window, "max-age": &p.maxAge,
			"edits": &p.edits, "story": &p.storySlot, "gone-for": &p.goneFor, "moved-for": &p.movedFor}
		if numbers[name] == nil {
			return fmt.Errorf("the head has no %q", name)
		}
		*numbers[name], err = strconv.Atoi(value)
	}
	return err
}

var dayNames = [7]string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}

// addSlots reads "mon,thu 08:15 21:05" or "daily 07:20".
func (p *publication) addSlots(value string) error {
	words := strings.Fields(value)
	var s slot
	for d := range strings.SplitSeq(words[0], ",") {
		for i, name := range dayNames {
			s.days[i] = s.days[i] || d == name || d == "daily"
		}
	}
	for _, w := range words[1:] {
		t, err := time.Parse("15:04", w)
		if err != nil {
			return err
		}
		s.hour, s.m = t.Hour(), t.Minute()
		p.rhythm = append(p.rhythm, s)
	}
	return nil
}

// post is one item as it stands at some moment.
type post struct {
	id, title, link, html string
	at, updated           time.Time
	tags                  []string
	sound                 string // URL of an enclosure
	length                int
}

// posts are what the feed has published up to now, newest first, at most n.
// They depend on the calendar alone: at any other moment the same items have
// the same ids and dates.
func (p *publication) posts(now time.Time, n int) []post {
	var list []post
	y, m, d := now.Date()
	for back := 0; back < 2*Days+14 && len(list) < n; back++ {
		day := time.Date(y, m, d-back, 0, 0, 0, 0, now.Location())
		var today []post
		for i, s := range p.rhythm {
			if !s.days[day.Weekday()] {
				continue
			}
			seed := seedOf(p.url, day, i)
			if p.skip > 0 && seed%uint64(p.skip) == 0 {
				continue
			}
			// People post at about the same time, not at the same minute.
			at := time.Date(day.Year(), day.Month(), day.Day(), s.hour, s.m+int(seed>>8%23)-11, 0, 0, day.Location())
			if at.After(now) {
				continue
			}
			today = append(today, p.compose(seed, i, at, now))
		}
		newestFirst(today)
		list = append(list, today...)
	}
	return list[:min(n, len(list))]
}

func newestFirst(list []post) {
	sort.SliceStable(list, func(i, j int) bool { return list[i].at.After(list[j].at) })
}

// compose writes the item of a slot. Articles take turns, and each day fills
// their slots with other words.
func (p *publication) compose(seed uint64, slotNo int, at, now time.Time) post {
	days := int(at.Unix() / 86400)
	a := p.articles[(days*max(len(p.rhythm), 1)+slotNo)%len(p.articles)]
	if p.story != "" && slotNo+1 == p.storySlot && days == int(origin.Unix()/86400)-1 {
		a.html = p.story + a.html
	}
	pick := seed
	it := post{
		title: fill(a.title, &pick), html: fill(a.html, &pick),
		at: at, updated: at, tags: p.tags,
	}
	site, host := p.site()
	// No date: the calendar is the publisher's own.
	no := fmt.Sprintf("%d-%d", days, slotNo+1)
	it.link, it.id = site+no, fmt.Sprintf("tag:%s,2026:%s", host, no)
	if p.edits > 0 && seed>>16%uint64(p.edits) == 0 && now.Sub(at) > 10*time.Hour {
		it.updated = at.Add(10 * time.Hour)
		it.html += "\n<p><strong>Corrected:</strong> an earlier form of this text had the evening wrong by one.</p>"
	}
	if p.kind == "json" && strings.Contains(it.html, "ecord") {
		it.sound, it.length = site+"sound/"+no+".ogg", int(4_000_000+seed%6_000_000)
	}
	return it
}

// site is the feed's home page, with a slash at its end, and its host.
func (p *publication) site() (address, host string) {
	u, err := url.Parse(p.url)
	if err != nil {
		return "", ""
	}
	return u.Scheme + "://" + u.Host + "/", u.Host
}

// seedOf is a number that looks like chance and is always the same.
func seedOf(feed string, day time.Time, slotNo int) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %s %d", feed, day.Format("2006-01-02"), slotNo)
	x := h.Sum64()
	// FNV's low bits follow the last byte; mix them (Stafford 2011, variant 13).
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// fill replaces each {a|b|c} by one of its words. Braces of code hold no bar
// and stay.
func fill(s string, seed *uint64) string {
	var sb strings.Builder
	for {
		open := strings.IndexByte(s, '{')
		if open < 0 {
			break
		}
		end := strings.IndexAny(s[open+1:], "{}")
		if end < 0 || s[open+1+end] == '{' || !strings.Contains(s[open:open+1+end], "|") {
			sb.WriteString(s[:open+1])
			s = s[open+1:]
			continue
		}
		words := strings.Split(s[open+1:open+1+end], "|")
		sb.WriteString(s[:open])
		sb.WriteString(words[*seed>>20%uint64(len(words))])
		*seed = *seed*6364136223846793005 + 1442695040888963407
		s = s[open+end+2:]
	}
	sb.WriteString(s)
	return sb.String()
}
