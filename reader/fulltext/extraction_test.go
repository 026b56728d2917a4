package fulltext

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	tree "golang.org/x/net/html"
)

// labelled is a page that is being written together with its label: the text that a
// reader would copy of it. Its words are made up; its shape is that of pages there are.
type labelled struct {
	html, want strings.Builder
	r          *rand.Rand
	words      []string
	japanese   bool
}

// in writes what belongs to the article, out what does not.
func (l *labelled) in(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	l.html.WriteString(s)
	l.want.WriteString(anyTag.ReplaceAllString(s, " ") + "\n")
}

func (l *labelled) out(format string, args ...any) { fmt.Fprintf(&l.html, format, args...) }

var anyTag = regexp.MustCompile(`<[^>]*>`)

// some is n words, the first a capital.
func (l *labelled) some(n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 && !l.japanese {
			b.WriteByte(' ')
		}
		b.WriteString(l.words[l.r.IntN(len(l.words))])
	}
	first, rest := []rune(b.String())[0], string([]rune(b.String())[1:])
	return strings.ToUpper(string(first)) + rest
}

// say is n sentences.
func (l *labelled) say(n int) string {
	comma, end, space := ", ", ". ", " "
	if l.japanese {
		comma, end, space = "、", "。", ""
	}
	var b strings.Builder
	for range n {
		b.WriteString(l.some(4 + l.r.IntN(6)))
		for range l.r.IntN(3) {
			b.WriteString(comma + strings.ToLower(l.some(3+l.r.IntN(6))))
		}
		b.WriteString(end)
	}
	return strings.TrimSuffix(b.String(), space)
}

// ps writes n paragraphs of the article.
func (l *labelled) ps(n int) {
	for range n {
		l.in("<p>%s</p>\n", l.say(2+l.r.IntN(4)))
	}
}

// links are n entries of a list of links.
func (l *labelled) links(n int) {
	l.out("<ul>")
	for range n {
		l.out(`<li><a href="/x/%d">%s</a></li>`, l.r.IntN(9999), l.some(3+l.r.IntN(4)))
	}
	l.out("</ul>")
}

// top and bottom are what every site has around its pages.
func (l *labelled) top(title string) {
	l.out(`<!DOCTYPE html><html><head><meta charset="utf-8"><title>%s - The Daily Reed</title><meta property="og:title" content="%s"><style>p{margin:0}</style></head><body>
<div class="site-header"><a class="logo" href="/">The Daily Reed</a><nav class="menu">`, title, title)
	l.links(9)
	l.out(`</nav><form class="search"><input name="q"><button>Search</button></form></div>`)
}

func (l *labelled) bottom() {
	l.out(`<footer class="site-footer"><div class="columns">`)
	for range 3 {
		l.links(6)
	}
	l.out(`</div><p>Copyright The Daily Reed. All rights reserved. Registered office: 4 Quay Street.</p></footer><script>var a = "<p>not a text</p>";</script></body></html>`)
}

func (l *labelled) figure(inner string) {
	l.in(`<figure class="image">%s<figcaption>%s</figcaption></figure>`, inner, l.say(1))
}

// cards are teasers of other articles.
func (l *labelled) cards(class string, n int) {
	l.out(`<div class="%s"><h3>More stories</h3>`, class)
	for range n {
		l.out(`<div class="card"><a href="/s/%d"><img src="/t.jpg" alt=""><h4>%s</h4></a><p>%s</p></div>`, l.r.IntN(999), l.some(7), l.say(1))
	}
	l.out(`</div>`)
}

const english = "river bridge morning council harbour engine letter window market quiet northern silver carry follow measure repair several between during without garden station doctor teacher winter summer early paper across another always never under above through simple heavy bright narrow village machine answer question number reason field storm cattle copper wooden record signal evening island valley traffic captain orchard ledger granite the a of and to in is was for on with as at by from that this were"
const german = "der die das und ein eine Brücke Fluss Hafen Morgen Stadt Wasser Garten langsam während zwischen niemals immer Straße Bäume über müssen können hatte wurde werden schließlich Brief Fenster Markt leise silbern Wetter Winter Sommer früh Papier einfach schwer hell eng Dorf Maschine Antwort Frage Zahl Grund Feld Sturm"
const russian = "река мост утро совет гавань письмо окно рынок тихий северный между когда никогда всегда под над через простой тяжёлый светлый узкий деревня машина ответ вопрос число причина поле буря и в на не что это был была было они она город вечер остров долина"
const arabic = "النهر الجسر الصباح المجلس الميناء رسالة نافذة السوق هادئ شمالي بين أبدا دائما تحت فوق بسيط ثقيل مشرق ضيق القرية الآلة جواب سؤال رقم سبب حقل عاصفة في من على إلى كان كانت هذا هذه المدينة المساء الجزيرة الوادي"
const japanese = "川 橋 朝 市役所 港 手紙 窓 市場 静かな 北の 間に いつも 下に 上に 簡単な 重い 明るい 狭い 村 機械 答え 質問 数 理由 畑 嵐 は が を に で と の した という ことが あった 町 夕方 島 谷 でした ました"

