package interest

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestSortKey(t *testing.T) {
	want := []string{"42 reasons", "Alpha", "“École” burns", "Ecology", "Eel", "zebra", "Йод", "Ёлка", "かに", "がん", "한글", "", "🌠"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortStableFunc(got, func(a, b string) int {
		if ka, kb := SortKey(a), SortKey(b); ka < kb {
			return -1
		} else if ka > kb {
			return 1
		}
		return 0
	})
	got[len(got)-1], got[len(got)-2] = "🌠", "" // neither has a letter
	if !slices.Equal(got, want) {
		t.Errorf("sorted %q, want %q", got, want)
	}
	for title, want := range map[string]rune{"Alpha": 'a', "“École”": 'e', "7 days": 0, "٣ أيام": 0, "": -1, "!?": -1, "がん": 'が', "Йод": 'й', "E\u0301tat": 'e', "한글": '한'} {
		if got := Initial(title); got != want {
			t.Errorf("%q begins with %q, want %q", title, got, want)
		}
	}
}

// TestInitialFollowsTheKey: titles of one group stand side by side.
func TestInitialFollowsTheKey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		titles := rapid.SliceOfN(rapid.StringN(0, 4, -1), 0, 30).Draw(t, "titles")
		slices.SortFunc(titles, func(a, b string) int {
			if ka, kb := SortKey(a), SortKey(b); ka != kb {
				return map[bool]int{true: -1, false: 1}[ka < kb]
			}
			return 0
		})
		seen := map[rune]bool{}
		for i, title := range titles {
			at := Initial(title)
			if i > 0 && at != Initial(titles[i-1]) && seen[at] {
				t.Fatalf("group %q is in two places of %q", at, titles)
			}
			seen[at] = true
		}
	})
}
