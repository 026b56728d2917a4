package discover

import "testing"

func TestKnownFeedsNeedNoRequest(t *testing.T) {
	for _, c := range []struct{ address, want string }{
		{"https://www.youtube.com/channel/UC12/videos", "https://www.youtube.com/feeds/videos.xml?channel_id=UC12"},
		{"https://youtube.com/playlist?list=PL9", "https://www.youtube.com/feeds/videos.xml?playlist_id=PL9"},
		{"https://www.youtube.com/@handle", ""},
		{"https://github.com/some/tool", "https://github.com/some/tool/releases.atom"},
		{"https://github.com/some/tool.git", "https://github.com/some/tool/releases.atom"},
		{"https://github.com/some", ""},
		{"https://github.com/some/tool/commits.atom", ""},
		{"https://gitlab.com/some/tool", "https://gitlab.com/some/tool/-/releases.atom"},
		{"https://old.reddit.com/r/golang/", "https://www.reddit.com/r/golang/.rss"},
		{"https://mastodon.example/@ann", "https://mastodon.example/@ann.rss"},
		{"https://mastodon.example/@ann.rss", ""},
		{"https://mastodon.example/@ann/123", ""},
		{"https://words.substack.com", "https://words.substack.com/feed"},
		{"https://harbour.example/", ""},
	} {
		got := ""
		if f := knownFeeds(c.address); len(f) > 0 {
			got = f[0].URL
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.address, got, c.want)
		}
	}
}
