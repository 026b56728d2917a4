package ranking

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"slices"
)

// codecVersion changes whenever the model, the grid or this layout does: an old
// checkpoint is then thrown away and the log folded again.
const codecVersion = 6

// packer writes numbers one after the other. A checkpoint is written once a round
// at most, so its methods are called, not copied to each of their ninety places:
// that would be 10 KB of the program.
type packer struct{ out []byte }

//go:noinline
func (p *packer) num(n uint64) { p.out = binary.AppendUvarint(p.out, n) }

//go:noinline
func (p *packer) whole(n int64) { p.out = binary.AppendVarint(p.out, n) }

//go:noinline
func (p *packer) real(f float64) {
	p.out = binary.LittleEndian.AppendUint64(p.out, math.Float64bits(f))
}

func (p *packer) text(s string) { p.num(uint64(len(s))); p.out = append(p.out, s...) }

//go:noinline
func (p *packer) flag(b bool) {
	if b {
		p.out = append(p.out, 1)
	} else {
		p.out = append(p.out, 0)
	}
}

//go:noinline
func (p *packer) small(x small) {
	p.out = binary.LittleEndian.AppendUint32(p.out, math.Float32bits(x.a))
	p.out = binary.LittleEndian.AppendUint32(p.out, math.Float32bits(x.b))
}

func (p *packer) pair(x pair) { p.real(x.a); p.real(x.b) }

// Checkpoint packs the beliefs. Resume(Checkpoint()) gives the same scores to the
// last bit, and so does folding the rest of a log on top of either.
func (b *Beliefs) Checkpoint() []byte {
	p := &packer{out: []byte{codecVersion}}
	p.num(uint64(len(b.names.list)))
	for i, n := range b.names.list {
		p.out = append(p.out, byte(n.of))
		p.text(n.text)
		p.whole(int64(b.names.folder[i]))
	}
	p.state(&b.base)
	p.num(uint64(len(b.tail)))
	for i := range b.tail {
		p.event(&b.tail[i])
	}
	refs := make([]uint64, 0, len(b.void))
	for ref, undone := range b.void {
		if undone {
			refs = append(refs, ref)
		}
	}
	slices.Sort(refs)
	p.num(uint64(len(refs)))
	for _, ref := range refs {
		p.num(ref)
	}
	p.num(b.last)
	h := fnv.New64a()
	h.Write(p.out)
	return binary.LittleEndian.AppendUint64(p.out, h.Sum64())
}

func (p *packer) state(s *state) {
	p.num(uint64(len(s.f)))
	for i := range s.f {
		e := &s.f[i]
		p.out = append(p.out, s.flags[i])
		p.num(uint64(e.opened))
		p.num(uint64(e.shown))
		p.num(uint64(e.turn))
		p.small(e.given)
		for _, x := range e.p {
			p.small(x)
		}
	}
	for k := range s.total {
		p.pair(s.total[k])
		p.real(s.loss[k])
	}
	p.real(s.drift)
	p.flag(s.folders)
	p.num(uint64(s.chosen))
	p.num(s.opens)
	p.num(s.shows)
	p.num(uint64(s.turn))
	p.num(uint64(len(s.seen)))
	for i := range s.seen {
		x := &s.seen[i]
		p.num(x.id)
		p.num(uint64(x.feed))
		p.num(uint64(x.row))
		p.real(x.g)
		p.real(x.pos)
		p.real(x.raw)
		p.real(x.bayes)
		p.flag(x.again)
		for _, f := range x.predicted {
			p.real(f)
		}
	}
	for i := range s.read.opened {
		p.real(s.read.opened[i])
		p.real(s.read.expected[i])
		p.real(s.g[i])
	}
	p.real(s.read.opens)
	for _, x := range [...]float64{s.cal.slope, s.cal.offset, s.cal.again, s.cal.bayes} {
		p.real(x)
	}
	for _, row := range s.cal.cov {
		for _, x := range row {
			p.real(x)
		}
	}
	p.flag(s.ownReading)
	p.flag(s.frozen)
	p.num(s.lastNo)
	p.whole(s.newestAt)
}

func (p *packer) event(e *Event) {
	p.num(e.No)
	p.num(e.Step)
	p.whole(e.At)
	p.out = append(p.out, byte(e.Kind))
	p.whole(int64(e.Row))
	p.num(e.ID)
	if p.flag(e.Item.made); e.Item.made {
		p.vector(&e.Item)
		p.flag(e.Item.again)
	}
	p.flag(e.Feedback != nil)
	if l := e.Feedback; l != nil {
		p.out = append(p.out, byte(l.Act), byte(l.Subject))
		p.text(l.Name)
		p.whole(l.Since)
		p.real(l.A)
		p.real(l.B)
	}
}

func (v *Vector) pack(dst []byte) []byte {
	p := &packer{out: dst}
	p.vector(v)
	return p.out
}

func (p *packer) vector(v *Vector) {
	p.whole(int64(v.feed))
	p.whole(int64(v.folder))
	p.whole(int64(v.author))
	p.num(uint64(v.cats))
	p.num(uint64(v.topics))
	p.num(uint64(len(v.ids)))
	for _, id := range v.ids {
		p.num(uint64(id))
	}
	for _, c := range v.soft {
		p.real(c)
	}
}
