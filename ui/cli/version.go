package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"diurna/ui/cells"
)

func (s *session) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:         "version",
		Short:       "print the version",
		Example:     "  diurna version",
		Annotations: exits("0 done"),
		Args:        atMost(0),
		RunE: func(*cobra.Command, []string) error {
			if s.json {
				return s.printJSON(struct {
					Version string `json:"version"`
					Go      string `json:"go"`
					System  string `json:"system"`
				}{s.env.Version, runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH})
			}
			_, err := fmt.Fprintf(s.out, "diurna %s (%s, %s/%s)\n", s.env.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}

// Short names for what most files measure text with.
func width(s string) int         { return cells.Width(s) }
func cut(s string, w int) string { return cells.Cut(s, max(w, 8)) }
func fit(s string, w int) string { return cells.Fit(s, w) }
