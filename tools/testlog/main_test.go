package main

import (
	"strings"
	"testing"
)

func TestTell(t *testing.T) {
	good := `{"Action":"output","Package":"a","Test":"TestX","Output":"=== RUN   TestX\n"}
{"Action":"output","Package":"a","Test":"TestX","Output":"    x_test.go:7: no disk here\n"}
{"Action":"output","Package":"a","Test":"TestX","Output":"--- SKIP: TestX (0.00s)\n"}
{"Action":"skip","Package":"a","Test":"TestX","Elapsed":0}
{"Action":"output","Package":"a","Test":"TestY","Output":"    x_test.go:9: chatter\n"}
{"Action":"pass","Package":"a","Test":"TestY","Elapsed":0}
{"Action":"pass","Package":"a","Elapsed":1.25}
`
	var out strings.Builder
	if failed, err := tell(strings.NewReader(good), &out); failed || err != nil {
		t.Error(failed, err)
	}
	if want := "pass     1.2 s  a\n1 tests skipped\n  a TestX: no disk here\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	for what, bad := range map[string]string{
		"boom":         `{"Action":"output","Package":"a","Test":"TestZ","Output":"boom\n"}` + "\n" + `{"Action":"fail","Package":"a","Test":"TestZ"}`,
		"syntax error": `{"Action":"build-output","ImportPath":"a","Output":"syntax error\n"}` + "\n" + `{"Action":"build-fail","ImportPath":"a"}`,
		"DATA RACE":    `{"Action":"output","Package":"a","Output":"WARNING: DATA RACE\n"}` + "\n" + `{"Action":"fail","Package":"a"}`,
	} {
		out.Reset()
		if failed, err := tell(strings.NewReader(good+bad), &out); !failed || err != nil || !strings.Contains(out.String(), what) {
			t.Errorf("%s: failed %v, %v: %s", what, failed, err, out.String())
		}
	}
}
