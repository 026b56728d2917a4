package store

import (
	"context"
	"fmt"
	"time"

	"diurna/store/db"
	"diurna/store/salvage"
)

// Salvaged reads what is left of the library file at path. It may be the library
// itself, or one that was set aside; of a file that is no library nothing is
// left. Every page is read: a second for some 200 MB. Only a file that is not
// there or cannot be read at all is an error.
func (s *Store) Salvaged(ctx context.Context, path string) (Salvaged, error) {
	g, err := salvage.Read(ctx, path)
	if err != nil {
		return Salvaged{}, db.Translate(err)
	}
	left, _ := g.Count(nil)
	return left, nil
}

// Lost compares the file at path, which a restore has replaced or which was set
// aside before, with the library as it is now, fact by fact.
func (s *Store) Lost(ctx context.Context, path string) (Lost, error) {
	g, err := salvage.Read(ctx, path)
	if err != nil {
		return Lost{}, db.Translate(err)
	}
	var have []int64
	var until time.Time
	_, err = s.Facts(ctx, 0, func(f *Fact) error {
		have, until = append(have, f.At.UnixMilli()), f.At
		return nil
	})
	if err != nil {
		return Lost{}, fmt.Errorf("read the library: %w", err)
	}
	_, lost := g.Count(have)
	lost.Until = until
	return lost, nil
}
