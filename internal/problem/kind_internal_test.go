package problem

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"strings"
	"testing"
)

// dynamic has the kinds whose text depends on the request.
var dynamic = map[Kind]bool{
	NotModified: true, BadRequest: true, Invalid: true, Unprocessable: true, Internal: true, Custom: true,
}

func TestEveryKindHasAStatusAndAText(t *testing.T) {
	t.Parallel()
	texts := map[string]Kind{}
	for k := range Kind(len(table)) {
		switch status := k.Status(); {
		case k == NotModified && status == http.StatusNotModified, k == Custom && status == 0:
		case status < 400 || status > 599 || http.StatusText(status) == "":
			t.Errorf("kind %d has the status %d", k, status)
		}
		text := k.Detail()
		if (text == "") != dynamic[k] {
			t.Errorf("kind %d has the text %q; want a dynamic one: %v", k, text, dynamic[k])
		}
		if other, known := texts[text]; known && text != "" {
			t.Errorf("kinds %d and %d have the same text %q", other, k, text)
		}
		if texts[text] = k; text != "" && !strings.HasSuffix(text, ".") {
			t.Errorf("kind %d has the text %q, which does not end with a full stop", k, text)
		}
	}
}

func TestDetailInsertsArguments(t *testing.T) {
	t.Parallel()
	for k := range Kind(len(table)) {
		var args []any
		for _, verb := range strings.Split(k.Detail(), "%")[1:] {
			if verb[0] == 'd' {
				args = append(args, 4711)
			} else {
				args = append(args, "ducat")
			}
		}
		if len(args) == 0 {
			continue
		}
		detail := k.Detail(args...)
		for _, arg := range args {
			if !strings.Contains(detail, fmt.Sprint(arg)) || strings.Contains(detail, "%!") {
				t.Errorf("kind %d with %v has the text %q", k, args, detail)
			}
		}
	}
}

// TestEveryConstantHasARow reads the source, because a constant without a row would panic only when a request needs it.
func TestEveryConstantHasARow(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "kind.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	constants, rows := map[string]bool{}, map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			for _, spec := range n.Specs {
				if values, ok := spec.(*ast.ValueSpec); ok && n.Tok == token.CONST {
					constants[values.Names[0].Name] = true
				}
			}
		case *ast.KeyValueExpr:
			if name, ok := n.Key.(*ast.Ident); ok {
				rows[name.Name] = true
			}
		}
		return true
	})
	for name := range constants {
		if !rows[name] {
			t.Errorf("%s has no row in the table", name)
		}
	}
	if len(constants) != len(table) || len(rows) != len(table) {
		t.Errorf("%d constants and %d rows in a table of %d", len(constants), len(rows), len(table))
	}
}
