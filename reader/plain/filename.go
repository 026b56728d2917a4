package plain

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// maxSlug leaves room for the dash, the hash and an extension within 200 bytes.
const maxSlug = 160

func filename(s string) string {
	sum := sha256.Sum256([]byte(s))
	var b strings.Builder
	dash := false
	for _, r := range norm.NFC.String(Line(s, 4*maxSlug)) {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r) {
			dash = b.Len() > 0
			continue
		}
		if dash {
			b.WriteByte('-')
			dash = false
		}
		b.WriteRune(unicode.ToLower(r))
	}
	slug := cut(b.String(), maxSlug, true)
	if slug == "" {
		slug = "item"
	}
	// The hash makes reserved names ("con", "nul") ordinary ones as well.
	return strings.TrimRight(slug, "-") + "-" + hex.EncodeToString(sum[:4])
}
