package openapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// Pier and Boat refer to each other.
type (
	Pier struct {
		ID int64 `json:"id"`
	}
	Boat struct {
		ID    int64    `json:"id"`
		Name  string   `json:"name" validate:"min=1"`
		Built int      `json:"built,omitempty" api:"readonly"`
		Home  int64    `json:"home" api:"ref=Pier,expand"`
		Next  *int64   `json:"next" api:"ref=Pier"`
		Seen  []int64  `json:"seen" validate:"max=9" api:"ref=Pier"`
		Notes []string `json:"notes,omitempty"`
	}
)

func newHarbour(t *testing.T) *resource.API {
	t.Helper()
	api, err := resource.New(resource.Config{Formats: append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format)},
		resource.Of[Boat]{Store: memory.New(Boat{ID: 1, Name: "Gull", Home: 1, Seen: []int64{1}}), SparseFields: true}, resource.Of[Pier]{Store: memory.New(Pier{1}, Pier{2})})
	if err == nil {
		err = openapi.Mount(api, openapi.Config{Title: "Fleet", Version: "1"})
	}
	if err != nil {
		t.Fatal(err)
	}
	return api
}

// What the document says of bodies in each format is what the service does with them.
func TestBodiesOfFormatsAreTakenAsDocumented(t *testing.T) {
	t.Parallel()
	api := newHarbour(t)
	document := documentOf(t, api)
	// Of a boat with its home, to which each adds something.
	const home = `"relationships":{"home":{"data":{"type":"piers","id":"1"}}}`
	for _, test := range []struct {
		mediaType, rule, body string
		takes                 bool
	}{
		{hal.MediaType, "a link", `{"name":"x","seen":[],"_links":{"home":{"href":"/api/piers/1"}}}`, true},
		{hal.MediaType, "a member in place of a link", `{"name":"x","home":"/api/piers/1","seen":[]}`, true},
		{hal.MediaType, "no link in place of one that may be null", `{"name":"x","home":"/api/piers/1","seen":[],"_links":{"next":null}}`, true},
		{hal.MediaType, "links that are not known", `{"name":"x","home":"/api/piers/1","seen":[],"_links":{"other":{"href":"/"}}}`, true},
		{hal.MediaType, "what was embedded", `{"name":"x","home":"/api/piers/1","seen":[],"_embedded":{"home":{"id":1}}}`, true},
		{hal.MediaType, "what is read alone", `{"name":"x","home":"/api/piers/1","seen":[],"built":3}`, true},
		{hal.MediaType, "a member that is not known", `{"name":"x","home":"/api/piers/1","seen":[],"nmae":"y"}`, false},
		{hal.MediaType, "an address of nothing", `{"name":"x","seen":[],"_links":{"home":{"href":"nowhere"}}}`, false},
		{hal.MediaType, "an address of nothing in a list", `{"name":"x","home":"/api/piers/1","_links":{"seen":[{"href":"nowhere"}]}}`, false},
		{hal.MediaType, "no address", `{"name":"x","seen":[],"_links":{"home":{"href":null}}}`, false},
		{hal.MediaType, "a field and the same links", `{"name":"x","home":"/api/piers/1","seen":["/api/piers/1"],"_links":{"home":{"href":"/api/piers/1"},"seen":[{"href":"/api/piers/1"}]}}`, true},
		{hal.MediaType, "a field and no links", `{"name":"x","home":"/api/piers/1","seen":[],"_links":{"seen":[]}}`, true},
		{hal.MediaType, "a field and other links", `{"_links":{"home":{"href":"/api/piers/2"},"next":null,"seen":[{"href":"/api/piers/2"}]},"name":"x","home":"/api/piers/1","next":null,"seen":[]}`, true},
		{hal.MediaType, "a field and a link to nothing", `{"name":"x","home":"/api/piers/1","seen":[],"_links":{"home":{"href":"nowhere"}}}`, false},
		{hal.MediaType, "a field and a list with a link to nothing", `{"name":"x","home":"/api/piers/1","seen":[],"_links":{"seen":[{"href":"nowhere"}]}}`, false},
		{hal.MediaType, "a field and null for a link", `{"name":"x","home":"/api/piers/1","seen":[],"_links":{"home":null}}`, false},
		{hal.MediaType, "a field and null for a list of links", `{"name":"x","home":"/api/piers/1","seen":[],"_links":{"seen":null}}`, false},
		{hal.MediaType, "a text that is too short", `{"name":"","home":"/api/piers/1","seen":[]}`, false},

		{jsonapi.MediaType, "attributes and relationships", `{"data":{"type":"boats","attributes":{"name":"x"},` + home + `}}`, true},
		{jsonapi.MediaType, "what is read alone", `{"data":{"type":"boats","attributes":{"name":"x","built":3},` + home + `}}`, true},
		{jsonapi.MediaType, "meta and links", `{"data":{"type":"boats","attributes":{"name":"x"},` + home + `,"meta":{},"links":{}}}`, true},
		{jsonapi.MediaType, "names that readers pass over", `{"data":{"type":"boats","attributes":{"name":"x","@a":1},` + home + `}}`, true},
		{jsonapi.MediaType, "an attribute that is not known", `{"data":{"type":"boats","attributes":{"name":"x","nmae":"y"},` + home + `}}`, false},
		{jsonapi.MediaType, "a relationship that is not known", `{"data":{"type":"boats","attributes":{"name":"x"},"relationships":{"home":{"data":{"type":"piers","id":"1"}},"x":{"data":null}}}}`, false},
		{jsonapi.MediaType, "an id that the service chooses", `{"data":{"type":"boats","id":"7","attributes":{"name":"x"},` + home + `}}`, false},
		{jsonapi.MediaType, "a local identifier", `{"data":{"type":"boats","attributes":{"name":"x"},"relationships":{"home":{"data":{"type":"piers","id":"1","lid":"a"}}}}}`, false},
		{jsonapi.MediaType, "a reference as an attribute", `{"data":{"type":"boats","attributes":{"name":"x","home":"/api/piers/1"}}}`, false},
		{jsonapi.MediaType, "another type", `{"data":{"type":"piers","attributes":{"name":"x"},` + home + `}}`, false},

		{jsonld.MediaType, "a node", `{"@context":"/api/contexts/Boat","@type":"Boat","name":"x","home":"/api/piers/1","seen":[]}`, true},
		{jsonld.MediaType, "a member that is not known", `{"name":"x","home":"/api/piers/1","seen":[],"nmae":"y"}`, false},
		{jsonld.MediaType, "another type", `{"@type":"Pier","name":"x","home":"/api/piers/1","seen":[]}`, false},
	} {
		schema := document.schemaAt(t, "/paths/~1api~1boats/post/requestBody/content/"+strings.ReplaceAll(test.mediaType, "/", "~1")+"/schema")
		var value any
		if err := json.Unmarshal([]byte(test.body), &value); err != nil {
			t.Fatal(err)
		}
		said := schema.Validate(value)
		answer := send(t, api, http.MethodPost, "/api/boats", test.body, "Content-Type", test.mediaType)
		if (said == nil) != test.takes || (answer.Code == http.StatusCreated) != test.takes {
			t.Errorf("%s with %s: the document says %v, the service %d %s", test.mediaType, test.rule, said, answer.Code, answer.Body)
		}
	}
}

