package model

import "diurna/store"

// Done is what a deliberate change to the library did.
type Done struct {
	Step    uint64 // its number for undo; 0: nothing changed
	Changed int
	Items   []store.ItemID
}
