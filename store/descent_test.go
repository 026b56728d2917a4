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
	own := must(s.Descent(ctx, ""))(t)
	for path, want := range map[string]bool{"/early": true, "/late": true, "/theirs": false, "/rubbish": false, "/none": false} {
		of, err := s.Descent(ctx, dir+path)
		kin := err == nil && own.SameLibrary(of)
		if kin != want || (err != nil) != (path == "/rubbish" || path == "/none") {
			t.Errorf("%s: kin %v, %v", path, kin, err)
		}
	}
}

// The line of descent and the counter of commits outlive compacting and copying,
// and a restore begins a line of its own that comes after all that it knows of,
// whichever clock it was made under.
func TestDescent(t *testing.T) {
	dir := t.TempDir()
	s, ctx := openStore(t, Options{Dir: dir + "/a", NoSync: true}), t.Context()
	fill(t, s, 1, 3, 100)
	of := func(path string) Descent { t.Helper(); return must(s.Descent(ctx, path))(t) }
	copied := func(name string) string {
		t.Helper()
		if err := s.Backup(ctx, dir+"/"+name); err != nil {
			t.Fatal(err)
		}
		return dir + "/" + name
	}
	act := func(at time.Time) {
		t.Helper()
		must(s.Act(ctx, at, "", Change{Kind: Tagged, Value: at.String(), Items: []ItemID{MakeItemID(1, 1)}}))(t)
	}
	follows := func(what string, early, late Descent) {
		t.Helper()
		if !late.SameLibrary(early) || early.Compare(late) >= 0 || late.Compare(early) <= 0 {
			t.Errorf("%s: %+v does not come before %+v", what, early, late)
		}
	}
	first := of("")
	if of(copied("one")) != first || first.Line != 0 || first.Commit == 0 {
		t.Fatalf("the library is %+v, its copy %+v", first, of(dir+"/one"))
	}
	act(day.AddDate(10, 0, 0))
	follows("an act under a wrong clock", first, of(""))
	copied("two")
	act(day)
	follows("an act after it", of(dir+"/two"), of(copied("three")))
	before := of("")
	if _, _, err := s.Compact(ctx); err != nil {
		t.Fatal(err)
	}
	if after := of(""); after.Line != before.Line || after.Began != before.Began {
		t.Errorf("compacting made %+v of %+v", after, before)
	} else {
		follows("compacting", before, after)
	}
	aside := must(s.Restore(ctx, day, dir+"/one"))(t)
	restored := of("")
	if restored.Line == 0 || restored.Parent != 0 || restored.Restores != 1 {
		t.Errorf("the restored library is %+v", restored)
	}
	follows("a restore", before, restored)
	if of(copied("four")) != restored {
		t.Errorf("its copy is %+v", of(dir+"/four"))
	}
	// Taken back, and then restored where nothing is known of what was there.
	must(s.Restore(ctx, day, aside))(t)
	back := of("")
	follows("taking it back", restored, back)
	if back.Line == restored.Line || back.Line == 0 || back.Parent != 0 {
		t.Errorf("taken back it is %+v", back)
	}
	if err := os.WriteFile(s.Path(), []byte("rubbish"), 0o600); err != nil {
		t.Fatal(err)
	}
	must(s.Restore(ctx, day, dir+"/four"))(t)
	if again := of(""); again.Parent != restored.Line || again.Line == back.Line || again.Line == restored.Line {
		t.Errorf("restored once more it is %+v", again)
	} else {
		follows("restoring once more", restored, again)
	}
	sound(t, s, true)

	// A library from before there were lines is the first of its line.
	aged(t, s.Path(), 4)
	act(day)
	follows("a library of schema 4", of(dir+"/one"), of(""))
	sound(t, s, true)
}

func FuzzLine(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8, 3})
	f.Fuzz(func(t *testing.T, b []byte) {
		var d, again Descent
		if d.Decode(b) && (!again.Decode(d.Encode()) || again != d) {
			t.Fatalf("%+v comes back as %+v", d, again)
		}
	})
}
