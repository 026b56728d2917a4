//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
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

// TestBackupsAfterAJump: one process lives ten years ahead. Backups go on being
// made each day, those of the wrong clock go when it is their turn by what is in
// them, and restore lists and takes the one that holds most.
func TestBackupsAfterAJump(t *testing.T) {
	l := newLife(t, "Europe/Berlin", "2031-03-03 09:00")
	f := l.web.feed("one").every(time.Hour, l.start.Add(-4*time.Hour), l.start.AddDate(0, 0, 8))
	day := func(n int) time.Time { return l.start.AddDate(0, 0, n) }
	l.must(l.start, "add", f.url)
	l.must(day(1), "fetch", "--all")
	l.clock.jump(10 * 365 * 24 * time.Hour)
	l.must(l.clock.now(), "fetch", "--all")
	l.clock.jump(-10 * 365 * 24 * time.Hour)
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
	l.must(l.clock.now(), "mark", "saved", "all")
	library := filepath.Join(l.home, ".local/share/diurna/diurna.db")
	if err := os.Remove(library); err != nil {
		t.Fatal(err)
	}
	r = l.run(l.clock.now(), "restore")
	if r.code != 0 || !strings.Contains(r.talk, "restored the backup of today") {
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
