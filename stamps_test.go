//go:build unix

package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	_ "time/tzdata" // the zone of the test is known everywhere
)

// stampWeb serves what the commands speak of: a feed whose items all go between two
// fetches, one that is gone for a while, a page that changes, and one that moved.
type stampWeb struct{ visit atomic.Int64 }

func (p *stampWeb) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n := p.visit.Load()
	switch r.URL.Path {
	case "/tides.xml", "/harbour.xml", "/added1.xml", "/added2.xml":
		name := strings.TrimSuffix(r.URL.Path[1:], ".xml")
		w.Header().Set("Content-Type", "application/rss+xml")
		fmt.Fprintf(w, `<rss version="2.0"><channel><title>%s</title>`, name)
		for i := range int64(3) {
			no := i + 10*n
			if name != "tides" {
				no = i
			}
			fmt.Fprintf(w, `<item><title>%s item %c, `+longName+`</title><link>http://x.example/%d</link><guid>%s-%d</guid><pubDate>%s</pubDate><description>A text of edition %d, which is long enough.</description></item>`,
				name, 'a'+rune(no%26), no, name, no, time.Now().Add(-time.Duration(no+1)*time.Hour).UTC().Format(time.RFC1123Z), n)
		}
		io.WriteString(w, "</channel></rss>")
	case "/page":
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<!doctype html><title>Shop</title><h1>Lantern</h1><p>A lantern costs %d € and burns very long.</p><p>Write to us if you like.</p>", 49+n)
	case "/article":
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<!doctype html><title>Lamps</title><article><h1>Lamps</h1><p>"+strings.Repeat("The lamp of the pier burns all night, and somebody has to carry the oil up there. ", 9)+"</p></article>")
	case "/busy.xml":
		w.Header().Set("Retry-After", "7200")
		w.WriteHeader(http.StatusServiceUnavailable)
	default:
		http.NotFound(w, r)
	}
}

// stampedCommands are the commands by name, each with what it prints for programs;
// nil where no time is printed, or in a letter to people (digest), or in
// the form of another program. What can be done once is done to the NTH.
var stampedCommands = map[string][]string{
	"add": {"add URL/addedNTH.xml"}, "backup": {"backup copy.db"}, "compact": {"compact"}, "config": {"config"}, "completion": nil,
	"demo": nil, "diff": {"diff Shop", "diff ITEM"}, "doctor": {"doctor", "doctor -q", "doctor --silent"},
	"edit": nil, "evidence": {"evidence", "evidence export"}, "export": nil, "fetch": {"fetch", "fetch --all", "fetch harbour kernel"}, "help": nil,
	"import": {"import feeds.opml"}, "items": {"items", "items --order ranked", "items saved"}, "keys": nil,
	"list": {"list", "list --pages"}, "log": {"log"}, "man": nil, "mark": {"mark saved ITEM"}, "mute": {"mute crypto --for 30d"}, "digest": nil, "queue": {"queue"}, "mv": {"mv --blind kernel URL/lost.xml"},
	"queries": {"queries"}, "query": nil, "search": {"search item"}, "set": {"set kernel", "set kernel tags sNTH"}, "trends": {"trends", "trends --since 30d"}, "plan": {"plan", "plan --posts posts.csv --accesses looks.csv --at 2026-11-20T08:00:00Z"},
	"preview": {"preview URL/harbour.xml"}, "restore": {"restore"}, "rm": {"rm secondNTH"}, "save": {"save URL/article"}, "rules": {"rules add harbour --tag x --for 2w", "rules try harbour", "rules"}, "run": nil, // run: TestEventLines
	"show": {"show --keep ITEM", "show --keep Shop"}, "simulate": nil, "stats": {"stats", "stats --feeds"}, "take": nil, "undo": {"undo"}, "unread": {"unread"},
	"version": {"version"}, "watch": {"watch Shop --threshold 2"},
	"why": {"why harbour", "why tides", "why kernel", "why Busy", "why Shop", "why ITEM"},
}

