package subscriptions

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"
	"time"

	"diurna/reader/model"
	"diurna/reader/opml"
	"diurna/reader/plain"
	"diurna/reader/queries"
	"diurna/reader/query"
	"diurna/reader/web"
	"diurna/store"
)

// Import subscribes to what an OPML or urls document names, as one step; what
// is known stays as it is. Nothing is fetched.
func (l *Lists) Import(ctx context.Context, doc []byte, o ImportOptions, now time.Time) (ImportReport, error) {
	list, err := parseList(doc, o.Name)
	if err != nil {
		return ImportReport{}, fmt.Errorf("%s: %w", cmp.Or(o.Name, "the list"), err)
	}
	skipped := refuseBlanks(&list)
	l.hideList(&list)
	// Feeds first: an address is theirs, and the second watch of it is marked.
	sort.SliceStable(list.Feeds, func(i, j int) bool { return list.Feeds[i].Watch == nil && list.Feeds[j].Watch != nil })
	rep := reportOf(&list)
	feeds, err := l.lib.Feeds(ctx)
	if err != nil {
		return rep, err
	}
	changes := l.newcomers(&rep, list.Feeds, feeds, o.First)
	saved, taken, added, refused, err := queries.New(l.store, l.lib, func() time.Time { return now }).Taken(ctx, queriesOf(&list, &rep, now), now)
	if err != nil {
		return rep, err
	}
	rep.Saved, rep.NewSaved, rep.Problems = taken, added, append(rep.Problems, refused...)
	if saved != nil {
		changes = append(changes, *saved)
	}
	rep.ListCut = o.Mirror && list.Cut                   // what is not in it may stand in what is missing
	if o.Mirror && !rep.ListCut && len(list.Feeds) > 0 { // an empty list is rather a mistake than a wish
		gone := l.unnamed(list.Feeds, feeds, skipped)
		changes, rep.Removed = append(changes, gone...), len(gone)
	}
	for i := range changes {
		if changes[i].Kind == store.Subscribed {
			rep.Fresh++
		}
	}
	changes = append(changes, o.Also...)
	if len(changes) == 0 || o.DryRun {
		return rep, nil
	}
	scope := cmp.Or(plain.Line(o.Name, 120), "import")
	if saved != nil && len(changes) == 1 {
		scope = "saved queries from " + scope
	}
	done, err := l.store.Act(ctx, now, scope, changes...)
	if err != nil {
		return rep, fmt.Errorf("import: %w", err)
	}
	rep.Step, rep.Added = done.Step, done.Feeds
	return rep, nil
}

// queriesOf are the queries of a list in diurna's language. What has no counterpart in it is
// refused with the reason.
func queriesOf(list *opml.List, rep *ImportReport, now time.Time) (names []query.Named) {
	for _, q := range list.Queries {
		text := q.Expr
		if !q.Own {
			translated, err := query.TranslateNewsboat(q.Expr, now)
			if err == nil && q.Open {
				rep.Problems = append(rep.Problems, fmt.Sprintf("line %d: %s", q.Line, opml.NotClosed))
			}
			if err != nil {
				rep.Problems = append(rep.Problems, strings.TrimSuffix(fmt.Sprintf("line %d: query feed %q: %s", q.Line, q.Name, plain.Line(q.Expr, 120)), ": ")+": "+err.Error())
				continue
			}
			text = translated.Canonical()
		}
		names = append(names, query.Named{Name: q.Name, Query: text})
	}
	return names
}

// reportOf says what a list holds, and what of it is not taken.
func reportOf(list *opml.List) ImportReport {
	rep := ImportReport{Feeds: len(list.Feeds), Problems: list.Problems, Queries: len(list.Queries)}
	tags := map[string]bool{}
	respelt, example := 0, ""
	for i := range list.Feeds {
		f := &list.Feeds[i]
		for _, t := range f.Tags {
			if ours := model.TagName(t); ours != t && !tags[t] {
				respelt++
				example = cmp.Or(example, fmt.Sprintf("%q became %q", t, ours))
			}
			tags[t] = true
		}
		if f.Title != "" {
			rep.Titles++
		}
		if f.Hidden {
			rep.Hidden++
		}
	}
	rep.Tags = len(tags)
	if respelt > 0 {
		if respelt > 1 {
			example += fmt.Sprintf(", and %d more alike", respelt-1)
		}
		rep.Problems = append(rep.Problems, "tags cannot contain spaces: "+example)
	}
	for _, f := range list.Refused {
		rep.Refused = append(rep.Refused, fmt.Sprintf("line %d: %s: %s", f.Line, plain.Redact(plain.Line(f.Text, 120)), f.Why))
		if line := cronLine(&f); line != "" {
			rep.Cron = append(rep.Cron, line)
		}
	}
	return rep
}

