package interest

import (
	"fmt"
	"strconv"
	"strings"

	"diurna/ranking"
	"diurna/reader/model"
	"diurna/store"
)

// The settings of a feed that count as feedback: how it stands to Ranked, and whether it
// is read by its titles.
const (
	LearningField = model.SettingLearning
	ByTitlesField = model.SettingByTitles
)

// feedbackField marks the Trained facts whose word is feedback.
const feedbackField = "lesson"

// FromSearch in an Opened fact's field is no evidence.
const FromSearch = model.FromSearch

// imported tells by its first fact that an import made a step: its scope says so,
// or it begins with a subscription.
func imported(first *store.Fact) bool {
	return first.Kind == store.Subscribed || strings.HasPrefix(first.Scope, "import")
}

// feedbackWord writes feedback as the word of a Trained fact: tab-separated, the name
// quoted.
func feedbackWord(l *ranking.Feedback) string {
	return strings.Join([]string{strconv.Itoa(int(l.Act)), strconv.Itoa(int(l.Subject)), strconv.Quote(l.Name),
		strconv.FormatInt(l.Since, 10), strconv.FormatFloat(l.A, 'g', -1, 64), strconv.FormatFloat(l.B, 'g', -1, 64)}, "\t")
}

// feedbackFrom reads feedbackWord; ok is false for anything else, as by a newer program.
func feedbackFrom(word string) (l ranking.Feedback, ok bool) {
	parts := strings.Split(word, "\t")
	if len(parts) != 6 {
		return l, false
	}
	act, err1 := strconv.ParseUint(parts[0], 10, 8)
	subject, err2 := strconv.ParseUint(parts[1], 10, 8)
	name, err3 := strconv.Unquote(parts[2])
	since, err4 := strconv.ParseInt(parts[3], 10, 64)
	a, err5 := strconv.ParseFloat(parts[4], 64)
	b, err6 := strconv.ParseFloat(parts[5], 64)
	for _, err := range []error{err1, err2, err3, err4, err5, err6} {
		if err != nil {
			return l, false
		}
	}
	return ranking.Feedback{Act: ranking.Act(act), Subject: ranking.Subject(subject), Name: name, Since: since, A: a, B: b}, true
}

// feedbackOf gives the feedback of a fact, or of a changed setting.
func feedbackOf(d *signal) []ranking.Feedback {
	if d.kind == store.Trained {
		l, ok := feedbackFrom(d.word)
		if !ok || d.field != feedbackField {
			return nil
		}
		return []ranking.Feedback{l}
	}
	name := d.feed.String()
	act := func(a ranking.Act) ranking.Feedback {
		return ranking.Feedback{Act: a, Subject: ranking.Feed, Name: name}
	}
	if d.field == ByTitlesField {
		if d.word == "true" {
			return []ranking.Feedback{act(ranking.ByTitle)}
		}
		return []ranking.Feedback{act(ranking.ByText)}
	}
	out := []ranking.Feedback{act(ranking.Unpin), act(ranking.Include)}
	switch how, _ := model.ParseLearning(d.word); how {
	case model.Pinned:
		out = append(out, act(ranking.Pin))
	case model.Excluded:
		out = append(out, act(ranking.Exclude))
	}
	return out
}

// feedbackChange is feedback as an undoable change of the library.
func feedbackChange(l *ranking.Feedback, items ...store.ItemID) store.Change {
	return store.Change{Kind: store.Trained, Items: items, Field: feedbackField, Value: feedbackWord(l)}
}

// LearningWords says in words how a feed stands to what is learned.
func LearningWords(how string) string {
	switch how, _ := model.ParseLearning(how); how {
	case model.Pinned:
		return "pinned in Ranked"
	case model.Excluded:
		return "left out of learning"
	}
	return "neither pinned nor left out"
}

// FeedbackWords says in words what was taught: "more like word rye". A feed is
// called by its title, and so is an item.
func FeedbackWords(word string, feeds Titles) string {
	l, ok := feedbackFrom(word)
	if !ok {
		return "the evidence was changed"
	}
	what := l.Subject.String() + " " + l.Name
	if l.Subject == 0 {
		what = "this item" // of feedback from before its title was kept
		if l.Name != "" {
			what = strconv.Quote(l.Name)
		}
	}
	if id, ok := store.ParseFeedID(l.Name); ok && l.Subject == ranking.Feed {
		if title, ok := feeds(id); ok {
			what = l.Subject.String() + " " + title
		}
	}
	switch l.Act {
	case ranking.More:
		return "more like " + what
	case ranking.Less:
		return "less like " + what
	case ranking.Freeze:
		return "learning was switched off"
	case ranking.Thaw:
		return "learning was switched on"
	case ranking.Reset:
		return "what was learned was reset"
	case ranking.SetPairs:
		return fmt.Sprintf("evidence of %s set to %.4g opened, %.4g not", what, l.A, l.B)
	}
	return "the evidence was changed"
}
