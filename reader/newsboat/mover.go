package newsboat

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"time"

	"diurna/reader/downloads"
	"diurna/reader/feed"
	"diurna/reader/match"
	"diurna/reader/model"
	"diurna/reader/opml"
	"diurna/reader/plain"
	"diurna/reader/rules"
	"diurna/reader/subscriptions"
	"diurna/reader/web"
	"diurna/store"
)

// Store is what a Mover needs of the store.
type Store interface {
	match.Store
	FeedsAll(ctx context.Context) ([]store.Feed, error)
	File(ctx context.Context, now time.Time, filings []store.Filing) ([]store.Filed, error)
}

// Lists takes in what urls names, and what else belongs to the step.
type Lists interface {
	Import(ctx context.Context, doc []byte, o subscriptions.ImportOptions, now time.Time) (subscriptions.ImportReport, error)
}

// Rules has the rules of the library.
type Rules interface {
	Rules(ctx context.Context, known uint64) (store.Rules, error)
}

// Asker has rules mark what is filed.
type Asker interface {
	List(ctx context.Context) ([]rules.Rule, error)
	Ask(ctx context.Context, f *store.Filing, feed *model.Feed, first bool, now time.Time) ([]rules.Called, error)
}

// Mover imports a newsboat into a library.
type Mover struct {
	store Store
	book  Rules
	lists Lists
	asker Asker
	hide  func(address string) string
	tell  func()
}

// New returns a Mover. hide is how the library keeps an address; tell is called when
// something was filed.
func New(s Store, book Rules, lists Lists, asker Asker, hide func(address string) string, tell func()) *Mover {
	return &Mover{s, book, lists, asker, hide, tell}
}

// Report says what became of a newsboat.
type Report struct {
	List     subscriptions.ImportReport
	Cache    Source // of the feeds that urls names, all articles
	Filed    int    // articles that were not in the library
	Unread   int    // of these
	Marked   int    // items of the library that are read or saved from now on
	Strays   int    // articles of feeds that urls does not name
	Sources  int    // those feeds
	Ignored  int    // rules made of ignore-article lines
	Ruled    int    // such lines of which there is a rule already
	NotTaken []Line
	Keys     []Command // for keys.newsboat.toml
}

// Changed reports whether anything was changed.
func (r *Report) Changed() bool { return r.List.Step != 0 || r.Filed > 0 }

// How much one transaction takes in: enough that few are needed, as each touches the
// lists all over, and little enough that nobody waits long.
const (
	groupItems = 10000
	groupText  = 16 << 20 // bytes
)

// place is a feed of the cache and where it goes.
type place struct {
	from *Source
	to   *store.Feed // nil: not subscribed yet; one that was unsubscribed from comes back as it was
}

// live reports whether articles can be filed.
func (p *place) live() bool { return p.to != nil && !p.to.Removed }

// Import subscribes to what urls names, with queries and rules, and takes over the state of
// items that are there, all as one step; then it files the articles that are not there,
// read and saved as newsboat has them. What was filed before an error is found again by
// the next Import. progress is called with the articles filed so far.
func (m *Mover) Import(ctx context.Context, s *Setup, o subscriptions.ImportOptions, now time.Time, progress func(done, all int)) (Report, error) {
	rep := Report{NotTaken: s.Config.NotTaken, Keys: s.Config.Keys}
	places, err := m.places(ctx, s, &rep)
	if err != nil {
		return rep, err
	}
	made, ruled, err := m.ruled(ctx, &s.Config, &rep, now)
	if err != nil {
		return rep, err
	}
	if !s.Config.atDisplay {
		made = nil // newsboat has no article that they ignore
	}
	marks, err := m.marks(ctx, s.Cache, places, made, &rep, now)
	if err != nil {
		return rep, err
	}
	o.Also = append(append(o.Also, ruled...), marks...)
	if s.Cache != nil {
		o.First = map[string][2]string{}
		for url, of := range s.Cache.feeds {
			o.First[m.key(url)] = of
		}
	}
	if rep.List, err = m.lists.Import(ctx, s.URLs, o, now); err != nil || o.DryRun || s.Cache == nil {
		return rep, err
	}
	rep.Filed, rep.Unread = 0, 0
	if places, err = m.places(ctx, s, &rep); err != nil {
		return rep, err
	}
	f := filer{m: m, cache: s.Cache, at: now, step: rep.List.Step, rep: &rep, mute: s.Config.atDisplay, progress: progress}
	if err = f.all(ctx, places); err != nil {
		err = fmt.Errorf("the feeds are there, but only %d of their articles: %w; import again brings the rest", rep.Filed, err)
	}
	m.tell()
	return rep, err
}

