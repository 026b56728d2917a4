package feeds

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/ui/cli/arguments"
	"diurna/ui/cli/exit"
	"diurna/ui/cli/session"
)

// atomLimit is how many entries an Atom file has without --limit: more than a
// reader that asks once a week needs, and few enough to be sent each time.
const atomLimit = 200

// atomFlags are the flags of export --atom.
type atomFlags struct {
	on    bool
	file  string
	limit int
}

func (o *atomFlags) add(f *pflag.FlagSet) {
	f.BoolVar(&o.on, "atom", false, "write the changes of PAGE or the items that match QUERY as Atom 1.0")
	f.StringVarP(&o.file, "output", "o", "", "with --atom, write `FILE` instead of stdout, if something changed")
	f.IntVar(&o.limit, "limit", atomLimit, "with --atom, write the newest `N` items, 200 without it; 0: all")
}

func (o *atomFlags) check(c *cobra.Command, json bool) error {
	switch {
	case !o.on && (c.Flags().Changed("output") || c.Flags().Changed("limit")):
		return exit.Usage("diurna export --atom pier -o pier.atom", "-o and --limit go with --atom")
	case o.on && (c.Flags().Changed("opml") || c.Flags().Changed("newsboat")):
		return exit.Usage(c.CommandPath()+" --help has an example", "--atom is of items, --opml and --newsboat are of feeds")
	case o.on && json:
		return exit.Usage("diurna items --json prints items as JSON", "--atom and --json are two formats")
	case c.Flags().Changed("output") && o.file == "":
		return exit.Usage("diurna export --atom pier -o pier.atom", "-o names no file")
	}
	return arguments.WholeFlags(c, "limit")
}

func (s *Commands) exportAtom(ctx context.Context, lib *reader.Reader, name string, o *atomFlags, secrets bool) error {
	q, err := session.Query(ctx, s.Library, "export", []string{name})
	ask := reader.AtomExport{Query: q, Limit: o.limit, Secrets: secrets}
	page, found := pageNamed(ctx, lib, name, q)
	switch {
	case found == nil:
		ask.Page = page.Key
	case !errors.Is(found, reader.ErrNotFound) && !errors.Is(found, reader.ErrNotWatched):
		return found
	case err != nil:
		return err
	}
	var report reader.AtomReport
	write := func(w io.Writer) error {
		var err error
		report, err = lib.ExportAtom(ctx, w, ask)
		return err
	}
	changed := true
	if o.file == "" || o.file == "-" {
		err = write(s.Out)
	} else {
		changed, err = replaceAtom(o.file, write)
	}
	if err != nil || !changed {
		return err // cron hears nothing of a file that stays as it is
	}
	if n := report.Secrets; n > 0 {
		s.Talk("secrets left out of the addresses of %s, so that the file can be shared; --with-secrets keeps them", wording.Plural(n, "item"))
	}
	switch {
	case report.Entries > 0:
		return nil
	case ask.Page != 0:
		s.Talk("%s has no reported change yet.", plain.Line(page.Title, 0))
		return nil
	}
	return s.NothingFits(ctx, lib, q)
}

// pageNamed finds the page that is meant. Where a part of a title could as well
// be a query with a state or a place in it, it is one.
func pageNamed(ctx context.Context, lib *reader.Reader, name string, q reader.Query) (reader.Page, error) {
	if _, item := reader.ParseItemID(name); item || name == "" {
		return reader.Page{}, reader.ErrNotFound
	}
	p, err := lib.Pages().Find(ctx, name)
	if err == nil && !q.OnlyWords() && !session.IsNamed(&p, name) {
		err = reader.ErrNotFound
	}
	return p, err
}

// replaceAtom puts what write writes in the place of an Atom file, at once and
// whole, and leaves a file alone that says the same. Its mode and the file that a
// link leads to stay.
func replaceAtom(path string, write func(io.Writer) error) (changed bool, err error) {
	real := path
	if to, err := filepath.EvalSymlinks(path); err == nil {
		real = to
	}
	old, mode, err := openAtom(path, real)
	if err != nil {
		return false, err
	}
	if old != nil {
		defer old.Close()
	}
	f, err := os.CreateTemp(filepath.Dir(real), ".diurna-atom-*")
	if err != nil {
		return false, unwritten(path, err)
	}
	defer os.Remove(f.Name()) // after the rename there is none
	defer f.Close()
	w := bufio.NewWriter(f)
	if err := write(w); err != nil {
		if at := (*fs.PathError)(nil); errors.As(err, &at) && at.Path == f.Name() {
			err = unwritten(path, at)
		}
		return false, err
	}
	if err := w.Flush(); err != nil {
		return false, unwritten(path, err)
	}
	if old != nil {
		if same, err := sameBytes(old, f); err != nil || same {
			return false, unwritten(path, err)
		}
	}
	err = errors.Join(f.Chmod(mode), f.Sync())
	if err == nil {
		err = os.Rename(f.Name(), real)
	}
	return err == nil, unwritten(path, err)
}

// openAtom opens what is to be replaced; nil: there is nothing yet. A file of
// another kind is left alone: its name may be a slip.
func openAtom(path, real string) (*os.File, fs.FileMode, error) {
	st, err := os.Stat(real)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0o600, nil
	}
	if err != nil {
		return nil, 0, unwritten(path, err)
	}
	if !st.Mode().IsRegular() {
		return nil, 0, exit.With(exit.Error, fmt.Errorf("%s is not a file that can be replaced", path), "without -o the feed is printed")
	}
	f, err := os.OpenFile(real, os.O_RDWR, 0) // also tells whether it may be written
	if err != nil {
		return nil, 0, unwritten(path, err)
	}
	head := make([]byte, 256)
	n, err := io.ReadFull(f, head)
	if n > 0 && !bytes.Contains(head[:n], []byte("<feed")) {
		f.Close()
		return nil, 0, exit.With(exit.Error, fmt.Errorf("%s exists and is not an Atom feed; it was left alone", path), "name another file")
	}
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		f.Close()
		return nil, 0, unwritten(path, err)
	}
	return f, st.Mode().Perm(), nil
}

// sameBytes reads two files from their beginnings.
func sameBytes(a, b *os.File) (bool, error) {
	for _, f := range []*os.File{a, b} {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return false, err
		}
	}
	x, y := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		n, errA := io.ReadFull(a, x)
		m, errB := io.ReadFull(b, y)
		if !bytes.Equal(x[:n], y[:m]) {
			return false, nil
		}
		for _, err := range []error{errA, errB} {
			if err == io.EOF || err == io.ErrUnexpectedEOF {
				return true, nil
			}
			if err != nil {
				return false, err
			}
		}
	}
}

// unwritten says which file could not be written, and not that it was by way of
// a draft; nil stays nil.
func unwritten(path string, err error) error {
	var at *fs.PathError
	var link *os.LinkError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &at):
		err = at.Err
	case errors.As(err, &link):
		err = link.Err
	}
	return fmt.Errorf("write %s: %w", path, err)
}
