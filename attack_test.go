//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
)

// What the real program does with everything that a publisher may send: rows T1
// to T6, C1 to C3, N8 and P1 to P4 of docs/safety.md, from the outside.

// sequences are what terminals obey and feeds must not say. FOREIGN and 197
// stand in nothing that the program writes of its own accord.
var sequences = []string{
	"\x1b[38;5;197mFOREIGN\x1b[0m", "\x1b[2J\x1b[H", "\x1b[31;46;5mx", "\x1b]0;FOREIGN\a", "\x1b]2;FOREIGN\x1b\\", "\x1b]8;;http://evil.example/FOREIGN\x1b\\x\x1b]8;;\x1b\\",
	"\x1b]52;c;Rk9SRUlHTg==\a", "\x1b]9;FOREIGN\a", "\x1b]777;notify;FOREIGN;x\a", "\x1b]4;1;rgb:ff/00/00\a", "\x1bP+q544e\x1b\\", "\x1bPtmux;\x1b\x1b]52;c;eA==\a\x1b\\",
	"\x1b_Gf=100;AAAA\x1b\\", "\x1b^FOREIGN\x1b\\", "\x1bXFOREIGN\x1b\\", "\x1b[>0q", "\x1b[21t", "\x1b[6n", "\x1bc", "\x1b(0", "\x1b[?1049l", "\x1b[201~",
	"\u009b38;5;197m", "\u009d0;FOREIGN\u009c", "\u0090+q\u009c", "a\b\b\bb", "a\rb", "\a", "\x7f", "\x00", "\x0e\x0f",
	"exe\u202egnp.txt", "a\u2066b\u2069", "a\u200bb\u200cc", "\U000e0041\U000e0042", "a\u00adb", "a\u2028b\u2029c", "a" + strings.Repeat("\u0301", 40), "\ufeffa", "\ufffea",
}

// foreign says what of text no program should print, "" if nothing. Escape
// sequences have been taken out before where they may be.
func foreign(text []byte) string {
	if !utf8.Valid(text) {
		return "invalid UTF-8"
	}
	marks := 0
	for i, r := range string(text) {
		switch {
		case r == '\n' || r == '\t' || r == '\u200d':
			continue
		case unicode.Is(unicode.Cc, r), unicode.Is(unicode.Cf, r), r == '\u2028', r == '\u2029', r&0xfffe == 0xfffe:
			return fmt.Sprintf("%U in %q", r, text[max(0, i-40):min(len(text), i+40)])
		}
		if marks++; !unicode.Is(unicode.M, r) {
			marks = 0
		}
		if marks > 8 {
			return "more than 8 marks on one letter"
		}
	}
	return ""
}

// evilWeb serves feeds of three formats with every sequence in every field.
func evilWeb() http.Handler {
	mux := http.NewServeMux()
	serve := func(path, kind, body string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.Header().Set("Etag", "\"\u009b\u202e\"")
			io.WriteString(w, body)
		})
	}
	serve("/json.json", "application/feed+json", evilJSON())
	for depth := range 4 {
		serve(fmt.Sprintf("/rss%d.xml", depth), "application/rss+xml", evilRSS(depth))
	}
	serve("/atom.xml", "application/atom+xml", evilAtom())
	serve("/plain.xml", "application/rss+xml", evilRSS(-1))
	return mux
}

func evilJSON() string {
	type object = map[string]any
	var items []object
	for i, s := range sequences {
		items = append(items, object{"id": fmt.Sprintf("%d%s", i, s), "title": fmt.Sprintf("%d %s end", i, s), "url": "http://a.example/" + s, "external_url": s,
			"content_html": "<p title='" + s + "'>" + s + "<a href='http://a.example/" + s + "'>" + s + "</a><img alt='" + s + "' src='" + s + "'></p>", "summary": s,
			"authors": []object{{"name": s, "url": s}}, "tags": []string{s}, "date_published": time.Now().Add(-time.Duration(i) * time.Minute).Format(time.RFC3339),
			"attachments": []object{{"url": "http://a.example/f" + s, "mime_type": "audio/" + s, "title": s, "size_in_bytes": 1}}})
	}
	b, err := json.Marshal(object{"version": "https://jsonfeed.org/version/1.1", "title": "J" + strings.Join(sequences, ""), "home_page_url": "http://a.example/" + sequences[0],
		"description": strings.Join(sequences, " "), "items": items, "authors": []object{{"name": sequences[0]}}})
	if err != nil {
		panic(err)
	}
	return string(b)
}