// key is what two spellings of an address share.
func (m *Mover) key(address string) string { return web.Key(m.kept(address)) }

// kept is an address as the library keeps it.
func (m *Mover) kept(address string) string {
	if u, ok := plain.URL(address); ok {
		address = u
	}
	return m.hide(plain.Outside(address))
}

// places finds the feed of each source, by the address under which it is kept.
func (m *Mover) places(ctx context.Context, s *Setup, rep *Report) ([]place, error) {
	if s.Cache == nil {
		return nil, nil
	}
	list, err := opml.ParseURLs(s.URLs)
	if err != nil {
		return nil, err
	}
	named, address := map[string]*store.Feed{}, map[string]string{}
	for i := range list.Feeds {
		kept := m.kept(list.Feeds[i].URL)
		named[web.Key(kept)], address[web.Key(kept)] = nil, kept
	}
	feeds, err := m.store.FeedsAll(ctx)
	if err != nil && !errors.Is(err, store.ErrNone) {
		return nil, err
	}
	for i := range feeds {
		f := &feeds[i]
		k := web.Key(f.URL)
		there, ok := named[k]
		switch {
		case !ok || f.Attrs[model.SettingPage] != "":
		case !f.Removed, there == nil && f.URL == address[k]: // the same address is the same feed again
			named[k] = f
		}
	}
	rep.Cache, rep.Strays, rep.Sources = Source{}, 0, 0
	var all []place
	for _, url := range slices.Sorted(maps.Keys(s.Cache.sources)) {
		from := s.Cache.sources[url]
		to, ok := named[m.key(url)]
		if !ok {
			rep.Strays += from.Articles
			rep.Sources++
			continue
		}
		rep.Cache.add(from)
		all = append(all, place{from, to})
	}
	return all, nil
}

// marks are the changes that bring items of the library to the state that newsboat has
// of them: what was read or flagged there is here too. What was not read there, but here,
// stays read. Rules that are made now mark what is unread in both.
func (m *Mover) marks(ctx context.Context, cache *Cache, places []place, made []rules.Rule, rep *Report, now time.Time) ([]store.Change, error) {
	set, _ := rules.Compile(made, now) // what is not understood is not among them
	by, marked := map[mark][]store.ItemID{}, map[store.ItemID]bool{}
	for _, p := range places {
		if p.to == nil || p.to.Items == 0 {
			rep.Filed += p.from.Articles
			rep.Unread += p.from.Unread
			continue
		}
		described := describe(p.to)
		for from := 0; from < len(p.from.ids); {
			list, next, err := cache.articles(p.from, from, now)
			if err != nil {
				return nil, err
			}
			from = next
			known, err := m.match(ctx, p.to, list, false)
			if err != nil {
				return nil, err
			}
			for i, a := range known.articles {
				n := known.stored(i)
				if n == 0 {
					rep.Filed++
					rep.Unread += bit(a.Unread && !a.Deleted)
					continue
				}
				id, has := store.MakeItemID(p.to.ID, n), known.found[i].Flags
				for _, k := range a.marks(nil) {
					switch {
					case k.kind == store.MarkedRead && has&store.FlagRead != 0, k.kind == store.Saved && has&store.FlagSaved != 0:
						continue
					case k.kind != store.Tagged:
						marked[id] = true
					}
					by[k] = append(by[k], id) // a tag that is there changes nothing
				}
				if set.Empty() || !a.Unread || a.Deleted || has&store.FlagRead != 0 {
					continue
				}
				item := known.entries[i].New()
				for _, at := range set.FittingNew(&item, &described, now) {
					for _, c := range set.Rule(at).Changes(true) {
						k := mark{c.Kind, c.Value, set.Rule(at).No}
						by[k] = append(by[k], id)
					}
				}
			}
		}
	}
	var changes []store.Change
	keys := make([]mark, 0, len(by))
	for k := range by {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool {
		k, l := keys[i], keys[j]
		return cmp.Or(k.rule-l.rule, int(k.kind)-int(l.kind), strings.Compare(k.tag, l.tag)) < 0
	})
	for _, k := range keys {
		c := store.Change{Kind: k.kind, Value: k.tag, Items: by[k]}
		if k.rule != 0 {
			c.Field = store.RuleField(k.rule)
		}
		changes = append(changes, c)
	}
	rep.Marked = len(marked)
	return changes, nil
}

