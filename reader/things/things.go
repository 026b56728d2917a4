// Package things collects the parts of a page that are no text: links, images,
// forms and what is embedded. Start with Of, or with Changed for two pages.
package things

import (
	"strings"

	"diurna/reader/align"
	"diurna/reader/kind"
	"diurna/reader/markup"
)

// Things are the parts of a page that are no text: what Saeyor & Ishizuka call the
// existence of contents. Each is a set of canonical names, with how they are written.
type Things struct {
	Links, Images, Forms, Embeds map[string]string
}

func newThings() Things {
	return Things{map[string]string{}, map[string]string{}, map[string]string{}, map[string]string{}}
}

// set is the set of one sort, nil of appearance tags, which have no names.
func (t *Things) set(k thing) map[string]string {
	return [things]map[string]string{link: t.Links, image: t.Images, form: t.Forms, embed: t.Embeds}[k]
}

// maxThings is how many links, images, forms and embeds of a page are looked
// at: no page for people comes near, and each is kept with its name.
const maxThings = 50_000

// maxTags is how many tags of such things are looked at when two pages are compared.
const maxTags = 4 * maxThings

// thing is a sort of part that is no text.
type thing uint8

const (
	noThing thing = iota
	link
	image
	form
	embed
	style // an appearance tag, which has no name
	things
)

// thingOf says what a tag begins.
var thingOf = [markup.Elements]thing{
	markup.A: link, markup.Area: link, markup.Img: image, markup.Form: form, markup.Input: form, markup.Select: form, markup.Textarea: form,
	markup.Iframe: embed, markup.Frame: embed, markup.Embed: embed, markup.Video: embed, markup.Audio: embed, markup.Source: embed,
	markup.Object: embed,
	markup.B:      style, markup.I: style, markup.U: style, markup.S: style, markup.Em: style, markup.Strong: style, markup.Font: style, markup.Big: style,
	markup.Small: style, markup.Center: style, markup.Strike: style, markup.Mark: style, markup.Sub: style, markup.Sup: style, markup.Tt: style, markup.Hr: style,
}

// nameOf returns the canonical name of what a tag begins, "" for nothing, and
// how it is written.
func nameOf(e markup.Element, raw []byte) (name, as string) {
	switch thingOf[e] {
	case link:
		as = markup.Attr(raw, "href")
	case image:
		as = align.ImageSource(raw)
	case embed:
		if e == markup.Object {
			as = markup.Attr(raw, "data")
		} else {
			as = markup.Attr(raw, "src")
		}
	case form:
		if e == markup.Form {
			as = markup.Attr(raw, "action")
			return "form " + align.Canonical(as), as
		}
		// Hidden inputs carry tokens and post-back state.
		if as = markup.Attr(raw, "name"); as != "" && !strings.EqualFold(markup.Attr(raw, "type"), "hidden") {
			return "field " + kind.Mask(as), as
		}
		return "", ""
	}
	if as == "" {
		return "", ""
	}
	return align.Canonical(as), as
}

// each calls f for the tags of a document, inside a scope, that begin something.
func each(d *align.Document, in align.Bitset, f func(i int32, e markup.Element)) {
	for i := d.NextTag(0); i < d.End(); i = d.NextTag(i + 1) {
		if e, closing := d.Element(i); thingOf[e] != noThing && !closing && (in == nil || in.Has(i)) {
			f(i, e)
		}
	}
}

// Of collects the things of a document inside a scope (nil: all).
func Of(d *align.Document, in align.Bitset) Things {
	t, n := newThings(), 0
	each(d, in, func(i int32, e markup.Element) {
		set := t.set(thingOf[e])
		if set == nil {
			return
		}
		if name, as := nameOf(e, d.At(i)); name != "" {
			n += put(set, name, as, n < maxThings)
		}
	})
	return t
}

// put adds a name to a set, unless it is new and there is no room, and returns how
// many are new.
func put(set map[string]string, name, as string, room bool) int {
	_, known := set[name]
	if known || room {
		set[name] = as
	}
	if known || !room {
		return 0
	}
	return 1
}

// Changed collects of each of two documents, inside scopes, the things that the
// other has not, and counts the appearance tags whose number differs. Most tags
// stand in both: their names are read once.
func Changed(docs [2]*align.Document, in [2]align.Bitset) (of [2]Things, restyled int) {
	seen := make([]uint8, docs[0].Numbers()) // by number of a tag: the sides that have it
	const both, done = 3, 4
	var tags [2][]int32
	var styles [markup.Elements]int
	for s, d := range docs {
		each(d, in[s], func(i int32, e markup.Element) {
			if thingOf[e] == style {
				styles[e] += 1 - 2*s
			} else if len(tags[s]) < maxTags {
				seen[d.ID(i)] |= 1 << s
				tags[s] = append(tags[s], i)
			}
		})
	}
	lone := 0
	for s, d := range docs {
		of[s] = newThings()
		room := maxThings
		for _, i := range tags[s] {
			if seen[d.ID(i)] == 1<<s {
				e, _ := d.Element(i)
				if name, as := nameOf(e, d.At(i)); name != "" {
					room -= put(of[s].set(thingOf[e]), name, as, room > 0)
				}
				lone++
			}
		}
	}
	for _, i := range tags[0] {
		if at := &seen[docs[0].ID(i)]; *at == both && lone > 0 {
			*at |= done
			e, _ := docs[0].Element(i)
			name, _ := nameOf(e, docs[0].At(i))
			delete(of[0].set(thingOf[e]), name)
			delete(of[1].set(thingOf[e]), name)
		}
	}
	for _, c := range styles {
		if c != 0 {
			restyled++
		}
	}
	return of, restyled
}
