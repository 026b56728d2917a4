package demo

import (
	"encoding/json"
	"fmt"
	"html"
	"strings"
	"time"
)

//go:noinline // 40 places
func escape(s string) string { return html.EscapeString(s) }

// rss writes RSS 2.0 with whole articles.
func (p *publication) rss(list []post) string {
	site, _ := p.site()
	var b strings.Builder
	fmt.Fprintf(&b, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<rss version=\"2.0\" xmlns:content=\"http://purl.org/rss/1.0/modules/content/\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\n<channel>\n<title>%s</title>\n<link>%s</link>\n<description>%s</description>\n",
		escape(p.title), site, escape(p.about))
	if p.lang != "" {
		fmt.Fprintf(&b, "<language>%s</language>\n", p.lang)
	}
	for i := range list {
		it := &list[i]
		fmt.Fprintf(&b, "<item>\n<title>%s</title>\n<link>%s</link>\n<guid isPermaLink=\"false\">%s</guid>\n<pubDate>%s</pubDate>\n",
			escape(it.title), it.link, it.id, it.at.Format(time.RFC1123Z))
		if p.author != "" {
			fmt.Fprintf(&b, "<dc:creator>%s</dc:creator>\n", escape(p.author))
		}
		for _, t := range it.tags {
			fmt.Fprintf(&b, "<category>%s</category>\n", escape(t))
		}
		fmt.Fprintf(&b, "<content:encoded><![CDATA[%s]]></content:encoded>\n</item>\n", it.html)
	}
	b.WriteString("</channel>\n</rss>\n")
	return b.String()
}

// rdf writes RSS 1.0.
func (p *publication) rdf(list []post) string {
	site, _ := p.site()
	var b, seq strings.Builder
	for i := range list {
		it := &list[i]
		fmt.Fprintf(&seq, "<rdf:li rdf:resource=\"%s\"/>\n", it.link)
		fmt.Fprintf(&b, "<item rdf:about=\"%s\">\n<title>%s</title>\n<link>%s</link>\n<dc:date>%s</dc:date>\n<dc:creator>%s</dc:creator>\n<dc:identifier>%s</dc:identifier>\n<description>%s</description>\n</item>\n",
			it.link, escape(it.title), it.link, it.at.Format(time.RFC3339), escape(p.author), it.id, escape(it.html))
	}
	return fmt.Sprintf("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<rdf:RDF xmlns=\"http://purl.org/rss/1.0/\" xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\n<channel rdf:about=\"%s\">\n<title>%s</title>\n<link>%s</link>\n<description>%s</description>\n<items><rdf:Seq>\n%s</rdf:Seq></items>\n</channel>\n%s</rdf:RDF>\n",
		p.url, escape(p.title), site, escape(p.about), seq.String(), b.String())
}

// atom writes Atom 1.0.
func (p *publication) atom(list []post) string {
	site, host := p.site()
	var b strings.Builder
	updated := time.Unix(0, 0).UTC()
	if len(list) > 0 {
		updated = list[0].updated
	}
	fmt.Fprintf(&b, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n<id>tag:%s,2026:feed</id>\n<title>%s</title>\n<subtitle>%s</subtitle>\n<link href=\"%s\"/>\n<link rel=\"self\" href=\"%s\"/>\n<updated>%s</updated>\n<author><name>%s</name></author>\n",
		host, escape(p.title), escape(p.about), site, p.url, updated.Format(time.RFC3339), escape(p.author))
	for i := range list {
		it := &list[i]
		fmt.Fprintf(&b, "<entry>\n<id>%s</id>\n<title>%s</title>\n<link href=\"%s\"/>\n<published>%s</published>\n<updated>%s</updated>\n",
			it.id, escape(it.title), it.link, it.at.Format(time.RFC3339), it.updated.Format(time.RFC3339))
		for _, t := range it.tags {
			fmt.Fprintf(&b, "<category term=\"%s\"/>\n", escape(t))
		}
		fmt.Fprintf(&b, "<content type=\"html\">%s</content>\n</entry>\n", escape(it.html))
	}
	b.WriteString("</feed>\n")
	return b.String()
}

// jsonFeed writes JSON Feed 1.1.
func (p *publication) jsonFeed(list []post) string {
	type author struct {
		Name string `json:"name"`
	}
	type attachment struct {
		URL  string `json:"url"`
		Type string `json:"mime_type"`
		Size int    `json:"size_in_bytes"`
	}
	type item struct {
		ID          string       `json:"id"`
		URL         string       `json:"url"`
		Title       string       `json:"title,omitempty"`
		HTML        string       `json:"content_html"`
		Published   string       `json:"date_published"`
		Modified    string       `json:"date_modified,omitempty"`
		Tags        []string     `json:"tags,omitempty"`
		Attachments []attachment `json:"attachments,omitempty"`
	}
	site, _ := p.site()
	doc := struct {
		Version string   `json:"version"`
		Title   string   `json:"title"`
		About   string   `json:"description"`
		Home    string   `json:"home_page_url"`
		URL     string   `json:"feed_url"`
		Authors []author `json:"authors"`
		Items   []item   `json:"items"`
	}{"https://jsonfeed.org/version/1.1", p.title, p.about, site, p.url, []author{{p.author}}, []item{}}
	for i := range list {
		it := &list[i]
		j := item{ID: it.id, URL: it.link, Title: it.title, HTML: it.html, Published: it.at.Format(time.RFC3339), Tags: it.tags}
		if !it.updated.Equal(it.at) {
			j.Modified = it.updated.Format(time.RFC3339)
		}
		if it.sound != "" {
			j.Attachments = []attachment{{it.sound, "audio/ogg", it.length}}
		}
		doc.Items = append(doc.Items, j)
	}
	b, err := json.MarshalIndent(doc, "", " ")
	if err != nil {
		panic(err) // strings and numbers only
	}
	return string(b) + "\n"
}
