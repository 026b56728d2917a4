// Package cli runs one command and prints its result, for people or as JSON.
//
// Call Run with the words of the command line and an Env that knows how to open
// the library. A command prints in one of three forms: columns
// cut to the width of a terminal, tab-separated lines in a pipe, or JSON. Data
// goes to Env.Out, messages to Env.Err.
package cli

import (
	"context"

	"diurna/ui/cli/session"
)

// Run runs the command that args name, without the program's own name, and
// returns the exit code. Errors have been printed when it returns.
func Run(ctx context.Context, args []string, env session.Env) int { return run(ctx, args, env) }