// Responses with selected fields are as documented, in each format.
func TestResponsesWithSelectedFieldsAreAsDocumented(t *testing.T) {
	t.Parallel()
	api := newHarbour(t)
	document := documentOf(t, api)
	for _, mediaType := range []string{format.JSON, jsonld.MediaType, hal.MediaType, jsonapi.MediaType} {
		for path, asked := range map[string]string{"/api/boats": "/api/boats", "/api/boats/{id}": "/api/boats/1"} {
			for _, query := range []string{"", "?fields=name", "?fields=notes&expand=home", "?fields=home,next"} {
				answer := get(t, api, asked+query, "Accept", mediaType)
				var value any
				if err := json.Unmarshal(answer.Body.Bytes(), &value); err != nil || answer.Code != http.StatusOK {
					t.Fatalf("%s gets %d %s: %v", asked+query, answer.Code, answer.Body, err)
				}
				at := "/paths/" + strings.ReplaceAll(path, "/", "~1") + "/get/responses/200/content/" + strings.ReplaceAll(mediaType, "/", "~1") + "/schema"
				if err := document.schemaAt(t, at).Validate(value); err != nil {
					t.Errorf("%s as %s is not as documented: %v in %s", asked+query, mediaType, err, answer.Body)
				}
			}
		}
	}
}
