package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestPlaces(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.go")
	const source = "package a\n\nfunc f(n int, s string) bool {\n\tif n <= 3 {\n\t\treturn s+\"x\" == \"y\"\n\t}\n\treturn false\n}\n"
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := placesIn(file, "a")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range list {
		got = append(got, p.String())
		text, err := p.changed()
		if err != nil || string(text) == source || len(text) < len(source)-1 {
			t.Errorf("%v: %v\n%s", p, err, text)
		}
	}
	want := []string{"a/a.go:4: n <= 3 -> !(n <= 3)", "a/a.go:4: <= -> <", "a/a.go:4: 3 -> 4", "a/a.go:5: == -> !=", "a/a.go:7: false -> true"}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

func TestWitnesses(t *testing.T) {
	list := []pkg{{ImportPath: "m", Imports: []string{"m/b"}}, {ImportPath: "m/a"}, {ImportPath: "m/b", Imports: []string{"m/a"}}, {ImportPath: "m/c", TestImports: []string{"m/a"}}}
	if got := witnesses("m/a", "m", list); !slices.Equal(got, []string{"m/a", "m/b", "m/c", "m"}) {
		t.Error(got)
	}
	if got := witnesses("m", "m", list); !slices.Equal(got, []string{"m"}) {
		t.Error(got)
	}
}
