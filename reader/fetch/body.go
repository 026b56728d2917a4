package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// keepBuffer is the largest read buffer that is kept for the next body.
const keepBuffer = 1 << 20

// read takes the whole body off the wire, gives the turn back and unpacks it.
func (f *flight) read(hop context.Context, cancel context.CancelCauseFunc, resp *http.Response, leave func()) error {
	p := &f.c.pools
	buf := p.buffer()
	defer p.keep(buf)
	limits := f.c.opts.Limits
	err := readWire(buf, resp, limits, cancel)
	f.res.WireBytes += int64(len(*buf))
	ended := hop.Err() != nil // asked before leave, which may wait
	leave()
	if ended {
		return context.Cause(hop)
	}
	var own *Error
	if errors.As(err, &own) {
		return err
	}
	body, problem := p.unpack(resp.Header.Values("Content-Encoding"), *buf, limits, err != nil)
	f.res.Body = body
	if err != nil && (problem == nil || problem.Kind == KindEncoding) {
		return &Error{Kind: KindCutShort, Err: err, text: "the answer was cut short"}
	}
	if problem != nil {
		return problem
	}
	return nil
}

// streamTotal bounds one request for a file: longer than a night on a slow line.
const streamTotal = 24 * time.Hour

// ask adds the headers by which the rest of a file is asked for.
func (s *Stream) ask(h http.Header) {
	h.Set("Accept", "*/*")
	h.Set("Accept-Encoding", "identity")
	if s.From > 0 && usable(s.Version) && !strings.HasPrefix(s.Version, "W/") { // a weak ETag says nothing of bytes
		h.Set("Range", fmt.Sprintf("bytes=%d-", s.From))
		h.Set("If-Range", s.Version)
	}
}

// stream writes the body as it comes.
func (f *flight) stream(hop context.Context, cancel context.CancelCauseFunc, resp *http.Response) error {
	defer func() { _ = resp.Body.Close() }()
	if e := resp.Header.Get("Content-Encoding"); e != "" && !strings.EqualFold(e, "identity") {
		return &Error{Kind: KindEncoding, text: "the file is compressed, although no compression was requested"}
	}
	from, total := int64(0), resp.ContentLength
	if resp.StatusCode == http.StatusPartialContent {
		var last int64
		if n, err := fmt.Sscanf(resp.Header.Get("Content-Range"), "bytes %d-%d/%d", &from, &last, &total); err != nil || n != 3 || from != f.req.Into.From || last != total-1 {
			return &Error{Kind: KindProtocol, text: "the server sent a different part of the file than requested"}
		}
	} else if resp.StatusCode != http.StatusOK {
		return &Error{Kind: KindProtocol, text: fmt.Sprintf("the server answered %d to a request for a file", resp.StatusCode)}
	}
	into, err := f.req.Into.Open(&f.res, from, total)
	if err != nil {
		return err
	}
	w := watch(f.c.opts.Limits, cancel)
	defer w.stop()
	body := counted{Reader: resp.Body, watcher: w}
	n, err := io.Copy(into, &body)
	f.res.WireBytes += n
	switch {
	case hop.Err() != nil:
		return context.Cause(hop)
	case body.failed != nil, err == nil && total >= 0 && from+n != total:
		return &Error{Kind: KindCutShort, Err: body.failed, text: "the file was cut short"}
	}
	return err
}

// counted tells a watcher what was read, and keeps the error that ended it.
type counted struct {
	io.Reader
	watcher *watcher
	failed  error
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.watcher.read.Add(int64(n))
	if err != nil && err != io.EOF {
		c.failed = err
	}
	return n, err
}

// readWire reads the body as sent into buf. Beyond Limits.Wire it stops with an
// *Error; other errors mean that the rest did not come.
func readWire(buf *[]byte, resp *http.Response, limits Limits, cancel context.CancelCauseFunc) error {
	defer func() { _ = resp.Body.Close() }()
	tooLarge := &Error{Kind: KindTooLarge, text: "larger than " + size(limits.Wire)}
	if resp.ContentLength > limits.Wire {
		return tooLarge
	}
	// One byte more than announced, so that the end is seen without growing.
	if want := int(resp.ContentLength) + 1; want > cap(*buf) {
		*buf = make([]byte, 0, want)
	}
	w := watch(limits, cancel)
	defer w.stop()
	b := (*buf)[:0]
	for {
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
		n, err := resp.Body.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		*buf = b
		w.read.Store(int64(len(b)))
		if int64(len(b)) > limits.Wire {
			return tooLarge
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// drop leaves a body unread. A short one is read to its end first, because only
// then can the connection serve again.
func (f *flight) drop(resp *http.Response, hop context.Context) {
	defer func() { _ = resp.Body.Close() }()
	if n := resp.ContentLength; n > 0 && n <= 4<<10 && hop.Err() == nil {
		got, _ := io.CopyN(io.Discard, resp.Body, n)
		f.res.WireBytes += got
	}
}

// watcher ends an exchange whose body comes slower than Limits.MinSpeed on average
// after Limits.SlowAfter. It costs one timer, re-armed for the moment at which the
// bytes so far would be too few.
type watcher struct {
	read   atomic.Int64
	limits Limits
	start  time.Time
	cancel context.CancelCauseFunc

	mu    sync.Mutex
	over  bool
	timer *time.Timer
}

func watch(limits Limits, cancel context.CancelCauseFunc) *watcher {
	w := &watcher{limits: limits, start: time.Now(), cancel: cancel}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer = time.AfterFunc(limits.SlowAfter, w.check)
	return w
}

func (w *watcher) check() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.over {
		return
	}
	earned := time.Duration(float64(w.read.Load()) / float64(w.limits.MinSpeed) * float64(time.Second))
	if due := max(w.limits.SlowAfter, earned) - time.Since(w.start); due > 0 {
		w.timer.Reset(due)
		return
	}
	w.cancel(errSlow)
}

func (w *watcher) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = true
	w.timer.Stop()
}
