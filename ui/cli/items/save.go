package items

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/ui/cli/arguments"
	"diurna/ui/cli/exit"
	"diurna/ui/cli/table"
)

func (s *Commands) saveCommand() *cobra.Command {
	var private bool
	cmd := &cobra.Command{
		Use:   "save ADDRESS…",
		Short: "save web pages to read later",
		Long: `The page is fetched with one request and kept as an item of the feed "Saved pages",
marked saved, with its whole text. If no text can be read from it, the reason is
printed and title and address are kept; saving it again tries again. It does not
count as unread. undo takes it out of all lists, as taking it off the saved does
unless it has a tag; saving its address again brings it back without a request.`,
		Example:     "  diurna save https://harbour.example/the-night-ferry\n  diurna export --atom feed:saved -o saved.atom",
		Annotations: arguments.Exits("0 done · 1 not done · 2 not an address · 3 only some were saved, or without the text · 4 busy · 5 damaged or newer"),
		Args:        arguments.AtLeastOne("an address"),
		RunE: s.With("save", func(c *cobra.Command, lib *reader.Reader, args []string) error {
			return s.Each(c.Context(), args, func(ctx context.Context, address string) error { return s.save(ctx, lib, address, private) })
		}),
	}
	cmd.Flags().BoolVar(&private, "allow-private", false, "allow its private address")
	return cmd
}

// save saves the page at one address.
func (s *Commands) save(ctx context.Context, lib *reader.Reader, address string, private bool) error {
	id, done, err := lib.FullTexts().Save(ctx, address, private)
	if err != nil {
		return err
	}
	a, err := lib.Article(ctx, id)
	if err != nil {
		return err
	}
	if s.JSON {
		if err := s.PrintJSON(a); err != nil {
			return err
		}
	}
	title := plain.Line(table.TitleOf(a.Item), 0)
	var words string
	if a.Full != nil && a.Full.HTML != "" {
		words = ": " + wording.Plural(a.Full.Words, "word")
	}
	if done.Step == 0 {
		s.Talk("%s (%s) is already saved%s.", title, id, words)
	} else {
		s.Talk("saved %s (%s)%s. diurna undo reverts it.", title, id, words)
	}
	if words == "" && a.Full != nil {
		hint := "on the screen o opens it in the browser; diurna show " + id.String() + " prints its address"
		switch {
		case a.Full.Passes:
			hint = "diurna save " + plain.Argument(address) + " tries again; diurna show " + id.String() + " prints its address"
		case a.Full.Why == "private":
			hint = "to allow it: diurna save --allow-private " + plain.Argument(address)
		}
		return exit.With(exit.Partly, fmt.Errorf("only its title and address were saved: %s", a.Full.Sentence), hint)
	}
	return nil
}
