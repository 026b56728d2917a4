package theme

import (
	"regexp"
	"strings"
	"sync"

	"github.com/charmbracelet/x/ansi"
)

// sgr is a change of style as lipgloss writes it: bold stands first.
var sgr = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\x1b\[[0-9;]*m`) })

// Row makes a drawn row that is chosen a bar over its whole width: on the
// theme's background for it, else in reverse video, where bold alone is kept
// because a colour would become a patch of background. Without colour the
// pointer in front of the row says it.
func (t *Theme) Row(line string, chosen bool) string {
	if !chosen || t.plain || t.Mono {
		return line
	}
	if bg := t.tones.Bar.Color; bg != nil {
		on := ansi.Style{}.BackgroundColor(bg).String()
		if text := t.tones.Text.Color; text != nil {
			// A terminal may not take the theme's text for its own, as through mosh.
			on += ansi.Style{}.ForegroundColor(text).String()
		}
		return on + strings.ReplaceAll(line, ansi.ResetStyle, ansi.ResetStyle+on) + ansi.ResetStyle
	}
	line = sgr().ReplaceAllStringFunc(line, func(s string) string {
		if strings.HasPrefix(s, "\x1b[1;") || s == "\x1b[1m" {
			return "\x1b[1m"
		}
		return "\x1b[22m"
	})
	return "\x1b[7m" + line + ansi.ResetStyle
}
