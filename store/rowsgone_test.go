package store

import (
	"testing"

	bolt "go.etcd.io/bbolt"

	"diurna/store/db"
	"diurna/store/record"
)

// schemaOf is the version of a library's layout.
func schemaOf(t *testing.T, s *Store) (v byte) {
	t.Helper()
	file := must(bolt.Open(s.Path(), 0o600, &bolt.Options{ReadOnly: true}))(t)
	defer file.Close()
	if err := file.View(func(tx *bolt.Tx) error {
		b := tx.Bucket(record.Meta.Name).Get([]byte(db.SchemaKey))
		v = b[len(b)-1]
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return v
}

// Only a library of which rows were removed, or with items in blocks, is closed to older programs, and
// stays so in its copies.
func TestRowsSchema(t *testing.T) {
	s, ctx := newStore(t), t.Context()
	f := fill(t, s, 2, 30, 900)[0]
	var ids []ItemID
	for n := range uint32(20) {
		ids = append(ids, MakeItemID(f, n+1))
	}
	none := func(ItemID, string, Body) (Body, bool) { return Body{}, false }
	if gone := must(s.Remove(ctx, day, RowRemoved, ids[:1], none))(t); len(gone) != 0 || schemaOf(t, s) != record.Schema {
		t.Fatalf("an unread item: %v, schema %d", gone, schemaOf(t, s))
	}
	must(s.Act(ctx, day, "", Change{Kind: MarkedRead, Items: ids}))(t)
	if gone := must(s.Remove(ctx, day, RowRemoved, ids, none))(t); len(gone) != 20 || schemaOf(t, s) != record.RowsSchema {
		t.Fatalf("%d went, schema %d", len(gone), schemaOf(t, s))
	}
	if gone := must(s.Remove(ctx, day, RowRemoved, ids, none))(t); len(gone) != 0 {
		t.Errorf("%d went a second time", len(gone))
	}
	if _, _, err := s.Compact(ctx); err != nil || schemaOf(t, s) != record.RowsSchema {
		t.Fatalf("compacted: %v, schema %d", err, schemaOf(t, s))
	}
	backup := t.TempDir() + "/backup"
	if err := s.BackupPacked(ctx, backup); err != nil {
		t.Fatal(err)
	}
	must(s.Restore(ctx, day, backup))(t)
	if schemaOf(t, s) != record.RowsSchema {
		t.Errorf("restored: schema %d", schemaOf(t, s))
	}
	if rows := must(s.Rows(ctx, RowQuery{Which: All, Feed: f}))(t); len(rows) != 10 {
		t.Errorf("%d rows", len(rows))
	}
	s.packAfter = 1
	last := []ItemID{MakeItemID(f, 30)}
	must(s.Act(ctx, day, "", Change{Kind: MarkedRead, Items: last}))(t)
	if gone := must(s.Remove(ctx, day, TextRemoved, last, none))(t); len(gone) != 1 || inBlocks(t, s) != 1 || schemaOf(t, s) != record.LeadsSchema {
		t.Errorf("%d texts went, schema %d: a program that knows no items in blocks would read this library", len(gone), schemaOf(t, s))
	}
	sound(t, s, true)
}
