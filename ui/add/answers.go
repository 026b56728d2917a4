package add

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// What answers do in the add box.

// OnMsg takes the steps of adding onwards.
func (b *Box) OnMsg(h view.Host, msg tea.Msg) tea.Cmd {
	if b.gen == 0 {
		return nil
	}
	switch msg := msg.(type) {
	case FoundMsg:
		if msg.gen == b.gen {
			return b.gotFound(h, msg)
		}
	case filledMsg:
		if msg.gen == b.gen {
			return b.onFilled(h, msg)
		}
	case subscribedMsg:
		if msg.gen == b.gen {
			return b.onSubscribed(h, msg)
		}
	case watchedMsg:
		if msg.gen == b.gen {
			return b.onWatched(h, msg)
		}
	}
	return nil
}

// gotFound shows what an address brings.
func (b *Box) gotFound(h view.Host, msg FoundMsg) tea.Cmd {
	b.prog.EndLook(msg.gen)
	b.stage = stageTyping
	switch {
	case msg.Err != nil:
		b.reply.failed(msg.Err, b.String(), offersPrivate)
		return nil
	case msg.found.List != "":
		return b.Import(msg.found.List)
	case len(msg.found.Candidates) == 0:
		b.reply.wrong = "No feed at " + b.Link() + "."
		return nil
	}
	b.stage, b.found = stageFound, candidates{Found: msg.found, filling: make(map[int]uint64)}
	b.List = view.List{N: len(msg.found.Candidates)}
	return b.fillChosen(h)
}

// fillChosen fetches the chosen candidate if it was only named so far, and is not
// being fetched already.
func (b *Box) fillChosen(h view.Host) tea.Cmd {
	c := b.chosen()
	if c == nil || c.Fetched || c.Err != nil || c.Known != 0 || b.found.filling[b.List.Cur] == b.gen {
		return nil
	}
	b.found.filling[b.List.Cur] = b.gen
	return b.ask.fill(h, b.gen, b.List.Cur, *c)
}

func (b *Box) onFilled(h view.Host, msg filledMsg) tea.Cmd {
	if msg.at >= len(b.found.Candidates) {
		return nil
	}
	c := msg.c
	if msg.err != nil {
		c = b.found.Candidates[msg.at]
		c.Err = msg.err
	}
	b.found.Candidates[msg.at] = c
	if b.stage == stageLooking && msg.at == b.List.Cur { // Enter came before the answer
		b.stage = stageFound
		if c.Err == nil {
			return b.subscribe(h)
		}
	}
	return nil
}

// subscribe keeps the chosen candidate.
func (b *Box) subscribe(h view.Host) tea.Cmd {
	c := b.chosen()
	switch {
	case c == nil:
		return nil
	case c.Known != 0:
		return b.prog.OpenFeed(c.Known)
	case c.Err != nil:
		h.Say(view.Sentence(c.Err))
		return nil
	case !c.Fetched:
		b.stage = stageLooking // the answer goes on subscribing
		return b.fillChosen(h)
	}
	b.stage = stageKeeping
	b.gen = h.Gen()
	return b.ask.keep(b.prog.BeginLook(b.gen), b.gen, *c, b.found.opts)
}

func (b *Box) onSubscribed(h view.Host, msg subscribedMsg) tea.Cmd {
	b.prog.EndLook(msg.gen)
	if msg.err != nil && msg.got.Step == 0 {
		b.stage = stageFound
		h.Say(view.Sentence(msg.err))
		if errors.Is(msg.err, context.Canceled) {
			h.Say(view.SayStopped)
		}
		return nil
	}
	cmd := b.prog.ShowRiver()
	if msg.err != nil {
		h.Say(view.Sentence(msg.err))
		return cmd
	}
	h.Say(fmt.Sprintf("Subscribed to %s: %s, %s of them unread. u undoes. a adds another.",
		msg.got.Feed.Title, wording.Plural(msg.got.Items, "item"), wording.Count(msg.got.Unread)))
	return cmd
}

// Watch watches the page at an address itself.
func (b *Box) Watch(h view.Host) tea.Cmd {
	b.stage, b.reply.wrong, b.reply.offers = stageKeeping, "", offersNothing
	b.gen = h.Gen()
	return b.ask.watch(b.prog.BeginLook(b.gen), b.gen, b.Link(), reader.WatchOptions{Title: b.found.opts.Title, Tags: b.found.opts.Tags, AllowPrivate: b.reply.private})
}

// onWatched shows the page that is watched now.
func (b *Box) onWatched(h view.Host, msg watchedMsg) tea.Cmd {
	b.prog.EndLook(msg.gen)
	switch {
	case errors.Is(msg.err, context.Canceled):
		b.stage = stageTyping
		h.Say(view.SayStopped)
		return nil
	case msg.err != nil:
		b.stage = stageTyping
		b.reply.failed(msg.err, b.String(), offersPrivateWatch)
		return nil
	}
	return b.prog.ShowPage(msg.got)
}

// reply is what was said of the address that is typed.
type reply struct {
	wrong   string // the sentence why there is nothing
	offers  offer  // what Enter does now, said in wrong
	of      string // what was typed then
	known   reader.FeedID
	private bool // it may be a private address
}

// failed says why the address typed brought nothing, and what Enter does with it now.
// ask is how a private address is asked for once more.
func (a *reply) failed(err error, typed string, ask offer) {
	a.wrong, a.offers, a.of = view.Sentence(err), offersNothing, typed
	var k *reader.KnownError
	switch {
	case errors.As(err, &k):
		a.offers, a.known = offersFeed, k.Feed.Key
		a.wrong += " Enter goes there."
	case errors.Is(err, reader.ErrNoFeed):
		a.offers = offersWatch
		a.wrong += " Enter watches the page itself for changes."
	case errors.Is(err, reader.ErrPrivate):
		a.offers = ask
		a.wrong += " It is in your private network. Fetch it? Enter allows this host and port, for this subscription only."
	}
}

// forget drops what was said of an address that is not the one typed now.
func (a *reply) forget() { a.wrong, a.offers, a.private = "", offersNothing, false }

// decline drops a question that Enter would have answered, and reports whether
// there was one.
func (a *reply) decline() bool {
	asked := a.offers != offersNothing
	if asked {
		a.forget()
	}
	return asked
}
