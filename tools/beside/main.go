// Beside times a refresh of diurna and of other feed readers found on this
// machine (newsboat, sfeed) over the same feeds from a publisher on 127.0.0.1,
// one after the other in one run, and prints a table:
//
//	go -C tools run ./beside -feeds 100
//
// A reader that is not installed has no row. Each begins with an empty folder and
// reloads three times: cold, and twice when nothing has changed. Times depend on
// the machine; the rows of one run can be compared. The peak is never said to be below this
// program's own, which the system counts for what it starts.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// A reader is a program to be timed: how to prepare a folder for it and the
// command that reloads every feed once.
type reader struct {
	name    string
	version []string
	prepare func(dir string, urls []string) error
	reload  func(dir string) []string
}

func main() {
	log.SetFlags(0)
	feeds := flag.Int("feeds", 100, "number of feeds, at most 1000")
	flag.Parse()
	if *feeds < 1 || *feeds > 1000 {
		log.Fatal("-feeds is 1 to 1000")
	}
	work, err := os.MkdirTemp("", "beside")
	if err != nil {
		log.Fatal(err)
	}
	err = run(work, *feeds)
	os.RemoveAll(work)
	if err != nil {
		log.Fatal(err)
	}
}

func run(work string, feeds int) error {
	program := filepath.Join(work, "bin", "diurna")
	build := exec.Command("../.ci/build", program)
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build diurna: %w\n%s", err, out)
	}
	publisher, err := publish(feeds)
	if err != nil {
		return err
	}
	defer publisher.close()
	fmt.Printf("%d feeds of %d items on one host of this machine\n\n", feeds, itemsPerFeed)
	fmt.Println("| reader | reload | wall s | CPU s | peak MB | requests | MB sent to it |")
	fmt.Println("|---|---|---|---|---|---|---|")
	for _, r := range readers(program) {
		if _, err := exec.LookPath(r.version[0]); err != nil {
			continue
		}
		if err := r.time(filepath.Join(work, r.name), publisher); err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
	}
	return nil
}

func readers(diurna string) []reader {
	return []reader{
		{
			name: "diurna", version: []string{diurna, "version"},
			prepare: func(dir string, urls []string) error {
				config := "[net]\nallow_private = [\"127.0.0.0/8\"]\nper_host = 8\nper_host_every = \"0s\"\nmin_poll = \"0s\"\nmin_manual = \"0s\"\n"
				if err := write(dir, "config.toml", config); err != nil {
					return err
				}
				if err := write(dir, "urls", strings.Join(urls, "\n")+"\n"); err != nil {
					return err
				}
				c := command(dir, []string{diurna, "--data-dir", dir, "--config", filepath.Join(dir, "config.toml"), "import", "--no-fetch", filepath.Join(dir, "urls")})
				out, err := c.CombinedOutput()
				if err != nil {
					return fmt.Errorf("import: %w\n%s", err, out)
				}
				return nil
			},
			reload: func(dir string) []string {
				return []string{diurna, "--data-dir", dir, "--config", filepath.Join(dir, "config.toml"), "fetch", "--all"}
			},
		},
		{
			name: "newsboat", version: []string{"newsboat", "--version"},
			prepare: func(dir string, urls []string) error {
				if err := write(dir, "config", "reload-threads 8\n"); err != nil {
					return err
				}
				return write(dir, "urls", strings.Join(urls, "\n")+"\n")
			},
			reload: func(dir string) []string {
				return []string{"newsboat", "-u", filepath.Join(dir, "urls"), "-c", filepath.Join(dir, "cache.db"),
					"-C", filepath.Join(dir, "config"), "-x", "reload"}
			},
		},
		{
			name: "sfeed", version: []string{"sfeed_update"},
			prepare: func(dir string, urls []string) error {
				var b strings.Builder
				fmt.Fprintf(&b, "sfeedpath=\"%s/feeds\"\nmaxjobs=8\nfeeds() {\n", dir)
				for i, u := range urls {
					fmt.Fprintf(&b, "\tfeed \"feed%d\" \"%s\"\n", i, u)
				}
				b.WriteString("}\n")
				return write(dir, "sfeedrc", b.String())
			},
			reload: func(dir string) []string { return []string{"sfeed_update", filepath.Join(dir, "sfeedrc")} },
		},
	}
}

func write(dir, name, text string) error {
	return os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600)
}

// command runs words with dir as home; it is killed after ten minutes.
func command(dir string, words []string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	c := exec.CommandContext(ctx, words[0], words[1:]...)
	c.Cancel = func() error { cancel(); return c.Process.Kill() }
	c.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CACHE_HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_STATE_HOME="+dir)
	return c
}

// time reloads three times in an empty folder and prints a row for each.
func (r reader) time(dir string, p *publisher) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := r.prepare(dir, p.urls); err != nil {
		return err
	}
	name := r.name
	if len(r.version) > 1 {
		out, err := exec.Command(r.version[0], r.version[1:]...).Output()
		if err != nil {
			return err
		}
		if words := strings.Fields(string(out)); len(words) > 1 {
			name = r.name + " " + words[1]
		}
	}
	for _, round := range []string{"cold", "nothing new", "nothing new, again"} {
		p.reset()
		c := command(dir, r.reload(dir))
		begin := time.Now()
		out, err := c.CombinedOutput()
		wall := time.Since(begin)
		if err != nil {
			return fmt.Errorf("%s: %w\n%s", round, err, out)
		}
		usage, ok := c.ProcessState.SysUsage().(*syscall.Rusage)
		if !ok {
			return fmt.Errorf("this system does not say what a process used")
		}
		requests, bytes := p.seen()
		fmt.Printf("| %s | %s | %.2f | %.2f | %.0f | %d | %.1f |\n", name, round, wall.Seconds(),
			(c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds(), float64(usage.Maxrss)/1024, requests, float64(bytes)/1e6)
	}
	return nil
}
