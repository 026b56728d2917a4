package watch

import "time"

// LaterNote is what is remembered of an address, with its times d later and in zone:
// see store.Later.
func LaterNote(note []byte, d time.Duration, zone *time.Location) ([]byte, error) {
	n, err := decodeNote(note)
	if err != nil {
		return nil, err
	}
	for _, at := range []*time.Time{&n.LastFetch, &n.NotBefore} {
		if !at.IsZero() {
			*at = at.Add(d).In(zone)
		}
	}
	for i := range n.Seen {
		n.Seen[i].At = n.Seen[i].At.Add(d).In(zone)
	}
	return n.encode()
}
