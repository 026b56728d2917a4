package newsboat

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// maxFile is how many bytes of a file other than the cache are read.
const maxFile = 10 << 20

// Folder says where the files of a newsboat lie; "" for one that is not there.
type Folder struct {
	Dir                        string // the folder, or that of the config where there are two
	URLs, Cache, Config, Queue string
}

// Names are the files that are there, as a user calls them.
func (f *Folder) Names() []string {
	var names []string
	for _, path := range []string{f.URLs, f.Cache, f.Config, f.Queue} {
		if path != "" {
			names = append(names, filepath.Base(path))
		}
	}
	return names
}

// At looks into a folder that holds all of newsboat's files; false if it has no urls.
func At(dir string) (Folder, bool) { return in(dir, dir) }

// Find looks where newsboat keeps its files below a home folder: in one folder, or in
// the two of the XDG specification, which may be set elsewhere (config, data; "" for
// the usual ones).
func Find(home, config, data string) (Folder, bool) {
	if home == "" {
		return Folder{}, false // the current folder's are not meant
	}
	or := func(dir string, usual ...string) string {
		if filepath.IsAbs(dir) {
			return dir
		}
		return filepath.Join(append([]string{home}, usual...)...)
	}
	config, data = or(config, ".config"), or(data, ".local", "share")
	// newsboat itself takes the two folders where there is one for the config.
	if f, ok := in(filepath.Join(config, "newsboat"), filepath.Join(data, "newsboat")); ok {
		return f, true
	}
	return At(filepath.Join(home, ".newsboat"))
}

func in(config, data string) (Folder, bool) {
	// What is there and cannot be read is found when it is read, and said.
	there := func(dir, name string) string {
		path := filepath.Join(dir, name)
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return ""
		}
		return path
	}
	file := func(dir, name string) string {
		path := filepath.Join(dir, name)
		if st, err := os.Stat(path); err != nil || !st.Mode().IsRegular() {
			return ""
		}
		return path
	}
	f := Folder{config, file(config, "urls"), there(data, "cache.db"), there(config, "config"), file(data, "queue")}
	return f, f.URLs != ""
}

// read reads a file of up to max bytes.
func read(path string, max int64) ([]byte, error) {
	if st, err := os.Stat(path); err != nil || !st.Mode().IsRegular() { // to open a pipe would wait
		return nil, cmp.Or(err, fmt.Errorf("%s is not a file", path))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(io.LimitReader(f, max+1))
	if err == nil && int64(len(b)) > max {
		err = fmt.Errorf("%s is larger than %d MB", path, max>>20)
	}
	return b, errors.Join(err, f.Close())
}

// Setup is a newsboat as its files have it.
type Setup struct {
	Folder Folder
	URLs   []byte
	Cache  *Cache // nil: there is none
	Config Config
	Queue  int // lines of podboat's queue
}

// Read reads all files of a newsboat; the cache stays open until Close. Errors: those
// of OpenCache and of the file system.
func Read(f Folder) (*Setup, error) {
	s := &Setup{Folder: f}
	var err error
	if s.URLs, err = read(f.URLs, maxFile); err != nil {
		return nil, err
	}
	if f.Config != "" {
		s.Config = readConfig(f.Config)
		if path := s.Config.cachePath(filepath.Dir(f.Config)); path != "" {
			if _, err := os.Stat(path); err == nil {
				s.Folder.Cache = path
			} else if !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
		}
	}
	if f.Queue != "" {
		queue, err := read(f.Queue, maxFile)
		if err != nil {
			return nil, err
		}
		s.Queue = filledLines(queue)
	}
	if s.Folder.Cache != "" {
		if s.Cache, err = OpenCache(s.Folder.Cache); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Folder.Cache, err)
		}
	}
	return s, nil
}

// Close ends the use of newsboat's files.
func (s *Setup) Close() error {
	if s.Cache == nil {
		return nil
	}
	return s.Cache.Close()
}
