package reader

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"diurna/reader/watch"
	"diurna/store"
)

const canary = "cAnArY9977xQ"

// canaries names what in a folder holds the canary but the bucket of secrets, and
// counts the records of that which do. Texts are unpacked by way of r.
func canaries(t *testing.T, r *Reader, dir string) (outside []string, within int) {
	t.Helper()
	has := func(b ...[]byte) bool { return bytes.Contains(bytes.Join(b, nil), []byte(canary)) }
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		path := filepath.Join(dir, f.Name())
		if !strings.Contains(f.Name(), ".db") {
			if b, err := os.ReadFile(path); err != nil || has(b) {
				outside = append(outside, f.Name())
			}
			continue
		}
		db, err := bolt.Open(path, 0o600, &bolt.Options{ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		err = db.View(func(tx *bolt.Tx) error {
			return tx.ForEach(func(name []byte, b *bolt.Bucket) error {
				return b.ForEach(func(k, v []byte) error {
					if string(name) != "secrets" && has(k, v) {
						outside = append(outside, fmt.Sprintf("%s: %s %q: %q", f.Name(), name, k, v))
					} else if has(k, v) {
						within++
					}
					return nil
				})
			})
		})
		if err = errors.Join(err, db.Close()); err != nil {
			t.Fatal(err)
		}
	}
	rows, err := r.Rows(t.Context(), Query{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if a, err := r.Article(t.Context(), row.ID); err != nil || has([]byte(a.HTML), []byte(a.Link), []byte(a.Base)) {
			outside = append(outside, fmt.Sprintf("the text of %s: %s (%v)", row.ID, a.HTML, err))
		}
	}
	return outside, within
}

// lockedWeb is a fake web whose feeds and pages are behind passwords and tokens
// and which leads to others.
func lockedWeb() *fakeWeb {
	web := newFakeWeb()
	self := func(title string) string { // it links to itself, and does not name its own token
		return rssOf(title, title+"1|One|"+ago(time.Hour)+`|&lt;a href="#top"&gt;top&lt;/a&gt; &lt;a href=""&gt;self&lt;/a&gt;`)
	}
	guarded := func(address, body string) {
		web.handle(address, func(req *http.Request) *http.Response {
			if _, pass, ok := req.BasicAuth(); !ok || pass != canary {
				return answer(req, 401, "", "")
			}
			return answer(req, 200, "application/rss+xml", body)
		})
	}
	guarded("https://user.example/feed", self("User"))
	guarded("https://listed.example/feed", self("Listed"))
	web.serve("https://token.example/feed?token="+canary, "application/rss+xml", self("Token"))
	web.serve("https://urls.example/feed?token="+canary+"&n=1", "application/rss+xml", self("Urls"))
	for path, status := range map[string]int{"moved": 301, "away": 302} {
		web.serve("https://"+path+".example/there?key="+canary, "application/rss+xml", self(path))
		web.handle("https://"+path+".example/feed", func(req *http.Request) *http.Response {
			res := answer(req, status, "", "")
			res.Header.Set("Location", "/there?key="+canary)
			return res
		})
	}
	return web
}

// However an address with a secret comes in, its secret lies in the bucket of
// secrets alone, whatever is done with the feed afterwards.
func TestSecretsLieApart(t *testing.T) {
	dir, web := t.TempDir(), lockedWeb()
	s := newShore(t)
	r := openLibrary(t, dir, web)
	s.web, s.r = web, r
	ctx := t.Context()
	ok := func(what any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(what, err)
		}
	}
	clean := func(what string, least int) {
		t.Helper()
		out, in := canaries(t, r, dir)
		for _, o := range out {
			t.Errorf("after %s: %s", what, o)
		}
		if in < least {
			t.Errorf("after %s only %d secrets are kept", what, in)
		}
	}
	if _, err := r.Finder().Look(ctx, "https://none:"+canary+"@none.example/feed?token="+canary, false); err == nil {
		t.Fatal("there is a feed at none.example")
	}
	user := add(t, r, "https://ann:"+canary+"@user.example/feed", SubscribeOptions{}).Feed
	clean("adding with a password", 1)
	token := add(t, r, "token.example/feed?token="+canary, SubscribeOptions{}).Feed
	add(t, r, "https://moved.example/feed", SubscribeOptions{})
	add(t, r, "https://away.example/feed", SubscribeOptions{})
	clean("redirects", 2)
	list := `<opml version="2.0"><body><outline text="Listed" xmlUrl="https://bob:` + canary + `@listed.example/feed" htmlUrl="https://x.example/?session=` + canary + `" custom="see https://u:` + canary + `@h.example/ there"/></body></opml>`
	for _, doc := range []string{list, "https://urls.example/feed?token=" + canary + "&n=1\n\"filter:sed x:https://u:" + canary + "@piped.example/f\"\n\"exec:curl https://u:" + canary + "@piped.example/f\"\n"} {
		rep, err := r.Import(ctx, []byte(doc), ImportOptions{Name: "list"}, nil)
		ok("import", err)
		if len(rep.Added) != 1 || strings.Contains(fmt.Sprint(rep), canary) {
			t.Errorf("%+v", rep)
		}
		rep, err = r.Import(ctx, []byte(doc), ImportOptions{Name: "list", Mirror: false}, nil)
		if ok("again", err); rep.Known != 1 || rep.Step != 0 {
			t.Errorf("an imported address is not known: %+v", rep)
		}
	}
	clean("imports", 4)
	page := "https://page.example/timetable?token=" + canary + "page"
	web.serve(page, "text/html", timetable(summer, "4.20"))
	watched := s.watch(page, watch.Options{})
	web.serve(page, "text/html", timetable(winter, "4.40"))
	s.at = time.Now().Add(25 * time.Hour)
	late := r.At(s.at)
	_, err := late.Fetch(ctx, FetchRequest{All: true}, nil)
	ok("fetch", err)
	clean("watching", 5)
	revs, err := r.Pages().Revisions(ctx, watched.Key)
	if ok("revisions", err); len(revs) != 2 {
		t.Fatalf("%d revisions", len(revs))
	}
	if whole, err := r.Reveal(ctx, revs[1].Address); err != nil || whole != page {
		t.Errorf("the browser would get %s (%v)", whole, err)
	}

	for i, do := range []func() error{
		func() error { _, err := r.Adjust(ctx, user.Key, "title", "Renamed"); return err },
		func() error {
			_, err := r.Adjust(ctx, token.Key, "url", "https://ann:"+canary+"2@mv.example/f")
			return err
		},
		func() error { _, err := r.Undo(ctx, 0, 0); return err },
		func() error { _, err := r.Redo(ctx); return err },
		func() error { _, err := r.Unsubscribe(ctx, []FeedID{user.Key}); return err },
		func() error { _, err := r.Undo(ctx, 0, 0); return err },
		func() error { _, err := late.Fetch(ctx, FetchRequest{All: true}, nil); return err },
		func() error {
			text, err := r.Subscriptions().EditText(ctx)
			if err != nil || !bytes.Contains(text, []byte("ann:"+canary+"@user.example")) {
				t.Errorf("the text of edit is without it: %s", text)
			}
			if rep, err := r.Subscriptions().ApplyEdit(ctx, text, r.now()); err != nil || rep.Step != 0 {
				t.Errorf("the text as it was changes: %+v, %v", rep, err)
			}
			_, err = r.Subscriptions().ApplyEdit(ctx, bytes.ReplaceAll(text, []byte("/feed?token="), []byte("/other?token=")), r.now())
			return err
		},
		func() error { return r.Maintenance().Backup(ctx, filepath.Join(dir, "backup.db")) },
		func() error { _, _, err := r.Maintenance().Compact(ctx); return err },
	} {
		ok(i, do())
		clean(fmt.Sprint("act ", i), 5)
	}
	if d, err := r.Maintenance().Doctor(ctx, nil); err != nil || d.Damaged() {
		t.Errorf("%v, %v", d.Findings, err)
	}
	var with, without bytes.Buffer
	_, err = r.Subscriptions().Export(ctx, &with, true, r.now())
	ok("export", err)
	cut, err := r.Subscriptions().Export(ctx, &without, false, r.now())
	ok("export", err)
	if n := strings.Count(with.String(), canary); n < 7 || strings.Contains(without.String(), canary) || strings.Contains(with.String()+without.String(), store.SecretMark) || len(cut.Secrets) < 4 {
		t.Errorf("%d secrets with, %q cut:\n%s\n%s", n, cut.Secrets, with.String(), without.String())
	}
	for _, typed := range []string{"https://ann:" + canary + "@user.example/feed"} {
		if f, err := r.FindFeed(ctx, typed); err != nil || f.Key != user.Key {
			t.Errorf("%v: %v", f.Key, err)
		}
		if found, err := r.Finder().Look(ctx, typed, false); err != nil || found.Candidates[0].Known != user.Key {
			t.Errorf("%+v, %v", found, err)
		}
	}
}

// A feed whose secret is lost says so and asks nobody; its address given again
// mends it. The others are fetched.
func TestLostSecret(t *testing.T) {
	dir, web := t.TempDir(), lockedWeb()
	r := openLibrary(t, dir, web)
	ctx, address := t.Context(), "https://ann:"+canary+"@user.example/feed"
	lost := add(t, r, address, SubscribeOptions{}).Feed
	add(t, r, "https://token.example/feed?token="+canary, SubscribeOptions{})
	if err := r.store.CorruptForTest(ctx, "secret", store.MakeItemID(lost.Key, 1)); err != nil {
		t.Fatal(err)
	}
	r = openLibrary(t, dir, web).At(time.Now().Add(48 * time.Hour))
	was := len(web.requests())
	rep, err := r.Fetch(ctx, FetchRequest{All: true}, nil)
	if err != nil || rep.Failed != 1 || rep.Fetched != 2 {
		t.Errorf("%+v, %v", rep, err)
	}
	if asked := web.requests()[was:]; len(asked) != 1 || !strings.Contains(asked[0], "token.example") {
		t.Errorf("asked: %v", asked)
	}
	f, err := r.FindFeed(ctx, lost.Key.String())
	if err != nil || f.State != FeedFailing || f.Error != "its password or token is lost: diurna mv gives it its address again" {
		t.Errorf("%+v, %v", f, err)
	}
	d, err := r.Maintenance().Doctor(ctx, nil)
	if err != nil || len(d.Trouble) != 1 || !strings.HasPrefix(d.Trouble[0].Do, "diurna mv "+lost.Key.String()+" ADDRESS") || len(d.Findings) != 1 {
		t.Errorf("%+v, %v", d, err)
	}
	text, err := r.Subscriptions().EditText(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if rep, err := r.Subscriptions().ApplyEdit(ctx, text, r.now()); err != nil || rep.Step != 0 {
		t.Errorf("left alone in the text it changes: %+v, %v", rep, err)
	}
	for _, with := range []bool{false, true} {
		var b bytes.Buffer
		if cut, err := r.Subscriptions().Export(ctx, &b, with, r.now()); err != nil || len(cut.Secrets) == 0 || strings.Contains(b.String(), store.SecretMark) || !strings.Contains(b.String(), "user.example/feed") {
			t.Errorf("%+v, %v, %s", cut, err, b.String())
		}
	}
	if _, err := r.Adjust(ctx, lost.Key, "url", address); err != nil {
		t.Fatal(err)
	}
	if rep, err = r.Fetch(ctx, FetchRequest{Feeds: []FeedID{lost.Key}}, nil); err != nil || rep.Failed != 0 {
		t.Errorf("%+v, %v", rep, err)
	}
	if d, err := r.Maintenance().Doctor(ctx, nil); err != nil || d.Damaged() {
		t.Errorf("%v, %v", d.Findings, err)
	}
}

// Who is not the library cannot name its secrets: neither redirects, nor lists,
// nor links of a feed lead one to another host.
func TestStrangersCannotNameSecrets(t *testing.T) {
	web := lockedWeb()
	r := newLibrary(t, web)
	ctx := t.Context()
	add(t, r, "https://ann:"+canary+"@user.example/feed", SubscribeOptions{})
	guess := store.SecretRef("ann:" + canary)
	evil := "https://evil.example/feed?q=" + guess
	web.handle("https://bait.example/feed", func(req *http.Request) *http.Response {
		res := answer(req, 301, "", "")
		res.Header.Set("Location", evil)
		return res
	})
	doc := strings.ReplaceAll(rssOf("Evil", "e|E|"+ago(time.Hour)+"|x"), "https://", "https://evil.example/?q="+guess+"&amp;to=https://")
	seen := []string{}
	web.handle(evil, func(req *http.Request) *http.Response {
		return answer(req, 200, "application/rss+xml", doc)
	})
	web.serve("https://page.example/", "text/html", `<html><head><link rel="alternate" type="application/rss+xml" href="`+evil+`2"></head><body>x</body></html>`)
	web.serve("https://links.example/", "text/html", `<p>Timetables of all boats.</p><a href="`+evil+`&child=">boats</a>`)
	web.handle("https://evil.example/robots.txt", func(req *http.Request) *http.Response { return answer(req, 404, "", "") })
	if _, err := r.Pages().Watch(ctx, "https://links.example/", watch.Options{Depth: 1}); err != nil {
		t.Fatal(err)
	}
	f := add(t, r, "https://bait.example/feed", SubscribeOptions{}).Feed
	if _, err := r.Import(ctx, []byte(evil+"3\n"), ImportOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Finder().Look(ctx, "https://page.example/", false); err == nil {
		t.Error("there is a feed")
	}
	if _, err := r.At(time.Now().Add(48*time.Hour)).Fetch(ctx, FetchRequest{All: true}, nil); err != nil {
		t.Fatal(err)
	}
	rows, err := r.Rows(ctx, Query{}, 0)
	if err != nil || len(rows) != 2 {
		t.Fatal(rows, err)
	}
	for _, row := range rows {
		a, err := r.Article(ctx, row.ID)
		if err != nil {
			t.Fatal(err)
		}
		opened, err := r.Reveal(ctx, a.Address())
		if err != nil {
			t.Error(err)
		}
		seen = append(seen, opened)
	}
	site, err := r.Reveal(ctx, f.Site)
	if err != nil {
		t.Error(err)
	}
	seen = append(append(seen, site), web.requests()...)
	if i := slices.IndexFunc(seen, func(s string) bool { return strings.Contains(s, "evil") && strings.Contains(s, canary) }); i >= 0 {
		t.Errorf("the secret goes to %s", seen[i])
	}
	if !slices.ContainsFunc(seen, func(s string) bool { return strings.Contains(s, "&child=") }) {
		t.Error("no link of the watched page was followed")
	}
	if n := len(slices.DeleteFunc(seen, func(s string) bool { return !strings.Contains(s, "evil.example") })); n < 5 {
		t.Errorf("only %d addresses of theirs were met: the test proves nothing", n)
	}
	if whole, _ := r.Reveal(ctx, evil); !strings.Contains(whole, canary) {
		t.Error("the guess names no secret: the test proves nothing")
	}
}
