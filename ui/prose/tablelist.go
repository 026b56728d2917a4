package prose

// rowsAsList writes a table that has no room for its columns as a list with
// one entry per row and one line per cell, each behind the heading of its
// column.
func (b *builder) rowsAsList(rows [][]*cell, columns int) {
	heads := 0
	for heads < len(rows) && allHead(rows[heads]) {
		heads++
	}
	if heads == len(rows) {
		heads = 0 // nothing but headings: they are the rows
	}
	labels := make([][]*cell, columns)
	for _, row := range rows[:heads] {
		for c, x := range row {
			if x == nil || len(x.para.buf) == 0 {
				continue
			}
			for k := range x.covers(row[c:]) {
				labels[c+k] = append(labels[c+k], x)
			}
		}
	}
	b.unusedLabels(rows[heads:], labels)
	for i, row := range rows[heads:] {
		b.gap = b.gap || i > 0
		b.listRow(row, labels)
	}
}

// unusedLabels writes the headings of columns in which nothing stands: they
// are text of the page too.
func (b *builder) unusedLabels(rows [][]*cell, labels [][]*cell) {
	used := map[*cell]bool{}
	for _, row := range rows {
		for c, x := range row {
			if x == nil || len(x.para.buf) == 0 {
				continue
			}
			for _, l := range labels[c] {
				used[l] = true
			}
		}
	}
	for _, column := range labels {
		for _, l := range column {
			if !used[l] {
				used[l] = true
				b.entry(nil, l, "", "")
			}
		}
	}
}

// listRow writes the cells of a row under each other, the first behind a bullet.
func (b *builder) listRow(row []*cell, labels [][]*cell) {
	lead := b.marks.bullet
	for c, x := range row {
		if x == nil || len(x.para.buf) == 0 {
			continue
		}
		b.entry(labels[c], x, lead, "  ")
		lead = "  "
	}
}

// entry writes one cell: its lead, its labels, its text.
func (b *builder) entry(labels []*cell, x *cell, lead, rest string) {
	var p para
	for i, l := range labels {
		p.append(&l.para)
		if i+1 < len(labels) {
			p.add(",", Bold, 0)
		} else {
			p.add(":", Bold, 0)
		}
	}
	p.append(&x.para)
	all := string(p.buf)
	for _, c := range b.cells.wrap(all, b.room()-len(rest), nil) {
		var spans []Span
		if lead != "" {
			spans = []Span{{Text: lead}}
		}
		b.line(p.spans(all, c.from, c.to, spans))
		lead = rest
	}
}

// append adds the whole text of another paragraph.
func (p *para) append(other *para) {
	if len(p.buf) > 0 {
		p.buf = append(p.buf, ' ')
		p.mark(Plain, 0)
	}
	from := 0
	for _, m := range other.marks {
		p.buf = append(p.buf, other.buf[from:m.end]...)
		p.mark(m.style, m.link)
		from = m.end
	}
}
