package things

import (
	"maps"
	"slices"
	"testing"

	"diurna/reader/align"
)

// TestChangedIsTheDifference: what Changed finds is what the sets of two pages, each
// read by itself, have not in common.
func TestChangedIsTheDifference(t *testing.T) {
	pages := []string{
		`<a href="/a">A</a> <a href="/b?x=1">B</a> <img src="p.png"> <form action="/go"><input name="q"></form> <b>b</b>`,
		`<a href="/a">A</a> <a class="x" href="/a">A</a> <a href="/c#top">C</a> <img src="q.png"> <iframe src="//v/1"></iframe>`,
		`<a class="y" href="/a">A</a> <img src="q.png"> <form action="/go"><input name="q" type="hidden"><input name="r2"></form> <i>i</i>`,
		`<p>nothing</p>`,
		`<a href="/k;s=1">K</a> <a href="/k">K</a> <a href="https://h/k">K</a> <a>none</a> <object data="o.swf"></object>`,
	}
	names := func(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
	minus := func(m, from map[string]string) (out []string) {
		for k := range m {
			if _, ok := from[k]; !ok {
				out = append(out, k)
			}
		}
		slices.Sort(out)
		return out
	}
	for _, a := range pages {
		for _, b := range pages {
			al := align.Read([]byte(a), []byte(b), align.Blocks)
			got, _ := Changed([2]*align.Document{al.A, al.B}, [2]align.Bitset{})
			x, y := Of(al.A, nil), Of(al.B, nil)
			for i, s := range [][4]map[string]string{
				{x.Links, y.Links, got[0].Links, got[1].Links}, {x.Images, y.Images, got[0].Images, got[1].Images},
				{x.Forms, y.Forms, got[0].Forms, got[1].Forms}, {x.Embeds, y.Embeds, got[0].Embeds, got[1].Embeds},
			} {
				// A name that both sides have in different tags may stand in both.
				if gone, come := minus(s[2], s[3]), minus(s[3], s[2]); !slices.Equal(gone, minus(s[0], s[1])) || !slices.Equal(come, minus(s[1], s[0])) {
					t.Errorf("%q against %q, set %d: gone %q, come %q; the whole sets are %q and %q", a, b, i, gone, come, names(s[0]), names(s[1]))
				}
			}
		}
	}
}
