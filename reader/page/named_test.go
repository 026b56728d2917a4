package page

import "testing"

// TestNamedSaysWhy: why a change is none that the words ask for is said as it is.
func TestNamedSaysWhy(t *testing.T) {
	at := func(news, views string) string {
		return "<h1>Jobs</h1><p>" + news + "<p>Write to us if you have a question.<p>" + views + " people are viewing this boat"
	}
	for _, c := range []struct {
		has, not   []string
		news, want string
	}{
		{[]string{"cook"}, nil, "We look for a baker and for a tailor", "the change has none of the required words"},
		{[]string{"viewing", "31"}, nil, "We look for a baker and for a tailor", "the required words are only where nothing is reported, by what it is: count"},
		{[]string{"baker"}, []string{"tailor"}, "We look for a baker and for a tailor", "what has one of the required words has an excluded one as well"},
		{[]string{"baker", "31"}, []string{"tailor"}, "We look for a baker and for a tailor", "what has one of the required words has an excluded one as well"},
		{nil, []string{"tailor"}, "We look for a baker and for a tailor", "all that changed has one of the excluded words"},
		{[]string{"baker"}, nil, "We look for a baker and for a tailor", ""},
		{nil, []string{"cook"}, "We look for a baker and for a tailor", ""},
	} {
		d := mustCompare(t, at("We look for a smith and for a clerk", "12"), at(c.news, "31"), Options{Has: c.has, Not: c.not, Memory: &Memory{}})
		if d.Held != c.want || d.Significant != (c.want == "") {
			t.Errorf("has %q, not %q: %q, reported %v; want %q", c.has, c.not, d.Held, d.Significant, c.want)
		}
	}
}
