package fulltext

import (
	"bytes"
	"slices"
	"strings"

	"diurna/reader/markup"
)

// unwanted says whether an element is left out with all that is in it: drawings, boxes
// that ask for consent to cookies or for an address to send letters to, lists of tags and
// of the page's headings, and the numbers of lines of code.
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
		if isBox(class, "newsletter", "sign", "subscri", "form", "promo", "box", "embed", "widget", "cta") {
			return true
		}
	}
	for name := range strings.FieldsSeq(class) {
		switch name {
		case "tags", "tag-list", "taglist", "post-tags", "entry-tags", "article-tags", "toc", "table-of-contents", "linenos", "linenodiv", "lineno", "lnt":
			return true
		}
	}
	return false
}

// isBox reports whether a class names one of some sorts of boxes about something.
func isBox(class, about string, sorts ...string) bool {
	_, after, ok := strings.Cut(class, about)
	return ok && slices.ContainsFunc(sorts, func(sort string) bool { return strings.Contains(after, sort) })
}

// asksConsent knows boxes about cookies by the names that their makers give them.
func asksConsent(class string) bool {
	if strings.Contains(class, "consent") || strings.Contains(class, "gdpr") || strings.Contains(class, "onetrust") {
		return true
	}
	return isBox(class, "cookie", "banner", "notice", "wall", "bar", "law", "overlay", "modal", "popup", "dialog", "message", "info")
}

// notFree reports whether a description of an article says that it must be paid.
func notFree(json []byte) bool {
	_, after, ok := bytes.Cut(json, []byte(`"isAccessibleForFree"`))
	after = bytes.TrimLeft(after[:min(len(after), 40)], " \t\r\n:\"")
	return ok && len(after) >= 5 && strings.EqualFold(string(after[:5]), "false")
}
