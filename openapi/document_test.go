package openapi_test

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/validation"
)

func TestADocumentIsTheCallersToChange(t *testing.T) {
	t.Parallel()
	api := newAPI(t, configuration{declarations: []resource.Declaration{resource.Of[Category]{}}})
	config := openapi.Config{Contact: &openapi3.Contact{Name: "Ada"}, License: &openapi3.License{Name: "MIT"}, Servers: openapi3.Servers{{URL: "/"}}}
	first := documented(t, api, config)
	first.Info.Contact.Name, first.Info.License.Name, first.Servers[0].URL = "Eve", "none", "/evil"
	first.Components.Schemas["Category"].Value.Required = nil
	second := documented(t, api, config)
	if second.Info.Contact.Name != "Ada" || second.Info.License.Name != "MIT" || second.Servers[0].URL != "/" {
		t.Errorf("a change of one document reaches the config: %v, %v, %v", second.Info.Contact, second.Info.License, second.Servers[0])
	}
	if second.Components.Schemas["Category"].Value.Required == nil {
		t.Error("a change of one document reaches the next one")
	}
}

func TestDefaultsOfConfig(t *testing.T) {
	t.Parallel()
	doc := documented(t, newAPI(t, configuration{}), openapi.Config{OpenAPI: "3.1"})
	want := &openapi3.Info{Title: "API", Version: "0.0.0"}
	if diff := cmp.Diff(want, doc.Info); diff != "" || doc.OpenAPI != "3.1.1" {
		t.Errorf("the document is %s with this head (-want +got):\n%s", doc.OpenAPI, diff)
	}
}

func TestUsersChangeTheDocument(t *testing.T) {
	t.Parallel()
	api := newAPI(t, configuration{declarations: []resource.Declaration{resource.Of[Category]{Operations: only(operation.Get{})}}})
	deprecate := map[string]func(*openapi3.Operation){"getCategory": func(op *openapi3.Operation) { op.Deprecated = true }}
	doc := documented(t, api, openapi.Config{Operations: deprecate, Customize: func(doc *openapi3.T) {
		if doc.Paths.Value("/api/categories/{id}").Get.Deprecated {
			doc.Info.Title = "Old"
		}
		doc.Components.Schemas["Extra"] = openapi3.NewSchemaRef("", openapi3.NewStringSchema())
		doc.Components.Schemas["Category"].Value.Properties["extra"] = openapi3.NewSchemaRef("#/components/schemas/Extra", nil)
	}})
	extra := doc.Components.Schemas["Category"].Value.Properties["extra"]
	if doc.Info.Title != "Old" || extra.Value == nil {
		t.Errorf("the title is %q and the new reference leads to %v", doc.Info.Title, extra.Value)
	}
}

func TestMistakesInChangesAreErrors(t *testing.T) {
	t.Parallel()
	keep := func(*openapi3.Operation) {}
	tests := map[string]struct {
		change    func(*openapi3.Operation)
		customize func(*openapi3.T)
		want      []string
	}{
		"panics of both": {
			func(*openapi3.Operation) { panic("one") }, func(*openapi3.T) { panic("two") },
			[]string{"openapi: the function of getCategory panicked: one", "Customize panicked: two"},
		},
		"an invalid document": {
			keep, func(doc *openapi3.T) { doc.Info.Title = "" },
			[]string{"openapi: the document is invalid: ", "title"},
		},
		"a reference to nothing": {
			func(op *openapi3.Operation) {
				op.RequestBody = &openapi3.RequestBodyRef{Ref: "#/components/requestBodies/None"}
			}, nil,
			[]string{"openapi: the document has an unresolved reference: ", "None"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := newAPI(t, configuration{declarations: []resource.Declaration{resource.Of[Category]{Operations: only(operation.Get{})}}})
			change := map[string]func(*openapi3.Operation){"getCategory": test.change}
			doc, err := openapi.Document(api, openapi.Config{Operations: change, Customize: test.customize})
			if doc != nil || err == nil {
				t.Fatalf("the document is %v, the error %v", doc, err)
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("the error is %q, which lacks %q", err, want)
				}
			}
		})
	}
}

