package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

const module = "github.com/trove-api/trove/"

// house is the code of the library: all files except tests, packages for tests, examples and other modules.
type house struct {
	files []file
	lines int
}

// file is a file of the library.
type file struct {
	dir  string // from the module's root, with slashes
	tree *ast.File
}

// read reads the library below a root.
func read(root string) (h house, err error) {
	err = filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != root && isForeign(name, entry.Name()):
			return fs.SkipDir
		case entry.IsDir(), filepath.Ext(name) != ".go", strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		tree, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(name))
		h.files = append(h.files, file{filepath.ToSlash(dir), tree})
		h.lines += bytes.Count(text, []byte("\n"))
		return err
	})
	return h, err
}

// isForeign reports whether a directory does not belong to the library.
func isForeign(dir, name string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	isTests := name == "testdata" || strings.HasSuffix(filepath.ToSlash(dir), "internal/spec")
	return err == nil || isTests || name == "examples" || strings.HasPrefix(name, ".")
}

// operation counts the fields that compiled.Operation declares, all of its fields including those of embedded structs,
// and its methods that return only a bool.
func (h house) operation() (declared, fields, predicates int) {
	structs := map[string]*ast.StructType{}
	var methods []*ast.FuncDecl
	for decl := range h.decls("internal/compiled") {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv != nil && decl.Type.Results != nil && len(decl.Type.Results.List) == 1 && nameOf(decl.Type.Results.List[0].Type) == "bool" {
				methods = append(methods, decl)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				if spec, ok := spec.(*ast.TypeSpec); ok {
					structs[spec.Name.Name], _ = spec.Type.(*ast.StructType)
				}
			}
		}
	}
	for pending := []string{"Operation"}; len(pending) > 0; pending = pending[1:] {
		for _, method := range methods {
			if nameOf(method.Recv.List[0].Type) == pending[0] {
				predicates++
			}
		}
		if structs[pending[0]] == nil {
			continue
		}
		for _, field := range structs[pending[0]].Fields.List {
			if pending[0] == "Operation" {
				declared += max(len(field.Names), 1)
			}
			switch name := nameOf(field.Type); {
			case len(field.Names) == 0 && structs[name] != nil:
				pending = append(pending, name)
			default:
				fields += max(len(field.Names), 1)
			}
		}
	}
	return declared, fields, predicates
}

// decls yields the declarations of a package.
func (h house) decls(dir string) func(yield func(ast.Decl) bool) {
	return func(yield func(ast.Decl) bool) {
		for _, f := range h.files {
			for _, decl := range f.tree.Decls {
				if f.dir == dir && !yield(decl) {
					return
				}
			}
		}
	}
}

// nameOf returns the name of a type or of a pointer to it, "" for others.
func nameOf(expr ast.Expr) string {
	if pointer, ok := expr.(*ast.StarExpr); ok {
		expr = pointer.X
	}
	name, _ := expr.(*ast.Ident)
	if name == nil {
		return ""
	}
	return name.Name
}

// cases counts the cases of switches that name a model.Kind, and the files that have any.
func (h house) cases() (cases, files int) {
	kinds := h.kinds()
	for _, f := range h.files {
		before := cases
		ast.Inspect(f.tree, func(node ast.Node) bool {
			if clause, ok := node.(*ast.CaseClause); ok && namesKind(clause, kinds) {
				cases++
			}
			return true
		})
		if cases > before {
			files++
		}
	}
	return cases, files
}

// kinds returns the constants of model.Kind, which are those of the group that begins with the type.
func (h house) kinds() map[string]bool {
	kinds := map[string]bool{}
	for decl := range h.decls("internal/model") {
		group, ok := decl.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST || nameOf(group.Specs[0].(*ast.ValueSpec).Type) != "Kind" {
			continue
		}
		for _, spec := range group.Specs {
			for _, name := range spec.(*ast.ValueSpec).Names {
				kinds[name.Name] = true
			}
		}
	}
	return kinds
}

func namesKind(clause *ast.CaseClause, kinds map[string]bool) bool {
	for _, expr := range clause.List {
		if selector, ok := expr.(*ast.SelectorExpr); ok && kinds[selector.Sel.Name] && nameOf(selector.X) == "model" {
			return true
		}
	}
	return false
}

// chain returns the longest chain of imports that begins at a package.
func (h house) chain() []string {
	imports := map[string][]string{}
	for _, f := range h.files {
		for _, spec := range f.tree.Imports {
			if imported, err := strconv.Unquote(spec.Path.Value); err == nil && strings.HasPrefix(imported, module) {
				imports[f.dir] = append(imports[f.dir], strings.TrimPrefix(imported, module))
			}
		}
	}
	chains := map[string][]string{}
	var from func(dir string) []string
	from = func(dir string) []string {
		if chains[dir] == nil {
			var longest []string
			for _, imported := range imports[dir] {
				if below := from(imported); len(below) > len(longest) {
					longest = below
				}
			}
			chains[dir] = append([]string{dir}, longest...)
		}
		return chains[dir]
	}
	var longest []string
	for _, f := range h.files {
		if found := from(f.dir); len(found) > len(longest) {
			longest = found
		}
	}
	return longest
}

// exported counts the exported names of packages without methods and fields, and how many of these users can import.
func (h house) exported() (all, public int) {
	for _, f := range h.files {
		count := 0
		for _, decl := range f.tree.Decls {
			for _, name := range names(decl) {
				if ast.IsExported(name) {
					count++
				}
			}
		}
		all += count
		if isPublic := path.Base(f.dir) != "internal" && !strings.Contains("/"+f.dir, "/internal/"); isPublic {
			public += count
		}
	}
	return all, public
}

// names returns the names that a declaration adds to its package.
func names(decl ast.Decl) (found []string) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if decl.Recv == nil {
			found = append(found, decl.Name.Name)
		}
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				found = append(found, spec.Name.Name)
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					found = append(found, name.Name)
				}
			}
		}
	}
	return found
}
