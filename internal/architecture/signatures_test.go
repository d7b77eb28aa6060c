package architecture_test

import (
	"go/ast"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// shown are the libraries whose types a public package may show its users, because its own
// design is about them. Others stay inside, so that they can be replaced.
var shown = map[string][]string{
	"validation": {"github.com/go-playground/validator/v10"},
	"resource":   {"github.com/go-chi/chi/v5"},
	"openapi":    {"github.com/getkin/kin-openapi"},

	"operation/observe/observeotel": {"go.opentelemetry.io/otel"},
	"operation/observe/observeprom": {"github.com/prometheus/client_golang"},
}

// TestPublicSignaturesNameOnlyWhatUsersCanUse holds that no exported function, method, field,
// variable or type of a public package mentions a type of an internal package, which users
// could not write down, or of a library that is not for them.
func TestPublicSignaturesNameOnlyWhatUsersCanUse(t *testing.T) {
	t.Parallel()
	mentioned := map[string]bool{}
	for _, s := range publicCode(t) {
		imports := importsOf(t, s)
		for _, expr := range signatures(s) {
			ast.Inspect(expr, func(node ast.Node) bool {
				selector, ok := node.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				name, _ := selector.X.(*ast.Ident)
				if name == nil {
					return true
				}
				imported := imports[name.Name]
				mentioned[imported] = true
				if hidden(s.dir, imported) {
					t.Errorf("%s:%d: the signature mentions %s.%s of %s: say it with a type of a public package", s.path, s.line(selector), name.Name, selector.Sel.Name, imported)
				}
				return true
			})
		}
	}
	if !mentioned["context"] || !mentioned["github.com/go-chi/chi/v5"] {
		t.Error("no signature was seen to mention a context or chi: this test looks for the wrong thing")
	}
}

// hidden reports whether the signatures of a package must not mention types of another.
func hidden(dir, imported string) bool {
	if own, ours := strings.CutPrefix(imported, module+"/"); ours {
		return !isPublic(own)
	}
	first, _, _ := strings.Cut(imported, "/")
	return strings.Contains(first, ".") &&
		!slices.ContainsFunc(shown[dir], func(library string) bool { return within(imported, library) })
}

// importsOf returns the paths that a file imports by the names it has for them.
func importsOf(t *testing.T, s source) map[string]string {
	t.Helper()
	imports := map[string]string{}
	for _, spec := range s.file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		name := path.Base(imported)
		if len(name) > 1 && name[0] == 'v' && strings.Trim(name[1:], "0123456789") == "" { // a major version
			name = path.Base(path.Dir(imported))
		}
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imports[name] = imported
	}
	return imports
}

// signatures returns the exported types in a file, without the bodies of functions and without unexported fields.
func signatures(s source) []ast.Node {
	var found []ast.Node
	for _, decl := range s.file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if function(decl) != nil {
				found = append(found, decl.Type)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					if values(decl, spec) != nil && spec.Type != nil {
						found = append(found, spec.Type)
					}
				case *ast.TypeSpec:
					found = append(found, typeSignatures(spec)...)
				}
			}
		}
	}
	return found
}

// typeSignatures returns the exported fields or methods of an exported type, or the whole declaration if it has none.
func typeSignatures(spec *ast.TypeSpec) []ast.Node {
	if !spec.Name.IsExported() {
		return nil
	}
	var found []ast.Node
	if spec.TypeParams != nil {
		found = append(found, spec.TypeParams)
	}
	switch spec.Type.(type) {
	case *ast.StructType, *ast.InterfaceType:
		for _, field := range fieldsIn(spec.Type) {
			isEmbedded := len(field.Names) == 0
			if isEmbedded || slices.ContainsFunc(field.Names, (*ast.Ident).IsExported) {
				found = append(found, field.Type)
			}
		}
	default:
		found = append(found, spec.Type)
	}
	return found
}
