package record

import (
	"bytes"
	"encoding/hex"
	"reflect"
	"testing"
	"time"
)

// pollOfOld is a poll record as programs wrote it before answers, waits and the
// rest had types: words, and a map of words.
const pollOfOld = "" +
	"aa0163227822051b000001a1f8826ea0061b000001a1f8826ea00818c8096b6e6f74206368616e6765640d1b000001a1f8b95d200e6a737461747573" +
	"20353033171b000001a1f8b95d201818657265747279181db81863696473672c31662c32652c637768797132206c696e6b732c20323020776f726473" +
	"646275737961336468656c64746e6f7468696e6720776974682022707269636522646974656d623137646c656674623132646c6f7374782b31373332" +
	"3030303030302d3137333230303336303020313733323031303030302d31373332303133363030646d6f766565776169747364726561646a31373332" +
	"3039383636306473656c667668747470733a2f2f612e6578616d706c652f73656c6665636c61737367636f6e74656e746573636f726563332e316573" +
	"746174656763617074636861666e6f626f64796131667469746c657361316761646f707465647568747470733a2f2f612e6578616d706c652f6e6577" +
	"676368616e6765646a3137333230393830303067666574636865647773687a38736b2073687a39736b2a342073687a61736c21676665746368657361" +
	"39676c6173745f61746a31373332303938363630686368696c6472656e613268646966666572656461346a6c6173745f636c617373656f726465726a" +
	"6c6173745f73636f726563302e33"

// Records of older programs are read with nothing lost, and written as they were,
// so that these programs can go on reading them.
func TestPollsOfOlderPrograms(t *testing.T) {
	at := time.Date(2026, 11, 20, 10, 31, 0, 0, time.UTC)
	want := Poll{ETag: `"x"`, LastFetch: at, LastOK: at, Status: 200, Outcome: AnswerSame, NotBefore: at.Add(time.Hour),
		NotBeforeBy: Wait{Cause: WaitStatus, Status: 503}, NextFetch: at.Add(time.Hour), NextReason: SlotRetry,
		ReadAt: 1732098660, MoveWaits: true, Self: "https://a.example/self", Adopted: "https://a.example/new", TitlesTaken: true, SharedIDs: ",1f,2e,",
		LeftOut: 12, NoNetwork: true, BusyRun: 3, Lost: []Loss{{1732000000, 1732003600}, {1732010000, 1732013600}},
		Fetches: []FetchMark{{At: 1723250756, N: 1}, {At: 1723252052, N: 4}, {At: 1723253349, N: 1, Opened: true}},
		Watch: WatchPoll{State: PageCaptcha, Score: 3.1, Changed: 1732098000, Class: ClassContent, Why: "2 links, 20 words", Item: 17, Fetches: 9, Differed: 4,
			Children: 2, LastClass: ClassOrder, LastScore: .3, LastAt: 1732098660, Held: `nothing with "price"`}}
	old := must(hex.DecodeString(pollOfOld))(t)
	var r PollRecord
	if !r.Decode(old) {
		t.Fatal("does not decode")
	}
	got, ok := r.Poll()
	if !ok || !reflect.DeepEqual(got, want) {
		t.Errorf("read as\n%+v, want\n%+v", got, want)
	}
	rec := NewPollRecord(&got)
	if b := rec.Encode(nil); !bytes.Equal(b, old) {
		t.Errorf("written as\n%x, was\n%x", b, old)
	}
}

// What is no number, moment or count counts as absent, and the rest is read.
func TestPollWordsThatAreNone(t *testing.T) {
	var p Poll
	x := extraRec{Read: "soon", Left: "-3", Busy: "many", Lost: "7 1-2 x-y", Fetched: "1q ! *3 zz*0 zz*-4 ??? 1r*2!", Score: "high", Item: "99999999999", Self: "s"}
	x.into(&p)
	want := Poll{Self: "s", Lost: []Loss{{1, 2}}, Fetches: []FetchMark{{At: 62, N: 1}, {At: 63, N: 2, Opened: true}}}
	if !reflect.DeepEqual(p, want) {
		t.Errorf("read as\n%+v, want\n%+v", p, want)
	}
}

func TestTroublesComeBack(t *testing.T) {
	for trouble := range Trouble(len(troubles)) {
		var p Poll
		extraOf(&Poll{Self: "s", Trouble: trouble}).into(&p)
		if p.Trouble != trouble {
			t.Errorf("%d came back as %d", trouble, p.Trouble)
		}
	}
	if got := parseTrouble("of a newer program"); got != TroubleOther {
		t.Errorf("a word that is none: %d", got)
	}
}

func TestWaitsComeBack(t *testing.T) {
	for _, words := range []string{"", "status 429", "status of things", "min_poll", "no validators", "ttl 120", "Retry-After 20 Nov 2026 11:00 UTC"} {
		if got := ParseWait(words).String(); got != words {
			t.Errorf("%q came back as %q", words, got)
		}
	}
	for w, want := range map[string]WaitCause{"status 503": WaitStatus, "status of things": WaitServer, "max-age 60": WaitServer, "min_poll": WaitMinPoll, "no validators": WaitNoValidators, "": WaitNone} {
		if got := ParseWait(w).Cause; got != want {
			t.Errorf("%q: cause %d, want %d", w, got, want)
		}
	}
}
