package feed

import "testing"

// How long an episode plays is read in each format, by gofeed and without it.
func TestSeconds(t *testing.T) {
	for name, doc := range map[string]string{
		"podcast": `<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Radio</title><item><title>One</title><itunes:duration>1:02:03</itunes:duration><enclosure url="https://r.example/1.mp3" type="audio/mpeg" length="9"/></item></channel></rss>`,
		"media":   `<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>Radio</title><item><title>One</title><media:content url="https://r.example/1.mp4" type="video/mp4" duration="3723"/></item></channel></rss>`,
		"atom":    `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><title>Radio</title><id>x</id><entry><id>1</id><title>One</title><itunes:duration>62:03</itunes:duration><link rel="enclosure" type="audio/mpeg" href="https://r.example/1.mp3"/></entry></feed>`,
		"json":    `{"version":"https://jsonfeed.org/version/1.1","title":"Radio","items":[{"id":"1","title":"One","attachments":[{"url":"https://r.example/1.mp3","mime_type":"audio/mpeg","duration_in_seconds":3723}]}]}`,
	} {
		for _, scanOnly := range []bool{false, true} {
			p := parser{in: Input{Body: []byte(doc)}, maxItems: MaxItems, scanOnly: scanOnly}
			d, err := p.parse()
			if err != nil || len(d.Items) != 1 || len(d.Items[0].Enclosures) != 1 || d.Items[0].Enclosures[0].Seconds != 3723 {
				t.Errorf("%s, scanned: %v: %+v %v", name, scanOnly, d.Items, err)
			}
		}
	}
	for s, want := range map[string]int32{"": 0, "90": 90, " 1:30 ": 90, "01:30.9": 90, "0:01:30": 90, "-5": 0, "1:2:3:4": 0, "NaN": 0, "1e300": 0, "Inf": 0, "an hour": 0, "99999:00:00": 0} {
		if got := seconds(s); got != want {
			t.Errorf("%q are %d seconds, not %d", s, got, want)
		}
	}
}
