package codec

import (
	"encoding/binary"
	"slices"
	"testing"
)

func whole() []byte {
	b := binary.AppendUvarint(nil, 127)
	b = binary.AppendUvarint(b, 1<<63)
	b = binary.AppendVarint(b, -300)
	b = append(b, 9)
	b = binary.LittleEndian.AppendUint64(b, 1<<40+7)
	b = AppendString(b, "title")
	b = AppendStrings(b, nil)
	return AppendStrings(b, []string{"", "two"})
}

func readWhole(r *Reader) (small, big uint64, signed int64, one byte, fixed uint64, text string, none, texts []string) {
	return r.Uvarint(), r.Uvarint(), r.Varint(), r.Byte(), r.Uint64(), r.Text(), r.Texts(), r.Texts()
}

func TestAllComesBack(t *testing.T) {
	r := Reader{B: whole()}
	small, big, signed, one, fixed, text, none, texts := readWhole(&r)
	if small != 127 || big != 1<<63 || signed != -300 || one != 9 || fixed != 1<<40+7 || text != "title" || none != nil ||
		!slices.Equal(texts, []string{"", "two"}) || !r.Done() {
		t.Error(small, big, signed, one, fixed, text, none, texts, r)
	}
	r = Reader{B: append(whole(), 0)}
	if readWhole(&r); r.Done() || r.Bad {
		t.Error("one byte more is not noticed")
	}
}

func TestCutShort(t *testing.T) {
	all := whole()
	for n := range all {
		r := Reader{B: all[:n:n]}
		readWhole(&r)
		if !r.Bad || r.Done() {
			t.Errorf("the first %d of %d bytes pass for a payload", n, len(all))
		}
		if r.Uvarint() != 0 || r.Varint() != 0 || r.Byte() != 0 || r.Uint64() != 0 || r.Text() != "" || r.Texts() != nil {
			t.Errorf("%d bytes: something is read after the end", n)
		}
	}
}

// A length may not ask for more entries than the bytes behind it can hold.
func TestCount(t *testing.T) {
	for n, want := range map[uint64]int{0: 0, 2: 2, 3: 0, 1 << 62: 0} {
		r := Reader{B: append(binary.AppendUvarint(nil, n), 1, 2)}
		if got := r.Count(1); got != want || r.Bad != (n > 2) {
			t.Errorf("%d entries in 2 bytes: %d, bad %v", n, got, r.Bad)
		}
	}
	r := Reader{B: append(binary.AppendUvarint(nil, 16), 1, 2)}
	if got := r.Count(8); got != 16 || r.Bad {
		t.Errorf("16 bits in 2 bytes: %d, bad %v", got, r.Bad)
	}
}
