package record

import (
	"encoding/binary"

	"diurna/store/codec"
)

// A library that older programs do not read any more keeps closed runs packed: as many in one
// record, under the number of the first fact, as take FactRunSize bytes behind a zero, with which
// no run begins. They take a ninth in TestYears.

// packedAtOnce bounds the runs of a record, which are unpacked for any fact in it.
const packedAtOnce = 64 << 10

var factPacker Packer

// IsPacked tells whether a record of facts holds packed runs.
func IsPacked(facts []byte) bool { return len(facts) > 0 && facts[0] == 0 }

// PackFacts adds a run to those of a record of facts, which may be nil; false if that is more than a
// record holds.
func PackFacts(facts, run []byte) ([]byte, bool) {
	runs := codec.AppendString(nil, string(facts))
	switch {
	case facts == nil:
		runs = nil
	case IsPacked(facts):
		var ok bool
		if runs, ok = unpackFacts(nil, facts); !ok {
			return nil, false
		}
	}
	runs = append(binary.AppendUvarint(runs, uint64(len(run))), run...)
	enc, err := factPacker.encoder()
	if err != nil || len(runs) > packedAtOnce {
		return nil, false
	}
	facts = enc.EncodeAll(runs, []byte{0})
	return facts, len(facts) <= FactRunSize
}

// unpackFacts adds the runs of a record to dst, each behind its length.
func unpackFacts(dst, facts []byte) ([]byte, bool) {
	dec, err := factPacker.decoder()
	if err != nil {
		return nil, false
	}
	dst, err = dec.DecodeAll(facts[1:], dst)
	return dst, err == nil
}
