//go:build unix

package main

import (
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// ownFiles are all files that the commands below write: none is called what a
// publisher or a list says.
var ownFiles = regexp.MustCompile(`^(list|out(/(urls|read))?|b\.db|\.(local|cache)(/(share|state))?(/diurna(/(diurna\.db(\.backup-[-0-9]+)?|cache\.(db|lock|turn)|diurna\.log|lock|turn|fetch\.lock|import-[-0-9]+\.txt))?)?)$`)

// TestAttackF1: what is called by a name that leads out of a folder, hides or is
// a device names no file, wherever it may stand.
func TestAttackF1(t *testing.T) {
	t.Parallel()
	names := hostileNames()
	var items, list strings.Builder
	for i, name := range names {
		s := html.EscapeString(strings.ToValidUTF8(name, "?"))
		fmt.Fprintf(&items, `<item><title>%[1]s</title><guid>%[1]s</guid><author>%[1]s</author><category>%[1]s</category><link>http://127.0.0.1/%[1]s</link><enclosure url="http://127.0.0.1/%[1]s" type="%[1]s"/><description>%[1]s</description></item>`, s)
		fmt.Fprintf(&list, `<outline text="%[1]s"><outline text="%[1]s" category="%[1]s" xmlUrl="http://127.0.0.1:1/%[2]d/%[1]s"/><outline text="%[1]s" xmlUrl="exec:%[1]s"/></outline>`, s, i)
		if !misplaced(name) {
			t.Errorf("%q may be the name of a file: it proves nothing", name)
		}
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="../../../evil"`)
		io.WriteString(w, "<rss><channel><title>../evil</title>"+items.String()+"</channel></rss>")
	}))
	defer server.Close()
	p := victim(t)
	p.write("list", "<opml><head><title>../evil</title></head><body>"+list.String()+"</body></opml>", 0o600)
	before := p.files()
	for _, c := range [][]string{{"add", server.URL + "/..%2f..%2fevil"}, {"import", "--no-fetch", "list"}, {"items"}, {"export", "--newsboat", "out"}, {"export"}, {"export", "--atom"}, {"backup", "b.db"}, {"doctor"}} {
		p.says(append([]string{"--debug"}, c...)...)
	}
	if shown := p.says("items"); strings.Count(string(shown), "\n") < len(names)/2 {
		t.Fatalf("the items are not there: %s", shown)
	}
	for name := range p.files() {
		if _, there := before[name]; !there && !ownFiles.MatchString(name) {
			t.Errorf("%s was written", name)
		}
	}
}

// hostileNames are titles that must not be names of files as they are.
func hostileNames() []string {
	names := []string{"", ".", "..", "../x", "..\\x", "a/../../b", "/etc/passwd", "~/x", "~root", "C:\\x", "C:x", "\\\\host\\share", "//host/share", "file:///x", "a/b", "a\\b", "a\x00b", "a\nb", "a\rb", "a\tb", "\x1b[2J", "a\u009bb", "a\u202eb", "a\u200bb",
		".bashrc", ".ssh/x", "-rf", "--help", "-", " x", "x ", "x.", "a:b", "a*b", "a?b", "a|b", "a<b", "a>b", "a\"b", "a;b", "a&b", "a$b", "a`b", "$(id)", "%2e%2e%2f", "\xff\xfe", "a\u2028b", "\u2025/x", "．．／x", strings.Repeat("a", 300), strings.Repeat("../", 100)}
	return append(names, "CON", "prn", "AUX", "nul", "COM1", "com9", "LPT1", "lpt9", "CONIN$", "con.txt", "NUL.tar.gz", "aux.h")
}

// misplaced reports whether a name would lead out of its folder, hide there, be
// taken for an option or a device, or not be a name everywhere.
func misplaced(name string) bool {
	base, _, _ := strings.Cut(strings.ToLower(name), ".")
	device := regexp.MustCompile(`^(con|prn|aux|nul|com[0-9]|lpt[0-9]|conin\$|conout\$)$`).MatchString(base)
	return device || name == "" || len(name) > 200 || !utf8.ValidString(name) || strings.ContainsAny(name, "/\\:*?|<>\";&$`%~\u2025．／") || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsGraphic(r) || r == ' ' }) ||
		strings.HasPrefix(name, ".") || strings.HasPrefix(name, "-") || strings.HasSuffix(name, ".")
}
