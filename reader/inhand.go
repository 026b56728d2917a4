package reader

import "context"

// documentsAtOnce is how many documents may be parsed, or wait to be filed, at the same
// time: if they arrive faster than they are filed they would fill the memory.
const documentsAtOnce = 12

// inHand counts the documents of one round that are being parsed or wait to be filed.
type inHand chan struct{}

// inHandKey is the context key of a fetch's place.
type inHandKey struct{}

// place is one document's place among those in hand, taken at most once.
type place struct {
	all   inHand
	taken bool
}

// take waits for a place. It is called when a body has arrived, before the next request to
// its host may begin, so that requests wait as well.
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
