package openapi_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
)

// TestTheDocumentListsWhatIsServed compares the document of every configuration with the
// routes of its API.
func TestTheDocumentListsWhatIsServed(t *testing.T) {
	t.Parallel()
	for name, c := range configurations() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := newAPI(t, c)
			doc, err := openapi.Document(api, c.document)
			if err != nil {
				t.Fatal(err)
			}
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
