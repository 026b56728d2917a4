package page

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"diurna/reader/align"
	"diurna/reader/wording"
)

// unified writes a diff as lines for a shell: a heading path, then a line for
// every changed block with its sign, "… n" for those left out.
func unified(d Diff, context int, byWord, numbered bool) string {
	var b strings.Builder
	no := 0
	for _, h := range d.Hunks {
		if !hasChange(h) {
			continue
		}
		title := strings.Join(h.Path, " > ")
		if title == "" {
			title = "(top of the page)"
		}
		fmt.Fprintf(&b, "── %s\n", title)
		for i, r := range h.Rows {
			if r.Kind == Same {
				foldedLines(&b, &d, r, context, i > 0, i+1 < len(h.Rows))
				continue
			}
			number := ""
			if no++; r.Rule == "" {
				no--
			} else if numbered {
				number = fmt.Sprintf("  #%d", no)
			}
			rowLines(&b, r, byWord, number)
		}
	}
	for _, e := range []struct {
		name string
		of   Existence
	}{{"link", d.Links}, {"image", d.Images}, {"form", d.Forms}, {"embed", d.Embeds}} {
		for _, v := range e.of.Removed {
			fmt.Fprintf(&b, "- %s %s\n", e.name, v)
		}
		for _, v := range e.of.Added {
			fmt.Fprintf(&b, "+ %s %s\n", e.name, v)
		}
	}
	return b.String()
}

func hasChange(h Hunk) bool {
	for _, r := range h.Rows {
		if r.Kind != Same {
			return true
		}
	}
	return false
}

// folded returns the blocks that a folded row stands for. Unless the page as it was
// read is at hand its bytes are lexed again: keeping the text of every unchanged
// block would cost more than the page.
func (d *Diff) folded(r Row) (in *align.Document, from, to int) {
	if r.Kind != Same || r.B[0] < 0 || int(r.B[1]) > len(d.page) || r.B[0] > r.B[1] {
		return nil, 0, 0
	}
	if d.read == nil {
		in = align.ParsePart(d.page[r.B[0]:r.B[1]], d.page)
		return in, 0, len(in.Blocks)
	}
	blocks := d.read.Blocks
	from = sort.Search(len(blocks), func(i int) bool { return blocks[i].T0 >= r.B[0] })
	to = from + sort.Search(len(blocks)-from, func(i int) bool { return blocks[from+i].T1 > r.B[1] })
	return d.read, from, to
}

// foldedLines writes unchanged blocks: up to context of them next to a change,
// the count of the rest.
func foldedLines(b *strings.Builder, d *Diff, r Row, context int, before, after bool) {
	if context <= 0 || !before && !after {
		fmt.Fprintf(b, "  … %d unchanged\n", r.Count)
		return
	}
	in, from, to := d.folded(r)
	head, tail := from, to
	if before {
		head = min(from+context, to)
	}
	if after {
		tail = max(head, to-context)
	}
	lines := func(from, to int) {
		for ; from < to; from++ {
			fmt.Fprintf(b, "  %s\n", align.Clean(in.TextOf(from)))
		}
	}
	lines(from, head)
	if n := r.Count - (head - from) - (to - tail); n > 0 {
		fmt.Fprintf(b, "  … %d unchanged\n", n)
	}
	lines(tail, to)
}

// rowLines writes one changed block: as one line with the changed words
// marked, or, by lines, as the old block and the new one.
func rowLines(b *strings.Builder, r Row, byWord bool, number string) {
	switch r.Kind {
	case Moved:
		from := strings.Join(r.From, " > ")
		if from == "" {
			from = "the top of the page"
		}
		fmt.Fprintf(b, "m moved here from %s: %s%s\n", from, r.Mono(), number)
	case Deleted:
		fmt.Fprintf(b, "- %s%s\n", r.plainSide(byWord, align.Delete), number)
	case Inserted:
		fmt.Fprintf(b, "+ %s%s\n", r.plainSide(byWord, align.Insert), number)
	default:
		if byWord {
			fmt.Fprintf(b, "~ %s%s\n", r.Mono(), number)
			return
		}
		fmt.Fprintf(b, "- %s\n+ %s%s\n", r.side(align.Delete), r.side(align.Insert), number)
	}
}

func (r Row) plainSide(byWord bool, k align.OpKind) string {
	if byWord {
		return r.Mono()
	}
	return r.side(k)
}

// side returns the text of the old (Delete) or new (Insert) block.
func (r Row) side(k align.OpKind) string {
	var b strings.Builder
	for _, s := range r.Segments {
		if s.Kind == align.Equal || s.Kind == k {
			b.WriteString(s.Text)
		}
	}
	return strings.TrimSpace(b.String())
}

// Why says in one line what a score is made of:
// `+6 links, -1 image, "price" x2, 118 words in 3 sections`.
func (d Diff) Why() string {
	var parts []string
	count := func(e Existence, one, many string) {
		for _, c := range []struct {
			sign string
			n    int
		}{{"+", len(e.Added)}, {"-", len(e.Removed)}} {
			if c.n == 1 {
				parts = append(parts, c.sign+"1 "+one)
			} else if c.n > 1 {
				parts = append(parts, fmt.Sprintf("%s%d %s", c.sign, c.n, many))
			}
		}
	}
	count(d.Links, "link", "links")
	count(d.Images, "image", "images")
	count(d.Forms, "form part", "form parts")
	count(d.Embeds, "embed", "embeds")
	for _, k := range d.Keywords {
		parts = append(parts, fmt.Sprintf("%q x%d", k.Word, k.Count))
	}
	for _, t := range d.Terms {
		switch t.Category {
		case CatWords:
			parts = append(parts, fmt.Sprintf("%s in %s", wording.Plural(t.Count, "word"), wording.Plural(d.sections(), "section")))
		case CatMenu:
			parts = append(parts, wording.Plural(t.Count, "word")+" of menus")
		case CatOrder:
			parts = append(parts, wording.Plural(t.Count, "block")+" moved")
		case CatDates:
			parts = append(parts, wording.Plural(t.Count, "word")+" of dates")
		case CatVolatile:
			parts = append(parts, wording.Plural(t.Count, "volatile word"))
		case CatTitle:
			parts = append(parts, "the title")
		case CatTargets:
			parts = append(parts, wording.Plural(t.Count, "link")+" to another address")
		case CatPictures:
			parts = append(parts, wording.Plural(t.Count, "image")+" replaced")
		}
	}
	return strings.Join(parts, ", ")
}

// sections counts the hunks with changed content.
func (d Diff) sections() int {
	n := 0
	for _, h := range d.Hunks {
		for _, r := range h.Rows {
			if r.Kind != Same && r.Class == Content {
				n++
				break
			}
		}
	}
	return n
}

// PreviewIgnore compares each of the revisions, oldest first, with the one
// before and says how many changes are significant under o without rule (see
// Row.Rule), and how many still are with it.
func PreviewIgnore(revisions [][]byte, o Options, rule string) (now, then int, err error) {
	o.IgnoreBlocks = slices.DeleteFunc(slices.Clone(o.IgnoreBlocks), func(r string) bool { return r == rule })
	with := o
	with.IgnoreBlocks = append(slices.Clone(o.IgnoreBlocks), rule)
	for i := 1; i < len(revisions); i++ {
		for k, opts := range [2]Options{o, with} {
			d, err := Compare(revisions[i-1], revisions[i], opts)
			if err != nil {
				return 0, 0, err
			}
			if d.Significant && k == 0 {
				now++
			} else if d.Significant {
				then++
			}
		}
	}
	return now, then, nil
}
