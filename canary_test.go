//go:build unix

package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

const canary = "cAnArY7731xQ"

// lockedWeb serves feeds to whoever brings the canary, in trouble of many kinds,
// and notes what it was brought.
type lockedWeb struct {
	mu     sync.Mutex
	other  string // another server
	hits   int    // requests with the password
	leaked []string
	broken bool
}

func (p *lockedWeb) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, pass, ok := r.BasicAuth(); ok && pass == canary {
		p.hits++
	} else {
		w.WriteHeader(401)
		return
	}
	switch {
	case r.URL.Path == "/away":
		http.Redirect(w, r, p.other+"/feed?from=here", http.StatusFound)
	case p.broken && r.URL.Path == "/moved":
		http.Redirect(w, r, "/elsewhere?token="+canary, http.StatusMovedPermanently)
	case p.broken && r.URL.Path == "/gone":
		w.WriteHeader(410)
	case p.broken && r.URL.Path == "/page":
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<!doctype html><html><body>Log in</body></html>")
	case p.broken && r.URL.Path == "/loop":
		http.Redirect(w, r, r.URL.String(), http.StatusFound)
	case p.broken && r.URL.Path == "/inside":
		http.Redirect(w, r, "http://u:"+canary+"@10.0.0.1/?key="+canary, http.StatusFound)
	case p.broken:
		w.WriteHeader(500)
	default:
		io.WriteString(w, (&publisher{}).rss(strings.Trim(r.URL.Path, "/"), 3))
	}
}

// TestAttackN8 plants one secret in every place where a person may have one and
// looks for it in all that the program prints, draws, logs and writes; only the
// library keeps it, for fetching, and export where it is asked to.
func TestAttackN8(t *testing.T) {
	web := &lockedWeb{}
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var head strings.Builder
		_ = r.Header.Write(&head)
		if strings.Contains(head.String()+r.URL.String(), canary) || r.Header.Get("Authorization") != "" {
			web.mu.Lock()
			defer web.mu.Unlock()
			web.leaked = append(web.leaked, head.String())
		}
		io.WriteString(w, (&publisher{}).rss("away", 3))
	}))
	defer other.Close()
	server := httptest.NewServer(web)
	defer server.Close()
	web.other = other.URL
	p := victim(t)
	p.env = append(p.env, "HTTPS_PROXY=http://u:"+canary+"@127.0.0.1:1/", "https_proxy=http://u:"+canary+"@127.0.0.1:1/")
	secret := func(path string) string {
		return strings.Replace(server.URL, "://", "://ann:"+canary+"@", 1) + path + "?id=3&token=" + canary + "&page=1"
	}
	quiet := func(args ...string) {
		t.Helper()
		if out := p.says(append([]string{"--debug"}, args...)...); strings.Contains(string(out), canary) {
			t.Errorf("diurna %s prints it: %s", strings.ReplaceAll(strings.Join(args, " "), canary, "SECRET"), strings.ReplaceAll(string(out), canary, "SECRET"))
		}
	}
	paths := []string{"/moved", "/gone", "/page", "/loop", "/inside", "/error", "/away"}
	for _, path := range paths {
		quiet("add", "--tag", "x", secret(path))
	}
	p.write("list.opml", `<opml version="2.0"><body><outline text="Listed" xmlUrl="`+strings.ReplaceAll(secret("/listed"), "&", "&amp;")+`"/><outline text="Bad" xmlUrl="exec:curl http://u:`+canary+`@h/"/></body></opml>`, 0o600)
	quiet("import", "list.opml")
	// Slips, whose sentences quote what was typed.
	for _, typed := range []string{"http://ann:" + canary + "@", "ftp://ann:" + canary + "@h.example/x", "http://ann:" + canary + "@10.0.0.1/feed", "ann:" + canary + "@h h", "http://127.0.0.1:1/?key=" + canary,
		"https://nosuch.example/?token=" + canary, secret("/gone"), "http://h.example:" + canary} {
		quiet("add", typed)
		quiet("preview", typed)
		quiet("mv", "Listed", typed)
	}
	for _, broken := range []bool{false, true} {
		web.mu.Lock()
		web.broken = broken
		web.mu.Unlock()
		quiet("fetch", "--all")
		quiet("fetch", "The gone")
		quiet("fetch", "The gone", "--json")
		for _, c := range outlets("http://ann:" + canary + "@127.0.0.1:1/?sig=" + canary + "&x") {
			quiet(c...)
		}
	}
	quiet("mv", "--blind", "Listed", secret("/new"))
	quiet("undo")
	quiet("rm", "Listed")
	p.sit()
	for _, key := range []string{"2", "j", "j", "w", "\x1b", "r", "j", "r", "j", "w", "\x1b", "U", "\x1b", "R", "1", "\r", "i", "\x1b"} {
		p.stroke(key)
	}
	if drawn := p.text(0); strings.Contains(drawn, canary) {
		at := strings.Index(drawn, canary)
		t.Errorf("the screen shows it: %q", drawn[max(0, at-200):at])
	}
	if with := string(p.says("export", "--with-secrets")); !strings.Contains(with, canary) {
		t.Error("export --with-secrets does not give it")
	}
	if web.hits < 10 || len(web.leaked) > 0 {
		t.Errorf("%d requests with the password, leaked to another host: %q", web.hits, web.leaked)
	}
	p.kept()
}

// kept walks over all files that the program wrote: the secret is in the library
// alone, and nobody else may read those.
func (p *person) kept() {
	err := filepath.Walk(p.home, func(path string, st os.FileInfo, err error) error {
		if err != nil || st.IsDir() || path == filepath.Join(p.home, "list.opml") {
			return err
		}
		library := strings.Contains(path, ".db") || strings.HasPrefix(st.Name(), "import-") // the latter is the person's own commands, for cron
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if strings.Contains(string(b), canary) && !library {
			p.t.Errorf("%s holds it", path)
		}
		if library && st.Mode().Perm()&0o077 != 0 {
			p.t.Errorf("%s may be read by others: %v", path, st.Mode())
		}
		return nil
	})
	if err != nil {
		p.t.Error(err)
	}
}
