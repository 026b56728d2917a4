package watch

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"slices"
	"strings"
	"time"

	"diurna/reader/condition"
	"diurna/reader/fetch"
	"diurna/reader/model"
	"diurna/reader/page"
	"diurna/reader/pagestate"
	"diurna/reader/poll"
	"diurna/reader/revision"
	"diurna/reader/web"
	"diurna/store"
	"diurna/store/codec"
)

// pageTrouble is an answer that came in the page's place. Its text is the
// sentence that stands on the page's row.
type pageTrouble struct {
	state pagestate.State
	why   string
}

func (e *pageTrouble) Error() string { return e.why }

// Trouble is what helps to choose the advice.
func (e *pageTrouble) Trouble() store.Trouble {
	switch e.state {
	case pagestate.DeadSelector:
		return store.TroubleSelector
	case pagestate.Captcha:
		return store.TroubleCaptcha
	case pagestate.Maintenance, pagestate.Empty:
		return store.TroubleFewWords
	}
	return store.TroubleOther
}

// watchTarget is one address of a watch, the page or a child page, with what came of
// fetching it.
type watchTarget struct {
	key  uint64 // of the note; 0: the page itself
	note targetState
	h    web.Answer
	got  web.Answer // as it came, before it was weighed

	asked  bool // watching begins with this fetch: the page is taken as it is
	second bool // the second fetch, which shows what changes by itself
	places int  // with second: how many places do

	// What weigh finds.
	reading  condition.Reading // of the watch's condition
	says     string            // what has become true, as the item's title says it
	held     string            // why it was not reported, besides class and score
	first    bool              // nothing was kept of it before
	last     uint32            // the newest revision kept of it then, 0: none
	reported bool
	diff     page.Diff
	words    int
	rev      *store.PageRevision // to be kept
}

// targetState is what is remembered of one address of a watch. For the page itself
// only the memory, Still and Shrunk are: the rest stands in its poll record.
type targetState struct {
	Address       string    `json:"address,omitempty"`
	Depth         int       `json:"depth,omitempty"`
	Parent        uint64    `json:"parent,omitempty"`
	ETag          string    `json:"etag,omitempty"`
	LastModified  string    `json:"last_modified,omitempty"`
	ValidatorsFor string    `json:"validators_for,omitempty"`
	Hash          uint64    `json:"hash,omitempty"`
	LastFetch     time.Time `json:"last_fetch,omitzero"`
	NotBefore     time.Time `json:"not_before,omitzero"`
	Err           string    `json:"err,omitempty"`
	Tries         int       `json:"tries,omitempty"`
	Title         string    `json:"title,omitempty"`
	Still         int       `json:"still,omitempty"`  // fetches without a change since the memory was written
	Shrunk        bool      `json:"shrunk,omitempty"` // the last answer had lost most of its text
	Robots        string    `json:"robots,omitempty"` // of a host: what its robots.txt says
	Status        int       `json:"status,omitempty"` // and with which status it came

	When string `json:"when,omitempty"` // the condition that was looked at last
	Was  bool   `json:"was,omitempty"`  // it was true

	Seen []Seen `json:"seen,omitempty"` // the last change of each step of the ladder

	Reported uint32 `json:"told,omitempty"`   // the newest revision that was reported
	Before   int    `json:"before,omitempty"` // bytes of before, which follow the memory

	memory []byte // as page.Memory writes it
	before []byte // the memory that revision Reported was weighed with
}

// encode writes the length of the text part, the text part, the memories.
func (n *targetState) encode() ([]byte, error) {
	n.Before = len(n.before)
	b, err := json.Marshal(n)
	if err != nil {
		return nil, err
	}
	return slices.Concat(binary.AppendUvarint(nil, uint64(len(b))), b, n.memory, n.before), nil
}

func decodeNote(b []byte) (targetState, error) {
	var n targetState
	r := codec.Reader{B: b}
	head := r.Bytes()
	if r.Bad {
		return n, errors.New("what is remembered of a page cannot be read")
	}
	rest := r.B
	err := json.Unmarshal(head, &n)
	if n.Before < 0 || n.Before > len(rest) {
		return n, errors.New("what is remembered of a page is cut short")
	}
	n.memory, n.before = rest[:len(rest)-n.Before], rest[len(rest)-n.Before:]
	return n, err
}

// remembered is the memory of a note; one that cannot be read is begun again, for
// it can be, and a page must not stop being watched for it.
func (n *targetState) remembered() page.Memory {
	var m page.Memory
	if len(n.memory) == 0 || m.UnmarshalBinary(n.memory) != nil {
		return page.Memory{}
	}
	return m.Again(n.Still)
}

// validators are what a server gave to be asked with again.
type validators struct{ etag, lastModified, of string }

