package main

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"diurna/reader/sqlite/sqlitetest"
)

// newsboat FILE URL NAME ITEMS [read] writes the cache of a newsboat that has the oldest
// ITEMS of what is published as NAME: numbers 1 to 3 unread, 4 and 5 flagged, 6
// enqueued, 7 deleted, the others read.
func newsboatCache(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 4 || len(args) > 5 {
		ts.Fatalf("usage: newsboat FILE URL NAME ITEMS [read]")
	}
	n, err := strconv.Atoi(args[3])
	ts.Check(err)
	flag := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	var rows [][]any
	for i := 1; i <= n; i++ {
		flags := ""
		if i == 4 || i == 5 {
			flags = "a"
		}
		rows = append(rows, []any{nil, fmt.Sprintf("%s-%d", args[2], i), fmt.Sprintf("%s %d", args[2], i), fmt.Sprintf("http://%s.example/%d", args[2], i), args[1],
			int(time.Now().AddDate(0, 0, i-200).Unix()), "<p>what newsboat kept</p>", flag(i <= 3 && len(args) == 4), flags, flag(i == 6), flag(i == 7)})
	}
	b := sqlitetest.Database(1024, 20, sqlitetest.Table{Name: "rss_item", SQL: "create table rss_item(id integer primary key not null, guid text, title text, url text, feedurl text, " +
		"pubDate integer, content text, unread integer, flags text, enqueued integer, deleted integer)", Rows: rows})
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b, 0o600))
}
