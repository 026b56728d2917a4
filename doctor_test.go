package main

import (
	"io"
	"os"
	"strings"
	"testing"

	"diurna/reader"
	"diurna/store"
)

// Whatever single value of the state is changed behind the program's back,
// doctor names it and exits 5.
func TestDoctorNamesWhatWasFalsified(t *testing.T) {
	doc := `<rss version="2.0"><channel><title>Harbour</title><item><guid>1</guid><title>Ferry</title><description>It rests.</description></item></channel></rss>`
	for what, named := range map[string]string{
		"read": "read", "saved": "saved", "tag": "tag", "title": "title", "counter": "unread", "total": "total", "feed title": "title",
	} {
		t.Run(what, func(t *testing.T) {
			dir := t.TempDir()
			s, err := store.Open(store.Options{Dir: dir})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			r := reader.New(s, reader.Options{})
			defer r.Close()
			if _, err := r.Take(t.Context(), "Harbour", []byte(doc)); err != nil {
				t.Fatal(err)
			}
			rows, err := r.Rows(t.Context(), reader.Query{}, 0)
			if err != nil || len(rows) != 1 {
				t.Fatal(rows, err)
			}
			if out, code := printed(t, "--data-dir", dir, "doctor"); code != 0 {
				t.Fatalf("a whole library: exit %d\n%s", code, out)
			}
			if err := s.CorruptForTest(t.Context(), what, rows[0].ID); err != nil {
				t.Fatal(err)
			}
			out, code := printed(t, "--data-dir", dir, "doctor")
			if code != 5 || !strings.Contains(out, named) {
				t.Errorf("exit %d, want 5 and %q named:\n%s", code, named, out)
			}
		})
	}
}

// printed runs the program in this process and returns what it printed.
func printed(t *testing.T, args ...string) (string, int) {
	t.Helper()
	pr, pw, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout := os.Stdout
	os.Stdout = pw
	defer func() { os.Stdout = stdout }()
	got := make(chan string)
	go func() {
		b, _ := io.ReadAll(pr)
		got <- string(b)
	}()
	code := run(args)
	pw.Close()
	return <-got, code
}