// written is a sequence as a document may carry it: raw at depth 0, as numeric
// references that are escaped depth-1 times beyond that; harmless below 0.
func written(s string, depth int) string {
	if depth < 0 {
		return "word"
	}
	if depth == 0 {
		return strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(s)
	}
	var b strings.Builder
	for _, r := range s {
		fmt.Fprintf(&b, "&#%d;", r)
	}
	out := b.String()
	for range depth - 1 {
		out = html.EscapeString(out)
	}
	return out
}

func evilRSS(depth int) string {
	var b strings.Builder
	all := written(strings.Join(sequences, ""), depth)
	fmt.Fprintf(&b, `<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>R%d%s</title><link>http://a.example/%s</link><description>%s</description>`, depth, all, all, all)
	for i := range sequences {
		s := written(sequences[i], depth)
		fmt.Fprintf(&b, `<item><guid>%d%s</guid><title>%d %s end</title><link>http://a.example/%s</link><dc:creator>%s</dc:creator><category>%s</category><pubDate>%s</pubDate>`+
			`<description>&lt;p title="%s"&gt;%s&lt;/p&gt;&lt;pre&gt;%s&lt;/pre&gt;</description><enclosure url="http://a.example/f%d" type="%s" length="1"/></item>`,
			i, s, i, s, s, s, s, time.Now().Add(-time.Duration(i)*time.Minute).Format(time.RFC1123Z), s, s, s, i, s)
	}
	return b.String() + "</channel></rss>"
}

func evilAtom() string {
	var b strings.Builder
	fmt.Fprintf(&b, `<feed xmlns="http://www.w3.org/2005/Atom"><title type="html">A%s</title>`, written(sequences[0], 2))
	for i := range sequences {
		fmt.Fprintf(&b, `<entry><id>a%d</id><title type="html">%d %s end</title><author><name>%s</name></author><link href="http://a.example/%d" title="%s"/><updated>%s</updated>`+
			`<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p title="%s">%s</p></div></content></entry>`,
			i, i, written(sequences[i], 2), written(sequences[i], 1), i, written(sequences[i], 1), time.Now().Add(-time.Duration(i)*time.Minute).Format(time.RFC3339), written(sequences[i], 1), written(sequences[i], 1))
	}
	return b.String() + "</feed>"
}

