package session

import (
	"fmt"
	"time"

	"diurna/reader"
)

// ProgressLine draws "fetching 41/287" over one line of a terminal.
type ProgressLine struct {
	s    *Session
	what string
	on   bool
	at   time.Time
}

// Progress is a line of progress about what is done; it draws nothing where
// stderr is not a terminal.
//
//go:noinline // 18 places
func (s *Session) Progress(what string) *ProgressLine {
	return &ProgressLine{s: s, what: what, on: s.Env.Lively && !s.JSON}
}

// Step takes in what a fetch or an import tells of its progress.
func (p *ProgressLine) Step(v reader.Progress) {
	if v.Waiting != "" {
		p.End()
		p.s.Talk("%s is fetching but has not responded for a while; waiting for it.", v.Waiting)
		return
	}
	p.Show(v.Done, v.Total)
}

// Show draws the line again, at most ten times a second.
func (p *ProgressLine) Show(done, total int) {
	// Ten times a second is as fast as anybody reads.
	if !p.on || total < 2 || done < total && time.Since(p.at) < 100*time.Millisecond {
		return
	}
	p.at = time.Now()
	fmt.Fprintf(p.s.Env.Err, "\r%s %d/%d", p.what, done, total)
}

// End clears the line for what is printed next.
func (p *ProgressLine) End() {
	if p.on && !p.at.IsZero() {
		fmt.Fprintf(p.s.Env.Err, "\r%*s\r", len(p.what)+20, "")
	}
}
