package page

import (
	"strings"
	"testing"
	"time"
)

// TestKinds: what changed decides what a change counts as while its place has
// no history.
func TestKinds(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want Class
	}{
		{"Oars for two: in stock", "Oars for two: sold out", Content},
		{"Ruder: ausverkauft", "Ruder: lieferbar", Content},
		{"受付中 の 講座", "受付終了 の 講座", Content},
		{"Doors at 19:00 on 21 November 2026", "Doors at 20:00 on 21 November 2026", Content},
		{"The sale is on 21 November 2026", "The sale is on 28 November 2026", Content},
		{"Needs v2.3.1 of the lock", "Needs v2.4.0 of the lock", Content},
		{"The ferry leaves from pier 3", "The ferry leaves from pier 4", Content},
		{"12 people viewing this boat", "9 people viewing this boat", Volatile},
		{"Gelesen: 812 Aufrufe", "Gelesen: 815 Aufrufe", Volatile},
		{"1 comment on this", "2 comments on this", Volatile},
		{"Vor 39 Min. von der Küste", "Vor 41 Min. von der Küste", Volatile},
		{"Publié il y a 2 heures", "Publié il y a 3 heures", Volatile},
		{"posted 59 minutes ago", "posted 1 hour ago", Volatile},
		{"A letter, 4 min read", "A letter, 5 min read", Volatile},
		{"Silny wiatr – stopień 1", "Silny wiatr – stopień 2", Content},
		{"Wind, warning level 1", "Wind, warning level 2", Content},
		{"Vítr – stupeň 1", "Vítr – stupeň 2", Content},
		{"<table><tr><td>3.7.4</td><td><a href=/f>k9.bin</a> (9117)</td></tr></table>", "<table><tr><td>3.7.4</td><td><a href=/f>k9.bin</a> (9123)</td></tr></table>", Volatile},
		{"<table><tr><td>3.7.4</td><td><a href=/f>k9.bin</a> (12)</td></tr></table>", "<table><tr><td>3.7.4</td><td><a href=/f>k9.bin</a> (9)</td></tr></table>", Content},
		{"<table><tr><td>3.7.4</td><td>k9.bin (9117)</td></tr></table>", "<table><tr><td>3.7.4</td><td>k9.bin (9123)</td></tr></table>", Content},
		{"Wind: 12 km/h", "Wind: 14 km/h", Volatile},
		{"Descărcări: 812", "Descărcări: 815", Volatile},
		{"4 komentar", "5 komentar", Volatile},
		{"Harga termasuk pajak 7%", "Harga termasuk pajak 10%", Content},
		{"Page made 14:05:11 by the quay", "Page made 14:06:38 by the quay", Date},
	} {
		around := func(s string) string { return "<h1>Quay</h1><p>Some text.</p><p>" + s + "</p><p>More text.</p>" }
		d := mustCompare(t, around(c.a), around(c.b), Options{})
		if d.Class != c.want || d.Significant != (c.want == Content) {
			t.Errorf("%q to %q: class %s, score %.2f, want %s", c.a, c.b, d.Class, d.Score, c.want)
		}
	}
}

