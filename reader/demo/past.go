package demo

import (
	"sort"
	"time"
)

// fondness says of how many items in ten of a feed the reader opens one at a
// look; those without a line are skimmed.
var fondness = map[string]int{
	"Kernel Notes": 6, "Small Databases": 5, "Harbour Gazette": 2, "Lighthouse Log": 4,
	"港の便り": 5, "Comet Desk": 4, "Static Types": 3, "Terminal Weekly": 6, "Bread and Salt": 1,
}

// Past is what happened in the Days before now, in order of time: before its day
// began, which is always the same, and since. It ends shortly before now, with a
// fetch, so that there is something new to read.
func Past(now time.Time) (before, today []Moment) {
	w := newServer(now)
	for _, m := range past(w.home) {
		if m.At.After(w.home) {
			continue // of a session that has just begun
		}
		early := m.At.Before(origin) && m.Do != Fetch || m.At.Before(origin.Add(-lastFetch))
		if m.At = w.here(m.At); early {
			before = append(before, m)
		} else {
			today = append(today, m)
		}
	}
	return before, today
}

// lastFetch is how long before now the last fetch was.
const lastFetch = 25 * time.Minute

// past is the same in the publisher's calendar.
func past(now time.Time) []Moment {
	first := origin.AddDate(0, 0, -Days).Add(6*time.Hour + 50*time.Minute)
	var list []Moment
	for i, f := range Feeds() {
		list = append(list, Moment{At: first.Add(time.Duration(i) * time.Minute), Do: Subscribe, Feed: f})
	}
	list = append(list, watching(first)...)
	seen := map[string]bool{}
	for d := Days; d >= 0; d-- {
		day := origin.AddDate(0, 0, -d)
		for n, look := range looks(day) {
			if look.After(now) || look.Before(first.Add(time.Hour)) {
				continue
			}
			list = append(list, session(look, n, seen)...)
		}
	}
	// A last fetch a while ago: what it brought waits for the first screen.
	list = append(list, Moment{At: now.Add(-lastFetch), Do: Fetch})
	sort.SliceStable(list, func(i, j int) bool { return list[i].At.Before(list[j].At) })
	return list
}

// looks are the two times of a day when the reader comes: with the coffee and
// late.
func looks(day time.Time) []time.Time {
	seed := seedOf("looks", day, 0)
	morning, evening := 7*60+20, 21*60+10
	at := func(minutes int, spread uint64) time.Time {
		return day.Add(time.Duration(minutes+int(spread%40)) * time.Minute)
	}
	return []time.Time{at(morning, seed), at(evening, seed>>8)}
}

// session is a fetch, a look a little later, and what is read at it. What was
// left lying for three days is marked read in the evening.
func session(look time.Time, n int, seen map[string]bool) []Moment {
	list := []Moment{{At: look.Add(-15 * time.Minute), Do: Fetch}, {At: look, Do: Look}}
	at := look
	for i := range publications() {
		p := &publications()[i]
		if p.unsubscribed {
			continue
		}
		for _, it := range p.posts(look.Add(-15*time.Minute), 6) {
			seed := seedOf(it.id, it.at, 7)
			if seen[it.id] || it.title == "" || int(seed%10) >= fondness[p.title] || len(list) > 7 {
				continue
			}
			seen[it.id] = true
			at = at.Add(time.Duration(60+seed>>8%200) * time.Second)
			list = append(list, Moment{At: at, Do: Open, In: p.title, Title: it.title})
			switch seed >> 20 % 9 {
			case 0:
				list = append(list, Moment{At: at.Add(30 * time.Second), Do: Save, In: p.title, Title: it.title})
			case 1:
				list = append(list, Moment{At: at.Add(30 * time.Second), Do: Tag, In: p.title, Title: it.title, Word: "later"})
			}
		}
	}
	if n == 1 {
		list = append(list, Moment{At: at.Add(2 * time.Minute), Do: MarkRead, Word: "unread older:2d"})
	}
	return list
}

func dayStart(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, t.Location())
}
