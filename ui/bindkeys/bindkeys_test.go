package bindkeys

import (
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	var table Table
	for _, c := range []struct{ line, why string }{
		{"bind-key j next-unread", ""},
		{"bind-key ^K toggle-article-read articlelist", ""},
		{"bind-key SPACE open feedlist,articlelist", ""},
		{"bind-key o open-in-browser", ""},
		{"bind <C-n> articlelist,article next-unread -- later", ""},
		{"bind-key ^S quit", "keys.toml has no name for the key ^S"},
		{"bind-key x dance", "dance has no counterpart"},
		{"bind-key x show-urls feedlist", "show-urls has no counterpart there"},
		{"bind-key x open filebrowser", "open has no counterpart there"},
		{"bind x all open ; quit", "keys.toml takes keys for keys; see docs/macros.md for more"},
		{"unbind-key j", "every key keeps its own meaning until another is given to it"},
		{"bind-key x", "bind-key is not complete"},
		{"macro k toggle-article-read; bookmark -- read and keep", ""},
		{"macro y set browser mpv ; open-in-browser ; set browser lynx", "it runs a program, so it is commented out; see docs/macros.md"},
		{"macro z goto-title x", "goto-title has no counterpart"},
	} {
		if why := table.Add(strings.Fields(c.line)); why != c.why {
			t.Errorf("%s: %q", c.line, why)
		}
	}
	const want = `# From newsboat's config. Nothing reads this file: put what you want of it into keys.toml.
# keymap = "newsboat" in config.toml brings the keys that newsboat has without a config.

[feeds]
"j" = "n"
"o" = "o"
"space" = "enter"

[list]
"ctrl+k" = "m J"
"ctrl+n" = "n"
"j" = "n"
"o" = "ctrl+o"
"space" = "enter"

[article]
"ctrl+n" = "n"
"j" = "n"
"o" = "o"

[macro]
"k" = "m J s"  # read and keep
# These run programs. See docs/macros.md; %u is the address.
# "y" = [...]  # set browser mpv ; open-in-browser ; set browser lynx
`
	if got := table.Text(); got != want || table.Taken != 6 {
		t.Errorf("%d taken:\n%s", table.Taken, got)
	}
	if (&Table{}).Text() != "" {
		t.Error("nothing is not nothing")
	}
}
