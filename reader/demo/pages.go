package demo

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// watched is a web page without a feed, which the made-up reader watches. Its
// text follows from how many of its changes have come to pass.
type watched struct {
	url, title, folder string
	changes            []time.Duration // before today, oldest first
	last               time.Duration   // one more change, before home; 0: none
	text               func(version int) string
	closedFor          time.Duration // before today and until home: a notice stands in its place
}

const anHour = time.Hour

func hoursAgo(list ...int) []time.Duration {
	out := make([]time.Duration, len(list))
	for i, h := range list {
		out[i] = time.Duration(h) * anHour
	}
	return out
}

// watchedPages are the pages, none of them real.
func watchedPages() []watched {
	return []watched{
		{url: "https://pier.example/timetable", title: "Pier timetable", folder: "sea",
			changes: hoursAgo(26*24, 23*24, 20*24, 17*24, 13*24, 10*24, 7*24, 5*24, 3*24), last: 70 * time.Minute, text: timetable},
		{url: "https://townhall.example/hours", title: "Town hall: opening hours", changes: hoursAgo(12*24, 2*24), text: openingHours},
		{url: "https://observatory.example/nights", title: "Open nights at the observatory", folder: "science",
			changes: hoursAgo(19*24, 8*24), text: openNights, closedFor: 2 * 24 * anHour},
	}
}

// serve is the page as it stands at now; home is the present of the demo.
func (p *watched) serve(r *http.Request, now, home time.Time) answer {
	if p.closedFor > 0 && !now.After(home) && origin.Sub(now) < p.closedFor {
		return answer{status: http.StatusServiceUnavailable, kind: "text/html; charset=utf-8", body: "<h1>We are painting the dome.</h1>"}
	}
	version := 0
	for _, before := range p.changes {
		if origin.Sub(now) <= before {
			version++
		}
	}
	if p.last > 0 && home.Sub(now) <= p.last {
		version++
	}
	// The time it took to serve changes every time and is no news.
	took := seedOf(p.url, now, 3)%90 + 10
	body := "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + p.title + "</title></head>\n<body>\n" +
		p.text(version) + fmt.Sprintf("<footer><p>page served in 0.%02d s</p></footer>\n</body></html>\n", took)
	return answer{status: http.StatusOK, kind: "text/html; charset=utf-8", body: body}
}

// upTo is the last of a list that has come to pass by version.
func upTo(version int, list map[int]string) string {
	for v := version; v >= 0; v-- {
		if s, ok := list[v]; ok {
			return s
		}
	}
	return ""
}

func timetable(v int) string {
	var b strings.Builder
	days := upTo(v, map[int]string{0: "daily", 10: "Mon to Fri"})
	fare := upTo(v, map[int]string{0: "7.50 €", 3: "8 €", 10: "9.50 €"})
	b.WriteString("<h1>Timetable</h1>\n<h2>Weekdays</h2>\n<ul>\n")
	for i := range 40 {
		at := fmt.Sprintf("%02d:%02d", 6+i*17/60, i*17%60)
		switch {
		case i == 4:
			fmt.Fprintf(&b, "<li>07:10 Old Pier to Lighthouse %s</li>\n", days)
		case i == 9 && v < 10:
			fmt.Fprintf(&b, "<li>08:40 Old Pier to Lighthouse, %s</li>\n", fare)
		case i == 9:
			fmt.Fprintf(&b, "<li>08:40 Old Pier to Lighthouse Mon to Fri, %s</li>\n", fare)
		case i == 19 && v >= 10:
		case i == 19:
			b.WriteString("<li>11:20 Old Pier to Island and back</li>\n")
		default:
			fmt.Fprintf(&b, "<li>%s Old Pier to %s</li>\n", at, []string{"Town Quay", "Fish Market", "Island", "Lido"}[i%4])
		}
	}
	b.WriteString("</ul>\n<h2>Weekend</h2>\n<ul>\n")
	for i := range 24 {
		if i == 9 && v >= 10 {
			b.WriteString("<li>11:20 Old Pier to Island and back</li>\n")
		}
		fmt.Fprintf(&b, "<li>%02d:%02d Town Quay to %s, Saturday and Sunday</li>\n", 8+i*23/60, i*23%60, []string{"Island", "Lido", "Old Pier"}[i%3])
	}
	b.WriteString("</ul>\n<h2>Notices</h2>\n<p>")
	b.WriteString(upTo(v, map[int]string{
		0: "Summer timetable until 15 November.", 10: "Winter timetable from 16 November. The 06:30 does not run.",
	}))
	b.WriteString("</p>\n")
	for at, notice := range []string{
		1: "Bicycles travel on the upper deck from now on.", 2: "The waiting room at Fish Market is closed for painting.",
		4: "The waiting room at Fish Market has new benches.", 5: "Boat 3 is in the dock; boat 5 sails in its place, without a bar.",
		6: "Fog: the first boats may be late this week.", 7: "Boat 3 is back, with a bar.",
		8: "Lost in October: eleven umbrellas, one accordion. Ask at the kiosk.", 9: "The kiosk sells tickets for the lighthouse tower.",
	} {
		gone := at == 2 && v >= 4 || at == 5 && v >= 7 || at == 6 && v >= 8
		if notice != "" && v >= at && !gone {
			b.WriteString("<p>" + notice + "</p>\n")
		}
	}
	return b.String()
}

func openingHours(v int) string {
	return "<h1>Town hall</h1>\n<h2>Opening hours</h2>\n<table>\n<tr><td>Monday</td><td>9 to 12</td></tr>\n<tr><td>Tuesday</td><td>" +
		upTo(v, map[int]string{0: "9 to 12", 1: "9 to 12 and 14 to 17"}) + "</td></tr>\n<tr><td>Thursday</td><td>" +
		upTo(v, map[int]string{0: "14 to 18", 2: "14 to 19"}) + "</td></tr>\n</table>\n<h2>Counters</h2>\n<p>Permits, lost property and the key to the bell tower are on the ground floor.</p>\n" +
		"<p>The archive opens on the first Friday of the month.</p>\n"
}

func openNights(v int) string {
	return "<h1>Open nights</h1>\n<p>The dome opens at dusk when the sky is clear.</p>\n<ul>\n<li>" +
		upTo(v, map[int]string{0: "The rings of Saturn", 1: "The rings of Saturn, and its moons", 2: "Two comets at once"}) +
		"</li>\n<li>The Moon before its first quarter</li>\n</ul>\n<p>Bring a coat; the dome is not heated.</p>\n"
}

// watching is what the reader does with the pages: watches them from the first
// day, and looks at some of what changed.
func watching(first time.Time) []Moment {
	var list []Moment
	for i, p := range watchedPages() {
		list = append(list, Moment{At: first.Add(30*time.Minute + time.Duration(i)*time.Minute), Do: Watch, Feed: Subscription{URL: p.url, Title: p.title, Folder: p.folder}})
		for n, before := range p.changes {
			if at := origin.Add(-before).Add(26 * anHour); n%2 == 0 {
				list = append(list, Moment{At: at, Do: Open, In: p.title, Title: "changed:"})
			}
		}
	}
	return list
}
