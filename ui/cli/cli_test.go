package cli

import (
	"io"
	"slices"
	"strings"
	"testing"

	"diurna/reader"
	"diurna/ui/cli/session"
)

// Words of a query may begin with "-"; flags are found wherever they stand.
func TestProtectWords(t *testing.T) {
	for in, want := range map[string]string{
		"":                                 "",
		"version --json":                   "version --json",
		"items":                            "items --",
		"items -unread folder:sea":         "items -- -unread folder:sea",
		"items -#later --json":             "items --json -- -#later",
		"--json items -unread":             "items --json -- -unread",
		"mark -later b7q-41":               "mark -- -later b7q-41",
		"--data-dir d mark -x y":           "mark --data-dir d -- -x y",
		"unread new --config c":            "unread --config c -- new",
		"items -- --json":                  "items -- --json",
		"items -n 20 -unread":              "items -n 20 -- -unread",
		"search -n":                        "search -- -n",
		"mark -n 20":                       "mark -- -n 20",
		"list -h":                          "list -h --",
		"fetch -x":                         "fetch -x",
		"--data-dir items add a":           "--data-dir items add a",
		"--data-dir=items items -a --json": "items --data-dir=items --json -- -a",
	} {
		if got := strings.Join(protectWords(strings.Fields(in)), " "); got != want {
			t.Errorf("protectWords(%q) = %q, want %q", in, got, want)
		}
	}
}

// Each command there is either runs on the screen's command line or has a reason
// why it does not.
func TestOnScreen(t *testing.T) {
	s := &program{session.New(session.Env{Out: io.Discard, Err: io.Discard})}
	known := map[string]bool{"help": true}
	for _, c := range s.tree("").Commands() {
		known[c.Name()] = true
		if _, ok := onScreen[c.Name()]; !ok {
			t.Errorf("%s has no line in onScreen", c.Name())
		}
	}
	for name := range onScreen {
		if !known[name] {
			t.Errorf("there is no command %q", name)
		}
	}
}

// What makes no sense in a screen says so, and flags that name a library, a
// terminal or an editor do not exist there.
func TestInsideRefuses(t *testing.T) {
	in := NewInside(session.Env{}, new(reader.Reader), session.Where{}) // none of these asks it
	for line, want := range map[string]string{
		"run":                       "run does not work inside the screen: the screen already fetches by the plan\nhint: in a shell: diurna run",
		"restore x.backup":          "restore does not work inside the screen: it replaces the library, which is open here\nhint: in a shell: diurna restore x.backup",
		"--json demo":               "demo does not work inside the screen",
		"unread --data-dir /tmp":    `:unread has no flag "data-dir"`,
		"--linear":                  `diurna has no flag "linear"`,
		"":                          "the screen is open",
		"mark":                      ":mark needs to know what to do\nhint: :mark read folder:comics older:1w",
		"list --jsno":               ":list has no flag \"jsno\"\nhint: nearest: --json",
		"log -n x":                  `--number: "x" is not a whole number`,
		"fetch --all harbour":       ":fetch takes either feeds or --all",
		"completion bash":           "completion does not work inside the screen",
		"simulate schedule --seed1": "simulate does not work inside the screen",
	} {
		out, said, code := in.Run(t.Context(), strings.Fields(line), 78, 24)
		if !strings.HasPrefix(said, want) || want != "" && (code == 0 || out != "") {
			t.Errorf(":%s says %q and prints %q, code %d; want %q", line, said, out, code, want)
		}
	}
	if list := in.Complete(t.Context(), []string{""}); slices.ContainsFunc(list, func(s string) bool { return strings.HasPrefix(s, "run\t") }) ||
		!slices.Contains(list, "mark\tmark, save or tag items, as one step") {
		t.Errorf("commands: %q", list)
	}
	if list := in.Complete(t.Context(), []string{"export", "--"}); !slices.ContainsFunc(list, func(s string) bool { return strings.HasPrefix(s, "--newsboat\t") }) {
		t.Errorf("flags of export: %q", list)
	}
}
