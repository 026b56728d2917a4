package ui

import "diurna/ui/theme"

// look is the appearance: from the config, the environment and the terminal's answers.
type look struct {
	opts   *Options
	ground string // "light", "dark": what the terminal's background is; "": not known
	few    bool   // the terminal shows 16 colours or fewer
}

func (l *look) theme() theme.Theme {
	c := &l.opts.Config
	name := c.Theme
	plain := l.opts.env("NO_COLOR") != ""
	if name == theme.Auto {
		name = l.ground
	}
	if plain {
		name = "mono"
	}
	t := theme.New(name, c.ASCII)
	if c.Own != nil && name != "mono" {
		t = theme.Of(*c.Own, false, c.ASCII)
	}
	if l.few && t.TrueColor() {
		t = theme.New("16", c.ASCII)
	}
	t.Links = c.Links != "off" && theme.KnowsLinks(l.opts.env)
	return t
}

// restyle applies what the terminal reported of its colours.
func (l *look) restyle(t *theme.Theme) {
	measure := t.Measure
	*t = l.theme()
	t.Measure = measure
}
