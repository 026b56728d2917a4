package info

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// settings are what Enter changes.
func (in *View) settings(f *reader.Feed, page []infoRow) {
	every, interval := "by the plan", ""
	if f.Settings.Interval > 0 {
		interval = short(f.Settings.Interval)
		every = "every " + interval
	}
	given := f.Given
	if given == "" {
		given = f.Title + " (its own)"
	}
	in.entries = append(in.entries,
		infoRow{label: "title", value: given, field: "title", raw: f.Given},
		infoRow{label: "folder", value: orNone(f.Folder), field: "folder", raw: f.Folder},
		infoRow{label: "tags", value: orNone(strings.Join(f.Tags, " ")), field: "tags", raw: strings.Join(f.Tags, " ")},
		infoRow{label: "fetched", value: every, field: "interval", raw: interval},
	)
	in.entries = append(in.entries, page...)
	in.entries = append(in.entries,
		infoRow{label: "hidden", value: yesNo(f.Hidden), field: "hidden", raw: strconv.FormatBool(!f.Hidden), toggle: true},
		infoRow{label: "read by titles", value: yesNo(f.Settings.ByTitles), field: "by_titles", raw: strconv.FormatBool(!f.Settings.ByTitles), toggle: true})
	if !f.Watched {
		in.entries = append(in.entries, infoRow{label: "whole texts", value: in.wholeTexts(f), field: "full", raw: strconv.FormatBool(!f.Settings.Full), toggle: true})
		if !f.Piped() {
			in.entries = append(in.entries, infoRow{label: "texts kept", value: cmp.Or(f.Settings.Text("retention"), "as config.toml says"), field: "retention", raw: f.Settings.Text("retention")})
		}
	}
	in.entries = append(in.entries,
		infoRow{label: "in Ranked", value: learningOf(f), field: "learning", raw: f.Settings.Learning.String()},
		infoRow{label: "private network", value: privateOf(f), field: "allow_private", raw: strconv.FormatBool(!f.AllowPrivate), toggle: true})
	if f.Piped() {
		in.facts(fact{"address", f.Address()})
		return
	}
	in.entries = append(in.entries, infoRow{label: "address", value: f.Address(), field: "url", raw: f.URL})
}

// wholeTexts says whether the pages of a feed's items are fetched, and offers it where
// its own texts are short.
func (in *View) wholeTexts(f *reader.Feed) string {
	switch {
	case f.Settings.Full:
		return "yes, of new items from their pages"
	case in.rhythm != nil && in.rhythm.Teasers():
		return "no; its texts have " + wording.Plural(in.rhythm.Words, "word") + ", Enter fetches whole ones"
	}
	return "no"
}

// learningOf says how a feed stands to Ranked.
func learningOf(f *reader.Feed) string {
	if how := f.Settings.Learning; how != reader.LearnedFrom {
		return how.String()
	}
	return "learned from"
}

// privateOf says where a feed may be fetched though the address is private.
func privateOf(f *reader.Feed) string {
	if !f.AllowPrivate {
		return "no"
	}
	return "yes, at " + f.HostPort() + " only"
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// change edits the chosen setting in the last row, or turns it over.
func (in *View) change(h view.Host) tea.Cmd {
	if in.List.Cur >= len(in.entries) {
		return nil
	}
	r := in.entries[in.List.Cur]
	switch {
	case r.rule != 0:
		return in.removeRule(h, &r)
	case r.place != nil:
		return in.takeBack(h, r.place)
	case r.mute:
		return in.askMute(h)
	case r.field == "":
		return nil
	}
	if r.toggle {
		return in.set(h, r.label, r.field, r.raw)
	}
	if r.field == "url" && plain.Redact(r.raw) != r.raw { // edited whole
		gen := h.Wonder()
		return func() tea.Msg {
			whole, err := revealed(h.Life(), in.lib, r.raw)
			return wholeMsg{gen, r, whole, err}
		}
	}
	return in.edit(h, &r, r.raw)
}

// revealed is an address with its secrets, "" where they are lost: then it is typed
// again.
func revealed(ctx context.Context, lib Library, address string) (string, error) {
	whole, err := lib.Reveal(ctx, address)
	if errors.Is(err, reader.ErrSecretLost) {
		return "", nil
	}
	return whole, err
}

// edit opens the box for a setting.
func (in *View) edit(h view.Host, r *infoRow, was string) tea.Cmd {
	p := &view.Prompt{Label: r.label + ": ", Do: func(h view.Host, text string) tea.Cmd {
		if text == was {
			return nil
		}
		return in.set(h, r.label, r.field, text)
	}, Check: func(_ view.Host, text string) error {
		if text == was { // what was never understood may stay
			return nil
		}
		return reader.CheckSetting(r.field, text)
	}, Says: func(view.Host, string) string {
		switch r.field {
		case "interval":
			return "2h or 30m, at least 15m; empty: by the plan"
		case "title":
			return "empty: its own title"
		case "folder":
			return "such as news/local; empty: none"
		case "tags":
			return "with spaces between them; empty: none"
		case "retention":
			return "6mo or 1y, at least 30d; off; empty: as config.toml"
		case "learning":
			return "pinned, left out, or empty: learned from"
		}
		return cmp.Or(pageSays(r.field), "Enter keeps it")
	}}
	p.Set(was)
	return h.Ask(p)
}

// set changes one setting of the feed.
func (in *View) set(h view.Host, label, field, value string) tea.Cmd {
	title, ctx := h.Screen().FeedTitle(in.feed), h.Life()
	c := view.Change{
		Say: label + " of " + title + " changed. u undoes.",
		Do:  func(ctx context.Context) (reader.Done, error) { return in.lib.Adjust(ctx, in.feed, field, value) },
	}
	if field == "full" && value == "true" {
		c.Then = func() tea.Cmd {
			return func() tea.Msg {
				n, of, err := in.texts.Newest(ctx, in.feed)
				say := fmt.Sprintf("Whole texts of the newest items of %s: %d of %d. u undoes.", title, n, of)
				if err != nil {
					say = view.Sentence(err)
				}
				return view.MoreMsg{To: c.Say, Say: say}
			}
		}
	}
	return h.Change(c)
}

// short is a time as it is typed: "2h", "1h30m".
func short(d time.Duration) string {
	s := d.String()
	for _, none := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(s, none) {
			s = s[:len(s)-2]
		}
	}
	return s
}
