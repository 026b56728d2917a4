package main

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

var verdictParts = regexp.MustCompile(`^(!?\w+)(?:\{(.*)\})?$`)

// validator compares those verdicts of the feed validator's tests that say something
// a reader shows: a valid document is read without a problem, a valid date of an item
// is printed, and what is a security risk is not.
func (m *meter) validator(ctx context.Context, a *assertion, body []byte) {
	expected, _ := a.Expected.(string)
	found := verdictParts.FindStringSubmatch(expected)
	if found == nil {
		m.judge(m.verdicts, false, unmapped{"a verdict in another form"}, "")
		return
	}
	details := map[string]string{}
	for _, d := range strings.Split(found[2], ",") {
		k, v, _ := strings.Cut(d, ":")
		details[k] = v
	}
	check := verdicts[found[1]]
	format, _, _ := strings.Cut(a.File, "/")
	switch {
	case check == nil:
		m.judge(m.verdicts, false, unmapped{"how well-formed a document is by the letter of its specification"}, "")
		return
	case !slices.Contains([]string{"rss", "atom", "rdf", "jsonfeed"}, format):
		m.judge(m.verdicts, false, unmapped{"a document that is no feed: " + format}, "")
		return
	}
	o, err := m.read(ctx, body, "http://"+host+"/", "")
	m.failed(a.File, err)
	ok, why := check(&o, details)
	m.judge(m.verdicts, ok && err == nil, why, fmt.Sprintf("%s: %s (%v, %v)", a.File, expected, err, o.Problems))
}

// verdicts are the verdicts that are compared.
var verdicts = map[string]func(o *output, details map[string]string) (bool, error){
	"!Error":             noProblem,
	"!Warning":           noProblem,
	"ValidRFC2822Date":   itemDate,
	"ValidW3CDTFDate":    itemDate,
	"SecurityRisk":       harmless,
	"SecurityRiskAttr":   harmless,
	"DangerousStyleAttr": harmless,
}

func noProblem(o *output, _ map[string]string) (bool, error) { return len(o.Problems) == 0, nil }

// dated are the elements that say when an item was published or edited.
var dated = []string{"pubDate", "published", "updated", "issued", "modified", "created", "dc:date", "dcterms:issued", "dcterms:modified", "dcterms:created"}

func itemDate(o *output, details map[string]string) (bool, error) {
	if p := details["parent"]; p != "item" && p != "entry" {
		return false, unmapped{"a date of " + p}
	}
	if e := details["element"]; !slices.Contains(dated, e) {
		return false, unmapped{"a date that is not the item's: " + e}
	}
	return len(o.Items) > 0 && !(o.Items[0].Published.IsZero() && o.Items[0].Updated.IsZero()), nil
}

// active are elements that run or load something by themselves.
var active = []string{"script", "object", "applet", "meta", "style", "link", "base", "form"}

// harmless reports whether neither the element nor the attribute or value that is
// named is printed, and nothing that runs.
func harmless(o *output, details map[string]string) (bool, error) {
	for i := range o.Items {
		z := html.NewTokenizer(strings.NewReader(o.Items[i].HTML))
		for z.Next() != html.ErrorToken {
			t := z.Token()
			if t.Type != html.StartTagToken && t.Type != html.SelfClosingTagToken {
				continue
			}
			if t.Data == details["tag"] || slices.Contains(active, t.Data) {
				return false, nil
			}
			for _, at := range t.Attr {
				if at.Key == details["attr"] || strings.HasPrefix(at.Key, "on") ||
					at.Key == "style" && details["value"] != "" && strings.Contains(at.Val, details["value"]) {
					return false, nil
				}
			}
		}
	}
	return true, nil
}
