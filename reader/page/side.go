package page

import (
	"sort"

	"diurna/reader/align"
	"diurna/reader/field"
	"diurna/reader/things"
)

// existence compares two sets, leaving out what the memory has seen.
func existence(a, b map[string]string, kind string, m *Memory) Existence {
	var e Existence
	gone, come, same := things.Exchanged(a, b)
	for i := 0; kind == "link" && i < min(len(gone), maxRotating); i++ {
		for j := range min(len(come), maxRotating) {
			if field.Redrawn(gone[i], come[j]) {
				same[gone[i]], same[come[j]] = true, true
			}
		}
	}
	for _, k := range gone {
		if !same[k] && !m.cameAndWent(align.ThingHash(kind, k)) {
			e.Removed = append(e.Removed, align.Clean(a[k]))
		}
	}
	for _, k := range come {
		if !same[k] && !m.Knows(align.ThingHash(kind, k)) {
			e.Added = append(e.Added, align.Clean(b[k]))
		}
	}
	sort.Strings(e.Added)
	sort.Strings(e.Removed)
	return e
}
