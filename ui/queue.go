package ui

import (
	"context"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
)

// jobKind is what a job asks of the library.
type jobKind uint8

const (
	jobMark jobKind = iota
	jobOpen
	jobUndo
	jobRedo
	jobChange // of feeds or settings
	jobTeach
)

// job is one deliberate act on its way to the library. The screen shows it as
// done from the key press on; if it fails, what it changed is changed back.
type job struct {
	kind    jobKind
	act     reader.Act
	scope   string
	ids     []reader.ItemID
	tag     string
	step    uint64 // undo this one; 0: the newest
	sitting int    // the article it was done in; 0: a list
	reload  bool   // numbers on the screen change with it
	again   bool   // the row was read before it was opened
	found   bool   // it was searched for
	lesson  reader.Lesson
	at      time.Time
	say     string // the sentence if all is well
	run     func(context.Context) (reader.Done, error)
	then    func() tea.Cmd // what follows a change
	tell    string         // the same of a mark, for the number of items and the scope

	done  reader.Done
	taken reader.Step
	err   error
}

// queue holds acts until the moment is over in which they share a transaction.
// It belongs to effects: Update adds, one worker at a time takes away.
type queue struct {
	mu      sync.Mutex
	jobs    []*job
	acts    int              // ever queued
	running bool             // a Cmd is on its way that will flush
	done    map[int][]uint64 // the steps of each sitting at an article
	work    sync.Mutex       // held by the worker
}

// add queues a job. The Cmd it returns carries everything queued within the
// next moment; it is nil when such a Cmd is already on its way.
func (e *effects) add(j *job) tea.Cmd {
	e.q.mu.Lock()
	defer e.q.mu.Unlock()
	e.q.jobs = append(e.q.jobs, j)
	e.q.acts++
	if e.q.running {
		return nil
	}
	e.q.running = true
	return func() tea.Msg {
		time.Sleep(e.wait)
		return jobsMsg{e.flush()}
	}
}

// settled gives a number that changes with every act, and whether none is on
// its way: what the library says while one is may not know it yet.
func (e *effects) settled() (acts int, none bool) {
	e.q.mu.Lock()
	defer e.q.mu.Unlock()
	return e.q.acts, !e.q.running
}

// flush carries out all that is queued, and what is added meanwhile. When it
// returns nothing is under way.
func (e *effects) flush() []*job {
	e.q.work.Lock()
	defer e.q.work.Unlock()
	var all []*job
	for {
		e.q.mu.Lock()
		wave := takeWave(&e.q.jobs)
		if len(wave) == 0 {
			e.q.running = false
		}
		e.q.mu.Unlock()
		if len(wave) == 0 {
			return all
		}
		e.carry(wave)
		all = append(all, wave...)
	}
}

// takeWave takes from the front of the queue the acts that do not touch each
// other's items: sent at once, they share the store's one transaction. Undo,
// redo and what concerns feeds go alone, because they depend on what was
// before.
func takeWave(jobs *[]*job) []*job {
	seen := make(map[reader.ItemID]bool)
	n := 0
	for _, j := range *jobs {
		if j.kind != jobMark && j.kind != jobOpen {
			if n == 0 {
				n = 1
			}
			break
		}
		clash := false
		for _, id := range j.ids {
			if seen[id] {
				clash = true
				break
			}
		}
		if clash {
			break
		}
		for _, id := range j.ids {
			seen[id] = true
		}
		n++
	}
	wave := (*jobs)[:n:n]
	*jobs = (*jobs)[n:]
	return wave
}

// carry does the jobs of a wave at once and returns when all have an answer.
func (e *effects) carry(wave []*job) {
	// Leaving the program must not tear an act that was shown as done.
	ctx := context.WithoutCancel(e.ctx)
	var wg sync.WaitGroup
	for _, j := range wave {
		wg.Go(func() { e.do(ctx, j) })
	}
	wg.Wait()
	e.q.mu.Lock()
	defer e.q.mu.Unlock()
	for _, j := range wave {
		if j.sitting != 0 && j.err == nil && j.done.Step != 0 {
			e.q.done[j.sitting] = append(e.q.done[j.sitting], j.done.Step)
		}
	}
}

// drain carries out at once what is queued and waits for what is under way.
// It gives the jobs that failed.
func (e *effects) drain() (failed []*job) {
	for _, j := range e.flush() {
		if j.err != nil && j.kind != jobUndo && j.kind != jobRedo {
			failed = append(failed, j)
		}
	}
	return failed
}
