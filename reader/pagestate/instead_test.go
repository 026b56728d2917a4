package pagestate

import (
	"strings"
	"testing"

	"diurna/reader/page"
)

// shortPages are pages, though they are short or speak of errors, pauses or cookies.
var shortPages = []string{
	"<title>Status</title><h1>All systems operational</h1><p>No incidents in the last 30 days.",
	"<title>Ferry status</title><h1>Ferry</h1><p>Out of service until Monday.",
	"<title>Mara Lindqvist</title><h1>Mara Lindqvist</h1><p>I build boats in a small yard and write about them. <a href=mailto:m@example.org>Write to me</a>",
	"<title>Tides</title><ul><li>High 04:12<li>Low 10:30<li>High 16:40</ul>",
	"<title>Releases</title><h1>Releases</h1><h2>v2.4.0</h2><ul><li>Links to pages that were not found answer 404 now<li>Cookies are no longer set before consent; reject and accept work</ul>",
	"<title>Release 404</title><h1>Version 404</h1><p>Mends the saving of files.",
	"<title>Bus 404</title><h1>Bus 404: Harbour to Tower</h1><p>Every 20 minutes. Last bus 23:10.",
	"<title>Cookies | Pier Bakery</title><h1>Our cookies</h1><ul><li>Oat cookie 2 EUR <button>Add to basket</button><li>Ginger cookie 3 EUR <button>Add to basket</button></ul>",
	"<title>Cookie policy</title><h1>Cookies</h1><p>We use one cookie, which remembers your language. You can reject it in your browser. It is kept for a year, on your machine alone, and nobody else reads it. <p>Questions: write to the office.",
	"<title>Pier</title><h1>Pier</h1><p>Closed today.<div class=banner><p>We use cookies to remember you.<button>Accept all</button><button>Reject</button></div>",
	"<title>Pier</title><p>Next boat 14:20<div class=banner><p>Wir verwenden Cookies.<button>Alle akzeptieren</button><button>Ablehnen</button></div>",
	"<title>Lost property</title><h1>Found this week</h1><p>A red scarf, two keys. What was not found is listed in the office.",
	"<title>Maintenance</title><h1>Planned maintenance</h1><p>The lock is under maintenance from 3 to 5 May. Boats pass by the old canal.",
	"<title>Wartung</title><h1>Wartung der Aufzüge</h1><p>Aufzug 2 wird am Dienstag gewartet.",
	"<title>駅の案内</title><h1>運行情報</h1><p>平常運転です。",
	"<title>Privacy</title><h1>Privacy</h1><p>We keep no cookies and no addresses.",
	"<title>Horaires</title><h1>Horaires de la piscine</h1><p>Ouverte de 9 h à 19 h. Page mise à jour le 3 mai.",
	"<title>500 steps</title><h1>500 steps</h1><p>The stairs of the tower, counted by a child.",
}

