// Command feedcheck measures how feeds and lists are read: it runs the built
// program on documents with known answers and compares what it prints. Nothing of
// diurna's own code takes part in the comparison.
//
//	go build -o diurna . && (cd tools && go run ./feedcheck -program ../diurna FOLDER)
//
// FOLDER holds manifest.tsv, oracle.jsonl.gz (what an independent parser found in
// each document) and expected.jsonl.gz (assertions of parsers' own tests).
//
// With -mutant markup or -mutant ascii what the program prints loses all markup or
// all that is not ASCII before it is compared: a measure that does not fall then is
// none. The exit code is 0 if all promised rates are reached, else 3.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

func main() {
	path := flag.String("program", "diurna", "the built `PROGRAM`")
	mutant := flag.String("mutant", "", "markup or ascii: what is printed loses it")
	misses := flag.String("misses", "", "a `FOLDER` for a file of misses for each rate")
	flag.Parse()
	if flag.NArg() != 1 || *mutant != "" && mutants[*mutant] == nil {
		flag.Usage()
		os.Exit(2)
	}
	ok, err := check(*path, flag.Arg(0), *mutant, *misses)
	if err != nil {
		fmt.Fprintln(os.Stderr, "feedcheck:", err)
		os.Exit(1)
	}
	if !ok {
		os.Exit(3)
	}
}

func check(path, folder, mutant, misses string) (bool, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return false, err
	}
	dir, err := os.MkdirTemp("", "feedcheck")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	p := program{path, dir}
	m := newMeter(p)
	m.read = func(ctx context.Context, doc []byte, base, contentType string) (output, error) {
		o, err := p.preview(ctx, doc, base, contentType)
		if change := mutants[mutant]; change != nil {
			o.each(change)
		}
		return o, err
	}
	if err := m.measure(context.Background(), folder); err != nil {
		return false, err
	}
	for _, c := range m.crashes {
		fmt.Println("crash:", c)
	}
	all := printRows(os.Stdout, m.rows())
	for _, r := range m.rows() {
		if misses == "" {
			break
		}
		name := filepath.Join(misses, strings.ReplaceAll(r.name, " ", "-"))
		if err := os.WriteFile(name, []byte(strings.Join(r.misses, "\n")+"\n"), 0o600); err != nil {
			return false, err
		}
	}
	return all && len(m.crashes) == 0, nil
}

var tag = regexp.MustCompile(`<[^>]*>`)

// mutants spoil what is printed.
var mutants = map[string]func(string) string{
	"markup": func(s string) string { return tag.ReplaceAllString(s, "") },
	"ascii": func(s string) string {
		return strings.Map(func(r rune) rune {
			if r >= 0x80 {
				return -1
			}
			return r
		}, s)
	},
}

// each changes all texts of an output.
func (o *output) each(change func(string) string) {
	o.Feed.Title = change(o.Feed.Title)
	for i := range o.Items {
		it := &o.Items[i]
		for _, s := range []*string{&it.Title, &it.Author, &it.HTML} {
			*s = change(*s)
		}
		for j := range it.Categories {
			it.Categories[j] = change(it.Categories[j])
		}
	}
}
