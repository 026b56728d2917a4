package field

import (
	"slices"
	"strings"

	"diurna/reader/align"
)

// Replaced counts the pictures of b that stand in the place of one of a: the only one
// that differs among those which show the same, or among those which stand alike, as in
// a gallery. Quiet says that a picture in such a place is no news.
func Replaced(a, b []align.Picture, quiet func(name string, place uint64) bool) int {
	counted := map[string]bool{}
	was := byPlace(a)
	for place, names := range byPlace(b) {
		if name := onlyOther(was[place], names); name != "" && !quiet(name, place) {
			counted[name] = true
		}
	}
	return len(counted)
}

// OtherPictures lists the places where b shows other pictures than a.
func OtherPictures(a, b []align.Picture) (places []uint64) {
	was := byPlace(a)
	for place, names := range byPlace(b) {
		if len(names) == len(was[place]) && !slices.Equal(names, was[place]) {
			places = append(places, place)
		}
	}
	return places
}

// byPlace are the names of pictures by each of their places.
func byPlace(list []align.Picture) map[uint64][]string {
	out := map[uint64][]string{}
	for _, p := range list {
		for _, place := range p.Place {
			out[place] = append(out[place], p.Name)
		}
	}
	return out
}

// onlyOther returns the one name that differs between two lists of as many, "" if none
// or several do.
func onlyOther(was, names []string) string {
	if len(was) != len(names) {
		return ""
	}
	other := ""
	for i := range names {
		if was[i] == names[i] || samePicture(was[i], names[i]) {
			continue
		}
		if other != "" {
			return ""
		}
		other = names[i]
	}
	return other
}

// samePicture reports whether two addresses differ in tokens made by chance alone,
// which stand in the query to get a picture past a cache.
func samePicture(a, b string) bool {
	pathA, queryA, _ := strings.Cut(a, "?")
	pathB, queryB, _ := strings.Cut(b, "?")
	return pathA == pathB && token(queryA) && token(queryB)
}

// token reports whether a query is none, or one value that can be a token.
func token(query string) bool {
	_, value, _ := strings.Cut(query, "=")
	return query == "" || len(value) >= shortToken && !strings.ContainsFunc(value, notWord)
}
