package papers

import (
	"strings"
	"testing"
)

// TestMonitor plays the made-up trace, and finds what the paper reports: novel items
// alone save a third of the probes and more for at most 5 % of quality (section 5.4),
// a fair policy without content beats a greedy one (Figure 9), quality grows with the
// budget, and Eq. 5 as printed stops probing.
func TestMonitor(t *testing.T) {
	r, err := Monitor(t.Context(), MonitorOptions{Weeks: 1, Beta: .1, Budgets: []float64{1, 4}})
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range r.Tables {
		for _, row := range table.Rows {
			for c, v := range row.Values {
				if name := table.Columns[c+1]; (name == "quality" || name == "cohesion" || name == "novel_share") && !(v > 0 && v <= 1) {
					t.Errorf("%s, %s: %s is %v", table.Name, row.Name, name, v)
				}
			}
		}
	}
	if saved, loss := value(t, r, "online", "novel, β 0.1", "saved"), value(t, r, "online", "novel, β 0.1", "quality_loss"); saved < 1./3 || loss > .05 {
		t.Errorf("novel items alone save %.3f of the probes for %.3f of quality", saved, loss)
	}
	if q, p := value(t, r, "online", "all items", "quality"), value(t, r, "online", "all items, Eq. 5 as printed", "quality"); q < .95 || p > q-.3 {
		t.Errorf("the quality is %.3f, as printed %.3f", q, p)
	}
	offline := r.Tables[1].Rows
	for i := 2; i < len(offline); i++ { // β grows
		if offline[i].Values[0] < offline[i-1].Values[0] {
			t.Errorf("%s takes %v probes, %s %v", offline[i].Name, offline[i].Values[0], offline[i-1].Name, offline[i-1].Values[0])
		}
	}
	for _, policy := range []string{"in turn", "content-free fair", "content-based fair", "planner", "planner, novel items only"} {
		few, many := value(t, r, "budget_1", policy, "quality"), value(t, r, "budget_4", policy, "quality")
		if few > many {
			t.Errorf("%s: quality %.3f with one probe, %.3f with four", policy, few, many)
		}
		if policy == "planner, novel items only" {
			if less, gain := value(t, r, "budget_4", "planner", "quality"), value(t, r, "novel_only", "4", "quality_gain"); gain != many-less {
				t.Errorf("quality %.5f more with novel items only, %.5f less %.5f", gain, many, less)
			}
		}
		if n := value(t, r, "budget_4", policy, "probes"); n != 12*7*4 {
			t.Errorf("%s: %v probes", policy, n)
		}
	}
	if fair, greedy := value(t, r, "budget_4", "content-free fair", "quality"), value(t, r, "budget_4", "content-free greedy", "quality"); fair < greedy {
		t.Errorf("fair %.3f, greedy %.3f", fair, greedy)
	}
	if planner, turn := value(t, r, "budget_4", "planner", "delay_hours"), value(t, r, "budget_4", "in turn", "delay_hours"); planner > turn {
		t.Errorf("items wait %.2f hours for the planner, %.2f in turn", planner, turn)
	}
}

// A policy that probes after every item has the best profile at every moment.
func TestMonitorBest(t *testing.T) {
	o := MonitorOptions{Weeks: 1, Window: 20, Shown: 20, Beta: .1}
	list, made := streams(nil, 1, 3)
	if !made || len(list) != 12 {
		t.Fatalf("%d channels, made up: %v", len(list), made)
	}
	m := newMonitor(&o, list, false, false)
	for now := int64(0); now < week; now += 60 {
		for i := range m.channels {
			if c := &m.channels[i]; c.have < len(list[i].Items) && list[i].Items[c.have].At <= now {
				m.probe(i, now)
			}
		}
	}
	quality, _ := m.end(week)
	if quality < .999 || m.lost > 0 {
		t.Errorf("the quality is %.5f, and %d items are lost", quality, m.lost)
	}
}

func TestReadStreamsRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"": "line 1: there is no item", "source,time\n": "there is no item",
		"a,1772604600\nb,soon": `line 2: "soon" is not a time`,
		"a\n":                  "line 1: a line is source,time,text",
	} {
		if _, err := ReadStreams(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	s, err := ReadStreams(strings.NewReader("a,1772604600,\"Ferries, and piers\"\nb,1772604601,\n"))
	if err != nil || len(s) != 2 || strings.Join(s[0].Items[0].Words, " ") != "ferri pier" {
		t.Errorf("%v %v", s, err)
	}
}
