package stories

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"diurna/reader/model"
	"diurna/store"
)

// Field is the value of the library that holds the items of the stories that were taken
// apart, by their short ids.
const Field = "apart"

// maxApart bounds the items in it; those of the oldest stories go.
const maxApart = 2000

func apartIDs(value string) map[store.ItemID]bool {
	out := map[store.ItemID]bool{}
	for s := range strings.FieldsSeq(value) {
		if id, ok := store.ParseItemID(s); ok {
			out[id] = true
		}
	}
	return out
}

// TakeApart keeps the items of a story apart from now on, as one step.
func (k *Keeper) TakeApart(ctx context.Context, id store.ItemID) (model.Done, error) {
	g, err := k.Groups(ctx)
	if err != nil {
		return model.Done{}, err
	}
	story := g.Of(id)
	if len(story) < 2 {
		return model.Done{}, &model.UserError{Sentence: fmt.Sprintf("%s is in no group", id), Kind: model.ErrNotFound}
	}
	for try := 0; ; try++ {
		value, err := k.lib.Meta(ctx, Field)
		if err != nil && !errors.Is(err, store.ErrUnknown) {
			return model.Done{}, fmt.Errorf("read the stories taken apart: %w", err)
		}
		was := string(value)
		list := strings.Fields(was)
		for _, m := range story {
			list = append(list, m.ID.String())
		}
		list = list[max(0, len(list)-maxApart):]
		d, err := k.lib.Act(ctx, k.now(), fmt.Sprintf("took apart a group of %d items", len(story)),
			store.Change{Kind: store.Adjusted, Field: Field, Value: strings.Join(list, " "), Was: &was})
		switch {
		case errors.Is(err, store.ErrStale) && try < 10:
			continue
		case err != nil:
			return model.Done{}, fmt.Errorf("keep the group apart: %w", err)
		}
		return model.Done{Step: d.Step, Changed: len(story)}, nil
	}
}
