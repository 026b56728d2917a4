package reader

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"diurna/reader/fetch"
)

// door is a feed on a private address that the user allowed; the fake web has
// no names to resolve, so the guard is the one for literal addresses. That names
// are checked where they are connected is tested in reader/fetch.
const door = "http://10.0.0.5:8080/news.xml"

// openDoor subscribes to it.
func openDoor(t *testing.T, r *Reader, web *fakeWeb) Feed {
	t.Helper()
	web.serve(door, "text/xml", rssOf("House", "1|One|"+ago(time.Hour)+"|x"))
	found, err := r.Finder().Look(t.Context(), door, true)
	if err != nil || len(found.Candidates) != 1 || !found.Candidates[0].AllowPrivate {
		t.Fatalf("allowed: %+v, %v", found, err)
	}
	s, err := r.Subscribe(t.Context(), found.Candidates[0], SubscribeOptions{})
	if err != nil || !s.Feed.AllowPrivate {
		t.Fatalf("subscribed: %+v, %v", s.Feed, err)
	}
	return s.Feed
}

// leads makes an address answer with a redirect.
func leads(web *fakeWeb, from, to string) {
	web.handle(from, func(req *http.Request) *http.Response {
		res := answer(req, 301, "", "")
		res.Header.Set("Location", to)
		return res
	})
}

