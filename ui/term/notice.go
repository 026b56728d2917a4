package term

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/ui/argv"
)

const (
	noticeWait = 10 * time.Second // a command that takes longer is ended
	noticeMost = 5                // of one round; the others stand in River all the same
	noticeLong = 300              // characters of one word for the command
)

// Notice says how a change of a watched page is reported besides its row: by the
// terminal's bell, by its notification (OSC 9), by a command of the user's own.
// The command is a list of words, never a shell's line; in them {page}, {what},
// {why}, {score}, {link} and {item} stand for what changed.
type Notice struct {
	Bell, Toast bool
	Command     []string
}

// Tell rings for the changes that a fetch brought, on the terminal behind w (nil
// for none) and through the user's own command.
func (n *Notice) Tell(ctx context.Context, w io.Writer, reported []reader.Notification) {
	for i := range reported {
		if i == noticeMost {
			break
		}
		if w != nil && n.Toast {
			fmt.Fprint(w, toast(reported[i].Page+": "+reported[i].What))
		}
		n.run(ctx, &reported[i])
	}
	if w != nil && n.Bell && len(reported) > 0 {
		fmt.Fprint(w, "\a")
	}
}

// maxToast bounds what is sent to the terminal in a notification, in cells.
const maxToast = 120

// Ring is what makes the terminal that a screen is drawn on ring for texts; "" for
// nothing. Of several the notification says how many, in the words of many. Nothing of
// a text gets out of the sequence it stands in: it is one plain line.
func (n *Notice) Ring(texts []string, many string) string {
	if len(texts) == 0 {
		return ""
	}
	ring := ""
	if n.Toast {
		text := texts[0]
		if len(texts) > 1 {
			text = fmt.Sprintf(many, len(texts), text)
		}
		ring = toast(text)
	}
	if n.Bell {
		ring += "\a"
	}
	return ring
}

func toast(text string) string { return "\x1b]9;" + plain.Line(text, maxToast) + "\x1b\\" }

// run runs the command, never through a shell: one placeholder is part of one
// word, whatever stands in it. How it ends is nobody's trouble.
func (n *Notice) run(ctx context.Context, t *reader.Notification) {
	if len(n.Command) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, noticeWait)
	defer cancel()
	words := noticeArgs(n.Command, t)
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil {
		slog.Warn("the command of notify failed", "command", words[0], "error", err)
	}
}

// noticeArgs fills the placeholders {page}, {what}, {why}, {score}, {link} and
// {item}. Where there is none, page and what are added as two words. A word that
// a page has made begin with - would be an option: see harmless.
func noticeArgs(command []string, t *reader.Notification) []string {
	values := []string{
		"{page}", clip(t.Page), "{what}", clip(t.What), "{why}", clip(t.Why), "{score}", strconv.FormatFloat(t.Score, 'f', 1, 64),
		"{link}", clip(t.Link), "{item}", t.Item.String(),
	}
	words, filled := argv.Within(command, values, harmless)
	if !filled {
		words = append(words, harmless(clip(t.Page)), harmless(clip(t.What)))
	}
	return words
}

// harmless writes a leading - in another way that reads the same: text that is
// gone must not read as if it had come.
func harmless(s string) string {
	if rest, ok := strings.CutPrefix(s, "- "); ok {
		return "gone: " + rest
	}
	return argv.Plain(s)
}

func clip(s string) string { return cmp.Or(plain.Line(s, noticeLong), " ") }
