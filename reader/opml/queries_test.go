package opml_test

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"diurna/reader/opml"
)

// TestSavedQueriesComeBack: what was written as OPML is read as it was, and is no folder
// and no page.
func TestSavedQueriesComeBack(t *testing.T) {
	want := []opml.Query{{Name: `News & "more"`, Expr: `title:"a <b>" -feed:x words>3`, Own: true}, {Name: "Ships", Expr: "query:news", Own: true}}
	var b bytes.Buffer
	if err := opml.WriteOPML(&b, opml.List{Queries: append(want, opml.Query{Name: "theirs", Expr: `age < 3`}), Feeds: []opml.Outline{{URL: "https://a.example/f"}}}, time.Time{}); err != nil {
		t.Fatal(err)
	}
	got, err := opml.ParseOPML(b.Bytes())
	for i := range got.Queries {
		got.Queries[i].Line = 0
	}
	if err != nil || !slices.Equal(got.Queries, want) || len(got.Feeds) != 1 || got.Feeds[0].Folder != "" || len(got.Pages) > 0 || len(got.Refused) > 0 {
		t.Errorf("%v, %+v of\n%s", err, got, b.String())
	}
	b.Reset()
	if err := opml.WriteURLs(&b, opml.List{Queries: want}); err != nil || b.Len() > 0 {
		t.Errorf("%v: queries in a language that newsboat does not know: %s", err, b.String())
	}
}
