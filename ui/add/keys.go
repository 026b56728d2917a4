package add

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/view"
)

// What keys do in the add box.

// ChoiceKeys are what keys do on what was found on this machine, FoundKeys what
// they do on the feeds of an address.
func ChoiceKeys() []view.Binding {
	return []view.Binding{
		view.Bind("j down", "down", "", view.Moves(1)),
		view.Bind("k up", "up", "", view.Moves(-1)),
		view.Bind("enter l right", "take it", "import", view.On((*Box).takeChosen)),
		view.Bind("a i", "back into the box", "add subscribe", view.On((*Box).into)),
	}
}

func FoundKeys() []view.Binding {
	return []view.Binding{
		view.Bind("j down", "down", "", view.Moves(1)),
		view.Bind("k up", "up", "", view.Moves(-1)),
		view.Bind("enter l right", "subscribe", "add keep", view.On((*Box).subscribe)),
		view.Bind("t", "tags for it", "label category", onFound((*candidates).askTags)),
		view.Bind("T", "title for it", "name rename", onFound((*candidates).askTitle)),
		view.Bind("U", "all items unread", "", onFound((*candidates).allUnread)),
		view.Bind("w", "watch the page itself", "changes diff no feed", view.On((*Box).Watch)),
	}
}

// onFound makes a binding of what a key does to how a feed is kept.
func onFound(do func(*candidates, view.Host) tea.Cmd) func(view.Host) tea.Cmd {
	return view.On(func(b *Box, h view.Host) tea.Cmd { return do(&b.found, h) })
}

// Typed handles a key while the cursor is in the box.
func (b *Box) Typed(h view.Host, k tea.KeyPressMsg) (tea.Cmd, bool) {
	if b.Context() != view.CtxAdd {
		return nil, false
	}
	b.prog.Clear()
	return b.edit(h, k), true
}

func (b *Box) edit(h view.Host, k tea.KeyPressMsg) tea.Cmd {
	switch key := k.String(); {
	case b.stage == stageLooking || b.stage == stageKeeping:
		if key == "ctrl+c" || key == "esc" {
			b.stop(h)
		}
	case key == "enter":
		return b.Enter(h)
	case key == "esc" || key == "ctrl+c":
		return b.leave(h)
	case key == "down" && len(b.choices) > 0:
		b.reply.decline()
		b.stage = stageChoices
		b.List = view.List{N: len(b.choices)}
	case b.Key(key):
		b.reply.forget()
	case k.Text != "":
		b.Insert(k.Text)
		b.reply.forget()
	}
	return nil
}

// stop ends a look at once. What is being kept ends with its answer, which tells
// how far it came.
func (b *Box) stop(h view.Host) {
	if b.prog.Stop(b.gen) && b.stage == stageKeeping {
		h.Say("Stopping.")
		return
	}
	if len(b.found.Candidates) > 0 {
		b.stage = stageFound // the chosen one is fetched on, to be shown
	} else {
		b.stage, b.gen = stageTyping, h.Gen()
	}
	h.Say(view.SayStopped)
}

// leave takes the cursor out of the box: to the choices where there is
// nothing else, else back to what was there before. There, no to a question
// stays in the box: Enter on the choices would start something else.
func (b *Box) leave(h view.Host) tea.Cmd {
	if !b.first {
		h.Pop()
		return nil
	}
	if b.reply.decline() {
		return nil
	}
	b.stage = stageChoices
	b.List = view.List{N: len(b.choices)}
	return nil
}

// Enter looks at the address, or takes the first thing found here when the
// box is empty.
func (b *Box) Enter(h view.Host) tea.Cmd {
	if b.reply.of != b.String() { // the line was replaced as a whole
		b.reply.forget()
	}
	switch b.reply.offers {
	case offersFeed:
		return b.prog.OpenFeed(b.reply.known)
	case offersWatch:
		return b.Watch(h)
	case offersPrivateWatch:
		b.reply.private = true
		return b.Watch(h)
	case offersPrivate:
		b.reply.private = true
	}
	if strings.TrimSpace(b.String()) == "" {
		if len(b.choices) > 0 && b.choices[0].Path != demoPath {
			return b.takeChoice(0)
		}
		return nil
	}
	b.stage, b.reply.wrong, b.reply.offers, b.found.Found = stageLooking, "", offersNothing, reader.Found{}
	b.gen, b.reply.of = h.Gen(), b.String()
	address := strings.TrimSpace(b.String())
	return view.Batch(b.ask.look(b.prog.BeginLook(b.gen), b.gen, address, b.reply.private), b.prog.KeepLine("add", address))
}

// takeChoice imports a list found on this machine, or starts the demo.
func (b *Box) takeChoice(i int) tea.Cmd {
	if i >= len(b.choices) {
		return nil
	}
	if b.choices[i].Path == demoPath {
		return b.prog.Demo()
	}
	return b.Import(b.choices[i].Path)
}

// Import takes over a list while the box says so.
func (b *Box) Import(path string) tea.Cmd {
	b.stage = stageTyping
	gen, cmd := b.prog.Import(path)
	if cmd != nil {
		b.stage, b.gen = stageKeeping, gen
	}
	return cmd
}

// Imports reports whether the box waits for the import with this number, and
// Imported tells it that nothing was imported; wrong is the sentence why, "" where
// it was stopped.
func (b *Box) Imports(gen uint64) bool { return gen != 0 && b.gen == gen }

func (b *Box) Imported(wrong string) {
	if b.stage = stageTyping; wrong != "" {
		b.reply.wrong = wrong
	}
}

func (b *Box) into(view.Host) tea.Cmd {
	b.stage = stageTyping
	return nil
}

func (b *Box) takeChosen(view.Host) tea.Cmd { return b.takeChoice(b.List.Cur) }

func (f *candidates) allUnread(view.Host) tea.Cmd {
	f.opts.AllUnread = !f.opts.AllUnread
	return nil
}

func (b *Box) Paste(_ view.Host, text string) {
	if b.stage == stageLooking || b.stage == stageKeeping {
		return
	}
	if b.stage == stageFound {
		b.Set("")
	}
	b.stage = stageTyping
	b.reply.forget()
	b.Insert(text)
}

func (f *candidates) askTags(h view.Host) tea.Cmd {
	p := &view.Prompt{Label: "tags: ", Do: func(_ view.Host, text string) tea.Cmd {
		f.opts.Tags = strings.Fields(strings.NewReplacer(",", " ", "#", "").Replace(text))
		return nil
	}}
	p.Set(strings.Join(f.opts.Tags, " "))
	return h.Ask(p)
}

func (f *candidates) askTitle(h view.Host) tea.Cmd {
	p := &view.Prompt{Label: "title: ", Do: func(_ view.Host, text string) tea.Cmd {
		f.opts.Title = text
		return nil
	}}
	p.Set(f.opts.Title)
	return h.Ask(p)
}
