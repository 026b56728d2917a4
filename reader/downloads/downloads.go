// Package downloads keeps the files of items (enclosures: the audio of a podcast)
// in a folder: under names that are safe on every system, resumed where a download
// stopped. What is there is known by looking. Start with [Folder.State] and [Downloader].
package downloads

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"diurna/reader/fetch"
	"diurna/reader/model"
	"diurna/reader/plain"
	"diurna/reader/web"
	"diurna/store/lock"
)

// Tag marks the items whose files are to be downloaded: the queue.
const Tag = "queue"

// MaxBytes bounds one file.
const MaxBytes = 16 << 30

// Web asks for addresses, as web.Client does.
type Web interface {
	Ask(ctx context.Context, h *web.Answer, req *fetch.Request) error
}

// Library is what a Downloader asks of the library.
type Library interface {
	Feeds(ctx context.Context) ([]model.Feed, error)
}

// Downloader gets the files of a library's items.
type Downloader struct {
	lib   Library
	web   Web
	cache Cache
}

// New makes a Downloader.
func New(lib Library, w Web, cache Cache) *Downloader { return &Downloader{lib, w, cache} }

// Download gets a file into a folder, or the rest of it; see Folder.Get. Its feed's
// permission to be at a private address holds for files at the same host and port.
func (d *Downloader) Download(ctx context.Context, folder string, file File, progress func(have, total int64)) (State, error) {
	feeds, err := d.lib.Feeds(ctx)
	if err != nil {
		return State{}, fmt.Errorf("read the feed of %s: %w", file.Item.Key, err)
	}
	for i := range feeds {
		if f := &feeds[i]; f.Key == file.Item.FeedKey {
			file.AllowPrivate = f.AllowPrivate && fetch.SameDoor(f.URL, file.Enclosure.URL)
		}
	}
	s, err := Folder{Path: folder}.Get(ctx, d.web, &file, progress)
	if ctx.Err() == nil && !errors.Is(err, errBusy) {
		d.ended(ctx, &file, err)
	}
	return s, err
}

// Folder is where files go; it is made with the first of them.
type Folder struct {
	Path string
	list map[string]string // by marks of files, see Known
}

// File is the file of an enclosure.
type File struct {
	Item      model.Item
	Enclosure model.Enclosure
	No        int // among the enclosures of its item, from 1
	// AllowPrivate: the feed was allowed to come from a private address, and the file is there too.
	AllowPrivate bool
}

// State is how much of a file is there.
type State struct {
	Path  string // of the file, or where it will be
	Have  int64  // bytes
	Total int64  // bytes; 0: not known
	Done  bool
}

// Files are the files of an item.
func Files(item *model.Item, enclosures []model.Enclosure) []File {
	files := make([]File, 0, len(enclosures))
	for i := range enclosures {
		files = append(files, File{Item: *item, Enclosure: enclosures[i], No: i + 1})
	}
	return files
}

// State looks what is there of a file. A folder that cannot be read has nothing.
func (f Folder) State(file *File) State {
	s := State{Path: filepath.Join(f.Path, f.nameOf(file)), Total: max(file.Enclosure.Length, 0)}
	if info, err := os.Stat(s.Path); err == nil && info.Mode().IsRegular() {
		s.Have, s.Total, s.Done = info.Size(), info.Size(), true
		return s
	}
	if info, err := os.Stat(s.Path + partial); err == nil && info.Mode().IsRegular() {
		s.Have = info.Size()
	}
	return s
}

const (
	partial = ".part"    // of a file that is not whole
	version = ".version" // which version of the file that is a part of, its length, and how much of it is on the disk

	syncEach = 16 << 20 // bytes of a part
)

// errBusy says that nothing failed.
var errBusy = &model.UserError{Sentence: "another process is downloading it"}

// errOther says that a server has another file than the one that a part is of.
var errOther = errors.New("the file on the server has changed")

// errLarge says that a file is larger than is taken.
var errLarge = errors.New("the file is larger than 16 GB")