// newcomers subscribes to what of a list is not there yet.
func (l *Lists) newcomers(rep *ImportReport, list []opml.Outline, feeds []model.Feed, first map[string][2]string) []store.Change {
	have, at := map[string]*model.Feed{}, addressBook{} // nil: of the list
	newOnes := map[string]*store.Subscription{}
	for i := range feeds {
		have[l.key(feeds[i].URL, &feeds[i].Settings)] = &feeds[i]
		at[feeds[i].URL] = true
	}
	var changes []store.Change
	for i := range list {
		f := &list[i]
		sub := l.subscriptionOf(f)
		set := model.SettingsOf(sub.Attrs)
		key := l.key(f.URL, &set)
		if there, ok := have[key]; ok {
			rep.Known++
			if there != nil {
				rep.Already = append(rep.Already, *there)
			} else if first := newOnes[key]; first != nil {
				fileAlso(first, sub)
			}
			continue
		}
		have[key] = nil
		if f.Watch != nil {
			sub.URL = at.free(l.pages, sub.URL)
		} else if at[f.URL] {
			rep.Refused = append(rep.Refused, fmt.Sprintf("%s: is watched as a page", plain.Line(plain.Redact(f.URL), 120)))
			continue
		}
		if of := first[key]; f.Watch == nil {
			for i, name := range []string{model.SettingTitle, model.SettingSite} {
				if of[i] != "" && sub.Attrs[name] == "" {
					sub.Attrs[name] = of[i]
				}
			}
		}
		newOnes[key] = sub
		changes = append(changes, store.Change{Kind: store.Subscribed, Sub: sub})
	}
	return changes
}

// key is what two entries of lists share that mean the same: of a feed its
// address, of a page also what of it is watched.
func (l *Lists) key(address string, s *model.Settings) string {
	if page := l.pages.Key(address, s); page != "" {
		return page
	}
	return web.Key(address)
}

// addressBook holds the addresses that are taken, for pages that share one.
type addressBook map[string]bool

func (b addressBook) free(pages PageSettings, address string) string {
	free := address
	for n := 2; b[free]; n++ {
		free = pages.Twin(address, n)
	}
	b[free] = true
	return free
}

// unnamed unsubscribes from what a list does not name. One without pages is of a
// program that watches none.
func (l *Lists) unnamed(list []opml.Outline, feeds []model.Feed, skipped map[string]bool) (changes []store.Change) {
	named, pages := map[string]bool{}, false
	for i := range list {
		set := model.SettingsOf(l.subscriptionOf(&list[i]).Attrs)
		named[l.key(list[i].URL, &set)] = true
		pages = pages || list[i].Watch != nil
	}
	for i := range feeds {
		f := &feeds[i]
		if f.Watched && !pages || named[l.key(f.URL, &f.Settings)] || model.IsPiped(f.URL) || skipped[web.Shown(f.URL)] {
			continue
		}
		changes = append(changes, store.Change{Kind: store.Unsubscribed, Feed: f.Key})
	}
	return changes
}

// refuseBlanks moves the addresses that were copied without their secrets to
// what is refused, and returns them: they name feeds all the same.
func refuseBlanks(list *opml.List) map[string]bool {
	blank := map[string]bool{}
	kept := list.Feeds[:0]
	for _, f := range list.Feeds {
		if !web.LostSecret(f.URL) {
			kept = append(kept, f)
			continue
		}
		blank[web.Shown(f.URL)] = true
		list.Refused = append(list.Refused, opml.Refused{Line: f.Line, Text: f.URL, Why: "it has … instead of its secret"})
	}
	list.Feeds = kept
	return blank
}

// hideList hides what of a list is kept.
func (l *Lists) hideList(list *opml.List) {
	for i := range list.Feeds {
		f := &list.Feeds[i]
		f.URL, f.Site = l.web.Hide(plain.Outside(f.URL)), l.web.Hide(plain.Outside(f.Site))
		for name, v := range f.Attrs {
			f.Attrs[name] = l.web.Hide(plain.Outside(v))
		}
	}
}

