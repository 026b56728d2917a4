package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"diurna/reader"
	"diurna/store"
	"diurna/ui"
	"diurna/ui/cli/fetch"
	"diurna/ui/term"
)

// pierWeb serves one page, which the test changes.
type pierWeb struct{ body string }

func (w *pierWeb) RoundTrip(req *http.Request) (*http.Response, error) {
	status, body := 200, w.body
	if req.URL.Path != "/timetable" {
		status, body = 404, "not here"
	}
	return &http.Response{StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: req, ContentLength: -1,
		Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}, Body: io.NopCloser(strings.NewReader(body))}, nil
}

// timetable is the page: long enough not to be taken for a notice.
func timetable(price, notice, served string) string {
	var b strings.Builder
	b.WriteString("<!doctype html><title>Pier timetable</title><h1>Timetable</h1><h2>Weekdays</h2><ul>")
	for i := range 30 {
		fmt.Fprintf(&b, "<li>%02d:40 Old Pier to Lighthouse, boat %d, by way of the island</li>", 6+i%14, i+1)
	}
	return b.String() + "</ul><p>A ticket costs " + price + ".</p><h2>Notices</h2><p>" + notice + "</p><p>The harbour has seen " + served + " guests and counts on.</p>"
}

// serve NAME FILE [CONTENT-TYPE] makes /NAME.xml the bytes of a file from now on.
func serve(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: serve NAME FILE [CONTENT-TYPE]")
	}
	m := feedMode{mode: "text/html; charset=utf-8", body: []byte(ts.ReadFile(args[1]))}
	if len(args) == 3 {
		m.mode = args[2]
	}
	p := ts.Value(scriptKey{}).(*publisher)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.feeds[args[0]] = m
}

// rotate NAME FILES… makes /NAME.xml the bytes of one file for each request; the
// last one stays.
func rotate(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: rotate NAME FILE FILE…")
	}
	m := feedMode{mode: "text/html; charset=utf-8", body: []byte(ts.ReadFile(args[1]))}
	for _, name := range args[2:] {
		m.later = append(m.later, []byte(ts.ReadFile(name)))
	}
	p := ts.Value(scriptKey{}).(*publisher)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.feeds[args[0]] = m
}

// stopat CODE TEXT COMMAND ARGS… interrupts a command once it has said TEXT on
// stderr; it must end in that code.
func stopAt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: stopat CODE TEXT COMMAND ARGS…")
	}
	cmd := command(ts, args[2], args[3:]...)
	talk, err := cmd.StderrPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	late := time.AfterFunc(2*time.Minute, func() { cmd.Process.Kill() })
	defer late.Stop()
	said := false
	for lines := bufio.NewScanner(talk); lines.Scan(); {
		ts.Logf("%s", lines.Text())
		if strings.Contains(lines.Text(), args[1]) && !said {
			said = true
			ts.Check(cmd.Process.Signal(os.Interrupt))
		}
	}
	_ = cmd.Wait() // the code says it
	if got := strconv.Itoa(cmd.ProcessState.ExitCode()); got != args[0] || !said {
		ts.Fatalf("the exit code is %s, want %s; said %q: %t", got, args[0], args[1], said)
	}
}

