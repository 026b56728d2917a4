package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"diurna/store/storetest"
)

// planted is a small module with all that .ci/run asks for. Its staticcheck finds nothing
// and its build is a script: what is tested are the other steps.
var planted = map[string]string{
	"go.mod": "module toy\n\ngo 1.26.0\n",
	"toy.go": "// Command toy counts.\npackage main\n\nimport \"sync\"\n\nfunc main() {}\n\nfunc count() (n int) {\n\tvar mu sync.Mutex\n\tvar all sync.WaitGroup\n" +
		"\tfor range 2 {\n\t\tall.Go(func() {\n\t\t\tmu.Lock()\n\t\t\tdefer mu.Unlock()\n\t\t\tn++\n\t\t})\n\t}\n\tall.Wait()\n\treturn n\n}\n",
	"toy_test.go": "package main\n\nimport \"testing\"\n\nfunc TestCount(t *testing.T) {\n\tif n := count(); n < 1 {\n\t\tt.Error(n)\n\t}\n}\n\n" +
		"func TestDisk(t *testing.T) { t.Skip(\"no disk here\") }\n",
	".ci/build":                         "#!/bin/sh\nprintf '#!/bin/sh\\necho \"[River]\"\\n' >\"$1\"\nchmod +x \"$1\"\n",
	".ci/tools/go.mod":                  "module honnef.co/go/tools\n\ngo 1.26.0\n",
	".ci/tools/cmd/staticcheck/main.go": "package main\n\nfunc main() {}\n",
	"tools/go.mod":                      "module diurna/tools\n\ngo 1.26.0\n",
}

// TestRunSeesPlantedFaults: .ci/run passes a module without a fault and lists its
// skipped test; it fails on one that is not formatted, that vet finds wrong, whose test
// fails or that has a data race, and says so.
func TestRunSeesPlantedFaults(t *testing.T) {
	if storetest.Size(0, 1) == 0 {
		t.Skip("builds and checks a program five times, as .ci/run does: run with -tags soak")
	}
	t.Parallel()
	if out, err := exec.Command("go", "env", "CGO_ENABLED").Output(); err != nil || strings.TrimSpace(string(out)) != "1" {
		t.Skip("the race detector needs cgo")
	}
	for _, c := range []struct{ fault, file, old, is, says string }{
		{"none", "toy.go", "", "", "1 tests skipped\n  toy TestDisk: no disk here\n"},
		{"unformatted", "toy.go", "\tall.Wait()", "\t\tall.Wait()", "not formatted:\ntoy.go\n"},
		{"vet", "toy.go", "func main() {}", "func main() {\n\tvar mu sync.Mutex\n\tother := mu\n\tother.Lock()\n}", "copies lock value"},
		{"failing", "toy_test.go", "n < 1", "n < 3", "--- FAIL: TestCount"},
		{"race", "toy.go", "\t\t\tmu.Lock()\n\t\t\tdefer mu.Unlock()\n", "\t\t\tdefer mu.TryLock()\n", "WARNING: DATA RACE"},
	} {
		t.Run(c.fault, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for name, text := range planted {
				if name == c.file {
					if !strings.Contains(text, c.old) {
						t.Fatalf("%s has no %q", name, c.old)
					}
					text = strings.Replace(text, c.old, c.is, 1)
				}
				put(t, dir, name, text)
			}
			for _, name := range []string{".ci/run", "tools/testlog/main.go"} {
				text, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				put(t, dir, name, string(text))
			}
			if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			cmd := exec.Command("bash", filepath.Join(dir, ".ci/run"))
			cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
			out, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			if failed := errors.As(err, &exit); err != nil && !failed || failed != (c.fault != "none") ||
				strings.Contains(string(out), "all is well") == failed || !strings.Contains(string(out), c.says) {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
}
