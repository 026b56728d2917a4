package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// source is the program, without its tests, as the parser sees it.
type source struct {
	files map[string][]*ast.File // by package
	lines map[string]int
	set   *token.FileSet
}

func parseSource(t *testing.T) source {
	t.Helper()
	s := source{map[string][]*ast.File{}, map[string]int{}, token.NewFileSet()}
	for name, p := range listPackages(t) {
		for _, file := range p.GoFiles {
			path := filepath.Join(p.Dir, file)
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f, err := parser.ParseFile(s.set, path, src, parser.SkipObjectResolution|parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			s.files[name] = append(s.files[name], f)
			s.lines[name] += strings.Count(string(src), "\n")
		}
	}
	return s
}

func (s source) each(do func(pkg string, f *ast.File, n ast.Node)) {
	for pkg, files := range s.files {
		for _, f := range files {
			ast.Inspect(f, func(n ast.Node) bool { do(pkg, f, n); return true })
		}
	}
}

// A typeDecl is a type and what belongs to it.
type typeDecl struct {
	face            bool // an interface
	methods, takers map[string]bool
	embedded        []string // of an alias what it stands for
	alias           bool
	functions       int // fields that are functions
}

// types finds the types that are declared in packages, by "package.Name".
func (s source) types() map[string]*typeDecl {
	all := map[string]*typeDecl{}
	s.each(func(pkg string, f *ast.File, n ast.Node) {
		if spec, ok := n.(*ast.TypeSpec); ok {
			all[pkg+"."+spec.Name.Name] = newTypeDecl(pkg, f, spec)
		}
	})
	s.each(func(pkg string, f *ast.File, n ast.Node) {
		fn, ok := n.(*ast.FuncDecl)
		switch {
		case !ok:
		case fn.Recv != nil:
			if d := all[typeName(pkg, f, fn.Recv.List[0].Type)]; d != nil {
				d.methods[fn.Name.Name] = true
			}
		default:
			for _, p := range fn.Type.Params.List {
				name := typeName(pkg, f, p.Type)
				if d := all[name]; d != nil && strings.HasPrefix(name, pkg+".") {
					d.takers[fn.Name.Name] = true
				}
			}
		}
	})
	return all
}

func newTypeDecl(pkg string, f *ast.File, spec *ast.TypeSpec) *typeDecl {
	d := &typeDecl{methods: map[string]bool{}, takers: map[string]bool{}}
	var fields []*ast.Field
	switch x := spec.Type.(type) {
	case *ast.InterfaceType:
		d.face, fields = true, x.Methods.List
	case *ast.StructType:
		fields = x.Fields.List
	}
	if spec.Assign.IsValid() {
		d.alias, d.embedded = true, []string{typeName(pkg, f, spec.Type)}
	}
	for _, field := range fields {
		_, function := field.Type.(*ast.FuncType)
		switch {
		case len(field.Names) == 0:
			d.embedded = append(d.embedded, typeName(pkg, f, field.Type))
		case function && d.face:
			d.methods[field.Names[0].Name] = true
		case function:
			d.functions += len(field.Names)
		}
	}
	return d
}

// typeName gives T, *T, T[P] and p.T as "package.Name"; what is none of ours is "".
func typeName(pkg string, f *ast.File, e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return typeName(pkg, f, e.X)
	case *ast.IndexExpr:
		return typeName(pkg, f, e.X)
	case *ast.Ident:
		return pkg + "." + e.Name
	case *ast.SelectorExpr:
		x, ok := e.X.(*ast.Ident)
		for _, im := range f.Imports {
			path, _ := strconv.Unquote(im.Path.Value)
			ours, is := strings.CutPrefix(path, "diurna/")
			if ok && is && (im.Name == nil && filepath.Base(ours) == x.Name || im.Name != nil && im.Name.Name == x.Name) {
				return ours + "." + e.Sel.Name
			}
		}
	}
	return ""
}

// methodSet is what a type has, with what it embeds.
func methodSet(all map[string]*typeDecl, name string, depth int) map[string]bool {
	set := map[string]bool{}
	if d := all[name]; d != nil && depth < 8 {
		maps.Copy(set, d.methods)
		for _, e := range d.embedded {
			maps.Copy(set, methodSet(all, e, depth+1))
		}
	}
	return set
}
