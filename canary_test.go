//go:build unix

package main

import (
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"diurna/store/archive"
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
	case r.URL.Path == "/timetable":
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<!doctype html><title>Timetable</title><h1>Boats</h1><p>"+strings.Repeat("The boat goes every hour from the old pier to the lighthouse. ", 20+p.hits%7)+"</p>")
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

// TestAttackN8 plants one secret in every place where a user may have one and
// looks for it in all that the program prints, draws, logs and writes; only the
// bucket of secrets in the library and in its backups keeps it, for fetching, and
// export and edit give it where they are asked to.
func TestAttackN8(t *testing.T) {
	if testing.Short() {
		t.Skip("starts hundreds of commands")
	}
	t.Parallel()
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
	p.write("list.urls", secret("/more")+"\n\"filter:sed x:"+secret("/piped")+"\"\n\"exec:curl "+secret("/run")+"\"\n", 0o600)
	quiet("import", "list.urls")
	quiet("import", "--json", "list.urls")
	quiet("watch", secret("/timetable"))
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
		p.outlets("http://ann:"+canary+"@127.0.0.1:1/?sig="+canary+"&x", func(c []string, out []byte) {
			if strings.Contains(string(out), canary) {
				t.Errorf("diurna %s prints it: %s", c[0], strings.ReplaceAll(string(out), canary, "SECRET"))
			}
		})
	}
	quiet("mv", "--blind", "Listed", secret("/new"))
	quiet("undo")
	quiet("redo")
	quiet("rename", "The more", "More")
	cp, err := exec.LookPath("cp") // the victim's path has tripwires only
	if err != nil {
		t.Fatal(err)
	}
	p.env = append(p.env, "VISUAL=", "EDITOR="+cp+" "+filepath.Join(p.home, "edited"))
	p.write("edited", secret("/more")+" tag \"~More\"\n"+secret("/fresh")+"\n", 0o600)
	quiet("edit")
	quiet("undo")
	quiet("rm", "Listed")
	quiet("backup", "backup.db")
	quiet("compact")
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

// kept walks over all files that the program wrote: the secret is in one bucket of
// the library alone, and nobody else may read that.
func (p *person) kept() {
	err := filepath.Walk(p.home, func(path string, st os.FileInfo, err error) error {
		if err != nil || st.IsDir() || strings.HasPrefix(st.Name(), "list.") || st.Name() == "edited" {
			return err
		}
		library := strings.Contains(path, ".db")
		if library {
			p.apart(path)
		}
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

// apart looks through all records of a library, a cache or a backup.
func (p *person) apart(path string) {
	within := 0
	look := func(bucket string, k, v []byte) error {
		if !strings.Contains(string(k)+string(v), canary) {
			return nil
		}
		if within++; bucket != "secrets" {
			p.t.Errorf("%s: %s holds it: %q", path, bucket, strings.ReplaceAll(string(v), canary, "SECRET"))
		}
		return nil
	}
	visit := visitLibrary
	if archive.IsFile(path) {
		visit = visitArchive
	}
	if err := visit(path, look); err != nil || within == 0 && !strings.Contains(path, "cache") {
		p.t.Errorf("%s holds no secret (%v)", path, err)
	}
}

// visitLibrary shows all records of a library or a cache.
func visitLibrary(path string, look func(bucket string, k, v []byte) error) error {
	db, err := bolt.Open(path, 0o600, &bolt.Options{ReadOnly: true, Timeout: 10 * time.Second})
	if err != nil {
		return err
	}
	defer db.Close()
	return db.View(func(tx *bolt.Tx) error {
		return tx.ForEach(func(name []byte, b *bolt.Bucket) error {
			return b.ForEach(func(k, v []byte) error { return look(string(name), k, v) })
		})
	})
}

// visitArchive shows all records of a packed backup.
func visitArchive(path string, look func(bucket string, k, v []byte) error) error {
	r, err := archive.Whole(path)
	if err != nil {
		return err
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := look(rec.Bucket, rec.Key, rec.Val); err != nil {
			return err
		}
	}
}

// TestProxySecret: the password of a proxy opens the proxy and is seen nowhere
// else, while the proxy serves, refuses, answers rubbish and is gone.
func TestProxySecret(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	mood, opened := "good", 0
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		auth := strings.TrimPrefix(r.Header.Get("Proxy-Authorization"), "Basic ")
		if plain, _ := base64.StdEncoding.DecodeString(auth); string(plain) == "u:"+canary {
			opened++
		} else {
			mood = "refuse"
		}
		switch mood {
		case "good":
			io.WriteString(w, (&publisher{}).rss("proxied", 3))
		case "refuse":
			w.Header().Set("Proxy-Authenticate", `Basic realm="x"`)
			w.WriteHeader(http.StatusProxyAuthRequired)
		default:
			w.WriteHeader(http.StatusBadGateway)
		}
	}))
	defer proxy.Close()
	p := victim(t)
	address := strings.Replace(proxy.URL, "://", "://u:"+canary+"@", 1)
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"} {
		p.env = append(p.env, name+"="+address)
	}
	quiet := func(args ...string) string {
		t.Helper()
		out := string(p.says(append([]string{"--debug"}, args...)...))
		for _, secret := range []string{canary, base64.StdEncoding.EncodeToString([]byte("u:" + canary))} {
			if strings.Contains(out, secret) {
				t.Errorf("diurna %v prints it: %s", args, strings.ReplaceAll(out, secret, "SECRET"))
			}
		}
		return out
	}
	if out := quiet("add", "http://feeds.example/one"); !strings.Contains(out, "subscribed") {
		t.Errorf("through the proxy: %s", out)
	}
	for _, now := range []string{"good", "refuse", "bad"} {
		mu.Lock()
		mood = now
		mu.Unlock()
		for _, c := range [][]string{{"fetch", "--all"}, {"fetch", "http://feeds.example/one", "--json"}, {"add", "http://feeds.example/" + now}, {"add", "https://feeds.example/" + now},
			{"preview", "http://feeds.example/one"}, {"doctor"}, {"doctor", "--json"}, {"log", "--json"}, {"config"}} {
			quiet(c...)
		}
	}
	proxy.Close()
	for _, c := range [][]string{{"fetch", "--all"}, {"add", "http://feeds.example/two"}, {"preview", "https://feeds.example/two"}, {"doctor"}, {"list", "--json"}} {
		quiet(c...)
	}
	if opened < 5 {
		t.Errorf("the proxy was opened %d times", opened)
	}
	p.keptNowhere()
}

