package openapi_test

import (
	"bytes"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/openapi"
)

var update = flag.Bool("update", false, "write the golden documents anew")

func TestDocumentsAreTheGoldenOnes(t *testing.T) {
	t.Parallel()
	for name, c := range configurations() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := newAPI(t, c)
			if err := openapi.Mount(api, c.document); err != nil {
				t.Fatal(err)
			}
			isGolden(t, name, get(t, api, compiled.Of(api).Docs+".json").Body.Bytes())
			if slices.Contains(olderGoldens, name) {
				isGolden(t, name+"_3_0", get(t, api, compiled.Of(api).Docs+".json?version=3.0").Body.Bytes())
			}
		})
	}
}

// olderGoldens are the configurations that are kept in the form of OpenAPI 3.0, too.
var olderGoldens = []string{"access", "collection", "nested", "renamed"}

// isGolden compares a document with the one in testdata.
func isGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	indented := jsontext.Value(got)
	if err := indented.Indent(jsontext.WithIndent("  ")); err != nil {
		t.Fatal(err)
	}
	indented = append(indented, '\n')
	got = indented
	file := filepath.Join("testdata", name+".json")
	if *update {
		if err := os.WriteFile(file, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs; look at it and run the test with -update (-want +got):\n%s", file, diff)
	}
}

func TestGoldenDocumentsAreValid(t *testing.T) {
	t.Parallel()
	names := slices.Collect(maps.Keys(configurations()))
	for _, name := range olderGoldens {
		names = append(names, name+"_3_0")
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			doc, err := openapi3.NewLoader().LoadFromFile(filepath.Join("testdata", name+".json"))
			if err != nil {
				t.Fatal(err)
			}
			if err := doc.Validate(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestADocumentIsTheSameEachTime(t *testing.T) {
	t.Parallel()
	for name, c := range configurations() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var first []byte
			for range 5 {
				api := newAPI(t, c)
				if err := openapi.Mount(api, c.document); err != nil {
					t.Fatal(err)
				}
				body := get(t, api, compiled.Of(api).Docs+".json").Body.Bytes()
				if first == nil {
					first = body
				}
				if !bytes.Equal(first, body) {
					t.Fatal("two documents of one API differ")
				}
			}
		})
	}
}

// TestAHookThatChangesNothingLeavesEachByte writes documents through the types that hooks get.
func TestAHookThatChangesNothingLeavesEachByte(t *testing.T) {
	t.Parallel()
	for name, c := range configurations() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.document.Customize != nil {
				t.Skip("changes the document")
			}
			var plain, hooked bytes.Buffer
			if err := openapi.Export(&plain, newAPI(t, c), c.document); err != nil {
				t.Fatal(err)
			}
			c.document.Customize = func(*openapi3.T) {}
			if err := openapi.Export(&hooked, newAPI(t, c), c.document); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(plain.String(), hooked.String()); diff != "" {
				t.Errorf("the document differs (-plain +hooked):\n%s", diff)
			}
			if !strings.Contains(hooked.String(), `"openapi": "3.`) {
				t.Errorf("the document is %.100s", hooked.String())
			}
		})
	}
}

// TestAHookThatChangesOneThingChangesNothingElse compares the lines of both documents.
func TestAHookThatChangesOneThingChangesNothingElse(t *testing.T) {
	t.Parallel()
	for name, c := range configurations() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.document.Customize != nil {
				t.Skip("changes the document")
			}
			var plain, hooked bytes.Buffer
			if err := openapi.Export(&plain, newAPI(t, c), c.document); err != nil {
				t.Fatal(err)
			}
			c.document.Customize = func(doc *openapi3.T) {
				doc.Info.Title += " (beta)"
				for _, path := range doc.Paths.Map() {
					for _, op := range path.Operations() {
						op.Summary += " (beta)"
					}
				}
			}
			if err := openapi.Export(&hooked, newAPI(t, c), c.document); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(plain.String(), strings.ReplaceAll(hooked.String(), " (beta)", "")); diff != "" {
				t.Errorf("the document differs in more than its title and summaries (-plain +hooked):\n%s", diff)
			}
		})
	}
}