// newPier is a page and an empty library.
func newPier(t *testing.T) (*pierWeb, *reader.Reader) {
	web := &pierWeb{timetable("8 €", "Summer timetable until autumn.", "many")}
	s, err := store.Open(store.Options{Dir: t.TempDir(), CacheDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	r := reader.New(s, reader.Options{Version: "test", Role: "test", Transport: web, Net: reader.Net{MinHostInterval: -1, SecondFetch: -1}})
	t.Cleanup(func() {
		r.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return web, r
}

// TestTheScreenOfAWatchedPage goes from an address without a feed to what
// changed on it: the screen over a real library, a day passing in between.
func TestTheScreenOfAWatchedPage(t *testing.T) {
	t.Parallel()
	web, r := newPier(t)
	speak := func(lines ...string) string {
		var out strings.Builder
		err := ui.Run(t.Context(), ui.LibraryOf(r, r, r), ui.Options{In: strings.NewReader(strings.Join(lines, "\n") + "\n"), Out: &out, Linear: true, Idle: true, Environ: []string{"TERM=dumb"}})
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(strings.Fields(out.String()), " ") // sentences are broken into lines
	}
	said := func(text string, want ...string) {
		t.Helper()
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%q was not said:\n%s", w, text)
			}
		}
	}
	said(speak("https://pier.example/timetable", "", "5", "enter", "Q"), "Enter watches the page", "Watching Pier timetable: ", "No change so far.", "has not changed since you started watching it")

	later := time.Now()
	fetch := func(body string) {
		t.Helper()
		web.body = body
		later = later.Add(25 * time.Hour)
		rep, err := r.At(later).Fetch(context.Background(), reader.FetchRequest{All: true}, nil)
		if err != nil || rep.Failed > 0 {
			t.Fatalf("%v %+v", err, rep.Results)
		}
	}
	fetch(timetable("9 €", "Summer timetable until autumn.", "very many"))
	fetch(timetable("9.50 €", "Winter timetable from November. The early boat does not run.", "countless"))

	// From River: the row opens its diff; a block is ignored and taken in again.
	said(speak("1", "enter", "j", "[", "]", "Q"), "Unread, changed. Pier timetable", "Was: A ticket costs 9 €", "Is: A ticket costs 9.50 €", "Was: A ticket costs 8 €")
	ignored := speak("q", "5", "enter", "/guests", "i", "G", "u", "G", "Q")
	said(ignored, "3 of 3", "Ignored on this page from now on", "ignored here: \"The harbour has seen countless guests and counts on.\"",
		"Undone: ")
	if _, after, _ := strings.Cut(ignored, "Undone"); strings.Contains(after, "ignored here:") || !strings.Contains(after, "Is: The harbour has seen countless") {
		t.Errorf("the diff did not follow the step that was taken back:\n%s", ignored)
	}
	said(speak("q", "5", "i", "q", "D", "u", "Q"), "reported above", "No longer watched: Pier timetable, 3 revisions.", "Undone: ")
	pages, err := r.Pages().List(t.Context())
	if err != nil || len(pages) != 1 || len(pages[0].IgnoreBlocks) != 0 || pages[0].Revisions != 3 {
		t.Errorf("%v %+v", err, pages)
	}

	for _, size := range [][2]int{{80, 24}, {200, 60}, {40, 12}} {
		names := ""
		for _, f := range ui.Frames(t.Context(), ui.LibraryOf(r, r, r), size[0], size[1], ui.Options{Environ: []string{}}) {
			names += f.Name + " "
			if f.Name == "Diff" && !strings.Contains(f.Text, "[-9 €-]") && size[1] > 12 {
				t.Errorf("the diff at %d columns:\n%s", size[0], f.Text)
			}
		}
		if !strings.Contains(names, " Pages ") || !strings.Contains(names, " Diff ") {
			t.Errorf("frames: %s", names)
		}
	}
}

// TestTheCommandRunsWhoeverFetches: r on the screen fetches through the same
// Fetcher as the plan, and the command runs once for what that brings.
func TestTheCommandRunsWhoeverFetches(t *testing.T) {
	t.Parallel()
	web, r := newPier(t)
	w, err := r.Pages().Watch(t.Context(), "https://pier.example/timetable", reader.WatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	rang := t.TempDir()
	web.body = timetable("8 €", "Winter timetable from November. The early boat does not run.", "many")
	f := &fetch.Fetcher{Reader: r.At(time.Now().Add(48 * time.Hour)), Notice: term.Notice{Command: []string{"mkdir", filepath.Join(rang, "{item}")}}}
	ctx, stop := context.WithCancel(t.Context())
	rep, err := f.Fetch(ctx, reader.FetchRequest{Feeds: []reader.FeedID{w.Page.Key}}, nil)
	stop() // the screen is done with the fetch; the command runs all the same
	if err != nil || rep.New != 1 {
		t.Fatalf("%+v, %v", rep, err)
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		list, err := os.ReadDir(rang)
		if err != nil {
			t.Fatal(err)
		}
		if len(list) == 1 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d commands ran", len(list))
		}
	}
}
