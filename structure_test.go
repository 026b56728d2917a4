package main

import (
	"go/ast"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// A limit holds for all of a kind. The map names what is above it today, with a
// ceiling that only falls: the test fails above a ceiling, and also more than slack
// below it, so that the table stays true while several people make it shorter.
type limit struct {
	most, slack int
	unit        string
	ceilings    map[string]int
}

var (
	packageLines = limit{4000, 1000, "lines in its own files", map[string]int{
		"reader/replay": 4100}}
	// Methods count with those of embedded types and with the functions of the
	// package that take the type.
	typeMethods      = limit{60, 20, "methods and functions that take it", nil}
	interfaceMethods = limit{20, 10, "methods", nil}
	functionFields   = limit{12, 0, "fields that are functions", nil}
	uiAssertions     = limit{60, 0, "type assertions in ui and its views", nil}
)

// comparedText are the texts of more than one word that the program compares with.
// Formats and the errors of others have no other sign; what is called ours should
// become an enum or an error.
var comparedText = map[string]string{
	`"Atom 0.3"`: "a format's name", `"Atom 1.0"`: "a format's name", `"<!doctype html"`: "HTML", `"<?xml "`: "XML", `"SQLite format 3\x00"`: "SQLite's header",
	`"response headers exceeded"`: "net/http", `"header list larger than"`: "net/http", `" is a"`: "net/http", `"tls: "`: "crypto/tls",
	`"file size too small"`: "bbolt", `" after "`: "a rule of ignore", `"of "`: "a rule of ignore", `"after "`: "a rule of ignore", `"status "`: "a poll record",
	`"no validators"`: "a poll record", `"1 head"`: "a key of cache.db", `"2 beliefs"`: "a key of cache.db", `"3 topics"`: "a key of cache.db",
	`"diurna backup 1\n"`: "a file's beginning", `"lang "`: "a scene", `"\n# "`: "the demo's texts", `"feed title"`: "a fault made for tests",

	`"Saved pages"`: "a feed's address", `"rule "`: "names of the library's values", `"muted by rule "`: "a tag of muted items",

	`"moved by its publisher"`: "the scope of a step",
}

// TestArrowsWithinLimits: a package, a type and an interface stay small enough to
// be read.
func TestArrowsWithinLimits(t *testing.T) {
	s := parseSource(t)
	packageLines.check(t, s.lines)
	types := s.types()
	methods, faces, fields := map[string]int{}, map[string]int{}, map[string]int{}
	for name, d := range types {
		n := len(methodSet(types, name, 0))
		switch {
		case d.alias: // counted where it is declared
		case d.face:
			faces[name] = n
		default:
			methods[name] = n + len(d.takers)
		}
		fields[name] = d.functions
	}
	typeMethods.check(t, methods)
	interfaceMethods.check(t, faces)
	functionFields.check(t, fields)
}

// check compares what was counted with the limit or its ceiling.
func (l limit) check(t *testing.T, counted map[string]int) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(l.ceilings)) {
		if n, ceiling := counted[name], l.ceilings[name]; n < ceiling-l.slack || ceiling <= l.most {
			t.Errorf("%s has %d %s now: lower its ceiling of %d in structure_test.go, or remove it below %d", name, n, l.unit, ceiling, l.most)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(counted)) {
		if n, most := counted[name], max(l.most, l.ceilings[name]); n > most {
			t.Errorf("%s has %d %s; %d is the limit", name, n, l.unit, most)
		}
	}
}

// TestArrowsNoSwitchOverViews: what differs between views they do themselves.
func TestArrowsNoSwitchOverViews(t *testing.T) {
	s := parseSource(t)
	types := s.types()
	asked := methodSet(types, "ui/view.View", 0)
	views := map[string]bool{}
	for name, d := range types {
		set := methodSet(types, name, 0)
		views[name] = !d.face && len(asked) > 10 && !slices.ContainsFunc(slices.Collect(maps.Keys(asked)), func(m string) bool { return !set[m] })
	}
	if !views["ui/pages.View"] || views["ui.model"] {
		t.Fatal("the views were not recognised")
	}
	assertions := 0
	s.each(func(pkg string, f *ast.File, n ast.Node) {
		if pkg != "ui" && !strings.HasPrefix(pkg, "ui/") || strings.HasPrefix(pkg, "ui/cli") {
			return
		}
		switch n := n.(type) {
		case *ast.TypeAssertExpr:
			if n.Type != nil { // nil in a type switch
				assertions++
			}
		case *ast.CaseClause:
			for _, e := range n.List {
				if views[typeName(pkg, f, e)] {
					t.Errorf("%s asks which view it is; view.View or a small interface should say what is wanted", s.set.Position(n.Pos()))
				}
			}
		}
	})
	uiAssertions.check(t, map[string]int{"ui": assertions})
}

