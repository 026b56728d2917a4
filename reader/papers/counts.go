package papers

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"diurna/reader/plain"
)

// Counts is a table of words: how often each was used for each document, or was
// about each topic, up to two moments; or the entropies and uses alone, as Sia 2009
// prints them in Tables 5.4 and 5.5.
type Counts struct {
	words, columns []string // columns are the documents or topics
	topics, rates  bool     // columns are topics; there are entropies alone
	uses           []use
	summary        [][4]float64 // by word: entropy before and after (bits), uses before and after
	kinds          []kind       // of a made-up table: what each word is
}

// use is a line: a word in a document or topic up to both moments.
type use struct {
	word, column  int
	before, after float64
}

const (
	maxUses  = 5_000_000 // tokens of a table of documents: each is drawn again in each round
	maxLines = 5_000_000
)

// forms are the headings that ReadCounts takes, beside other names of the columns.
var forms = [][]string{{"word", "document", "before", "after"}, {"word", "topic", "before", "after"}, {"word", "h1", "h2", "c1", "c2"}}

var sameColumn = map[string]string{"tag": "word", "term": "word", "url": "document", "item": "document", "cluster": "document", "feed": "document"}

// ReadCounts reads a table with a heading, commas or tabs between its columns, in
// one of three forms:
//
//	word,document,before,after  uses of the word for the document up to the first
//	                            moment and up to the second (so after ≥ before)
//	word,topic,before,after     p(z|w), or uses, at the first moment and at the second
//	word,h1,h2,c1,c2            entropies in bits and uses at both moments
//
// Columns may stand in any order, and others beside them. An error names its line.
func ReadCounts(r io.Reader) (*Counts, error) {
	var (
		out            *Counts
		form           []string
		at             map[string]int
		words, columns = map[string]int{}, map[string]int{}
		seen           = map[[2]int]bool{}
		total          float64
		cells          int
	)
	err := eachLine(r, func(f []string) (err error) {
		if out == nil {
			if at, form = columnsOf(f); form == nil {
				return fmt.Errorf("the heading has to name the columns %s, or %s, or %s", strings.Join(forms[0], ","), strings.Join(forms[1], ","), strings.Join(forms[2], ","))
			}
			out, cells = &Counts{topics: form[1] == "topic", rates: form[1] == "h1"}, len(f)
			return nil
		}
		if len(f) != cells {
			return fmt.Errorf("%d cells, where the heading has %d", len(f), cells)
		}
		numbers, err := numbersOf(f, form, at)
		if err != nil {
			return err
		}
		word := f[at["word"]]
		u := use{word: index(words, &out.words, word)}
		if !out.rates {
			u.column = index(columns, &out.columns, f[at[form[1]]])
		}
		if seen[[2]int{u.word, u.column}] {
			return fmt.Errorf("%q stands here a second time", word)
		}
		seen[[2]int{u.word, u.column}] = true
		if out.rates {
			out.summary = append(out.summary, [4]float64(numbers))
			return nil
		}
		u.before, u.after = numbers[0], numbers[1]
		if !out.topics {
			if u.after < u.before {
				return fmt.Errorf("after counts all uses up to the second moment, so it cannot be %g below before, %g", u.after, u.before)
			}
			if u.before != math.Trunc(u.before) || u.after != math.Trunc(u.after) {
				return errors.New("uses are counted in whole numbers")
			}
			if total += u.before + u.after; total > maxUses {
				return fmt.Errorf("more than %d uses; leave rare words and documents out", maxUses)
			}
		}
		out.uses = append(out.uses, u)
		return nil
	})
	if err == nil && (out == nil || len(out.words) == 0) {
		err = errors.New("line 1: there is no heading with words below it")
	}
	return out, err
}

// Chances says whether the table has p(z|w) and not uses: none of its words has more
// than 1 in all topics together.
func (c *Counts) Chances() bool {
	all := make([]float64, len(c.words))
	for _, u := range c.uses {
		if all[u.word] += u.after; all[u.word] > 1.001 { // p(z|w) may be rounded
			return false
		}
	}
	return c.topics
}

// eachLine calls each with the cells of every line, which stand between tabs if the
// first line has one, else between commas. Empty lines and those that begin with #
// are skipped. An error names its line.
func eachLine(r io.Reader, each func([]string) error) error {
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, 1<<20)
	cut := ""
	for n := 1; sc.Scan(); n++ {
		line := strings.TrimRight(strings.TrimPrefix(sc.Text(), "\ufeff"), " \r")
		if strings.TrimSpace(line) == "" || line[0] == '#' {
			continue
		}
		if cut == "" {
			if cut = ","; strings.Contains(line, "\t") {
				cut = "\t"
			}
		}
		f := strings.Split(line, cut)
		if n > maxLines {
			return fmt.Errorf("line %d: more than %d lines", n, maxLines)
		}
		for i := range f {
			f[i] = strings.Trim(strings.TrimSpace(f[i]), `"`)
		}
		if err := each(f); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	return sc.Err()
}

// columnsOf finds the form of a heading and where its columns stand.
func columnsOf(names []string) (at map[string]int, form []string) {
	at = map[string]int{}
	for i, name := range names {
		name = strings.ToLower(name)
		if same, ok := sameColumn[name]; ok {
			name = same
		}
		if _, twice := at[name]; !twice {
			at[name] = i
		}
	}
	for _, f := range forms {
		if !slices.ContainsFunc(f, func(name string) bool { _, ok := at[name]; return !ok }) {
			return at, f
		}
	}
	return nil, nil
}

// numbersOf reads the numbers of a line.
func numbersOf(f, form []string, at map[string]int) ([]float64, error) {
	if f[at["word"]] = plain.Line(f[at["word"]], 200); f[at["word"]] == "" {
		return nil, errors.New("the word is empty")
	}
	var out []float64
	for _, name := range form[1:] {
		if name == "document" || name == "topic" {
			continue
		}
		x, err := strconv.ParseFloat(strings.TrimSpace(f[at[name]]), 64)
		if err != nil || math.IsNaN(x) || x < 0 || x > 1e12 {
			return nil, fmt.Errorf("%s %q is no number from 0 to 1,000,000,000,000", name, plain.Line(f[at[name]], 40))
		}
		out = append(out, x)
	}
	return out, nil
}

// index numbers names in the order in which they come.
func index(known map[string]int, names *[]string, name string) int {
	i, ok := known[name]
	if !ok {
		i = len(*names)
		known[name] = i
		*names = append(*names, name)
	}
	return i
}
