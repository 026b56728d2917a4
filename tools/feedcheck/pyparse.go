package main

import "fmt"

// verdict is feedparser's word on whether a document is well-formed, which this
// program does not give: it repairs what it can.
const verdict = "bozo"

func (p *pyParser) or() (node, error) {
	return p.chain(p.and, true, "or", "||")
}

func (p *pyParser) and() (node, error) {
	return p.chain(p.not, false, "and", "&&")
}

// chain reads operands of and, or or. An operand without a counterpart counts
// only where the others leave the matter open.
func (p *pyParser) chain(operand func() (node, error), stop bool, words ...string) (node, error) {
	first, err := operand()
	if err != nil {
		return nil, err
	}
	all := []node{first}
	for p.next(words[0]) || p.next(words[1]) {
		n, err := operand()
		if err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	if len(all) == 1 {
		return first, nil
	}
	return func() (any, error) {
		var v any
		var open error
		for i, n := range all {
			got, err := n()
			if u, is := err.(unmapped); is {
				// feedparser's verdict on a document stands beside what it asserts
				// of it: the rest is what is compared.
				if u.name != verdict || i == len(all)-1 {
					open = err
				}
				continue
			}
			if err != nil {
				return nil, err
			}
			if v = got; truth(v) == stop {
				return v, nil
			}
		}
		return v, open
	}, nil
}

func (p *pyParser) not() (node, error) {
	if p.next("not") || p.next("!") {
		n, err := p.not()
		if err != nil {
			return nil, err
		}
		return func() (any, error) {
			v, err := n()
			return !truth(v), err
		}, nil
	}
	return p.comparison()
}

// comparison reads a == b == c as Python does: every neighbour is compared.
func (p *pyParser) comparison() (node, error) {
	first, err := p.sum()
	if err != nil {
		return nil, err
	}
	operands, ops := []node{first}, []string{}
	for {
		op := p.comparer()
		if op == "" {
			break
		}
		n, err := p.sum()
		if err != nil {
			return nil, err
		}
		operands, ops = append(operands, n), append(ops, op)
	}
	if len(ops) == 0 {
		return first, nil
	}
	return func() (any, error) {
		a, err := operands[0]()
		if err != nil {
			return nil, err
		}
		for i, op := range ops {
			b, err := operands[i+1]()
			if err != nil {
				return nil, err
			}
			if ok, err := compare(a, op, b); !ok || err != nil {
				return false, err
			}
			a = b
		}
		return true, nil
	}, nil
}

func (p *pyParser) comparer() string {
	switch {
	case p.next("not", "in"):
		return "not in"
	case p.next("is", "not"):
		return "!="
	case p.next("is"):
		return "=="
	}
	for _, op := range []string{"==", "!=", "<=", ">=", "<", ">", "in"} {
		if p.next(op) {
			return op
		}
	}
	return ""
}

// sum joins strings and adds numbers.
func (p *pyParser) sum() (node, error) {
	n, err := p.unary()
	for err == nil && p.next("+") {
		a := n
		var b node
		if b, err = p.unary(); err != nil {
			break
		}
		n = func() (any, error) {
			both, err := evaluate([]node{a, b})
			if err != nil {
				return nil, err
			}
			x, isText := both[0].(string)
			y, too := both[1].(string)
			if isText && too {
				return x + y, nil
			}
			i, isInt := both[0].(int64)
			j, too := both[1].(int64)
			if isInt && too {
				return i + j, nil
			}
			return nil, errRaise
		}
	}
	return n, err
}

func (p *pyParser) unary() (node, error) {
	if p.next("-") {
		n, err := p.unary()
		if err != nil {
			return nil, err
		}
		return func() (any, error) {
			v, err := n()
			switch v := v.(type) {
			case int64:
				return -v, err
			case float64:
				return -v, err
			}
			return nil, errRaise
		}, nil
	}
	return p.postfix()
}

// postfix reads an atom with its subscripts, attributes and calls.
func (p *pyParser) postfix() (node, error) {
	n, err := p.atom()
	for err == nil {
		of := n
		switch {
		case p.next("["):
			var key node
			if key, err = p.or(); err == nil && !p.next("]") {
				err = fmt.Errorf("syntax: a bracket stays open")
			}
			n = func() (any, error) {
				v, err := of()
				if err != nil {
					return nil, err
				}
				k, err := key()
				if err != nil {
					return nil, err
				}
				return subscript(v, k)
			}
		case p.next(".") && p.at < len(p.tokens) && p.tokens[p.at].kind == 'n':
			name := p.tokens[p.at].s
			p.at++
			if !p.next("(") {
				n = func() (any, error) {
					v, err := of()
					if err != nil {
						return nil, err
					}
					return subscript(v, name)
				}
				break
			}
			var args []node
			args, err = p.list(")")
			n = func() (any, error) { return method(of, name, args) }
		default:
			return n, nil
		}
	}
	return nil, err
}

func (p *pyParser) atom() (node, error) {
	if p.at >= len(p.tokens) {
		return nil, fmt.Errorf("syntax: it ends early")
	}
	t := p.tokens[p.at]
	p.at++
	switch {
	case t.kind == 'v':
		return func() (any, error) { return t.v, nil }, nil
	case t.kind == 'n':
		return p.name(t.s)
	case t.s == "(":
		return p.parenthesis()
	case t.s == "[":
		items, err := p.list("]")
		return func() (any, error) {
			all, err := evaluate(items)
			return list(all), err
		}, err
	case t.s == "{":
		return p.dict()
	}
	return nil, fmt.Errorf("syntax: %q", t.s)
}

func (p *pyParser) name(name string) (node, error) {
	for word, v := range map[string]any{"True": true, "False": false, "None": nil, "nil": nil} {
		if name == word {
			return func() (any, error) { return v, nil }, nil
		}
	}
	if !p.next("(") {
		return func() (any, error) { return p.names(name) }, nil
	}
	args, err := p.list(")")
	return func() (any, error) { return p.call(name, args) }, err
}

// parenthesis is an expression in brackets or a tuple.
func (p *pyParser) parenthesis() (node, error) {
	from := p.at
	n, err := p.or()
	if err == nil && p.next(")") {
		return n, nil
	}
	p.at = from
	items, err := p.list(")")
	return func() (any, error) {
		all, err := evaluate(items)
		return tuple(all), err
	}, err
}

// list reads expressions separated by commas up to end. A keyword argument is
// read as its value.
func (p *pyParser) list(end string) ([]node, error) {
	var all []node
	for !p.next(end) {
		if p.at+1 < len(p.tokens) && p.tokens[p.at].kind == 'n' && p.tokens[p.at+1].s == "=" {
			p.at += 2
		}
		n, err := p.or()
		if err != nil {
			return nil, err
		}
		all = append(all, n)
		if !p.next(",") && !(p.at < len(p.tokens) && p.tokens[p.at].s == end) {
			return nil, fmt.Errorf("syntax: no comma")
		}
	}
	return all, nil
}

func (p *pyParser) dict() (node, error) {
	var keys, values []node
	for !p.next("}") {
		k, err := p.or()
		if err != nil || !p.next(":") {
			return nil, fmt.Errorf("syntax: in a dictionary")
		}
		v, err := p.or()
		if err != nil {
			return nil, err
		}
		keys, values = append(keys, k), append(values, v)
		p.next(",")
	}
	return func() (any, error) {
		d := dict{}
		for i := range keys {
			k, err := keys[i]()
			if err != nil {
				return nil, err
			}
			if d[fmt.Sprint(k)], err = values[i](); err != nil {
				return nil, err
			}
		}
		return d, nil
	}, nil
}

func evaluate(items []node) ([]any, error) {
	all := make([]any, 0, len(items))
	for _, n := range items {
		v, err := n()
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}
