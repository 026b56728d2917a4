package pages

import (
	"context"
	"fmt"

	"diurna/reader"
	"diurna/reader/page"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/ui/cli/exit"
)

// ShowRevision prints what was served: as text, or with raw byte for byte.
func (s *Commands) ShowRevision(ctx context.Context, lib Library, name string, no int, raw bool) error {
	p, err := findPage(ctx, lib, name)
	if err != nil {
		return err
	}
	list, err := lib.Pages().Revisions(ctx, p.Key)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return exit.With(exit.Error, fmt.Errorf("no revision of %s is kept yet", p.Title), "diurna fetch "+p.Key.String()+" fetches it")
	}
	for i := range list {
		if no == 0 && !list[len(list)-1-i].Child {
			no = list[len(list)-1-i].No
		}
	}
	body, contentType, err := lib.Pages().RevisionRaw(ctx, p.Key, no)
	if err != nil {
		return exit.With(exit.CodeOf(err), err, "kept are "+revisionRange(list))
	}
	if raw {
		_, err := s.Out.Write(body)
		return err
	}
	text, charset := page.Decode(body, contentType)
	var of reader.Revision
	for _, rev := range list {
		if rev.No == no {
			of = rev
		}
	}
	if s.JSON {
		return s.PrintJSON(revisionJSON{p.Key.String(), of.No, wording.Moment{Time: of.At}, plain.Redact(of.Address), of.Bytes, charset, contentType, of.Reported, of.Score, plain.HTML(string(text), 0)})
	}
	a := reader.Article{Item: reader.Item{Title: fmt.Sprintf("%s, revision %d", p.Title, no), Feed: p.Title, Link: plain.Redact(of.Address), Published: of.At, FirstSeen: of.At},
		HTML: string(text), Base: of.Address}
	whole, err := page.Compare(nil, text, page.Options{}) // counted as watch counts them
	if err != nil {
		return err
	}
	a.Words = whole.Words.Added
	s.PrintArticle(&a)
	return nil
}

type revisionJSON struct {
	Page     string         `json:"page"`
	No       int            `json:"revision"`
	At       wording.Moment `json:"at"`
	Address  string         `json:"address"`
	Bytes    int            `json:"bytes"`
	Charset  string         `json:"charset"`
	Type     string         `json:"content_type"`
	Reported bool           `json:"reported"`
	Score    float64        `json:"score"`
	HTML     string         `json:"content_html"`
}

func revisionRange(list []reader.Revision) string {
	if len(list) == 0 {
		return "none"
	}
	return fmt.Sprintf("%s from %d to %d", wording.Plural(len(list), "revision"), list[0].No, list[len(list)-1].No)
}
