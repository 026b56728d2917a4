package reader

import (
	"fmt"
	"html"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"diurna/reader/fulltext"
	"diurna/reader/plain"
	"diurna/reader/search"
	"diurna/store"
	"diurna/store/storetest"
)

// pointing is an item as its publisher writes it, and the pages to which it points.
type pointing struct {
	title string
	to    []string
}

var (
	pointHosts = []string{"sea.example", "quay.example", "ferries.sea.example"}
	pointPaths = []string{"/a", "/a/b", "/c?id=1", "/c?id=1&n=2", "/d_(e)", "/"}
)

// pointTo writes some links, each page in one of its spellings.
func pointTo(rnd *rand.Rand) (markup string, to []string) {
	for range rnd.IntN(4) {
		page := pointHosts[rnd.IntN(len(pointHosts))] + pointPaths[rnd.IntN(len(pointPaths))]
		to = append(to, page)
		address := []string{"https://", "http://www.", "HTTPS://"}[rnd.IntN(3)] + page
		if rnd.IntN(2) == 0 {
			address += map[bool]string{true: "&", false: "?"}[strings.Contains(page, "?")] + "utm_source=rss"
		}
		if rnd.IntN(3) == 0 {
			address += "#comments"
		}
		markup += ` see <a class="x" href="` + html.EscapeString(address) + `">` + pointHosts[0] + `/a</a>`
	}
	return markup, to
}

// pointQuery is a query and what it fits, by what items point to.
func pointQuery(rnd *rand.Rand, depth int) (string, func(p *pointing) bool) {
	if depth > 0 {
		a, x := pointQuery(rnd, depth-1)
		switch rnd.IntN(4) {
		case 0:
			return "-(" + a + ")", func(p *pointing) bool { return !x(p) }
		case 1:
			b, y := pointQuery(rnd, depth-1)
			return "(" + a + " or " + b + ")", func(p *pointing) bool { return x(p) || y(p) }
		case 2:
			b, y := pointQuery(rnd, depth-1)
			return a + " " + b, func(p *pointing) bool { return x(p) && y(p) }
		}
	}
	any := func(test func(page string) bool) func(*pointing) bool {
		return func(p *pointing) bool { return slices.ContainsFunc(p.to, test) }
	}
	host, path := pointHosts[rnd.IntN(len(pointHosts))], pointPaths[rnd.IntN(len(pointPaths)-1)]
	switch rnd.IntN(6) {
	case 0:
		return "linksto:" + host, any(func(page string) bool {
			return strings.HasPrefix(page, host+"/") || strings.HasPrefix(page, "ferries."+host+"/")
		})
	case 1:
		return "linksto:" + host + "/*", any(func(page string) bool { return strings.HasPrefix(page, host+"/") })
	case 2:
		return "linksto:/^" + strings.ReplaceAll(host, ".", `\.`) + `\/./`, any(func(page string) bool { return strings.HasPrefix(page, host+"/") && page != host+"/" })
	case 3:
		return "title:even", func(p *pointing) bool { return strings.Contains(p.title, "even") }
	}
	return `linksto:"https://` + host + path + `"`, any(func(page string) bool { return page == host+path })
}

