package plain

import "strings"

// hidden stands where a secret stood.
const hidden = "…"

// Redact returns s with "…" in place of what must not be shown: the userinfo of
// every address in it, and the values of query parameters that authenticate: those
// named key, token, auth, sig and the like, and random ones of names that are
// sometimes used for a secret (hash, code, sid). Text without an address is returned as it is.
//
//go:noinline // 60 places, each with a closure of its own
func Redact(s string) string {
	return Secrets(s, func(secret string) string {
		if secret == hidden+"'" { // the end of an argument that was redacted before it was quoted
			return secret
		}
		return hidden
	})
}

// Secrets returns s with what swap gives in place of each part that Redact hides.
// swap must return a part that stands for another one as it is.
// It is the one definition of what is secret.
func Secrets(s string, swap func(string) string) string {
	var b strings.Builder
	for {
		i := strings.Index(s, "://")
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		end := i + 3 + addressEnd(s[i+3:])
		b.WriteString(s[:i+3])
		b.WriteString(secretsOf(s[i+3:end], swap))
		s = s[end:]
	}
}

// addressEnd returns where the address at the start of s (after its "://")
// ends: at white space, a control character, a quote or an angle bracket.
func addressEnd(s string) int {
	for i, r := range s {
		if r <= ' ' || r == '"' || r == '<' || r == '>' || r == '`' || classOf(r) == space || classOf(r) == newline {
			return i
		}
	}
	return len(s)
}

func secretsOf(s string, swap func(string) string) string {
	end := strings.IndexAny(s, "/?#")
	if end < 0 {
		end = len(s)
	}
	authority, rest := s[:end], s[end:]
	if at := strings.LastIndexByte(authority, '@'); at >= 0 {
		authority = swap(authority[:at]) + authority[at:]
	} else if at := strings.LastIndexByte(rest, '@'); at >= 0 && passwordWithSlash(authority, rest[:at]) {
		// "https://user:pa/ss@host/": what a user typed before it was encoded.
		authority, rest = swap(authority+rest[:at]), rest[at:]
	}
	if host, port, ok := strings.Cut(authority, ":"); ok && !strings.Contains(authority, "@") && !strings.HasPrefix(authority, "[") && strings.Trim(port, "0123456789") != "" {
		authority = host + ":" + swap(port) // no port, so rather a password that lost its host
	}
	q := strings.IndexAny(rest, "?#")
	if q < 0 {
		return authority + rest
	}
	return authority + rest[:q] + secretsOfQuery(rest[q:], swap)
}

// passwordWithSlash reports whether authority looks like "user:password" cut at
// a slash: a colon that no port follows.
func passwordWithSlash(authority, between string) bool {
	_, port, ok := strings.Cut(authority, ":")
	return ok && strings.Trim(port, "0123456789") != "" && !strings.ContainsAny(between, "?#")
}

// secretsOfQuery takes "?a=b&c=d#e=f" and swaps the values that must not be seen.
func secretsOfQuery(s string, swap func(string) string) string {
	var b strings.Builder
	for s != "" {
		b.WriteByte(s[0]) // the separator
		s = s[1:]
		end := strings.IndexAny(s, "&;?#")
		if end < 0 {
			end = len(s)
		}
		pair := s[:end]
		s = s[end:]
		key, value, ok := strings.Cut(pair, "=")
		if ok && value != "" && isSecret(key, value) {
			pair = key + "=" + swap(value)
		}
		b.WriteString(pair)
	}
	return b.String()
}

// WithoutSecrets returns s without what must not leave this machine: what Redact
// hides is taken out, of a query with the parameter's name. It is for lists that
// are handed on; an address may not work then.
// It takes out what Secrets finds until it finds nothing more: what
// stood behind a userinfo may look like one itself.
func WithoutSecrets(s string) string {
	const mark = "\x00"
	s = strings.ReplaceAll(s, mark, "")
	for {
		found := false
		s = Secrets(s, func(string) string { found = true; return mark })
		if !found {
			return s
		}
		s = strings.ReplaceAll(s, mark+"@", "")
		for i := strings.Index(s, mark); i >= 0; i = strings.Index(s, mark) {
			s = withoutPair(s, i)
		}
	}
}

// withoutPair takes out the parameter whose value stood at the mark at i, and one
// of the separators beside it; or what stood where a port belongs.
func withoutPair(s string, i int) string {
	before, after := s[:i], s[i+1:]
	from := strings.LastIndexAny(before, "&;?#")
	if strings.HasSuffix(before, ":") || from < 0 {
		return strings.TrimSuffix(before, ":") + after
	}
	if first := before[from] == '?' || before[from] == '#'; first && after != "" && (after[0] == '&' || after[0] == ';') {
		return before[:from+1] + after[1:]
	}
	return before[:from] + after
}
