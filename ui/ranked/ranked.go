// Package ranked is what the screen says about Ranked: how far a ranking is, that it
// would have been better than River, what was learned; and keeps the order of River.
package ranked

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/lastrow"
	"diurna/ui/list"
	"diurna/ui/notes"
	"diurna/ui/stack"
	"diurna/ui/view"
)

// Library is what is asked of *interest.Ranker.
type Library interface {
	Evidence(ctx context.Context) (reader.Evidence, error)
	EvidenceTable(ctx context.Context) ([]byte, error)
	Hindsight(ctx context.Context, now time.Time, rows, opens int) (reader.Hindsight, error)
}

// OrderName is under what the order of River is kept, for stats; OfferedName that
// Ranked was offered, or how many opens there were when it was not worth it, and why.
const (
	OrderName   = "order"
	OfferedName = "ranked-offer"
)

// Ranked is about the ranking of one library.
type Ranked struct {
	Calm bool // the linear form: nothing is offered, nothing comes by itself

	ctx   context.Context
	lib   Library
	host  view.Host
	on    *stack.Stack
	notes *notes.Notes
	river *list.View

	kept  reader.Order // of River
	lack  string       // before Ranked is known to be better; showing it says that once
	doing string       // "ranking 12,000 of 50,000"
	news  chan RankingMsg
}

// New is for a library; Attach has to follow.
func New(ctx context.Context, lib Library, h view.Host, on *stack.Stack, n *notes.Notes) *Ranked {
	return &Ranked{ctx: ctx, lib: lib, host: h, on: on, notes: n, news: make(chan RankingMsg, 1)}
}

// Attach says which list is River.
func (r *Ranked) Attach(river *list.View) { r.river = river }

// RankingMsg says how many items a ranking has looked at, and of how many.
type RankingMsg struct{ Done, Of int }

// Ranking takes in how far a ranking is, beside the event loop. The newest stays.
func (r *Ranked) Ranking(done, of int) {
	for {
		select {
		case r.news <- RankingMsg{done, of}:
			return
		default:
		}
		select {
		case <-r.news: // an older one
		default:
		}
	}
}

// Next waits for the next progress of a ranking.
func (r *Ranked) Next() tea.Cmd {
	if r.Calm {
		return nil
	}
	return func() tea.Msg {
		select {
		case msg := <-r.news:
			return msg
		case <-r.ctx.Done():
			return nil
		}
	}
}

// Running says how far a ranking is that a list waits for, "" for none.
func (r *Ranked) Running() string {
	if r.doing != "" && !r.awaited() { // the last progress may arrive after the order itself
		r.doing = ""
	}
	return r.doing
}

// awaited reports whether some list waits for its order.
func (r *Ranked) awaited() bool {
	for _, v := range r.on.All() {
		if l := stack.ItemsOf(v); l != nil && l.AwaitsOrder() {
			return true
		}
	}
	return false
}

// OnMsg takes in how far a ranking is, the offer, the evidence and the order that was kept.
func (r *Ranked) OnMsg(h view.Host, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case RankingMsg:
		r.doing = "ranking " + wording.Count(msg.Done) + " of " + wording.Count(msg.Of)
		return r.Next()
	case OfferMsg:
		return r.offered(msg)
	case evidenceMsg:
		showEvidence(h, &msg)
	case notes.Msg:
		if msg.Name == OrderName && r.kept == reader.Newest { // else a key was quicker
			r.kept, _ = reader.ParseOrder(string(msg.Value))
		}
	}
	return nil
}

// KeepOrder notes whether the river is ranked, when that changed.
func (r *Ranked) KeepOrder() tea.Cmd {
	if r.kept == r.river.Order() {
		return nil
	}
	r.kept = r.river.Order()
	cmd := r.notes.Keep(OrderName, []byte(r.kept.String()))
	if r.kept == reader.Ranked && r.on.Last.Has(lastrow.Offer) {
		return tea.Batch(cmd, r.answerOffer())
	}
	return cmd
}

// OrderBy is :order.
func (r *Ranked) OrderBy(h view.Host, text string) tea.Cmd {
	l := r.on.TopItems()
	o, known := reader.ParseOrder(text)
	switch {
	case l == nil:
		h.Say("Sorting works in lists of items.")
		return nil
	case !known:
		h.Say(":order needs " + reader.Orders() + ": rare is rare feeds first, paper the printed model.")
		return nil
	}
	return l.SetOrder(h, o)
}

