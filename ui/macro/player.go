package macro

import (
	"reflect"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/ui/view"
)

// Screen is what keys are pressed on.
type Screen interface {
	// Press presses a key of the table, whatever the user's own keys mean.
	Press(key string) tea.Cmd
	// Take takes in a message as if it came from the event loop.
	Take(msg tea.Msg) tea.Cmd
}

// Lines does what a line of the command line does.
type Lines interface {
	Do(h view.Host, line string) tea.Cmd
}

// Programs runs a shell's command with what is chosen, and starts a program.
type Programs interface {
	Run(h view.Host, command string) tea.Cmd
	Start(h view.Host, argv []string) tea.Cmd
}

// playMsg goes on with steps once what the one before asked for is there.
type playMsg struct {
	gen uint64
	got []tea.Msg
}

// maxPlayed bounds the steps that one key stands for: a macro may name itself.
const maxPlayed = 1000

// Player does the steps that a key of the user's own, or a macro, stands for:
// each once the answers to the one before have come, as a user would. A command or
// program that fails ends them.
type Player struct {
	screen  Screen
	lines   Lines
	out     Programs
	naming  bool   // the next key names a macro
	playing bool   // a step is being done
	due     []Step // steps that wait for what the one before asked for
	gen     uint64
	played  int // steps that were done for the user's last key
}

// NewPlayer makes the player of a screen.
func NewPlayer(s Screen, l Lines, out Programs) *Player {
	return &Player{screen: s, lines: l, out: out}
}

// Playing reports whether a step is being done: keys are then those of the table.
func (p *Player) Playing() bool { return p.playing }

// Play does the steps.
func (p *Player) Play(h view.Host, steps []Step) tea.Cmd {
	if !p.playing {
		p.played = 0
	}
	p.due = append(steps[:len(steps):len(steps)], p.due...)
	if p.playing {
		return nil // a macro in a macro: who does its step goes on with these
	}
	return p.next(h)
}

// next does the next step.
func (p *Player) next(h view.Host) tea.Cmd {
	if len(p.due) == 0 {
		return nil
	}
	cmd := p.one(h)
	if len(p.due) == 0 {
		return cmd
	}
	p.gen = h.Gen()
	gen := p.gen
	return func() tea.Msg { return playMsg{gen, Gather(cmd)} }
}

func (p *Player) one(h view.Host) tea.Cmd {
	step := p.due[0]
	p.due = p.due[1:]
	if p.played++; p.played > maxPlayed {
		p.due = nil
		h.Say("A macro in an endless loop was stopped.")
		return nil
	}
	was := p.playing
	p.playing = true
	defer func() { p.playing = was }()
	switch step.Kind {
	case Line:
		return p.lines.Do(h, step.Text)
	case Shell:
		return p.out.Run(h, step.Text)
	case Program:
		return p.out.Start(h, step.Argv)
	}
	return p.screen.Press(step.Text)
}

// CatchUp does the steps that still wait when the user presses another key, or
// pastes: they were meant for the place where the user is now, and for no later
// one. ^c ends them.
func (p *Player) CatchUp(h view.Host, before string) tea.Cmd {
	if before == "ctrl+c" {
		p.due = nil
	}
	var cmds []tea.Cmd
	for len(p.due) > 0 {
		cmds = append(cmds, p.one(h))
	}
	return view.Batch(cmds...)
}

// OnMsg takes in what came of a step and does the next; other messages are not its.
func (p *Player) OnMsg(h view.Host, m tea.Msg) tea.Cmd {
	msg, ok := m.(playMsg)
	if !ok {
		return nil
	}
	var cmds []tea.Cmd
	for _, got := range msg.got {
		if strings.HasSuffix(reflect.TypeOf(got).PkgPath(), "bubbletea/v2") {
			cmds = append(cmds, func() tea.Msg { return got }) // for the terminal: a copy, the editor, leaving
			continue
		}
		cmds = append(cmds, p.screen.Take(got))
		if f, ok := got.(interface{ Failed() bool }); ok && f.Failed() {
			p.due = nil // what is said of it stands
		}
	}
	if msg.gen == p.gen {
		cmds = append(cmds, p.next(h))
	}
	return view.Batch(cmds...)
}

// Gather runs a command and the commands in it, and gives their messages.
func Gather(cmd tea.Cmd) []tea.Msg {
	if cmd == nil {
		return nil
	}
	switch msg := cmd().(type) {
	case nil:
		return nil
	case tea.BatchMsg:
		var got []tea.Msg
		for _, c := range msg {
			got = append(got, Gather(c)...)
		}
		return got
	default:
		return []tea.Msg{msg}
	}
}

// Ask has the next key name a macro.
func (p *Player) Ask() { p.naming = true }

// Named reports whether the key that is pressed names a macro, once.
func (p *Player) Named() bool {
	was := p.naming
	p.naming = false
	return was
}

// Naming reports whether the next key names a macro.
func (p *Player) Naming() bool { return p.naming }
