package discover

import (
	"net/url"
	"strings"
)

// known is a place on the web whose feeds are where its pages say, by rule: no
// request is needed to find them.
type known struct {
	host  string // the host, or its ending where it begins with a dot; "": any
	feeds func(u *url.URL, path []string) []Candidate
}

// knownPlaces are asked in this order; the first that answers is taken.
var knownPlaces = []known{
	{"youtube.com", videoChannel},
	{"github.com", codeForge("/releases.atom", "/tags.atom", "/commits.atom")},
	{"gitlab.com", codeForge("/-/releases.atom", "/-/tags?format=atom", "/-/commits?format=atom")},
	{"codeberg.org", codeForge("/releases.rss", "/tags.rss", ".rss")},
	{"gitea.com", codeForge("/releases.rss", "/tags.rss", ".rss")},
	{"git.sr.ht", codeForge("/refs/rss.xml", "", "/log/rss.xml")},
	{"reddit.com", forum},
	{"medium.com", behind("/feed")},
	{"bsky.app", profile},
	{".substack.com", atRoot("/feed")},
	{".wordpress.com", atRoot("/feed/")},
	{".blogspot.com", atRoot("/feeds/posts/default")},
	{".tumblr.com", atRoot("/rss")},
	{"", fediverse},
}

// knownFeeds returns the feeds that an address of a known kind stands for.
func knownFeeds(address string) []Candidate {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	host := strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
	host = strings.TrimPrefix(strings.TrimPrefix(host, "m."), "old.")
	var path []string
	for _, s := range strings.Split(strings.Trim(u.EscapedPath(), "/"), "/") {
		if s != "" {
			path = append(path, s)
		}
	}
	for _, k := range knownPlaces {
		if k.host == "" || host == k.host || k.host[0] == '.' && strings.HasSuffix(host, k.host) {
			if found := k.feeds(u, path); found != nil {
				return found
			}
		}
	}
	return nil
}

func videoChannel(u *url.URL, path []string) []Candidate {
	const feed = "https://www.youtube.com/feeds/videos.xml?"
	switch {
	case len(path) >= 2 && path[0] == "channel" && strings.HasPrefix(path[1], "UC"):
		return []Candidate{{URL: feed + "channel_id=" + path[1], Title: "Videos"}}
	case len(path) >= 2 && path[0] == "user":
		return []Candidate{{URL: feed + "user=" + path[1], Title: "Videos"}}
	case len(path) == 1 && path[0] == "playlist" && u.Query().Get("list") != "":
		return []Candidate{{URL: feed + "playlist_id=" + url.QueryEscape(u.Query().Get("list")), Title: "Playlist"}}
	}
	return nil // a handle's page names its feed itself
}

// codeForge knows where a repository's releases, tags and commits are published.
//
//go:noinline // its closures are large
func codeForge(releases, tags, commits string) func(*url.URL, []string) []Candidate {
	return func(u *url.URL, path []string) []Candidate {
		if len(path) != 2 || strings.HasSuffix(path[1], ".atom") || strings.HasSuffix(path[1], ".rss") {
			return nil
		}
		repo := "https://" + u.Host + "/" + path[0] + "/" + strings.TrimSuffix(path[1], ".git")
		name := path[0] + "/" + strings.TrimSuffix(path[1], ".git")
		var found []Candidate
		for _, f := range []struct{ name, path string }{{"releases", releases}, {"tags", tags}, {"commits", commits}} {
			if f.path != "" {
				found = append(found, Candidate{URL: repo + f.path, Title: name + ": " + f.name})
			}
		}
		return found
	}
}

func forum(_ *url.URL, path []string) []Candidate {
	if len(path) == 2 && (path[0] == "r" || path[0] == "user" || path[0] == "u") {
		kind := strings.Replace(path[0], "user", "u", 1)
		return []Candidate{{URL: "https://www.reddit.com/" + path[0] + "/" + path[1] + "/.rss", Title: kind + "/" + path[1]}}
	}
	return nil
}

//go:noinline // its closures are large
func behind(prefix string) func(*url.URL, []string) []Candidate {
	return func(u *url.URL, path []string) []Candidate {
		if len(path) != 1 || !strings.HasPrefix(path[0], "@") {
			return nil
		}
		return []Candidate{{URL: "https://" + u.Host + prefix + "/" + path[0], Title: path[0]}}
	}
}

//go:noinline // its closures are large
func atRoot(feed string) func(*url.URL, []string) []Candidate {
	return func(u *url.URL, path []string) []Candidate {
		if len(path) != 0 {
			return nil
		}
		return []Candidate{{URL: "https://" + u.Host + feed, Title: u.Host}}
	}
}

func profile(u *url.URL, path []string) []Candidate {
	if len(path) == 2 && path[0] == "profile" {
		return []Candidate{{URL: "https://" + u.Host + "/profile/" + path[1] + "/rss", Title: path[1]}}
	}
	return nil
}

// fediverse: an account's page is host/@name on every Mastodon server.
func fediverse(u *url.URL, path []string) []Candidate {
	host := strings.ToLower(u.Hostname())
	if len(path) != 1 || !strings.HasPrefix(path[0], "@") || len(path[0]) < 2 ||
		strings.HasSuffix(path[0], ".rss") || strings.HasSuffix(host, "youtube.com") || strings.HasSuffix(host, "tiktok.com") {
		return nil
	}
	return []Candidate{{URL: "https://" + u.Host + "/" + path[0] + ".rss", Title: path[0] + "@" + u.Host}}
}
