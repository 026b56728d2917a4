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
	case Trained:
		if e.Feedback != nil {
			s.train(e, n)
		}
	}
}

// see counts one event about an item, at most once a session in each way.
func (s *state) see(e *Event) {
	v := &e.Item
	if !v.made {
		return
	}
	s.grow(v.largest)
	if s.flags[v.feed]&excluded != 0 {
		return
	}
	s.folders = s.folders || v.folder >= 0
	at, ok := s.seenAt[e.ID]
	if !ok {
		at = int32(len(s.seen))
		s.seenAt[e.ID] = at
		s.seen = append(s.seen, impression{id: e.ID, feed: v.feed})
		s.predict(v, &s.seen[at])
		s.shows++
	}
	d := s.evidence(e, &s.seen[at])
	for i, id := range v.ids {
		if !ok {
			s.first(id, v.share(i), d, i == 0)
		} else {
			s.add(id, v.share(i), d, i == 0)
		}
	}
}

// evidence is what an event adds to its item's features, given what this session
// has counted of the item already.
func (s *state) evidence(e *Event, x *impression) pair {
	switch e.Kind {
	case Shown:
		row := int32(max(e.Row, 1))
		if x.row == 0 || row < x.row {
			x.row = row
		}
		g := s.g[min(int(x.row), readingRows)-1]
		if x.pos > 0 || g <= x.g || s.flags[x.feed]&byTitle != 0 {
			return pair{}
		}
		d := pair{0, g - x.g}
		x.g = g
		return d
	case Opened:
		return s.positive(&e.Item, x, 1)
	}
	return s.positive(&e.Item, x, SavedWeight)
}

// positive brings the item's good evidence of this session up to weight and takes
// back its rejection: a showing that ended in an open was none.
func (s *state) positive(v *Vector, x *impression, weight float64) pair {
	if weight <= x.pos {
		return pair{}
	}
	if x.pos == 0 {
		s.opens++
		for _, id := range v.ids {
			s.f[id].opened++
		}
	}
	d := pair{weight - x.pos, -x.g}
	x.pos, x.g = weight, 0
	return d
}

// predict lets each setting say how likely the row is to be opened if it is read,
// from its feed alone: that is where drift shows, and it needs no logarithms. The prior is
// worth one showing: a larger one is wrong about new feeds as if they changed, and hides a change.
func (s *state) predict(v *Vector, x *impression) {
	x.sums = sums{s.logit(v), s.naiveLogit(v), v.again}
	for k := range x.predicted {
		p := s.at(v.feed, k)
		x.predicted[k] = min(max((s.rate(k)+p.a)/(1+p.a+p.b), .001), .999)
	}
}

// first is add for a row that comes on screen. Before the update it wears the
// feature's evidence away (our addition to Sia 2009, so that drift is followed): by
// the sessions that did not show it, and by the row that shows it now, as far as
// the row is about it.
func (s *state) first(id int32, c float64, d pair, isFeed bool) {
	e := &s.f[id]
	e.shown++
	a, b := float32(c*d.a), float32(c*d.b)
	w := keeps
	if c != 1 {
		for k := range w {
			w[k] = 1 - float32(c)*(1-w[k])
		}
	}
	if s.turn > e.turn+1 {
		for k := range w {
			w[k] *= float32(idle(k, s.turn, e.turn))
		}
	}
	for k := range e.p {
		p := &e.p[k]
		was := *p
		p.a, p.b = float32(p.a*w[k])+a, max(float32(p.b*w[k])+b, 0)
		if isFeed {
			s.count(k, was, *p)
		}
	}
	if e.given != (small{}) {
		w := float32(1 - c*(1-givenKeep))
		e.given = small{e.given.a * w, e.given.b * w}
	}
	e.turn = s.turn
}

// add is the paper's update, on every track.
func (s *state) add(id int32, c float64, d pair, isFeed bool) {
	e := &s.f[id]
	a, b := float32(c*d.a), float32(c*d.b)
	for k := range e.p {
		p := &e.p[k]
		was := *p
		// Never below zero: taking a rejection back may meet one that has faded.
		p.a, p.b = was.a+a, max(was.b+b, 0)
		if isFeed {
			s.count(k, was, *p)
		}
	}
}

// count keeps the overall counts: the sum of the feeds', each as it was when last
// shown.
func (s *state) count(k int, was, is small) {
	t := &s.total[k]
	t.a = max(t.a+float64(is.a)-float64(was.a), 0)
	t.b = max(t.b+float64(is.b)-float64(was.b), 0)
}

// imported is evidence without showings. It is capped, because ten years of stars
// say which feeds were loved, not how often their items were opened.
func (s *state) imported(e *Event) {
	if !e.Item.made {
		return
	}
	s.grow(e.Item.largest)
	w := StarWeight
	if e.Kind == WasRead {
		w = ReadWeight
	}
	for i, id := range e.Item.ids {
		g := &s.f[id].given
		g.a = max(g.a, min(g.a+float32(e.Item.share(i)*w), 2*PriorStrength))
	}
}