// parseList reads a list. A list without sections may be newsboat's or newsraft's, which
// have their usual names.
func parseList(doc []byte, name string) (opml.List, error) {
	switch kind := opml.Sniff(doc); {
	case kind == "opml":
		return opml.ParseOPML(doc)
	case kind == "sfeed":
		return opml.ParseSfeed(doc)
	case kind == "newsraft", kind == "urls" && name == "feeds":
		return opml.ParseNewsraft(doc)
	case kind == "urls":
		return opml.ParseURLs(doc)
	}
	return opml.List{}, fmt.Errorf("neither OPML nor a list of newsboat, newsraft or sfeed")
}

func (l *Lists) subscriptionOf(f *opml.Outline) *store.Subscription {
	var tags []string
	for _, t := range f.Tags {
		if t = model.TagName(t); t != "" && !slices.Contains(tags, t) {
			tags = append(tags, t)
		}
	}
	attrs := model.Foreign(f.Attrs)
	if f.Watch != nil {
		attrs = l.pages.Attrs(f.Watch)
	}
	if f.Watch == nil && f.Attrs[model.SettingFull] == "true" {
		attrs[model.SettingFull] = "true"
	}
	if every := f.Attrs[model.SettingInterval]; every != "" {
		attrs[model.SettingInterval] = every
	}
	if f.Site != "" {
		attrs[model.SettingSite] = f.Site // until a fetch tells the publisher's own word
	}
	return &store.Subscription{
		URL: f.URL, Title: plain.Line(f.Title, 300),
		Folder: strings.Trim(plain.Line(f.Folder, 300), "/ "), Tags: tags, Hidden: f.Hidden, Attrs: attrs,
	}
}

// Export writes the subscriptions as OPML 2.0. Passwords and tokens in addresses
// are left out unless secrets is true.
func (l *Lists) Export(ctx context.Context, w io.Writer, secrets bool, now time.Time) (LeftOut, error) {
	list, out, err := l.outlines(ctx, secrets)
	if err != nil {
		return out, err
	}
	return out, opml.WriteOPML(w, list, now)
}

// ExportURLs writes the subscriptions as newsboat's urls file, the way back, saved queries
// as its query feeds.
func (l *Lists) ExportURLs(ctx context.Context, w io.Writer, secrets bool) (LeftOut, error) {
	list, out, err := l.outlines(ctx, secrets)
	if err != nil {
		return out, err
	}
	feeds := list.Feeds[:0]
	for _, f := range list.Feeds {
		if f.Watch == nil {
			feeds = append(feeds, f)
		}
	}
	out.Pages = len(list.Feeds) - len(feeds)
	list.Feeds = feeds
	var saved []query.Named
	for _, q := range list.Queries {
		saved = append(saved, query.Named{Name: q.Name, Query: q.Expr})
	}
	said := list.Queries[:0]
	for _, q := range list.Queries {
		asked, err := query.Parse(q.Expr, time.Now(), saved...)
		if err == nil {
			q.Own = false
			q.Expr, err = asked.Newsboat()
		}
		if err != nil {
			out.Queries = append(out.Queries, plain.Line(q.Name, 0)+": "+plain.Line(err.Error(), 200))
			continue
		}
		said = append(said, q)
	}
	list.Queries = said
	return out, opml.WriteURLs(w, list)
}

// ReadIDs writes the publishers' ids of all read items, a line each, as
// newsboat -I takes them.
func (l *Lists) ReadIDs(ctx context.Context, w io.Writer) error {
	return l.each(ctx, query.Read(), func(it *model.Item) error {
		for _, id := range newsboatIDs(it) {
			if _, err := fmt.Fprintln(w, plain.Line(id, 0)); err != nil {
				return err
			}
		}
		return nil
	})
}

// Flags writes a line for each saved item: its flags in newsboat (of tags such as flag-a;
// s where there are none), its address and title, with tabs between. It returns how many.
func (l *Lists) Flags(ctx context.Context, w io.Writer) (n int, err error) {
	return n, l.each(ctx, query.Saved(), func(it *model.Item) error {
		flags := ""
		for _, t := range it.Tags {
			if letter, ok := strings.CutPrefix(t, FlagTag); ok && len(letter) == 1 {
				flags += letter
			}
		}
		n++
		_, err := fmt.Fprintf(w, "%s\t%s\t%s\n", cmp.Or(flags, "s"), plain.Line(it.Link, 0), plain.Line(it.Title, 0))
		return err
	})
}

// FlagTag begins the tag that stands for a flag of newsboat's.
const FlagTag = "flag-"

