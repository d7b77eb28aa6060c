package openapitest_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/validation"
)

// The same resource, before and after a change.
type (
	tome struct {
		ID    int64   `json:"id"`
		Title string  `json:"title" validate:"max=200" api:"filter=partial,sort"`
		Kind  string  `json:"kind" validate:"oneof=a b"`
		Note  *string `json:"note"`
		Parts []part  `json:"parts"`
	}
	part struct {
		Name string `json:"name"`
		Size int    `json:"size"`
	}
)

// writable is a record before its name becomes read-only.
type writable struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

func TestChangesThatBreakClients(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		after  resource.Declaration
		breaks []string // the expected changes, nil if the change does not break clients
	}{
		"nothing": {resource.Of[tome]{}, nil},
		"a new optional field": {renamed[struct {
			ID    int64   `json:"id"`
			Title string  `json:"title" validate:"max=200" api:"filter=partial,sort"`
			Kind  string  `json:"kind" validate:"oneof=a b"`
			Note  *string `json:"note"`
			Parts []part  `json:"parts"`
			More  string  `json:"more"`
		}](), nil},
		"a new required field": {renamed[struct {
			ID    int64   `json:"id"`
			Title string  `json:"title" validate:"max=200" api:"filter=partial,sort"`
			Kind  string  `json:"kind" validate:"oneof=a b"`
			Note  *string `json:"note"`
			Parts []part  `json:"parts"`
			More  string  `json:"more" validate:"required"`
		}](), []string{"POST /api/tomes (createTome): the body at more is required now"}},
		"removed fields": {renamed[struct {
			ID    int64  `json:"id"`
			Title string `json:"title" validate:"max=200" api:"filter=partial,sort"`
			Kind  string `json:"kind" validate:"oneof=a b"`
		}](), []string{
			"GET /api/tomes/{id} (getTome): the response 200 at note was removed", "PATCH /api/tomes/{id} (patchTome): the body at parts was removed",
			"GET /api/tomes (listTomes): the response 200 at [].note was removed",
		}},
		"narrower values": {renamed[struct {
			ID    int64  `json:"id"`
			Title string `json:"title" validate:"max=100" api:"filter=partial,sort"`
			Kind  string `json:"kind" validate:"oneof=a"`
			Note  string `json:"note"`
			Parts []part `json:"parts" validate:"max=3"`
		}](), []string{
			"the body at title accepts fewer values: maxLength", `the body at kind accepts fewer values: enum "b"`, "the body at note accepts fewer values: type null",
			"the body at parts accepts fewer values: maxItems",
		}},
		"wider values": {renamed[struct {
			ID    int64   `json:"id"`
			Title *string `json:"title" validate:"omitempty,max=300" api:"filter=partial,sort"`
			Kind  string  `json:"kind" validate:"oneof=a b c"`
			Note  *string `json:"note"`
			Parts []part  `json:"parts"`
		}](), []string{
			"the response 200 at title can have new values: type null", `the response 200 at kind can have new values: enum "c"`,
		}},
		"other types": {renamed[struct {
			ID    int64             `json:"id"`
			Title string            `json:"title" validate:"max=200" api:"filter=partial,sort"`
			Kind  string            `json:"kind" validate:"oneof=a b"`
			Note  *int              `json:"note"`
			Parts map[string]string `json:"parts"`
		}](), []string{"the body at note accepts fewer values: type string", "the response 200 at note can have new values: type integer", "the body at parts accepts fewer values: type array"}},
		"removed parameters": {renamed[struct {
			ID    int64   `json:"id"`
			Title string  `json:"title" validate:"max=200"`
			Kind  string  `json:"kind" validate:"oneof=a b"`
			Note  *string `json:"note"`
			Parts []part  `json:"parts"`
		}](), []string{"GET /api/tomes (listTomes): the query parameter title was removed", "the query parameter sort was removed"}},
		"fewer pages": {resource.Of[tome]{Pagination: operation.Pagination{MaxItemsPerPage: 50}}, []string{"the query parameter itemsPerPage accepts fewer values: maximum"}},
		"a removed operation": {
			resource.Of[tome]{Operations: []operation.Operation{operation.Get{}, operation.GetCollection{}, operation.Post{}, operation.Put{}, operation.Patch{}}},
			[]string{"DELETE /api/tomes/{id} (deleteTome) was removed"},
		},
		"another path":         {resource.Of[tome]{ShortName: "Volume"}, []string{"GET /api/tomes (listTomes) was removed"}},
		"another status":       {resource.Of[tome]{Operations: append(operation.Standard()[:2:2], operation.Post{Status: 200}, operation.Put{}, operation.Patch{}, operation.Delete{})}, []string{"POST /api/tomes (createTome): the response 201 was removed"}},
		"another operation id": {resource.Of[tome]{ExtraProperties: map[string]any{"standard_put": true}}, []string{"PUT /api/tomes/{id} (updateTome) has the operationId replaceTome now"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "openapi.json")
			openapitest.Golden(t, compile(t, []resource.Declaration{resource.Of[tome]{}}), file)
			notes := &recorder{TB: t}
			openapitest.Golden(notes, compile(t, []resource.Declaration{test.after}), file)
			got := strings.Join(notes.complaints, "\n")
			for _, want := range test.breaks {
				if !strings.Contains(got, want) {
					t.Errorf("no error contains %q:\n%s", want, got)
				}
			}
			if breaks := strings.Count(got, "breaks clients:"); (breaks > 0) != (test.breaks != nil) {
				t.Errorf("%d changes are reported:\n%s", breaks, got)
			}
			if isSame := reflect.DeepEqual(test.after, resource.Declaration(resource.Of[tome]{})); isSame != (got == "") {
				t.Errorf("got: %s", got)
			}
		})
	}
}

