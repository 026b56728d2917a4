package topics

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"strings"
	"testing"
)

// sealed gives bytes the version and checksum of a packed model.
func sealed(data []byte) []byte {
	out := append([]byte{packVersion}, data...)
	sum := fnv.New64a()
	sum.Write(out)
	return binary.LittleEndian.AppendUint64(out, sum.Sum64())
}

func TestProfile(t *testing.T) {
	seen := NewSeen(nil)
	channel := func() *Profile { return &Profile{Window: 20, Beta: .1, Seen: seen} }
	p, like, other := channel(), channel(), channel()
	if s, novel := p.Add(strings.Fields(fields[0])); s != 0 || !novel {
		t.Errorf("the first item is like nothing: %v %v", s, novel)
	}
	for i := range 120 { // the similarity 0 of the first item has faded by then
		list := strings.Fields(fields[0])
		p.Add(append(list[:5:5], fmt.Sprint("detail", i)))
		like.Add(list[2:8])
		other.Add(strings.Fields(fields[1]))
	}
	if s, novel := p.Add(strings.Fields("harbour ferry breakwater tide pier")); novel {
		t.Errorf("the channel's own words at %.3f are news", s)
	}
	// The same words again move the profile less than strangers do.
	if s, novel := p.Add(strings.Fields("volcano eruption evacuation lava ash crater magma plume")); !novel {
		mean, deviation := p.Cohesion()
		t.Errorf("a volcano at %.3f is no news: cohesion %.3f ± %.3f", s, mean, deviation)
	}
	if a, b := p.Like(like), p.Like(other); a < .02 || a < 5*b {
		t.Errorf("a feed about the same has %.3f, another %.3f", a, b)
	}
}

// TestProfileWindow: what left the window is forgotten.
func TestProfileWindow(t *testing.T) {
	seen := NewSeen(nil)
	p, q := Profile{Window: 3, Seen: seen}, Profile{Window: 3, Seen: seen}
	q.Add([]string{"gone"})
	p.Add([]string{"gone"})
	if s := p.Like(&q); s != 0 {
		t.Errorf("a term of all items weighs nothing, but they are %v alike", s)
	}
	for range 3 {
		p.Add([]string{"here"})
	}
	if s := p.Like(&q); s != 0 || len(p.p.now.terms) != 1 {
		t.Errorf("the profile holds %v and is %v like what is gone", p.p.now, s)
	}
}

// TestProfileOfPaper: with shared counts tf and idf are as printed, computed by hand:
// log(3/1) for a term of one item, log(3/2) for one of two.
func TestProfileOfPaper(t *testing.T) {
	seen := NewSeen(nil)
	p, q := Profile{Window: 20, Seen: seen}, Profile{Window: 20, Seen: seen}
	p.Add([]string{"tide", "tide", "pier"})
	p.Add([]string{"pier"})
	q.Add([]string{"comet"})
	tide, pier := 2*math.Log(3), 2*math.Log(1.5)
	other := Profile{Window: 20, Seen: NewSeen(seen)} // the same terms, seen apart
	other.Add([]string{"tide"})
	other.Add([]string{"comet"})
	want := tide / math.Hypot(tide, pier) / math.Sqrt2
	for _, s := range []float64{p.Like(&other), other.Like(&p)} {
		near(t, "like another policy's", s, want, 1e-12)
	}
	near(t, "like a stranger", p.Like(&q), 0, 0)
	near(t, "like itself", p.Like(&p), 1, 1e-12)
}

// TestCohesion is Eq. 3 and 6 over similarities that Add gave, and Eq. 7.
func TestCohesion(t *testing.T) {
	p := Profile{Window: 20, Seen: NewSeen(nil), Beta: .25}
	var all []float64
	for i := range 40 {
		mean, deviation := p.Cohesion()
		s, novel := p.Add(strings.Fields(fields[i%3*i%5])[i%4:])
		if want := len(all) < 2 || s < mean+.25*deviation; novel != want {
			t.Errorf("item %d at %.3f is novel: %v, with %.3f ± %.3f", i, s, novel, mean, deviation)
		}
		all = append(all, s)
	}
	mean, square := sum(all)/float64(len(all)), 0.
	for _, s := range all {
		square += (s - mean) * (s - mean)
	}
	m, d := p.Cohesion()
	near(t, "cohesion", m, mean, 1e-12)
	near(t, "its deviation", d, math.Sqrt(square/float64(len(all)-1)), 1e-12)
}