// each visits the items that fit, some hundreds at a time.
func (l *Lists) each(ctx context.Context, q query.Query, visit func(*model.Item) error) error {
	rows, err := l.lib.Rows(ctx, q.WithHidden(), 0)
	if err != nil {
		return err
	}
	for len(rows) > 0 {
		n := min(len(rows), 500) // few enough to hold, many enough to be quick
		ids := make([]store.ItemID, n)
		for i := range ids {
			ids[i] = rows[i].ID
		}
		items, err := l.lib.Items(ctx, ids)
		if err != nil {
			return err
		}
		for i := range items {
			if err := visit(&items[i]); err != nil {
				return err
			}
		}
		rows = rows[n:]
	}
	return nil
}

// newsboatIDs is what newsboat may know an item by: without an id of its own by
// link and date in one word, as the feed spells it. That spelling is not kept;
// the two that most feeds use are tried, and an id too many does no harm there.
func newsboatIDs(it *model.Item) []string {
	utc := it.Published.UTC()
	switch {
	case it.IDRaw != "":
		return []string{it.IDRaw}
	case it.Link != "" && !it.Published.IsZero():
		return []string{it.Link + utc.Format("Mon, 02 Jan 2006 15:04:05 GMT"), it.Link + utc.Format(time.RFC1123Z)}
	case it.Link != "":
		return []string{it.Link}
	case it.Title != "":
		return []string{it.Title}
	}
	return nil
}

// outlines is the library's list of feeds, as it goes out. Feeds that are
// piped in have no address that another program could use. out counts them, and
// names the feeds whose addresses lost a secret.
func (l *Lists) outlines(ctx context.Context, secrets bool) (list opml.List, out LeftOut, err error) {
	feeds, err := l.lib.Feeds(ctx)
	if err != nil {
		return list, out, err
	}
	list.Title = "diurna subscriptions"
	saved, err := queries.New(l.store, l.lib, time.Now).List(ctx)
	if err != nil {
		return list, out, err
	}
	for _, q := range saved {
		list.Queries = append(list.Queries, opml.Query{Name: q.Name, Expr: q.Query, Own: true})
	}
	book := exportBook{}
	for i := range feeds {
		f := &feeds[i]
		if model.IsPiped(f.URL) {
			out.Taken++
			continue
		}
		address, lost, err := l.web.Exported(ctx, f.URL, secrets)
		if err != nil {
			return list, out, err
		}
		if !f.Watched {
			address = book.address(address, lost)
		}
		if lost {
			out.Secrets = append(out.Secrets, lostSecret(f, address))
		}
		if f.Untitled {
			f.Title = "" // an import would keep what stands in for one for good
		}
		if f.Watched {
			list.Feeds = append(list.Feeds, opml.Outline{URL: address, Title: f.Title, Folder: f.Folder, Tags: f.Tags, Hidden: f.Hidden, Watch: l.pages.Outline(f)})
			continue
		}
		attrs := f.Settings.Foreign()
		for name, v := range attrs {
			if attrs[name], _, err = l.web.Exported(ctx, v, secrets); err != nil {
				return list, out, err
			}
		}
		if f.Settings.Full {
			attrs[model.SettingFull] = "true"
		}
		attrs["category"] = categoryOf(attrs["category"], f.Tags) // "" is written from the tags
		site, _, err := l.web.Exported(ctx, f.Site, secrets)
		if err != nil {
			return list, out, err
		}
		list.Feeds = append(list.Feeds, opml.Outline{URL: address, Title: f.Title, Site: site, Folder: f.Folder,
			Tags: f.Tags, Hidden: f.Hidden, Attrs: attrs})
	}
	return list, out, nil
}

// cronLine is the crontab line that brings a refused command's feed in by way
// of take; "" where no command was refused.
func cronLine(f *opml.Refused) string {
	if f.Command == "" {
		return ""
	}
	command := plain.Redact(plain.Line(f.Command, 0)) // secrets are not for a file of commands
	if f.URL != "" {
		command = "curl -fsS " + plain.ShellQuote(plain.Redact(plain.Line(f.URL, 0))) + " | " + command
	}
	name := plain.ShellQuote(cmp.Or(plain.Line(f.Title, 100), fmt.Sprintf("line %d", f.Line)))
	if strings.HasPrefix(name, "'-") {
		name = "-- " + name // a title is no flag
	}
	return strings.ReplaceAll(fmt.Sprintf("*/30 * * * * %s | diurna take %s", command, name), "%", `\%`)
}
