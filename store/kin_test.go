package store

import (
	"errors"
	"os"
	"testing"
	"time"
)

// A backup is known by its first fact: whatever came later, and of whatever age
// the library is, nobody else's begins with the same.
func TestKin(t *testing.T) {
	dir := t.TempDir()
	s, ctx := openStore(t, Options{Dir: dir + "/a", NoSync: true}), t.Context()
	fill(t, s, 1, 3, 100)
	for _, path := range []string{"/early", "/late"} {
		if err := s.Backup(ctx, dir+path); err != nil {
			t.Fatal(err)
		}
		must(s.Act(ctx, day.Add(time.Minute), "", Change{Kind: Tagged, Value: "later", Items: []ItemID{MakeItemID(1, 1)}}))(t)
	}
	other := openStore(t, Options{Dir: dir + "/b", NoSync: true})
	must(other.Act(ctx, day.Add(time.Hour), "", Change{Kind: Subscribed, Sub: &Subscription{URL: "https://b.example"}}))(t)
	if err := errors.Join(other.Backup(ctx, dir+"/theirs"), os.WriteFile(dir+"/rubbish", make([]byte, 9000), 0o600)); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{"/early": true, "/late": true, "/theirs": false, "/rubbish": false, "/none": false} {
		kin, err := s.Kin(ctx, dir+path)
		if kin != want || (err != nil) != (path == "/rubbish" || path == "/none") {
			t.Errorf("%s: kin %v, %v", path, kin, err)
		}
	}
}
