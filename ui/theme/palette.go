package theme

import (
	"embed"
	"errors"
	"fmt"
	"image/color"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"

	"diurna/reader/wording"
	"diurna/ui/toml"
)

// Palette is a theme as data: the colours of a file in themes, or of one that
// a user wrote. A colour that is left out is the terminal's own.
type Palette struct {
	Text       Color `toml:"text"`
	Background Color `toml:"background"` // of the whole screen
	Bar        Color `toml:"bar"`        // the background of the chosen row; left out: reverse video
	Pointer    Color `toml:"pointer"`
	Head       Color `toml:"head"`  // headings and their rules
	Dim        Color `toml:"dim"`   // bars, captions, the numbers of links; left out: faint
	Read       Color `toml:"read"`  // titles of what was read; left out: faint
	Quiet      Color `toml:"quiet"` // feed names and times in lists; left out: faint
	Alarm      Color `toml:"alarm"` // what failed, text taken out
	Code       Color `toml:"code"`  // code, text put in
}

var fields = []string{"text", "background", "bar", "pointer", "head", "dim", "read", "quiet", "alarm", "code"}

// Color is a colour in a file: "#rrggbb", or a number of the terminal's 256 of
// which 0 to 15 are its palette. nil inside is the terminal's own.
type Color struct{ color.Color }

// isRGB reports whether text is "#rrggbb".
func isRGB(text string) bool {
	digits, ok := strings.CutPrefix(text, "#")
	return ok && len(digits) == 6 && strings.Trim(digits, "0123456789abcdefABCDEF") == ""
}

// UnmarshalText reads a colour; the error says what a colour looks like.
func (c *Color) UnmarshalText(b []byte) error {
	text := string(b)
	if n, err := strconv.ParseUint(text, 10, 8); !isRGB(text) && (err != nil || text != strconv.FormatUint(n, 10)) {
		return fmt.Errorf("%q is not a colour such as \"#88c0d0\" or \"0\" to \"255\"", text)
	}
	c.Color = lipgloss.Color(text)
	return nil
}

//go:embed themes/*.toml
var files embed.FS

// Names lists the themes that come with the program. Auto is the light or the
// dark one by the terminal's background.
var Names = []string{"16", Auto, "light", "dark", "mono", "catppuccin", "gruvbox", "gruvbox-light", "nord", "solarized"}

// Auto chooses by what the terminal says its background is. Until it says so,
// and where it never does, its own colours are used.
const Auto = "auto"

// Named gives a theme that comes with the program: the terminal's own colours
// for "", Auto and names that are not known.
func Named(name string) Palette {
	text, err := files.ReadFile("themes/" + name + ".toml")
	if err != nil {
		text, _ = files.ReadFile("themes/16.toml") // it is embedded, as a test shows
	}
	p, _ := Parse(name, text)
	return p
}

// Parse reads the text of a theme's file, which place names in errors. They
// give the line; an unknown field comes with the nearest known one.
func Parse(place string, text []byte) (Palette, error) {
	var p Palette
	doc, err := toml.Parse(text)
	if err == nil {
		err = doc.Decode(&p)
	}
	wrong := (*toml.Error)(nil)
	if !errors.As(err, &wrong) {
		return p, err
	}
	if wrong.What != "" {
		return Palette{}, fmt.Errorf("%s line %d: %w", place, wrong.Line, err)
	}
	near := ""
	if n := wording.Nearest(wrong.Key, fields); n != "" {
		near = "; nearest: " + n
	}
	return Palette{}, fmt.Errorf("%s line %d: %q is not a field of a theme%s", place, wrong.Line, wrong.Key, near)
}