// shapes are the pages, by name. What they write with in is the label; it was written
// before the pages were first extracted.
var shapes = []struct {
	name, words string
	write       func(l *labelled)
}{
	{"news with boxes in the body", english, func(l *labelled) {
		l.top("Council votes")
		l.out(`<main><article class="story"><h1>Council votes</h1><p class="byline">By <a href="/u/1">Jane Reed</a></p><time>3 May 2026, 10:14</time>`)
		l.ps(3)
		l.out(`<aside class="related"><h3>Read more</h3>`)
		l.links(4)
		l.out(`</aside>`)
		l.ps(2)
		l.cards("promo recommended", 2)
		l.ps(4)
		l.out(`<div class="tags">Topics: <a href="/t/a">bridges</a>, <a href="/t/b">rivers</a>, <a href="/t/c">votes</a></div></article>`)
		l.cards("more-stories", 6)
		l.out(`</main>`)
		l.bottom()
	}},
	{"blog with comments", english, func(l *labelled) {
		l.top("A week without oil")
		l.out(`<div id="wrap"><div class="post hentry"><h2 class="entry-title">A week without oil</h2><div class="entry-content">`)
		l.ps(6)
		l.out(`</div></div><div id="comments"><h3>9 comments</h3><ol class="commentlist">`)
		for range 9 {
			l.out(`<li class="comment"><div class="comment-author">%s says:</div><p>%s</p><a class="reply" href="#">Reply</a></li>`, l.some(2), l.say(4))
		}
		l.out(`</ol><form><textarea></textarea><button>Send</button></form></div><div id="sidebar">`)
		l.links(20)
		l.out(`</div></div>`)
		l.bottom()
	}},
	{"documentation with a sidebar", english, func(l *labelled) {
		l.top("Retries")
		l.out(`<div class="layout"><aside class="sidebar-nav">`)
		l.links(45)
		l.out(`</aside><main class="content"><ol class="breadcrumb"><li><a href="/">Guide</a></li><li><a href="/n">Network</a></li></ol><h1>Retries</h1>`)
		l.ps(2)
		l.in(`<h2 id="a">%s<a class="anchor" href="#a"></a></h2>`, l.some(3))
		l.ps(1)
		l.in("<pre><code>client := dial(addr)\nclient.retries = 3\nfor range 9 {\n\tclient.ask(name)\n}</code></pre>")
		l.ps(1)
		l.in(`<ul><li><code>limit</code> %s</li><li><code>wait</code> %s</li><li><code>grow</code> %s</li></ul>`, l.say(1), l.say(1), l.say(1))
		l.in(`<h2 id="b">%s</h2>`, l.some(3))
		l.ps(2)
		l.out(`<nav class="pager"><a href="/p">Previous: %s</a><a href="/q">Next: %s</a></nav></main><aside class="toc"><h4>On this page</h4>`, l.some(2), l.some(2))
		l.links(4)
		l.out(`</aside></div>`)
		l.bottom()
	}},
	{"forum thread", english, func(l *labelled) {
		l.top("Which oil for the hinge")
		l.out(`<div class="thread"><h1>Which oil for the hinge</h1>`)
		for i := range 6 {
			l.out(`<div class="post" id="p%d"><div class="user"><b>user%d</b><br>Posts: %d<br>Joined: May 2019</div>`, i, i, l.r.IntN(900))
			l.in(`<div class="body"><p>%s</p><p>%s</p></div>`, l.say(3), l.say(2))
			l.out(`<div class="actions"><a href="#">Quote</a> <a href="#">Report</a></div></div>`)
		}
		l.out(`</div>`)
		l.bottom()
	}},
	{"recipe", english, func(l *labelled) {
		l.top("Leek soup")
		l.out(`<article class="recipe"><h1>Leek soup</h1><div class="rating">4.6 stars from 213 ratings</div><a class="jump" href="#r">Jump to recipe</a>`)
		l.ps(3)
		l.in(`<div id="r" class="ingredients"><h2>Ingredients</h2><ul>`)
		for range 8 {
			l.in(`<li>%d grams of %s</li>`, l.r.IntN(900), l.some(3))
		}
		l.in(`</ul></div><div class="method"><h2>Method</h2><ol>`)
		for range 6 {
			l.in(`<li>%s</li>`, l.say(2))
		}
		l.in(`</ol></div>`)
		l.in(`<table class="nutrition"><tr><th>Energy</th><td>412 kcal</td></tr><tr><th>Fat</th><td>12 grams</td></tr><tr><th>Salt</th><td>2 grams</td></tr></table>`)
		l.out(`</article><section class="reviews"><h2>Reviews</h2>`)
		for range 4 {
			l.out(`<div class="review"><b>%s</b><p>%s</p></div>`, l.some(2), l.say(2))
		}
		l.out(`</section>`)
		l.bottom()
	}},
	{"live blog", english, func(l *labelled) {
		l.top("The flood hour by hour")
		l.out(`<main><h1>The flood hour by hour</h1><div class="live-feed">`)
		for i := range 9 {
			l.in(`<article class="live-entry" id="e%d"><h3><time>1%d:%02d</time> %s</h3><p>%s</p><p>%s</p></article>`, i, 8-i, l.r.IntN(60), l.some(6), l.say(2), l.say(2))
		}
		l.out(`</div></main><aside class="sidebar">`)
		l.links(12)
		l.out(`</aside>`)
		l.bottom()
	}},
	{"list article", english, func(l *labelled) {
		l.top("Seven bridges")
		l.out(`<article><h1>Seven bridges</h1>`)
		l.ps(1)
		for i := range 7 {
			l.in(`<h2>%d. %s</h2>`, i+1, l.some(3))
			l.figure(`<img src="/b.jpg" alt="">`)
			l.in(`<p>%s</p>`, l.say(3))
		}
		l.out(`</article>`)
		l.cards("related", 4)
		l.bottom()
	}},
	{"Japanese news", japanese, func(l *labelled) {
		l.top("橋の話")
		l.out(`<div class="article-wrap"><h1>橋の話</h1><p class="date">2026年5月3日</p><div class="article-body">`)
		l.ps(7)
		l.out(`</div><div class="sns"><a href="#">共有する</a><a href="#">ツイート</a></div></div>`)
		l.cards("kanren", 4)
		l.bottom()
	}},
	{"German blog", german, func(l *labelled) {
		l.top("Die Brücke")
		l.out(`<div class="beitrag"><h1>Die Brücke</h1><span class="meta">Von Karl am 3. Mai, Lesezeit: 4 Minuten</span><div class="text">`)
		l.ps(4)
		l.in(`<h2>%s</h2>`, l.some(3))
		l.ps(4)
		l.out(`</div><div class="teilen">Teilen: <a href="#">Facebook</a> <a href="#">Mastodon</a></div><div class="kommentare"><h3>3 Kommentare</h3>`)
		for range 3 {
			l.out(`<div class="kommentar"><b>%s</b><p>%s</p></div>`, l.some(1), l.say(2))
		}
		l.out(`</div></div>`)
		l.bottom()
	}},
	{"Arabic news", arabic, func(l *labelled) {
		l.top("الجسر")
		l.out(`<div dir="rtl" class="content"><h1>الجسر</h1>`)
		l.figure(`<img src="/b.jpg" alt="">`)
		l.ps(7)
		l.out(`<div class="related-news">`)
		l.links(6)
		l.out(`</div></div>`)
		l.bottom()
	}},
	{"Russian news", russian, func(l *labelled) {
		l.top("Мост")
		l.out(`<div class="news-detail"><h1>Мост</h1><div class="news-detail__text">`)
		l.ps(3)
		l.out(`<div class="inject"><a href="/n/1">Читайте также: %s</a></div>`, l.some(5))
		l.ps(4)
		l.out(`</div><div class="tags">`)
		l.links(5)
		l.out(`</div></div>`)
		l.bottom()
	}},
	{"text in divs", english, func(l *labelled) {
		l.top("Divided")
		l.out(`<div class="c1"><div class="c2"><div class="headline">Divided</div><div class="c3">`)
		for range 8 {
			l.in(`<div class="c4">%s</div>`, l.say(3))
		}
		l.out(`</div></div><div class="c5">`)
		l.links(10)
		l.out(`</div></div>`)
		l.bottom()
	}},
	{"text in breaks", english, func(l *labelled) {
		l.top("Broken")
		l.out(`<div class="page"><h1>Broken</h1><div class="txt">`)
		for range 8 {
			l.in(`%s<br><br>`, l.say(3))
		}
		l.out(`</div></div>`)
		l.bottom()
	}},
	{"layout in tables", english, func(l *labelled) {
		l.out(`<html><head><title>Old page</title></head><body bgcolor=white><table width=100%%><tr><td width=150 valign=top>`)
		l.links(15)
		l.out(`</td><td valign=top><font size=5><b>Old page</b></font><br><br><font face=Arial size=2>`)
		for range 7 {
			l.in(`<p>%s`, l.say(3))
		}
		l.out(`</font></td><td width=120><a href="/a"><img src=/ad.gif></a><br><a href="/b">%s</a></td></tr></table><hr><center><small>Best viewed with any browser</small></center></body></html>`, l.some(3))
	}},
	{"AMP", english, func(l *labelled) {
		l.out(`<!doctype html><html amp><head><meta charset="utf-8"><title>Swift pages</title><script async src="https://x.example/v0.js"></script></head><body><header><a href="/">Reed</a></header><amp-sidebar id="s" layout="nodisplay">`)
		l.links(12)
		l.out(`</amp-sidebar><article class="amp-article"><h1>Swift pages</h1>`)
		l.ps(2)
		l.in(`<figure><amp-img src="/b.jpg" width="300" height="200"></amp-img><figcaption>%s</figcaption></figure>`, l.say(1))
		l.ps(2)
		l.out(`<amp-ad width="300" height="250" type="x"><div placeholder>Advertisement</div></amp-ad>`)
		l.ps(3)
		l.out(`</article><amp-carousel>`)
		l.cards("amp-related", 3)
		l.out(`</amp-carousel></body></html>`)
	}},
	{"lazy pictures", english, func(l *labelled) {
		l.top("Late light")
		l.out(`<article><h1>Late light</h1>`)
		l.ps(2)
		for range 3 {
			l.figure(`<img class="lazy" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-src="/b.jpg"><noscript><img src="/b.jpg"></noscript>`)
			l.ps(2)
		}
		l.out(`</article>`)
		l.bottom()
	}},
	{"pull quotes", english, func(l *labelled) {
		l.top("Said twice")
		l.out(`<article class="feature"><h1>Said twice</h1>`)
		for range 3 {
			s := l.say(1)
			l.in(`<p>%s %s</p>`, s, l.say(2))
			l.ps(1)
			l.out(`<aside class="pullquote">%s</aside>`, s)
			l.ps(1)
		}
		l.in(`<blockquote><p>%s</p></blockquote>`, l.say(2))
		l.ps(1)
		l.out(`</article>`)
		l.bottom()
	}},
	{"newsletter form in the text", english, func(l *labelled) {
		l.top("Subscribe now")
		l.out(`<article><h1>The well</h1><div class="article__content">`)
		l.ps(3)
		l.out(`<div class="newsletter-signup"><h3>Get our newsletter</h3><p>Our best stories in your inbox every morning, free and without obligation, whenever you wish.</p><form><input type="email"><button>Sign up</button></form><small>By signing up you agree to our terms and our privacy policy.</small></div>`)
		l.ps(4)
		l.out(`</div></article>`)
		l.bottom()
	}},
	{"paywall fade over a whole text", english, func(l *labelled) {
		l.top("All of it")
		l.out(`<article><h1>All of it</h1><div class="article-body">`)
		l.ps(9)
		l.out(`<div class="fade-out"></div></div><div class="subscribe-offer"><h2>Continue reading</h2><p>Choose one of our subscriptions, cancel whenever you like.</p><a href="/sub">Subscribe for 2 a month</a></div></article>`)
		l.bottom()
	}},
	{"cookie banner first", english, func(l *labelled) {
		l.out(`<html><head><title>After the banner</title></head><body><div id="cmp" class="cookie-banner"><h2>We value your privacy</h2><p>We and our 812 partners store and access information on a device, such as cookies, and process personal data, such as unique identifiers, for personalised ads and content.</p><p>With your permission we and our partners may use precise geolocation data, and identification through device scanning, for the purposes described above.</p><button>Accept all</button><button>Reject all</button></div><div class="main"><h1>After the banner</h1>`)
		l.ps(6)
		l.out(`</div>`)
		l.bottom()
	}},
	{"JSON-LD beside the text", english, func(l *labelled) {
		l.out(`<html><head><title>Twice given</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"NewsArticle","headline":"Twice given","articleBody":"%s"}</script></head><body><div class="x1"><div class="x2"><h1>Twice given</h1>`, l.say(4))
		l.ps(7)
		l.out(`</div>`)
		l.cards("x3", 3)
		l.out(`</div></body></html>`)
	}},
	{"second article below", english, func(l *labelled) {
		l.top("The first of two")
		l.out(`<main id="scroll"><article data-url="/1"><h1>The first of two</h1>`)
		l.ps(7)
		l.out(`</article><div class="separator">Next story</div><article data-url="/2"><h1>%s</h1>`, l.some(5))
		for range 6 {
			l.out(`<p>%s</p>`, l.say(3))
		}
		l.out(`</article></main>`)
		l.bottom()
	}},
	{"long author bio", english, func(l *labelled) {
		l.top("By an author")
		l.out(`<article><h1>By an author</h1><div class="content">`)
		l.ps(6)
		l.out(`</div><div class="author-bio"><img src="/a.jpg" alt=""><h4>About the author</h4><p>%s</p><p>%s <a href="/a">All articles</a></p></div></article>`, l.say(3), l.say(2))
		l.bottom()
	}},
	{"tag lists", english, func(l *labelled) {
		l.top("Many tags")
		l.out(`<article><h1>Many tags</h1><ul class="tag-list">`)
		for range 12 {
			l.out(`<li><a href="/t/%d">%s</a></li>`, l.r.IntN(99), l.some(1))
		}
		l.out(`</ul>`)
		l.ps(6)
		l.out(`<div class="topics"><span>Filed under</span>`)
		l.links(8)
		l.out(`</div></article>`)
		l.bottom()
	}},
	{"share buttons around the text", english, func(l *labelled) {
		share := `<div class="share-bar"><span>Share</span><a href="#f">Share on Facebook</a><a href="#m">Share on Mastodon</a><a href="#e">Send by email</a><button>Copy link</button></div>`
		l.top("Shared")
		l.out(`<div class="post"><h1>Shared</h1>%s<div class="post-text">`, share)
		l.ps(3)
		l.out("%s", share)
		l.ps(3)
		l.out(`</div>%s</div>`, share)
		l.bottom()
	}},
	{"footnotes", english, func(l *labelled) {
		l.top("Notes below")
		l.out(`<article><h1>Notes below</h1>`)
		for i := range 5 {
			l.in(`<p>%s <sup><a href="#fn%d">%d</a></sup> %s</p>`, l.say(2), i+1, i+1, l.say(2))
		}
		l.in(`<hr><ol class="footnotes">`)
		for i := range 5 {
			l.in(`<li id="fn%d">%s</li>`, i+1, l.say(1))
		}
		l.in(`</ol>`)
		l.out(`</article>`)
		l.bottom()
	}},
	{"code with line numbers", english, func(l *labelled) {
		l.top("Counting lines")
		l.out(`<article class="post"><h1>Counting lines</h1>`)
		for range 3 {
			l.ps(2)
			l.out(`<table class="highlighttable"><tr><td class="linenos"><pre>1&#10;2&#10;3&#10;4</pre></td><td class="code">`)
			l.in("<pre><span class=\"k\">func</span> %s {\n\t<span class=\"k\">return</span> %s\n}\n</pre>", l.some(2), l.some(4))
			l.out(`</td></tr></table>`)
		}
		l.ps(2)
		l.out(`</article>`)
		l.bottom()
	}},
	{"hero and standfirst", english, func(l *labelled) {
		l.top("Above the fold")
		l.out(`<div class="hero"><div class="hero__image"><img src="/h.jpg" alt=""></div><div class="kicker"><a href="/k">Long reads</a></div><h1>Above the fold</h1>`)
		l.in(`<p class="standfirst">%s</p>`, l.say(2))
		l.out(`<div class="by">By <a href="/u">Jane Reed</a> · 12 min read</div></div><div class="body">`)
		l.ps(8)
		l.out(`</div>`)
		l.cards("read-next", 3)
		l.bottom()
	}},
	{"pictures with captions", english, func(l *labelled) {
		l.top("In pictures")
		l.out(`<article class="gallery"><h1>In pictures</h1>`)
		l.ps(1)
		for range 9 {
			l.figure(`<img src="/b.jpg" alt="">`)
		}
		l.out(`</article>`)
		l.bottom()
	}},
	{"interview", english, func(l *labelled) {
		l.top("Ten questions")
		l.out(`<article><h1>Ten questions</h1>`)
		l.ps(1)
		for range 8 {
			l.in(`<p><strong>%s?</strong></p><p>%s</p>`, l.some(8), l.say(3))
		}
		l.out(`</article>`)
		l.bottom()
	}},
	{"press release", english, func(l *labelled) {
		l.top("A new mill")
		l.out(`<div class="release"><h1>A new mill</h1><div class="release-body">`)
		l.ps(5)
		l.in(`<h3>About the mill</h3><p>%s</p>`, l.say(3))
		l.in(`<h3>Contact</h3><p>Ada Moor, press office, telephone 555 0101</p>`)
		l.out(`</div><div class="downloads"><a href="/a.pdf">Download as PDF</a></div></div>`)
		l.bottom()
	}},
	{"encyclopaedia", english, func(l *labelled) {
		l.out(`<html><head><title>Reed - Encyclopaedia</title></head><body class="mediawiki"><div id="content"><h1 id="firstHeading">Reed</h1><div id="bodyContent"><div class="mw-parser-output"><table class="infobox"><tr><th>Family</th><td>%s</td></tr><tr><th>Height</th><td>3 metres</td></tr></table>`, l.some(2))
		l.ps(2)
		l.out(`<div id="toc" class="toc"><h2>Contents</h2>`)
		l.links(5)
		l.out(`</div>`)
		for range 4 {
			l.in(`<h2><span>%s</span></h2>`, l.some(2))
			l.ps(2)
		}
		l.out(`</div></div></div><div id="mw-navigation">`)
		l.links(25)
		l.out(`</div></body></html>`)
	}},
	{"short paragraphs with advertisements", english, func(l *labelled) {
		l.top("Short and loud")
		l.out(`<div id="main"><h1>Short and loud</h1><div itemprop="articleBody">`)
		for i := range 18 {
			l.in(`<p>%s</p>`, l.say(1))
			if i%4 == 3 {
				l.out(`<div class="ad-slot"><span>Advertisement</span><div id="gpt-%d"></div></div>`, i)
			}
		}
		l.out(`</div></div>`)
		l.bottom()
	}},
	{"poem", english, func(l *labelled) {
		l.top("Reeds")
		l.out(`<article><h1>Reeds</h1><div class="poem">`)
		for range 7 {
			l.in(`<p>%s<br>%s<br>%s<br>%s</p>`, l.some(6), l.some(6), l.some(6), l.some(6))
		}
		l.out(`</div></article>`)
		l.bottom()
	}},
	{"questions in a list of terms", english, func(l *labelled) {
		l.top("Asked often")
		l.out(`<main><h1>Asked often</h1>`)
		l.ps(1)
		l.in(`<dl>`)
		for range 8 {
			l.in(`<dt>%s?</dt><dd>%s</dd>`, l.some(7), l.say(2))
		}
		l.in(`</dl>`)
		l.out(`</main>`)
		l.bottom()
	}},
	{"questions that fold", english, func(l *labelled) {
		l.top("Folded")
		l.out(`<main><h1>Folded</h1>`)
		l.ps(2)
		for range 7 {
			l.in(`<details><summary>%s?</summary><p>%s</p></details>`, l.some(7), l.say(3))
		}
		l.out(`</main>`)
		l.bottom()
	}},
	{"classes made by a program", english, func(l *labelled) {
		l.out(`<html><head><title>Hashed</title></head><body><div id="root"><div class="a b"><div class="c"><a href="/">Home</a><button>Sign in</button><button>Get started</button></div><div class="d e"><section class="f"><h1 class="g h">Hashed</h1><div class="i"><a href="/@x">Jane Reed</a><button>Follow</button><span>5 min read</span></div>`)
		for range 7 {
			l.in(`<p class="pw-x j k">%s</p>`, l.say(3))
		}
		l.out(`</section></div><div class="l"><button>1.2K</button><button>31</button></div><div class="m"><h2>More from Jane Reed</h2>`)
		l.cards("n", 4)
		l.out(`</div></div></div></body></html>`)
	}},
	{"letter with subscribe buttons", english, func(l *labelled) {
		widget := `<div class="subscription-widget-wrap"><div class="subscription-widget"><div class="preamble"><p>Thanks for reading! Subscribe for free to receive new posts and support my work.</p></div><form><input type="email"><button>Subscribe</button></form></div></div>`
		l.top("Letter 14")
		l.out(`<article class="post"><h1 class="post-title">Letter 14</h1><div class="available-content"><div class="body markup">`)
		l.ps(3)
		l.out("%s", widget)
		l.ps(3)
		l.in(`<h2>%s</h2>`, l.some(3))
		l.ps(2)
		l.out(`%s<p class="button-wrapper"><a class="button primary" href="/s">Share</a></p></div></div></article><div class="post-footer"><a href="#">12 Likes</a></div>`, widget)
		l.bottom()
	}},
	{"transcript", english, func(l *labelled) {
		l.top("Episode 9")
		l.out(`<div class="episode"><h1>Episode 9</h1><div class="player"><audio src="/a.mp3"></audio><a href="/a.mp3">Download</a> <a href="#">Apple</a> <a href="#">Overcast</a></div>`)
		l.ps(1)
		l.in(`<h2>Transcript</h2>`)
		for i := range 12 {
			l.in(`<p><b>%s:</b> %s</p>`, []string{"ADA", "JANE"}[i%2], l.say(2))
		}
		l.out(`</div>`)
		l.bottom()
	}},
	{"little text, many teasers", english, func(l *labelled) {
		l.top("A short note")
		l.out(`<div class="cols"><div class="left"><article class="note"><h1>A short note</h1>`)
		l.ps(4)
		l.out(`</article></div><div class="right">`)
		l.cards("latest", 9)
		l.out(`</div></div>`)
		l.bottom()
	}},
	{"text in spans", english, func(l *labelled) {
		l.out(`<html><head><title>Drafted</title></head><body><div class="app"><header>`)
		l.links(5)
		l.out(`</header><div class="longform"><div class="title"><span>Drafted</span></div><div data-contents="true">`)
		for i := range 7 {
			l.in(`<div data-block="true" data-key="%d"><div class="style-block"><span data-text="true">%s</span></div></div>`, i, l.say(3))
		}
		l.out(`</div></div></div></body></html>`)
	}},
	{"hidden text", english, func(l *labelled) {
		l.top("Partly unseen")
		l.out(`<article><h1>Partly unseen</h1>`)
		for range 3 {
			l.ps(1)
			l.out(`<p style="display:none">%s</p>`, l.say(2))
			l.ps(1)
			l.out(`<div hidden><p>%s</p></div>`, l.say(2))
			l.out(`<p aria-hidden="true" style="visibility: hidden">%s</p>`, l.say(1))
		}
		l.ps(1)
		l.out(`</article>`)
		l.bottom()
	}},
	{"columns in the wrong order", english, func(l *labelled) {
		l.top("Out of order")
		l.out(`<div class="row"><div class="col-4"><h3>About this site</h3><p>%s</p><h3>Archive</h3>`, l.say(3))
		l.links(14)
		l.out(`</div><div class="col-8"><h2>Out of order</h2><div class="date">Sunday</div>`)
		l.ps(6)
		l.out(`<p class="posted">Posted by Jane at 10:14 | <a href="#">Permalink</a> | <a href="#">4 comments</a></p></div></div>`)
		l.bottom()
	}},
	{"comparison in tables", english, func(l *labelled) {
		l.top("Nine lamps")
		l.out(`<article><h1>Nine lamps</h1>`)
		l.ps(2)
		l.in(`<table><caption>%s</caption><thead><tr><th>Lamp</th><th>Light</th><th>Price</th></tr></thead><tbody>`, l.some(5))
		for range 9 {
			l.in(`<tr><td>%s</td><td>%d lumens</td><td>%d crowns</td></tr>`, l.some(2), l.r.IntN(900), l.r.IntN(90))
		}
		l.in(`</tbody></table>`)
		l.ps(3)
		l.out(`</article>`)
		l.bottom()
	}},
	{"parts of a series", english, func(l *labelled) {
		l.top("The mill, part two")
		l.out(`<article class="h-entry"><header><h1>The mill, part two</h1><p class="meta">Published on <time>2026-05-03</time> in <a href="/c">Mills</a></p></header><div class="e-content"><div class="series-box"><p>This is part two of a series:</p>`)
		l.links(4)
		l.out(`</div>`)
		l.ps(3)
		l.in(`<h3>%s</h3>`, l.some(4))
		l.ps(2)
		l.in(`<ol><li>%s</li><li>%s<ul><li>%s</li><li>%s</li></ul></li></ol>`, l.say(1), l.say(1), l.say(1), l.say(1))
		l.ps(2)
		l.out(`</div><nav class="post-navigation"><a href="/p">%s</a><a href="/n">%s</a></nav></article>`, l.some(5), l.some(5))
		l.bottom()
	}},
}