func theFeed(t *testing.T, r *Reader, id FeedID) Feed {
	t.Helper()
	f, err := r.FindFeed(t.Context(), id.String())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestPermissionIsForOneDoor: a feed that may be fetched from a private address
// leads to no other host or port, whatever it answers.
func TestPermissionIsForOneDoor(t *testing.T) {
	web := newFakeWeb()
	r := newLibrary(t, web)
	f := openDoor(t, r, web)
	for i, to := range []string{"http://10.0.0.5:9090/news.xml", "http://10.0.0.5/news.xml", "http://10.0.0.6:8080/news.xml", "http://127.0.0.1:8080/x", "http://[::1]:8080/x", "http://localhost/x"} {
		web.serve(to, "text/xml", rssOf("Other", "2|Two|"+ago(time.Hour)+"|x"))
		leads(web, door, to)
		if _, err := later(r, time.Duration(i+1)*24*time.Hour).Fetch(t.Context(), FetchRequest{All: true}, nil); err != nil {
			t.Fatal(err)
		}
		if slices.Contains(web.requests(), "GET "+to) {
			t.Errorf("%s was asked", to)
		}
	}
	if n := strings.Count(strings.Join(web.requests(), "\n"), "GET "+door); n != 7 {
		t.Errorf("the door was asked %d times", n)
	}
	if f = theFeed(t, r, f.Key); f.URL != door || f.Items != 1 {
		t.Errorf("the feed is %+v", f)
	}
}

// TestPermissionIsTypedOnly: what a page names, an import, a feed's own words and
// an earlier subscription bring no permission.
func TestPermissionIsTypedOnly(t *testing.T) {
	web := newFakeWeb()
	r := newLibrary(t, web)
	page := "http://10.0.0.5:8080/"
	web.serve(page, "text/html", `<link rel="alternate" type="application/rss+xml" href="http://10.0.0.5:8080/news.xml">
		<link rel="alternate" type="application/rss+xml" href="http://10.0.0.5:9090/other.xml"><link rel="alternate" type="application/rss+xml" href="http://open.example/f.xml">`)
	web.serve(door, "text/xml", rssOf("House", "1|One|"+ago(time.Hour)+"|x"))
	web.serve("http://10.0.0.5:9090/other.xml", "text/xml", rssOf("Other", "2|Two|"+ago(time.Hour)+"|x"))
	web.serve("http://open.example/f.xml", "text/xml", rssOf("Open", "3|Three|"+ago(time.Hour)+"|x"))
	found, err := r.Finder().Look(t.Context(), page, true)
	if err != nil || len(found.Candidates) != 3 {
		t.Fatalf("%+v, %v", found, err)
	}
	for i, want := range []bool{true, false, false} {
		c, err := r.Finder().Fill(t.Context(), found.Candidates[i])
		if err != nil || c.AllowPrivate != want || (c.Err == nil) != (i != 1) {
			t.Errorf("%s: allowed %v, %v, %v", c.URL, c.AllowPrivate, c.Err, err)
		}
	}
	s, err := r.Subscribe(t.Context(), found.Candidates[0], SubscribeOptions{})
	if err != nil || !s.Feed.AllowPrivate {
		t.Fatalf("%+v, %v", s.Feed, err)
	}
	if _, err := r.Undo(t.Context(), s.Step, 0); err != nil {
		t.Fatal(err)
	}
	doc := fmt.Sprintf(`<opml version="2.0"><body><outline text="x" xmlUrl="%s" allow_private="yes" allowPrivate="true"/></body></opml>`, door)
	asked := len(web.requests())
	if _, err := r.Import(t.Context(), []byte(doc), ImportOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	feeds, err := r.Feeds(t.Context())
	if err != nil || len(feeds) != 1 || feeds[0].AllowPrivate || len(web.requests()) != asked {
		t.Errorf("imported: %+v, %v, asked %v", feeds, err, web.requests()[asked:])
	}
	own := "http://open.example/own.xml"
	web.serve(own, "application/atom+xml", `<feed xmlns="http://www.w3.org/2005/Atom"><title>S</title><id>x</id><link rel="self" href="`+door+`"/><entry><id>1</id><title>one</title></entry></feed>`)
	if f := add(t, r, own, SubscribeOptions{}).Feed; f.AllowPrivate || f.URL != own {
		t.Errorf("a feed that names itself elsewhere: %+v", f)
	}
	if len(web.requests()) != asked+1 {
		t.Errorf("asked %v", web.requests()[asked:])
	}
}

// TestPermissionStaysBehind: a feed that gets another address leaves its
// permission at the host and port it had it for, and undo brings back both.
func TestPermissionStaysBehind(t *testing.T) {
	public := "https://house.example/news.xml"
	for name, move := range map[string]func(r *Reader, web *fakeWeb, f Feed) error{
		"its publisher's move": func(r *Reader, web *fakeWeb, f Feed) error {
			web.serve(public, "text/xml", rssOf("House", "1|One|"+ago(time.Hour)+"|x"))
			leads(web, door, public)
			for day := 1; day <= 9; day++ {
				if _, err := later(r, time.Duration(day)*24*time.Hour).Fetch(t.Context(), FetchRequest{All: true}, nil); err != nil {
					return err
				}
			}
			return nil
		},
		"by hand": func(r *Reader, _ *fakeWeb, f Feed) error {
			_, err := r.Adjust(t.Context(), f.Key, "url", public)
			return err
		},
		"to another port": func(r *Reader, _ *fakeWeb, f Feed) error {
			_, err := r.Adjust(t.Context(), f.Key, "url", "http://10.0.0.5:9090/news.xml")
			return err
		},
		"in the list": func(r *Reader, _ *fakeWeb, f Feed) error {
			text, err := r.Subscriptions().EditText(t.Context())
			if err == nil {
				_, err = r.Subscriptions().ApplyEdit(t.Context(), []byte(strings.ReplaceAll(string(text), ":8080/", ":9090/")), r.now())
			}
			return err
		},
	} {
		web := newFakeWeb()
		r := newLibrary(t, web)
		f := openDoor(t, r, web)
		if err := move(r, web, f); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if now := theFeed(t, r, f.Key); now.URL == door || now.AllowPrivate {
			t.Errorf("%s: %s may be private: %v", name, now.URL, now.AllowPrivate)
		}
		steps, err := r.Steps(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Undo(t.Context(), steps[0].No, 0); err != nil {
			t.Fatal(err)
		}
		if now := theFeed(t, r, f.Key); now.URL != door || !now.AllowPrivate {
			t.Errorf("%s, undone: %s may be private: %v", name, now.URL, now.AllowPrivate)
		}
		if _, err := r.Adjust(t.Context(), f.Key, "url", door+"?all"); err != nil {
			t.Fatal(err)
		}
		if now := theFeed(t, r, f.Key); !now.AllowPrivate {
			t.Errorf("%s: another address at the same door lost its permission", name)
		}
	}
}

// TestSameDoor: which addresses a permission for one holds for.
func TestSameDoor(t *testing.T) {
	for _, c := range []struct {
		from, to string
		want     bool
	}{
		{"http://10.0.0.5:8080/a", "http://10.0.0.5:8080/b?c", true},
		{"http://10.0.0.5/a", "https://10.0.0.5/a", true},
		{"http://NAS.local/a", "http://nas.local:80/", true},
		{"http://me:word@nas.local/a", "http://nas.local/a", true},
		{"http://10.0.0.5:8080/a", "https://10.0.0.5:8080/a", false},
		{"http://10.0.0.5/a", "http://10.0.0.5:8080/a", false},
		{"http://nas.local/a", "http://nas.local.evil.example/a", false},
		{"http://nas.local/a", "http://nas.local@evil.example/a", false},
		{"http://nas.local/a", "ftp://nas.local/a", false},
		{"http://nas.local/a", "", false},
		{"", "", false},
	} {
		if got := fetch.SameDoor(c.from, c.to); got != c.want {
			t.Errorf("%s, %s: %v", c.from, c.to, got)
		}
	}
}
