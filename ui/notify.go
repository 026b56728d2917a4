package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/plain"
)

// A change of a watched page can ring. Whether it is worth that was decided
// when it was filed; the screen only notices that there is a newer one, when it
// is told that the library has changed.

// toldSince gives the pages whose newest told change was not there before.
func (m *model) toldSince(now []reader.Page) []*reader.Page {
	if !m.paged || !m.Cfg.Bell && !m.Cfg.Toast {
		return nil
	}
	var told []*reader.Page
	for i := range now {
		was := m.Watched(now[i].Key)
		if now[i].LastItem == 0 || was == nil || was.LastItem == now[i].LastItem || !now[i].Changed.After(was.Changed) || now[i].Unread == 0 {
			continue
		}
		told = append(told, &now[i])
	}
	return told
}

// maxToast bounds what is sent to the terminal in a notification.
const maxToast = 120

// notify rings the bell and shows the terminal's notification, as configured.
// Of the text nothing gets out of the sequence it stands in: it is one plain
// line.
func (m *model) notify(told []*reader.Page) tea.Cmd {
	if len(told) == 0 || m.eff.calm {
		return nil
	}
	var out strings.Builder
	if m.Cfg.Toast {
		text := told[0].Title + ": " + told[0].Why
		if len(told) > 1 {
			text = fmt.Sprintf("%d pages changed: %s", len(told), told[0].Title)
		}
		out.WriteString("\x1b]9;" + plain.Line(text, maxToast) + "\x1b\\")
	}
	if m.Cfg.Bell {
		out.WriteByte(7)
	}
	return tea.Raw(out.String())
}
