// Package architecture_test holds the rules that the code as a whole keeps: who
// imports whom, how long things are, and what is documented.
package architecture_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
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
