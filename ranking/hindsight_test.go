package ranking

import (
	"fmt"
	"testing"
)

// TestReplay: of ten new items a day one is opened, always of the same feed and
// never among the newest three. Ranked would have learned that.
func TestReplay(t *testing.T) {
	r := newReader(t)
	var stays []Stay
	var log []Event
	at := int64(0)
	note := func(e Event) {
		e.No = uint64(len(log) + 1)
		e.At = at
		log = append(log, e)
	}
	for day := range 60 {
		at = int64(day) * 1000
		var today []Candidate
		for i := range 10 {
			it := Item{ID: uint64(day*10 + i), Feed: fmt.Sprint("feed", i)}
			c := Candidate{ID: it.ID, At: at + int64(i), Item: r.b.Vector(it)}
			today = append(today, c)
			stays = append(stays, Stay{c, at + 900})
		}
		at += 500
		note(Event{Kind: Looked})
		for row := range today {
			c := today[len(today)-1-row]
			note(Event{Kind: Shown, Row: row + 1, ID: c.ID, Item: c.Item})
		}
		note(Event{Kind: Opened, ID: today[2].ID, Item: today[2].Item})
		if day == 50 {
			note(Event{Kind: Opened, ID: today[9].ID, Item: today[9].Item})
			log[len(log)-1].Step = 7777
			note(Event{Kind: Undone, Ref: 7777})
		}
	}
	r.b.Refold(log)
	before := r.b.Table()
	got := r.b.Replay(log, stays, 3, 40)
	if got.Opens != 40 || got.Newest != 0 || got.Ranked < 38 {
		t.Errorf("%+v", got)
	}
	if all := r.b.Replay(log, stays, 3, 1000); all.Opens != 60 || all.Ranked < got.Ranked {
		t.Errorf("over the whole log %+v", all)
	}
	if r.b.Table() != before {
		t.Error("looking back changes the beliefs")
	}
	if none := r.b.Replay(nil, stays, 3, 10); none != (Hindsight{}) {
		t.Errorf("an empty log gives %+v", none)
	}
}
