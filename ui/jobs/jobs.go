// Package jobs carries out what changes the library: marks, openings, undo, changes of
// feeds. What is asked for within a moment shares one transaction, in the order in which
// it was asked.
//
// Start with Queue.Add.
package jobs

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// Kind is what a job asks of the library.
type Kind uint8

// The kinds.
const (
	Mark Kind = iota
	Open
	Undo
	Redo
	Change // of feeds or settings
	Train
)

// Job is one deliberate act on its way to the library. The screen shows it as
// done from the key press on; if it fails, what it changed is changed back.
type Job struct {
	Kind     Kind
	Act      reader.Act
	Scope    string
	IDs      []reader.ItemID
	Tag      string
	Step     uint64 // undo this one; 0: the newest
	Session  int    // the article it was done in; 0: a list
	Reload   bool   // numbers on the screen change with it
	Again    bool   // the row was read before it was opened
	Found    bool   // it was searched for
	Feedback reader.Feedback
	At       time.Time
	Say      string // the sentence if all is well
	Run      func(context.Context) (reader.Done, error)
	Then     func() tea.Cmd // what follows a change
	Tell     string         // the same of a mark, for the number of items and the scope

	Done  reader.Done
	Taken reader.Step
	Err   error
}

// Library is what jobs ask of *reader.Reader.
type Library interface {
	Mark(ctx context.Context, act reader.Act, scope string, ids []reader.ItemID, tag string) (reader.Done, error)
	Open(ctx context.Context, id reader.ItemID) (reader.Article, error)
	OpenFound(ctx context.Context, id reader.ItemID) (reader.Article, error)
	Undo(ctx context.Context, no, after uint64) (reader.Step, error)
	Redo(ctx context.Context) (reader.Step, error)
	Steps(ctx context.Context, limit int) ([]reader.Step, error)
}

// Trainer is what they ask of the ranking.
type Trainer interface {
	Train(ctx context.Context, now time.Time, feedback ...reader.Feedback) (reader.Done, string, error)
}

// New collects jobs for as long as wait says. Jobs under way when ctx ends are
// finished.
func New(ctx context.Context, lib Library, t Trainer, wait time.Duration) *Queue {
	return &Queue{ctx: ctx, lib: lib, trainer: t, wait: wait, done: make(map[int][]uint64)}
}

// Queue holds jobs until the moment is over in which they share a transaction.
// Update adds, one worker at a time takes away.
type Queue struct {
	ctx     context.Context
	lib     Library
	trainer Trainer
	wait    time.Duration
	mu      sync.Mutex
	jobs    []*Job
	acts    int              // ever queued
	running bool             // a Cmd is on its way that will flush
	done    map[int][]uint64 // the steps of each session at an article
	work    sync.Mutex       // held by the worker
}

// Add queues a job. The Cmd it returns carries everything queued within the
// next moment; it is nil when such a Cmd is already on its way.
func (q *Queue) Add(j *Job) tea.Cmd {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.jobs = append(q.jobs, j)
	q.acts++
	if q.running {
		return nil
	}
	q.running = true
	return func() tea.Msg {
		time.Sleep(q.wait)
		return Msg{Jobs: q.Flush()}
	}
}

// Settled gives a number that changes with every act, and whether none is on
// its way: what the library says while one is may not know it yet.
func (q *Queue) Settled() (acts int, none bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.acts, !q.running
}

// Flush carries out all that is queued, and what is added meanwhile. When it
// returns nothing is under way.
func (q *Queue) Flush() []*Job {
	q.work.Lock()
	defer q.work.Unlock()
	var all []*Job
	for {
		q.mu.Lock()
		wave := takeWave(&q.jobs)
		if len(wave) == 0 {
			q.running = false
		}
		q.mu.Unlock()
		if len(wave) == 0 {
			return all
		}
		q.carry(wave)
		all = append(all, wave...)
	}
}

