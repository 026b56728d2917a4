package subscriptions

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"diurna/reader/model"
	"diurna/reader/opml"
	"diurna/reader/plain"
	"diurna/reader/web"
	"diurna/reader/wording"
	"diurna/store"
)

// folderMark begins the word that names a folder in the text form of the feeds,
// which newsboat takes for one more tag.
const folderMark = "folder:"

var errEmptied = errors.New("the text is empty, so nothing was changed; to unsubscribe from everything keep its first line")

// EditText writes all feeds as newsboat lines, for a text editor.
func (l *Lists) EditText(ctx context.Context) ([]byte, error) {
	feeds, err := l.lib.Feeds(ctx)
	if err != nil {
		return nil, err
	}
	var list opml.List
	for i := range feeds {
		f := &feeds[i]
		if model.IsPiped(f.URL) || f.Watched {
			continue // it has no address that a line could name, or is no feed
		}
		tags := slices.Clone(f.Tags)
		if f.Folder != "" {
			tags = append([]string{folderMark + f.Folder}, tags...)
		}
		address, err := l.store.Reveal(ctx, f.URL)
		if errors.Is(err, store.ErrSecretLost) {
			address, err = f.URL, nil // left alone it stays as it is
		}
		if err != nil {
			return nil, err
		}
		list.Feeds = append(list.Feeds, opml.Outline{URL: address, Title: f.Given, Tags: tags, Hidden: f.Hidden})
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s feeds. One per line: address, tags, \"~Title\"; %sNAME is the folder.\n", wording.Count(len(list.Feeds)), folderMark)
	b.WriteString("# Removing a line unsubscribes, a new line subscribes; undo reverts all of it at once.\n")
	if err := opml.WriteURLs(&b, list); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// edited is one feed of the text, its folder taken out of the tags.
func (l *Lists) edited(line *opml.Outline) store.Subscription {
	f := *line
	f.Tags = nil
	for _, t := range line.Tags {
		if folder, ok := strings.CutPrefix(t, folderMark); ok {
			f.Folder = folder
		} else {
			f.Tags = append(f.Tags, t)
		}
	}
	return *l.subscriptionOf(&f)
}

// ApplyEdit makes the feeds what the edited text says, as one undoable step. A line
// whose address alone changed, recognised by its title and tags, moves the feed and
// keeps its items.
func (l *Lists) ApplyEdit(ctx context.Context, text []byte, now time.Time) (EditReport, error) {
	list, err := opml.ParseURLs(text)
	if err != nil {
		return EditReport{}, err
	}
	rep := EditReport{}
	for _, f := range list.Refused {
		rep.Refused = append(rep.Refused, fmt.Sprintf("line %d: %s: %s", f.Line, plain.Redact(f.Text), f.Why))
	}
	for _, f := range list.Feeds {
		if web.LostSecret(f.URL) {
			rep.Refused = append(rep.Refused, fmt.Sprintf("%s has … instead of its secret: write the secret there", web.Shown(f.URL)))
		}
	}
	if len(rep.Refused) > 0 {
		return rep, &model.UserError{Sentence: "the text was not applied: " + rep.Refused[0], Kind: web.ErrAddress}
	}
	feeds, err := l.lib.Feeds(ctx)
	if err != nil {
		return rep, err
	}
	feeds = slices.DeleteFunc(feeds, func(f model.Feed) bool { return model.IsPiped(f.URL) || f.Watched })
	if len(list.Feeds) == 0 && len(feeds) > 0 && !bytes.ContainsRune(text, '#') {
		// An editor that died leaves no more than this; who means it leaves the head.
		return rep, errEmptied
	}
	changes := l.changesOf(feeds, list.Feeds, &rep)
	if len(changes) == 0 {
		return rep, nil
	}
	done, err := l.store.Act(ctx, now, "edit", changes...)
	if err != nil {
		return rep, fmt.Errorf("apply the text: %w", err)
	}
	rep.Step, rep.New = done.Step, done.Feeds
	if rep.Moved > 0 {
		if err := l.moved(ctx, movedFeeds(changes)...); err != nil {
			return rep, err
		}
	}
	return rep, nil
}

// changesOf makes of the feeds what the lines say, and counts what it takes.
func (l *Lists) changesOf(feeds []model.Feed, lines []opml.Outline, rep *EditReport) []store.Change {
	gone := map[string]*model.Feed{}
	for i := range feeds {
		gone[feeds[i].URL] = &feeds[i]
	}
	var changes []store.Change
	var fresh []store.Subscription
	for i := range lines {
		s := l.edited(&lines[i])
		s.URL = l.asEdited(s.URL, gone)
		if f, ok := gone[s.URL]; ok {
			delete(gone, s.URL)
			changes = append(changes, differences(f, &s)...)
			continue
		}
		if !slices.ContainsFunc(fresh, func(o store.Subscription) bool { return o.URL == s.URL }) {
			fresh = append(fresh, s)
		}
	}
	for _, s := range fresh {
		if f := movedLine(gone, &s); f != nil {
			delete(gone, f.URL)
			changes = append(changes, web.Readdress(f.Key, f.URL, s.URL, f.AllowPrivate)...)
			rep.Moved++
			continue
		}
		changes = append(changes, store.Change{Kind: store.Subscribed, Sub: &s})
		rep.Added++
	}
	for _, f := range feeds {
		if _, ok := gone[f.URL]; ok {
			changes = append(changes, store.Change{Kind: store.Unsubscribed, Feed: f.Key})
			rep.Removed++
		}
	}
	rep.Changed = len(changes) - rep.Added - rep.Removed - rep.Moved
	return changes
}

func movedFeeds(changes []store.Change) []store.FeedID {
	var ids []store.FeedID
	for _, c := range changes {
		if c.Kind == store.Adjusted && c.Field == "url" {
			ids = append(ids, c.Feed)
		}
	}
	return ids
}

// differences are the changes that make a feed what its line says.
func differences(f *model.Feed, s *store.Subscription) []store.Change {
	var changes []store.Change
	adjust := func(field, from, to string) {
		if from != to {
			changes = append(changes, store.Change{Kind: store.Adjusted, Feed: f.Key, Field: field, Value: to})
		}
	}
	adjust("title", f.Given, s.Title)
	adjust("folder", f.Folder, s.Folder)
	adjust("tags", model.TagLines(f.Tags), model.TagLines(s.Tags))
	adjust("hidden", fmt.Sprint(f.Hidden), fmt.Sprint(s.Hidden))
	return changes
}

// movedLine finds the one feed that a new line is the new address of: all else
// in the line the same, no other feed like it, and something that names it: a
// title of the user's own, or the same host.
func movedLine(gone map[string]*model.Feed, s *store.Subscription) *model.Feed {
	var found *model.Feed
	for _, f := range gone {
		if len(differences(f, s)) > 0 || s.Title == "" && !model.SameHost(f.URL, s.URL) {
			continue
		}
		if found != nil {
			return nil
		}
		found = f
	}
	return found
}

// asEdited is an address as it comes back from a user's editor: one whose
// secret is lost went there as it is kept, and comes back as a stranger's.
func (l *Lists) asEdited(address string, feeds map[string]*model.Feed) string {
	if kept := strings.ReplaceAll(address, plain.Outside(store.SecretMark), store.SecretMark); feeds[kept] != nil {
		return kept
	}
	return l.web.Hide(address)
}
