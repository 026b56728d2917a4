package ranking

// foldOne takes one event that counts into a state.
func (s *state) foldOne(e *Event, n *names) {
	s.lastNo, s.newestAt = max(s.lastNo, e.No), max(s.newestAt, e.At)
	switch e.Kind {
	case Looked:
		s.settle()
	case Shown, Opened, Saved:
		if !s.frozen {
			s.see(e)
		}
	case Starred, WasRead:
		if !s.frozen {
			s.imported(e)
		}
	case Taught:
		if e.Lesson != nil {
			s.teach(e, n)
		}
	}
}

// see counts one event about an item, at most once a sitting in each way.
func (s *state) see(e *Event) {
	v := &e.Item
	if !v.made {
		return
	}
	s.grow(v.most())
	if s.flags[v.feed]&excluded != 0 {
		return
	}
	at, ok := s.seenAt[e.ID]
	if !ok {
		at = int32(len(s.seen))
		s.seenAt[e.ID] = at
		s.seen = append(s.seen, sight{id: e.ID, feed: v.feed})
		s.firstSight(v, &s.seen[at])
	}
	x := &s.seen[at]
	switch e.Kind {
	case Shown:
		row := int32(max(e.Row, 1))
		if x.row == 0 || row < x.row {
			x.row = row
		}
		g := s.g[min(int(x.row), readingRows)-1]
		if x.pos > 0 || g <= x.g || s.flags[v.feed]&byTitle != 0 {
			return
		}
		s.add(v, pair{0, g - x.g})
		x.g = g
	case Opened:
		s.positive(v, x, 1)
	case Saved:
		s.positive(v, x, SavedWeight)
	}
}

// positive brings the item's good evidence of this sitting up to weight and takes
// back its rejection: a showing that ended in an open was none.
func (s *state) positive(v *Vector, x *sight, weight float64) {
	if weight <= x.pos {
		return
	}
	if x.pos == 0 {
		s.opens++
		v.each(func(id int32, _ float64) { s.f[id].opened++ })
	}
	s.add(v, pair{weight - x.pos, -x.g})
	x.pos, x.g = weight, 0
}

// firstSight is a row coming on screen: each setting foretells it, and then
// forgets a little of what it knew of the row's features (our addition to Sia
// 2009, so that drift is followed).
func (s *state) firstSight(v *Vector, x *sight) {
	s.shows++
	feed := &s.f[v.feed]
	for k := range x.foretold {
		m := s.rate(k)
		p := feed.p[k]
		w := idle(k, s.turn, feed.turn)
		a, b := float64(p.a*w)+feed.given.a, float64(p.b*w)+feed.given.b
		x.foretold[k] = min(max((float64(PriorStrength*m)+a)/(PriorStrength+a+b), .001), .999)
	}
	v.each(func(id int32, c float64) {
		e := &s.f[id]
		e.shown++
		for k := range e.p {
			// A feature that is only partly there forgets only partly.
			w := idle(k, s.turn, e.turn) * (1 - c*(1-grid[k].Keep))
			old := e.p[k]
			e.p[k] = pair{float64(old.a * w), float64(old.b * w)}
			if id == v.feed {
				s.count(k, pair{e.p[k].a - old.a, e.p[k].b - old.b})
			}
		}
		w := 1 - c*(1-givenKeep)
		e.given = pair{e.given.a * w, e.given.b * w}
		e.turn = s.turn
	})
}

// add is the paper's update, on every track.
func (s *state) add(v *Vector, d pair) {
	v.each(func(id int32, c float64) {
		e := &s.f[id]
		for k := range e.p {
			old := e.p[k]
			// Never below zero: taking a rejection back may meet one that has faded.
			e.p[k] = pair{old.a + float64(c*d.a), max(old.b+float64(c*d.b), 0)}
			if id == v.feed {
				s.count(k, pair{e.p[k].a - old.a, e.p[k].b - old.b})
			}
		}
	})
}

// count keeps the overall counts: the sum of the feeds', each as it was when last
// shown.
func (s *state) count(k int, d pair) {
	s.total[k] = pair{max(s.total[k].a+d.a, 0), max(s.total[k].b+d.b, 0)}
}

// imported is evidence without showings. It is capped, because ten years of stars
// say which feeds were loved, not how often their items were opened.
func (s *state) imported(e *Event) {
	if !e.Item.made {
		return
	}
	s.grow(e.Item.most())
	w := StarWeight
	if e.Kind == WasRead {
		w = ReadWeight
	}
	e.Item.each(func(id int32, c float64) {
		s.f[id].given.a = max(s.f[id].given.a, min(s.f[id].given.a+float64(c*w), 2*PriorStrength))
	})
}

// most is the largest feature number of a vector.
func (v *Vector) most() int32 {
	m := max(v.feed, v.author)
	for _, id := range v.cats {
		m = max(m, id)
	}
	for _, id := range v.words {
		m = max(m, id)
	}
	for _, t := range v.topics {
		m = max(m, t.id)
	}
	return m
}

// each visits the features that learn from use, with the share of the item that
// is theirs: all of it, but for learned topics.
func (v *Vector) each(visit func(id int32, c float64)) {
	visit(v.feed, 1)
	for _, id := range v.cats {
		visit(id, 1)
	}
	for _, t := range v.topics {
		visit(t.id, t.c)
	}
	for _, id := range v.words {
		visit(id, 1)
	}
}
