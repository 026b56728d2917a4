package plain

import (
	"net/url"
	"strings"
)

// This file tells which parameters of an address authenticate. The name decides;
// where a name is also used for other things, the look of the value does. A long
// value of any other name (a UUID, a channel) says which feed is meant: without it
// the address leads somewhere else.

// secretParts are words that announce a secret wherever they stand in a name.
var secretParts = []string{"token", "secret", "passw", "passphrase", "signature", "credential", "apikey", "jwt", "bearer", "hmac"}

// secretNames are words of a name that announce a secret.
var secretNames = map[string]bool{
	"key": true, "auth": true, "pass": true, "pwd": true, "pw": true, "sig": true, "pin": true, "otp": true,
	"oauth": true, "session": true, "sessionid": true, "sessid": true, "phpsessid": true, "jsessionid": true,
	"authentication": true, "authorization": true,
}

// doubtfulNames are whole names that some servers use for a secret. The number is
// how long a value at least is that is one.
var doubtfulNames = map[string]int{
	"private": 8, "code": 8, "hash": 8, "sid": 8, "login": 8, "access": 8, "h": 16, "k": 16, "s": 16, "t": 16,
}

// harmlessKeys are words that make another thing of a key that follows them.
var harmlessKeys = []string{"sort", "order", "search", "group", "mon", "tur", "don", "whis", "hoc", "joc"}

// isSecret reports whether the value of a parameter authenticates.
func isSecret(key, value string) bool {
	key, value = unescaped(key), unescaped(value)
	if i := strings.Index(value, "://"); i >= 0 && strings.Contains(value[i:], "@") || strings.IndexByte(value, 0x1a) >= 0 {
		return true // an address with a password, or a reference to a secret
	}
	words := wordsOfName(key)
	key = strings.ToLower(key)
	if least := doubtfulNames[key]; least > 0 {
		return len(value) >= least && looksRandom(value)
	}
	return announcesSecret(key, words) && !isSwitch(value)
}

func announcesSecret(key string, words []string) bool {
	for _, part := range secretParts {
		if strings.Contains(key, part) {
			return true
		}
	}
	for i, w := range words {
		switch before, ok := strings.CutSuffix(w, "key"); {
		case ok && i > 0 && before == "":
			before = words[i-1]
			fallthrough
		case ok:
			if !endsInAny(before, harmlessKeys) {
				return true
			}
		case secretNames[w], strings.HasPrefix(w, "auth") && !strings.HasPrefix(w, "author"), strings.HasSuffix(w, "auth"), strings.HasSuffix(w, "sessionid"):
			return true
		}
	}
	return false
}

func endsInAny(s string, ends []string) bool {
	for _, end := range ends {
		if strings.HasSuffix(s, end) {
			return true
		}
	}
	return false
}

// wordsOfName cuts a parameter's name at signs, digits and capitals: "feedKey2" is
// "feed", "key".
func wordsOfName(name string) []string {
	var words []string
	start, lower := 0, false
	cut := func(end int) {
		if end > start {
			words = append(words, strings.ToLower(name[start:end]))
		}
		start = end
	}
	for i := range len(name) {
		b := name[i]
		capital := b >= 'A' && b <= 'Z'
		switch {
		case !isAlnum(b) || b >= '0' && b <= '9':
			cut(i)
			start = i + 1
		case capital && lower:
			cut(i)
		}
		lower = b >= 'a' && b <= 'z'
	}
	cut(len(name))
	return words
}

// isSwitch reports whether a value turns something on or off.
func isSwitch(value string) bool {
	switch strings.ToLower(value) {
	case "", "0", "1", "no", "yes", "true", "false", "on", "off", "none", "null":
		return true
	}
	return false
}

// looksRandom reports whether a value is one word of letters and digits.
func looksRandom(value string) bool {
	digits, letters := 0, 0
	for i := range len(value) {
		switch b := value[i]; {
		case b >= '0' && b <= '9':
			digits++
		case isAlnum(b):
			letters++
		case strings.IndexByte("-_+/=.~", b) < 0:
			return false
		}
	}
	return digits >= 2 && letters >= 2
}

func unescaped(s string) string {
	if u, err := url.QueryUnescape(s); err == nil {
		return u
	}
	return s
}