func validatorsOf(p *store.Poll) validators {
	return validators{p.ETag, p.LastModified, p.ValidatorsFor}
}

// getPage asks for one page. Unlike get it keeps the body, of errors too.
func (ps *Pages) getPage(ctx context.Context, address string, v validators, allowPrivate bool) web.Answer {
	address = RequestAddress(address)
	var h web.Answer
	err := ps.web.Ask(ctx, &h, &fetch.Request{URL: address, AllowPrivate: allowPrivate, Credentials: true, Accept: web.AcceptPage, ErrorBody: true,
		ETag: v.etag, LastModified: v.lastModified, ValidatorsFor: v.of})
	h.Body, h.Result.Body = h.Result.Body, nil
	switch {
	case err != nil: // a page cut short is no revision
		h.Err, h.Body = err, nil
	case h.Result.NotModified:
		h.Same = true
	case h.Result.Status < 200 || h.Result.Status >= 300:
		h.Err = &poll.StatusError{Status: h.Result.Status}
	default:
		h.Hash = model.Hash(h.Body)
	}
	return h
}

// plainOnly reports whether a site seems to speak no https.
func plainOnly(err error) bool {
	var fe *fetch.Error
	return errors.As(err, &fe) && (fe.Kind == fetch.KindTLS || fe.Kind == fetch.KindRefused)
}

// weigh finds out what an answer means for the watch of f: a state, no change,
// a small one that only the memory takes up, or a revision to keep.
func (ps *Pages) weigh(ctx context.Context, f *store.Feed, l *watchTarget) error {
	if err := ps.compareSem.Enter(ctx, l.asked || f.ID == 0); err != nil {
		return err
	}
	defer ps.compareSem.Leave()
	l.first, l.reported, l.rev = false, false, nil
	if l.h.Err != nil {
		l.stateOfFailure()
		return nil
	}
	if l.h.Same {
		if !l.second { // that it stood still for seconds says little
			l.note.Still++
		}
		return nil
	}
	if !readable(l.h.Result.ContentType) {
		l.h.Err = &pageTrouble{pagestate.ErrorPage, "the server sent " + kindOf(l.h.Result.ContentType) + ", which is not a page"}
		return nil
	}
	last, err := ps.lastRevision(ctx, f.ID, l)
	if err != nil {
		return err
	}
	text, charset := page.Decode(l.h.Body, l.h.Result.ContentType)
	o := pageOptions(f, l.key != 0)
	var prev []byte
	if last != nil {
		prev, _ = page.Decode(last.body, last.ContentType)
		o.Fetched = [2]time.Time{last.At, l.h.At}
	}
	defer withMemoryLimit(len(prev) + len(text))()
	if l.last = 0; last != nil {
		l.last = last.No
	}
	memory := l.note.remembered()
	o.Memory = &memory
	if state, why := l.state(prev, text, o); state != pagestate.Good {
		l.h.Err = &pageTrouble{state, why}
		return nil
	}
	if l.second {
		return l.learn(prev, text, o)
	}
	if l.diff, err = page.Compare(prev, text, o); err != nil {
		return fmt.Errorf("compare %s: %w", f.URL, err)
	}
	if last != nil && l.diff.Shrunk && l.diff.Significant && !l.note.Shrunk && !l.asked {
		l.note.Shrunk = true
		l.h.Err = &pageTrouble{pagestate.Shrunk, fmt.Sprintf("most of the text is gone (%d words); it is fetched once more to confirm that", l.diff.Words.Deleted)}
		return nil
	}
	l.first, l.reported, l.words = last == nil, last != nil && l.diff.Significant, l.diff.Words.Added
	turned, err := l.decide(settingsOf(f).When, prev, text, o)
	if err != nil {
		return err
	}
	l.noteSeen(o.Threshold)
	if err := l.remember(memory, text, o); err != nil {
		return fmt.Errorf("remember %s: %w", f.URL, err)
	}
	if !l.first && !l.reported && !turned {
		return nil
	}
	ps.web.Hide(l.h.Served) // a revision and its item name it
	return l.pack(last, charset)
}

// remember takes the page up into the memory; of a change that is reported the memory
// it was weighed with stays.
func (l *watchTarget) remember(memory page.Memory, text []byte, o page.Options) (err error) {
	l.note.Shrunk, l.note.Still = false, 0
	if l.reported {
		if l.note.before, err = memory.MarshalBinary(); err != nil {
			return err
		}
	}
	if memory, err = memory.After(text, o); err != nil {
		return err
	}
	l.note.memory, err = memory.MarshalBinary()
	return err
}

// state says whether what came is the page, and if not, the sentence for it. What
// the user has just asked for is not held against what was kept long ago.
func (l *watchTarget) state(prev, text []byte, o page.Options) (pagestate.State, string) {
	if l.asked {
		prev = nil
	}
	state, why := pagestate.Classify(pagestate.Response{Status: l.h.Result.Status, Body: text}, prev, o)
	if state == pagestate.DeadSelector && prev == nil {
		return state, why
	}
	return state, troubleWords[state] + ": " + why
}

