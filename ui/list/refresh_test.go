package list

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"diurna/reader"
	"diurna/ui/view"
)

func item(feed, no int) reader.ItemID { return reader.ItemID(feed)<<32 | reader.ItemID(no) }

// TestFinder: side by side or not, every row is found that is there.
func TestFinder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 30).Draw(t, "n")
		var have, rows []reader.Row
		for i := range n {
			r := reader.Row{ID: item(1, i+1), At: int64(rapid.IntRange(0, 9).Draw(t, "at")), Title: fmt.Sprint(i)}
			if rapid.Bool().Draw(t, "have") {
				have = append(have, r)
			}
			if rapid.Bool().Draw(t, "rows") {
				if rapid.IntRange(0, 4).Draw(t, "redated") == 0 {
					r.At += 3
				}
				rows = append(rows, r)
			}
		}
		if rapid.Bool().Draw(t, "in order") {
			byTime(have)
			byTime(rows)
		}
		there := map[reader.ItemID]bool{}
		for i := range rows {
			there[rows[i].ID] = true
		}
		find := finder(have, rows)
		for i := range have {
			got := find(&have[i])
			if (got != nil) != there[have[i].ID] || got != nil && got.ID != have[i].ID {
				t.Fatalf("%v among %v: %v", have[i], rows, got)
			}
		}
	})
}

func byTime(rows []reader.Row) {
	for i := range rows {
		for j := i; j > 0 && newer(&rows[j], &rows[j-1]); j-- {
			rows[j], rows[j-1] = rows[j-1], rows[j]
		}
	}
}

// TestStaleRowsAreDropped: rows that nobody waits for, or no more, change nothing.
func TestStaleRowsAreDropped(t *testing.T) {
	l := (&Source{}).New(Of{})
	l.Begin(&view.Scene{Zone: time.UTC}, []reader.Row{{ID: item(1, 1)}}, true)
	for _, msg := range []rowsMsg{{gen: 9999, rows: []reader.Row{{ID: item(9, 9), Title: "stale"}}}, {gen: 0, err: errors.New("late")}} {
		l.OnMsg(nil, msg)
		if l.List.N != 1 || l.At(0).ID != item(1, 1) {
			t.Errorf("%+v was taken in", msg)
		}
	}
}

// BenchmarkArrive is one new row above 100,000 that a key has moved in.
func BenchmarkArrive(b *testing.B) {
	s := &view.Scene{Zone: time.UTC}
	rows := make([]reader.Row, 100_000)
	for i := range rows {
		rows[i] = reader.Row{ID: item(1, len(rows)-i), At: int64((len(rows) - i) * 60)}
	}
	l := (&Source{}).New(Of{})
	l.Begin(s, rows, true)
	l.Hold()
	more := append([]reader.Row{{ID: item(1, 200_000), At: rows[0].At + 5}}, rows...)
	b.ResetTimer()
	for range b.N {
		l.load.arrive(s, more)
	}
	if len(l.table.rows.fresh) != 1 {
		b.Fatalf("%d rows wait", len(l.table.rows.fresh))
	}
}

func TestNothingIsChosenInAnEmptyList(t *testing.T) {
	if id := new(View).ChosenID(); id != 0 {
		t.Error(id)
	}
}