// TestValues: prices in several elements or groups, sizes with a letter behind, codes,
// values with a name, and what counts by itself.
func TestValues(t *testing.T) {
	for _, c := range []struct {
		around, a, b string
		want         Class
	}{
		{"<p>Nu: <span>@</span> <span>kr</span></p>", "<b>1</b><b>299</b>", "<b>1</b><b>349</b>", Content},
		{"<p>Pris @ kr</p>", "1 299", "1 199", Content},
		{"<p>Pris @ kr</p>", "11 299", "12 299", Content},
		{"<p>Nur <span class=cur>€</span><span>@</span></p>", "1</span><span>.299", "1</span><span>.301", Content},
		{"<p>R<span>$</span> <span>@</span><span>,90</span></p>", "10.149", "10.199", Content},
		{"<p>@ members</p>", "10.149", "10.199", Volatile},
		{"<p>@ Mitglieder</p>", "2.418", "2.433", Volatile},
		{"<p>@ Mitglieder</p>", "2.418", "2.933", Content},
		{"<p>@ Mitglieder</p>", "2 418", "2 433", Volatile},
		{"<p>@ Mitglieder</p>", "2 418", "2 933", Content},
		{"<table><tr><td>Knots</td><td>Posts: @</td></tr></table>", "8 934", "8 941", Volatile},
		{"<table><tr><td>Knots</td><td>Length: @</td></tr></table>", "8 934", "8 941", Content},
		{"<p>Saison @ beginnt</p>", "2418", "2433", Content},
		{"<table><tr><td>Model A</td><td>@</td></tr><tr><td>Model B</td><td>1,499</td></tr></table>", "1,299", "1,289", Content},
		{"<pre>cache = @</pre>", "64M", "256M", Content},
		{"<p>Cache: @</p>", "512k", "2048k", Content},
		{"<p>@ on the hill</p>", "2.1k", "2.2k", Volatile},
		{"<table><tr><td>timeout</td><td>@</td></tr></table>", "30s", "45s", Content},
		{"<table><tr><td>uptime</td><td>@</td></tr></table>", "30s", "45s", Volatile},
		{"<table><tr><td>Knots</td><td>4 posts</td><td>@</td></tr></table>", "30s", "45s", Volatile},
		{"<dl><dt>Weekly downloads</dt><dd>@</dd></dl>", "481", "513", Volatile},
		{"<dl><dt>Berths</dt><dd>@</dd></dl>", "481", "513", Content},
		{"<p>Gate @</p>", "B12", "B14", Content},
		{"<p>Flight @ to Oslo</p>", "SK1455", "SK1457", Content},
		{"<p>Gleis @</p>", "5A", "7C", Content},
		{"<p>Session @</p>", "2y2oie", "u88659", Volatile},
		{"<p>Model @</p>", "xt200a", "xt300bc", Content},
		{"<p>Powered by Gull @</p>", "4.11.2", "4.11.3", Volatile},
		{"<div>IT EN <span>@°</span></div>", "14", "11", Volatile},
		{"<div>@ by the pier</div>", "18 ºC, clouds", "21 ºC, sun", Volatile},
		{"<div>@</div>", "Sauna at 80°: open", "Sauna at 80°: closed", Content},
		{"<p>The water has @ °C</p>", "14", "11", Content},
		{"<p>レビュー @ 件</p>", "32", "33", Volatile},
		{"<p>評価 @ 円</p>", "320", "330", Content},
		{"<p>Rated @ of 5 stars</p>", "4.3", "4.2", Volatile},
		{"<p>Set for @ minutter siden af havnen</p>", "4", "11", Volatile},
		// What is measured, with its name or unit, and what is set.
		{"<p>Luftdruck @ hPa</p>", "1013,2", "998,0", Volatile},
		{"<table><tr><td>Wind</td><td>@</td></tr></table>", "12 km/h aus NW", "48 km/h aus W", Volatile},
		{"<p>Aforo: @ %</p>", "43", "61", Volatile},
		{"<p>@ of customers are content</p>", "78%", "81%", Volatile},
		{"<p>@ korting voor leden</p>", "10 %", "15 %", Content},
		{"<p>Till @ % from Friday</p>", "-10", "-20", Content},
		{"<p>@ av 180 badande</p>", "46", "71", Volatile},
		{"<p>46 av @ badande</p>", "180", "150", Content},
		{"<p>There are @ vacant plots and 37 people on the waiting list.</p>", "2", "1", Content},
		{"<p>There are 2 vacant plots and @ people on the waiting list.</p>", "37", "39", Volatile},
		{"<p>At most @ people</p>", "12", "15", Content},
		{"<p>Bake at @ °C</p>", "180", "200", Content},
		{"<p>acheté @ fois</p>", "312", "318", Volatile},
		{"<div>EUR @</div>", "4,31 USD 3,97", "4,29 USD 3,99", Volatile},
		{"<p>Commit @ by Rosa</p>", "9f3ab2c", "07cc1de", Volatile},
		{"<p>Places libres : @</p>", "9", "16", Volatile},
		{"<table><tr><td>Centrum</td><td>@</td><td>Beschikbaar</td></tr></table>", "R 12", "R 14", Content},
		{"<p>In stock: @</p>", "12", "0", Content},
		{"<p>Next bus in @ min</p>", "38", "12", Volatile},
		{"<p>A bus every @ min</p>", "15", "20", Content},
		{"<p>Le porte della sala aprono @ minuti prima dello spettacolo e nessuno entra a sipario alzato.</p>", "45", "60", Content},
		{"<p>開場9時@分、開演9時45分</p>", "15", "00", Content},
		{"<p>約@分で入れます</p>", "15", "20", Volatile},
		{"<p>每人最多可借 @ 册</p>", "10", "15", Content},
		{"<div><a href='/x'>海湾市图书馆</a> @</div>", "多云 18℃", "小雨 15℃", Volatile},
		{"<p><a href='https://ads.example/t/@'>Oars for all</a></p>", "k7x02q", "p91zzd", None},
		{"<footer>今日の気温 12℃ ／ 電話 @</footer>", "03-5555-0142", "03-5555-0143", Content},
		{"<p>@（8人待ち）</p>", "営業中", "準備中", Content},
		{"<p>@</p>", "11:00〜15:00", "11:00〜14:30", Content},
		{"<div class=stat><div class=n>@</div><div class=l>open issues</div></div>", "37", "41", Volatile},
		{"<div class=stat><div class=n>@</div><div class=l>rooms</div></div>", "37", "41", Content},
		{"<dl><dt>Wolne miejsca</dt><dd>@</dd></dl>", "14", "11", Volatile},
		{"<dl><dt>Wolne miejsca</dt><dd>@</dd></dl>", "14", "0", Content},
		{"<ul><li>Screen 3 @~14:40 残りわずか</li></ul>", "13:00", "13:25", Content},
		{"<p>Every plan starts with a free trial of @ days.</p>", "30", "14", Content},
		{"<footer><a href='/s'>@</a></footer>", "All systems normal", "Partial outage", Content},
		// Counts that no word names: signs, icons, names of elements, brackets, links, columns.
		{"<p>Blorp ♥ @</p>", "118", "121", Volatile},
		{"<p>Blorp ♣ @</p>", "118", "131", Content},
		{"<p>Zag @× · dro 12×</p>", "341", "388", Volatile},
		{"<p>Zag @× oak</p>", "2", "4", Content},
		{"<div>Blorp <i class='fa fa-eye'></i> @</div>", "214", "297", Volatile},
		{"<div>Blorp <span class=post-views-count>@</span></div>", "214", "297", Volatile},
		{"<div>Blorp <span class=star-size>@</span></div>", "214", "297", Content},
		{"<h2>Blorp (@)</h2>", "48", "51", Volatile},
		{"<h2>Blorp @</h2>", "48", "51", Content},
		{"<div>Zag: <a href=#a>Blorp @</a> <a href=#b>Frell 88</a></div>", "236", "241", Volatile},
		{"<div>Zag: <a href=#a>Zone @</a> <a href=#b>Zone 88</a></div>", "236", "241", Content},
		{"<table><tr><th>Blorp</th><th>Hits</th><th>Zag</th></tr><tr><td><a href=/a>Oars</a></td><td>@</td><td>7</td></tr></table>", "214", "297", Volatile},
		{"<table><tr><th>Blorp</th><th>Hits</th><th>Zag</th></tr><tr><td><a href=/a>Oars</a></td><td>7</td><td>@</td></tr></table>", "214", "297", Content},
		{"<table><tr><th>Blorp</th><th>Votes</th><th>Zag</th></tr><tr><td>Ann Oar</td><td>@</td><td>7</td></tr></table>", "214", "297", Content},
		{"<p>@ מנויים</p>", "214", "221", Volatile},
		{"<p>@ out of 48 found this helpful</p>", "41", "43", Volatile},
		{"<p>@ out of 48 berths</p>", "41", "43", Content},
		{"<p>The sale ends in @ h</p>", "2 d 14", "2 d 9", Volatile},
		// What grew beside a count counts as well.
		{"<p>Zag @</p>", "62 on oak · ♥ 118", "64 on oak · ♥ 121", Volatile},
		{"<p>Zag @</p>", "64 on oak · ♥ 118", "62 on oak · ♥ 121", Content},
		{"<p>Zag @</p>", "3 on oak · ♥ 118", "9 on oak · ♥ 121", Content},
		// What somebody said, and what a name parts from the page.
		{"<p>@</p>", "« Superbe, conforme à la photo. » Lucie, Brest", "« Livraison un peu longue. » Hervé, Rennes", Volatile},
		{"<div>@</div>", "The sea has no roads. - A. Muir", "A lamp is a promise. - proverb", Volatile},
		{"<div>@</div>", "Fijn geholpen bij het uitladen. (Els)", "Lang wachten bij de weegbrug. (Piet)", Volatile},
		{"<blockquote>@</blockquote>", "Best sauna of them all!", "Clean and kind, we liked it", Volatile},
		{"<h3>@</h3>", "„Der Sturm kommt bald“", "„Die Flut war gestern“", Content},
		{"<p>Santo del día: @</p>", "San Martín de Porres", "San Carlos Borromeo", Volatile},
		{"<div><p>Did you know?</p><p>@</p></div>", "Leeks stay in the ground all winter.", "A robin likes soil.", Volatile},
		{"<div><p>Did they know?</p><p>@</p></div>", "Leeks stay in the ground all winter.", "A robin likes soil.", Content},
	} {
		at := func(s string) string {
			return "<h1>Quay</h1><p>Some text.</p>" + strings.Replace(c.around, "@", s, 1) + "<p>More text.</p>"
		}
		d := mustCompare(t, at(c.a), at(c.b), Options{})
		if d.Class != c.want || d.Significant != (c.want == Content) {
			t.Errorf("%s, %q to %q: class %s, score %.2f, want %s", c.around, c.a, c.b, d.Class, d.Score, c.want)
		}
	}
}

