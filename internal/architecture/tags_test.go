package architecture_test

import (
	"go/ast"
	"strings"
	"testing"
)

// TestOnlyTheModelReadsTags checks that only internal/model reads struct tags, so that routes, stores and documents
// cannot read them differently.
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
				if s.dir != "internal/model" {
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
