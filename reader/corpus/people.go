package corpus

import (
	"strings"

	"diurna/reader/feed"
)

// people finds who made something and what it was filed under.
func (v view) people(name string) (any, error) {
	switch name {
	case "tags", "categories":
		return v.tags(), nil
	case "category":
		for _, t := range v.tags() {
			return t.(dict)["term"], nil
		}
		return nil, errRaise
	case "authors", "contributors", "publishers":
		all := list{}
		for _, n := range v.all(strings.TrimSuffix(name, "s")) {
			all = append(all, person(n))
		}
		return all, nil
	}
	if v.item != nil && !v.part && name == "author" && v.find("author") == nil {
		if v.item.Author != "" {
			return v.item.Author, nil
		}
		return nil, errRaise
	}
	n := v.find(name)
	if n == nil {
		return nil, errRaise
	}
	if len(n.Nodes) == 0 {
		return n.Text, nil
	}
	d := person(n)
	who, mail := d["name"], d["email"]
	switch {
	case who == nil && mail == nil:
		return n.Text, nil
	case who == nil:
		return mail, nil
	case mail == nil:
		return who, nil
	}
	return who.(string) + " (" + mail.(string) + ")", nil
}

// all are the elements of the best of the names that is there.
func (v view) all(name string) []*feed.Node {
	for _, key := range strings.Fields(elements[name]) {
		var found []*feed.Node
		for i := range v.nodes {
			if v.nodes[i].Name == key {
				found = append(found, &v.nodes[i])
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// person is an element that names somebody, with what it says of them.
func person(n *feed.Node) dict {
	d := dict{}
	put := func(k, s string) {
		if s != "" && d[k] == nil {
			d[k] = s
		}
	}
	for _, in := range n.Nodes {
		switch in.Name[strings.IndexByte(in.Name, ':')+1:] {
		case "name":
			put("name", in.Text)
		case "email":
			put("email", in.Text)
		case "uri", "url", "homepage":
			put("href", in.URL)
		}
	}
	if len(n.Nodes) == 0 {
		who, mail := feed.Person(n.Text)
		put("name", who)
		put("email", mail)
	}
	return d
}

// itunes is the scheme that feedparser gives the categories of the podcast module.
const itunes = "http://www.itunes.com/"

// tags are categories in all their spellings.
func (v view) tags() list {
	all := list{}
	add := func(term, scheme, label string) {
		d := dict{"term": term, "scheme": nil, "label": nil}
		if scheme != "" {
			d["scheme"] = scheme
		}
		if label != "" {
			d["label"] = label
		}
		if term != "" {
			all = addOnce(all, d)
		}
	}
	for i := range v.nodes {
		n := &v.nodes[i]
		switch n.Name {
		case "category", "atom:category", "dc:subject", "media:category", "itunes:category", "keywords":
			term := n.Attrs["term"]
			if term == "" {
				term = n.Text
			}
			if n.Name == "itunes:category" {
				term, n.Attrs = n.Attrs["text"], map[string]string{"scheme": itunes}
			}
			scheme := n.Attrs["scheme"] + n.Attrs["domain"]
			if scheme == "" && n.Name == "media:category" {
				scheme = "http://search.yahoo.com/mrss/category_schema" // the module says so
			}
			add(term, scheme, n.Attrs["label"])
			for j := range n.Nodes {
				if s := n.Nodes[j].Attrs["text"]; s != "" {
					add(s, itunes, "")
				}
			}
		case "itunes:keywords", "media:keywords":
			for _, k := range strings.FieldsFunc(n.Text, func(r rune) bool { return r == ',' || n.Name == "itunes:keywords" && r == ' ' }) {
				scheme := ""
				if n.Name == "itunes:keywords" {
					scheme = itunes
				}
				add(strings.TrimSpace(k), scheme, "")
			}
		}
	}
	return all
}
