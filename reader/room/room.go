// Package room cuts tables from one piece of memory, so that whoever gives the
// memory decides where they lie.
package room

import "unsafe"

// Room is memory that tables are cut from. What finds no place in it comes from the
// heap; all of it does from the zero value.
type Room struct{ free []byte }

// step is what the places of tables are multiples of.
const step = 8

// New takes memory that is zeroed and that nobody else uses.
func New(memory []byte) *Room {
	at := uintptr(unsafe.Pointer(unsafe.SliceData(memory)))
	return &Room{memory[min(int(-at&(step-1)), len(memory)):]}
}

// Take cuts a table of n zeroed values. Their type must hold no pointers: the
// collector looks for none in the memory.
//
//go:noinline // 12 places
func Take[T any](r *Room, n int) []T {
	var one T
	size := (n*int(unsafe.Sizeof(one)) + step - 1) &^ (step - 1)
	if n == 0 || size > len(r.free) {
		return make([]T, n)
	}
	at := unsafe.Pointer(unsafe.SliceData(r.free))
	r.free = r.free[size:]
	return unsafe.Slice((*T)(at), n)
}
