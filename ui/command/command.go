// Package command is the command line of the screen: what follows a colon. It has
// the screen's own words and every command of the shell that makes sense there,
// with the same flags; Tab completes them.
//
// Call New with the shell's commands and the screen's own, then Ask; what comes of
// a line comes back as a message for OnMsg.
package command

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader/plain"
	"diurna/reader/query"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// Shell runs the shell's commands on the library that is open.
type Shell interface {
	// Run runs the command that words name for a screen of width by high cells. out
	// is what it printed, said what it said beside that, code its exit code.
	Run(ctx context.Context, words []string, width, high int) (out, said string, code int)
	// Knows reports whether there is a command of this name, be it only in a shell.
	Knows(word string) bool
	// Asks reports whether a command takes a query after its first words.
	Asks(word string) (words int, ok bool)
	// Complete gives what the last of words may go on with: "value", or "value TAB
	// description".
	Complete(ctx context.Context, words []string) []string
}

// Screen is the screen as the command line sees it, beside what a view.Host has.
type Screen struct {
	Questions
	Layers
	Changes
	Env func(name string) string // reads the environment
}

// Questions gives the context of what runs until ^c, or something else that is begun;
// EndLook ends it, false if that happened before.
type Questions interface {
	BeginLook(gen uint64) context.Context
	EndLook(gen uint64) bool
}

// Layers puts a view over the one that asked for it; false if that was left.
type Layers interface {
	LayOver(from, l view.View) bool
}

// Changes of the library.
type Changes interface {
	// Finish carries out the acts that are on their way and gives their message.
	Finish() tea.Msg
	// Refresh asks again for everything that a command may have changed.
	Refresh() tea.Cmd
}

// Own is what a word of the screen's own does: alone, or with the text after it. Where
// it has no use for what follows, the shell's command of that name gets it.
type Own struct {
	Alone func(view.Host) tea.Cmd
	With  func(view.Host, string) tea.Cmd
	Short string   // what it does, for completion
	Like  string   // the command that completes its text; "": the one of its name
	Words []string // what its text may be, where that is a few words
}

// Line is the command line.
type Line struct {
	screen  Screen
	shell   Shell // nil: there are the screen's own words alone
	own     map[string]Own
	prompt  *view.Prompt
	tab     choices
	known   []string
	running uint64 // the command that runs; 0: none
}

// New makes the command line of a screen.
func New(s Screen, shell Shell, own map[string]Own) *Line {
	return &Line{screen: s, shell: shell, own: own}
}

// Ask opens the box.
func (l *Line) Ask(h view.Host) tea.Cmd {
	l.tab = choices{}
	l.prompt = &view.Prompt{Name: "command", Label: ":", Do: l.Do, Says: l.says, Complete: l.complete, Check: l.check}
	return h.Ask(l.prompt)
}

// Own reports whether a word is the screen's own.
func (l *Line) Own(word string) bool {
	_, ok := l.own[word]
	return ok
}

// Takes reports whether a word is the screen's own and takes a text after it.
func (l *Line) Takes(word string) bool { return l.own[word].With != nil }

// says tells what Enter does.
func (l *Line) says(h view.Host, text string) string {
	word, _, _ := strings.Cut(text, " ")
	switch own, ok := l.own[word]; {
	case text == "":
		return "add ADDRESS, import FILE, mark read QUERY, fetch, log, q; Tab completes"
	case ok && own.Short != "":
		return own.Short
	case ok:
		return "Enter runs " + word
	}
	for _, c := range l.commands(h.Life()) {
		if name, about, _ := strings.Cut(c, "\t"); name == word {
			return about
		}
	}
	return ""
}

// commands are the shell's, as completion gives them.
func (l *Line) commands(ctx context.Context) []string {
	if l.known == nil && l.shell != nil { // they stay the same, and are asked for with every key
		l.known = l.shell.Complete(ctx, []string{""})
	}
	return l.known
}

