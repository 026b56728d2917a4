package condition

import (
	"errors"
	"testing"

	"diurna/reader/kind"
	"diurna/reader/page"
)

func TestReadNumber(t *testing.T) {
	for s, want := range map[string]float64{
		"44": 44, "44.5": 44.5, "44,50": 44.5, "1299": 1299, "1,299.00": 1299, "1.299,00": 1299, "1.299": 1299, "1,299": 1299,
		"1 299,00": 1299, "1\u00a0299,00": 1299, "1\u202f299": 1299, "1'299.50": 1299.5, "1’299.50": 1299.5, "1,29,900": 129900,
		"1.234.567": 1234567, "0.125": .125, "0,5": .5, "12.3456": 12.3456, "1234,567": 1234.567, "٣٤٫٥٠": 34.5, "４４": 44, "१,२९९": 1299,
	} {
		if v, ok, _ := kind.ReadNumber(kind.PlainDigits(s)); !ok || v != want {
			t.Errorf("%q is %v %t, want %v", s, v, ok, want)
		}
	}
	for _, s := range []string{"", "2.3.1", "1.2,3.4", "12.03.2026", "1,2,3", "1..2", ".5", "5.", "4x4", "1'29", "12,34,56"} {
		if v, ok, _ := kind.ReadNumber(s); ok {
			t.Errorf("%q is taken for %v", s, v)
		}
	}
	for s, want := range map[string]bool{"1.299": true, "44,500": true, "1299": false, "1.299,00": false, "0.125": false, "1.234.567": false} {
		if _, _, unsure := kind.ReadNumber(s); unsure != want {
			t.Errorf("%q: unsure %t", s, unsure)
		}
	}
}

func TestParseCondition(t *testing.T) {
	for s, want := range map[string]string{
		"price<44": "price<44", " Price  <  44.50 ": "price<44.50", "price≤1.299,00": "price<=1.299,00", "number>=10": "number>=10",
		"number == 3": "number=3", "price != 5": "price!=5", "": "", "  ": "",
	} {
		c, err := ParseCondition(s)
		if err != nil || c.String() != want {
			t.Errorf("%q: %q, %v, want %q", s, c, err, want)
		}
		if again, err := ParseCondition(c.String()); err != nil || again != c {
			t.Errorf("%q does not read back: %+v, %v", c, again, err)
		}
	}
	for _, c := range []struct {
		s, why string
		at     int
	}{
		{"44", "a condition begins with price or number", 0},
		{"  cost<44", "a condition begins with price or number", 2},
		{"price", "expected a comparison: < <= > >= = or !=", 5},
		{"price 44", "expected a comparison: < <= > >= = or !=", 6},
		{"price<", "expected a number, such as 44 or 1299.50", 6},
		{"price < 4x4", `"4x4" is not a number, such as 44 or 1299.50; leave out the currency`, 8},
		{"price<44 €", `"44 €" is not a number, such as 44 or 1299.50; leave out the currency`, 6},
		{"price<1.299", `"1.299" could be thousands or a fraction; write it without a thousands separator, or with two decimals`, 6},
	} {
		_, err := ParseCondition(c.s)
		var e *ConditionError
		if !errors.As(err, &e) || e.Why != c.why || e.At != c.at {
			t.Errorf("%q: %+v, want %q at %d", c.s, err, c.why, c.at)
		}
	}
}

// TestConditionReads: the price of a body, in the ways of several countries.
func TestConditionReads(t *testing.T) {
	for _, c := range []struct {
		html string
		when string
		text string
		v    float64
	}{
		{"<h1>Mug</h1><p>Price: €39.90 incl. VAT</p>", "price<44", "€39.90", 39.9},
		{"<h1>Becher</h1><p>Preis: 39,90&nbsp;€ inkl. MwSt.</p>", "price<44", "39,90 €", 39.9},
		{"<h1>Bol</h1><p>1&#8239;299,00&nbsp;€ TTC</p>", "price<1300", "1 299,00 €", 1299},
		{"<h1>Bol</h1><p>Prix : 1 299,00 € TTC</p>", "price<1300", "1 299,00 €", 1299},
		{"<h1>Tasse</h1><p>CHF 1'299.50</p>", "price<1300", "CHF 1'299.50", 1299.5},
		{"<h1>Tasse</h1><p>44.– Fr. das Stück</p>", "price<50", "44.– Fr", 44},
		{"<h1>カップ</h1><p>価格：4,980円（税込）</p>", "price<5000", "4,980円", 4980},
		{"<h1>杯子</h1><p>￥128.00</p>", "price<200", "￥128.00", 128},
		{"<h1>Mugg</h1><p>Pris 1 299 kr</p>", "price<2000", "299 kr", 299}, // behind a word it may be two numbers
		{"<h1>Mugg</h1><p>Modell 15 299 kr</p>", "price<2000", "299 kr", 299},
		{"<h1>Mugg</h1><p>1 299 kr</p>", "price<2000", "1 299 kr", 1299},
		{"<h1>Mugg</h1><p>Pris: 1 299 kr</p>", "price<2000", "1 299 kr", 1299},
		{"<h1>Mugg</h1><p>12 499 000 kr</p>", "price<20000000", "12 499 000 kr", 12499000},
		{"<h1>Kubek</h1><p>Cena: 1 299,99 zł</p>", "price<2000", "1 299,99 zł", 1299.99},
		{"<h1>Caneca</h1><p>R$ 1.299,90</p>", "price<2000", "R$ 1.299,90", 1299.9},
		{"<h1>Cup</h1><p>₹1,29,900</p>", "price<200000", "₹1,29,900", 129900},
		{"<h1>كوب</h1><p>٣٤٫٥٠ €</p>", "price<50", "34٫50 €", 34.5},
		{"<p>Free delivery over 50 €</p><h1>Mug</h1><p>39.90 €</p>", "price<44", "39.90 €", 39.9},
		{"<h1>Mug</h1><p><del>59.90 €</del> <b>39.90 €</b></p>", "price<44", "39.90 €", 39.9},
		{"<h1>Mug</h1><nav><a href=/sale>From 5 €</a></nav><p>12 in stock, 39.90 USD each</p>", "price<44", "39.90 USD", 39.9},
		{"<h1>Tickets</h1><p>On sale since 12.03.2026 at 10:30: 17 seats left</p>", "number<20", "17", 17},
	} {
		cond, err := ParseCondition(c.when)
		if err != nil {
			t.Fatal(err)
		}
		r, err := cond.Read([]byte("<!doctype html><title>x</title>"+c.html), page.Options{})
		if err != nil || !r.Found || r.Text != c.text || r.Value != c.v || !r.True {
			t.Errorf("%s: %+v, %v", c.html, r, err)
		}
	}
	cond, _ := ParseCondition("price<44")
	for _, html := range []string{"<h1>Mug</h1><p>39.90</p>", "<h1>Mug</h1><p>v2.3.1 €</p>", "", "<h1>Mug</h1><p>sold out</p>"} {
		if r, err := cond.Read([]byte(html), page.Options{}); err != nil || r.Found || r.True {
			t.Errorf("%s: %+v, %v", html, r, err)
		}
	}
	body := []byte("<h1>Mug</h1><p>39.90 €</p><div class=b><p>12 €</p></div>")
	if r, err := cond.Read(body, page.Options{Select: []string{".b"}}); err != nil || r.Value != 12 || r.Of != 1 {
		t.Errorf("selected: %+v, %v", r, err)
	}
}
