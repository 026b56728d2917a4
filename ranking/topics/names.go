package topics

import (
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"math"
	"sort"
	"strings"
)

// nameTerms make a topic's name.
const nameTerms = 2

// name scales the topics to unit length, gives each the ID of the previous topic
// it is most like, best pairs first, and names it by its strongest terms. An old
// topic keeps its name as long as that is among its strongest terms.
func (m *Model) name(k int, before *Model) {
	n := len(m.m.terms)
	m.Topics = make([]Topic, k)
	for t := range k {
		unit(m.m.h[t*n : (t+1)*n])
	}
	m.m.close(k)
	for t := range k {
		m.Topics[t].Terms = m.m.strongest(t)
		var name []string
		for _, w := range m.Topics[t].Terms[:min(len(m.Topics[t].Terms), nameTerms)] {
			name = append(name, m.m.forms[m.m.index[w.Name]])
		}
		m.Topics[t].Name = strings.Join(name, ", ")
	}
	m.m.nextID = 1
	if before != nil {
		m.m.nextID = before.m.nextID
		m.inherit(before)
	}
	for t := range m.Topics {
		if m.Topics[t].ID == 0 {
			m.Topics[t].ID = m.m.nextID
			m.m.nextID++
		}
	}
}

// strongest are a topic's first terms.
func (f *fitted) strongest(t int) []Weight {
	n := len(f.terms)
	h := f.h[t*n : (t+1)*n]
	order := make([]int32, 0, n)
	for i, x := range h {
		if x > 1e-4 {
			order = append(order, int32(i))
		}
	}
	sort.Slice(order, func(i, j int) bool {
		a, b := order[i], order[j]
		return h[a] > h[b] || h[a] == h[b] && a < b
	})
	out := make([]Weight, 0, shownTerms)
	for _, i := range order[:min(len(order), shownTerms)] {
		out = append(out, Weight{f.terms[i], h[i]})
	}
	return out
}

// inherit matches topics with the previous ones, best cosine first.
func (m *Model) inherit(before *Model) {
	type match struct {
		cosine   float64
		now, old int
	}
	var list []match
	for now := range m.Topics {
		for old := range before.Topics {
			if c := m.cosine(now, before, old); c >= sameTopic {
				list = append(list, match{c, now, old})
			}
		}
	}
	sort.Slice(list, func(i, j int) bool {
		a, b := list[i], list[j]
		return cmp.Or(-cmp.Compare(a.cosine, b.cosine), cmp.Compare(a.now, b.now), cmp.Compare(a.old, b.old)) < 0
	})
	taken := map[int]bool{}
	for _, x := range list {
		t := &m.Topics[x.now]
		if t.ID != 0 || taken[x.old] {
			continue
		}
		taken[x.old] = true
		old := &before.Topics[x.old]
		t.ID = old.ID
		if m.among(t, old.Name) {
			t.Name = old.Name
		}
	}
}

// among tells whether all terms of a name are still among a topic's first five.
func (m *Model) among(t *Topic, name string) bool {
	for _, form := range strings.Split(name, ", ") {
		found := false
		for _, w := range t.Terms[:min(len(t.Terms), 5)] {
			found = found || m.m.forms[m.m.index[w.Name]] == form
		}
		if !found {
			return false
		}
	}
	return true
}

// cosine compares topics of two models over the terms both know; the rows are of
// unit length.
func (m *Model) cosine(now int, before *Model, old int) float64 {
	n, nb := len(m.m.terms), len(before.m.terms)
	s := 0.
	for j, x := range before.m.h[old*nb : (old+1)*nb] {
		if x > 0 {
			if i, ok := m.m.index[before.m.terms[j]]; ok {
				s += x * m.m.h[now*n+int(i)]
			}
		}
	}
	return s
}

// close rounds the weights to what pack keeps, so that a model read back says the
// same, and computes the topics' inner products.
func (f *fitted) close(k int) {
	for i, x := range f.h {
		f.h[i] = float64(float32(x))
	}
	f.gram = gram(f.h, k, len(f.terms), true)
}

const packVersion = 1

// Pack makes bytes of a model; Unpack reads them. Damaged bytes are an ErrModel.
func (m *Model) Pack() []byte {
	out := []byte{packVersion}
	text := func(s string) {
		out = binary.AppendUvarint(out, uint64(len(s)))
		out = append(out, s...)
	}
	out = binary.AppendUvarint(out, uint64(len(m.Topics)))
	out = binary.AppendUvarint(out, uint64(len(m.m.terms)))
	out = binary.AppendUvarint(out, m.m.nextID)
	for i := range m.m.terms {
		text(m.m.terms[i])
		text(m.m.forms[i])
		out = binary.LittleEndian.AppendUint64(out, math.Float64bits(m.m.idf[i]))
	}
	for _, t := range m.Topics {
		out = binary.AppendUvarint(out, t.ID)
		text(t.Name)
	}
	for _, x := range m.m.h {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(x)))
	}
	sum := fnv.New64a()
	sum.Write(out)
	return binary.LittleEndian.AppendUint64(out, sum.Sum64())
}
