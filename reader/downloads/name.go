package downloads

import (
	"net/url"
	"path"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"diurna/reader/plain"
)

// Lengths of parts of a name, in bytes: a whole one has to fit in the 255 of a
// file system with ".version" behind it.
const (
	maxFeedName  = 60
	maxTitleName = 120
)

// name is where a file lies in the folder: FEED/DATE TITLE [ID].EXT. The id keeps
// titles that are alike apart; a second enclosure has its number behind it.
func (f *File) name() string {
	title := safe(f.Item.Title, maxTitleName)
	if title == "" {
		title = safe(f.Item.Lead, maxTitleName)
	}
	if !f.Item.Published.IsZero() {
		title = strings.TrimSpace(f.Item.Published.Local().Format("2006-01-02") + " " + title)
	}
	feed := safe(f.Item.Feed, maxFeedName)
	if feed == "" {
		feed = "feed"
	}
	return filepath.Join(feed, strings.TrimSpace(title+" ["+f.ID()+"]")+extension(f.Enclosure.URL, f.Enclosure.Type))
}

// safe makes a name of a stranger's words: one that no system takes for a path, a
// device, an option or a hidden file, in at most n bytes.
func safe(text string, n int) string {
	text = plain.Line(text, n)
	text = strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(`/\:*?"<>|`, r):
			return '-'
		case unicode.IsControl(r) || r == utf8.RuneError:
			return -1
		case unicode.IsSpace(r):
			return ' '
		}
		return r
	}, text)
	for len(text) > n {
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	text = strings.Trim(text, " .-~$")
	if device(text) {
		text = "feed " + text
	}
	return text
}

// device reports whether Windows takes a name for a device.
func device(name string) bool {
	name, _, _ = strings.Cut(strings.ToUpper(name), ".")
	switch name {
	case "CON", "PRN", "AUX", "NUL":
		return true
	}
	return len(name) == 4 && (strings.HasPrefix(name, "COM") || strings.HasPrefix(name, "LPT")) && name[3] >= '0' && name[3] <= '9'
}

// extensions are those of media; a file of another kind gets none, so that nothing
// a stranger sent is taken for a program.
var extensions = map[string]string{
	"audio/mpeg": ".mp3", "audio/mp3": ".mp3", "audio/mp4": ".m4a", "audio/x-m4a": ".m4a", "audio/aac": ".aac", "audio/ogg": ".ogg",
	"audio/opus": ".opus", "audio/flac": ".flac", "audio/wav": ".wav", "audio/x-wav": ".wav", "audio/webm": ".webm",
	"video/mp4": ".mp4", "video/x-m4v": ".m4v", "video/webm": ".webm", "video/ogg": ".ogv", "video/quicktime": ".mov", "video/x-matroska": ".mkv",
	"image/jpeg": ".jpg", "image/png": ".png", "image/gif": ".gif", "image/webp": ".webp",
	"application/pdf": ".pdf", "application/epub+zip": ".epub", "application/x-bittorrent": ".torrent", "text/vtt": ".vtt", "application/srt": ".srt",
}

// extension is that of the address if it is one of media, else that of the type.
func extension(address, kind string) string {
	if u, err := url.Parse(address); err == nil {
		ext := strings.ToLower(path.Ext(u.Path))
		for _, known := range extensions {
			if ext == known {
				return ext
			}
		}
	}
	kind, _, _ = strings.Cut(strings.ToLower(kind), ";")
	return extensions[strings.TrimSpace(kind)]
}

// Plays reports whether an enclosure is sound or film, which a player takes.
func Plays(address, kind string) bool {
	kind = strings.ToLower(kind)
	if strings.HasPrefix(kind, "audio/") || strings.HasPrefix(kind, "video/") {
		return true
	}
	for known, ext := range extensions {
		if (strings.HasPrefix(known, "audio/") || strings.HasPrefix(known, "video/")) && ext == extension(address, "") {
			return true
		}
	}
	return false
}