// mark is something that newsboat knows of an article, or that a rule says of it.
type mark struct {
	kind store.Kind
	tag  string
	rule int
}

// Tags of items that have a state of newsboat's which is a tag here.
const (
	tagDeleted  = "deleted"
	tagEnqueued = downloads.Tag
	tagFlag     = subscriptions.FlagTag
)

// marks are what newsboat knows of the article: read, and saved where it has flags, each
// of which is a tag too. all is room for them.
func (a *Article) marks(all []mark) []mark {
	all = all[:0]
	if !a.Unread || a.Deleted {
		all = append(all, mark{kind: store.MarkedRead})
	}
	if a.Flags != "" {
		all = append(all, mark{kind: store.Saved})
	}
	for i := range len(a.Flags) {
		all = append(all, mark{kind: store.Tagged, tag: tagFlag + a.Flags[i:i+1]})
	}
	if a.Enqueued {
		all = append(all, mark{kind: store.Tagged, tag: tagEnqueued})
	}
	if a.Deleted {
		all = append(all, mark{kind: store.Tagged, tag: tagDeleted})
	}
	return all
}

// matched are articles of a feed, oldest first, and which stored item each is.
type matched struct {
	entries  []match.Entry
	articles []Article
	found    []store.Match // nil: nothing is stored
	next     uint32
}

// stored is the number of the item that article i is; 0: there is none.
func (m *matched) stored(i int) uint32 {
	if m.found == nil {
		return 0
	}
	return m.found[i].N
}

// match says which stored items the articles are; none where the feed is empty.
func (m *Mover) match(ctx context.Context, to *store.Feed, list []Article, empty bool) (out matched, err error) {
	items := make([]*feed.Entry, len(list))
	for i := range list {
		items[i] = list[i].Entry
	}
	out.entries = match.Of(items, match.SharedIDs(to.Poll.SharedIDs))
	out.articles = list[:0]
	for i := range list { // an article that is there twice has one entry
		if n := len(out.articles); n < len(out.entries) && out.entries[n].Of() == list[i].Entry {
			out.articles = append(out.articles, list[i])
		}
	}
	if empty {
		out.next = 1
		return out, nil
	}
	out.found, out.next, err = match.Stored(ctx, m.store, to.ID, out.entries)
	return out, err
}

