package reader

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"diurna/scheduler"
	"diurna/store"
)

// Doctor blames nobody for an overdue feed once the day's budget is used but for
// what is kept for opening the screen, and how much that is follows from plan_for.
func TestAbandonedMindsWhatIsKept(t *testing.T) {
	for plan, want := range map[scheduler.PlanFor]bool{scheduler.PlanForOpening: false, scheduler.PlanForLooks: true} {
		web := newFakeWeb()
		dir := t.TempDir()
		s, err := store.Open(store.Options{Dir: dir, CacheDir: dir, NoSync: true})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		r := New(s, Options{Version: "test", Role: "test", Transport: web, PlanFor: plan, Net: Net{MinHostInterval: -1}})
		at := func(hour int) *Reader { return r.At(time.Date(2026, 11, 2, hour, 0, 0, 0, time.Local)) }
		var ids []FeedID
		for _, name := range []string{"a", "b"} {
			web.serve("https://"+name+".example/f", "text/xml", rssOf(name, "x|X|"+at(9).now().Format(time.RFC1123Z)+"|text"))
			ids = append(ids, add(t, at(10), "https://"+name+".example/f", SubscribeOptions{}).Feed.Key)
		}
		if _, err := at(11).Planner().SetBudget(t.Context(), 3, at(11).now()); err != nil {
			t.Fatal(err)
		}
		for _, hour := range []int{24 + 20, 24 + 22} { // two of the next day's three
			if rep, err := at(hour).Fetch(t.Context(), FetchRequest{Feeds: ids[:1]}, nil); err != nil || rep.Fetched != 1 {
				t.Fatalf("%+v, %v", rep, err)
			}
		}
		booked := fmt.Sprintf(`{"%s":%d}`, ids[1], at(24+1).now().Unix()) // and nobody came
		if err := s.Cache().Put(t.Context(), "plan", map[string][]byte{"booked": []byte(booked)}); err != nil {
			t.Fatal(err)
		}
		now := at(24 + 23)
		if d, err := now.Maintenance().Doctor(t.Context(), nil); err != nil || slices.ContainsFunc(d.Problems, func(p Problem) bool { return p.Place == "fetching" }) != want {
			t.Errorf("plan %v, 2 of 3 used: %v, %v; want %v", plan, d.Problems, err, want)
		}
	}
}
