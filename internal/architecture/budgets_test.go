package architecture_test

import (
	"go/ast"
	"slices"
	"testing"
)

// The budgets. A text that outgrows one is split along its ideas, not squeezed.
const (
	maxFile        = 400 // lines
	medianFile     = 120
	maxFunction    = 60
	medianFunction = 8
	maxExported    = 30  // names of a public package
	testsPerCode   = 1.2 // lines
)

func TestFilesAreShort(t *testing.T) {
	t.Parallel()
	files := code(t)
	lengths := make([]int, 0, len(files))
	for _, s := range files {
		lengths = append(lengths, s.lines)
		if s.lines > maxFile {
			t.Errorf("%s has %d lines, more than %d: give each of its ideas a file", s.path, s.lines, maxFile)
		}
	}
	if m := median(lengths); m > medianFile {
		t.Errorf("the median file has %d lines, more than %d: split the longest by what they are about", m, medianFile)
	}
}

func TestFunctionsAreShort(t *testing.T) {
	t.Parallel()
	var lengths []int
	for _, s := range code(t) {
		for _, decl := range s.file.Decls {
			function, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			length := s.length(function)
			lengths = append(lengths, length)
			if length > maxFunction {
				t.Errorf("%s:%d: %s has %d lines, more than %d: give its steps names", s.path, s.line(function), function.Name.Name, length, maxFunction)
			}
		}
	}
	if m := median(lengths); m > medianFunction {
		t.Errorf("the median function has %d lines, more than %d: give steps of the longest names", m, medianFunction)
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
		if count > maxExported {
			t.Errorf("package %s exports %d names, more than %d: unexport what users can do without", dir, count, maxExported)
		}
	}
}

func TestTestsOutweighCode(t *testing.T) {
	t.Parallel()
	var tests, others int
	for _, s := range sources(t) {
		if s.isTest() {
			tests += s.lines
		} else {
			others += s.lines
		}
	}
	if float64(tests) < testsPerCode*float64(others) {
		t.Errorf("%d lines of tests for %d of code, less than %.1f for each: look at `make cover` for what no test runs", tests, others, testsPerCode)
	}
}

// code returns the sources that are no tests.
func code(t *testing.T) []source {
	t.Helper()
	return slices.DeleteFunc(sources(t), source.isTest)
}

func median(values []int) int {
	slices.Sort(values)
	return values[len(values)/2]
}
