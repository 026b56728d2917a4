package library

import (
	"encoding/binary"

	"diurna/store/codec"
	"diurna/store/record"
)

const (
	rulesKey = "rules" // RuleHead
	redoKey  = "redo"  // steps that Redo would do again, newest last
)

// PutOwn sets a value that Meta reads; empty removes it.
func (t *Txn) PutOwn(name, value string) error {
	key := []byte(OwnPrefix + name)
	if err := t.noteRule(name); err != nil {
		return err
	}
	switch {
	case value != "":
		return t.Put(record.Meta, key, []byte(value))
	case t.Bucket(record.Meta).Get(key) != nil:
		return t.Delete(record.Meta, key)
	}
	return nil
}

// RuleHead is what is known of the rules as a whole.
type RuleHead struct {
	At   uint64 // number of the fact that last changed a rule; 0: there never was one
	Next int    // number of the next rule: a number is never used again
}

// RuleHead reads what is known of the rules.
func (t *Txn) RuleHead() (RuleHead, error) {
	h := RuleHead{Next: 1}
	v, err := t.Get(record.Meta, []byte(rulesKey))
	if err != nil || v == nil {
		return h, err
	}
	r := codec.Reader{B: v}
	if h.At, h.Next = r.Uvarint(), int(r.Uvarint()); !r.Done() {
		return h, record.Meta.Damage([]byte(rulesKey), "does not decode")
	}
	return h, nil
}

// noteRule notes that the value of a name is being changed.
func (t *Txn) noteRule(name string) error {
	no := record.RuleOf(name)
	h, err := t.RuleHead()
	if err != nil || no == 0 {
		return err
	}
	v := binary.AppendUvarint(nil, t.Head.Facts+1)
	return t.Put(record.Meta, []byte(rulesKey), binary.AppendUvarint(v, uint64(max(h.Next, no+1))))
}

// RedoList are the undone steps that Redo would do again, the next one last.
func (t *Txn) RedoList() ([]uint64, error) {
	key := []byte(redoKey)
	v, err := t.Get(record.Meta, key)
	if err != nil {
		return nil, err
	}
	var out []uint64
	r := codec.Reader{B: v}
	for len(r.B) > 0 {
		out = append(out, r.Uvarint())
	}
	if r.Bad {
		return nil, record.Meta.Damage(key, "does not decode")
	}
	return out, nil
}

// PutRedo keeps which steps Redo would do again.
func (t *Txn) PutRedo(list []uint64) error {
	key := []byte(redoKey)
	if len(list) == 0 {
		if t.Bucket(record.Meta).Get(key) == nil {
			return nil
		}
		return t.Delete(record.Meta, key)
	}
	var b []byte
	for _, no := range list {
		b = binary.AppendUvarint(b, no)
	}
	return t.Put(record.Meta, key, b)
}
