package argv

import "bytes"

// MaxOutput is how many bytes of what a command prints are kept.
const MaxOutput = 1 << 20

// Output keeps the beginning of what a command prints, at most MaxOutput bytes. The
// zero Output is empty.
type Output struct {
	buf bytes.Buffer // not embedded: its ReadFrom would read without a bound
	Cut bool         // there was more
}

// Write keeps what there is room for. It takes all: a command does not fail for that.
func (o *Output) Write(p []byte) (int, error) {
	room := min(len(p), MaxOutput-o.buf.Len())
	o.Cut = o.Cut || room < len(p)
	o.buf.Write(p[:room])
	return len(p), nil
}

// String is what was kept.
func (o *Output) String() string { return o.buf.String() }
