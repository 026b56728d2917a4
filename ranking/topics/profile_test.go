package topics

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
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
	var p, like, other Profile
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
	if s := p.Like(&like); s < .25 || s > 1 {
		t.Errorf("a feed about the same has %.2f", s)
	}
	if s := p.Like(&other); s > .01 {
		t.Errorf("a feed about something else has %.2f", s)
	}
	if got := p.Vector(3); len(got) != 3 || got[0].Value < got[2].Value {
		t.Errorf("the strongest three are %v", got)
	}
}

// TestProfileWindow: what left the window is forgotten.
func TestProfileWindow(t *testing.T) {
	p := Profile{Window: 3}
	p.Add([]string{"gone"})
	for range 3 {
		p.Add([]string{"here"})
	}
	if v := p.Vector(0); len(v) != 1 || v[0].Name != "here" {
		t.Errorf("the profile holds %v", v)
	}
}
