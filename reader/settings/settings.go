// Package settings says what may be set of a feed, and in which form the library keeps
// it: Value makes of what was typed what is kept, Check only says what is wrong.
package settings

import (
	"fmt"
	"strings"
	"time"

	"diurna/reader/interest"
	"diurna/reader/model"
	"diurna/reader/plain"
	"diurna/reader/retention"
	"diurna/reader/watch"
	"diurna/reader/web"
)

// Check says what is wrong with a value for a setting; nil: nothing that is known
// without the library.
func Check(field, value string) error {
	if watch.IsSetting(field) {
		return watch.CheckSetting(field, value)
	}
	_, err := Value(field, value)
	return err
}

// Value is what was typed for a setting of a feed as the library keeps it; a
// secret in an address is still to be hidden.
func Value(field, value string) (string, error) {
	value = plain.Line(value, 4096)
	switch field {
	case "title", "hidden", "allow_private":
	case "url":
		address, _, err := web.Parse(value)
		return address, err
	case "interval":
		if every, err := time.ParseDuration(value); value != "" && (err != nil || every < model.MinInterval) {
			return "", fmt.Errorf("%q is not an interval of 15 minutes or more, such as 2h", value)
		}
	case interest.ByTitlesField, model.SettingFull:
		if value != "true" {
			value = ""
		}
	case model.SettingRetention:
		value = strings.ToLower(value)
		if _, err := retention.ParseAge(value); err != nil {
			return "", err
		}
	case interest.LearningField:
		if _, ok := model.ParseLearning(value); !ok {
			return "", fmt.Errorf("learning is %q, %q or nothing, not %q", model.Pinned, model.Excluded, value)
		}
	case "folder":
		var steps []string
		for step := range strings.SplitSeq(value, "/") {
			if step = strings.TrimSpace(step); step != "" {
				steps = append(steps, step)
			}
		}
		value = strings.Join(steps, "/")
	case "tags":
		value = model.TagLines(strings.FieldsFunc(value, func(c rune) bool { return c == ',' || c == ' ' }))
	default:
		return "", fmt.Errorf("a feed has no setting %q", field)
	}
	return value, nil
}

// Changed says that a setting was changed to a value, "" for its usual one.
func Changed(field, value string) string {
	field = strings.ReplaceAll(strings.TrimPrefix(field, watch.Attr+"."), "_", " ")
	if value == "" {
		return field + " cleared"
	}
	return fmt.Sprintf("%s changed to %q", field, plain.Redact(strings.ReplaceAll(value, "\n", ", "))) // tags are kept a line each
}
