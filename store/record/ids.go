package record

import (
	"slices"
	"strconv"
	"strings"
)

// FeedID numbers feeds from 1; a number is never used again.
type FeedID uint32

// ItemID is a feed's number and, below it, the item's number within the feed
// from 1.
type ItemID uint64

// MakeItemID is item n of feed f.
func MakeItemID(f FeedID, n uint32) ItemID { return ItemID(f)<<32 | ItemID(n) }

// Feed is the feed the item came from.
func (id ItemID) Feed() FeedID { return FeedID(id >> 32) }

// N is the item's number within its feed.
func (id ItemID) N() uint32 { return uint32(id) }

// Letters and digits of short ids: no vowels, so that no words arise, and no
// l, 0 or 1, which look like each other.
const (
	idLetters = "bcdfghjkmnpqrstvwxyz"
	idDigits  = "23456789"
)

// idRange is one length of short ids: letter, digit, letter, ... Neighbouring
// numbers are spread over the range by a factor without a common divisor, so
// that "b7q" and the next feed do not look alike.
type idRange struct {
	length        int
	count, factor uint64
}

// idRanges cover all of uint32: 3,200 + 512,000 + 81,920,000 + ...
var idRanges = []idRange{
	{3, 3_200, 1_979},
	{5, 512_000, 316_433},
	{7, 81_920_000, 50_629_343},
	{9, 13_107_200_000, 8_100_694_877},
}

// String is the feed's short id: "b7q".
func (f FeedID) String() string {
	if f == 0 {
		return "-"
	}
	x := uint64(f) - 1
	for _, r := range idRanges {
		if x >= r.count {
			x -= r.count
			continue
		}
		x = mulMod(x, r.factor, r.count)
		out := make([]byte, r.length)
		for i := r.length - 1; i >= 0; i-- {
			set := idLetters
			if i%2 == 1 {
				set = idDigits
			}
			out[i] = set[x%uint64(len(set))]
			x /= uint64(len(set))
		}
		return string(out)
	}
	return "-" // not reached: the ranges are wider than uint32
}

// ParseFeedID reads what String writes.
func ParseFeedID(s string) (FeedID, bool) {
	var base uint64 = 1
	for _, r := range idRanges {
		if r.length != len(s) {
			base += r.count
			continue
		}
		var x uint64
		for i := range len(s) {
			set := idLetters
			if i%2 == 1 {
				set = idDigits
			}
			d := strings.IndexByte(set, s[i])
			if d < 0 {
				return 0, false
			}
			x = x*uint64(len(set)) + uint64(d)
		}
		x = base + mulMod(x, inverseMod(r.factor, r.count), r.count)
		if x > 1<<32-1 {
			return 0, false
		}
		return FeedID(x), true
	}
	return 0, false
}

// String is the item's short id: "b7q-41".
func (id ItemID) String() string {
	return id.Feed().String() + "-" + strconv.FormatUint(uint64(id.N()), 10)
}

// ParseItemID reads what String writes.
func ParseItemID(s string) (ItemID, bool) {
	feed, n, found := strings.Cut(s, "-")
	f, ok := ParseFeedID(feed)
	if !found || !ok || n == "" || n[0] < '1' || n[0] > '9' {
		return 0, false
	}
	x, err := strconv.ParseUint(n, 10, 32)
	if err != nil {
		return 0, false
	}
	return MakeItemID(f, uint32(x)), true
}

// mulMod is a*b mod m. With m below 2^34 the product may pass 64 bits, so b is
// taken in two halves of 17 bits.
func mulMod(a, b, m uint64) uint64 {
	high, low := b>>17, b&(1<<17-1)
	return ((a*high%m)<<17%m + a*low%m) % m
}

// inverseMod is the x with a*x = 1 mod m (extended Euclid); a and m have no
// common divisor.
func inverseMod(a, m uint64) uint64 {
	r0, r1 := int64(m), int64(a)
	t0, t1 := int64(0), int64(1)
	for r1 != 0 {
		q := r0 / r1
		r0, r1 = r1, r0-q*r1
		t0, t1 = t1, t0-q*t1
	}
	if t0 < 0 {
		t0 += int64(m)
	}
	return uint64(t0)
}

// SortedIDs is a sorted copy of ids without doubles.
func SortedIDs(ids []ItemID) []ItemID {
	out := slices.Clone(ids)
	slices.Sort(out)
	return slices.Compact(out)
}

// SoleFeed is the feed of all of ids (ascending); 0 if they are of several.
func SoleFeed(ids []ItemID) FeedID {
	if len(ids) == 0 || ids[0].Feed() != ids[len(ids)-1].Feed() {
		return 0
	}
	return ids[0].Feed()
}
