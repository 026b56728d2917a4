package align

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"diurna/reader/align/aligntest"
	"diurna/reader/room"
)

// TestRoom: where the tables lie makes no difference, wherever the memory begins
// and however little it is.
func TestRoom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := []byte(aligntest.Pages().Draw(t, "a")), []byte(aligntest.Pages().Draw(t, "b"))
		memory := make([]byte, rapid.IntRange(0, 64<<10).Draw(t, "bytes"))
		memory = memory[min(rapid.IntRange(0, 9).Draw(t, "from"), len(memory)):]
		seen := func(al *Alignment) string {
			return fmt.Sprint(al.Script(), al.Match, al.A.Words, al.A.Blocks, al.B.Words, al.B.Blocks)
		}
		if got, want := seen(ReadIn(memory, a, b, Blocks)), seen(Read(a, b, Blocks)); got != want {
			t.Fatalf("in %d bytes %s; want %s", len(memory), got, want)
		}
	})
}

// TestRoomOfTables: the tables of a page lie in the memory that was given, where the
// collector does not look for pointers.
func TestRoomOfTables(t *testing.T) {
	page := []byte(aligntest.OneBlock(1, 2000))
	memory := make([]byte, 64<<10)
	lex(page, 0, newInterner(room.New(memory), len(page)))
	if used := len(memory) - bytes.Count(memory, []byte{0}); used < len(page)/2 {
		t.Errorf("of a page of %d bytes %d stand in the memory", len(page), used)
	}
	for _, of := range []reflect.Type{reflect.TypeFor[Block](), reflect.TypeFor[landmark]()} {
		for _, f := range reflect.VisibleFields(of) {
			if k := f.Type.Kind(); !f.Anonymous && (k < reflect.Bool || k > reflect.Float64 || k == reflect.Uintptr) {
				t.Errorf("%s.%s is a %s", of, f.Name, k)
			}
		}
	}
}
