package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"diurna/ui/cli/arguments"
)

// versionJSON is what `version --json` prints: what the program is made of, as
// far as the build recorded it.
type versionJSON struct {
	Version  string       `json:"version"`
	Go       string       `json:"go"`
	System   string       `json:"system"`
	Commit   *string      `json:"commit"`
	Changed  bool         `json:"changed"` // the tree was not as committed
	Settings []string     `json:"settings"`
	Modules  []moduleJSON `json:"modules"`
}

// moduleJSON is a library in the program; Sum is its checksum as in go.sum.
type moduleJSON struct {
	Path    string `json:"path"`
	Version string `json:"version"`
	Sum     string `json:"sum"`
}

func (s *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "print the version",
		Long:  "With --json also what the program is made of: its commit, how it was built, its libraries with their checksums.",
		Example: `  diurna version
  diurna version --json`,
		Annotations: arguments.Exits("0 done"),
		Args:        arguments.AtMost(0),
		RunE: func(*cobra.Command, []string) error {
			if s.JSON {
				return s.PrintJSON(madeOf(s.Env.Version))
			}
			_, err := fmt.Fprintf(s.Out, "diurna %s (%s, %s/%s)\n", s.Env.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}

func madeOf(version string) versionJSON {
	v := versionJSON{Version: version, Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH,
		Settings: []string{}, Modules: []moduleJSON{}}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	for _, set := range info.Settings {
		switch set.Key {
		case "vcs.revision":
			v.Commit = &set.Value
		case "vcs.modified":
			v.Changed = set.Value == "true"
		default:
			v.Settings = append(v.Settings, set.Key+"="+set.Value)
		}
	}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		v.Modules = append(v.Modules, moduleJSON{m.Path, m.Version, m.Sum})
	}
	return v
}