// ruled makes a rule of each ignored article of which there is none.
func (m *Mover) ruled(ctx context.Context, c *Config, rep *Report, now time.Time) (made []rules.Rule, changes []store.Change, err error) {
	if len(c.Ignored) == 0 {
		return nil, nil, nil
	}
	there, err := m.asker.List(ctx)
	if err != nil {
		return nil, nil, err
	}
	known, err := m.book.Rules(ctx, 0)
	if err != nil && !errors.Is(err, store.ErrNone) {
		return nil, nil, err
	}
	have := map[string]bool{}
	for i := range there {
		have[there[i].Query] = have[there[i].Query] || there[i].Mute
	}
	no := max(known.Next, 1)
	for _, ig := range c.Ignored {
		if have[ig.Query] {
			rep.Ruled++
			continue
		}
		have[ig.Query] = true
		r := rules.Rule{No: no, Query: ig.Query, Mute: true, Made: now}
		text, err := r.Encode()
		if err != nil {
			return nil, nil, err
		}
		made = append(made, r)
		changes = append(changes, store.Change{Kind: store.Adjusted, Field: store.RuleField(no), Value: text})
		no++
		rep.Ignored++
	}
	return made, changes, nil
}

// describe is what rules ask of a feed.
func describe(f *store.Feed) model.Feed {
	return model.Feed{Key: f.ID, URL: f.URL, Title: cmp.Or(f.Title, f.Attrs[model.SettingTitle]), Folder: f.Folder, Tags: f.Tags}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// filer files the articles that a library does not have.
type filer struct {
	m        *Mover
	cache    *Cache
	at       time.Time
	step     uint64
	rep      *Report
	mute     bool // rules look at what comes too
	progress func(done, all int)

	ruling  store.Rules
	packer  store.Packer
	pending []store.Filing
	items   int
	text    int
	under   chan outcome // what is filed while the next articles are read; nil: nothing
}

// outcome is what became of filings.
type outcome struct {
	of    []store.Filing
	filed []store.Filed
	err   error
}

func (f *filer) all(ctx context.Context, places []place) (err error) {
	// Others were refused, or are watched pages now.
	places = slices.DeleteFunc(places, func(p place) bool { return !p.live() })
	if len(places) == 0 {
		return nil // urls names no feed that was taken: there may be no library
	}
	// In the order of most keys of the library bbolt only appends.
	sort.Slice(places, func(i, j int) bool { return places[i].to.ID < places[j].to.ID })
	if f.ruling, err = f.m.book.Rules(ctx, 0); err != nil {
		return err
	}
	defer func() {
		if e := f.wait(); err == nil {
			err = e
		}
	}()
	reading, stop := context.WithCancel(ctx)
	batches := f.read(reading, places)
	defer func() { // the cache may be closed once this returns
		stop()
		for range batches {
		}
	}()
	for b := range batches {
		if b.err != nil {
			return b.err
		}
		if !b.first { // what comes is compared with what was filed of the feed
			if err := cmp.Or(f.flush(ctx), f.wait()); err != nil {
				return err
			}
		}
		if err := f.add(ctx, b.to, b.list, b.to.Items == 0 && b.first); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return f.flush(ctx)
}

// batch is articles of a feed, read from the cache.
type batch struct {
	to    *store.Feed
	list  []Article
	first bool // of the feed
	err   error
}

// read reads the articles of places, while those read before are filed, until ctx ends.
// The cache is in use until the channel is closed.
func (f *filer) read(ctx context.Context, places []place) <-chan batch {
	to := make(chan batch)
	go func() {
		defer close(to)
		for i, p := range places {
			b := batch{to: p.to, first: i == 0 || p.to != places[i-1].to} // not one whose address is written in two ways
			for from := 0; from < len(p.from.ids) && b.err == nil; b.first = false {
				b.list, from, b.err = f.cache.articles(p.from, from, f.at)
				select {
				case to <- b:
				case <-ctx.Done():
					return
				}
			}
		}
	}()
	return to
}

// add gathers what of the articles is new.
func (f *filer) add(ctx context.Context, to *store.Feed, list []Article, empty bool) error {
	filing := store.Filing{Feed: to.ID}
	known, err := f.m.match(ctx, to, list, empty)
	if err != nil {
		return err
	}
	at := map[mark]int{}
	var marks []mark
	ruling := store.Ruling{At: f.ruling.At, Step: f.step}
	filing.Next = known.next
	filing.New = make([]store.NewItem, 0, len(known.articles))
	for i, a := range known.articles {
		if known.stored(i) != 0 {
			continue
		}
		n := known.entries[i].New()
		n.Unread = a.Unread && !a.Deleted
		marks = a.marks(marks)
		for _, k := range marks {
			if k.kind == store.MarkedRead {
				// Read evidence is a mark of its own: the item comes unread and is read then.
				if a.Deleted || a.Entry.Published.Unix() < f.cache.lately {
					continue
				}
				n.Unread = true
			}
			j, ok := at[k]
			if !ok {
				j = len(ruling.Marks)
				at[k] = j
				ruling.Marks = append(ruling.Marks, store.RuleMark{Kind: k.kind, Value: k.tag})
			}
			ruling.Marks[j].New = append(ruling.Marks[j].New, len(filing.New))
		}
		filing.New = append(filing.New, n)
		f.items++
		f.text += len(n.Body.HTML)
	}
	if len(filing.New) == 0 {
		return nil
	}
	filing.Rules = &ruling
	if f.mute {
		if err := f.ask(ctx, &filing, to); err != nil {
			return err
		}
	}
	if err := filing.Pack(&f.packer); err != nil {
		return err
	}
	f.pending = append(f.pending, filing)
	if f.items >= groupItems || f.text >= groupText {
		return f.flush(ctx)
	}
	return nil
}

// ask has rules mark the articles that newsboat has, but does not show.
func (f *filer) ask(ctx context.Context, filing *store.Filing, to *store.Feed) error {
	own := filing.Rules
	described := describe(to)
	read := func(unread bool) { // what was read is not muted: without the rule it is read still
		for _, m := range own.Marks {
			for _, i := range m.New {
				if m.Kind == store.MarkedRead {
					filing.New[i].Unread = unread
				}
			}
		}
	}
	read(false)
	_, err := f.m.asker.Ask(ctx, filing, &described, true, f.at)
	read(true)
	if err != nil {
		return err
	}
	filing.Rules.Step = own.Step
	filing.Rules.Marks = append(filing.Rules.Marks, own.Marks...)
	return nil
}

// flush begins to file what was gathered, once what was filed before is done.
func (f *filer) flush(ctx context.Context) error {
	if len(f.pending) == 0 {
		return nil
	}
	if err := f.wait(); err != nil {
		return err
	}
	of, done := f.pending, make(chan outcome, 1)
	go func() {
		filed, err := f.m.store.File(ctx, f.at, of)
		done <- outcome{of, filed, err}
	}()
	f.under, f.pending, f.items, f.text = done, nil, 0, 0
	return nil
}

// wait waits for what is being filed and counts it.
func (f *filer) wait() error {
	if f.under == nil {
		return nil
	}
	o := <-f.under
	f.under = nil
	if o.err != nil {
		return o.err
	}
	for i := range o.filed {
		if err := o.filed[i].Err; errors.Is(err, store.ErrUnknown) {
			continue // unsubscribed meanwhile
		} else if err != nil {
			return err
		}
		f.rep.Filed += o.filed[i].New
		f.rep.Unread += unread(&o.of[i])
	}
	if f.progress != nil {
		f.progress(f.rep.Filed, f.rep.Cache.Articles)
	}
	return nil
}

// unread counts the items that a filing leaves unread.
func unread(f *store.Filing) int {
	read := map[int]bool{}
	for _, m := range f.Rules.Marks {
		if m.Kind == store.MarkedRead {
			for _, i := range m.New {
				read[i] = true
			}
		}
	}
	n := 0
	for i := range f.New {
		n += bit(f.New[i].Unread && !read[i])
	}
	return n
}
