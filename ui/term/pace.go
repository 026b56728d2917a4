// Package term is what the program does with the terminal and the machine
// around it: when a frame is drawn, how the process stops for a while, which
// programs of others are started.
package term

import (
	"reflect"
	"sync/atomic"
	"time"
	"unsafe"

	tea "charm.land/bubbletea/v2"
)

// pacer makes a Program draw when there is something to draw, and never
// otherwise. Bubble Tea v2.0.9 draws on a ticker of 60 a second that never
// rests (0.7 % CPU for ever) and lets a key wait half a frame on average.
//
// How: the Program keeps its ticker in a private field and creates one only
// where the field is nil. The pacer puts a ticker there whose channel is its
// own, so that the drawing goroutine waits for the pacer and for nothing else.
// After each message the pacer sends itself a message through the event loop:
// once that arrives, the View that the message led to is with the renderer,
// and one value on the channel draws it. Both sends wait for their receiver,
// so that no frame is lost, however slow Update is and wherever the scheduler
// stops a goroutine; and nothing ticks, so that an idle program sleeps.
//
// If the field is gone or has another type, the Program draws 60 times a
// second as it always did. TestPaceReachesTheTicker then fails.
type pacer struct {
	prog    *tea.Program
	frames  chan time.Time // the renderer draws once for each value
	dirty   chan struct{}  // holds one value while something is to be drawn
	started bool           // read and written by the event loop only
	sized   bool           // the same: the size of the terminal is known
	reached bool           // the ticker is ours
	grown   atomic.Bool    // the size changed: see repaint
}

// frameGap is the least time between two frames: that of 120 frames a second,
// the most Bubble Tea itself would draw. A frame after a rest does not wait.
const frameGap = time.Second / 120

// DrawnMsg says, once, that the terminal has the first frame. What is read before
// competes with it; what is read for it costs the same for any library.
type DrawnMsg struct{}

// drawMsg passes through the event loop behind the message that asked for a
// frame. The filter drops it: no Update sees it.
type drawMsg struct{}

func newPacer() *pacer {
	return &pacer{frames: make(chan time.Time), dirty: make(chan struct{}, 1)}
}

// Paced gives what makes one Program draw when there is something to draw and
// never otherwise; the options use its only filter.
func Paced() []tea.ProgramOption { return newPacer().options() }

// options gives what makes a Program run at this pace. A pacer is for one
// Program.
func (p *pacer) options() []tea.ProgramOption {
	return []tea.ProgramOption{p.seize, tea.WithFilter(p.filter)}
}

// seize runs inside tea.NewProgram, before anything else can see the Program.
func (p *pacer) seize(prog *tea.Program) {
	p.prog = prog
	field := reflect.ValueOf(prog).Elem().FieldByName("ticker")
	if !field.IsValid() || field.Type() != reflect.TypeFor[*time.Ticker]() || !field.IsNil() {
		return
	}
	// The Program stops and resets its ticker around a suspension, which only
	// a real one survives. Since Go 1.23 a ticker whose own channel nobody
	// reads costs nothing: it is in no timer heap.
	ticker := time.NewTicker(24 * time.Hour)
	ticker.C = p.frames
	*(**time.Ticker)(unsafe.Pointer(field.UnsafeAddr())) = ticker
	p.reached = true
}

// filter runs in the event loop, before each Update.
func (p *pacer) filter(_ tea.Model, msg tea.Msg) tea.Msg {
	if size, ok := msg.(tea.WindowSizeMsg); ok && (size.Width <= 0 || size.Height <= 0) {
		msg = tea.WindowSizeMsg{Width: usualWidth, Height: usualHigh}
	}
	if !p.reached {
		if _, ok := msg.(tea.WindowSizeMsg); ok && !p.sized && p.prog != nil {
			p.sized = true
			go p.prog.Send(DrawnMsg{}) // the Program does not say when: at its next tick
		}
		return msg
	}
	if _, ok := msg.(drawMsg); ok {
		return nil
	}
	if _, ok := msg.(tea.WindowSizeMsg); ok {
		p.grown.Store(p.sized)
		p.sized = true
	}
	if !p.sized {
		return msg // the first frame waits for the size, which is on its way, and is drawn once
	}
	if !p.started {
		p.started = true
		done := make(chan struct{})
		go func() {
			defer close(done)
			p.prog.Wait()
		}()
		go p.draw(done)
	}
	select {
	case p.dirty <- struct{}{}:
	default: // a frame is owed already, and will show this message too
	}
	return msg
}

// draw asks for one frame after each message or burst of messages until the
// Program has ended.
func (p *pacer) draw(done <-chan struct{}) {
	var last time.Time
	for first := true; ; first = false {
		select {
		case <-p.dirty:
		case <-done:
			return
		}
		if wait := frameGap - time.Since(last); wait > 0 {
			select {
			case <-time.After(wait):
			case <-done:
				return
			}
		}
		// What becomes dirty from here on may miss this frame and gets its own.
		p.prog.Send(drawMsg{}) // returns once the event loop is through with the message before
		select {
		case p.frames <- time.Time{}:
		case <-done:
			return
		}
		last = time.Now()
		if first {
			if !p.written(done) {
				return
			}
			p.prog.Send(DrawnMsg{})
		}
		if p.grown.Swap(false) && !p.repaint(done) {
			return
		}
	}
}

// written waits until the frame asked for last is written: the next one, which is
// the same, is taken only then. False when the Program has ended.
func (p *pacer) written(done <-chan struct{}) bool {
	select {
	case p.frames <- time.Time{}:
		return true
	case <-done:
		return false
	}
}

// repaint has the whole screen drawn once more after a change of size. The
// first frame of the new size is drawn while the renderer still remembers the
// screen in the old one; of what lies beyond, it then believes that it is
// blank (ultraviolet of July 2026, TerminalRenderer.Render), and would not
// erase it later. False when the Program has ended.
func (p *pacer) repaint(done <-chan struct{}) bool {
	if !p.written(done) {
		return false
	}
	p.prog.Send(tea.ClearScreen())
	return true
}
