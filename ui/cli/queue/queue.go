// Package queue holds the command that downloads the files of items, such as the
// episodes of podcasts. The queue is the items with the tag "queue".
package queue

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"diurna/reader"
	"diurna/reader/downloads"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/ui/argv"
	"diurna/ui/cli/arguments"
	"diurna/ui/cli/exit"
	"diurna/ui/cli/session"
	"diurna/ui/cli/table"
)

// Commands are those about the files of items.
type Commands struct{ *session.Session }

// New gives the commands of one run of the program.
func New(s *session.Session) *Commands { return &Commands{Session: s} }

const exits = "0 done · 1 not done · 2 wrong usage · 3 some files failed · 4 busy · 5 damaged or newer"

// All are the commands.
func (s *Commands) All() []arguments.Command {
	return []arguments.Command{{Name: "queue", Build: s.queueCommand}}
}

func (s *Commands) queueCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "queue",
		Short: "list the files to be downloaded; download them",
		Long: `The queue is all items with the tag "queue" that have files (enclosures): queue add
puts the tag on items, e on the screen does, and a rule can do it as items come.
Files go into the folder "downloads" of config.toml, or Downloads/diurna; one that
was stopped goes on where it stopped. An item stays in the queue until it is taken
off; the list shows which files are here and which were heard (read).
Columns in a pipe:
` + table.Names(columns),
		Example: `  diurna queue add feed:harbour newer:1w
  diurna queue run
  diurna rules add feed:harbour --tag queue    # new episodes from now on
  diurna mark -queue tag:queue read            # take off what was heard; files stay`,
		Annotations: arguments.Exits(exits),
		Args:        arguments.AtMost(0),
		RunE:        s.With("queue", s.list),
	}
	c.AddCommand(
		s.marking("add QUERY|ID…", "add items to the queue", reader.Tag, "queued %s"),
		s.marking("rm QUERY|ID…", "remove items from the queue; their files stay", reader.Untag, "removed %s from the queue"),
		&cobra.Command{
			Use:         "run",
			Short:       "download missing files, one after the other",
			Example:     "  diurna queue run\n  0 3 * * *  diurna queue run    # by night",
			Annotations: arguments.Exits(exits),
			Args:        arguments.AtMost(0),
			RunE:        s.With("queue", s.run),
		},
		&cobra.Command{
			Use:               "play ITEM",
			Short:             "play the file of an item: what was downloaded, else from its address",
			Long:              "With player of config.toml, else mpv. Playing marks nothing: m on the screen, or\ndiurna mark read, says that it was heard.",
			Example:           "  diurna queue play 'harbour radio 12'",
			Annotations:       arguments.Exits(exits),
			ValidArgsFunction: s.CompleteQuery,
			RunE:              s.With("queue", s.play),
		})
	return c
}

// entry is a file and what is there of it.
type entry struct {
	downloads.File
	downloads.State
	downloads.Failure
}

// word is the state of a file in a word: "here", "34 %", "failed", "waiting".
func (e *entry) word() string {
	switch {
	case e.Done:
		return "here"
	case e.Have > 0 && e.Total > 0:
		return fmt.Sprintf("%d %%", min(99, 100*e.Have/e.Total))
	case e.Have > 0:
		return wording.Size(e.Have)
	case e.Why != "":
		return "failed"
	}
	return "waiting"
}

// MarshalJSON gives a file to scripts.
func (e entry) MarshalJSON() ([]byte, error) {
	var path, why *string
	since := wording.Moment{}
	if !e.Done && e.Why != "" {
		why, since.Time = &e.Why, e.Since
	}
	if e.Done {
		path = &e.Path
	}
	return json.Marshal(struct {
		ID    string         `json:"id"`
		State string         `json:"state"`
		Have  int64          `json:"have"`
		Total int64          `json:"total"`
		Heard bool           `json:"heard"`
		Feed  string         `json:"feed"`
		Title string         `json:"title"`
		URL   string         `json:"url"`
		Path  *string        `json:"path"`
		Error *string        `json:"error"` // of the last download
		Since wording.Moment `json:"error_since"`
	}{e.Item.Key.String(), e.word(), e.Have, e.Total, !e.Item.Unread, plain.Line(e.Item.Feed, 0), plain.Line(table.TitleOf(e.Item), 0), plain.Line(e.Enclosure.URL, 0), path, why, since})
}

func heard(e entry) string {
	if e.Item.Unread {
		return ""
	}
	return "heard"
}

func size(e entry) string {
	if e.Total == 0 {
		return ""
	}
	return wording.Size(e.Total)
}

