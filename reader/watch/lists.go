package watch

import (
	"strconv"
	"strings"

	"diurna/reader/model"
	"diurna/reader/plain"
	"diurna/reader/web"
)

// ListSettings says how watched pages stand in subscription lists.
type ListSettings struct{}

// Outline returns the settings of a page under the names they have in a list.
func (ListSettings) Outline(f *model.Feed) map[string]string {
	watch := map[string]string{}
	for name, attr := range pageFields {
		if v := f.Settings.Text(attr); v != "" {
			watch[outlineName(name)] = v
		}
	}
	if v := f.Settings.Text(model.SettingInterval); v != "" {
		watch["interval"] = v
	}
	return watch
}

func outlineName(field string) string { return strings.ReplaceAll(field, "_", "-") }

// Attrs are the settings that an outline brings, as far as they make sense.
func (ListSettings) Attrs(watch map[string]string) map[string]string {
	attrs := map[string]string{Attr: "yes"}
	for name, attr := range pageFields {
		if v, err := pageSetting(name, plain.Text(watch[outlineName(name)], 4096)); err == nil && v != "" {
			attrs[attr] = v
		}
	}
	if every := model.SettingsOf(watch).Interval; every > 0 {
		attrs["interval"] = every.String()
	}
	return attrs
}

// Key is what two entries share that watch the same part of a page.
func (ListSettings) Key(address string, s *model.Settings) string {
	if !s.Page.Watched {
		return ""
	}
	return "page " + web.Key(RequestAddress(address)) + "\n" + s.Text(attrSelect)
}

// Twin is the address under which the nth watch of one address is kept.
func (ListSettings) Twin(address string, n int) string { return address + watchMark + strconv.Itoa(n) }
