package reader

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// exportAndImport exports a library and imports the list into a new one; it returns the
// addresses of both, and what the export named.
func exportAndImport(t *testing.T, r *Reader, secrets, urls bool) (before, after []string, out LeftOut, list string) {
	t.Helper()
	var b bytes.Buffer
	var err error
	if out, err = r.Subscriptions().Export(t.Context(), &b, secrets, r.now()); urls {
		b.Reset()
		out, err = r.Subscriptions().ExportURLs(t.Context(), &b, secrets)
	}
	if err != nil {
		t.Fatal(err)
	}
	second := openLibrary(t, t.TempDir(), newFakeWeb())
	if _, err := second.Import(t.Context(), b.Bytes(), ImportOptions{NoFetch: true}, nil); err != nil {
		t.Fatal(err)
	}
	return addresses(t, r), addresses(t, second), out, b.String()
}

func addresses(t *testing.T, r *Reader) []string {
	t.Helper()
	feeds, err := r.Feeds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, f := range feeds {
		whole, err := r.Reveal(t.Context(), f.URL)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, whole)
	}
	slices.Sort(all)
	return all
}

// A list that went out and came back has as many feeds, and each address as it was
// unless the export named it; with the secrets all of them.
func TestExportedListComesBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	pairs := []string{"user=ann%d", "uuid=6f1d2c3b-4a59-4e68-9f70-8a1b2c3d%04d", "series_id=%d", "token=x%d", "key=abc%d&n=1", "pw=%d", "hash=a1b2c3d4%d", "p=%d", "sid=%d"}
	for range 20 {
		r := openLibrary(t, t.TempDir(), newFakeWeb())
		var doc strings.Builder
		doc.WriteString(`<opml version="2.0"><body>`)
		want := map[string]bool{}
		for i := range 26 {
			address := fmt.Sprintf("https://h%d.example/videos.xml?"+pairs[rng.IntN(len(pairs))], rng.IntN(3), i)
			if rng.IntN(8) == 0 {
				address = fmt.Sprintf("https://ann:pass%d@h1.example/videos.xml", i)
			}
			want[address] = true
			fmt.Fprintf(&doc, `<outline text="Feed %d" xmlUrl="%s"/>`, i, strings.ReplaceAll(address, "&", "&amp;"))
		}
		doc.WriteString(`</body></opml>`)
		if rep, err := r.Import(t.Context(), []byte(doc.String()), ImportOptions{NoFetch: true}, nil); err != nil || len(rep.Added) != len(want) {
			t.Fatalf("%d of %d feeds came in: %v", len(rep.Added), len(want), err)
		}
		for _, urls := range []bool{false, true} {
			before, after, out, _ := exportAndImport(t, r, true, urls)
			if !slices.Equal(before, after) || len(out.Secrets) != 0 {
				t.Fatalf("with its secrets the list came back as\n%q, not\n%q", after, before)
			}
			before, after, out, list := exportAndImport(t, r, false, urls)
			if len(after) != len(before) {
				t.Fatalf("%d feeds went out, %d came back:\n%s", len(before), len(after), list)
			}
			changed := slices.DeleteFunc(slices.Clone(before), func(a string) bool { return slices.Contains(after, a) })
			if len(changed) != len(out.Secrets) {
				t.Errorf("%d addresses changed (%q), %d are named: %q", len(changed), changed, len(out.Secrets), out.Secrets)
			}
		}
	}
}

func TestCategoryComesBack(t *testing.T) {
	for _, c := range []struct{ category, tag, want string }{
		{"/kernel,long read", "", "/kernel,long read"},
		{"/kernel, long read ,/a/b", "", "/kernel, long read ,/a/b"},
		{`"a, b",c`, "", `"a, b",c`},
		{"/kernel,long read", "new", "/kernel,long read,new"},
		{"/kernel, long read, sea", "-long-read", "/kernel, sea"},
		{"/kernel", "-kernel", ""},
		{"x,y", "", "x,y"},
	} {
		r := openLibrary(t, t.TempDir(), newFakeWeb())
		doc := `<opml version="2.0"><body><outline text="A" xmlUrl="https://a.example/f" category="` + strings.ReplaceAll(c.category, `"`, "&quot;") + `"/></body></opml>`
		rep, err := r.Import(t.Context(), []byte(doc), ImportOptions{NoFetch: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if c.tag != "" {
			if _, err := r.TagFeeds(t.Context(), rep.Added, []string{c.tag}); err != nil {
				t.Fatal(err)
			}
		}
		var b bytes.Buffer
		if _, err := r.Subscriptions().Export(t.Context(), &b, false, r.now()); err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(b.String(), `category="`)
		got, _, _ := strings.Cut(rest, `"`)
		if got = strings.ReplaceAll(got, "&quot;", `"`); got != c.want {
			t.Errorf("category %q with %q came back as %q, not %q", c.category, c.tag, got, c.want)
		}
	}
}
