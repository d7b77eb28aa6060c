package architecture_test

import (
	"go/ast"
	"strings"
	"testing"
)

func TestExportedSymbolsOfPublicPackagesAreDocumented(t *testing.T) {
	t.Parallel()
	for _, s := range publicCode(t) {
		for symbol := range symbols(s) {
			if !symbol.documented && ast.IsExported(symbol.name) {
				t.Errorf("%s:%d: %s has no comment: say what it promises, its default and its zero value", s.path, s.line(symbol.node), symbol.name)
			}
		}
	}
}

func TestTypesOfInternalPackagesAreDocumented(t *testing.T) {
	t.Parallel()
	for _, s := range code(t) {
		if !strings.HasPrefix(s.dir, "internal/") {
			continue
		}
		for symbol := range symbols(s) {
			if symbol.isType && !symbol.documented {
				t.Errorf("%s:%d: type %s has no comment: say what it stands for", s.path, s.line(symbol.node), symbol.name)
			}
		}
	}
}

func TestPackagesAreDocumented(t *testing.T) {
	t.Parallel()
	documented := map[string]bool{}
	for _, s := range code(t) {
		documented[s.dir] = documented[s.dir] || s.file.Doc != nil
	}
	for dir, has := range documented {
		if !has && dir != "examples/bookshop" { // the README is its documentation, line by line
			t.Errorf("package %s has no comment: say what it is for before its package clause", dir)
		}
	}
}

// publicCode returns the sources of packages that users import, conformance kits
// included.
func publicCode(t *testing.T) []source {
	t.Helper()
	var public []source
	for _, s := range sources(t) {
		if isPublic(s.dir) && !strings.HasSuffix(s.path, "_test.go") {
			public = append(public, s)
		}
	}
	return public
}
