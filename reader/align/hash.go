package align

import (
	"hash/fnv"
)

// HashWords is stable across processes: it is stored.
func HashWords(words []string) uint64 {
	h := fnv.New64a()
	for _, w := range words {
		_, _ = h.Write([]byte(w))
		_, _ = h.Write([]byte{0})
	}
	return h.Sum64()
}

// Hash is hashWords of the words of a block, without making them strings.
func (d *Document) Hash(block int) uint64 {
	h := fnv.New64a()
	var buf []byte
	b := d.Blocks[block]
	for w := b.W0; w < b.W1; w++ {
		buf = d.appendWord(buf[:0], w)
		_, _ = h.Write(append(buf, 0))
	}
	return h.Sum64()
}

// ThingHash returns the hash of a link, image or other thing that is no text.
func ThingHash(kind, name string) uint64 { return HashWords([]string{"\x01" + kind, name}) }