// Get downloads a file, or the rest of it. progress is called as bytes come, total
// 0 if it is not known. On an error the part that came stays for the next time.
// Another process that downloads the same file makes it a model.UserError.
func (f Folder) Get(ctx context.Context, w Web, file *File, progress func(have, total int64)) (State, error) {
	if s := f.State(file); s.Done {
		return s, nil
	}
	name := f.nameOf(file)
	if err := os.MkdirAll(filepath.Join(f.Path, filepath.Dir(name)), 0o755); err != nil {
		return State{}, fmt.Errorf("make the folder for downloads: %w", err)
	}
	root, err := os.OpenRoot(f.Path) // a link in it leads nowhere else
	if err != nil {
		return State{}, fmt.Errorf("open the folder for downloads: %w", err)
	}
	defer root.Close()
	part, err := root.OpenFile(name+partial, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return State{}, fmt.Errorf("keep a download: %w", err)
	}
	defer part.Close()
	if err := lock.Lock(part, lock.Exclusive|lock.Try); err != nil {
		return State{}, errBusy
	}
	if s, err := f.claim(root, part, file, name); s.Done || err != nil {
		return s, err
	}
	d := download{root: root, part: part, name: name, progress: progress}
	if err = note(root, f.Known(), file, name); err == nil {
		err = d.ask(ctx, w, file)
	}
	if err != nil {
		d.leave()
		return f.State(file), err
	}
	if err := d.finish(file.Item.Published); err != nil {
		return f.State(file), fmt.Errorf("keep a download: %w", err)
	}
	return f.State(file), nil
}

// claim makes sure that a part whose lock was taken is still the part: the process that
// had the lock may have finished the file, so that part is the whole file by now.
func (f Folder) claim(root *os.Root, part *os.File, file *File, name string) (State, error) {
	own, err := part.Stat()
	if err != nil {
		return State{}, fmt.Errorf("keep a download: %w", err)
	}
	there, err := root.Stat(name + partial)
	current := err == nil && os.SameFile(own, there)
	s := f.State(file)
	switch {
	case s.Done && current: // made after the file was finished
		_ = root.Remove(name + partial) // an empty one, which is ignored
	case !s.Done && !current:
		return s, errBusy
	}
	return s, nil
}

// download is one file on its way.
type download struct {
	root     *os.Root
	part     *os.File
	name     string
	progress func(have, total int64)

	have, total int64
	version     string // of what comes
	synced      int64  // bytes of the part that the disk has
	failed      error  // what writing came to
}

// ask gets the file or its rest; where its server has no such rest, all of it.
func (d *download) ask(ctx context.Context, w Web, file *File) error {
	for again := false; ; again = true {
		end, err := d.part.Seek(0, io.SeekEnd)
		if err != nil {
			return err
		}
		known, whole, synced := d.known()
		into := fetch.Stream{From: min(end, synced), Version: known}
		if known == "" {
			into.From = 0
		}
		into.Open = func(res *fetch.Result, from, total int64) (io.Writer, error) {
			if from > 0 && whole > 0 && total != whole {
				d.failed = errOther
				return nil, d.failed
			}
			return d.open(res, from, total)
		}
		var answer web.Answer
		err = w.Ask(ctx, &answer, &fetch.Request{URL: file.Enclosure.URL, AllowPrivate: file.AllowPrivate, Into: &into})
		var fe *fetch.Error
		other := errors.Is(d.failed, errOther) || answer.Result.Status == 416 && end > 0 ||
			errors.As(err, &fe) && fe.Kind == fetch.KindProtocol && into.From > 0 // another part than was asked for
		switch {
		case other && !again:
			d.failed = nil
			if err := d.part.Truncate(0); err != nil {
				return err
			}
			_ = d.root.Remove(d.name + version)
		case d.failed != nil && errors.Is(d.failed, syscall.ENOSPC):
			return &model.UserError{Sentence: "the disk is full; the part that arrived is kept", Kind: d.failed}
		case d.failed != nil:
			return d.failed
		case err != nil:
			return err
		case answer.Result.Status >= 400:
			return &model.UserError{Sentence: fmt.Sprintf("the server answered %d", answer.Result.Status)}
		default:
			return nil
		}
	}
}

