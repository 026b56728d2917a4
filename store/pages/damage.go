package pages

import (
	"errors"
	"strings"
)

// ErrDamaged is what every Damage is.
var ErrDamaged = errors.New("the library is damaged")

// Damage says what does not check and in which record or page, for example
// "checksum" and "items b7q-41". errors.Is(err, ErrDamaged) holds.
type Damage struct{ What, Record string }

func (e *Damage) Error() string {
	// Both may quote what lies on a damaged page.
	what, record := Short(e.What), Short(e.Record)
	if record == "" {
		return "the library is damaged: " + what
	}
	return "the library is damaged (" + record + "): " + what
}

// Is makes errors.Is(err, ErrDamaged) true.
func (e *Damage) Is(target error) bool { return target == ErrDamaged }

// Short cuts what is quoted to 120 bytes.
func Short(s string) string {
	const most = 120
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "..."
	}
	return s
}
