// Package architecture_test holds the rules that the code as a whole keeps: who
// imports whom, how long things are, and what is documented.
package architecture_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// root is the module's root, seen from this package.
const root = "../.."

// source is one Go file of the module.
type source struct {
	path  string // from the module's root, with slashes
	dir   string // the package, from the module's root
	lines int
	file  *ast.File
	set   *token.FileSet
}

// isTest reports whether the file counts as a test. The conformance kits do: they are
// tests that others run.
func (s source) isTest() bool {
	kit := s.dir == "store/storetest" || s.dir == "openapi/openapitest" || s.dir == "access/accesstest"
	return kit || strings.HasSuffix(s.path, "_test.go")
}

// line returns where a node begins.
func (s source) line(node ast.Node) int { return s.set.Position(node.Pos()).Line }

// length returns how many lines a function has between its braces, as revive's
// function-length counts them.
func (s source) length(function *ast.FuncDecl) int {
	opened, closed := s.set.Position(function.Body.Lbrace), s.set.Position(function.Body.Rbrace)
	return max(closed.Line-opened.Line-1, 1)
}

// sources returns every Go file of the module, those of nested modules left out.
func sources(t *testing.T) []source {
	t.Helper()
	found, err := parsed()
	if err != nil {
		t.Fatalf("reading the module's files: %v", err)
	}
	return slices.Clone(found)
}

// parsed reads the files once for all tests, which only look at them.
var parsed = sync.OnceValues(func() ([]source, error) {
	var found []source
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			return skipped(file, entry.Name())
		case filepath.Ext(file) != ".go":
			return nil
		}
		s, err := parse(file)
		found = append(found, s)
		return err
	})
	return found, err
})

// skipped returns fs.SkipDir for a directory whose files are not the module's.
func skipped(dir, name string) error {
	if dir == root {
		return nil
	}
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	if err == nil || name == "testdata" || name == "node_modules" || strings.HasPrefix(name, ".") {
		return fs.SkipDir
	}
	return nil
}

func parse(file string) (source, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return source{}, err
	}
	relative, err := filepath.Rel(root, file)
	if err != nil {
		return source{}, err
	}
	name := filepath.ToSlash(relative)
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
	return source{
		path:  name,
		dir:   path.Dir(name),
		lines: bytes.Count(text, []byte("\n")),
		file:  tree,
		set:   set,
	}, err
}

// symbol is a name that a package shows others.
type symbol struct {
	name       string
	node       ast.Node
	member     bool // a method or a field
	isType     bool
	documented bool
}

// isPublic reports whether users can import the package.
func isPublic(dir string) bool {
	return !strings.Contains("/"+dir, "/internal/") && !strings.HasPrefix(dir, "examples/")
}

// symbols yields the exported names that a file declares: constants, variables, types and functions, and the methods
// and fields of exported types. It also yields unexported types. A field with a tag is data and documents itself.
func symbols(s source) iter.Seq[symbol] {
	return func(yield func(symbol) bool) {
		for _, decl := range s.file.Decls {
			for _, found := range declared(decl) {
				if !yield(found) {
					return
				}
			}
		}
	}
}

func declared(decl ast.Decl) []symbol {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		return function(decl)
	case *ast.GenDecl:
		var found []symbol
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				found = append(found, values(decl, spec)...)
			case *ast.TypeSpec:
				found = append(found, types(decl, spec)...)
			}
		}
		return found
	}
	return nil
}

func function(decl *ast.FuncDecl) []symbol {
	if !decl.Name.IsExported() || decl.Recv != nil && !ast.IsExported(receiver(decl)) {
		return nil
	}
	return []symbol{{name: decl.Name.Name, node: decl, member: decl.Recv != nil, documented: decl.Doc != nil}}
}

// receiver returns the name of the type that a method belongs to.
func receiver(decl *ast.FuncDecl) string {
	switch expr := decl.Recv.List[0].Type.(type) {
	case *ast.StarExpr:
		return baseName(expr.X)
	default:
		return baseName(expr)
	}
}

// baseName returns the name of a type without its type parameters.
func baseName(expr ast.Expr) string {
	switch expr := expr.(type) {
	case *ast.IndexExpr:
		return baseName(expr.X)
	case *ast.IndexListExpr:
		return baseName(expr.X)
	case *ast.Ident:
		return expr.Name
	}
	return ""
}

func values(decl *ast.GenDecl, spec *ast.ValueSpec) []symbol {
	var found []symbol
	for _, name := range spec.Names {
		if name.IsExported() {
			documented := decl.Doc != nil || spec.Doc != nil || spec.Comment != nil
			found = append(found, symbol{name: name.Name, node: name, documented: documented})
		}
	}
	return found
}

func types(decl *ast.GenDecl, spec *ast.TypeSpec) []symbol {
	documented := spec.Doc != nil || spec.Comment != nil || !decl.Lparen.IsValid() && decl.Doc != nil
	found := []symbol{{name: spec.Name.Name, node: spec, isType: true, documented: documented}}
	if !spec.Name.IsExported() {
		return found
	}
	for _, field := range fieldsIn(spec.Type) {
		for _, name := range field.Names {
			if name.IsExported() {
				documented := field.Doc != nil || field.Comment != nil || field.Tag != nil || isOnlyMethod(spec.Type)
				found = append(found, symbol{name: spec.Name.Name + "." + name.Name, node: name, member: true, documented: documented})
			}
		}
	}
	return found
}

// isOnlyMethod reports whether a type is an interface of one method, which the
// interface's comment documents.
func isOnlyMethod(expr ast.Expr) bool {
	methods, ok := expr.(*ast.InterfaceType)
	return ok && len(methods.Methods.List) == 1
}

// fieldsIn returns the fields of a struct or the methods of an interface.
func fieldsIn(expr ast.Expr) []*ast.Field {
	switch expr := expr.(type) {
	case *ast.StructType:
		return expr.Fields.List
	case *ast.InterfaceType:
		return expr.Methods.List
	}
	return nil
}
