package fetch

import (
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"diurna/ui/cli/exit"
)

// serviceManager is what starts services on a system: "launchd" on macOS, else
// "systemd".
func serviceManager(goos string) string {
	if goos == "darwin" {
		return "launchd"
	}
	return "systemd"
}

// printUnit prints what runs this program, with the folders that it was called
// with, as a service of the user's own.
func (s *Commands) printUnit(manager string) error {
	exe, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find the program's own path: %w", err)
	}
	words := []string{exe, "run"}
	for _, f := range []struct{ flag, path string }{{"--data-dir", s.Where.DataDir}, {"--config", s.Where.Config}} {
		if f.path == "" {
			continue
		}
		abs, err := filepath.Abs(f.path)
		if err != nil {
			return fmt.Errorf("%s: %w", f.flag, err)
		}
		words = append(words, f.flag, abs)
	}
	var text string
	switch manager {
	case "systemd":
		text = systemdUnit(words, s.exported(), s.Places().Home)
	case "launchd":
		text = launchdFile(words, s.exported())
	default:
		return exit.Usage("diurna run --unit=systemd or --unit=launchd", "--unit=%s: there is no such form of a service", manager)
	}
	_, err = s.Out.WriteString(text)
	return err
}

// exported are the variables that name the folders this program was called
// with, as name and path: a service does not see what a shell exports.
func (s *Commands) exported() [][2]string {
	var vars [][2]string
	for _, v := range []struct{ name, flag string }{{"XDG_DATA_HOME", s.Where.DataDir}, {"XDG_CACHE_HOME", s.Where.DataDir},
		{"XDG_STATE_HOME", s.Where.DataDir}, {"XDG_CONFIG_HOME", s.Where.Config}} {
		if path := os.Getenv(v.name); v.flag == "" && filepath.IsAbs(path) {
			vars = append(vars, [2]string{v.name, path})
		}
	}
	return vars
}

// systemdUnit is a unit of the user's own. Exit codes 2 and 5 are those that
// starting again does not mend.
func systemdUnit(words []string, vars [][2]string, home string) string {
	var lines strings.Builder
	for _, v := range vars {
		fmt.Fprintf(&lines, "Environment=\"%s=%s\"\n", v[0], strings.NewReplacer("%", "%%", `\`, `\\`, `"`, `\"`).Replace(v[1]))
	}
	start := make([]string, len(words))
	for i, w := range words {
		start[i] = unitPath(w, home)
	}
	return fmt.Sprintf(`[Unit]
Description=diurna: fetch feeds by the plan
[Service]
%sExecStart=%s
Restart=on-failure
RestartPreventExitStatus=2 5
SuccessExitStatus=130 143
[Install]
WantedBy=default.target
`, lines.String(), strings.Join(start, " "))
}

// unitPath writes a path as a word of a unit: below the home folder with %h,
// other percent signs and dollars doubled, and quoted where that is needed.
func unitPath(path, home string) string {
	escape := strings.NewReplacer("%", "%%", "$", "$$", `\`, `\\`, `"`, `\"`)
	word := escape.Replace(path)
	if rest, ok := strings.CutPrefix(path, home+string(filepath.Separator)); ok && home != "" {
		word = "%h/" + escape.Replace(rest)
	}
	if strings.ContainsAny(word, " \t\"'\\;") {
		return `"` + word + `"`
	}
	return word
}

// launchdFile is a property list for ~/Library/LaunchAgents. launchd knows no
// exit codes to stop at: it starts a program that failed again after 10 s, and
// ThrottleInterval makes that five minutes.
func launchdFile(words []string, vars [][2]string) string {
	text := func(s string) string {
		var b strings.Builder
		_ = xml.EscapeText(&b, []byte(s)) // a Builder takes everything
		return b.String()
	}
	var arguments, environment strings.Builder
	for _, w := range words {
		fmt.Fprintf(&arguments, "    <string>%s</string>\n", text(w))
	}
	if len(vars) > 0 {
		environment.WriteString("  <key>EnvironmentVariables</key>\n  <dict>\n")
		for _, v := range vars {
			fmt.Fprintf(&environment, "    <key>%s</key>\n    <string>%s</string>\n", v[0], text(v[1]))
		}
		environment.WriteString("  </dict>\n")
	}
	return fmt.Sprintf(`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>diurna</string>
  <key>ProgramArguments</key>
  <array>
%s  </array>
%s  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>300</integer>
</dict>
</plist>
`, arguments.String(), environment.String())
}
