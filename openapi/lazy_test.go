package openapi_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-playground/validator/v10"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/validation"
)

func TestTheFirstRequestsGetOneDocument(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/api/docs.json", "/api/docs.yaml", "/api/docs.json?version=3.0", "/api/docs.yaml?version=3.0"} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			api := mounted(t, resource.Of[Order]{})
			var bodies [8][]byte
			var clients sync.WaitGroup
			for i := range bodies {
				clients.Go(func() {
					w := httptest.NewRecorder()
					api.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
					bodies[i] = w.Body.Bytes()
				})
			}
			clients.Wait()
			for _, body := range bodies {
				if len(body) == 0 || !bytes.Equal(body, bodies[0]) {
					t.Errorf("GET %s gives %d bytes to one, and %d to another", path, len(body), len(bodies[0]))
				}
			}
		})
	}
}

func TestFunctionsOfTheUserRunOnceAndBeforeMountReturns(t *testing.T) {
	t.Parallel()
	var calls atomic.Int64
	api := newAPI(t, configuration{declarations: []resource.Declaration{resource.Of[Category]{}}})
	config := openapi.Config{Customize: func(*openapi3.T) { calls.Add(1) }}
	if err := openapi.Mount(api, config); err != nil {
		t.Fatal(err)
	}
	if calls.Load() != 1 {
		t.Errorf("Customize ran %d times before Mount returned, want 1", calls.Load())
	}
	for _, path := range []string{"/api/docs.json", "/api/docs.yaml?version=3.0", "/api/docs.json?version=3.0", "/api/docs.yaml"} {
		if w := get(t, api, path); w.Code != http.StatusOK {
			t.Errorf("GET %s is %d, want 200", path, w.Code)
		}
	}
	if calls.Load() != 1 {
		t.Errorf("Customize ran %d times, want 1", calls.Load())
	}
}

func TestLimitsWithoutJSONAreInWords(t *testing.T) {
	t.Parallel()
	type Gauge struct {
		ID     int64   `json:"id"`
		Level  float64 `json:"level" validate:"lte=Inf"`
		Broken float64 `json:"broken" validate:"omitempty,gt=NaN"`
		Depth  float64 `json:"depth" validate:"gte=-Inf"`
	}
	for _, path := range []string{"/api/docs.json", "/api/docs.yaml", "/api/docs.json?version=3.0"} {
		w := get(t, mounted(t, resource.Of[Gauge]{}), path)
		if body := w.Body.String(); w.Code != http.StatusOK || !strings.Contains(body, "Must be at most Inf.") || !strings.Contains(body, "Must be greater than NaN.") {
			t.Errorf("GET %s is %d: %.300s", path, w.Code, body)
		}
	}
}

// Straße has a name beyond ASCII.
type Straße struct { //nolint:asciicheck // users may
	ID int64 `json:"id"`
}

func TestMistakesOfTheUserAreErrorsOfMount(t *testing.T) {
	t.Parallel()
	type none = struct{}
	forget := map[string]func(*openapi3.Operation){"getCategory": func(o *openapi3.Operation) { o.Parameters = nil }}
	tests := map[string]struct {
		configuration
		want string
	}{
		"a function that leaves no valid operation": {
			configuration{declarations: []resource.Declaration{resource.Of[Category]{}}, document: openapi.Config{Operations: forget}},
			"openapi: the document is invalid: ",
		},
		"a Customize that refers to what is not there": {
			configuration{
				declarations: []resource.Declaration{resource.Of[Category]{}},
				document: openapi.Config{Customize: func(doc *openapi3.T) {
					doc.Components.Schemas["More"] = openapi3.NewSchemaRef("#/components/schemas/Missing", nil)
				}},
			},
			"openapi: the document has an unresolved reference: ",
		},
		"a Customize whose values have no JSON": {
			configuration{
				declarations: []resource.Declaration{resource.Of[Category]{}},
				document:     openapi.Config{Customize: func(doc *openapi3.T) { doc.Extensions = map[string]any{"x-run": func() {}} }},
			},
			"openapi: writing the document: ",
		},
		"a Customize that the older form cannot follow": {
			configuration{
				declarations: []resource.Declaration{resource.Of[Category]{}},
				document: openapi.Config{OpenAPI: "3.0", Customize: func(doc *openapi3.T) {
					doc.Components.SecuritySchemes = openapi3.SecuritySchemes{"cert": {Value: &openapi3.SecurityScheme{Type: "mutualTLS"}}}
				}},
			},
			"in version 3.0.2 of OpenAPI: ",
		},
		"two resources whose schemas want one name": {
			configuration{declarations: []resource.Declaration{
				resource.Of[Category]{ShortName: "Book", Operations: only(operation.Post{})},
				resource.Of[Category]{ShortName: "BookCreate", Operations: only(operation.Get{})},
			}},
			"openapi: resource Book and resource BookCreate would have the same schema name BookCreate",
		},
		"a short name that no component may have": {
			configuration{declarations: []resource.Declaration{resource.Of[Straße]{Operations: only(operation.Get{URITemplate: "/streets/{id}"})}}},
			"openapi: the document is invalid: ",
		},
		"two paths that differ in their variables alone": {
			configuration{declarations: []resource.Declaration{resource.Of[Category]{Operations: []operation.Operation{
				operation.Get{},
				operation.Post{Name: "light", URITemplate: "/categories/{code}", Handler: operation.Handle(
					func(context.Context, *Category, none) (none, error) { return none{}, nil },
				)},
			}}}},
			"openapi: the document is invalid: invalid paths: conflicting paths",
		},
		"a license without a name": {
			configuration{
				declarations: []resource.Declaration{resource.Of[Category]{}},
				document:     openapi.Config{License: &openapi3.License{}},
			},
			"openapi: the document is invalid: ",
		},
		"a server with a variable that is not there": {
			configuration{
				declarations: []resource.Declaration{resource.Of[Category]{}},
				document:     openapi.Config{Servers: openapi3.Servers{{URL: "https://{region}.example.org"}}},
			},
			"openapi: the document is invalid: ",
		},
		"a schema of a rule that is none": {
			configuration{
				config: resource.Config{Rules: []validation.Rule{{
					Name: "shelf", Schema: map[string]any{"patern": "^[0-9]+$"},
					Check: func(validator.FieldLevel) bool { return true },
				}}},
				declarations: []resource.Declaration{resource.Of[Category]{}},
			},
			`openapi: rule "shelf": Schema: `,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := newAPI(t, test.configuration)
			err := openapi.Mount(api, test.document)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("the error of Mount is %v, want %s", err, test.want)
			}
			if _, other := openapi.Document(api, test.document); other == nil && !strings.Contains(test.want, "writing") {
				t.Error("Document succeeds")
			}
		})
	}
}