// OfferMsg: Ranked would have been better than River, by the reader's own log, or
// what is lacking for that to be known.
type OfferMsg struct {
	Past reader.Hindsight
	lack string
}

// offerAgain is how many more opens it takes to ask the log again.
const offerAgain = 10

// offerRows are the first rows of which the offer speaks, as nDCG@10 does, which decides.
const offerRows = 10

// Offer asks the reader's own log whether Ranked is worth being offered; once, and
// while it is not, again after some more opens.
func (r *Ranked) Offer() tea.Cmd {
	if r.Calm {
		return nil
	}
	return func() tea.Msg {
		kept, err := r.notes.Read(OfferedName)
		if err != nil || string(kept) == "yes" {
			return nil
		}
		count, lack, _ := strings.Cut(string(kept), " ")
		before, _ := strconv.Atoi(count) // none: 0
		sum, err := r.lib.Evidence(r.ctx)
		if err != nil || sum.Opened < reader.OpensNeeded || before > 0 && sum.Opened < before+offerAgain {
			return OfferMsg{lack: lack}
		}
		past, err := r.lib.Hindsight(r.ctx, time.Now(), offerRows, 0)
		if err != nil {
			return nil
		}
		if lack = past.Missing(); lack != "" {
			r.notes.KeepNow(OfferedName, []byte(strconv.Itoa(sum.Opened)+" "+lack))
		}
		return OfferMsg{past, lack}
	}
}

// offered says so, once in a library's life: until it was read or answered.
func (r *Ranked) offered(msg OfferMsg) tea.Cmd {
	switch r.lack = msg.lack; {
	case msg.Past.Low <= 0:
		return nil
	case r.river.Order() == reader.Ranked:
		return r.answerOffer()
	}
	say := "What you opened would have stood higher in Ranked than in River. 3 shows it."
	if h := &msg.Past; h.Ranked*100/h.Opens > h.Newest*100/h.Opens { // what decides is the place within them: they may hold the same
		say = fmt.Sprintf("3 is Ranked: its first %d rows would hold %d %% of what you open, River's %d %%.",
			offerRows, h.Ranked*100/h.Opens, h.Newest*100/h.Opens)
	}
	r.on.Last.Put(lastrow.Offer, say)
	return nil
}

// answerOffer notes that Ranked need not be offered any more.
func (r *Ranked) answerOffer() tea.Cmd {
	r.on.Last.Put(lastrow.Offer, "")
	return r.notes.Keep(OfferedName, []byte("yes"))
}

// AtRanked says once why Ranked is not known to be better.
func (r *Ranked) AtRanked() {
	r.host.Say(r.lack)
	r.lack = ""
}

// evidenceMsg brings what was learned.
type evidenceMsg struct {
	gen  uint64
	sum  reader.Evidence
	text string
	err  error
}

// Evidence asks for what was learned.
func (r *Ranked) Evidence(h view.Host) tea.Cmd {
	gen := h.Wonder()
	return func() tea.Msg {
		sum, err := r.lib.Evidence(r.ctx)
		if err != nil {
			return evidenceMsg{gen: gen, err: err}
		}
		text, err := r.lib.EvidenceTable(r.ctx)
		return evidenceMsg{gen, sum, string(text), err}
	}
}

func showEvidence(h view.Host, msg *evidenceMsg) {
	if !h.Answers(msg.gen) {
		return
	}
	if msg.err != nil {
		h.Say(view.Sentence(msg.err))
		return
	}
	e := &msg.sum
	since := ""
	if !e.Since.IsZero() {
		since = ", since " + e.Since.In(h.Screen().Zone).Format("2 Jan 2006")
	}
	rows := []string{fmt.Sprintf("%s opened of %s shown%s, on this machine only.", wording.Count(e.Opened), wording.Count(e.Shown), since)}
	if e.Frozen {
		rows = append(rows, "Learning is switched off. :evidence freeze --off switches it on.")
	}
	rows = append(rows, ":evidence reset, freeze, forget SINCE, export. In a shell: diurna evidence edit.", "",
		"opened  not opened  (older evidence counts less)")
	for line := range strings.Lines(msg.text) {
		parts := strings.Split(strings.TrimSpace(line), "\t")
		if len(parts) == 4 && !strings.HasPrefix(line, "#") {
			rows = append(rows, fmt.Sprintf("%8s  %10s  %s %s", parts[2], parts[3], parts[0], strings.Trim(parts[1], `"`)))
		}
	}
	h.Push(view.NewSheet("Evidence", rows))
}
