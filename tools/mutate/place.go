package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
)

// place is one change of the source: the bytes from one offset to another become
// others.
type place struct {
	file, pkg string
	from, to  int
	line      int
	was, is   string
}

func (p place) String() string {
	return fmt.Sprintf("%s/%s:%d: %s -> %s", p.pkg, filepath.Base(p.file), p.line, p.was, p.is)
}

// changed is the text of the file with the change in it.
func (p place) changed() ([]byte, error) {
	b, err := os.ReadFile(p.file)
	if err != nil {
		return nil, err
	}
	return append(append(b[:p.from:p.from], p.is...), b[p.to:]...), nil
}

// others is what each operator becomes.
var others = map[token.Token]string{
	token.EQL: "!=", token.NEQ: "==", token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">",
	token.LAND: "||", token.LOR: "&&", token.ADD: "-", token.SUB: "+", token.MUL: "+", token.QUO: "*",
}

// placesIn are the changes that can be made in the functions of one file.
func placesIn(file, pkg string) (list []place, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, file, text, 0)
	if err != nil {
		return nil, err
	}
	add := func(from, to token.Pos, is string) {
		a, b := set.Position(from), set.Position(to)
		list = append(list, place{file, pkg, a.Offset, b.Offset, a.Line, string(text[a.Offset:b.Offset]), is})
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if is := others[n.Op]; is != "" && !ofStrings(n) {
					add(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), is)
				}
			case *ast.IfStmt:
				add(n.Cond.Pos(), n.Cond.End(), "!("+string(text[set.Position(n.Cond.Pos()).Offset:set.Position(n.Cond.End()).Offset])+")")
			case *ast.BasicLit:
				if v, err := strconv.Atoi(n.Value); n.Kind == token.INT && err == nil {
					add(n.Pos(), n.End(), strconv.Itoa(v+1))
				}
			case *ast.ReturnStmt:
				for _, r := range n.Results {
					if id, ok := r.(*ast.Ident); ok && (id.Name == "true" || id.Name == "false") {
						add(id.Pos(), id.End(), map[string]string{"true": "false", "false": "true"}[id.Name])
					}
				}
			}
			return true
		})
	}
	return list, nil
}

// ofStrings reports whether an addition has a string in it as far as the syntax
// tells: those have no subtraction.
func ofStrings(n *ast.BinaryExpr) bool {
	if n.Op != token.ADD {
		return false
	}
	for _, side := range []ast.Expr{n.X, n.Y} {
		switch s := side.(type) {
		case *ast.BasicLit:
			if s.Kind == token.STRING || s.Kind == token.CHAR {
				return true
			}
		case *ast.BinaryExpr:
			if ofStrings(s) {
				return true
			}
		}
	}
	return false
}
