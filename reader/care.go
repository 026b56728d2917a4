package reader

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"diurna/reader/feed"
	"diurna/reader/fetch"
	"diurna/reader/opml"
	"diurna/reader/plain"
	"diurna/store"
)

// takeScheme begins the address of a feed that no server has: its documents
// are piped in by `take`.
const takeScheme = "take:"

// take files a document that the person's own program wrote as the feed name,
// which is subscribed to when it is not yet.
func (r *Reader) take(ctx context.Context, name string, doc []byte) (Subscribed, error) {
	name = plain.Line(name, 200)
	if name == "" {
		return Subscribed{}, errors.New("a feed that is taken needs a name")
	}
	h := harvest{at: r.now(), asked: takeScheme + name, hash: bodyHash(doc)}
	h.doc, h.err = readDocument(feed.Input{Body: doc, Now: h.at})
	if h.err != nil {
		return Subscribed{}, h.err
	}
	h.res = fetch.Result{Status: 200, URL: h.asked, WireBytes: int64(len(doc))}
	done, err := r.store.Act(ctx, r.now(), "", store.Change{Kind: store.Subscribed,
		Sub: &store.Subscription{URL: h.asked, Title: name}})
	if err != nil {
		return Subscribed{}, fmt.Errorf("take %s: %w", name, err)
	}
	out := Subscribed{Step: done.Step}
	all, err := r.store.Feeds(ctx)
	if err != nil {
		return out, fmt.Errorf("read the feeds: %w", err)
	}
	i := slices.IndexFunc(all, func(f store.Feed) bool { return f.URL == h.asked })
	if i < 0 {
		return out, fmt.Errorf("take %s: the library does not have it", name)
	}
	g := gathered{job: job{feed: all[i], first: all[i].Items == 0, all: true}, h: h}
	if err := r.file(ctx, []gathered{g}, func(res FetchResult) { out.Items = res.New }); err != nil {
		return out, err
	}
	out.Feed, err = r.findFeed(ctx, all[i].ID.String())
	out.Unread = out.Feed.Unread
	return out, err
}

// taken reports whether a feed's documents are piped in rather than fetched.
func taken(address string) bool { return strings.HasPrefix(address, takeScheme) }

func (r *Reader) backup(ctx context.Context, path string) error {
	if err := r.store.Backup(ctx, path); err != nil {
		return fmt.Errorf("back up to %s: %w", path, err)
	}
	return nil
}

func (r *Reader) restore(ctx context.Context, path string) (string, error) {
	aside, err := r.store.Restore(ctx, r.now(), path)
	if err != nil {
		return "", fmt.Errorf("restore %s: %w", path, err)
	}
	return aside, nil
}

func (r *Reader) compact(ctx context.Context) (before, after int64, err error) {
	before, after, err = r.store.Compact(ctx)
	if err != nil {
		err = fmt.Errorf("compact: %w", err)
	}
	return before, after, err
}

// ListHere is a subscription list found on this machine.
type ListHere struct {
	Path    string
	Kind    string // "newsboat" or "OPML"
	Feeds   int
	Tags    int
	Queries int
}

// listsHere looks for newsboat's urls file and for OPML files where people
// keep them. It only reads.
func listsHere(home, configHome string) []ListHere {
	var found []ListHere
	places := []string{
		filepath.Join(cmp.Or(configHome, filepath.Join(home, ".config")), "newsboat", "urls"),
		filepath.Join(home, ".newsboat", "urls"), filepath.Join(home, ".newsbeuter", "urls"),
	}
	for _, dir := range []string{home, filepath.Join(home, "Downloads"), filepath.Join(home, "Documents")} {
		for _, pattern := range []string{"*.opml", "*.opml.xml"} {
			more, err := filepath.Glob(filepath.Join(dir, pattern))
			if err == nil {
				places = append(places, more[:min(len(more), 3)]...)
			}
		}
	}
	for _, path := range places {
		if st, err := os.Stat(path); err != nil || !st.Mode().IsRegular() || st.Size() > opml.MaxBytes {
			continue
		}
		b, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		list, err := parseList(b)
		if err != nil || len(list.Feeds) == 0 {
			continue
		}
		h := ListHere{Path: path, Kind: "OPML", Feeds: len(list.Feeds), Queries: len(list.Queries)}
		if filepath.Base(path) == "urls" {
			h.Kind = "newsboat"
		}
		tags := map[string]bool{}
		for i := range list.Feeds {
			for _, t := range list.Feeds[i].Tags {
				tags[t] = true
			}
		}
		h.Tags = len(tags)
		found = append(found, h)
	}
	return found
}
