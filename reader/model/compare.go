package model

// CompareBool puts false before true, as cmp.Compare does for numbers.
func CompareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
