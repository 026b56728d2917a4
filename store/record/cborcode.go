package record

import (
	"encoding/binary"
	"math"
	"slices"
	"sort"

	"diurna/store/codec"
)

// The records of feeds, polls and items are CBOR (RFC 8949): a map whose keys are the
// numbers of the fields from 1 on, without those that are empty. Only what they are
// made of is read and written here; a test compares every byte with fxamacker/cbor.

// The major types.
const (
	cborUint byte = iota
	cborNegative
	cborBytes
	cborText
	cborList
	cborMap
	cborTag
	cborSimple
)

const (
	cborFalse = 20
	cborTrue  = 21
	cborNull  = 22
)

func appendHead(dst []byte, major byte, n uint64) []byte {
	major <<= 5
	switch {
	case n < 24:
		return append(dst, major|byte(n))
	case n <= math.MaxUint8:
		return append(dst, major|24, byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(dst, major|25), uint16(n))
	case n <= math.MaxUint32:
		return binary.BigEndian.AppendUint32(append(dst, major|26), uint32(n))
	}
	return binary.BigEndian.AppendUint64(append(dst, major|27), n)
}

func appendText(dst []byte, s string) []byte {
	return append(appendHead(dst, cborText, uint64(len(s))), s...)
}

func appendInt(dst []byte, n int64) []byte {
	if n < 0 {
		return appendHead(dst, cborNegative, uint64(^n))
	}
	return appendHead(dst, cborUint, uint64(n))
}

// appendFields adds a record of which fields are the pointers, fewer than 256.
func appendFields(dst []byte, fields []any) []byte {
	head, count := len(dst), 0
	dst = append(dst, 0)
	for i, p := range fields {
		key := len(dst)
		dst = appendHead(dst, cborUint, uint64(i+1))
		value := len(dst)
		if dst = appendValue(dst, p); len(dst) == value {
			dst = dst[:key]
		} else {
			count++
		}
	}
	if count < 24 {
		dst[head] = cborMap<<5 | byte(count)
		return dst
	}
	dst[head] = cborMap<<5 | 24
	return slices.Insert(dst, head+1, byte(count))
}

// appendValue adds a field, and nothing if it is empty.
func appendValue(dst []byte, p any) []byte {
	number, negative := uint64(0), false
	switch p := p.(type) {
	case *string:
		if *p != "" {
			return appendText(dst, *p)
		}
	case *bool:
		if *p {
			return appendHead(dst, cborSimple, cborTrue)
		}
	case *int:
		number, negative = uint64(*p), *p < 0
	case *int64:
		number, negative = uint64(*p), *p < 0
	case *int32:
		number, negative = uint64(*p), *p < 0
	case *uint8:
		number = uint64(*p)
	case *uint32:
		number = uint64(*p)
	case *uint64:
		number = *p
	case *[]byte:
		if len(*p) > 0 {
			return append(appendHead(dst, cborBytes, uint64(len(*p))), *p...)
		}
	case *[]string:
		if len(*p) > 0 {
			dst = appendHead(dst, cborList, uint64(len(*p)))
		}
		for _, s := range *p {
			dst = appendText(dst, s)
		}
	case *[]int:
		if len(*p) > 0 {
			dst = appendHead(dst, cborList, uint64(len(*p)))
		}
		for _, n := range *p {
			dst = appendInt(dst, int64(n))
		}
	case *map[string]string:
		if len(*p) > 0 {
			dst = appendHead(dst, cborMap, uint64(len(*p)))
		}
		var keys []string
		for k := range *p {
			keys = append(keys, k)
		}
		sort.Slice(keys, func(i, j int) bool { // as their bytes are written
			a, b := keys[i], keys[j]
			return len(a) < len(b) || len(a) == len(b) && a < b
		})
		for _, k := range keys {
			dst = appendText(appendText(dst, k), (*p)[k])
		}
	case *[]Enclosure:
		if len(*p) > 0 {
			dst = appendHead(dst, cborList, uint64(len(*p)))
		}
		for i := range *p {
			f := (*p)[i].fields()
			dst = appendFields(dst, f[:])
		}
	case **extraRec:
		if *p != nil {
			return (*p).appendTo(dst)
		}
	}
	switch {
	case negative:
		return appendHead(dst, cborNegative, ^number)
	case number != 0:
		return appendHead(dst, cborUint, number)
	}
	return dst
}

// cborReader takes a record apart. It asks for no more memory than the record is
// long, whatever a damaged length says.
type cborReader struct{ codec.Reader }