// victim is a user whose PATH holds nothing but tripwires: any program that is
// started leaves its name and arguments.
func victim(t *testing.T) *person {
	home := t.TempDir()
	p := &person{t: t, home: home}
	for _, dir := range []string{".config/diurna", "bin"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	p.write(".config/diurna/config.toml", "[net]\nallow_private = [\"127.0.0.1/32\"]\nper_host_every = \"0s\"\nsecond_fetch = \"0s\"\nmin_poll = \"0s\"\nmin_manual = \"0s\"\n", 0o600)
	wire := "#!/bin/sh\nprintf '%s\\n' \"$0\" \"$#\" \"$@\" >> '" + home + "/tripped'\n"
	for _, name := range []string{"sh", "bash", "xdg-open", "open", "w3m", "lynx", "firefox", "curl", "wget", "notify-send", "less", "more", "vi", "nano", "editor",
		"tmux", "git", "xclip", "xsel", "wl-copy", "pbcopy", "osascript", "mpv", "sendmail", "mail", "stty", "tput", "infocmp", "newsboat", "touch", "id"} {
		p.write("bin/"+name, wire, 0o700)
	}
	bin := home + "/bin"
	p.env = []string{noRest, "HOME=" + home, "PATH=" + bin, "TZ=UTC", "TERM=xterm-256color", "BROWSER=" + bin + "/w3m", "EDITOR=" + bin + "/vi", "VISUAL=" + bin + "/vi", "PAGER=" + bin + "/less", "SHELL=" + bin + "/sh",
		"XDG_DATA_HOME=" + home + "/.local/share", "XDG_CONFIG_HOME=" + home + "/.config", "XDG_STATE_HOME=" + home + "/.local/state",
		"XDG_CACHE_HOME=" + home + "/.cache", "XDG_RUNTIME_DIR=" + home + "/.run", "NO_PROXY=127.0.0.1"}
	return p
}

func (p *person) tripped() string {
	b, _ := os.ReadFile(filepath.Join(p.home, "tripped"))
	return string(b)
}

// background is a command in the user's home, not started yet.
func (p *person) background(args ...string) *exec.Cmd {
	cmd := exec.Command("diurna", args...)
	cmd.Env, cmd.Dir = p.env, p.home
	return cmd
}

// says runs a command to its end, whatever comes of it, and gives all it printed.
func (p *person) says(args ...string) []byte {
	p.t.Helper()
	a := p.run(args...)
	out := slices.Concat(a.Out, a.Talk)
	if a.Code == 70 {
		p.t.Errorf("diurna %v: a bug: %s", args, out)
	}
	return out
}

// outlets runs the commands that print what came from outside and gives to each
// what they printed. None of them may be a slip: that would print nothing foreign.
func (p *person) outlets(url string, see func(c []string, out []byte)) {
	p.t.Helper()
	list := [][]string{{"export"}, {"export", "--atom"}, {"export", "--newsboat", "back"}, {"config"}, {"unread"}, {"backup", "b.db"}}
	several := [][]string{{"list"}, {"items"}, {"stats"}, {"stats", "--feeds"}, {"plan"}, {"log"}, {"doctor"}, {"doctor", "--silent"}, {"doctor", "--terminal"}, {"fetch", "--all"},
		{"preview", url + "/json.json"}, {"preview", url + "/rss1.xml"}, {"add", url + "/json.json"}}
	seen := map[string]bool{}
	for row := range strings.Lines(string(p.says("items"))) {
		if id, _, ok := strings.Cut(row, "\t"); ok && !seen[id[:3]] {
			seen[id[:3]] = true
			several = append(several, []string{"show", "--keep", id}, []string{"why", id}, []string{"why", id[:3]}, []string{"diff", id})
			list = append(list, []string{"show", "--raw", "--keep", id})
		}
	}
	if len(seen) == 0 {
		p.t.Error("no feed has an item to show")
	}
	for _, c := range several {
		list = append(list, c, append(c[:len(c):len(c)], "--json"))
	}
	for _, c := range append(list, []string{"__complete", "show", ""}, []string{"__complete", "rm", ""}) {
		out := p.says(append([]string{"--debug"}, c...)...)
		if bytes.Contains(out, []byte(" --help ")) || bytes.Contains(out, []byte("there is no item")) {
			p.t.Errorf("diurna %v is a slip: %s", c, out)
		}
		see(c, out)
	}
}

// TestAttackT1 looks at every byte that leaves the real program while a library of
// hostile feeds is listed, exported, logged and read: rows T1 to T5, C1 and C2. Of
// the documents themselves it makes sure that they would be seen.
func TestAttackT1(t *testing.T) {
	t.Parallel()
	for name, doc := range map[string]string{"JSON": unescapeJSON([]byte(evilJSON())), "RSS": html.UnescapeString(evilRSS(1)), "Atom": html.UnescapeString(html.UnescapeString(evilAtom()))} {
		if foreign([]byte(doc)) == "" {
			t.Fatalf("without the sanitiser %s would be harmless: this test could not fail", name)
		}
	}
	server := httptest.NewServer(evilWeb())
	defer server.Close()
	p := victim(t)
	for _, path := range []string{"json.json", "rss0.xml", "rss1.xml", "rss2.xml", "rss3.xml", "atom.xml"} {
		if out := p.says("--debug", "add", "--all-unread", server.URL+"/"+path); !bytes.Contains(out, []byte("subscribed")) {
			t.Errorf("%s: %s", path, out)
		}
	}
	if n := strings.Count(string(p.says("items")), "\n"); n < 5*len(sequences) {
		t.Errorf("%d items only", n)
	}
	if !testing.Short() { // a hundred commands
		p.outlets(server.URL, func(c []string, out []byte) {
			if msg := foreign(out); msg != "" {
				t.Errorf("diurna %v prints %s", c, msg)
			}
			if msg := foreign([]byte(unescapeJSON(out))); msg != "" && strings.Contains(strings.Join(c, " "), "--json") {
				t.Errorf("diurna %v means %s", c, msg)
			}
		})
	}
	log, err := os.ReadFile(filepath.Join(p.home, ".local/state/diurna/diurna.log"))
	if msg := foreign(log); err != nil || msg != "" {
		t.Errorf("the log: %v, %s", err, msg)
	}
	p.reads(len(sequences))
	p.answers()
	p.foreignScreen()
	if trips := p.tripped(); trips != "" {
		t.Errorf("started: %s", trips)
	}
	// The wires work: the user's own o starts the browser, with one argument.
	p.stroke("\r")
	p.stroke("o")
	p.until("the browser is started", func() bool { return p.tripped() != "" })
	if trips := p.tripped(); !regexp.MustCompile(`^\S+/w3m\n1\nhttp://a\.example/[!-~]*\n$`).MatchString(trips) {
		t.Errorf("o started %q", trips)
	}
}

// answers sends what a terminal may be made to say, row T6: none of it is a key
// that acts.
func (p *person) answers() {
	p.t.Helper()
	before := string(p.says("log")) + string(p.says("unread"))
	for _, s := range []string{"\x1b[?62;22c", "\x1b[>0;276;0c", "\x1b[24;80R", "\x1bP>|tmux 3.4 AmDs\x1b\\", "\x1b]0;A\a", "\x1b]lA\x1b\\", "\x1b]52;c;QW1Ecw==\a", "\x1b]11;rgb:0000/0000/0000\x1b\\",
		"\x1bP1$r0m\x1b\\", "\x1bP1+r544e=6D\x1b\\", "\x1b_Gi=1;OK\x1b\\", "\x1b[?2026;2$y", "\x1b[8;24;80t", "\x1b[?1u", "\x1b[I\x1b[O", "\x1b[200~AmDs:q\x1b[201~", "\x1b[<0;3;3M\x1b[<0;3;3m"} {
		p.stroke(s)
		p.stroke("\x1b")
	}
	time.Sleep(200 * time.Millisecond)
	if after := string(p.says("log")) + string(p.says("unread")); after != before {
		p.t.Errorf("answers of the terminal acted: %s, before %s", after, before)
	}
}

var jsonEscape = regexp.MustCompile(`\\u[0-9a-fA-F]{4}`)

// unescapeJSON is what a script gets to see after decoding.
func unescapeJSON(b []byte) string {
	return jsonEscape.ReplaceAllStringFunc(string(b), func(s string) string {
		var r rune
		fmt.Sscanf(s[2:], "%x", &r)
		return string(r)
	})
}

// stroke sends keys and gives what they draw a moment; some draw nothing.
func (p *person) stroke(keys string) {
	p.t.Helper()
	n := p.bytes()
	if _, err := p.tty.WriteString(keys); err != nil {
		p.t.Fatal(err)
	}
	enough := 3
	if strings.HasSuffix(keys, "\x1b") {
		enough = 15 // what follows too soon is Alt and a key to a program under load
	}
	for last, quiet := n, 0; quiet < enough; time.Sleep(20 * time.Millisecond) {
		quiet++
		if now := p.bytes(); now != last {
			last, quiet = now, 0
		}
	}
}

// reads goes through all views and n articles.
func (p *person) reads(n int) {
	p.sit()
	for _, key := range []string{"j", " ", "2", "\t", "\t", "\t", "1", "g", "?", "\x1b", "w", "\x1b", "U", "\x1b", "/FOREIGN\r", "\x1b", "g", "\r"} {
		p.stroke(key)
	}
	for range n {
		p.stroke("J")
	}
	p.stroke("i")
	p.stroke("\x1b")
	p.stroke("\x1b")
}

// own are the escape sequences that the program itself writes: moving, erasing,
// colours, modes, questions about the terminal's abilities, and links to http and
// https addresses.
var own = regexp.MustCompile(`\x1b\[[0-9;:]*[A-HJKLMPSTXZ@abdefrm]|\x1b\[\?[0-9;]*[hlu]|\x1b\[\?[0-9;]*\$p|\x1b\[[>=<][0-9;]*[umq]|\x1b\[c|\x1b\[[0-9]* q|\x1b\]8;[^;\x1b\a]*;(?:https?://[!-~]*)?(?:\a|\x1b\\)|\x1b[=>78MH]|\x1b\[\?5W|\x1b\][0-9]+;\?(?:\a|\x1b\\)|\r|\x08`)

// foreignScreen checks all that was drawn.
func (p *person) foreignScreen() {
	p.t.Helper()
	p.mu.Lock()
	drawn := bytes.Clone(p.drawn)
	p.mu.Unlock()
	if len(drawn) < 20_000 {
		p.t.Errorf("only %d bytes were drawn", len(drawn))
	}
	rest := own.ReplaceAll(drawn, nil)
	if msg := foreign(rest); msg != "" {
		p.t.Errorf("the screen shows %s", msg)
	}
	for _, s := range []string{"38;5;197", "31;46;5", "]8;;http://evil.example/FOREIGN\x1b\\x", "]52;", "]0;", "]2;", "]9;", "]777", "[?1049l\x1b[201"} {
		if bytes.Contains(drawn, []byte("\x1b"+s)) || bytes.Contains(drawn, []byte("\x1b["+s)) {
			p.t.Errorf("the screen was sent %q", s)
		}
	}
	p.t.Logf("%d bytes drawn, %d of them text", len(drawn), len(rest))
}
