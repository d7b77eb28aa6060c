package reference_test

import (
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// inDefault finds the default in the comment of an option.
var inDefault = regexp.MustCompile(`(?s)\bDefault: (.*?)(?:\. |\.$|$)`)

// docLink finds a link of a Go comment to a name, with the character behind it.
var docLink = regexp.MustCompile("\\[([A-Z][A-Za-z.]+)\\]([^`(]|$)")

// optionTable lists the exported fields of a struct with their types, and the default and the first sentence of their comments.
func optionTable(t *testing.T, dir, name string) string {
	t.Helper()
	of := structOf(t, dir, name)
	var rows [][]string
	for _, field := range of.Fields.List {
		for _, option := range field.Names {
			if !option.IsExported() {
				continue
			}
			text := strings.Join(strings.Fields(field.Doc.Text()), " ")
			if text == "" {
				t.Errorf("%s.%s in %s has no comment", name, option, dir)
			}
			preset := ""
			text = docLink.ReplaceAllString(meaningOf(option.Name, text), "`$1`$2")
			if found := inDefault.FindStringSubmatch(text); found != nil {
				preset = found[1]
			}
			rows = append(rows, []string{code(option.Name), code(typeOf(t, field.Type)), sentence(text), preset})
		}
	}
	if len(rows) == 0 {
		t.Errorf("%s in %s has no options", name, dir)
	}
	return table([]string{"Field", "Type", "Meaning", "Default"}, rows)
}

// meaningOf returns a comment without the name that it begins with.
func meaningOf(name, text string) string {
	text = strings.TrimPrefix(text, name+" ")
	for _, verb := range []string{"is ", "are "} {
		text = strings.TrimPrefix(text, verb)
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// structOf returns the declaration of a struct in a package of this module.
func structOf(t *testing.T, dir, name string) *ast.StructType {
	t.Helper()
	var found *ast.StructType
	for _, file := range parsed(t, dir) {
		ast.Inspect(file, func(node ast.Node) bool {
			if spec, ok := node.(*ast.TypeSpec); ok && spec.Name.Name == name {
				if of, ok := spec.Type.(*ast.StructType); ok {
					found = of
				}
			}
			return found == nil
		})
	}
	if found == nil {
		t.Fatalf("%s has no struct %s", dir, name)
	}
	return found
}

// parsed parses the files of a package, its tests left out.
func parsed(t *testing.T, dir string) []*ast.File {
	t.Helper()
	paths, err := fs.Glob(os.DirFS(filepath.Join(root, dir)), "*.go")
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, dir, path), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

// sentence returns the first sentence of a comment that states no default.
func sentence(text string) string {
	text = strings.TrimSpace(inDefault.ReplaceAllString(text, " "))
	for i := range text {
		if strings.HasPrefix(text[i:], ". ") && !strings.HasSuffix(text[:i], "e.g") {
			return text[:i+1]
		}
	}
	return text
}

// typeOf writes a type as Go does.
func typeOf(t *testing.T, expression ast.Expr) string {
	t.Helper()
	var b strings.Builder
	if err := format.Node(&b, token.NewFileSet(), expression); err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// stringsOf returns the elements of a slice of strings that a package declares as a variable.
func stringsOf(t *testing.T, dir, name string) []string {
	t.Helper()
	var found []string
	for _, file := range parsed(t, dir) {
		ast.Inspect(file, func(node ast.Node) bool {
			spec, ok := node.(*ast.ValueSpec)
			if !ok || spec.Names[0].Name != name || len(spec.Values) == 0 {
				return true
			}
			ast.Inspect(spec.Values[0], func(node ast.Node) bool {
				if literal, ok := node.(*ast.BasicLit); ok && literal.Kind == token.STRING {
					found = append(found, strings.Trim(literal.Value, "`\""))
				}
				return true
			})
			return false
		})
	}
	if len(found) == 0 {
		t.Fatalf("%s declares no strings %s", dir, name)
	}
	return found
}
