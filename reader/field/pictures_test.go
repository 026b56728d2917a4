package field

import (
	"testing"

	"diurna/reader/align"
)

// TestReplaced: a picture is another one by its address, whatever it says that it shows;
// what gets it past a cache is none, and neither is one in a part that is an aside.
func TestReplaced(t *testing.T) {
	const more = "<img src=/kitchen.jpg alt=Kitchen></div>"
	for _, c := range []struct {
		name, a, b string
		want       int
	}{
		{"same words", "<div class=gallery><img src=/a.jpg alt=Hall>" + more, "<div class=gallery><img src=/b.jpg alt=Hall>" + more, 1},
		{"other words", "<div class=gallery><img src=/a.jpg alt=Hall>" + more, "<div class=gallery><img src=/b.jpg alt=Stairs>" + more, 1},
		{"lazy", "<figure><img src=data:x data-src=/a.jpg alt=Hall></figure>", "<figure><img src=data:x data-src=/b.jpg alt=Stairs></figure>", 1},
		{"sizes alone", "<figure><img srcset='/a.jpg 1x, /a2.jpg 2x' alt=Hall></figure>", "<figure><img srcset='/b.jpg 1x, /b2.jpg 2x' alt=Hall></figure>", 1},
		{"lazy sizes", "<figure><img src=data:x data-srcset='/a.jpg 1x' alt=Hall></figure>", "<figure><img src=data:x data-srcset='/b.jpg 1x' alt=Hall></figure>", 1},
		{"both", "<div class=gallery><img src=/a.jpg alt=Hall><img src=/c.jpg alt=Bath></div>", "<div class=gallery><img src=/b.jpg alt=Hall><img src=/d.jpg alt=Bath></div>", 2},
		{"one more", "<div class=gallery><img src=/a.jpg alt=Hall>" + more, "<div class=gallery><img src=/b.jpg alt=Bath><img src=/a.jpg alt=Hall>" + more, 0},
		{"past a cache", "<figure><img src=/cam.jpg?t=qwertyzxcv alt=Quay></figure>", "<figure><img src=/cam.jpg?t=8fsk3m2p9a alt=Quay></figure>", 0},
		{"named by chance", "<figure><img src=/img/3c9a01.jpg alt=Quay></figure>", "<figure><img src=/img/77fe10.jpg alt=Quay></figure>", 1},
		{"another of a kind", "<figure><img src=/img?id=12 alt=Quay></figure>", "<figure><img src=/img?id=14 alt=Quay></figure>", 1},
		{"another file", "<figure><img src=/img?file=quay.jpg alt=Quay></figure>", "<figure><img src=/img?file=pier.jpg alt=Quay></figure>", 1},
		{"advertisement", "<div class=advert><img src=/a.jpg alt=Soap></div>", "<div class=advert><img src=/b.jpg alt=Rope></div>", 0},
		{"decoration", "<figure><img src=/a.jpg alt=''></figure>", "<figure><img src=/b.jpg alt=''></figure>", 0},
	} {
		read := func(page string) []align.Picture {
			return align.Parse([]byte("<main><h1>Flat</h1>" + page + "<p>Some text.</p></main>")).Pictures()
		}
		never := func(string, uint64) bool { return false }
		if got := Replaced(read(c.a), read(c.b), never); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
		if got := Replaced(read(c.a), read(c.b), func(string, uint64) bool { return true }); got != 0 {
			t.Errorf("%s: %d that are quiet", c.name, got)
		}
	}
}

// TestCookieNotice asks of the block that begins with "Oduya": an invented word for the
// button of a notice.
func TestCookieNotice(t *testing.T) {
	for page, want := range map[string]bool{
		"<div><p>We use cookies. You can accept them.</p><a href=#>Oduya</a></div>":                                        true,
		"<div><p>We use cookies. You can accept them.</p><button>No</button><button>Oduya</button></div>":                  true,
		"<div><p>We use cookies. You can accept them.</p></div><div><a href=/x>Oduya</a></div>":                            false,
		"<div><p>We use cookies. You can accept them.</p><p>Oduya is closed</p></div>":                                     false,
		"<div><p>We sell cookies.</p><a href=/x>Oduya</a></div>":                                                           false,
		"<div><p>We use cookies. You can accept them.</p><h2>The quay is closed on Sundays</h2><a href=/x>Oduya</a></div>": false,
	} {
		d := align.Parse([]byte("<body><h1>Quay</h1><p>Some text.</p>" + page))
		at := align.OutlineOf(d).At
		for n := range d.Blocks {
			if words := d.BlockWords(n); words[0] == "Oduya" {
				if got := CookieNotice(d, n, words, at[n].Flags&align.InLink != 0); got != want {
					t.Errorf("%s: %t", page, got)
				}
			}
		}
	}
}
