package query

import (
	"errors"
	"strings"
	"testing"
	"time"
)

var savedNames = []Named{
	{Name: "Ferries", Query: "title:ferr* unread"},
	{Name: "News of the sea", Query: "folder:sea or query:ferries"},
	{Name: "round", Query: "a query:about"},
	{Name: "About", Query: "query:Round or b"},
	{Name: "wrong", Query: "titel:x"},
}

// TestSavedQueriesStandForThemselves: query:NAME is what was saved under the name.
func TestSavedQueriesStandForThemselves(t *testing.T) {
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"query:ferries":                      "title:ferr* unread",
		"query:FERRIES saved":                "title:ferr* unread saved",
		"-query:ferries":                     "not (title:ferr* unread)",
		`query:"news of THE sea"`:            "folder:sea or title:ferr* unread",
		"query:news-of-the-sea newer:1d":     "(folder:sea or title:ferr* unread) newer:1d",
		"not (query:ferries or query:About)": "!query:About: query:About refers to itself",
		"query:round":                        "!query:round: query:round refers to itself",
		"query:wrong":                        "!query:wrong: titel: is not a field",
		"x query:feris":                      `!there is no saved query "feris". Nearest: query:Ferries`,
		"query:nothing":                      `!there is no saved query "nothing"`,
		"query:":                             "!query: needs the name",
		"queri:ferries":                      "!Nearest: query:",
		"query::x":                           "query::x",
	} {
		q, err := Parse(text, now, savedNames...)
		if why, fails := strings.CutPrefix(want, "!"); fails {
			var wrong *Error
			if !errors.As(err, &wrong) || !strings.Contains(wrong.Why, why) || !strings.Contains(text[wrong.At:], "quer") {
				t.Errorf("%s: %v, want %q", text, err, why)
			}
			continue
		}
		if err != nil || q.Canonical() != want {
			t.Errorf("%s: %v, %q, want %q", text, err, q.Canonical(), want)
		}
	}
}

// TestSavedQueriesAreBounded: saved queries that double each other come to an end.
func TestSavedQueriesAreBounded(t *testing.T) {
	names := []Named{{Name: "q0", Query: "a"}}
	for i := range 25 {
		last := Reference(names[i].Name)
		names = append(names, Named{Name: "q" + strings.Repeat("x", i+1), Query: last + " or not " + last})
	}
	if _, err := Parse(Reference(names[25].Name), time.Now(), names...); err == nil || !strings.Contains(err.Error(), "at most 100 saved queries") {
		t.Errorf("queries that double each other: %v", err)
	}
}

// TestRenamed: a query asks for another one by its new name, and stays as it was typed.
func TestRenamed(t *testing.T) {
	for text, want := range map[string]string{
		"query:ferries  or  x (query:Ferries)": "query:Boats  or  x (query:Boats)",
		"query:other":                          "",
		`"query:ferries"`:                      "",
		"query:ferries titel:x":                "",
	} {
		got, asks := Renamed(text, "Ferries", "Boats")
		if asks != (want != "") || asks && got != want || !asks && got != text {
			t.Errorf("%s: %v, %s", text, asks, got)
		}
	}
}
