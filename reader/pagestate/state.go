package pagestate

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"diurna/reader/align"
	"diurna/reader/kind"
	"diurna/reader/markup"
	"diurna/reader/page"
	"diurna/reader/things"
)

// The figures of classify. None of them names a language or a site: pages are
// recognised by status, structure and likeness to the revision before.
const (
	fewWords   = 150 // a page with more is no error or challenge page
	stubWords  = 80  // maintenance pages are shorter
	stubShare  = 5   // and have less than one fifth of the words there were
	stubLinks  = 5   // and hardly a link
	alikeShare = 0.2 // share of blocks known from before that makes a page itself
)

// Classify says whether a response is the page or something in its place, and
// why. prev is the last kept revision, decoded, or nil; o brings the selectors.
func Classify(r Response, prev []byte, o page.Options) (state State, why string) {
	pages := align.NewParser(len(r.Body) + len(prev))
	cur := pages.Parse(r.Body, 0)
	marked := challenged(cur)
	if r.Status >= 400 {
		switch {
		case marked:
			return Captcha, fmt.Sprintf("status %d with a challenge", r.Status)
		case r.Status == 503:
			return Maintenance, "status 503"
		}
		return ErrorPage, fmt.Sprintf("status %d", r.Status)
	}
	var old *align.Document
	alike := 0.0
	if prev != nil {
		old = pages.Parse(prev, 1)
		alike = max(likeness(old, cur), remembered(o.Memory, cur))
	}
	own := prev != nil && alike >= alikeShare
	words := len(cur.Words)
	switch {
	case garbled(r.Body):
		return ErrorPage, "the answer is not text"
	case marked && words <= fewWords && !own:
		return Captcha, "a challenge instead of the page"
	case words == 0 && !pictured(cur):
		return Empty, "no text"
	}
	if code := statusInHead(cur); old != nil && code > 0 && words <= fewWords && !own && statusInHead(old) != code {
		if code == 503 {
			return Maintenance, "the page says it is a 503 error"
		}
		return ErrorPage, fmt.Sprintf("the page says it is a %d error", code)
	}
	switch {
	case old == nil:
		state, why = notYet(cur)
	case !own && remained(old, cur, o.Memory) < ownShare:
		if is, says := instead(cur); is != Good {
			if was, _ := instead(old); was != is {
				return is, says
			}
		}
		fallthrough
	default:
		state, why = standIn(old, cur, o.Memory)
	}
	if state == Login || state == Captcha {
		return state, why
	}
	if old != nil && !own && stub(cur, old) {
		return Maintenance, fmt.Sprintf("%d words instead of %d, none of them known", words, len(old.Words))
	}
	if old != nil && !own && len(old.Words) >= page.ShrinkFrom && words*20 < len(old.Words) {
		return Empty, fmt.Sprintf("%d words instead of %d", words, len(old.Words))
	}
	if state != Good {
		return state, why
	}
	if sc, err := page.NewScope(o); err == nil && len(o.Select) > 0 {
		if _, found := sc.Of(cur); !found {
			return DeadSelector, "the selector matches nothing"
		}
	}
	return Good, ""
}

// likeness is the share of cur's blocks that old held too.
func likeness(old, cur *align.Document) float64 {
	if len(cur.Blocks) == 0 {
		return 0
	}
	known := map[int32]bool{}
	for _, b := range old.Blocks {
		known[b.Key] = true
	}
	n := 0
	for _, b := range cur.Blocks {
		if known[b.Key] {
			n++
		}
	}
	return float64(n) / float64(len(cur.Blocks))
}

// remembered is the share of cur's blocks that earlier revisions held.
func remembered(m *page.Memory, cur *align.Document) float64 {
	if m == nil || len(cur.Blocks) == 0 {
		return 0
	}
	n := 0
	for i := range cur.Blocks {
		if m.Knows(cur.Hash(i)) {
			n++
		}
	}
	return float64(n) / float64(len(cur.Blocks))
}

// garbled reports whether a page is no text, such as a picture or an archive
// that a server calls HTML: control characters that no text has make up a
// fiftieth of its beginning.
func garbled(body []byte) bool {
	body = body[:min(len(body), 4<<10)]
	n := 0
	for _, c := range body {
		if c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != 0x1b {
			n++
		}
	}
	return n > 0 && n*50 >= len(body)
}

// stub reports whether a page is a short notice in place of a real page.
func stub(cur, old *align.Document) bool {
	if len(cur.Words) > stubWords || len(old.Words) < page.ShrinkFrom || len(cur.Words)*stubShare > len(old.Words) {
		return false
	}
	return len(things.Of(cur, nil).Links) <= stubLinks
}

func pictured(d *align.Document) bool {
	t := things.Of(d, nil)
	return len(t.Images)+len(t.Embeds) > 0
}

// challenged reports whether a page carries a test for humans: the acronym in
// an attribute of a frame, form, script or field, which is what the test's own
// code needs whatever the language of the page is.
func challenged(d *align.Document) bool {
	for i := int32(0); i < d.End(); i = d.Next(i) {
		if d.Is(i) != align.Tag {
			continue
		}
		raw := d.At(i)
		if !slices.ContainsFunc(challengeSigns, func(sign string) bool { return foldContains(raw, sign) }) {
			continue
		}
		e, closing := d.Element(i)
		if closing {
			continue
		}
		if e == markup.Meta && !strings.EqualFold(markup.Attr(raw, "http-equiv"), "refresh") {
			continue // it may describe a challenge
		}
		for _, key := range challengeKeys[e] {
			v := strings.ToLower(markup.Attr(raw, key))
			if slices.ContainsFunc(challengeSigns, func(sign string) bool { return strings.Contains(v, sign) }) {
				return true
			}
		}
	}
	return false
}

// challengeSigns are what tests for humans call themselves, or what their code lies in.
var challengeSigns = []string{"captcha", "challenge", "incapsula_resource"}

// challengeKeys lists where a challenge names itself.
var challengeKeys = map[markup.Element][]string{
	markup.Iframe: {"src", "id", "class", "title"}, markup.Script: {"src", "id"}, markup.Form: {"id", "class", "action"},
	markup.Div: {"id", "class"}, markup.Input: {"name", "id"}, markup.Textarea: {"name", "id"}, markup.Img: {"src", "id"},
	markup.Span: {"id"}, markup.Meta: {"content"},
}

func foldContains(b []byte, sub string) bool {
	for i := 0; i+len(sub) <= len(b); i++ {
		if b[i]|0x20 == sub[0] && bytes.EqualFold(b[i:i+len(sub)], []byte(sub)) {
			return true
		}
	}
	return false
}

// statusInHead returns the HTTP status of failure a page names in its title or
// first heading, 0 if none.
func statusInHead(d *align.Document) int {
	o := align.OutlineOf(d)
	heads := []string{o.Title}
	if len(o.Heads) > 0 {
		heads = append(heads, o.Heads[0].Text(d))
	}
	for _, h := range heads {
		for _, w := range strings.FieldsFunc(h, func(r rune) bool { return r < '0' || r > '9' }) {
			if n := kind.ShortNumber(w); n >= 400 && n < 600 && len(w) == 3 {
				return n
			}
		}
	}
	return 0
}
