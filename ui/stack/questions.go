package stack

import (
	"context"

	"diurna/ui/view"
)

// Questions numbers what is asked. Answers come late: between a question and its answer
// the reader may have gone elsewhere. There are three kinds, each made safe in one way.
//
//   - What a View waits for carries the number of its question. The View is
//     found by it wherever it lies in the stack, and nobody else takes it.
//   - What would open something over the screen (a sheet, a box, the editor)
//     knows the place it was asked at and opens nothing elsewhere.
//   - An act holds all it needs from the key on, and happens.
type Questions struct {
	ctx     context.Context
	on      *Stack
	gen     uint64
	looking question // an address that is looked at, a command that runs
	asked   question // what else was asked last
}

// question is something asked whose answer would open something.
type question struct {
	gen  uint64
	from view.View          // where it was asked
	stop context.CancelFunc // what ^c calls; nil: it is answered at once
}

// NewQuestions gives the questions of a screen, which end with ctx.
func NewQuestions(ctx context.Context, on *Stack) *Questions { return &Questions{ctx: ctx, on: on} }

// Gen numbers a request.
func (q *Questions) Gen() uint64 {
	q.gen++
	return q.gen
}

// Wonder asks a question. The one before it is not answered any more.
func (q *Questions) Wonder() uint64 {
	q.asked = question{gen: q.Gen(), from: q.on.Top()}
	return q.asked.gen
}

// Answers reports whether an answer is to the last question, and the reader still
// where it was asked.
func (q *Questions) Answers(gen uint64) bool {
	return gen == q.asked.gen && q.on.IsTop(q.asked.from)
}

// BeginLook gives the context of a look at an address, or of a command, which
// ^c stops. A fetch that runs meanwhile goes on.
func (q *Questions) BeginLook(gen uint64) context.Context {
	q.StopLook()
	ctx, stop := context.WithCancel(q.ctx)
	q.looking = question{gen, q.on.Top(), stop}
	return ctx
}

// EndLook ends the look with this number; false when another one is under way,
// or none: its answer is not waited for.
func (q *Questions) EndLook(gen uint64) bool {
	return q.looking.gen == gen && q.StopLook()
}

// StopLook ends whatever look there is; false when there is none.
func (q *Questions) StopLook() bool {
	stop := q.looking.stop
	q.looking.stop = nil
	if stop == nil {
		return false
	}
	stop()
	return true
}
