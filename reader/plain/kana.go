package plain

import (
	"unicode/utf8"

	"golang.org/x/net/html/charset"
)

func kana(b []byte) (text []byte, name string) {
	for _, name := range []string{"shift_jis", "euc-jp"} {
		enc, _ := charset.Lookup(name)
		out, err := enc.NewDecoder().Bytes(b)
		if err != nil {
			continue
		}
		syllables, all, bad := 0, 0, false
		for _, r := range string(out) {
			if r >= utf8.RuneSelf {
				all++
				bad = bad || r == utf8.RuneError
				if r >= 0x3041 && r <= 0x30F6 {
					syllables++
				}
			}
		}
		if !bad && syllables > 0 && syllables*5 >= all {
			return out, name
		}
	}
	return nil, ""
}
