// Package arguments checks the words after a command, and names its exit codes
// for the help.
package arguments

import (
	"github.com/spf13/cobra"

	"diurna/reader/wording"
	"diurna/ui/cli/exit"
)

// Command is a command's name and what builds it. A run of the program builds only
// the one that is named: to build all of them costs as much as some of them run.
type Command struct {
	Name  string
	Build func() *cobra.Command
}

//go:noinline // 64 places
func Exits(s string) map[string]string { return map[string]string{"exits": s} }

// WholeFlags refuses numbers below zero.
func WholeFlags(c *cobra.Command, names ...string) error {
	for _, name := range names {
		if n, err := c.Flags().GetInt(name); err == nil && n < 0 {
			return exit.Usage(c.CommandPath()+" --help", "--%s: %d is below zero", name, n)
		}
	}
	return nil
}

//go:noinline // every command would have a closure of its own
func AtLeastOne(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return exit.Usage(c.CommandPath()+" --help has an example", "%s needs %s", c.CommandPath(), what)
		}
		return nil
	}
}

//go:noinline // every command would have a closure of its own
func AtMost(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > n {
			return exit.Usage(c.CommandPath()+" --help has an example", "%s takes %s, not %d", c.CommandPath(), wording.Plural(n, "word"), len(args))
		}
		return nil
	}
}

// Exactly is for commands that take n words, the first of which is what.
//
//go:noinline // every command would have a closure of its own
func Exactly(n int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < n {
			return AtLeastOne(what)(c, nil)
		}
		return AtMost(n)(c, args)
	}
}

// OneOrTwo is for commands whose second word may be left out.
func OneOrTwo(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return AtLeastOne(what)(c, nil)
		}
		return AtMost(2)(c, args)
	}
}
