package accesstest_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/access/accesstest"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// exampleTest is the *testing.T of a test, for an example.
type exampleTest struct{ testing.TB }

func (exampleTest) Helper()                        {}
func (exampleTest) Context() context.Context       { return context.Background() }
func (exampleTest) Errorf(format string, a ...any) { fmt.Printf(format+"\n", a...) }
func (exampleTest) Fatalf(format string, a ...any) { panic(fmt.Sprintf(format, a...)) }

// Matrix writes a missing file.
func ExampleMatrix() {
	api, err := resource.New(
		resource.Config{Authentication: []access.Scheme{access.Bearer("token", byName)}},
		resource.Of[treasure]{
			Store:  memory.New(treasure{1, "gold", true, 1}, treasure{2, "draft", false, 1}),
			Access: access.Rules{Read: access.Any(published, owner), Create: owner, Update: owner, Delete: admin},
		},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	var t exampleTest // in a test, use its *testing.T
	file := filepath.Join(os.TempDir(), fmt.Sprintf("access-%d.golden", os.Getpid()))
	defer func() { _ = os.Remove(file) }()
	accesstest.Matrix(t, api, file,
		accesstest.Callers{
			{Name: "anonymous"},
			{Name: "ann", Header: http.Header{"Authorization": {"Bearer ann"}}},
			{Name: "bob", Header: http.Header{"Authorization": {"Bearer bob"}}},
		},
		accesstest.Records{"Treasure": {"published": "1", "draft": "2"}})

	table, _ := os.ReadFile(file)
	for line := range strings.Lines(string(table)) {
		if strings.HasPrefix(line, "get") || strings.HasPrefix(line, "patch") {
			fmt.Print(line)
		}
	}
	// Output:
	// getTreasure     draft           404        200  404
	// getTreasure     published       200        200  200
	// patchTreasure   draft           401        200  404
	// patchTreasure   published       401        200  403
}
