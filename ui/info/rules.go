package info

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// Rules is what the view asks of *rules.Keeper.
type Rules interface {
	OfFeed(ctx context.Context, f *reader.Feed, now time.Time) ([]reader.Rule, error)
	CheckMute(id reader.FeedID, text string, now time.Time) error
	MuteIn(ctx context.Context, id reader.FeedID, text string, now time.Time) (reader.Rule, reader.Done, error)
	Remove(ctx context.Context, no int, now time.Time) (reader.Rule, reader.Done, error)
}

// rulesMsg brings the rules of the feed.
type rulesMsg struct {
	gen  uint64
	list []reader.Rule
	err  error
}

// askRules asks for the rules that are about the feed.
func (in *View) askRules(h view.Host) tea.Cmd {
	f := h.Screen().Feeds[in.feed]
	if in.rules == nil || f == nil {
		return nil
	}
	of := *f
	in.rulesGen = h.Gen()
	gen := in.rulesGen
	return func() tea.Msg {
		list, err := in.rules.OfFeed(h.Life(), &of, time.Now())
		return rulesMsg{gen, list, err}
	}
}

func (in *View) onRules(h view.Host, msg *rulesMsg) {
	switch {
	case msg.gen != in.rulesGen || in.rulesGen == 0:
	case msg.err != nil:
		h.Say(view.Sentence(msg.err))
	default:
		in.ruled = msg.list
		label := in.entries[in.List.Cur].label
		in.build(h.Screen())
		in.choose(label)
	}
}

// ruleRows are the rules of the feed, each removed with Enter, and the row that makes
// one.
func (in *View) ruleRows(s *view.Scene) {
	if in.rules == nil {
		return
	}
	for i := range in.ruled {
		r := &in.ruled[i]
		value := r.Effects() + ": " + r.Query
		if !r.Until.IsZero() {
			value += ", until " + view.Stamp(r.Until, s.Now)
		}
		in.entries = append(in.entries, infoRow{label: "rule " + wording.Count(r.No), value: value, rule: r.No, toggle: true, does: "Enter removes it"})
	}
	in.entries = append(in.entries, infoRow{label: "mute in it", value: "Enter adds a word", mute: true})
}

// removeRule ends a rule.
func (in *View) removeRule(h view.Host, r *infoRow) tea.Cmd {
	no := r.rule
	return h.Change(view.Change{Say: "Removed " + r.label + ". u undoes.", Do: func(ctx context.Context) (reader.Done, error) {
		_, done, err := in.rules.Remove(ctx, no, time.Now())
		return done, err
	}})
}

// askMute opens the box for what is muted in this feed alone.
func (in *View) askMute(h view.Host) tea.Cmd {
	return h.Ask(&view.Prompt{Label: "mute in it: ",
		Says: func(view.Host, string) string { return "a word or \"a phrase\"; matching unread items too" },
		Check: func(h view.Host, text string) error {
			if text == "" {
				return errors.New("type a word, a phrase or a query; Esc leaves")
			}
			return in.rules.CheckMute(in.feed, text, h.Screen().Now)
		},
		Do: func(h view.Host, text string) tea.Cmd {
			say := "Muted " + text + " in " + h.Screen().FeedTitle(in.feed) + ". u undoes."
			return h.Change(view.Change{Say: say, Do: func(ctx context.Context) (reader.Done, error) {
				_, done, err := in.rules.MuteIn(ctx, in.feed, text, time.Now())
				return done, err
			}})
		}})
}