func TestHiddenOperationsAreServedAlone(t *testing.T) {
	t.Parallel()
	document := documentOf(t, mounted(t, resource.Of[Category]{Operations: []operation.Operation{operation.Get{Hidden: true}, operation.GetCollection{}}}))
	if paths := document.at(t, "paths").(map[string]any); len(paths) != 1 || paths["/api/categories"] == nil {
		t.Errorf("the paths are %v", paths)
	}
	hidden := documentOf(t, mounted(t, resource.Of[Category]{Operations: []operation.Operation{operation.Get{Hidden: true}}}))
	if len(hidden.at(t, "paths").(map[string]any)) != 0 || hidden["tags"] != nil {
		t.Errorf("a resource that is hidden whole leaves %v", hidden)
	}
}

func TestStatusesOfOperations(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		declaration resource.Declaration
		path        []string
		want        string
	}{
		"of one record":         {resource.Of[Category]{}, []string{"/api/categories/{id}", "get"}, "200 304 404 default"},
		"of a collection":       {resource.Of[Category]{}, []string{"/api/categories", "get"}, "200 304 400 default"},
		"of a creation":         {resource.Of[Category]{}, []string{"/api/categories", "post"}, "201 400 409 default"},
		"of a change":           {resource.Of[Category]{}, []string{"/api/categories/{id}", "patch"}, "200 400 404 409 412 default"},
		"of a removal":          {resource.Of[Category]{}, []string{"/api/categories/{id}", "delete"}, "204 404 409 412 default"},
		"of a problem's shape":  {resource.Of[Category]{Errors: validation.Problem}, []string{"/api/categories", "post"}, "201 409 422 default"},
		"of what hooks refuse":  {resource.Of[Order]{Prepare: stamp}, []string{"/api/orders", "post"}, "201 400 409 default"},
		"of what hooks let be":  {resource.Of[Order]{Prepare: stamp}, []string{"/api/orders", "get"}, "200 304 400 default"},
		"of a Put that creates": {resource.Of[Programmer]{Operations: only(operation.Put{AllowCreate: true})}, []string{"/api/programmers/{nickname}", "put"}, "200 201 400 404 409 412 default"},
		"of a silent change":    {resource.Of[Category]{Operations: only(operation.Patch{Status: 204})}, []string{"/api/categories/{id}", "patch"}, "204 400 404 409 412 default"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			responses := documentOf(t, mounted(t, test.declaration)).at(t, append([]string{"paths"}, append(test.path, "responses")...)...).(map[string]any)
			if got := strings.Join(sortedKeys(responses), " "); got != test.want {
				t.Errorf("the statuses are %s, want %s", got, test.want)
			}
		})
	}
}

// TestTheDocumentListsWhatIsServed compares the document of every configuration with the
// routes of its API.
func TestTheDocumentListsWhatIsServed(t *testing.T) {
	t.Parallel()
	for name, c := range configurations() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := newAPI(t, c)
			doc := documented(t, api, c.document)
			var routed, documented []string
			for _, route := range api.Routes() {
				if route.Documented {
					routed = append(routed, strings.Join([]string{route.Resource, route.Operation, route.Method, route.Path, strconv.Itoa(route.Status)}, " "))
				}
			}
			for path, item := range doc.Paths.Map() {
				for method, op := range item.Operations() {
					for status := range op.Responses.Map() {
						if status[0] == '2' && (status != "201" || method != http.MethodPut) {
							documented = append(documented, strings.Join([]string{op.Tags[0], op.OperationID, method, path, status}, " "))
						}
					}
				}
			}
			slices.Sort(routed)
			slices.Sort(documented)
			if diff := cmp.Diff(routed, documented); diff != "" {
				t.Errorf("the document differs from the routes (-routes +document):\n%s", diff)
			}
		})
	}
}

// TestPathsAreInTheOrderOfDeclaration reads the document as it is written.
func TestPathsAreInTheOrderOfDeclaration(t *testing.T) {
	t.Parallel()
	api := mounted(t, resource.Of[Programmer]{}, resource.Of[Category]{}, resource.Of[DragonTreasure]{})
	want := []string{
		"/api/programmers", "/api/programmers/{nickname}", "/api/categories", "/api/categories/{id}",
		"/api/dragon_treasures", "/api/dragon_treasures/{id}",
	}
	if diff := cmp.Diff(want, namesAt(t, get(t, api, "/api/docs.json").Body.Bytes(), "/paths")); diff != "" {
		t.Errorf("the paths differ (-want +got):\n%s", diff)
	}
}

