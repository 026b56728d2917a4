package cli

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/japanese"

	"diurna/ui/cli/exit"
	"diurna/ui/cli/session"
)

// diffObject is the form that scripts get.
type diffObject struct {
	Score       *float64 `json:"score"`
	Significant *bool    `json:"significant"`
	Terms       []struct {
		Category string  `json:"category"`
		Count    int     `json:"count"`
		Weight   float64 `json:"weight"`
		Points   float64 `json:"points"`
	} `json:"terms"`
	Class string `json:"class"`
	Words struct {
		Added   int `json:"added"`
		Deleted int `json:"deleted"`
	} `json:"words"`
	Ops []struct {
		Op   string `json:"op"`
		A, B [2]int
	} `json:"ops"`
}

// diffJSON runs `diff A B --json` and holds the ops against the two files.
func diffJSON(t *testing.T, a, b []byte, flags ...string) diffObject {
	t.Helper()
	dir := t.TempDir()
	names := []string{filepath.Join(dir, "a.html"), filepath.Join(dir, "b.html")}
	for i, body := range [][]byte{a, b} {
		if err := os.WriteFile(names[i], body, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out, talk bytes.Buffer
	if code := Run(context.Background(), append(append([]string{"diff", "--json"}, names...), flags...), session.Env{Out: &out, Err: &talk}); code != exit.Done {
		t.Fatalf("exit code %d: %s", code, talk.String())
	}
	d := json.NewDecoder(&out)
	d.DisallowUnknownFields()
	var o diffObject
	if err := d.Decode(&o); err != nil {
		t.Fatal(err)
	}
	if o.Score == nil || o.Significant == nil || o.Terms == nil || o.Ops == nil {
		t.Fatalf("a field is missing: %+v", o)
	}
	if !slices.Contains([]string{"content", "order", "menu", "date", "links", "volatile", "none"}, o.Class) {
		t.Errorf("class %q", o.Class)
	}
	i, j := 0, 0
	for _, op := range o.Ops {
		if op.A[0] != i || op.B[0] != j || op.A[1] < i || op.B[1] < j || op.A[1] > len(a) || op.B[1] > len(b) {
			t.Fatalf("op %+v does not go on at %d, %d", op, i, j)
		}
		i, j = op.A[1], op.B[1]
		old, fresh := a[op.A[0]:op.A[1]], b[op.B[0]:op.B[1]]
		switch {
		case op.Op == "equal" && bytes.Equal(old, fresh) && len(old) > 0:
		case op.Op == "delete" && len(fresh) == 0 && len(old) > 0:
		case op.Op == "insert" && len(old) == 0 && len(fresh) > 0:
		default:
			t.Fatalf("op %+v is not what it says", op)
		}
	}
	if i != len(a) || j != len(b) {
		t.Fatalf("the ops end at %d and %d of %d and %d bytes", i, j, len(a), len(b))
	}
	return o
}

func TestDiffOfFiles(t *testing.T) {
	sjis, err := japanese.ShiftJIS.NewEncoder().String("<meta charset=Shift_JIS><p>日本語のページ</p><p>船は七時に出る</p>")
	if err != nil {
		t.Fatal(err)
	}
	later := strings.Replace(sjis, "\x8e\xb5", "\x94\xaa", 1) // 七 becomes 八
	for _, c := range []struct {
		name, a, b     string
		added, deleted int
	}{
		{"nothing", "<p>one</p>", "<p>one</p>", 0, 0},
		{"a word", "<p>one two</p>", "<p>one three</p>", 1, 1},
		{"bytes that are no text", "\xef\xbb\xbf<p>one</p>\r\n", "<p>one</p>\n", 0, 0},
		{"from nothing", "", "<p>one two</p>", 2, 0},
		{"to nothing", "<p>one two</p>", "", 0, 2},
		{"Shift_JIS", sjis, later, 1, 1},
	} {
		o := diffJSON(t, []byte(c.a), []byte(c.b))
		if o.Words.Added != c.added || o.Words.Deleted != c.deleted {
			t.Errorf("%s: %+v, want %d and %d", c.name, o.Words, c.added, c.deleted)
		}
	}
}

// TestLoctagsIsWeak: the paper's way taken literally loses its place in a list
// when a row is inserted first; ours does not.
func TestLoctagsIsWeak(t *testing.T) {
	list := func(from int) []byte {
		var b strings.Builder
		b.WriteString("<h1>Notices</h1><ul>")
		for i := from; i <= 40; i++ {
			fmt.Fprintf(&b, "<li><a href=\"/n%d\">Notice %d about berth %d in the harbour</a></li>", i, i, i*7)
		}
		return []byte(b.String() + "</ul>")
	}
	a, b := list(1), list(0)
	ours, theirs := diffJSON(t, a, b).Words, diffJSON(t, a, b, "--engine", "loctags").Words
	if ours.Deleted != 0 || ours.Added != 8 {
		t.Errorf("ours says %+v, want the 8 words of the new row", ours)
	}
	if theirs.Added+theirs.Deleted < 10*(ours.Added+ours.Deleted) {
		t.Errorf("the literal way says %+v, less than ten times ours %+v", theirs, ours)
	}
}

// TestDiffOfRealPages goes through real pages the way scripts do.
func TestDiffOfRealPages(t *testing.T) {
	dirs, _ := filepath.Glob("../../../shared/data/pages/*/a.html.gz")
	if len(dirs) == 0 {
		t.Skip("no real page revisions beside the project: skipped")
	}
	step := 25
	if os.Getenv("DIURNA_FULL") != "" {
		step = 1
	}
	for i := 0; i < len(dirs); i += step {
		a, b := unzip(t, dirs[i]), unzip(t, strings.Replace(dirs[i], "a.html.gz", "b.html.gz", 1))
		o := diffJSON(t, a, b)
		if len(o.Ops) == 2 && o.Ops[0].Op != "equal" && o.Ops[1].Op != "equal" {
			t.Errorf("%s: the whole file is replaced", dirs[i])
		}
	}
}

func unzip(t *testing.T, path string) []byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestDiffRefusesNonsense(t *testing.T) {
	dir := t.TempDir()
	a := filepath.Join(dir, "a.html")
	if err := os.WriteFile(a, []byte("<p>x</p>"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		code int
		args []string
	}{
		{exit.WrongUsage, nil}, {exit.WrongUsage, []string{a, a, a}}, {exit.WrongUsage, []string{a, a, "--engine", "myers"}},
		{exit.WrongUsage, []string{a, a, "--from", "3"}}, {exit.Error, []string{a, filepath.Join(dir, "none")}},
		{exit.Error, []string{a, dir}},
	} {
		var out, talk bytes.Buffer
		if code := Run(context.Background(), append([]string{"diff"}, c.args...), session.Env{Out: &out, Err: &talk}); code != c.code || out.Len() > 0 || talk.Len() == 0 {
			t.Errorf("diff %v: code %d, %q, %q", c.args, code, out.String(), talk.String())
		}
	}
}