// TestNextArticles: of a page that goes on with other articles the first is kept, of one that
// lists articles all are.
func TestNextArticles(t *testing.T) {
	article := func(h string) string {
		return "<article><h1>" + h + "</h1><h1>twice</h1><p>" + strings.Repeat(prose, 3) + "</p><p>" + h + " ends. " + strings.Repeat(prose, 3) + "</p></article>"
	}
	for title, want := range map[string]bool{"Ash | Reed": false, "Reed": true} {
		page := "<html><head><title>" + title + "</title></head><body><h1>Reed</h1><main>" + article("Ash") + article("Birch") + article("Cedar") + "</main></body></html>"
		a, why := Extract(Page{URL: "https://reed.example/", Status: 200, ContentType: "text/html", Body: []byte(page)})
		if got := strings.Contains(a.HTML, "Cedar ends"); why != None || got != want || !strings.Contains(a.HTML, "Ash ends") {
			t.Errorf("title %q: the last article is there: %v, want %v (%v)", title, got, want, why)
		}
	}
}

// shinglesOf counts the runs of four tokens: words, and characters of scripts without
// spaces.
func shinglesOf(text string) map[string]int {
	tokens := regexp.MustCompile(`[\p{Han}\p{Hiragana}\p{Katakana}]|[\p{L}\p{M}\p{N}_]+`).FindAllString(text, -1)
	m := map[string]int{}
	for i := range max(len(tokens)-3, 0) {
		m[strings.Join(tokens[i:i+4], " ")]++
	}
	return m
}