var columns = []table.Column[entry]{
	{Name: "id", Field: func(e entry) string { return e.Item.Key.String() }, Head: "ID", Cell: func(e entry, _ time.Time) string { return e.Item.Key.String() }},
	{Name: "state", Field: func(e entry) string { return e.word() }, Head: "STATE", Cell: func(e entry, _ time.Time) string { return e.word() }},
	{Name: "heard", Field: heard, Head: "", Cell: func(e entry, _ time.Time) string { return heard(e) }},
	{Name: "size", Field: func(e entry) string { return fmt.Sprint(e.Total) }, Head: "SIZE", Right: true, Spare: 1, Cell: func(e entry, _ time.Time) string { return size(e) }},
	{Name: "feed", Field: func(e entry) string { return e.Item.Feed }, Head: "FEED", Most: 16, Spare: 2, Cell: func(e entry, _ time.Time) string { return e.Item.Feed }},
	{Name: "title", Field: func(e entry) string { return e.Item.Title }, Head: "TITLE", Cell: func(e entry, _ time.Time) string { return table.TitleOf(e.Item) }},
	{Name: "url", Field: func(e entry) string { return e.Enclosure.URL }},
	{Name: "path", Field: func(e entry) string { return e.Path }},
	{Name: "error", Field: func(e entry) string { return failed(e, wording.Stamp(e.Since)) }, Head: "ERROR", Most: 60,
		Cell: func(e entry, now time.Time) string { return failed(e, wording.When(e.Since, now)) }},
}

// failed is why the last download of a file failed, and since when.
func failed(e entry, since string) string {
	if e.Done || e.Why == "" {
		return ""
	}
	return e.Why + ", since " + since
}

// entries are the files of the queue, the oldest item first.
func (s *Commands) entries(ctx context.Context, lib *reader.Reader) ([]entry, string, error) {
	files, err := s.Env.Files(s.Where)
	if err != nil {
		return nil, "", err
	}
	q, err := session.Query(ctx, s.Library, "queue", []string{"tag:" + downloads.Tag})
	if err != nil {
		return nil, "", err
	}
	rows, err := lib.Rows(ctx, q, 0)
	if err != nil {
		return nil, "", err
	}
	ids := make([]reader.ItemID, len(rows))
	for i := range rows {
		ids[len(rows)-1-i] = rows[i].ID
	}
	items, err := lib.Items(ctx, ids)
	if err != nil {
		return nil, "", err
	}
	var list []entry
	folder := downloads.Folder{Path: files.Folder}.Known()
	for i := range items {
		if slices.Contains(items[i].Tags, downloads.Tag) { // a feed's tag is none of its items
			list = append(list, entriesOf(ctx, lib, &items[i], folder)...)
		}
	}
	return list, files.Folder, nil
}

func entriesOf(ctx context.Context, lib *reader.Reader, item *reader.Item, folder downloads.Folder) []entry {
	var list []entry
	for _, f := range downloads.Files(item, item.Enclosures) {
		list = append(list, entry{f, folder.State(&f), reader.Files(lib).Failure(ctx, &f)})
	}
	return list
}

func (s *Commands) list(c *cobra.Command, lib *reader.Reader, _ []string) error {
	list, _, err := s.entries(c.Context(), lib)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		s.Talk("the queue is empty. diurna queue add ITEM adds an item.")
		return nil
	}
	return session.Print(s.Session, columns, list)
}

// marking is the command that puts the tag on items or takes it off.
func (s *Commands) marking(use, short string, act reader.Act, saying string) *cobra.Command {
	return &cobra.Command{
		Use:               use,
		Short:             short,
		Example:           "  diurna queue add b7q-41\n  diurna queue rm tag:queue read",
		Annotations:       arguments.Exits(exits),
		ValidArgsFunction: s.CompleteQuery,
		RunE: s.With("queue", func(c *cobra.Command, lib *reader.Reader, args []string) error {
			ctx := c.Context()
			ids, q, err := s.named(ctx, lib, args)
			if err != nil {
				return err
			}
			if act == reader.Tag {
				items, err := lib.Items(ctx, ids)
				if err != nil {
					return err
				}
				items = slices.DeleteFunc(items, func(it reader.Item) bool { return len(it.Enclosures) == 0 })
				if len(items) == 0 {
					return exit.With(exit.Error, fmt.Errorf("none of them has a file"), "diurna save ADDRESS keeps a page")
				}
				ids = ids[:0]
				for i := range items {
					ids = append(ids, items[i].Key)
				}
			}
			done, err := lib.Mark(ctx, act, q.String(), ids, downloads.Tag)
			if err != nil {
				return err
			}
			if s.JSON {
				return s.PrintJSON(struct {
					Step    uint64 `json:"step"`
					Changed int    `json:"changed"`
				}{done.Step, done.Changed})
			}
			if done.Changed == 0 {
				s.Talk("nothing changed: it was already like that.")
				return nil
			}
			s.Talk(saying+". diurna undo reverts it.", wording.Plural(done.Changed, "item"))
			return nil
		}),
	}
}

