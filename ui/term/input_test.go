package term

import (
	"os"
	"runtime"
	"strings"
	"testing"
)

// The end of the input is reported once it comes, of a terminal and of anything else.
func TestInputTellsItsEnd(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	w.WriteString("q")
	w.Close()
	reported := 0
	pipe, err := Input(r, func() { reported++ })
	if err != nil {
		t.Fatal(err)
	}
	text, err := Input(strings.NewReader("q"), func() { reported += 10 })
	if err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 4)
	for i, want := range []int{0, 1, 1, 11} {
		in := pipe
		if i >= 2 {
			in = text
		}
		if n, _ := in.Read(b); n != 1-i%2 || reported != want {
			t.Errorf("read %d: %d bytes, reported %d, want %d", i, n, reported, want)
		}
	}
	if _, is := File(pipe); !is {
		t.Error("the file behind the input is not found")
	}
}

var processors = runtime.GOMAXPROCS(0)

// A key that was read does not wait for a goroutine that computes: there is room for more of
// them, once however many screens there are.
func TestInputMakesRoom(t *testing.T) {
	for range 2 {
		if _, err := Input(strings.NewReader(""), nil); err != nil {
			t.Fatal(err)
		}
	}
	if n := runtime.GOMAXPROCS(0); n != processors+room {
		t.Errorf("%d goroutines run at once, want %d", n, processors+room)
	}
}
