package store

import (
	"testing"

	bolt "go.etcd.io/bbolt"

	"diurna/store/db"
	"diurna/store/record"
)

// Only a library of which rows were removed, or with items in blocks, is closed to older programs, and
// stays so in its copies.
func TestRowsSchema(t *testing.T) {
	s, ctx := newStore(t), t.Context()
	f := fill(t, s, 2, 30, 900)[0]
	schema := func() byte {
		t.Helper()
		file := must(bolt.Open(s.Path(), 0o600, &bolt.Options{ReadOnly: true}))(t)
		defer file.Close()
		var v byte
		if err := file.View(func(tx *bolt.Tx) error {
			b := tx.Bucket(record.Meta.Name).Get([]byte(db.SchemaKey))
			v = b[len(b)-1]
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return v
	}
	var ids []ItemID
	for n := range uint32(20) {
		ids = append(ids, MakeItemID(f, n+1))
	}
	none := func(id ItemID, b Body) (Body, bool) { return Body{}, false }
	if gone := must(s.Remove(ctx, day, RowRemoved, ids[:1], none))(t); len(gone) != 0 || schema() != record.Schema {
		t.Fatalf("an unread item: %v, schema %d", gone, schema())
	}
	must(s.Act(ctx, day, "", Change{Kind: MarkedRead, Items: ids}))(t)
	if gone := must(s.Remove(ctx, day, RowRemoved, ids, none))(t); len(gone) != 20 || schema() != record.RowsSchema {
		t.Fatalf("%d went, schema %d", len(gone), schema())
	}
	if gone := must(s.Remove(ctx, day, RowRemoved, ids, none))(t); len(gone) != 0 {
		t.Errorf("%d went a second time", len(gone))
	}
	if _, _, err := s.Compact(ctx); err != nil || schema() != record.RowsSchema {
		t.Fatalf("compacted: %v, schema %d", err, schema())
	}
	backup := t.TempDir() + "/backup"
	if err := s.BackupPacked(ctx, backup); err != nil {
		t.Fatal(err)
	}
	must(s.Restore(ctx, day, backup))(t)
	if schema() != record.RowsSchema {
		t.Errorf("restored: schema %d", schema())
	}
	if rows := must(s.Rows(ctx, RowQuery{Which: All, Feed: f}))(t); len(rows) != 10 {
		t.Errorf("%d rows", len(rows))
	}
	s.packAfter = 1
	last := []ItemID{MakeItemID(f, 30)}
	must(s.Act(ctx, day, "", Change{Kind: MarkedRead, Items: last}))(t)
	if gone := must(s.Remove(ctx, day, TextRemoved, last, none))(t); len(gone) != 1 || inBlocks(t, s) != 1 || schema() != record.ItemsSchema {
		t.Errorf("%d texts went, schema %d: a program that knows no items in blocks would read this library", len(gone), schema())
	}
	sound(t, s, true)
}
