package main

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// object is a value of ours whose members are looked up by name.
type object interface {
	member(name string) (any, error)
}

func truth(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case int64:
		return v != 0
	case float64:
		return v != 0
	case string:
		return v != ""
	case text:
		return v.s != ""
	case list:
		return len(v) > 0
	case tuple:
		return len(v) > 0
	case dict:
		return len(v) > 0
	}
	return true
}

func subscript(v, key any) (any, error) {
	switch v := v.(type) {
	case object:
		name, _ := key.(string)
		return v.member(name)
	case dict:
		name, ok := key.(string)
		if got, has := v[name]; ok && has {
			return got, nil
		}
		if got, has := v["href"]; name == "url" && has {
			return got, nil // the older name
		}
	case list:
		return index(v, key)
	case tuple:
		return index(v, key)
	}
	return nil, errRaise
}

func index(v []any, key any) (any, error) {
	i, ok := key.(int64)
	if i < 0 {
		i += int64(len(v))
	}
	if !ok || i < 0 || i >= int64(len(v)) {
		return nil, errRaise
	}
	return v[i], nil
}

// method calls the one method assertions use: get, with or without a default.
func method(of node, name string, args []node) (any, error) {
	v, err := of()
	if err != nil {
		return nil, err
	}
	if name == "datetime" || name == "strip" {
		return nil, unmapped{"method " + name}
	}
	all, err := evaluate(args)
	if name != "get" || err != nil || len(all) == 0 {
		return nil, unmapped{"method " + name}
	}
	got, err := subscript(v, all[0])
	if err == errRaise {
		if len(all) > 1 {
			return all[1], nil
		}
		return nil, nil
	}
	return got, err
}

func (p *pyParser) call(name string, args []node) (any, error) {
	all, err := evaluate(args)
	if err != nil {
		return nil, err
	}
	switch {
	case name == "len" && len(all) == 1:
		switch v := all[0].(type) {
		case list:
			return int64(len(v)), nil
		case tuple:
			return int64(len(v)), nil
		case dict:
			return int64(len(v)), nil
		case string:
			return int64(utf8.RuneCountInString(v)), nil
		case text:
			return int64(utf8.RuneCountInString(v.s)), nil
		}
		return nil, errRaise
	case name == "ord" && len(all) == 1:
		s, _ := all[0].(string)
		if t, ok := all[0].(text); ok {
			s = t.s
		}
		if r, n := utf8.DecodeRuneInString(s); n > 0 && n == len(s) {
			return int64(r), nil
		}
		return nil, errRaise
	}
	return nil, unmapped{"function " + name}
}

func compare(a any, op string, b any) (bool, error) {
	switch op {
	case "==":
		return equal(a, b), nil
	case "!=":
		return !equal(a, b), nil
	case "in", "not in":
		in, err := contains(b, a)
		return in == (op == "in"), err
	}
	x, xok := number(a)
	y, yok := number(b)
	if !xok || !yok {
		return false, errRaise
	}
	return map[string]bool{"<": x < y, ">": x > y, "<=": x <= y, ">=": x >= y}[op], nil
}

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

// among reports whether one of all is v.
func among(all []any, v any) bool {
	for _, x := range all {
		if equal(x, v) {
			return true
		}
	}
	return false
}

func contains(all, v any) (bool, error) {
	switch all := all.(type) {
	case list:
		return among(all, v), nil
	case tuple:
		return among(all, v), nil
	case dict:
		name, _ := v.(string)
		_, ok := all[name]
		return ok, nil
	case object:
		name, _ := v.(string)
		_, err := all.member(name)
		if err == errRaise {
			return false, nil
		}
		return err == nil, err
	case string:
		s, ok := v.(string)
		return ok && strings.Contains(all, s), nil
	case text:
		s, ok := v.(string)
		return ok && strings.Contains(all.s, s), nil
	}
	return false, errRaise
}

func equal(a, b any) bool {
	if t, ok := b.(text); ok {
		if s, ok := a.(text); ok {
			return t.s == s.s
		}
		a, b = b, a
	}
	if t, ok := a.(text); ok {
		s, ok := b.(string)
		return ok && t.means(s)
	}
	x, xok := number(a)
	y, yok := number(b)
	switch {
	case xok && yok:
		return x == y
	case xok != yok:
		return false
	}
	switch a := a.(type) {
	case string:
		s, ok := b.(string)
		return ok && s == a
	case list:
		other, ok := b.(list)
		return ok && slices.EqualFunc(a, other, equal)
	case tuple:
		other, ok := b.(tuple)
		return ok && slices.EqualFunc(a, other, equal)
	case dict:
		other, ok := b.(dict)
		if !ok || len(other) != len(a) {
			return false
		}
		for k, v := range a {
			if w, has := other[k]; !has || !equal(v, w) {
				return false
			}
		}
		return true
	}
	return a == nil && b == nil
}

// timeTuple is Python's struct_time of a moment, as the nine numbers.
func timeTuple(at time.Time) tuple {
	at = at.UTC()
	t := tuple{}
	for _, n := range []int{at.Year(), int(at.Month()), at.Day(), at.Hour(), at.Minute(), at.Second(), (int(at.Weekday()) + 6) % 7, at.YearDay(), 0} {
		t = append(t, int64(n))
	}
	return t
}
