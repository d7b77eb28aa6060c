package tutorial_test

import (
	"errors"
	"flag"
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

var update = flag.Bool("update", false, "write the programs of the tutorial's steps")

const (
	page      = "../../docs/tutorial.md"
	generated = "// Code generated from docs/tutorial.md by go test ./examples/tutorial -update. DO NOT EDIT.\n\n"
	trove     = "github.com/trove-api/trove/"
)

// step is a step of the page: its text, and the program after it.
type step struct {
	folder, text string
	program      map[string]string // source by file name
}

// steps reads the page and types its code along.
func steps(t *testing.T) (all []step) {
	t.Helper()
	typed := program{}
	for i, text := range regexp.MustCompile(`(?m)^## \d+\. `).Split(read(t, page), -1)[1:] {
		s := step{folder: fmt.Sprintf("step%02d", i+1), text: text, program: map[string]string{}}
		for _, block := range blocks(text, "go") {
			typed.add(t, s.folder, block)
		}
		for file := range typed {
			s.program[file] = typed.source(t, file)
		}
		s.program["main.go"] = fmt.Sprintf("// Command %s is the program after step %d of docs/tutorial.md.\n%s", s.folder, i+1, s.program["main.go"])
		all = append(all, s)
	}
	return all
}

// blocks returns the code blocks of a language in a page.
func blocks(text, language string) (all []string) {
	for _, found := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(text, -1) {
		all = append(all, found[1])
	}
	return all
}

// declaration is a declaration of a program: its comment, and its code.
type declaration struct{ name, comment, code string }

// program is what a reader has who follows the page: the declarations of each file.
type program map[string][]declaration

// add adds the declarations of a block to the file that the block names, or replaces those with the same name.
func (p program) add(t *testing.T, folder, block string) {
	t.Helper()
	file, code, _ := strings.Cut(strings.TrimPrefix(block, "// "), "\n")
	if !strings.HasSuffix(file, ".go") {
		t.Fatalf("%s: a block does not start with the name of its file:\n%s", folder, block)
	}
	if code = strings.TrimLeft(code, "\n"); !strings.HasPrefix(code, "package ") {
		code = "package main\n\n" + code
	}
	if formatted, err := format.Source([]byte(code)); err != nil || string(formatted) != code {
		t.Errorf("%s: a block is not formatted: %v\n%s", folder, err, cmp.Diff(code, string(formatted)))
	}
	for _, d := range declarations(t, file, code) {
		i := slices.IndexFunc(p[file], func(old declaration) bool { return old.name == d.name })
		if i < 0 {
			if strings.Contains(d.code, mark) || strings.Contains(d.code, elision) {
				t.Errorf("%s: %s is new: it needs no marks, and all of its lines", folder, d.name)
			}
			p[file] = append(p[file], d)
			continue
		}
		old := &p[file][i]
		if d.comment != "" {
			old.comment = d.comment
		}
		merged, err := merge(old.code, d.code)
		if err != nil {
			t.Errorf("%s: %s: %v", folder, d.name, err)
		}
		old.code = merged
	}
}

// declarations returns what the code of a file declares, without its imports.
func declarations(t *testing.T, file, code string) (all []declaration) {
	t.Helper()
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, file, code, parser.ParseComments)
	if err != nil {
		t.Fatalf("%v\n%s", err, code)
	}
	text := func(node ast.Node) string {
		return code[files.Position(node.Pos()).Offset:files.Position(node.End()).Offset]
	}
	for _, decl := range parsed.Decls {
		name, comment := nameOf(decl)
		if name == "" {
			continue
		}
		d := declaration{name: name, code: text(decl)}
		if comment != nil {
			d.comment = text(comment) + "\n"
		}
		all = append(all, d)
	}
	return all
}

// nameOf returns the name of a declaration, and its comment; "" for imports.
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

// imports holds what the programs import, by the name in code.
var imports = map[string]string{
	"base64": "encoding/base64", "context": "context", "flag": "flag", "http": "net/http",
	"httptest": "net/http/httptest", "log": "log", "maps": "maps", "strings": "strings", "testing": "testing",
	"access": trove + "access", "accesstest": trove + "access/accesstest", "openapi": trove + "openapi",
	"openapitest": trove + "openapi/openapitest", "operation": trove + "operation", "password": trove + "access/password",
	"resource": trove + "resource", "sqlite": trove + "store/sqlstore/sqlite", "sqlstore": trove + "store/sqlstore",
	"store": trove + "store", "validation": trove + "validation",
}

// source returns a file as an editor that adds imports leaves it.
func (p program) source(t *testing.T, file string) string {
	t.Helper()
	var body strings.Builder
	for _, d := range p[file] {
		body.WriteString("\n" + d.comment + d.code + "\n")
	}
	var standard, others []string
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		path := fmt.Sprintf("%q", imports[name])
		switch used := regexp.MustCompile(`(^|[^.\w"])` + name + `\.[A-Z]`).MatchString(body.String()); {
		case used && strings.Contains(path, "."):
			others = append(others, path)
		case used:
			standard = append(standard, path)
		}
	}
	slices.Sort(standard)
	slices.Sort(others)
	formatted, err := format.Source([]byte("package main\n\nimport (\n" + strings.Join(standard, "\n") + "\n\n" + strings.Join(others, "\n") + "\n)\n" + body.String()))
	if err != nil {
		t.Fatal(err)
	}
	return string(formatted)
}

func TestProgramsAreThoseOfThePage(t *testing.T) {
	t.Parallel()
	for _, s := range steps(t) {
		if *update {
			remove(t, s.folder)
			write(t, s.folder, s.program, generated)
		}
		for file, source := range s.program {
			path := filepath.Join(s.folder, file)
			if diff := cmp.Diff(read(t, path), generated+source); diff != "" {
				t.Errorf("%s differs from the page (run the test with -update; -file +page):\n%s", path, diff)
			}
		}
		found, err := filepath.Glob(s.folder + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range found {
			if file := filepath.Base(path); s.program[file] == "" && file != "guide_test.go" {
				t.Errorf("%s is not a file of the page", path)
			}
		}
	}
}

// remove removes the programs of a folder, whose files may have other names now.
func remove(t *testing.T, folder string) {
	t.Helper()
	old, err := filepath.Glob(folder + "/*.go")
	for _, path := range old {
		if filepath.Base(path) != "guide_test.go" {
			err = errors.Join(err, os.Remove(path))
		}
	}
	if err != nil {
		t.Fatal(err)
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

// write writes the files of a program to a folder, each after a header.
func write(t *testing.T, folder string, files map[string]string, header string) {
	t.Helper()
	if err := os.MkdirAll(folder, 0o750); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(header+text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
