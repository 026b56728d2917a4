package plain

import (
	"bytes"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
)

// labels are, for the name of each encoding, what it is called too, in the
// Encoding Standard (section 4.2) and by publishers: letters and digits only.
// Those with which the Standard has a document given up are not there.
const labels = `
utf-8 unicode11utf8 unicode20utf8
utf-16be unicodefffe
utf-16le iso10646ucs2 ucs2 unicode unicodefeff utf16
ibm866 866 cp866
iso-8859-2 isoir101 iso885921987 l2 latin2 isolatin2
iso-8859-3 isoir109 iso885931988 l3 latin3 isolatin3
iso-8859-4 isoir110 iso885941988 l4 latin4 isolatin4
iso-8859-5 isolatincyrillic cyrillic isoir144 iso885951988
iso-8859-6 arabic asmo708 iso88596e iso88596i isolatinarabic ecma114 isoir127 iso885961987
iso-8859-7 isolatingreek ecma118 elot928 greek greek8 isoir126 iso885971987 suneugreek
iso-8859-8 iso88598e isolatinhebrew hebrew isoir138 iso885981988 visual
iso-8859-8-i logical
iso-8859-10 isolatin6 isoir157 l6 latin6
iso-8859-13
iso-8859-14
iso-8859-15 isolatin9 l9 latin9
iso-8859-16
koi8-r koi koi8
koi8-u koi8ru
macintosh mac macroman
windows-874 dos874 iso885911 tis620
windows-1250 cp1250 win1250
windows-1251 cp1251 win1251
windows-1252 ansix341968 ascii cp1252 win1252 cp819 isolatin1 ibm819 iso88591 isoir100 iso885911987 l1 latin1 usascii
windows-1253 cp1253 win1253
windows-1254 cp1254 win1254 isolatin5 iso88599 isoir148 iso885991989 l5 latin5
windows-1255 cp1255 win1255
windows-1256 cp1256 win1256
windows-1257 cp1257 win1257
windows-1258 cp1258 win1258
x-mac-cyrillic maccyrillic macukrainian
gbk chinese gb2312 iso58gb231280 gb231280 isoir58 cp936 ms936 euccn
gb18030
big5 big5hkscs cnbig5 xbig5 cp950
euc-jp eucpkdfmtjapanese
iso-2022-jp
shift_jis ms932 cp932 mskanji sjis windows31j
euc-kr ksc56011987 isoir149 korean ksc56011989 ksc5601 windows949 cp949 ms949 uhc
`

// folded is a label without its signs and without the prefixes "x-" and "cs" of
// names that were not registered, or were so for programs.
func folded(label string) string {
	label = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return -1
	}, label[:min(len(label), 64)])
	return strings.TrimPrefix(strings.TrimPrefix(label, "x"), "cs")
}

// Encoding finds the encoding that a label names, whatever its case and signs, and
// its name on the web: "Latin-1" is windows-1252. It is nil for labels that
// nobody knows, and for those of encodings that no document may be in.
func Encoding(label string) (encoding.Encoding, string) {
	label = folded(label)
	if label == "" {
		return nil, ""
	}
	for line := range strings.Lines(labels) {
		for i, word := range strings.Fields(line) {
			if i == 0 && folded(word) == label || i > 0 && word == label {
				name, _, _ := strings.Cut(strings.TrimSpace(line), " ")
				return codec(name), name
			}
		}
	}
	return nil, ""
}

// codec is the decoder of a name in labels.
func codec(name string) encoding.Encoding {
	enc, _ := htmlindex.Get(name) // which has all of them
	return enc
}

// MetaCharset returns the label of the charset that a page names in a <meta> among
// its first 4,096 bytes, "" if it names none.
func MetaCharset(b []byte) string {
	head := bytes.ToLower(b[:min(len(b), 4096)])
	i := bytes.Index(head, []byte("<meta"))
	if i < 0 {
		return ""
	}
	head = head[i:]
	if i = bytes.Index(head, []byte("charset=")); i < 0 {
		return ""
	}
	head = bytes.TrimLeft(head[i+8:], "\"' ")
	if i = bytes.IndexAny(head, "\"' />;"); i < 0 {
		return ""
	}
	return string(head[:i])
}