// looksLikeTime finds what people would take for a time or a day.
var looksLikeTime = regexp.MustCompile(`\b\d{1,2}:\d{2}\b|\b(today|yesterday|tomorrow)\b|\b\d{1,2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b|\d{4}-\d\d-\d\d|\b(ago|just now)\b`)

// stamps are what a time has to be, in the zone of the test, and the days in the
// names of backups.
var stamps = regexp.MustCompile(`\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+05:30\b|(\.db\.(backup|damaged)-|(last|the) backup (of )?)\d{4}-\d\d-\d\d|127\.0\.0\.1:\d+`)

// longName is the end of the names of an item and a feed, and has to be whole.
var longName = "which begins, " + strings.Repeat("a name as long as it is dull, ", 8) + "and then it ends"

// TestOneFormOfTime runs every command in a pipe and with --json: a time is RFC 3339
// with the local offset, also in messages, and no name is cut.
func TestOneFormOfTime(t *testing.T) {
	t.Parallel()
	web := &stampWeb{}
	server := httptest.NewServer(web)
	t.Cleanup(server.Close)
	p := newPerson(t, server.URL)
	for i, v := range p.env {
		if strings.HasPrefix(v, "TZ=") {
			p.env[i] = "TZ=Asia/Kolkata"
		}
	}
	p.write("posts.csv", "a,2026-11-18T07:00:00Z\na,2026-11-19T07:00:00Z\n", 0o600)
	p.write("looks.csv", "me,2026-11-18T08:00:00Z,0\nme,2026-11-19T08:00:00Z,0\n", 0o600)
	p.write("feeds.opml", `<opml version="2.0"><body><outline xmlUrl="`+server.URL+`/harbour.xml"/><outline xmlUrl="`+server.URL+`/busy.xml" text="Busy, `+longName+`"/><outline xmlUrl="`+server.URL+`/second1.xml" text="second1"/><outline xmlUrl="`+server.URL+`/second2.xml" text="second2"/></body></opml>`, 0o600)
	item := ""
	run := func(line string) (out, talk string) {
		line = strings.ReplaceAll(strings.ReplaceAll(line, "URL", server.URL), "ITEM", item)
		words := strings.Fields(line)
		if line == "__complete" {
			words = append(words, "") // what can be typed first
		}
		a := p.run(words...)
		return string(a.Out), string(a.Talk)
	}
	item = p.json("items", "feed:harbour")[0]["id"].(string)
	for _, line := range []string{"watch URL/page", "show ITEM", "mark saved ITEM"} {
		run(line)
	}
	web.visit.Add(1)
	run("fetch --all")
	run("import feeds.opml") // last, as its host is left alone once one of its feeds is busy

	seen := 0
	check := func(line string) {
		out, talk := run(line)
		if out == "" && strings.Contains(talk, "error:") {
			t.Errorf("diurna %s: %s", line, talk)
		}
		seen += len(stamps.FindAllString(out, -1))
		for l := range strings.Lines(out + talk) {
			if strings.Count(l, longName[:12]) != strings.Count(l, longName) {
				t.Errorf("diurna %s cuts a name in %q", line, l)
			}
			if found := looksLikeTime.FindString(stamps.ReplaceAllString(l, "")); found != "" {
				t.Errorf("diurna %s prints %q in %q", line, found, l)
			}
		}
	}
	listed, _ := run("__complete")
	names := 0
	for l := range strings.Lines(listed) {
		name, _, ok := strings.Cut(l, "\t")
		if !ok {
			continue
		}
		names++
		lines, known := stampedCommands[name]
		if !known {
			t.Errorf("diurna %s is not in stampedCommands", name)
		}
		for _, line := range lines {
			check(strings.ReplaceAll(line, "NTH", "1"))
			check(strings.ReplaceAll(line, "NTH", "2") + " --json")
		}
	}
	if names < 25 || seen < 100 {
		t.Errorf("%d commands and %d times were seen", names, seen)
	}
}