// troubleWords open the sentence of a state.
var troubleWords = map[pagestate.State]string{
	pagestate.ErrorPage: "an error page", pagestate.Captcha: "a test for humans blocks the page", pagestate.Maintenance: "the page is under maintenance",
	pagestate.Empty: "the page is empty", pagestate.DeadSelector: "the page was rebuilt", pagestate.Login: "the page asks for a login",
	pagestate.Replaced: "another page took its place", pagestate.Scripted: "the page's text is made by scripts",
}

// stateOfFailure finds a test for humans or a notice in what came with a status
// of failure.
func (l *watchTarget) stateOfFailure() {
	var status *poll.StatusError
	if !errors.As(l.h.Err, &status) {
		return
	}
	text, _ := page.Decode(l.h.Body, l.h.Result.ContentType)
	switch state, _ := pagestate.Classify(pagestate.Response{Status: status.Status, Body: text}, nil, page.Options{}); {
	case status.Status < 400: // 204 and the like
		l.h.Err = &pageTrouble{pagestate.Empty, status.Error()}
	case state == pagestate.Captcha:
		l.h.Err = &pageTrouble{state, status.Error() + ", with a test for humans"}
	}
}

// stateOfError is the state that an error puts a page in.
func stateOfError(err error) pagestate.State {
	var t *pageTrouble
	var status *poll.StatusError
	switch {
	case errors.As(err, &t):
		return t.state
	case errors.As(err, &status) && status.Status == 503:
		return pagestate.Maintenance
	}
	return pagestate.ErrorPage
}

// readable reports whether what came may be text.
func readable(contentType string) bool {
	kind := kindOf(contentType)
	if contentType == "" || strings.HasPrefix(kind, "text/") {
		return true
	}
	for _, s := range []string{"html", "xml", "json", "octet-stream"} {
		if strings.Contains(kind, s) {
			return true
		}
	}
	return false
}

func kindOf(contentType string) string {
	kind, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		kind, _, _ = strings.Cut(strings.ToLower(contentType), ";")
	}
	return strings.TrimSpace(kind)
}

// kept is a kept revision with its bytes as served.
type kept struct {
	store.PageRevision
	body   []byte
	chain  int // packed revisions it takes to restore it
	packed int // bytes of these
}

// lastRevision is the newest kept revision of a target's address, nil without one.
func (ps *Pages) lastRevision(ctx context.Context, id store.FeedID, l *watchTarget) (*kept, error) {
	if id == 0 {
		return nil, nil
	}
	list, err := ps.store.PageRevisions(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("read the revisions: %w", err)
	}
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].Child == (l.key != 0) && (l.key == 0 || list[i].Address == l.note.Address) {
			return ps.restore1(ctx, id, list[i].No)
		}
	}
	return nil, nil
}

// restore1 unpacks one revision.
func (ps *Pages) restore1(ctx context.Context, id store.FeedID, no uint32) (*kept, error) {
	chain, err := ps.store.PageChain(ctx, id, no)
	if err != nil {
		return nil, fmt.Errorf("read revision %d of %s: %w", no, id, err)
	}
	body, damaged, err := revision.Restore(len(chain), func(i int) []byte { return chain[i].Packed })
	if err != nil {
		return nil, &store.DamagedError{What: err.Error(), Record: fmt.Sprintf("revision %d of %s", chain[damaged].No, id)}
	}
	packed := 0
	for i := range chain {
		packed += len(chain[i].Packed)
	}
	return &kept{chain[len(chain)-1], body, len(chain), packed}, nil
}

// longChain, and twice the page, is how many bytes a chain of revisions may take:
// of a page that is all new each time each delta is a page.
const longChain = 64 << 10

// pack makes the revision of what came, against the last one while the chain is
// short.
func (l *watchTarget) pack(last *kept, charset string) error {
	rev := &store.PageRevision{At: l.h.At, Address: l.h.Result.URL, Child: l.key != 0, Reported: l.reported, Size: len(l.h.Body),
		ContentType: l.h.Result.ContentType, Charset: charset}
	if rev.Child {
		rev.Address = l.note.Address
	}
	var base []byte
	if last != nil && last.chain < revision.KeyEvery && last.packed <= longChain+2*len(l.h.Body) {
		rev.Base, base = last.No, last.body
		if base == nil {
			base = []byte{}
		}
	}
	if l.reported {
		rev.Score = l.diff.Score
	}
	var err error
	if rev.Packed, err = revision.Pack(base, l.h.Body); err != nil {
		return fmt.Errorf("keep a revision: %w", err)
	}
	l.rev = rev
	return nil
}
