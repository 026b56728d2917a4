package reader

import (
	"errors"
	"strings"
	"testing"
	"time"

	"diurna/reader/web"
)

// TestPathsWithoutAList: a path is answered as one, not as a wrong address.
func TestPathsWithoutAList(t *testing.T) {
	for _, typed := range []string{"/tmp/nothing.opml", "~/nothing", "./urls.none", "../urls.none"} {
		_, _, err := web.Parse(typed)
		if !errors.Is(err, ErrAddress) || !strings.HasPrefix(err.Error(), "no OPML or urls file is at ") {
			t.Errorf("%s: %v", typed, err)
		}
	}
	if address, _, err := web.Parse("//harbour.example/feed"); err != nil || address != "https://harbour.example/feed" {
		t.Errorf("an address without its scheme: %s, %v", address, err)
	}
}

// An address copied from what the program prints has … where its secret was, and
// is no address.
func TestAddressWithoutItsSecret(t *testing.T) {
	const whole = "https://a.example/feed?token=kelp"
	r := newLibrary(t, listWeb())
	add(t, r, harbour, SubscribeOptions{})
	feeds, err := r.Feeds(t.Context())
	if err != nil || len(feeds) != 1 {
		t.Fatal(feeds, err)
	}
	for _, bare := range []string{web.Shown(whole), "https://…@a.example/feed", "https://a.example/feed?token=%E2%80%A6"} {
		if _, err := r.Finder().Look(t.Context(), bare, false); !errors.Is(err, ErrAddress) || !strings.Contains(err.Error(), "write the secret there") {
			t.Errorf("add %s: %v", bare, err)
		}
		if _, err := r.Adjust(t.Context(), feeds[0].Key, "url", bare); !errors.Is(err, ErrAddress) {
			t.Errorf("mv to %s: %v", bare, err)
		}
		if _, err := r.Subscriptions().ApplyEdit(t.Context(), []byte("# all\n"+bare+"\n"), r.now()); !errors.Is(err, ErrAddress) {
			t.Errorf("edit to %s: %v", bare, err)
		}
	}
	for _, fine := range []string{whole, "https://a.example/…?q=…"} {
		if web.LostSecret(fine) {
			t.Errorf("%s is taken for one without its secret", fine)
		}
	}
}

// A list that was printed without its secrets brings no feed twice, and a mirror
// of it unsubscribes nothing.
func TestListWithoutItsSecrets(t *testing.T) {
	web := listWeb()
	const whole = "https://a.example/feed?token=kelp"
	web.serve(whole, "text/xml", rssOf("A", "1|One|"+ago(time.Hour)+"|x"))
	r := newLibrary(t, web)
	add(t, r, whole, SubscribeOptions{})
	add(t, r, harbour, SubscribeOptions{})
	list := "https://a.example/feed?token=…\n" + harbour + "\n"
	rep, err := r.Import(t.Context(), []byte(list), ImportOptions{Mirror: true, Name: "urls"}, nil)
	if err != nil || len(rep.Refused) != 1 || len(rep.Added) != 0 || rep.Removed != 0 {
		t.Errorf("%+v, %v", rep, err)
	}
	if feeds, err := r.Feeds(t.Context()); err != nil || len(feeds) != 2 {
		t.Errorf("%d feeds, %v", len(feeds), err)
	}
	if _, err := r.Subscriptions().ApplyEdit(t.Context(), []byte("# all\nhttps://me:…@a.example/feed\n"), r.now()); !errors.Is(err, ErrAddress) {
		t.Errorf("edit: %v", err)
	}
}
