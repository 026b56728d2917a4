package fulltext

import (
	"bytes"
	"strings"

	"diurna/reader/markup"
)

// unwanted says whether an element is left out with all that is in it: drawings,
// and boxes that ask for consent to cookies.
func (t *trimmer) unwanted(e markup.Element, tag []byte) bool {
	switch e {
	case markup.Svg, markup.Template:
		return true
	case markup.Html, markup.Body, markup.Main, markup.Article:
		return false
	}
	class := strings.ToLower(markup.Attr(tag, "class") + " " + markup.Attr(tag, "id"))
	if len(class) == 1 {
		return false
	}
	t.paywall = t.paywall || strings.Contains(class, "paywall") || strings.Contains(class, "regwall")
	switch e {
	case markup.Div, markup.Section, markup.Aside, markup.Form, markup.Dialog, markup.Footer, markup.Header:
		if asksConsent(class) {
			t.consent = true
			return true
		}
	}
	return false
}

// asksConsent knows boxes about cookies by the names that their makers give them.
func asksConsent(class string) bool {
	if strings.Contains(class, "consent") || strings.Contains(class, "gdpr") || strings.Contains(class, "onetrust") {
		return true
	}
	_, after, ok := strings.Cut(class, "cookie")
	if !ok {
		return false
	}
	for _, what := range []string{"banner", "notice", "wall", "bar", "law", "overlay", "modal", "popup", "dialog", "message", "info"} {
		if strings.Contains(after, what) {
			return true
		}
	}
	return false
}

// notFree reports whether a description of an article says that it must be paid.
func notFree(json []byte) bool {
	_, after, ok := bytes.Cut(json, []byte(`"isAccessibleForFree"`))
	after = bytes.TrimLeft(after[:min(len(after), 40)], " \t\r\n:\"")
	return ok && len(after) >= 5 && strings.EqualFold(string(after[:5]), "false")
}