// TestArrowsNoText: no decision hangs on how a message is worded.
func TestArrowsNoText(t *testing.T) {
	s := parseSource(t)
	found := map[string]bool{}
	sentence := regexp.MustCompile("^[\"`](.*\\pL.* .*|.* .*\\pL.*)[\"`]$")
	constants := map[string]string{} // texts with a name
	s.each(func(pkg string, _ *ast.File, n ast.Node) {
		// a constant of a named type is an enum
		if spec, ok := n.(*ast.ValueSpec); ok && spec.Type == nil && len(spec.Names) == len(spec.Values) {
			for i, v := range spec.Values {
				if lit, ok := v.(*ast.BasicLit); ok && lit.Kind == token.STRING && sentence.MatchString(lit.Value) {
					constants[pkg+"."+spec.Names[i].Name] = lit.Value
				}
			}
		}
	})
	s.each(func(pkg string, f *ast.File, n ast.Node) {
		for _, e := range compared(n) {
			ast.Inspect(e, func(n ast.Node) bool {
				text := ""
				switch n := n.(type) {
				case *ast.CallExpr:
					return len(n.Args) == 1 // a conversion; what a call is given is not compared
				case *ast.FuncLit:
					return false
				case *ast.BasicLit:
					text = n.Value
				case *ast.Ident, *ast.SelectorExpr:
					text = constants[typeName(pkg, f, n.(ast.Expr))]
				}
				if sentence.MatchString(text) {
					found[text] = true
					if comparedText[text] == "" {
						t.Errorf("%s compares with the text %s; give it an enum or an error of its own", s.set.Position(n.Pos()), text)
					}
				}
				return true
			})
		}
	})
	for text := range comparedText {
		if !found[text] {
			t.Errorf("nothing compares with %s any more: remove it from comparedText", text)
		}
	}
}

// comparisons are the functions of strings, bytes and slices that compare.
var comparisons = regexp.MustCompile(`^(Equal|EqualFold|Compare|Contains|HasPrefix|HasSuffix|Index|LastIndex|Count|Cut|CutPrefix|CutSuffix)$`)

// compared are the operands where a node compares.
func compared(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if n.Op == token.EQL || n.Op == token.NEQ {
			return []ast.Expr{n.X, n.Y}
		}
	case *ast.CaseClause:
		return slices.DeleteFunc(slices.Clone(n.List), func(e ast.Expr) bool {
			switch e.(type) {
			case *ast.BasicLit, *ast.Ident, *ast.SelectorExpr:
				return false
			}
			return true // a condition, which is looked at by itself
		})
	case *ast.CallExpr:
		sel, ok := n.Fun.(*ast.SelectorExpr)
		if !ok || !comparisons.MatchString(sel.Sel.Name) {
			return nil
		}
		if pkg, ok := sel.X.(*ast.Ident); ok && slices.Contains([]string{"strings", "bytes", "slices"}, pkg.Name) {
			return n.Args
		}
	}
	return nil
}

// wordsOfOurOwn are words that names had before they got the field's terms.
var wordsOfOurOwn = regexp.MustCompile(`(?i)^(told|untold|foretold|shelf|sights?|lessons?|harvest|deeds?|teller|grove|sprig|astray|borne|guests?|kin|hush|spared|rung|woken|falsify)$`)

// camel are the words of a name.
var camel = regexp.MustCompile(`[A-Z]?[a-z]+|[A-Z]+`)

// TestArrowsNames: a comment on a function or type that begins with a name begins with
// that of what it describes, and no name has a word of our own.
func TestArrowsNames(t *testing.T) {
	s := parseSource(t)
	s.each(func(_ string, _ *ast.File, n ast.Node) {
		name, doc := "", (*ast.CommentGroup)(nil)
		switch n := n.(type) {
		case *ast.Ident:
			for _, w := range camel.FindAllString(n.Name, -1) {
				if wordsOfOurOwn.MatchString(w) {
					t.Errorf("%s: %s has the word %q", s.set.Position(n.Pos()), n.Name, w)
				}
			}
		case *ast.FuncDecl:
			name, doc = n.Name.Name, n.Doc
		case *ast.GenDecl:
			if len(n.Specs) != 1 {
				return
			}
			if spec, ok := n.Specs[0].(*ast.TypeSpec); ok {
				name, doc = spec.Name.Name, n.Doc
			}
		}
		first := strings.FieldsFunc(doc.Text(), func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if len(first) > 0 && first[0] != name && unicode.IsLower(rune(first[0][0])) {
			t.Errorf("%s: the comment on %s begins with %q", s.set.Position(n.Pos()), name, first[0])
		}
	})
}