// TestDateAlone: a date alone in its block that is still to come is one of an event;
// one of the day of the fetch, or before, may be the page's own.
func TestDateAlone(t *testing.T) {
	fetched := [2]time.Time{time.Date(2026, 11, 2, 8, 0, 0, 0, time.UTC), time.Date(2026, 11, 3, 8, 0, 0, 0, time.UTC)}
	for _, c := range []struct {
		around, a, b string
		want         Class
	}{
		{"<p>@</p>", "Saturday 14 November 2026", "Saturday 21 November 2026", Content},
		{"<p><time>@</time></p>", "12 février 2027", "13 février 2027", Content},
		{"<p>@</p>", "28.11.2026", "05.12.2026", Content},
		{"<p>@</p>", "2 November 2026", "3 November 2026", Date},
		{"<p>Hours @</p>", "7:00 - 22:00", "8:00 - 21:30", Content},
		{"<p>Made on @</p>", "2 November 2026, 8:00", "3 November 2026, 8:00", Date},
		{"<p><time>@</time></p>", "30 October 2026", "1 November 2026", Date},
		{"<p><time datetime=2026-12-11>@</time></p>", "pe 11.12. klo 20", "pe 11.12. klo 18", Content},
		{"<p><time datetime=2026-11-01>@</time></p>", "pe 11.12. klo 20", "pe 11.12. klo 18", Date},
		{"<p>Stav k @</p>", "2. 11. 2026 8:00", "3. 11. 2026 8:00", Date},
	} {
		at := func(s string) string {
			return "<h1>Quay</h1><p>Some text.</p>" + strings.Replace(c.around, "@", s, 1) + "<p>More text.</p>"
		}
		if d := mustCompare(t, at(c.a), at(c.b), Options{Fetched: fetched}); d.Class != c.want {
			t.Errorf("%s, %q to %q: class %s, want %s", c.around, c.a, c.b, d.Class, c.want)
		}
	}
}

// TestReleasedTitle: a version in the title alone is news, a counter there is none.
func TestReleasedTitle(t *testing.T) {
	page := func(title string) string {
		return "<title>" + title + "</title><h1>Configuration</h1><p>Some text.</p>"
	}
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"larkd 2.3 documentation", "larkd 2.4 documentation", true},
		{"larkd v2.3.1", "larkd v3.0.0", true},
		{"(3) Inbox", "(4) Inbox", false},
		{"Rates of 28.01.2022", "Rates of 29.01.2022", false},
		{"Quay 2.3 docs", "Pier 2.4 docs", false},
	} {
		if d := mustCompare(t, page(c.a), page(c.b), Options{}); d.Significant != c.want {
			t.Errorf("%q to %q: score %.2f", c.a, c.b, d.Score)
		}
	}
}