// named are the items that words mean; none is an error.
func (s *Commands) named(ctx context.Context, lib *reader.Reader, args []string) ([]reader.ItemID, reader.Query, error) {
	if strings.TrimSpace(strings.Join(args, "")) == "" { // "" in a script is a mistake, not everything
		return nil, reader.Query{}, exit.Usage("diurna queue add b7q-41", "diurna queue needs items: ids or a query")
	}
	q, err := session.Query(ctx, s.Library, "queue", args)
	if err != nil {
		return nil, q, err
	}
	rows, err := lib.Rows(ctx, q, 0)
	if err != nil {
		return nil, q, err
	}
	if len(rows) == 0 {
		return nil, q, cmp.Or(s.NothingFits(ctx, lib, q), exit.Reported(exit.Error))
	}
	ids := make([]reader.ItemID, len(rows))
	for i := range rows {
		ids[i] = rows[i].ID
	}
	return ids, q, nil
}

// run downloads what is not there.
func (s *Commands) run(c *cobra.Command, lib *reader.Reader, _ []string) error {
	list, folder, err := s.entries(c.Context(), lib)
	if err != nil {
		return err
	}
	all := len(list)
	list = slices.DeleteFunc(list, func(e entry) bool { return e.Done })
	failed := 0
	for i := range list {
		e := &list[i]
		title := table.TitleOf(e.Item)
		line := s.Progress(title + ", KB:")
		e.State, err = reader.Files(lib).Download(c.Context(), folder, e.File, func(have, total int64) { line.Show(int(have>>10), int(total>>10)) })
		line.End()
		if err := c.Context().Err(); err != nil {
			return err // what came is kept
		}
		if err != nil {
			failed++
			s.Talk("%s: %s. %s", title, err, kept(e))
			continue
		}
		s.Talk("%s: %s in %s", title, wording.Size(e.Have), s.Short(e.Path))
		if s.JSON {
			if err := s.PrintJSON(*e); err != nil {
				return err
			}
		}
	}
	switch {
	case all == 0:
		s.Talk("the queue is empty. diurna queue add ITEM adds an item.")
	case failed == 0 && len(list) == 0:
		s.Talk("all files of the queue are here.")
	case failed == len(list) && failed > 0:
		return exit.Reported(exit.Error)
	case failed > 0:
		return exit.Reported(exit.Partly)
	}
	return nil
}

func kept(e *entry) string {
	if e.Have == 0 {
		return "The next queue run tries it again."
	}
	return wording.Size(e.Have) + " are kept; the next queue run resumes them."
}

// play plays the first file of an item that a player takes.
func (s *Commands) play(c *cobra.Command, lib *reader.Reader, args []string) error {
	if s.Env.Inside {
		return exit.Usage("e lists the files of an item; Enter there plays one", "queue play needs the terminal")
	}
	files, err := s.Env.Files(s.Where)
	if err != nil {
		return err
	}
	ids, _, err := s.named(c.Context(), lib, args)
	if err != nil {
		return err
	}
	items, err := lib.Items(c.Context(), ids)
	if err != nil {
		return err
	}
	if len(items) > 1 {
		return exit.Usage("diurna queue play "+items[0].Key.String(), "%s match; one is played at a time", wording.Plural(len(items), "item"))
	}
	list := entriesOf(c.Context(), lib, &items[0], downloads.Folder{Path: files.Folder})
	i := slices.IndexFunc(list, func(e entry) bool { return downloads.Plays(e.Enclosure.URL, e.Enclosure.Type) })
	if i < 0 {
		return exit.With(exit.Error, fmt.Errorf("%s has no sound and no film", items[0].Key), "")
	}
	if len(files.Player) == 0 {
		return exit.With(exit.Error, fmt.Errorf("no player was found"), `player = ["mpv", "%u"] in config.toml names one`)
	}
	file := list[i].Path
	if !list[i].Done {
		if file, err = lib.Reveal(c.Context(), list[i].Enclosure.URL); err != nil {
			return err
		}
	}
	words, err := argv.Playing(files.Player, file)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(c.Context(), words[0], words[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = s.Env.In, s.Env.Out, s.Env.Err
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", words[0], err)
	}
	return nil
}