// known is which version a part is of, how long that is (0: not known), and how much of
// the part is on the disk for sure: after a power cut the rest may be anything.
func (d *download) known() (of string, whole, synced int64) {
	b, _ := d.root.ReadFile(d.name + version) // none: from the beginning
	lines := strings.Split(string(b), "\n")
	if len(lines) != 3 {
		return "", 0, 0
	}
	whole, err := strconv.ParseInt(lines[1], 10, 64)
	synced, err2 := strconv.ParseInt(lines[2], 10, 64)
	if err != nil || err2 != nil || whole < 0 || synced < 0 {
		return "", 0, 0
	}
	return lines[0], whole, synced
}

// keep makes sure that the disk has what came, and only then says so.
func (d *download) keep() error {
	if d.version == "" || d.have == d.synced {
		return nil
	}
	if err := d.part.Sync(); err != nil {
		return err
	}
	d.synced = d.have
	return d.root.WriteFile(d.name+version, fmt.Appendf(nil, "%s\n%d\n%d", d.version, d.total, d.synced), 0o644)
}

// leave keeps what came of a download that failed; nothing where nothing came.
func (d *download) leave() {
	_ = d.keep() // else it begins again
	if info, err := d.part.Stat(); err == nil && info.Size() == 0 {
		_ = d.root.Remove(d.name + partial)
		_ = d.root.Remove(d.name + version)
	}
}

// open begins to write at byte from; what is beyond it is of another version or may be.
func (d *download) open(res *fetch.Result, from, total int64) (io.Writer, error) {
	d.have, d.total, d.synced = from, max(total, 0), from
	switch {
	case total > MaxBytes:
		d.failed = &model.UserError{Sentence: errLarge.Error(), Kind: errLarge}
	case isPage(res.ContentType):
		d.failed = &model.UserError{Sentence: "the server sent a web page instead of the file (perhaps a login page)"}
	}
	if d.failed != nil {
		return nil, d.failed
	}
	if d.failed = d.part.Truncate(from); d.failed == nil {
		_, d.failed = d.part.Seek(from, io.SeekStart)
	}
	if d.version = res.ETag; d.version == "" || strings.HasPrefix(d.version, "W/") {
		d.version = res.LastModified
	}
	d.version = plain.Line(d.version, 0)
	if d.failed == nil && from == 0 {
		if err := d.root.Remove(d.name + version); err != nil && !errors.Is(err, fs.ErrNotExist) {
			d.failed = err // it would say that of the part before
		}
	}
	return d, d.failed
}

// Write takes the next bytes of the file.
func (d *download) Write(b []byte) (int, error) {
	if d.have+int64(len(b)) > MaxBytes {
		d.failed = &model.UserError{Sentence: errLarge.Error(), Kind: errLarge}
		return 0, d.failed
	}
	n, err := d.part.Write(b)
	if err != nil {
		d.failed = err
	}
	if d.have += int64(n); err == nil && d.have-d.synced >= syncEach {
		if err = d.keep(); err != nil {
			d.failed = err
		}
	}
	if d.progress != nil {
		d.progress(d.have, d.total)
	}
	return n, err
}

// finish gives a whole file its name and the time its item was published. The part is
// not closed before: whoever gets its lock then could take the whole file for a part.
func (d *download) finish(published time.Time) error {
	if err := d.part.Sync(); err != nil {
		return err
	}
	if err := d.root.Rename(d.name+partial, d.name); err != nil {
		return err
	}
	if !published.IsZero() {
		_ = d.root.Chtimes(d.name, published, published) // for players that sort by it; nothing depends on it
	}
	if err := d.root.Remove(d.name + version); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// isPage reports whether an answer is a web page, which no enclosure is.
func isPage(contentType string) bool {
	kind, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	kind = strings.TrimSpace(kind)
	return kind == "text/html" || kind == "application/xhtml+xml"
}
