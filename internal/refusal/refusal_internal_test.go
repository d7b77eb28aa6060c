package refusal

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"strings"
	"testing"
)

// ownText are the refusals whose text each request makes.
var ownText = map[Refusal]bool{
	NotModified: true, BadRequest: true, Invalid: true, Unauthorized: true, Forbidden: true, Unprocessable: true, Failed: true, Own: true,
}

func TestEveryRefusalHasAStatusAndAText(t *testing.T) {
	t.Parallel()
	texts := map[string]Refusal{}
	for r := range Refusal(len(table)) {
		switch status := r.Status(); {
		case r == NotModified && status == http.StatusNotModified, r == Own && status == 0:
		case status < 400 || status > 599 || http.StatusText(status) == "":
			t.Errorf("refusal %d has the status %d", r, status)
		}
		text := r.Says()
		if (text == "") != ownText[r] {
			t.Errorf("refusal %d says %q; each request has its own: %v", r, text, ownText[r])
		}
		if other, known := texts[text]; known && text != "" {
			t.Errorf("refusals %d and %d both say %q", other, r, text)
		}
		if texts[text] = r; text != "" && !strings.HasSuffix(text, ".") {
			t.Errorf("refusal %d says %q, which is no sentence", r, text)
		}
	}
}

func TestTheSubjectIsPutIntoTheText(t *testing.T) {
	t.Parallel()
	for r := range Refusal(len(table)) {
		var about []any
		for _, verb := range strings.Split(r.Says(), "%")[1:] {
			if verb[0] == 'd' {
				about = append(about, 4711)
			} else {
				about = append(about, "ducat")
			}
		}
		if len(about) == 0 {
			continue
		}
		said := r.Says(about...)
		for _, subject := range about {
			if !strings.Contains(said, fmt.Sprint(subject)) || strings.Contains(said, "%!") {
				t.Errorf("refusal %d says %q of %v", r, said, about)
			}
		}
	}
}

// TestEveryConstantHasARow reads the source, since a constant without a row would be a panic of the request that returns it.
func TestEveryConstantHasARow(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "refusal.go", nil, parser.SkipObjectResolution)
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
		t.Errorf("there are %d constants and %d rows, in a table of %d", len(constants), len(rows), len(table))
	}
}
