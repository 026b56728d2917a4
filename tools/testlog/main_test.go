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
	if failed, again, err := tell(strings.NewReader(good), &out); failed || again != "" || err != nil {
		t.Error(failed, again, err)
	}
	if want := "pass     1.2 s  a\n1 tests skipped\n  a TestX: no disk here\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	for what, bad := range map[string]string{
		"boom":          `{"Action":"output","Package":"a","Test":"TestZ","Output":"boom\n"}` + "\n" + `{"Action":"fail","Package":"a","Test":"TestZ"}`,
		"syntax error":  `{"Action":"build-output","ImportPath":"a","Output":"syntax error\n"}` + "\n" + `{"Action":"build-fail","ImportPath":"a"}`,
		"in the middle": `{"Action":"output","Package":"a","Test":"TestW","Output":"panic: in the middle\n"}` + "\n" + `{"Action":"fail","Package":"a"}`,
		"DATA RACE":     `{"Action":"output","Package":"a","Output":"WARNING: DATA RACE\n"}` + "\n" + `{"Action":"fail","Package":"a"}`,
	} {
		out.Reset()
		if failed, _, err := tell(strings.NewReader(good+bad), &out); !failed || err != nil || !strings.Contains(out.String(), what) {
			t.Errorf("%s: failed %v, %v: %s", what, failed, err, out.String())
		}
	}
}

// TestAgain: a few failed tests are worth another run, a race or a dead package is not.
func TestAgain(t *testing.T) {
	fail := func(pkg, test, output string) string {
		return `{"Action":"output","Package":"` + pkg + `","Test":"` + test + `","Output":"` + output + `\n"}` + "\n" +
			`{"Action":"fail","Package":"` + pkg + `","Test":"` + test + `"}` + "\n"
	}
	two := fail("a", "TestX/deep", "no") + fail("a", "TestX", "") + fail("a", "TestY", "no") + fail("a", "", "FAIL") + fail("b", "TestZ", "no") + fail("b", "", "FAIL")
	for what, c := range map[string]struct{ in, want string }{
		"three tests":      {two, "a ^(TestX|TestY)$\nb ^(TestZ)$\n"},
		"four tests":       {two + fail("c", "TestA", "no"), ""},
		"a race":           {fail("a", "TestX", "WARNING: DATA RACE"), ""},
		"a race elsewhere": {fail("a", "TestX", "no") + fail("a", "", "WARNING: DATA RACE"), ""},
		"a panic":          {fail("a", "TestX", "panic: no"), ""},
		"a dead package":   {fail("a", "TestX", "no") + fail("b", "", "exit status 2"), ""},
		"a build":          {fail("a", "TestX", "no") + `{"Action":"build-fail","ImportPath":"b"}`, ""},
	} {
		var out strings.Builder
		if failed, again, err := tell(strings.NewReader(c.in), &out); !failed || err != nil || again != c.want {
			t.Errorf("%s: failed %v, again %q, %v", what, failed, again, err)
		}
	}
}