// TestMembersAreInTheOrderOfFields compares schemas and examples with what is sent.
func TestMembersAreInTheOrderOfFields(t *testing.T) {
	t.Parallel()
	api := mounted(t, resource.Of[DragonTreasure]{})
	created := create(t, api, documentOf(t, api), "DragonTreasure")
	want := namesAt(t, get(t, api, created).Body.Bytes(), "")
	document := get(t, api, "/api/docs.json").Body.Bytes()
	for _, pointer := range []string{
		"/components/schemas/DragonTreasure/properties",
		"/components/schemas/DragonTreasureCreate/properties",
		"/paths/~1api~1dragon_treasures~1{id}/get/responses/200/content/application~1json/example",
	} {
		if diff := cmp.Diff(want, namesAt(t, document, jsontext.Pointer(pointer))); diff != "" {
			t.Errorf("the members at %s differ (-answer +document):\n%s", pointer, diff)
		}
	}
}

// namesAt returns the field names of an object in a JSON text, in order.
func namesAt(t *testing.T, text []byte, at jsontext.Pointer) []string {
	t.Helper()
	decoder := jsontext.NewDecoder(strings.NewReader(string(text)))
	var names []string
	for {
		token, err := decoder.ReadToken()
		if err != nil {
			break
		}
		pointer := decoder.StackPointer()
		kind, length := decoder.StackIndex(decoder.StackDepth())
		if kind == jsontext.KindBeginObject && length%2 == 1 && pointer.Parent() == at && decoder.StackDepth() == depth(at) {
			names = append(names, token.String())
		}
	}
	if names == nil {
		t.Fatalf("there is no object with members at %q", at)
	}
	return names
}

// depth returns how many objects and arrays are open inside of what a pointer leads to.
func depth(pointer jsontext.Pointer) int { return strings.Count(string(pointer), "/") + 1 }

func TestDocumentationIsServedToManyAtOnce(t *testing.T) {
	t.Parallel()
	api := mounted(t, resource.Of[Category]{})
	paths := []string{"/api/docs", "/api/docs.json", "/api/docs.yaml", "/api/docs/swagger-ui.css", "/api", "/api/categories"}
	var group sync.WaitGroup
	for range 8 {
		for _, path := range paths {
			group.Go(func() {
				if w := get(t, api, path); w.Code != http.StatusOK || w.Body.Len() == 0 {
					t.Errorf("GET %s is %d with %d bytes", path, w.Code, w.Body.Len())
				}
			})
		}
	}
	group.Wait()
}

func TestDocumentsAreBuiltAtOnce(t *testing.T) {
	t.Parallel()
	api := newAPI(t, configuration{declarations: []resource.Declaration{resource.Of[Order]{}, resource.Of[Category]{}}})
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			if _, err := openapi.Document(api, openapi.Config{}); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}

func TestWhatIsExportedIsWhatIsServed(t *testing.T) {
	t.Parallel()
	api := mounted(t, resource.Of[DragonTreasure]{})
	var exported strings.Builder
	if err := openapi.Export(&exported, api, openapi.Config{}); err != nil {
		t.Fatal(err)
	}
	if served := get(t, api, "/api/docs.json").Body.String(); served != exported.String() || !strings.HasPrefix(served, "{\n") {
		t.Errorf("exported is\n%.300s\nserved is\n%.300s", exported.String(), served)
	}
}

// full is a disk without room.
type full struct{}

var errFull = errors.New("no room")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestExportsThatFail(t *testing.T) {
	t.Parallel()
	if err := openapi.Export(&strings.Builder{}, nil, openapi.Config{}); err == nil {
		t.Error("a nil API is exported")
	}
	if err := openapi.Export(full{}, mounted(t, resource.Of[Category]{}), openapi.Config{}); !errors.Is(err, errFull) {
		t.Errorf("a full disk: %v", err)
	}
	if err := openapi.Export(&strings.Builder{}, mounted(t, resource.Of[Category]{}), openapi.Config{OpenAPI: "2.0"}); err == nil {
		t.Error("an unknown version is exported")
	}
}
