package ranking

// train does what a user said by hand.
func (s *state) train(e *Event, n *names) {
	l := e.Feedback
	switch l.Act {
	case More, Less:
		s.nudge(e, n)
	case Pin:
		s.mark(n, l, pinned, true)
	case Unpin:
		s.mark(n, l, pinned, false)
	case Exclude:
		s.mark(n, l, excluded, true)
	case Include:
		s.mark(n, l, excluded, false)
	case ByTitle:
		s.mark(n, l, byTitle, true)
	case ByText:
		s.mark(n, l, byTitle, false)
	case Freeze:
		s.frozen = true
	case Thaw:
		s.frozen = false
	case Reset:
		s.reset()
	case SetPairs:
		s.set(n, l)
	}
}

// nudge is + or -: on one feature, or on all of an item's.
func (s *state) nudge(e *Event, n *names) {
	d := pair{TrainedWeight, 0}
	if e.Feedback.Act == Less {
		d = pair{0, TrainedWeight}
	}
	give := func(id int32, c float64) {
		g := &s.f[id].given
		*g = small{g.a + float32(c*d.a), g.b + float32(c*d.b)}
	}
	if e.Feedback.Subject == 0 {
		if !e.Item.made {
			return
		}
		s.grow(e.Item.largest)
		for i, id := range e.Item.ids {
			give(id, e.Item.share(i))
		}
		return
	}
	if e.Feedback.Subject > Author {
		return
	}
	id := n.id(e.Feedback.Subject, e.Feedback.Name)
	s.grow(id)
	give(id, 1)
}

func (s *state) mark(n *names, l *Feedback, flag uint8, on bool) {
	id := n.id(Feed, l.Name)
	s.grow(id)
	if on {
		s.flags[id] |= flag
	} else {
		s.flags[id] &^= flag
	}
}

// reset keeps what was decided (pins, exclusions, titles, frozen) and drops what
// was learned.
func (s *state) reset() {
	fresh := newState()
	fresh.flags, fresh.f = s.flags, make([]evidence, len(s.f))
	fresh.frozen, fresh.lastNo, fresh.newestAt = s.frozen, s.lastNo, s.newestAt
	*s = fresh
}

// set makes a feature's pair what an edited table says.
func (s *state) set(n *names, l *Feedback) {
	if l.Subject == 0 || l.Subject > Author || !(l.A >= 0) || !(l.B >= 0) || l.A > tableMost || l.B > tableMost {
		return
	}
	id := n.id(l.Subject, l.Name)
	s.grow(id)
	e := &s.f[id]
	for k := range e.p {
		was := e.p[k]
		e.p[k] = small{float32(l.A), float32(l.B)}
		if l.Subject == Feed {
			s.count(k, was, e.p[k])
		}
	}
	e.given, e.turn = small{}, s.turn
	if l.A == 0 && l.B == 0 {
		e.opened, e.shown = 0, 0
	}
}
