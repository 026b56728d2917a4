package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"diurna/ui/cli/arguments"
)

func (s *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:         "version",
		Short:       "print the version",
		Example:     "  diurna version",
		Annotations: arguments.Exits("0 done"),
		Args:        arguments.AtMost(0),
		RunE: func(*cobra.Command, []string) error {
			if s.JSON {
				return s.PrintJSON(struct {
					Version string `json:"version"`
					Go      string `json:"go"`
					System  string `json:"system"`
				}{s.Env.Version, runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH})
			}
			_, err := fmt.Fprintf(s.Out, "diurna %s (%s, %s/%s)\n", s.Env.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
