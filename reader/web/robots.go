package web

import (
	"context"
	"net/url"
	"time"

	"github.com/temoto/robotstxt"

	"diurna/reader/fetch"
)

const (
	maxRobots     = 512 << 10        // bytes of a robots.txt that are read (RFC 9309, 2.5: at least 500 KiB)
	botName       = "diurna"         // in one
	maxCrawlDelay = 10 * time.Second // a longer one is slow
)

// Robots asks for the robots.txt of the host of u, and says in how many requests. The
// status is 599 if it cannot be had.
func (c *Client) Robots(ctx context.Context, u *url.URL, allowPrivate bool) (status int, text []byte, requests int) {
	res, err := c.Plain(ctx, fetch.Request{URL: u.Scheme + "://" + u.Host + "/robots.txt", AllowPrivate: allowPrivate, Accept: "text/plain"})
	if err != nil {
		return 599, nil, 1 + len(res.Hops)
	}
	return res.Status, res.Body[:min(len(res.Body), maxRobots)], 1 + len(res.Hops)
}

// MayFetch reports whether a robots.txt lets u be fetched: one that cannot be had
// forbids all for now (RFC 9309, 2.3.1.4), one that is not there forbids nothing. slow:
// it asks for more than ten seconds between two pages.
func MayFetch(status int, text []byte, u *url.URL) (may, slow bool) {
	rules, err := robotstxt.FromStatusAndBytes(status, text)
	if err != nil {
		return false, false
	}
	group := rules.FindGroup(botName)
	path := u.EscapedPath()
	if u.RawQuery != "" {
		path += "?" + u.RawQuery
	}
	return group.Test(path), group.CrawlDelay > maxCrawlDelay
}
