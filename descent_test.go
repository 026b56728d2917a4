//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// backupDays are the dates in the names of the daily backups, ascending.
func (l *life) backupDays() (days []string) {
	l.t.Helper()
	list, err := filepath.Glob(filepath.Join(l.home, ".local/share/diurna/diurna.db.backup-*"))
	if err != nil {
		l.t.Fatal(err)
	}
	for _, path := range list {
		days = append(days, path[strings.LastIndex(path, "backup-")+len("backup-"):])
	}
	return days
}

// misset sets the clock of this machine alone: the publishers' are right.
func (l *life) misset(d time.Duration) {
	l.clock.jump(d)
	l.clock.wrong.Add(int64(d))
}

// TestBackupsAfterAJump: one process lives ten years ahead. Backups go on being
// made each day, those of the wrong clock go when it is their turn by what is in
// them, and restore lists and takes the one that holds most.
func TestBackupsAfterAJump(t *testing.T) {
	t.Parallel()
	l := newLife(t, "Europe/Berlin", "2031-03-03 09:00")
	f := l.web.feed("one").every(time.Hour, l.start.Add(-4*time.Hour), l.start.AddDate(0, 0, 8))
	day := func(n int) time.Time { return l.start.AddDate(0, 0, n) }
	l.must(l.start, "add", f.url)
	l.must(day(1), "fetch", "--all")
	l.misset(10 * 365 * 24 * time.Hour)
	l.must(l.clock.now(), "fetch", "--all")
	l.misset(-10 * 365 * 24 * time.Hour)
	wrong := day(1).Add(10 * 365 * 24 * time.Hour).Format(time.DateOnly)
	want := func(when string, days ...string) {
		t.Helper()
		if got := l.backupDays(); fmt.Sprint(got) != fmt.Sprint(days) {
			t.Errorf("%s there are backups of %v, want %v", when, got, days)
		}
	}
	date := func(n int) string { return day(n).Format(time.DateOnly) }
	want("under the wrong clock", date(0), date(1), wrong)
	l.must(day(2), "fetch", "--all")
	want("the day after", date(1), date(2), wrong)

	r := l.run(l.clock.now(), "restore")
	var order []string
	for line := range strings.Lines(r.out) {
		_, name, _ := strings.Cut(line, "backup-")
		order = append(order, name[:len(time.DateOnly)])
	}
	if r.code != 2 || fmt.Sprint(order) != fmt.Sprint([]string{date(2), wrong, date(1)}) {
		t.Errorf("restore lists %v, exit code %d\n%s", order, r.code, r.out)
	}
	// The library goes, and the newest backup is not the one of the latest date.
	l.must(l.clock.now(), "mark", "saved", "unread")
	library := filepath.Join(l.home, ".local/share/diurna/diurna.db")
	if err := os.Remove(library); err != nil {
		t.Fatal(err)
	}
	r = l.run(l.clock.now(), "restore")
	if r.code != 0 || !strings.Contains(r.talk, "restored the backup of "+date(2)) {
		t.Errorf("restored with exit code %d\n%s", r.code, r.talk)
	}
	l.must(day(3), "fetch", "--all")
	want("after a restore", date(2), date(3), wrong)
	l.must(day(4), "fetch", "--all")
	want("the day after that", date(2), date(3), date(4))
	r = l.run(l.clock.now(), "restore")
	if lines := strings.Split(r.out, "\n"); len(lines) != 4 || !strings.Contains(lines[2], date(2)) || !strings.Contains(lines[2], "from before a restore") {
		t.Errorf("restore lists\n%s", r.out)
	}
	if r := l.run(l.clock.now(), "doctor", "-q"); r.code == 5 {
		t.Error(r.out)
	}
}

