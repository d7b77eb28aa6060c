package main

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// declaration is one of a program: what it is called, and its text with the comment before it.
type declaration struct{ name, text string }

// program is what somebody has who types along, by the names of its files.
type program map[string][]declaration

var heading = regexp.MustCompile(`(?m)^## \d+\. `)

// stepsOf returns the text of each step of the tutorial.
func stepsOf(t *testing.T) []string {
	t.Helper()
	return heading.Split(read(t, "../../docs/guides/tutorial.md"), -1)[1:]
}

// blocks returns the blocks of a language in a text.
func blocks(text, language string) (all []string) {
	for _, found := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(text, -1) {
		all = append(all, found[1])
	}
	return all
}

// typed does what the guide tells of a block of code: what it declares is new, or takes the place of what had that name.
func (p program) typed(t *testing.T, block string) {
	t.Helper()
	file, code, _ := strings.Cut(strings.TrimPrefix(block, "// "), "\n")
	if !strings.HasSuffix(file, ".go") {
		t.Fatalf("a block does not begin with the name of its file:\n%s", block)
	}
	if !strings.HasPrefix(code, "package ") {
		code = "package main\n" + code
	}
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, file, code, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	for _, decl := range parsed.Decls {
		name, doc := nameOf(decl)
		if name == "" {
			continue
		}
		start := decl.Pos()
		if doc != nil {
			start = doc.Pos()
		}
		found := declaration{name, code[files.Position(start).Offset:files.Position(decl.End()).Offset]}
		if i := slices.IndexFunc(p[file], func(d declaration) bool { return d.name == name }); i >= 0 {
			p[file][i] = found
		} else {
			p[file] = append(p[file], found)
		}
	}
}

// nameOf is what a declaration is called, and its comment; "" for imports.
func nameOf(decl ast.Decl) (string, *ast.CommentGroup) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		return decl.Name.Name, decl.Doc
	case *ast.GenDecl:
		switch spec := decl.Specs[0].(type) {
		case *ast.TypeSpec:
			return spec.Name.Name, decl.Doc
		case *ast.ValueSpec:
			return spec.Names[0].Name, decl.Doc
		}
	}
	return "", nil
}

// imports are those of the tutorial, by the name in code.
var imports = map[string]string{
	"base64": "encoding/base64", "context": "context", "errors": "errors", "http": "net/http", "httptest": "net/http/httptest",
	"log": "log", "maps": "maps", "strings": "strings", "testing": "testing",
	"access": trove + "access", "accesstest": trove + "access/accesstest", "csv": trove + "format/csv", "format": trove + "format",
	"edge": trove + "resource/edge", "jsonld": trove + "format/jsonld", "mcp": trove + "mcp", "openapi": trove + "openapi", "openapitest": trove + "openapi/openapitest",
	"operation": trove + "operation", "password": trove + "access/password", "resource": trove + "resource", "sqlite": trove + "store/sqlstore/sqlite",
	"sqlstore": trove + "store/sqlstore", "store": trove + "store", "validation": trove + "validation",
}

const trove = "github.com/trove-api/trove/"

// source is a file of the program, as an editor would leave it, in a package.
func (p program) source(t *testing.T, file, pkg string) string {
	t.Helper()
	var body strings.Builder
	for _, d := range p[file] {
		body.WriteString(d.text + "\n\n")
	}
	var standard, others []string
	for name, path := range imports {
		if !regexp.MustCompile(`(^|[^.\w"])` + name + `\.[A-Z]`).MatchString(body.String()) {
			continue
		}
		if strings.Contains(path, ".") {
			others = append(others, fmt.Sprintf("%q", path))
		} else {
			standard = append(standard, fmt.Sprintf("%q", path))
		}
	}
	slices.Sort(standard)
	slices.Sort(others)
	text := "package " + pkg + "\n\nimport (\n" + strings.Join(standard, "\n") + "\n\n" + strings.Join(others, "\n") + "\n)\n\n" + body.String()
	formatted, err := format.Source([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return string(formatted)
}

// importable lets one test run all programs: packages main cannot be imported, and passwords shall cost little.
var importable = strings.NewReplacer("func main()", "func Main()", "// main ", "// Main ", "newAPI", "NewAPI", "new(password.Hasher)", "&password.Hasher{Memory: 8, Passes: 1}")

const generated = "// Code generated from docs/guides/tutorial.md by go test ./examples/tutorial -update. DO NOT EDIT.\n\n"

func TestWhoTypesAlongHasTheProgramOfEachStep(t *testing.T) {
	t.Parallel()
	typed := program{}
	for i, text := range stepsOf(t) {
		for _, block := range blocks(text, "go") {
			typed.typed(t, block)
		}
		folder := fmt.Sprintf("step%02d", i+1)
		var want []string
		for _, file := range slices.Sorted(maps.Keys(typed)) {
			path := filepath.Join(folder, file)
			var source string
			if file == "api_test.go" { // run here, once
				path, source = file, generated+typed.source(t, file, "main")
			} else {
				source = generated + importable.Replace(typed.source(t, file, folder))
				if file == "main.go" {
					source = strings.Replace(source, "package ", fmt.Sprintf("// Package %s is the program after step %d of the tutorial.\npackage ", folder, i+1), 1)
				}
				want = append(want, path)
			}
			if *update {
				write(t, path, source)
			} else if diff := cmp.Diff(read(t, path), source); diff != "" {
				t.Errorf("%s is not what the guide says (run the test with -update; -file +guide):\n%s", path, diff)
			}
		}
		if files, err := filepath.Glob(folder + "/*"); err != nil || !slices.Equal(files, want) {
			t.Errorf("%s has files %q, want %q (%v)", folder, files, want, err)
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