// head reads the beginning of a value: its type, and its number or length. Values of
// a length that is not said before them are never written.
func (r *cborReader) head() (major byte, n uint64) {
	b := r.Byte()
	major, n = b>>5, uint64(b&31)
	if n < 24 {
		return major, n
	}
	size := 1 << (n - 24)
	if n > 27 || len(r.B) < size {
		r.Bad, r.B = true, nil
		return major, 0
	}
	n = 0
	for _, b := range r.B[:size] {
		n = n<<8 | uint64(b)
	}
	r.B = r.B[size:]
	return major, n
}

// taken is the content of a text or of bytes of length n; of the type want only.
func (r *cborReader) taken(major, want byte, n uint64) []byte {
	if major != want || n > uint64(len(r.B)) {
		r.Bad, r.B = true, nil
		return nil
	}
	b := r.B[:n]
	r.B = r.B[n:]
	return b
}

// count is n as the length of a list or map, whose entries have one byte at least.
func (r *cborReader) count(major, want byte, n uint64) int {
	if major != want || n > uint64(len(r.B)) {
		r.Bad, r.B = true, nil
		return 0
	}
	return int(n)
}

// number is a number that begins with major and n, within bounds.
func (r *cborReader) number(major byte, n uint64, least int64, most uint64) uint64 {
	switch {
	case major == cborUint && n <= most:
		return n
	case major == cborNegative && least < 0 && n <= uint64(^least):
		return ^n
	}
	r.Bad, r.B = true, nil
	return 0
}

func (r *cborReader) text() string {
	major, n := r.head()
	return string(r.taken(major, cborText, n))
}

// skip passes over what a newer program wrote. Below 8 levels there is nothing.
func (r *cborReader) skip(level int) {
	major, n := r.head()
	switch {
	case level > 8:
		r.Bad, r.B = true, nil
	case major == cborBytes || major == cborText:
		r.taken(major, major, n)
	case major == cborTag:
		r.skip(level + 1)
	case major == cborList || major == cborMap:
		for range r.count(major, major, n) * int(1+major-cborList) {
			if r.Bad {
				return
			}
			r.skip(level + 1)
		}
	}
}

// fields reads a record into those fields that it has; false if it is damaged.
func (r *cborReader) fields(fields []any) {
	major, n := r.head()
	for range r.count(major, cborMap, n) {
		if r.Bad {
			return
		}
		before := r.B
		if major, key := r.head(); major == cborUint && key-1 < uint64(len(fields)) {
			r.value(fields[key-1])
			continue
		}
		r.B = before
		r.skip(1)
		r.skip(1)
	}
}

// value reads one field.
func (r *cborReader) value(p any) {
	major, n := r.head()
	if major == cborSimple && n == cborNull {
		return
	}
	switch p := p.(type) {
	case *string:
		*p = string(r.taken(major, cborText, n))
	case *bool:
		*p = n == cborTrue
		if major != cborSimple || n != cborTrue && n != cborFalse {
			r.Bad = true
		}
	case *int:
		*p = int(r.number(major, n, math.MinInt, math.MaxInt))
	case *int64:
		*p = int64(r.number(major, n, math.MinInt64, math.MaxInt64))
	case *int32:
		*p = int32(r.number(major, n, math.MinInt32, math.MaxInt32))
	case *uint8:
		*p = uint8(r.number(major, n, 0, math.MaxUint8))
	case *uint32:
		*p = uint32(r.number(major, n, 0, math.MaxUint32))
	case *uint64:
		*p = r.number(major, n, 0, math.MaxUint64)
	case *[]byte:
		*p = append([]byte(nil), r.taken(major, cborBytes, n)...)
	case *[]string:
		for range r.count(major, cborList, n) {
			*p = append(*p, r.text())
		}
	case *[]int:
		for range r.count(major, cborList, n) {
			var x int
			r.value(&x)
			*p = append(*p, x)
		}
	case *map[string]string:
		for range r.count(major, cborMap, n) {
			if *p == nil {
				*p = make(map[string]string)
			}
			k := r.text()
			(*p)[k] = r.text()
		}
	case *[]Enclosure:
		for range r.count(major, cborList, n) {
			var e Enclosure
			f := e.fields()
			r.fields(f[:])
			*p = append(*p, e)
		}
	case **extraRec:
		*p = new(extraRec)
		for range r.count(major, cborMap, n) {
			word := r.text()
			value := r.text()
			if i := slices.Index(extraWords, word); i >= 0 {
				*(*p).fields()[i] = value
			}
		}
	}
}

// decodeFields reads a whole record; false if it is damaged.
func decodeFields(b []byte, fields []any) bool {
	r := cborReader{codec.Reader{B: b}}
	r.fields(fields)
	return r.Done()
}
