package record

import (
	"fmt"
	"strconv"
	"strings"
)

// extraRec is the part of a poll record that grew over time. It lies in the
// library as a map of words to words, as every program so far has written it.
type extraRec struct {
	Read      string `cbor:"read,omitempty"`
	Move      string `cbor:"move,omitempty"`
	Self      string `cbor:"self,omitempty"`
	Adopted   string `cbor:"adopted,omitempty"`
	Titles    string `cbor:"titles,omitempty"`
	IDs       string `cbor:"ids,omitempty"`
	Left      string `cbor:"left,omitempty"`
	Nobody    string `cbor:"nobody,omitempty"`
	Busy      string `cbor:"busy,omitempty"`
	Trouble   string `cbor:"trouble,omitempty"`
	Lost      string `cbor:"lost,omitempty"`
	Fetched   string `cbor:"fetched,omitempty"`
	State     string `cbor:"state,omitempty"`
	Score     string `cbor:"score,omitempty"`
	Changed   string `cbor:"changed,omitempty"`
	Class     string `cbor:"class,omitempty"`
	Why       string `cbor:"why,omitempty"`
	Item      string `cbor:"item,omitempty"`
	Fetches   string `cbor:"fetches,omitempty"`
	Differed  string `cbor:"differed,omitempty"`
	Children  string `cbor:"children,omitempty"`
	LastClass string `cbor:"last_class,omitempty"`
	LastScore string `cbor:"last_score,omitempty"`
	LastAt    string `cbor:"last_at,omitempty"`
	Held      string `cbor:"held,omitempty"`
	Present   string `cbor:"present,omitempty"`
}

// extraWords are the words of the map, in the order in which their bytes are written.
var extraWords = strings.Fields("ids why busy held item left lost move read self class score state nobody titles adopted changed" +
	" fetched fetches last_at present trouble children differed last_class last_score")

func (r *extraRec) fields() [26]*string {
	return [...]*string{
		&r.IDs, &r.Why, &r.Busy, &r.Held, &r.Item, &r.Left, &r.Lost, &r.Move, &r.Read, &r.Self, &r.Class, &r.Score,
		&r.State, &r.Nobody, &r.Titles, &r.Adopted, &r.Changed, &r.Fetched, &r.Fetches, &r.LastAt, &r.Present,
		&r.Trouble, &r.Children, &r.Differed, &r.LastClass, &r.LastScore,
	}
}

// appendTo adds the map to a record.
func (r *extraRec) appendTo(dst []byte) []byte {
	fields, count := r.fields(), 0
	for _, p := range fields {
		if *p != "" {
			count++
		}
	}
	dst = appendHead(dst, cborMap, uint64(count))
	for i, p := range fields {
		if *p != "" {
			dst = appendText(appendText(dst, extraWords[i]), *p)
		}
	}
	return dst
}

const moveWaits = "waits"

// extraOf is nil where there is nothing to write.
func extraOf(p *Poll) *extraRec {
	w := &p.Watch
	r := extraRec{
		Read: numberWord(p.ReadAt), Self: p.Self, Adopted: p.Adopted, Titles: onWord(p.TitlesTaken), IDs: p.SharedIDs,
		Left: numberWord(int64(p.LeftOut)), Nobody: onWord(p.NoNetwork), Busy: numberWord(int64(p.BusyRun)), Trouble: p.Trouble.String(),
		Lost: lossWords(p.Lost), Fetched: markWords(p.Fetches),
		State: w.State.String(), Score: scoreWord(w.Score), Changed: numberWord(w.Changed), Class: w.Class.String(), Why: w.Why, Item: numberWord(int64(w.Item)),
		Fetches: numberWord(int64(w.Fetches)), Differed: numberWord(int64(w.Differed)), Children: numberWord(int64(w.Children)),
		LastClass: w.LastClass.String(), LastScore: scoreWord(w.LastScore), LastAt: numberWord(w.LastAt), Held: w.Held, Present: p.Present,
	}
	if p.MoveWaits {
		r.Move = moveWaits
	}
	if r == (extraRec{}) {
		return nil
	}
	return &r
}

// into reads what extraOf wrote. A word that is none of these, as a damaged or
// newer program may leave it, counts as absent.
func (r *extraRec) into(p *Poll) {
	if r == nil {
		return
	}
	p.ReadAt, p.MoveWaits, p.Self, p.Adopted = numberIn(r.Read), r.Move == moveWaits, r.Self, r.Adopted
	p.TitlesTaken, p.SharedIDs, p.LeftOut = r.Titles != "", r.IDs, countIn(r.Left)
	p.NoNetwork, p.BusyRun, p.Trouble = r.Nobody != "", countIn(r.Busy), parseTrouble(r.Trouble)
	p.Lost, p.Fetches, p.Present = lossesIn(r.Lost), marksIn(r.Fetched), r.Present
	p.Watch = WatchPoll{State: ParsePageState(r.State), Score: scoreIn(r.Score), Changed: numberIn(r.Changed), Class: ParseChangeClass(r.Class), Why: r.Why,
		Item: uint32(countIn(r.Item)), Fetches: countIn(r.Fetches), Differed: countIn(r.Differed), Children: countIn(r.Children),
		LastClass: ParseChangeClass(r.LastClass), LastScore: scoreIn(r.LastScore), LastAt: numberIn(r.LastAt), Held: r.Held}
}

// numberWord leaves 0 out.
func numberWord(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

func numberIn(word string) int64 {
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// countIn reads a number that is not negative and fits in 32 bits.
func countIn(word string) int {
	n, err := strconv.ParseUint(word, 10, 31)
	if err != nil {
		return 0
	}
	return int(n)
}

func onWord(on bool) string {
	if on {
		return "1"
	}
	return ""
}

func scoreWord(v float64) string {
	if v <= 0 {
		return ""
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

func scoreIn(word string) float64 {
	v, err := strconv.ParseFloat(word, 64)
	if err != nil {
		return 0
	}
	return v
}

// lossWords writes "known-at known-at", in unix seconds.
func lossWords(list []Loss) string {
	var b []byte
	for i, l := range list {
		if i > 0 {
			b = append(b, ' ')
		}
		b = fmt.Appendf(b, "%d-%d", l.Known, l.At)
	}
	return string(b)
}

func lossesIn(words string) []Loss {
	var out []Loss
	for word := range strings.FieldsSeq(words) {
		var l Loss
		if _, err := fmt.Sscanf(word, "%d-%d", &l.Known, &l.At); err == nil {
			out = append(out, l)
		}
	}
	return out
}

// markWords writes "1q2w3e*4!": a moment in base 36, how many, a token.
func markWords(list []FetchMark) string {
	var b []byte
	for i, m := range list {
		if i > 0 {
			b = append(b, ' ')
		}
		b = strconv.AppendInt(b, m.At, 36)
		if m.N != 1 {
			b = strconv.AppendInt(append(b, '*'), int64(m.N), 10)
		}
		if m.Opened {
			b = append(b, '!')
		}
	}
	return string(b)
}

func marksIn(words string) []FetchMark {
	var out []FetchMark
	for word := range strings.FieldsSeq(words) {
		m := FetchMark{N: 1}
		word, m.Opened = strings.CutSuffix(word, "!")
		at, many, several := strings.Cut(word, "*")
		var err error
		if m.At, err = strconv.ParseInt(at, 36, 64); err != nil {
			continue
		}
		if several {
			if m.N, err = strconv.Atoi(many); err != nil || m.N < 1 {
				continue
			}
		}
		out = append(out, m)
	}
	return out
}