// keptNowhere: what stands in the environment is in no file at all.
func (p *person) keptNowhere() {
	err := filepath.Walk(p.home, func(path string, st os.FileInfo, err error) error {
		if err != nil || st.IsDir() {
			return err
		}
		if b, err := os.ReadFile(path); err != nil || strings.Contains(string(b), canary) {
			p.t.Errorf("%s holds it (%v)", path, err)
		}
		return nil
	})
	if err != nil {
		p.t.Error(err)
	}
}

// TestModes: under a umask that forbids nothing, all that the program writes is
// for its owner alone: library, locks, cache, log, backups, what restore and
// import leave, what export writes.
func TestModes(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, (&publisher{}).rss("m", 3)) }))
	defer server.Close()
	p := victim(t)
	exe, err := exec.LookPath("diurna")
	if err != nil {
		t.Fatal(err)
	}
	before := p.files()
	p.write("list", server.URL+"/b\n\"exec:~/bin/mine x\"\nfilter:~/bin/f:"+server.URL+"/c\n", 0o600)
	run := func(args ...string) {
		t.Helper()
		cmd := exec.Command("/bin/sh", append([]string{"-c", `umask 000; exec "$0" "$@"`, exe, "--debug"}, args...)...)
		cmd.Env, cmd.Dir = p.env, p.home
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("diurna %v: %v, %s", args, err, out)
		}
	}
	for _, c := range [][]string{{"add", server.URL + "/a"}, {"import", "list"}, {"export", "--newsboat", "out"}, {"export", "--atom", "-o", "out.atom"}, {"backup", "backup.db"}, {"plan"}, {"restore", "backup.db"}, {"doctor"}, {"compact"}, {"items"}} {
		run(c...)
	}
	after := p.files()
	for name, mode := range after {
		if _, there := before[name]; !there && mode.Perm()&0o077 != 0 && name != "list" {
			t.Errorf("%s is %v", name, mode)
		}
	}
	for _, want := range []string{"diurna.db", "backup.db", "diurna.log", "lock", "turn", "fetch.lock", "cache.db", "out/urls", "out.atom", "import-"} {
		found := false
		for name := range after {
			found = found || strings.Contains(name, want)
		}
		if !found {
			t.Errorf("nothing like %s was written: %v", want, after)
		}
	}
	// A link in the log's place, in a folder that others could write to once.
	log := filepath.Join(p.home, ".local/state/diurna/diurna.log")
	away := filepath.Join(p.home, "away")
	if err := errors.Join(os.Remove(log), os.Symlink(away, log)); err != nil {
		t.Fatal(err)
	}
	p.says("--debug", "items")
	if _, err := os.Stat(away); err == nil {
		t.Error("the log is written through a link")
	}
	// Without the modes the umask would be seen.
	cmd := exec.Command("/bin/sh", "-c", "umask 000; echo > open")
	cmd.Dir = p.home
	if err := cmd.Run(); err != nil || p.files()["open"].Perm()&0o077 == 0 {
		t.Error("the umask does nothing: this test could not fail", err)
	}
}

// files are all files and folders of the home with their modes.
func (p *person) files() map[string]os.FileMode {
	found := map[string]os.FileMode{}
	err := filepath.Walk(p.home, func(path string, st os.FileInfo, err error) error {
		if err == nil {
			found[strings.TrimPrefix(path, p.home+"/")] = st.Mode()
		}
		return err
	})
	if err != nil {
		p.t.Error(err)
	}
	return found
}
