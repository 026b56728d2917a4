package fold

import (
	"slices"

	"diurna/store/record"
)

// Prop is one property of items being set. Setting is idempotent, so that undo,
// redo and the fold need not know what was there before.
type Prop struct {
	What byte // 'r' read, 's' saved, 't' tag, 'o' opened: read, and its edit seen
	On   bool
	Tag  string
}

// PropOf is what a fact about items sets; false if it is about something else.
func PropOf(f *record.Fact) (Prop, bool) {
	switch f.Kind {
	case record.MarkedRead, record.MarkedUnread:
		return Prop{What: 'r', On: f.Kind == record.MarkedRead}, true
	case record.Saved, record.Unsaved:
		return Prop{What: 's', On: f.Kind == record.Saved}, true
	case record.Tagged, record.Untagged:
		return Prop{'t', f.Kind == record.Tagged, f.New}, true
	case record.Opened, record.Forgotten:
		return Prop{What: 'o', On: true}, true
	}
	return Prop{}, false
}

// Apply sets the property; false if it was so already.
func (p Prop) Apply(flags record.Flags, tags []string) (record.Flags, []string, bool) {
	was := flags
	switch p.What {
	case 'r':
		flags = flags.With(record.FlagRead, p.On)
	case 's':
		flags = flags.With(record.FlagSaved, p.On)
	case 'o':
		flags = flags.With(record.FlagRead, true).With(record.FlagChanged, false)
	case 't':
		i, there := slices.BinarySearch(tags, p.Tag)
		if there == p.On {
			return flags, tags, false
		}
		if p.On {
			return flags, append(append(append([]string(nil), tags[:i]...), p.Tag), tags[i:]...), true
		}
		tags = slices.Clone(tags)
		if tags = slices.Delete(tags, i, i+1); len(tags) == 0 {
			tags = nil
		}
		return flags, tags, true
	}
	return flags, tags, flags != was
}
