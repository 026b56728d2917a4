// Package exit says how a command ends: the exit codes, errors that carry one, and
// the two lines that a user reads of an error. Call Report with what a command
// returned, and end with CodeOf of it.
package exit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/query"
)

// Exit codes, the same for every command.
const (
	Done       = 0   // done
	Error      = 1   // not done
	WrongUsage = 2   // wrong usage
	Partly     = 3   // partly done, or doctor found trouble
	Busy       = 4   // the library is busy
	Damaged    = 5   // the library is damaged or newer than the program
	Bug        = 70  // a bug in the program
	INT        = 130 // stopped by SIGINT
	TERM       = 143 // stopped by SIGTERM
)

// Failure is an error with the exit code it ends in and what to do about it. A
// Failure with no error has been reported already.
type Failure struct {
	code int
	err  error
	Hint string
}

func (f *Failure) Error() string {
	if f.err == nil {
		return fmt.Sprintf("exit code %d", f.code)
	}
	return f.err.Error()
}

func (f *Failure) Unwrap() error { return f.err }

// ErrNoHome says that nobody can tell where the library is.
var ErrNoHome error = With(Error, errors.New("HOME is not set to an absolute path, so there is no place for the library"), "set HOME, or name the library's folder with --data-dir")

// ErrNoConfig says that nobody can tell where the config and the keys are.
var ErrNoConfig error = With(Error, errors.New("HOME is not set to an absolute path, so there is no place for the config"), "set HOME, or name the config with --config")

// With is an error with the exit code it ends in, and what to do about it.
//
//go:noinline // 44 places
func With(code int, err error, hint string) error { return &Failure{code, err, hint} }

// Usage is a failure of the words on the line.
func Usage(hint, format string, args ...any) error {
	return With(WrongUsage, fmt.Errorf(format, args...), hint)
}

// Reported ends a command whose trouble has been printed.
//
//go:noinline // 13 places
func Reported(code int) error {
	if code == Done {
		return nil
	}
	return &Failure{code: code}
}

// CodeOf is the exit code of an error.
func CodeOf(err error) int {
	var f *Failure
	var many *reader.AmbiguousError
	var wrong *query.Error
	switch {
	case err == nil:
		return Done
	case errors.As(err, &f):
		return f.code
	case errors.Is(err, reader.ErrBusy):
		return Busy
	case errors.Is(err, reader.ErrDamaged), errors.Is(err, reader.ErrBackupDamaged), errors.Is(err, reader.ErrNewer), errors.Is(err, reader.ErrOlder):
		return Damaged
	case errors.As(err, &many), errors.As(err, &wrong), errors.Is(err, reader.ErrAddress), errors.Is(err, reader.ErrSetting):
		return WrongUsage
	case errors.Is(err, context.Canceled):
		return INT
	}
	return Error
}

// Report prints an error as `diurna: error: …` and, where there is something
// to do, `diurna: hint: …`.
func Report(w io.Writer, err error) {
	var f *Failure
	if errors.As(err, &f) && f.err == nil {
		return
	}
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(w, "diurna: stopped; what was fetched is kept")
		return
	}
	sentence, hint := Sentence(err)
	for i, line := range strings.Split(sentence, "\n") {
		if i == 0 {
			fmt.Fprintf(w, "diurna: error: %s\n", plain.Redact(plain.Line(line, 0)))
			continue
		}
		// The place in a query: kept under the first line, so the mark points.
		fmt.Fprintf(w, "               %s\n", strings.TrimRight(plain.Text(line, 0), "\n"))
	}
	if hint != "" {
		fmt.Fprintf(w, "diurna: hint: %s\n", plain.Redact(plain.Line(hint, 0)))
	}
}

// Sentence finds what a user is told about an error and what helps.
func Sentence(err error) (sentence, hint string) {
	var f *Failure
	if errors.As(err, &f) && f.Hint != "" {
		return f.err.Error(), f.Hint
	}
	var helps interface {
		error
		Hint() string
	}
	if errors.As(err, &helps) && helps.Hint() != "" {
		return helps.Error(), helps.Hint()
	}
	var wrong *query.Error
	if errors.As(err, &wrong) {
		return wrong.Mark(), ""
	}
	var busy *reader.BusyError
	if errors.As(err, &busy) && busy.Stopped {
		return busy.Error(), fmt.Sprintf("kill -CONT %d resumes it; nothing was changed", busy.PID)
	}
	for _, k := range knownTrouble {
		switch {
		case !errors.Is(err, k.is):
		case k.say != "":
			return k.say, k.hint
		default:
			return core(err, k.is).Error(), k.hint
		}
	}
	var at *fs.PathError
	if errors.As(err, &at) && errors.Is(at, fs.ErrNotExist) {
		return "there is no file or folder " + at.Path, "nothing was changed; check the name, which is looked up from the folder you are in"
	}
	return err.Error(), ""
}

// knownTrouble says what helps with the errors that every command may meet, and
// for those that come from the system as a number or a path, what they mean.
var knownTrouble = []struct {
	is        error
	say, hint string
}{
	{reader.ErrBusy, "", "nothing was changed; try again in a moment"},
	{reader.ErrRefused, "", "see whether the address and its port are right, and whether the server runs"},
	{reader.ErrOlder, "", "nothing was changed; export its feeds with the program that wrote it, or use another library with --data-dir"},
	{reader.ErrNewer, "", "nothing was opened; use the newer program, or another library with --data-dir"},
	{reader.ErrDamaged, "", "keep a copy of the library's folder; diurna doctor shows the damage"},
	{reader.ErrNotBackup, "", "nothing was changed; name a file that diurna backup wrote"},
	{reader.ErrBackupDamaged, "", "nothing was changed; name an older backup"},
	{reader.ErrReplaced, "", "nothing was changed; run it again"},
	{reader.ErrIsLibrary, "", "nothing was changed; name a backup of it"},
	{reader.ErrFull, "the disk is full; nothing was changed", "free some space and run it again"},
	{reader.ErrReadOnly, "", "see who owns the library's folder, or name another one with --data-dir"},
	{reader.ErrNotFound, "", ""},
	{reader.ErrNone, "", "diurna add ADDRESS creates a library"},
	{reader.ErrAddress, "", "an address looks like harbour.example or https://harbour.example/feed.xml"},
}

// core drops what the layers above put in front of an error that is sentinel:
// the sentences of the library stand on their own.
func core(err, sentinel error) error {
	for {
		next := errors.Unwrap(err)
		if next == nil || next == sentinel {
			return err
		}
		err = next
	}
}