// TestListsAfterAJump: items without dates and a watched page come while the clock
// is ten years ahead, and others while it is dead. Once it is right nothing of that
// stands on top or is buried, what was read stays read, what was booked for then is
// fetched, and doctor says what it saw.
func TestListsAfterAJump(t *testing.T) {
	t.Parallel()
	l := newLife(t, "Europe/Berlin", "2031-03-03 09:00")
	hourly := func(f *lifeFeed) *lifeFeed {
		return f.every(3*time.Hour, l.start.Add(-48*time.Hour), l.start.AddDate(0, 0, 6))
	}
	dated := hourly(l.web.alone("dated"))
	bare := hourly(l.web.alone("bare")).change(func(f *lifeFeed) { f.dateless = true })
	page := hourly(l.web.alone("page")).change(func(f *lifeFeed) { f.page = true })
	l.must(l.start, "add", dated.url)
	l.must(l.start, "add", bare.url)
	l.must(l.start, "watch", page.url)
	l.must(l.start.Add(5*time.Hour), "fetch", "--all")
	ids := func(query ...string) (list []string) {
		for _, it := range l.json(l.clock.now(), append([]string{"items"}, query...)...) {
			list = append(list, it["id"].(string))
		}
		return list
	}
	known := ids()
	l.must(l.clock.now(), "mark", "read", "unread")

	const decade = 10 * 365 * 24 * time.Hour
	l.misset(decade)
	l.must(l.clock.now().Add(8*time.Hour), "fetch", "--all")
	ahead := ids("unread")
	if len(ahead) < 3 {
		t.Fatalf("under a clock that is ahead only %v came", ahead)
	}
	l.must(l.clock.now(), "fetch") // books the day
	l.misset(-decade)
	l.must(l.clock.now().Add(2*time.Hour), "fetch", "--all")
	l.must(l.clock.now().Add(4*time.Hour), "fetch", "--all")

	// By now the clock has been right for six hours: what came then stands above
	// what came before it was.
	now, old := l.clock.now(), 0
	for i, id := range ids() {
		if slices.Contains(ahead, id) {
			old++
		} else if old > 0 && !slices.Contains(known, id) && !strings.HasPrefix(id, known[0][:3]) {
			t.Errorf("item %d of the list, %s, came last and stands below %d of the wrong clock", i, id, old)
		}
	}
	if old != len(ahead) || slices.Contains(ahead, ids()[0]) {
		t.Errorf("the list is %v; under the wrong clock came %v", ids(), ahead)
	}
	d := l.json(now, "doctor")[0]
	if clock, _ := d["clock"].(string); !strings.Contains(clock, "was ahead") || !strings.Contains(clock, "2041-") || d["good"] != true {
		t.Errorf("doctor says %q, good: %v, %v", clock, d["good"], d["hindered"])
	}
	if read := ids("read"); len(read) < len(known) {
		t.Errorf("%d items were read, %d are", len(known), len(read))
	}

	// A dead clock: what comes stands on top, and nothing that was there moves.
	before := ids()
	back := now.Sub(time.Unix(90*86400, 0))
	l.misset(-back)
	l.must(l.clock.now().Add(6*time.Hour), "fetch", "--all")
	r := l.run(l.clock.now(), "doctor", "-q")
	if r.code != 3 || !strings.Contains(r.out, "reads 1970-04-01T") || !strings.Contains(r.out, ", but the library knows of 2031-03-0") {
		t.Errorf("under a dead clock doctor says, exit code %d\n%s", r.code, r.out)
	}
	dead := ids()
	if fresh := len(dead) - len(before); fresh < 3 || fmt.Sprint(dead[fresh:]) != fmt.Sprint(before) {
		t.Errorf("under a dead clock the list is %v, was %v", dead, before)
	}
	l.misset(back)

	// The plan goes on: cron's fetches are made.
	mark := l.clock.now()
	l.cron(mark.Add(time.Hour), mark.Add(26*time.Hour), time.Hour, "fetch")
	for _, name := range []string{"dated", "bare", "page"} {
		if n := l.web.since(name, mark); n == 0 {
			t.Errorf("%s was not fetched in a day after the clock was right again", name)
		}
	}
	if r := l.run(l.clock.now(), "doctor"); r.code != 0 {
		t.Errorf("at last doctor says\n%s", r.out)
	}
}

// TestReplacedGoInTime: what a restore replaced stays for 30 days and while a backup
// is older, also when the clock is years ahead for a day; what cannot be read or is
// another library stays for ever.
func TestReplacedGoInTime(t *testing.T) {
	t.Parallel()
	l := newLife(t, "Europe/Berlin", "2031-03-03 09:00")
	f := l.web.feed("one").every(12*time.Hour, l.start.Add(-4*time.Hour), l.start.AddDate(0, 0, 50))
	day := func(n int) time.Time { return l.start.AddDate(0, 0, n) }
	dir := filepath.Join(l.home, ".local/share/diurna")
	replaced := func() (names []string) {
		list, err := filepath.Glob(filepath.Join(dir, "*replaced-*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range list {
			names = append(names, strings.TrimPrefix(filepath.Base(path), "diurna.db.replaced-"))
		}
		return names
	}
	stay := []string{"2020-01-01", "2020-01-02"}
	l.must(day(0), "add", f.url)
	l.must(day(1), "fetch", "--all")
	if err := os.WriteFile(filepath.Join(dir, "diurna.db.replaced-2020-01-01"), []byte("what could be saved"), 0o600); err != nil {
		t.Fatal(err)
	}
	l.must(day(1), "--data-dir", filepath.Join(l.home, "other"), "add", f.url)
	if err := os.Rename(filepath.Join(l.home, "other/diurna.db"), filepath.Join(dir, "diurna.db.replaced-2020-01-02")); err != nil {
		t.Fatal(err)
	}
	l.must(l.clock.now(), "restore", filepath.Join(dir, "diurna.db.backup-"+day(0).Format(time.DateOnly)))
	mine := append(slices.Clone(stay), day(1).Format(time.DateOnly))
	for at := 2; at < 40; at += 3 {
		l.must(day(at), "fetch", "--all")
		want := mine
		if at == 38 { // backups of the days 32, 35 and 38
			want = stay
		}
		if got := replaced(); !slices.Equal(got, want) {
			t.Fatalf("on day %d these lie there: %v, want %v", at, got, want)
		}
		if at == 5 {
			l.misset(10 * 365 * 24 * time.Hour)
			l.must(l.clock.now().Add(time.Hour), "fetch", "--all")
			l.misset(-10 * 365 * 24 * time.Hour)
			if got := replaced(); !slices.Equal(got, mine) {
				t.Fatalf("under a wrong clock these lie there: %v, want %v", got, mine)
			}
		}
	}
}
