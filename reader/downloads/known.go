package downloads

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"diurna/reader/plain"
)

// Which file lies where is also kept in a file of the folder, a line each, so that a file is
// found again when its feed or its item is called something else. What does not lie where
// a line says is not there.
const (
	listName = ".diurna-files"
	maxList  = 16 << 20 // bytes that are read
)

// ID tells a file from others of the library.
func (f *File) ID() string {
	if f.No > 1 {
		return fmt.Sprintf("%s %d", f.Item.Key, f.No)
	}
	return f.Item.Key.String()
}

// mark stands for a file in the list: another library's item of the same number has
// another address.
func (f *File) mark() string {
	sum := sha256.Sum256([]byte(f.ID() + "\x00" + f.Enclosure.URL))
	return hex.EncodeToString(sum[:8])
}

// Known reads the list, for the State of many files.
func (f Folder) Known() Folder {
	f.list = map[string]string{}
	file, err := os.Open(filepath.Join(f.Path, listName))
	if err != nil {
		return f // there is none yet
	}
	defer file.Close()
	b, _ := io.ReadAll(io.LimitReader(file, maxList)) // what can be read of it
	for line := range strings.Lines(string(b)) {
		mark, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if name = filepath.FromSlash(name); filepath.IsLocal(name) {
			f.list[mark] = name
		}
	}
	return f
}

// nameOf is where a file or a part of it lies, else where it will.
func (f Folder) nameOf(file *File) string {
	name := file.name()
	if f.has(name) {
		return name
	}
	if f.list == nil {
		f = f.Known()
	}
	if other := f.list[file.mark()]; other != "" && f.has(other) {
		return other
	}
	return name
}

func (f Folder) has(name string) bool {
	for _, end := range []string{"", partial} {
		if info, err := os.Stat(filepath.Join(f.Path, name+end)); err == nil && info.Mode().IsRegular() {
			return true
		}
	}
	return false
}

// note writes into the list where a file lies.
func note(root *os.Root, known Folder, file *File, name string) error {
	if known.list[file.mark()] == name {
		return nil
	}
	list, err := root.OpenFile(listName, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	_, err = list.WriteString(file.mark() + " " + filepath.ToSlash(name) + "\n")
	if cerr := list.Close(); err == nil {
		err = cerr
	}
	return err
}

// Cache keeps what can be lost.
type Cache interface {
	Get(ctx context.Context, bucket, key string) ([]byte, error)
	Put(ctx context.Context, bucket string, values map[string][]byte) error
}

// failureBucket keeps failures by the ids of files.
const failureBucket = "download failures"

// Failure says why the last download of a file failed, and since when it does; "": it did
// not.
type Failure struct {
	Why   string    `json:"why"`
	Since time.Time `json:"since"`
}

// Failure is what became of the last download of a file.
func (d *Downloader) Failure(ctx context.Context, file *File) Failure {
	var f Failure
	if b, err := d.cache.Get(ctx, failureBucket, file.mark()); err == nil {
		_ = json.Unmarshal(b, &f) // the cache may be lost, and so may this
	}
	return f
}

// ended notes how a download ended.
func (d *Downloader) ended(ctx context.Context, file *File, failed error) {
	known := d.Failure(ctx, file)
	f := Failure{}
	switch {
	case failed != nil:
		f = Failure{plain.Line(failed.Error(), 300), time.Now().Truncate(time.Second)}
		if known.Why != "" {
			f.Since = known.Since
		}
	case known.Why == "":
		return
	}
	if b, err := json.Marshal(f); err == nil {
		_ = d.cache.Put(ctx, failureBucket, map[string][]byte{file.mark(): b}) // said already, and only shown again
	}
}
