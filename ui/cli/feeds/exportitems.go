package feeds

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"diurna/reader"
	"diurna/reader/history"
	"diurna/reader/plain"
	"diurna/ui/cli/session"
	"diurna/ui/cli/table"
)

// itemsForm is how items or what was done are written.
type itemsForm struct{ lines, markdown, history bool }

func (f *itemsForm) on() bool { return f.lines || f.markdown }

func (f *itemsForm) add(flags *pflag.FlagSet) {
	flags.BoolVar(&f.lines, "jsonl", false, "the items that match QUERY with state and text, as JSON Lines")
	flags.BoolVar(&f.markdown, "markdown", false, "the items that match QUERY with state and text, as Markdown")
	flags.BoolVar(&f.history, "history", false, "with --jsonl or --markdown, your history")
}

// exportItems writes items with their texts, one after the other, so that only one is in
// memory.
func (s *Commands) exportItems(ctx context.Context, lib *reader.Reader, words []string, form *itemsForm) error {
	q, err := session.Query(ctx, s.Library, "export", words)
	if err != nil {
		return err
	}
	rows, err := lib.Rows(ctx, q.WithHidden(), 0)
	if err != nil {
		return err
	}
	for i := range rows {
		a, err := lib.Article(ctx, rows[i].ID)
		if errors.Is(err, reader.ErrNotFound) {
			continue // unsubscribed meanwhile
		}
		if err != nil {
			return err
		}
		if form.markdown {
			_, err = s.Out.WriteString(markdownOf(&a))
		} else {
			err = s.PrintJSON(a)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// markdownOf is an article to be read: its title with the link, what is known of it, and
// its text in paragraphs.
func markdownOf(a *reader.Article) string {
	var b strings.Builder
	line := func(text string) string { return plain.Markdown(plain.Line(text, 0)) }
	title := line(table.TitleOf(a.Item))
	if link, ok := plain.URL(plain.Redact(a.Link)); ok {
		title = "[" + title + "](<" + strings.NewReplacer("<", "%3C", ">", "%3E").Replace(link) + ">)"
	}
	facts := []string{line(a.Feed)}
	if a.Author != "" {
		facts = append(facts, line(a.Author))
	}
	facts = append(facts, session.ItemTime(a.Item).Local().Format("2 Jan 2006 15:04"))
	for _, state := range []struct {
		on   bool
		word string
	}{{a.Unread, "unread"}, {a.Saved, "saved"}} {
		if state.on {
			facts = append(facts, state.word)
		}
	}
	for _, t := range a.Tags {
		facts = append(facts, line("#"+t))
	}
	fmt.Fprintf(&b, "## %s\n\n%s\n\n", title, strings.Join(facts, " · "))
	html, _ := a.Whole()
	for text := range strings.Lines(plain.FromHTML(html, 0)) {
		if text = strings.TrimSpace(text); text != "" {
			b.WriteString(plain.Markdown(text) + "\n\n")
		}
	}
	return b.String()
}

// exportHistory writes what was done: act by act as JSON Lines, step by step as Markdown.
func (s *Commands) exportHistory(ctx context.Context, lib *reader.Reader, form *itemsForm) error {
	if form.lines {
		return history.Visit(ctx, reader.History(lib), func(a *history.Act) error { return s.PrintJSON(a) })
	}
	steps, err := lib.Steps(ctx, 0)
	if err != nil {
		return err
	}
	fmt.Fprintln(s.Out, "# What you did")
	day := ""
	for i := range steps {
		step := &steps[len(steps)-1-i]
		at := step.At.Local()
		if d := at.Format(time.DateOnly); d != day {
			day = d
			fmt.Fprintf(s.Out, "\n## %s\n\n", day)
		}
		back := ""
		if step.Undone {
			back = " (taken back)"
		}
		if _, err := fmt.Fprintf(s.Out, "- %s %s%s\n", at.Format("15:04"), plain.Markdown(plain.Line(step.What, 0)), back); err != nil {
			return err
		}
	}
	return nil
}
