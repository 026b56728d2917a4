// Package toml reads config files: with go-toml's parser, and of what TOML can say
// only what they need. It is an eighth of the size of go-toml's decoder, which reads
// into any type. Every value knows its line. Call Parse first, then Table.Decode.
package toml

import (
	"bytes"
	"cmp"
	"encoding"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// Table is what stands under the names of a table.
type Table map[string]*Value

// Value is a value of a file.
type Value struct {
	Line  int // from 1
	Kind  unstable.Kind
	Text  string  // of a string, or a number, a truth value or a time as it is written
	List  []Value // of an Array, and of an ArrayTable the tables
	Table Table   // of a Table and an InlineTable

	implied bool // a table that so far only the lines of tables below it name
}

// Error is a mistake in a file.
type Error struct {
	Line int
	Key  string // with dots; "" for a text that is no TOML
	What string // what is wrong with it; "" for a name that is not known
}

func (e *Error) Error() string { return e.What }

// Parse reads a text. Its error is an *Error.
func Parse(text []byte) (Table, error) {
	p := parser{line: 1}
	p.Reset(text)
	root := Table{}
	at := root
	for p.NextExpression() {
		var err error
		if e := p.Expression(); e.Kind == unstable.KeyValue {
			err = p.set(at, e)
		} else {
			at, err = p.open(root, e)
		}
		if err != nil {
			return nil, err
		}
	}
	if wrong := (*unstable.ParserError)(nil); errors.As(p.Error(), &wrong) {
		return nil, &Error{Line: p.Shape(p.Range(wrong.Highlight)).Start.Line, What: wrong.Message}
	}
	return root, p.Error()
}

// parser counts lines as it goes, for the nodes come in the order of the text.
type parser struct {
	unstable.Parser
	line, offset int
}

// at is the line of a node. Arrays have no place of their own: theirs is that of the
// node before.
func (p *parser) at(n *unstable.Node) int {
	if end := int(n.Raw.Offset); end > p.offset {
		p.line += bytes.Count(p.Data()[p.offset:end], []byte("\n"))
		p.offset = end
	}
	return p.line
}

// key is the table that a dotted key leads to from t, and its last name, which is
// not in it yet unless it is that of a header.
func (p *parser) key(t Table, names unstable.Iterator, header bool) (Table, string, error) {
	for names.Next() {
		name, line := string(names.Node().Data), p.at(names.Node())
		have := t[name]
		switch {
		case names.IsLast() && (have == nil || header):
			return t, name, nil
		case names.IsLast():
			return nil, "", twice(line, name, have)
		case have == nil:
			have = &Value{Line: line, Kind: unstable.Table, Table: Table{}, implied: header}
			t[name] = have
		case have.Kind == unstable.ArrayTable:
			have = &have.List[len(have.List)-1]
		}
		if t = have.Table; t == nil {
			return nil, "", &Error{line, name, strconv.Quote(name) + " is not a table"}
		}
	}
	return t, "", nil
}

func twice(line int, name string, before *Value) error {
	return &Error{line, name, fmt.Sprintf("%q stands on line %d already", name, before.Line)}
}

// open begins the table of a line in brackets.
func (p *parser) open(root Table, e *unstable.Node) (Table, error) {
	parent, name, err := p.key(root, e.Key(), true)
	if err != nil {
		return nil, err
	}
	line, have := p.line, parent[name]
	table := Value{Line: line, Kind: unstable.Table, Table: Table{}}
	switch {
	case have == nil && e.Kind == unstable.ArrayTable:
		parent[name] = &Value{Line: line, Kind: e.Kind, List: []Value{table}}
	case have == nil:
		parent[name] = &table
	case have.Kind == unstable.ArrayTable && e.Kind == unstable.ArrayTable:
		have.List = append(have.List, table)
	case have.implied && e.Kind == unstable.Table:
		have.Line, have.implied, table = line, false, *have
	default:
		return nil, twice(line, name, have)
	}
	return table.Table, nil
}

// set adds a key with its value to a table.
func (p *parser) set(t Table, e *unstable.Node) error {
	t, name, err := p.key(t, e.Key(), false)
	if err != nil {
		return err
	}
	line := p.line
	value, err := p.value(e.Value())
	value.Line = line
	t[name] = &value
	return err
}

func (p *parser) value(n *unstable.Node) (Value, error) {
	v := Value{Line: p.at(n), Kind: n.Kind, Text: string(n.Data)}
	children := n.Children()
	switch n.Kind {
	case unstable.Array:
		for children.Next() {
			one, err := p.value(children.Node())
			if err != nil {
				return v, err
			}
			v.List = append(v.List, one)
		}
	case unstable.InlineTable:
		v.Table = Table{}
		for children.Next() {
			if err := p.set(v.Table, children.Node()); err != nil {
				return v, err
			}
		}
	}
	return v, nil
}

// Any is a text as a string and a list as []any of such; nil for all else.
func (v *Value) Any() any {
	switch v.Kind {
	case unstable.String:
		return v.Text
	case unstable.Array:
		list := make([]any, len(v.List))
		for i := range v.List {
			list[i] = v.List[i].Any()
		}
		return list
	}
	return nil
}

// Names are those of a table in the order of their lines.
func (t Table) Names() []string {
	return slices.SortedFunc(maps.Keys(t), func(a, b string) int { return cmp.Or(cmp.Compare(t[a].Line, t[b].Line), cmp.Compare(a, b)) })
}

// Line is the line of a key in a table, "" for the top; 1 for what is not there.
func (t Table) Line(table, key string) int {
	if in := t[table]; in != nil {
		t = in.Table
	}
	if v := t[key]; v != nil {
		return v.Line
	}
	return 1
}

// Decode fills a struct by the names in its tags. It knows strings, whole numbers,
// truth values, what reads texts itself, and structs and lists of those. Its error is
// an *Error.
func (t Table) Decode(to any) error { return t.into(reflect.ValueOf(to).Elem(), "") }

func (t Table) into(to reflect.Value, path string) error {
	for _, name := range t.Names() {
		var field reflect.Value
		for i := range to.NumField() {
			if tag := to.Type().Field(i).Tag.Get("toml"); tag != "" && strings.EqualFold(tag, name) {
				field = to.Field(i)
			}
		}
		if !field.IsValid() {
			return &Error{Line: t[name].Line, Key: path + name}
		}
		if err := t[name].into(field, path+name); err != nil {
			return err
		}
	}
	return nil
}

func (v *Value) into(to reflect.Value, key string) error {
	wrong := func(what string) error { return &Error{v.Line, key, what} }
	if own, ok := to.Addr().Interface().(encoding.TextUnmarshaler); ok && v.Kind >= unstable.String && v.Kind <= unstable.Integer {
		if err := own.UnmarshalText([]byte(v.Text)); err != nil {
			return wrong(key + ": " + err.Error())
		}
		return nil
	}
	kind := to.Kind()
	switch {
	case kind == reflect.Struct && v.Table != nil:
		return v.Table.into(to, key+".")
	case kind == reflect.Slice && (v.Kind == unstable.Array || v.Kind == unstable.ArrayTable || v.Kind == unstable.Table):
		from := v.List
		if v.Table != nil { // a list of one
			from = []Value{*v}
		}
		list := reflect.MakeSlice(to.Type(), len(from), len(from))
		for i := range from {
			if err := from[i].into(list.Index(i), key); err != nil {
				return err
			}
		}
		to.Set(list)
		return nil
	case kind == reflect.String && v.Kind == unstable.String:
		to.SetString(v.Text)
		return nil
	case kind == reflect.Bool && v.Kind == unstable.Bool:
		to.SetBool(v.Text == "true")
		return nil
	case kind == reflect.Int && v.Kind == unstable.Integer:
		n, err := strconv.ParseInt(v.Text, 0, 64)
		if err != nil {
			return wrong(key + ": " + v.Text + " is too large a number")
		}
		to.SetInt(n)
		return nil
	case kind == reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		return v.into(to.Elem(), key)
	}
	what := strconv.Quote(key) + " takes no " + kinds[v.Kind]
	if to.Type() == reflect.TypeFor[[]string]() && v.Kind == unstable.String {
		what += fmt.Sprintf(" but a list of words; write: %s = %s", key[strings.LastIndex(key, ".")+1:], List(strings.Fields(v.Text)))
	}
	return wrong(what)
}

var kinds = map[unstable.Kind]string{
	unstable.Table: "table", unstable.ArrayTable: "list of tables", unstable.InlineTable: "inline table", unstable.Array: "array",
	unstable.String: "string", unstable.Bool: "boolean", unstable.Float: "float", unstable.Integer: "integer",
	unstable.LocalDate: "local date", unstable.LocalTime: "local time", unstable.LocalDateTime: "local date-time", unstable.DateTime: "date-time",
}

// List writes words as a list.
func List(words []string) string {
	quoted := make([]string, len(words))
	for i := range words {
		quoted[i] = strconv.Quote(words[i])
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