// noPages stand in the place of a page.
var noPages = []struct {
	body string
	want State
}{
	{"<title>Page not found</title><h1>Page not found</h1><p>Sorry about that. <a href=/>Home</a>", ErrorPage},
	{"<title>Not Found | Harbour</title><nav><a href=/>Home</a> <a href=/a>Boats</a> <a href=/b>Tides</a> <a href=/c>About</a></nav><p>Try the search.", ErrorPage},
	{"<title>Harbour</title><h1>Oops! The page you are looking for could not be found.</h1><p>It may have moved.", ErrorPage},
	{"<title>Harbour</title><h2>We can’t find that page</h2><p>Check the address.", ErrorPage},
	{"<title>404 - nothing</title><h1>Oops</h1><p>Go home", ErrorPage},
	{"<title>Error 404</title><p>Go back", ErrorPage},
	{"<title>Hafen</title><h1>Seite nicht gefunden</h1><p>Die Seite wurde verschoben oder gelöscht.", ErrorPage},
	{"<title>Diese Seite existiert nicht mehr – Hafen</title><p>Zur Startseite", ErrorPage},
	{"<title>Page introuvable - Port</title><h1>Oups</h1><p>La page demandée n'est plus là.", ErrorPage},
	{"<title>Puerto</title><h1>Página no encontrada</h1><p>Vuelva al inicio.", ErrorPage},
	{"<title>Porto</title><h1>Pagina non trovata</h1><p>Torna alla home.", ErrorPage},
	{"<title>港</title><h1>ページが見つかりません</h1><p>お探しのページは移動したか削除されました。", ErrorPage},
	{"<title>港口</title><h1>页面不存在</h1><p>返回首页", ErrorPage},
	{"<title>503 Service</title><h1>503</h1><p>Wait", Maintenance},
	{"<title>Harbour</title><h1>We’ll be back soon!</h1><p>We are improving our site.", Maintenance},
	{"<title>Hafen</title><h1>Wir sind gleich wieder da</h1><p>Bitte etwas Geduld.", Maintenance},
	{"<title>メンテナンス中</title><p>しばらくお待ちください。", Maintenance},
	{"<title>Before you continue to Harbour</title><h1>Before you continue to Harbour</h1><p>We use cookies and data to deliver our services and to measure the audience.<form><button>Reject all</button><button>Accept all</button></form><a href=/p>Privacy</a> <a href=/t>Terms</a>", Replaced},
	{"<title>Harbour</title><h1>Cookies</h1><p>We and our partners use cookies. Please choose.<button>Accept</button><button>Manage settings</button>", Replaced},
	{"<title>Hafen</title><p>Wir verwenden Cookies, um Inhalte anzuzeigen.<button>Alle akzeptieren</button><button>Ablehnen</button><a href=/i>Impressum</a>", Replaced},
	{"<title>Port</title><h2>Votre vie privée</h2><p>Nous utilisons des cookies avec nos partenaires.<form><input type=submit value='Tout accepter'><input type=submit value='Tout refuser'></form>", Replaced},
	{"<title>Puerto</title><h1>Antes de continuar</h1><p>Utilizamos cookies propias y de terceros.<button>Aceptar todo</button><button>Rechazar todo</button>", Replaced},
}

// TestShortPagesStay: no short page is refused at the first fetch or taken for something
// else later, and none of what stands in its place becomes a revision, at first or later.
func TestShortPagesStay(t *testing.T) {
	for _, body := range shortPages {
		for _, prev := range [][]byte{nil, []byte(body), []byte(strings.Replace(body, "</h1>", "</h1><p>One more line than today", 1))} {
			if got, why := Classify(Response{200, []byte(body)}, prev, page.Options{}); got != Good {
				t.Errorf("%s: %s (%s), before: %s", body, got, why, prev)
			}
		}
	}
	old := "<title>Harbour</title><h1>Harbour</h1><p>Boats leave from the old pier.<p>The office is open until five.<p>A ticket costs 8 EUR.<p>Dogs travel free of charge."
	for _, c := range noPages {
		if got, why := Classify(Response{200, []byte(c.body)}, nil, page.Options{}); got != c.want || why == "" {
			t.Errorf("at first: %s: %s (%s), want %s", c.body, got, why, c.want)
		}
		if got, why := Classify(Response{200, []byte(c.body)}, []byte(old), page.Options{}); got == Good {
			t.Errorf("later: %s: %s (%s)", c.body, got, why)
		}
		// Where the page's own text is still there, it is the page.
		both := strings.Replace(c.body, "<p>", "<p>Boats leave from the old pier.<p>The office is open until five.<p>A ticket costs 8 EUR.<p>Dogs travel free of charge.<p>", 1)
		if got, why := Classify(Response{200, []byte(both)}, []byte(old), page.Options{}); got != Good {
			t.Errorf("with its own text: %s: %s (%s)", both, got, why)
		}
	}
}