// TestAnErrorOfAnotherShapeBreaksClients has one map of messages become a list of violations.
func TestAnErrorOfAnotherShapeBreaksClients(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "openapi.json")
	openapitest.Golden(t, compile(t, []resource.Declaration{resource.Of[tome]{}}), file)
	notes := &recorder{TB: t}
	openapitest.Golden(notes, compile(t, []resource.Declaration{resource.Of[tome]{Errors: validation.Problem}}), file)
	if got := strings.Join(notes.complaints, "\n"); !strings.Contains(got, "breaks clients: POST /api/tomes (createTome): the response 400") {
		t.Errorf("got\n%s", got)
	}
}

func TestCredentialsThatAreRequiredBreakClients(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "openapi.json")
	openapitest.Golden(t, newLoot(t, func(l *resource.Of[loot]) {
		l.Access = access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public}
	}), file)
	notes := &recorder{TB: t}
	openapitest.Golden(notes, newLoot(t, func(l *resource.Of[loot]) {
		l.Access = access.Rules{Read: access.Authenticated, Create: access.Authenticated, Update: access.Authenticated, Delete: access.Authenticated}
	}), file)
	if got := strings.Join(notes.complaints, "\n"); strings.Count(got, "no longer accepts anonymous requests") != 6 {
		t.Errorf("want an error for each of six operations, got\n%s", got)
	}
}

func TestAFieldThatBecomesReadOnlyBreaksClients(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "openapi.json")
	openapitest.Golden(t, compile(t, []resource.Declaration{resource.Of[writable]{ShortName: "Part"}}), file)
	type part struct {
		ID   int64  `json:"id"`
		Name string `json:"name" api:"readonly"`
	}
	notes := &recorder{TB: t}
	openapitest.Golden(notes, compile(t, []resource.Declaration{resource.Of[part]{ShortName: "Part"}}), file)
	if got := strings.Join(notes.complaints, "\n"); !strings.Contains(got, "breaks clients: POST /api/parts (createPart): the body at name is readOnly now") {
		t.Errorf("got\n%s", got)
	}
}

// renamed declares a struct under the name of the one before the change.
func renamed[T any]() resource.Declaration { return resource.Of[T]{ShortName: "Tome"} }

