package pages

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unsafe"
)

// TestLargePages: the memory begins where a large page does, and the system is asked
// for one there.
func TestLargePages(t *testing.T) {
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage"); err != nil {
		t.Skip("this system has no large pages")
	}
	memory := make([]byte, 3*largePage)
	from := largePages(memory)
	at := uintptr(unsafe.Pointer(&memory[from]))
	if from < 0 || from >= largePage || at%largePage != 0 {
		t.Fatalf("the first large page begins %d bytes behind %p", from, &memory[0])
	}
	maps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	inside, asked := false, false
	for line := range strings.Lines(string(maps)) {
		var lo, hi uintptr
		if n, _ := fmt.Sscanf(line, "%x-%x ", &lo, &hi); n == 2 {
			inside = lo <= at && at < hi
		}
		asked = asked || inside && strings.HasPrefix(line, "VmFlags:") && strings.Contains(line, " hg")
	}
	if !asked {
		t.Error("the system was not asked for large pages")
	}
}
