package reader

import "context"

// documentsAtOnce bounds how many feeds are unpacked and read, or wait to be filed, at
// the same time: what comes faster than it is kept would pile up in memory.
const documentsAtOnce = 12

// inHand is the documents of one round that are being read or wait to be filed.
type inHand chan struct{}

// inHandKey goes with the context of a feed's fetch.
type inHandKey struct{}

// place is one document's place among those in hand, taken at most once.
type place struct {
	all   inHand
	taken bool
}

// take waits for a place. It is called when a body has arrived, before the next request
// to its host may begin, so that requests wait as well.
func (p *place) take(ctx context.Context) {
	if p.taken {
		return
	}
	select {
	case p.all <- struct{}{}:
		p.taken = true
	case <-ctx.Done():
	}
}

func (p *place) giveBack() {
	if p.taken {
		p.taken = false
		<-p.all
	}
}

// makeRoom is called by the client when a body has arrived.
func makeRoom(ctx context.Context) {
	if p, ok := ctx.Value(inHandKey{}).(*place); ok {
		p.take(ctx)
	}
}