// names are all words that a line may begin with.
func (l *Line) names(ctx context.Context) []string {
	names := slices.Collect(maps.Keys(l.own))
	for _, c := range l.commands(ctx) {
		name, _, _ := strings.Cut(c, "\t")
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Do does what a line says.
func (l *Line) Do(h view.Host, text string) tea.Cmd {
	word, rest, _ := strings.Cut(text, " ")
	if command, ok := strings.CutPrefix(text, "!"); ok && text != "q!" {
		word, rest = "!", command
	}
	rest = strings.TrimSpace(rest)
	own, ok := l.own[word]
	switch {
	case word == "":
		return nil
	case ok && own.With != nil && (word == "!" || !hasFlag(rest)) && (rest != "" || own.Alone == nil):
		return own.With(h, rest)
	case ok && own.Alone != nil && rest == "":
		return own.Alone(h)
	}
	switch {
	case l.shell != nil && l.shell.Knows(word):
		words, err := l.split(text)
		if err != nil {
			h.Say(view.Sentence(err))
			return nil
		}
		return l.run(h, text, words)
	case ok:
		h.Say(fmt.Sprintf(":%s takes no arguments; nothing was done.", word))
	default:
		h.Say(notKnown(word, l.names(h.Life())))
	}
	return nil
}

// notKnown is the sentence about a word that no line begins with.
func notKnown(word string, names []string) string {
	say := fmt.Sprintf("There is no command %q.", plain.Line(word, 40))
	if near := wording.Nearest(word, names); near != "" {
		return say + " Nearest: " + near + "."
	}
	return say + " Tab lists them."
}

// hasFlag reports whether a text has a flag: the screen's own commands have none.
func hasFlag(text string) bool {
	return slices.ContainsFunc(strings.Fields(text), func(w string) bool { return len(w) > 1 && w[0] == '-' })
}

// ranMsg brings what a command came to.
type ranMsg struct {
	gen       uint64
	line      string
	from      view.View
	out, said string
	code      int
}

// Failed reports whether a macro ends with it.
func (m ranMsg) Failed() bool { return m.code != 0 }

// run runs a command of the shell beside the event loop, after what was marked
// before it.
func (l *Line) run(h view.Host, text string, words []string) tea.Cmd {
	if l.running != 0 {
		h.Say("A command is already running; Esc stops it.")
		return nil
	}
	msg := ranMsg{gen: h.Gen(), line: text, from: h.Top()}
	ctx, s := l.screen.BeginLook(msg.gen), h.Screen()
	width, high := max(20, s.W-2), s.H
	l.running = msg.gen
	h.Say("Running :" + plain.Line(text, 0) + "  Esc stops")
	return func() tea.Msg {
		before := l.screen.Finish()
		return tea.BatchMsg{
			func() tea.Msg { return before },
			func() tea.Msg {
				msg.out, msg.said, msg.code = l.shell.Run(ctx, words, width, high)
				return msg
			},
		}
	}
}

// Stop stops the command that runs; false if none does.
func (l *Line) Stop(h view.Host) bool {
	stopped := l.running != 0 && l.screen.EndLook(l.running)
	l.running = 0
	if stopped {
		h.Say(view.SayStopped)
	}
	return stopped
}

// OnMsg takes in what a command or a completion brought.
func (l *Line) OnMsg(h view.Host, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case ranMsg:
		return l.ran(h, &msg)
	case completedMsg:
		l.completed(h, &msg)
	}
	return nil
}

// ran shows what a command printed. What it changed is asked for even where it was
// stopped.
func (l *Line) ran(h view.Host, msg *ranMsg) tea.Cmd {
	if l.running == msg.gen {
		l.running = 0
	}
	if l.screen.EndLook(msg.gen) {
		l.show(h, msg)
	}
	return l.screen.Refresh()
}

// show puts a line in the last row, and more than that on a sheet.
func (l *Line) show(h view.Host, msg *ranMsg) {
	rows := Rows(msg.out, false)
	said := spoken(msg.said)
	if w := h.Screen().W; len(rows) == 1 && said == "" && len(rows[0]) < w {
		said, rows = strings.TrimSpace(rows[0]), nil
	}
	switch {
	case said != "":
		h.Say(said)
	case len(rows) == 0 && msg.code == 0:
		h.Say("Done: " + plain.Line(msg.line, 60))
	case len(rows) > 0:
		h.Say("")
	}
	if len(rows) > 0 {
		Lay(h, l.screen, msg.from, ":"+plain.Line(msg.line, 0), rows, said)
	}
}

// maxSheet is how many lines of what a command prints a sheet shows.
const maxSheet = 20_000

// Rows are the lines of what a command printed; cut says that there was more.
func Rows(out string, cut bool) []string {
	if strings.TrimSpace(out) == "" {
		return nil
	}
	rows := strings.SplitN(strings.TrimRight(out, "\n"), "\n", maxSheet+1)
	if len(rows) > maxSheet || cut {
		rows = append(rows[:min(len(rows), maxSheet)], "", "(and more, which is not shown)")
	}
	return rows
}

// Lay shows rows on a sheet over the view that asked for them. Who has gone on finds
// it on the way back; where there is no way back, said and that are shown.
func Lay(h view.Host, s Screen, from view.View, name string, rows []string, said string) {
	if box := h.Top() == from && !h.IsTop(from); box || !s.LayOver(from, view.NewSheet(name, rows)) {
		h.Say(strings.TrimSpace(fmt.Sprintf("%s Its output is not shown: %s.", said, wording.Plural(len(rows), "line"))))
	}
}

// split makes words of a line. A query is no matter of a shell's: its quotes stay.
func (l *Line) split(text string) ([]string, error) {
	word, _, _ := strings.Cut(text, " ")
	if _, asks := l.shell.Asks(word); asks && !strings.Contains(text, " --") {
		quoted := false
		return strings.FieldsFunc(text, func(r rune) bool {
			quoted = quoted != (r == '"')
			return r == ' ' && !quoted
		}), nil
	}
	return Split(text, l.screen.Env("HOME"))
}

// check reads the query of a line before it runs: what is wrong is shown at its
// place.
func (l *Line) check(h view.Host, text string) error {
	word, rest, _ := strings.Cut(text, " ")
	if l.shell == nil || strings.Contains(text, " --") {
		return nil
	}
	skip, asks := l.shell.Asks(word)
	if !asks {
		return nil
	}
	for range skip {
		_, rest, _ = strings.Cut(strings.TrimLeft(rest, " "), " ")
	}
	_, err := query.Parse(rest, h.Screen().Now, h.Screen().Queries...)
	var wrong *query.Error
	if errors.As(err, &wrong) {
		return &query.Error{Query: text, At: len(text) - len(rest) + wrong.At, Why: wrong.Why}
	}
	return nil
}

// spoken makes one sentence of the lines that a command said. Lines that begin with
// blanks point at a place in the line above, which only stands there in a shell; what
// stands at the place is said.
func spoken(said string) string {
	var parts []string
	for line := range strings.Lines(said) {
		why, place := strings.CutPrefix(strings.TrimLeft(line, " "), "^ ")
		if line[0] != ' ' || place {
			line = why
			parts = append(parts, strings.TrimPrefix(strings.TrimSpace(line), "hint: "))
		}
	}
	return strings.Join(parts, " · ")
}