// TestLinksToIsAScan: what items point to is found in lists, by saved queries and in a search,
// whatever becomes of the items: edited, their texts removed, their pages fetched, the index
// lost.
func TestLinksToIsAScan(t *testing.T) {
	ctx := t.Context()
	for seed := range uint64(storetest.Size(2, 12)) {
		rnd := rand.New(rand.NewPCG(seed, 18))
		web := newFakeWeb()
		r := newLibrary(t, web)
		items := map[string]*pointing{} // by guid
		var guids []string
		texts := map[string]string{}
		const feed = "https://harbour.example/feed.xml"
		serve := func() {
			var list []string
			for _, guid := range guids {
				list = append(list, guid+"|"+items[guid].title+"|"+ago(time.Hour)+"|"+html.EscapeString(texts[guid]))
			}
			web.serve(feed, "application/rss+xml", rssOf("Harbour", list...))
		}
		write := func(guid string) {
			markup, to := pointTo(rnd)
			items[guid] = &pointing{title: fmt.Sprintf("%s is %s", guid, []string{"even", "odd"}[rnd.IntN(2)]), to: append(to, "x.example/"+guid)}
			texts[guid] = "<p>The tide comes to the quay with" + markup + "</p>"
		}
		check := func(when string) {
			t.Helper()
			if err := r.Searcher().Update(ctx, nil); err != nil {
				t.Fatal(err)
			}
			for range 12 {
				text, fits := pointQuery(rnd, 2)
				var want []string
				for _, guid := range guids {
					if fits(items[guid]) {
						want = append(want, items[guid].title)
					}
				}
				slices.Sort(want)
				wantTitles(t, r, text, want...)
				found, err := r.Searcher().Search(ctx, mustQuery(t, text), r.now(), 0)
				var got []string
				for i := range found.Items {
					got = append(got, found.Items[i].Row.Title)
				}
				if slices.Sort(got); err != nil || !slices.Equal(got, want) || found.Count != len(want) {
					t.Fatalf("seed %d, %s: %s finds %q, %v; want %q", seed, when, text, got, err, want)
				}
				if _, err := r.Queries().Add(ctx, "pointing", text); err != nil {
					t.Fatal(err)
				}
				if saved, err := r.Queries().Counts(ctx); err != nil || len(saved) != 1 || saved[0].Unread != len(want) {
					t.Fatalf("seed %d, %s: %s counts %+v, %v; want %d", seed, when, text, saved, err, len(want))
				}
				if _, err := r.Queries().Remove(ctx, "pointing"); err != nil {
					t.Fatal(err)
				}
			}
		}
		come := func(n int) {
			for range n {
				guids = append(guids, fmt.Sprintf("g%d", len(guids)))
				write(guids[len(guids)-1])
			}
			serve()
		}
		come(8)
		add(t, r, feed, SubscribeOptions{AllUnread: true})
		check("at first")
		come(8)
		for range 4 {
			guid := guids[rnd.IntN(8)]
			title := items[guid].title
			write(guid)
			items[guid].title = title
		}
		serve()
		if _, err := later(r, 25*time.Hour).Fetch(ctx, FetchRequest{All: true}, nil); err != nil {
			t.Fatal(err)
		}
		check("edited")

		rows, err := r.Rows(ctx, Query{}, 0)
		if err != nil || len(rows) != len(guids) {
			t.Fatal(len(rows), err)
		}
		for _, row := range rows[:6] {
			guid, _, _ := strings.Cut(row.Title, " ")
			if rnd.IntN(2) == 0 { // the text goes, and with it its links; the item's own stays
				items[guid].to = []string{"x.example/" + guid}
				if _, err := r.Open(ctx, row.ID); err != nil {
					t.Fatal(err)
				}
				gone, err := r.store.Remove(ctx, r.now(), store.TextRemoved, []ItemID{row.ID}, func(_ ItemID, _ string, b store.Body) (store.Body, bool) {
					return store.Body{Summary: html.EscapeString(plain.LeadText(b.HTML, b.Summary, 60))}, true
				})
				if err != nil || len(gone) != 1 {
					t.Fatal(gone, err)
				}
				if _, err := r.store.Act(ctx, r.now(), "", store.Change{Kind: store.MarkedUnread, Items: gone}); err != nil {
					t.Fatal(err)
				}
			} else { // its page is fetched
				markup, to := pointTo(rnd)
				items[guid].to = append(items[guid].to, to...)
				if err := fulltext.Put(ctx, r.store, r.now(), row.ID, &fulltext.Text{HTML: "<p>The whole text. " + markup}); err != nil {
					t.Fatal(err)
				}
				r.Searcher().Touched(ctx, []ItemID{row.ID})
			}
		}
		check("without some texts, with whole ones of others")

		// Without an index a search says so, lists need none, and it is made again.
		if err := r.store.Cache().Delete(ctx, search.Bucket); err != nil {
			t.Fatal(err)
		}
		if found, err := r.Searcher().Search(ctx, mustQuery(t, "linksto:sea.example"), r.now(), 0); err != nil || !found.Missing {
			t.Fatalf("without an index: %+v, %v", found, err)
		}
		check("with a new index")
	}
}

// TestMutedByLink: a rule mutes what points to an address, in whatever spelling, what is there
// and what comes, and undo takes it back.
func TestMutedByLink(t *testing.T) {
	point := func(no int, address string) string {
		return fmt.Sprintf(`%d|Item %d|%s|&lt;p&gt;See &lt;a href="%s"&gt;it&lt;/a&gt;`, no, no, ago(time.Hour), address)
	}
	web := newFakeWeb()
	first := []string{point(1, "https://sea.example/a?id=1&amp;amp;utm_source=x"), point(2, "https://sea.example/a?id=2"), point(3, "https://quay.example/b")}
	web.serve(harbour, "application/rss+xml", rssOf("Harbour", first...))
	r := newLibrary(t, web)
	add(t, r, harbour, SubscribeOptions{AllUnread: true})
	const asked = "linksto:http://www.sea.example/a/?id=1#top"
	p, err := r.Rules().Try(t.Context(), asked, time.Now())
	if err != nil || len(p.Month) != 1 || len(p.Unread) != 1 {
		t.Fatalf("%+v, %v", p, err)
	}
	_, done, err := r.Rules().Add(t.Context(), Rule{Query: asked, Mute: true}, false, time.Now())
	if err != nil || done.Changed != 1 {
		t.Fatalf("%+v %v", done, err)
	}
	wantTitles(t, r, "unread", "Item 2", "Item 3")
	web.serve(harbour, "application/rss+xml", rssOf("Harbour", append(first, point(4, "HTTP://SEA.example/a?id=1"), point(5, "https://sea.example/a"), point(6, "https://elsewhere.example/?u=https://sea.example/a?id=1"))...))
	if _, err := later(r, 2*time.Hour).Fetch(t.Context(), FetchRequest{All: true}, nil); err != nil {
		t.Fatal(err)
	}
	wantTitles(t, r, "unread", "Item 2", "Item 3", "Item 5", "Item 6")
	wantTitles(t, r, "muted", "Item 1", "Item 4")
	if _, err := r.Undo(t.Context(), done.Step, 0); err != nil {
		t.Fatal(err)
	}
	wantTitles(t, r, "unread", "Item 1", "Item 2", "Item 3", "Item 4", "Item 5", "Item 6")
	replayed(t, r)
}