// textOf is what a browser would show of HTML, with blocks apart.
func textOf(n *tree.Node) string {
	switch {
	case n.Type == tree.TextNode:
		return n.Data
	case n.Type == tree.ElementNode && (n.Data == "script" || n.Data == "style" || n.Data == "noscript"):
		return ""
	}
	var b strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		b.WriteString(textOf(c))
	}
	switch n.Data {
	case "a", "b", "strong", "i", "em", "code", "span":
		return b.String()
	}
	return " " + b.String() + " "
}

// TestExtraction holds extraction, through the sanitiser, to the labels of made-up pages of
// many shapes: per page precision and recall of runs of four tokens, and F1 of their means,
// as the benchmark of articles that others use computes it.
func TestExtraction(t *testing.T) {
	var precision, recall float64
	for i, shape := range shapes {
		l := &labelled{r: rand.New(rand.NewPCG(17, uint64(i))), words: strings.Fields(shape.words), japanese: shape.words == japanese}
		shape.write(l)
		a, why := Extract(Page{URL: "https://reed.example/a/1", Status: 200, ContentType: "text/html; charset=utf-8", Body: []byte(l.html.String())})
		doc, err := tree.Parse(strings.NewReader(a.HTML))
		if err != nil {
			t.Fatal(err)
		}
		want, got := shinglesOf(l.want.String()), shinglesOf(textOf(doc))
		both, extra, missing := 0, 0, 0
		for k, n := range got {
			both, extra = both+min(n, want[k]), extra+max(n-want[k], 0)
		}
		for k, n := range want {
			missing += max(n-got[k], 0)
		}
		p, r := float64(both)/float64(max(both+extra, 1)), float64(both)/float64(max(both+missing, 1))
		t.Logf("%-37s %4d words: precision %.3f, recall %.3f, F1 %.3f %s", shape.name, len(strings.Fields(l.want.String())), p, r, 2*p*r/max(p+r, 1e-9), why)
		precision, recall = precision+p, recall+r
		if testing.Verbose() && (p < .95 || r < .95) {
			differences(t, want, got)
		}
	}
	n := float64(len(shapes))
	precision, recall = precision/n, recall/n
	f1 := 2 * precision * recall / (precision + recall)
	t.Logf("%d pages: precision %.3f, recall %.3f, F1 %.3f", len(shapes), precision, recall, f1)
	if f1 < .947 {
		t.Errorf("F1 is %.3f, want .947 at least", f1)
	}
}

// differences prints some runs that are in one alone.
func differences(t *testing.T, want, got map[string]int) {
	t.Helper()
	for _, side := range []struct {
		what string
		a, b map[string]int
	}{{"missing", want, got}, {"too much", got, want}} {
		shown := 0
		for k, n := range side.a {
			if n > side.b[k] && shown < 6 {
				t.Logf("    %s: %s", side.what, k)
				shown++
			}
		}
	}
}