func TestTheGoldenFileIsADocument(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "openapi.json")
	api := compile(t, []resource.Declaration{resource.Of[tome]{}})
	openapitest.Golden(t, api, file)
	text, err := os.ReadFile(file)
	if err != nil || !strings.HasPrefix(string(text), "{\n  \"") || !strings.Contains(string(text), `"openapi": "3.1`) {
		t.Errorf("the file is %.100s (%v)", text, err)
	}
	if err := os.WriteFile(file, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	notes := &fatal{recorder{TB: t}}
	func() {
		defer func() { _ = recover() }()
		openapitest.Golden(notes, api, file)
	}()
	if len(notes.complaints) == 0 {
		t.Error("a file that is not a document is accepted")
	}
}

func TestTheFolderOfAGoldenFileIsCreated(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "testdata", "documents", "openapi.json")
	openapitest.Golden(t, compile(t, []resource.Declaration{resource.Of[tome]{}}), file)
	if text, err := os.ReadFile(file); err != nil || len(text) == 0 {
		t.Errorf("the file has %d bytes (%v)", len(text), err)
	}
}

// fatal is a recorder whose Fatalf ends the test.
type fatal struct{ recorder }

func (f *fatal) Fatalf(format string, args ...any) {
	f.complaints = append(f.complaints, fmt.Sprintf(format, args...))
	panic("ended")
}

// TestComponentsAndDefaultDoNotBreakClients compares documents with and without components and a default response.
func TestComponentsAndDefaultDoNotBreakClients(t *testing.T) {
	t.Parallel()
	type leaf struct {
		ID   int64  `json:"id"`
		Name string `json:"name"`
	}
	declared := []resource.Declaration{resource.Of[tome]{}, resource.Of[leaf]{}}
	kept := func(api *resource.API, config openapi.Config, change func(any) any) string {
		doc, err := openapi.Document(api, config)
		if err != nil {
			t.Fatal(err)
		}
		text, err := doc.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		var root any
		if err := json.Unmarshal(text, &root); err != nil {
			t.Fatal(err)
		}
		if text, err = json.Marshal(change(root)); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "openapi.json")
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	everyStatus := map[string]func(*openapi3.Operation){"listTomes": func(op *openapi3.Operation) {
		op.Responses.Set("503", op.Responses.Default())
		op.Responses.Delete("default")
	}}
	for name, test := range map[string]struct {
		file  string
		after []resource.Declaration
		want  string // an expected change; "" if the documents only differ in text
		not   string
	}{
		"without components": {kept(compile(t, declared), openapi.Config{}, inlined), declared, "", "breaks"},
		"a status instead of the default": {
			kept(compile(t, declared), openapi.Config{Operations: everyStatus}, inlined), declared,
			"0 of the changes break clients", "breaks clients",
		},
		"fewer values in a component": {
			kept(compile(t, declared), openapi.Config{}, inlined),
			[]resource.Declaration{
				resource.Of[tome]{Pagination: operation.Pagination{MaxItemsPerPage: 50}}, resource.Of[leaf]{Pagination: operation.Pagination{MaxItemsPerPage: 50}},
			},
			"breaks clients: GET /api/tomes (listTomes): the query parameter itemsPerPage accepts fewer values: maximum", "the response",
		},
	} {
		notes := &recorder{TB: t}
		openapitest.Golden(notes, compile(t, test.after), test.file)
		got := strings.Join(notes.complaints, "\n")
		if !strings.Contains(got, test.want) || strings.Contains(got, test.not) || !strings.Contains(got, "-update") {
			t.Errorf("%s: got\n%s", name, got)
		}
	}
}

// inlined replaces references with their targets, except for schemas.
func inlined(root any) any {
	components := root.(map[string]any)["components"].(map[string]any)
	var follow func(value any) any
	follow = func(value any) any {
		switch node := value.(type) {
		case []any:
			for i := range node {
				node[i] = follow(node[i])
			}
		case map[string]any:
			ref, _ := node["$ref"].(string)
			if kind, name, _ := strings.Cut(strings.TrimPrefix(ref, "#/components/"), "/"); ref != "" && kind != "schemas" {
				return follow(components[kind].(map[string]any)[name])
			}
			for name := range node {
				node[name] = follow(node[name])
			}
		}
		return value
	}
	return follow(root)
}
