package feed

// group is what elements are told apart by which say the same of an item, or of a
// feed: among those of one group their order counts, which gofeed keeps for those of
// one name only.
type group int

const (
	noGroup group = iota
	groupTitle
	groupLink
	groupAtomLink
	groupID
	groupIdentifier
	groupComments
	groupCategory
	groupFile
	groupSeconds
	groupAuthor
	groupPublished
	groupUpdated
	groupText
	groupShort
	groups
)

// groupOf is the group of an item's element; those of none are not read.
func groupOf(key string) group {
	switch key {
	case "title", "atom:title", "dc:title", "media:title", "itunes:title":
		return groupTitle
	case "link":
		return groupLink
	case "atom:link":
		return groupAtomLink
	case "guid", "id", "atom:id":
		return groupID
	case "dc:identifier":
		return groupIdentifier
	case "comments":
		return groupComments
	case "category", "dc:subject", "atom:category", "keywords", "itunes:keywords", "media:keywords", "media:category", "itunes:category":
		return groupCategory
	case "enclosure", "media:content", "media:player":
		return groupFile
	case "itunes:duration":
		return groupSeconds
	case "author", "atom:author", "dc:creator", "creator", "dc:author", "itunes:author", "managingeditor", "dc:contributor", "atom:source":
		return groupAuthor
	case "pubdate", "published", "issued", "atom:published", "atom:issued", "dcterms:issued", "dcterms:created", "created", "atom:created",
		"dc:date", "date", "dcterms:date":
		return groupPublished
	case "updated", "modified", "atom:updated", "atom:modified", "lastbuilddate", "dcterms:modified":
		return groupUpdated
	}
	switch rank := bodyRank(key); {
	case rank > 3:
		return groupText
	case rank > 0:
		return groupShort
	}
	return noGroup
}

// feedGroupOf is groupOf for elements of the feed itself.
func feedGroupOf(key string) group {
	switch key {
	case "title", "atom:title", "dc:title", "link", "atom:link":
		return groupOf(key)
	case "atom:author":
		return groupAuthor
	case "description", "subtitle", "tagline", "atom:subtitle", "atom:tagline":
		return groupText
	case "dc:description", "itunes:summary", "itunes:subtitle":
		return groupShort
	case "pubdate", "lastbuilddate", "updated", "modified", "atom:updated", "atom:modified", "dc:date":
		return groupUpdated // of which the latest counts
	case "logo", "icon", "atom:logo", "atom:icon", "itunes:image", "itunes:link", "image":
		return groupFile
	case "language", "dc:language":
		return groupCategory
	case "ttl", "skiphours", "skipdays", "sy:updateperiod", "sy:updatefrequency":
		return groupIdentifier
	}
	return noGroup
}

// single are the elements that gofeed has one place for, by the name it is written
// with; many those it keeps all of. What it keeps of them besides their text is
// named with them.
var (
	singleRSS = map[string]string{
		"title": "title", "description": "description", "author": "author", "comments": "comments", "pubdate": "pubDate", "guid": "guid",
		"content:encoded": "content:encoded",
	}
	singleChannel = map[string]string{
		"title": "title", "description": "description", "language": "language", "ttl": "ttl", "pubdate": "pubDate", "lastbuilddate": "lastBuildDate",
	}
	singleAtom = map[string]string{
		"atom:title": "title", "atom:id": "id", "atom:summary": "summary", "atom:updated": "updated", "atom:published": "published",
		"atom:content": "content",
	}
	singleAtomFeed = map[string]string{"atom:title": "title", "atom:subtitle": "subtitle", "atom:updated": "updated"}
	keptOf         = map[string]string{
		"link": "", "category": "", "enclosure": " url type length ", "atom:link": " href rel type ", "atom:category": " term label ",
		"guid": " ispermalink ",
	}
)

// inAttribute is where an element has its value which gofeed reads.
var inAttribute = map[string]string{"atom:category": "term", "atom:link": "href", "enclosure": "url"}