// takeWave takes from the front of the queue the acts that do not touch each
// other's items: sent at once, they share the store's one transaction. Undo,
// redo and what concerns feeds go alone, because they depend on what was
// before.
func takeWave(jobs *[]*Job) []*Job {
	seen := make(map[reader.ItemID]bool)
	n := 0
	for _, j := range *jobs {
		if j.Kind != Mark && j.Kind != Open {
			if n == 0 {
				n = 1
			}
			break
		}
		clash := false
		for _, id := range j.IDs {
			if seen[id] {
				clash = true
				break
			}
		}
		if clash {
			break
		}
		for _, id := range j.IDs {
			seen[id] = true
		}
		n++
	}
	wave := (*jobs)[:n:n]
	*jobs = (*jobs)[n:]
	return wave
}

// carry does the jobs of a wave at once and returns when all have an answer.
func (q *Queue) carry(wave []*Job) {
	// Leaving the program must not tear an act that was shown as done.
	ctx := context.WithoutCancel(q.ctx)
	var wg sync.WaitGroup
	for _, j := range wave {
		wg.Go(func() { q.do(ctx, j) })
	}
	wg.Wait()
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, j := range wave {
		if j.Session != 0 && j.Err == nil && j.Done.Step != 0 {
			q.done[j.Session] = append(q.done[j.Session], j.Done.Step)
		}
	}
}

// Drain carries out at once what is queued and waits for what is under way.
// It gives the jobs that failed.
func (q *Queue) Drain() (failed []*Job) {
	for _, j := range q.Flush() {
		if j.Err != nil && j.Kind != Undo && j.Kind != Redo {
			failed = append(failed, j)
		}
	}
	return failed
}

// do carries out one job.
func (q *Queue) do(ctx context.Context, j *Job) {
	switch j.Kind {
	case Mark:
		j.Done, j.Err = q.lib.Mark(ctx, j.Act, j.Scope, j.IDs, j.Tag)
	case Open:
		for _, id := range j.IDs {
			open := q.lib.Open
			if j.Found {
				open = q.lib.OpenFound
			}
			if _, err := open(ctx, id); err != nil {
				j.Err = err
			}
		}
	case Change:
		j.Done, j.Err = j.Run(ctx)
	case Train:
		var what string
		if j.Done, what, j.Err = q.trainer.Train(ctx, time.Now(), j.Feedback); j.Err == nil {
			j.Say = "Taught: " + what + ". u undoes."
		}
	case Redo:
		j.Taken, j.Err = q.lib.Redo(ctx)
	case Undo:
		q.undo(ctx, j)
	}
}

// nothingHere is the error of u in an article or a diff in which nothing was done: it
// names the newest step, which q and u take back.
func (q *Queue) nothingHere(ctx context.Context, now time.Time) error {
	steps, err := q.lib.Steps(ctx, 50)
	if err != nil {
		return err
	}
	for i := range steps {
		if !steps[i].Undone {
			return fmt.Errorf("nothing was changed here. The last step: %s, %s. q u undoes it", steps[i].What, view.StepTime(steps[i].At, now))
		}
	}
	return errors.New("nothing was changed here, and there is no earlier step to undo")
}

// undo takes back the newest step, or in an article the newest that was done
// there: the queue knows them by their numbers, so that no other process's
// step and none from the list is hit.
func (q *Queue) undo(ctx context.Context, j *Job) {
	if j.Session == 0 || j.Step != 0 {
		j.Taken, j.Err = q.lib.Undo(ctx, j.Step, 0)
		return
	}
	q.mu.Lock()
	steps := q.done[j.Session]
	q.mu.Unlock()
	if len(steps) == 0 {
		j.Err = q.nothingHere(ctx, j.At)
		return
	}
	j.Taken, j.Err = q.lib.Undo(ctx, steps[len(steps)-1], 0)
	if j.Err == nil {
		q.mu.Lock()
		q.done[j.Session] = steps[:len(steps)-1]
		q.mu.Unlock()
	}
}

// SayMarked tells what a mark came to: another process may have marked some of
// the rows before, or removed them.
func (j *Job) SayMarked() string {
	switch {
	case j.Tell == "":
		return ""
	case j.Done.Step == 0:
		return fmt.Sprintf("Nothing to change in %s.", j.Scope)
	}
	return fmt.Sprintf(j.Tell, wording.Count(j.Done.Changed), j.Scope)
}

// Msg tells how the acts fared that shared one transaction, in order.
type Msg struct{ Jobs []*Job }
