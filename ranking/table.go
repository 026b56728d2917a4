package ranking

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// tableMost bounds an edited count: more than a user can have seen.
const tableMost = 1e6

const tableHeading = "# kind\tname\topened\tnot opened"

type tableKey struct {
	of   Subject
	name string
}

// tableRows are the features with evidence, in their printed form, so that
// printing, reading and printing again changes nothing.
func (b *Beliefs) tableRows() map[tableKey][2]string {
	rows := map[tableKey][2]string{}
	for id := range b.cur.f {
		p := b.cur.at(int32(id), b.cur.chosen)
		x, y := strconv.FormatFloat(p.a, 'f', 3, 64), strconv.FormatFloat(p.b, 'f', 3, 64)
		if x == "0.000" && y == "0.000" {
			continue
		}
		n := b.names.list[id]
		rows[tableKey{n.of, n.text}] = [2]string{x, y}
	}
	return rows
}

// Table writes the evidence as text: a heading, then a line for each feature with
// evidence, by subject and name, tab-separated: kind, name (quoted), opened and
// not opened in decayed counts. Whoever edits it changes the last two.
func (b *Beliefs) Table() string {
	rows := b.tableRows()
	keys := make([]tableKey, 0, len(rows))
	for k := range rows {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool {
		x, y := keys[i], keys[j]
		return cmp.Or(cmp.Compare(x.of, y.of), strings.Compare(x.name, y.name)) < 0
	})
	var out strings.Builder
	fmt.Fprintln(&out, tableHeading)
	for _, k := range keys {
		fmt.Fprintf(&out, "%s\t%s\t%s\t%s\n", k.of, strconv.Quote(k.name), rows[k][0], rows[k][1])
	}
	return out.String()
}

// EditTable reads an edited [Beliefs.Table] and returns the feedback that makes the
// beliefs say so: a changed line sets its pair, a missing line clears it. Apply
// them as Trained events. Errors wrap ErrTable and name the line.
func (b *Beliefs) EditTable(text string) ([]Feedback, error) {
	had, seen := b.tableRows(), map[tableKey]bool{}
	var out []Feedback
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimRight(line, "\r ")
		if line == "" || line[0] == '#' {
			continue
		}
		k, a, nb, err := tableLine(line)
		if err == nil && seen[k] {
			err = fmt.Errorf("%s %q is listed twice", k.of, k.name)
		}
		if err != nil {
			return nil, fmt.Errorf("%w: line %d: %w", ErrTable, i+1, err)
		}
		seen[k] = true
		now := [2]string{strconv.FormatFloat(a, 'f', 3, 64), strconv.FormatFloat(nb, 'f', 3, 64)}
		was, ok := had[k]
		if ok && now == was || !ok && now == [2]string{"0.000", "0.000"} {
			continue
		}
		out = append(out, Feedback{Act: SetPairs, Subject: k.of, Name: k.name, A: a, B: nb})
	}
	for k := range had {
		if !seen[k] {
			out = append(out, Feedback{Act: SetPairs, Subject: k.of, Name: k.name})
		}
	}
	sort.Slice(out, func(i, j int) bool {
		x, y := out[i], out[j]
		return cmp.Or(cmp.Compare(x.Subject, y.Subject), strings.Compare(x.Name, y.Name)) < 0
	})
	return out, nil
}

func tableLine(line string) (k tableKey, a, b float64, err error) {
	parts := strings.Split(line, "\t")
	if len(parts) != 4 {
		return k, 0, 0, fmt.Errorf("needs 4 columns with tabs between them, has %d", len(parts))
	}
	of := slices.Index(subjects[:], parts[0])
	if of <= 0 || Subject(of) == Folder {
		return k, 0, 0, fmt.Errorf("%q is not a kind of evidence", parts[0])
	}
	name, err := strconv.Unquote(parts[1])
	if err != nil {
		return k, 0, 0, fmt.Errorf("the name %s is not quoted as it should be", parts[1])
	}
	var n [2]float64
	for i := range n {
		n[i], err = strconv.ParseFloat(parts[2+i], 64)
		if err != nil || math.IsNaN(n[i]) || n[i] < 0 || n[i] > tableMost {
			return k, 0, 0, fmt.Errorf("%q is not a count from 0 to %.0f", parts[2+i], tableMost)
		}
	}
	return tableKey{Subject(of), name}, n[0], n[1], nil
}
