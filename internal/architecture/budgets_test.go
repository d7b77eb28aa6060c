package architecture_test

import (
	"go/ast"
	"slices"
	"testing"
)

// The budgets. Split a text that outgrows one along its ideas; do not squeeze it. No budget limits the median function,
// because that leads to chains of tiny functions which are only read together.
const (
	maxFile     = 500 // lines
	maxFunction = 60
	maxExported = 30 // names of a public package
)

// roomier are the public packages that people write against, with as many exported names
// as each may have.
// Of store thirteen are operators, seven make conditions, five are about constraints, and four about aggregations.
// Of store/sqlstore ten are for drivers, and four for operators.
var roomier = map[string]int{"access": 32, "operation": 57, "resource": 45, "store": 78, "store/sqlstore": 32}

func TestFilesAreShort(t *testing.T) {
	t.Parallel()
	for _, s := range code(t) {
		if s.lines > maxFile {
			t.Errorf("%s has %d lines, more than %d: give each of its ideas a file", s.path, s.lines, maxFile)
		}
	}
}

func TestFunctionsAreShort(t *testing.T) {
	t.Parallel()
	for _, s := range code(t) {
		for _, decl := range s.file.Decls {
			function, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if length := s.length(function); length > maxFunction {
				t.Errorf("%s:%d: %s has %d lines, more than %d: give its steps names", s.path, s.line(function), function.Name.Name, length, maxFunction)
			}
		}
	}
}

func TestPublicPackagesAreSmall(t *testing.T) {
	t.Parallel()
	names := map[string]int{}
	for _, s := range code(t) {
		if isPublic(s.dir) {
			for symbol := range symbols(s) {
				if !symbol.member && ast.IsExported(symbol.name) {
					names[s.dir]++
				}
			}
		}
	}
	if len(names) == 0 {
		t.Fatal("found no exported name in any public package")
	}
	for dir, count := range names {
		allowed := max(maxExported, roomier[dir])
		if count > allowed {
			t.Errorf("package %s exports %d names, more than %d: unexport what users can do without", dir, count, allowed)
		}
	}
}

// code returns the sources that are not tests.
func code(t *testing.T) []source {
	t.Helper()
	return slices.DeleteFunc(sources(t), source.isTest)
}
