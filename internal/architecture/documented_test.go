package architecture_test

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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

func TestDecisionsAreInTheirIndexOnce(t *testing.T) {
	t.Parallel()
	index, err := os.ReadFile(filepath.Join("..", "..", "docs", "adr", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, line := range regexp.MustCompile(`(?m)^- \[\d+\]\(([^)]+)\)`).FindAllSubmatch(index, -1) {
		listed = append(listed, string(line[1]))
	}
	files, err := filepath.Glob(filepath.Join("..", "..", "docs", "adr", "[0-9]*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range files {
		files[i] = filepath.Base(files[i])
	}
	slices.Sort(listed) // the index has groups
	if diff := cmp.Diff(files, listed); diff != "" {
		t.Errorf("the index is not that of the files (-files +index):\n%s", diff)
	}
}

// TestOnlyTheModelReadsTags checks that only internal/model reads struct tags, so that routes, stores and documents
// cannot read them differently. Package store, which the model imports, finds the identifier of a record by itself. The
// tags that package schema reads are those of its own struct.
func TestOnlyTheModelReadsTags(t *testing.T) {
	t.Parallel()
	readers := map[string]bool{}
	for _, s := range sources(t) {
		if s.isTest() || strings.HasPrefix(s.dir, "examples") {
			continue
		}
		ast.Inspect(s.file, func(node ast.Node) bool {
			if call, ok := node.(*ast.CallExpr); ok && readsTag(call) {
				readers[s.dir] = true
				if s.dir != "internal/model" && s.path != "store/where.go" && s.path != "internal/schema/json.go" {
					t.Errorf("%s:%d reads a struct tag: let internal/model read it into a field of model.Field", s.path, s.line(call))
				}
			}
			return true
		})
	}
	if !readers["internal/model"] {
		t.Error("internal/model was not seen to read tags: this test looks for the wrong thing")
	}
}

// readsTag reports whether a call is Get or Lookup of a field called Tag.
func readsTag(call *ast.CallExpr) bool {
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || method.Sel.Name != "Get" && method.Sel.Name != "Lookup" {
		return false
	}
	of, ok := method.X.(*ast.SelectorExpr)
	return ok && of.Sel.Name == "Tag"
}
