package openapitest_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

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
		breaks []string // what is told; none for a change that breaks nobody
	}{
		"nothing": {resource.Of[tome]{}, nil},
		"a new optional member": {renamed[struct {
			ID    int64   `json:"id"`
			Title string  `json:"title" validate:"max=200" api:"filter=partial,sort"`
			Kind  string  `json:"kind" validate:"oneof=a b"`
			Note  *string `json:"note"`
			Parts []part  `json:"parts"`
			More  string  `json:"more"`
		}](), nil},
		"a new required member": {renamed[struct {
			ID    int64   `json:"id"`
			Title string  `json:"title" validate:"max=200" api:"filter=partial,sort"`
			Kind  string  `json:"kind" validate:"oneof=a b"`
			Note  *string `json:"note"`
			Parts []part  `json:"parts"`
			More  string  `json:"more" validate:"required"`
		}](), []string{"POST /api/tomes (createTome): the body at more is required now"}},
		"members that go": {renamed[struct {
			ID    int64  `json:"id"`
			Title string `json:"title" validate:"max=200" api:"filter=partial,sort"`
			Kind  string `json:"kind" validate:"oneof=a b"`
		}](), []string{
			"GET /api/tomes/{id} (getTome): the answer 200 at note is gone", "PATCH /api/tomes/{id} (patchTome): the body at parts is gone",
			"GET /api/tomes (listTomes): the answer 200 at [].note is gone",
		}},
		"narrower values": {renamed[struct {
			ID    int64  `json:"id"`
			Title string `json:"title" validate:"max=100" api:"filter=partial,sort"`
			Kind  string `json:"kind" validate:"oneof=a"`
			Note  string `json:"note"`
			Parts []part `json:"parts" validate:"max=3"`
		}](), []string{
			"the body at title takes fewer values: maxLength", `the body at kind takes fewer values: enum "b"`, "the body at note takes fewer values: type null",
			"the body at parts takes fewer values: maxItems",
		}},
		"wider values": {renamed[struct {
			ID    int64   `json:"id"`
			Title *string `json:"title" validate:"omitempty,max=300" api:"filter=partial,sort"`
			Kind  string  `json:"kind" validate:"oneof=a b c"`
			Note  *string `json:"note"`
			Parts []part  `json:"parts"`
		}](), []string{
			"the answer 200 at title has values that it did not have: type null", `the answer 200 at kind has values that it did not have: enum "c"`,
		}},
		"other types": {renamed[struct {
			ID    int64             `json:"id"`
			Title string            `json:"title" validate:"max=200" api:"filter=partial,sort"`
			Kind  string            `json:"kind" validate:"oneof=a b"`
			Note  *int              `json:"note"`
			Parts map[string]string `json:"parts"`
		}](), []string{"the body at note takes fewer values: type string", "the answer 200 at note has values that it did not have: type integer", "the body at parts takes fewer values: type array"}},
		"parameters that go": {renamed[struct {
			ID    int64   `json:"id"`
			Title string  `json:"title" validate:"max=200"`
			Kind  string  `json:"kind" validate:"oneof=a b"`
			Note  *string `json:"note"`
			Parts []part  `json:"parts"`
		}](), []string{"GET /api/tomes (listTomes): the query parameter title is gone", "the query parameter sort is gone"}},
		"fewer pages": {resource.Of[tome]{Pagination: operation.Pagination{MaxItemsPerPage: 50}}, []string{"the query parameter itemsPerPage takes fewer values: maximum"}},
		"an operation that goes": {
			resource.Of[tome]{Operations: []operation.Operation{operation.Get{}, operation.GetCollection{}, operation.Post{}, operation.Put{}, operation.Patch{}}},
			[]string{"DELETE /api/tomes/{id} (deleteTome) is gone"},
		},
		"a path that moves":    {resource.Of[tome]{ShortName: "Volume"}, []string{"GET /api/tomes (listTomes) is gone"}},
		"another status":       {resource.Of[tome]{Operations: append(operation.Standard()[:2:2], operation.Post{Status: 200}, operation.Put{}, operation.Patch{}, operation.Delete{})}, []string{"POST /api/tomes (createTome): the answer 201 is gone"}},
		"another operation id": {resource.Of[tome]{ExtraProperties: map[string]any{"standard_put": true}}, []string{"PUT /api/tomes/{id} (updateTome) is called replaceTome now"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "openapi.json")
			openapitest.Golden(t, compile(t, []resource.Declaration{resource.Of[tome]{}}), file)
			notes := &recorder{TB: t}
			openapitest.Golden(notes, compile(t, []resource.Declaration{test.after}), file)
			told := strings.Join(notes.complaints, "\n")
			for _, want := range test.breaks {
				if !strings.Contains(told, want) {
					t.Errorf("no mention of %q in:\n%s", want, told)
				}
			}
			if breaks := strings.Count(told, "breaks clients:"); (breaks > 0) != (test.breaks != nil) {
				t.Errorf("%d changes are told:\n%s", breaks, told)
			}
			if isSame := reflect.DeepEqual(test.after, resource.Declaration(resource.Of[tome]{})); isSame != (told == "") {
				t.Errorf("told: %s", told)
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
	if told := strings.Join(notes.complaints, "\n"); !strings.Contains(told, "breaks clients: POST /api/tomes (createTome): the answer 400") {
		t.Errorf("told is\n%s", told)
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
	if told := strings.Join(notes.complaints, "\n"); strings.Count(told, "no longer takes no credentials") != 6 {
		t.Errorf("want a complaint about each of six operations, told is\n%s", told)
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
	if told := strings.Join(notes.complaints, "\n"); !strings.Contains(told, "breaks clients: POST /api/parts (createPart): the body at name is readOnly now") {
		t.Errorf("told is\n%s", told)
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
		t.Error("a file that is no document is taken")
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

// fatal is a recorder that ends what it watches.
type fatal struct{ recorder }

func (f *fatal) Fatalf(format string, args ...any) {
	f.complaints = append(f.complaints, fmt.Sprintf(format, args...))
	panic("ended")
}

// TestWhatADocumentSaysCountsNotWhere keeps documents that say the same otherwise, or more.
func TestWhatADocumentSaysCountsNotWhere(t *testing.T) {
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
	for name, test := range map[string]struct {
		file  string
		after []resource.Declaration
		want  string // that is told; "" for nothing but that the file is another
		not   string
	}{
		"everything in its place": {kept(compile(t, declared), openapi.Config{}, inlined), declared, "", "breaks"},
		"every status": {
			kept(compile(t, declared), openapi.Config{EveryStatus: true}, inlined), declared,
			"breaks nobody: GET /api/tomes (listTomes): the answer 406 is told by default now", "breaks clients",
		},
		"fewer values in a component": {
			kept(compile(t, declared), openapi.Config{}, inlined),
			[]resource.Declaration{
				resource.Of[tome]{Pagination: operation.Pagination{MaxItemsPerPage: 50}}, resource.Of[leaf]{Pagination: operation.Pagination{MaxItemsPerPage: 50}},
			},
			"breaks clients: GET /api/tomes (listTomes): the query parameter itemsPerPage takes fewer values: maximum", "breaks nobody",
		},
	} {
		notes := &recorder{TB: t}
		openapitest.Golden(notes, compile(t, test.after), test.file)
		told := strings.Join(notes.complaints, "\n")
		if !strings.Contains(told, test.want) || strings.Contains(told, test.not) || !strings.Contains(told, "-update") {
			t.Errorf("%s: told is\n%s", name, told)
		}
	}
}

// inlined puts what references lead to in their place, but for schemas.
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
