package replay

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
)

// summarise adds up lives in the order of the people, so that the report repeats.
func summarise(w *rankWorld, name string, lives []life) (RankTotal, RankCurve) {
	n := float64(len(lives))
	curve := RankCurve{World: w.Name, Strategy: name, Clicks: make([]float64, w.turns)}
	errors := make([]float64, w.turns)
	total := RankTotal{World: w.Name, Strategy: name, Users: len(lives), Turns: w.turns}
	var sum, square float64
	for i := range lives {
		mine := 0.
		for t, c := range lives[i].clicks {
			mine += c
			curve.Clicks[t] += c / n
			errors[t] += lives[i].mae[t] / n
		}
		sum += mine
		square += mine * mine
		if s := lives[i].setting; s != "" {
			if total.Settings == nil {
				total.Settings = map[string]int{}
			}
			total.Settings[s]++
		}
	}
	total.Clicks = sum / n
	if n > 1 {
		total.CI95 = 1.96 * math.Sqrt(max(square-sum*sum/n, 0)/(n-1)/n)
	}
	last := w.turns - 1
	total.At10, total.At30, total.AtEnd = curve.Clicks[min(9, last)], curve.Clicks[min(29, last)], curve.Clicks[last]
	if !math.IsNaN(errors[last]) {
		curve.MAE, total.MAE = errors, &errors[last]
	}
	total.Recovery = recovery(curve.Clicks, w.every)
	return total, curve
}

// recovery finds for each drift the turns until the curve is back.
func recovery(clicks []float64, every int) []int {
	if every < 6 {
		return nil
	}
	var out []int
	for at := every; at < len(clicks); at += every {
		before := 0.
		for _, c := range clicks[at-5 : at] {
			before += c / 5
		}
		back := -1
		for t := at; t+1 < min(at+every, len(clicks)); t++ {
			if (clicks[t]+clicks[t+1])/2 >= .9*before {
				back = t - at
				break
			}
		}
		out = append(out, back)
	}
	return out
}

// WriteJSON prints the report as one JSON object.
func (r RankReport) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	return e.Encode(r)
}

// WriteText prints a table for each world and the curves as plots of 64 by 12
// characters.
func (r RankReport) WriteText(w io.Writer) error {
	var out strings.Builder
	for i := 0; i < len(r.Totals); {
		j := i
		for j < len(r.Totals) && r.Totals[j].World == r.Totals[i].World {
			j++
		}
		worldTable(&out, r.Totals[i:j])
		plot(&out, r.Curves[i:j])
		i = j
	}
	_, err := io.WriteString(w, out.String())
	return err
}

func worldTable(out *strings.Builder, rows []RankTotal) {
	fmt.Fprintf(out, "%s: %d people, %d turns\n", rows[0].World, rows[0].Users, rows[0].Turns)
	fmt.Fprintf(out, "  %-12s %9s %6s %8s %8s %8s %8s  %s\n", "strategy", "opened", "±95%", "turn 10", "turn 30", "last", "error", "turns to recover")
	for _, t := range rows {
		mae := "-"
		if t.MAE != nil {
			mae = fmt.Sprintf("%.2f", *t.MAE)
		}
		var back []string
		for _, n := range t.Recovery {
			if n < 0 {
				back = append(back, "no")
			} else {
				back = append(back, fmt.Sprint(n))
			}
		}
		fmt.Fprintf(out, "  %-12s %9.1f %6.1f %8.2f %8.2f %8.2f %8s  %s\n", t.Strategy, t.Clicks, t.CI95, t.At10, t.At30, t.AtEnd, mae, strings.Join(back, " "))
	}
	for _, t := range rows {
		for _, name := range slices.Sorted(maps.Keys(t.Settings)) {
			fmt.Fprintf(out, "  %s ended at λ/keep/idle %s for %d of %d\n", t.Strategy, name, t.Settings[name], t.Users)
		}
	}
}

const plotWidth, plotHeight = 64, 12

// plot draws the curves of one world into one field of characters: a letter a
// strategy, the one with the highest value where several meet.
func plot(out *strings.Builder, curves []RankCurve) {
	top := 0.
	for _, c := range curves {
		for i := range plotWidth {
			top = max(top, column(c.Clicks, i))
		}
	}
	field := make([][]byte, plotHeight)
	for i := range field {
		field[i] = []byte(strings.Repeat(" ", plotWidth))
	}
	if top > 0 {
		for n, c := range curves {
			for i := range plotWidth {
				y := int(math.Round(column(c.Clicks, i) / top * (plotHeight - 1)))
				field[plotHeight-1-y][i] = letter(n)
			}
		}
	}
	fmt.Fprintln(out)
	for i, line := range field {
		mark := "      "
		if i == 0 || i == plotHeight-1 {
			mark = fmt.Sprintf("%5.2f ", top*float64(plotHeight-1-i)/(plotHeight-1))
		}
		fmt.Fprintf(out, "  %s|%s\n", mark, strings.TrimRight(string(line), " "))
	}
	fmt.Fprintf(out, "        +%s turns\n         ", strings.Repeat("-", plotWidth))
	for n, c := range curves {
		fmt.Fprintf(out, "%c %s  ", letter(n), c.Strategy)
	}
	fmt.Fprint(out, "\n\n")
}

func letter(n int) byte { return "abcdefghijklmnopqrstuvwxyz"[n%26] }

// column is the mean of the turns that fall into a column of the plot.
func column(clicks []float64, i int) float64 {
	from := i * len(clicks) / plotWidth
	to := max((i+1)*len(clicks)/plotWidth, from+1)
	sum := 0.
	for _, c := range clicks[from:to] {
		sum += c
	}
	return sum / float64(to-from)
}
