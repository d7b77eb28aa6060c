package nested_test

import (
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/resource"
)

// everyFormat has all formats.
func everyFormat() resource.Config {
	return resource.Config{Formats: append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format, csv.Format)}
}

func TestNestedBodiesConformToTheDocument(t *testing.T) {
	t.Parallel()
	api, err := resource.New(everyFormat(), orders(), lines())
	if err == nil {
		err = openapi.Mount(api, openapi.Config{})
	}
	if err != nil {
		t.Fatal(err)
	}
	openapitest.Conform(t, api, openapitest.Requests(300))
}

func TestResponsesEmbedListsInAllFormats(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, everyFormat(), orders(), lines())
	for _, test := range []struct{ accept, list, empty string }{
		{"application/json", `"_embedded":{"lines":[{"id":1,"order":"/api/orders/1"`, `"_embedded":{"lines":[]}`},
		{"application/ld+json", `"lines":[{"@id":"/api/lines/1","@type":"Line","id":1`, `"lines":[]`},
		{"application/hal+json", `"_embedded":{"lines":[{"_links":{"self":{"href":"/api/lines/1"}`, `"_embedded":{"lines":[]}`},
		{
			"application/vnd.api+json",
			`"lines":{"links":{"related":"/api/orders/1/lines"},"data":[{"type":"lines","id":"1"},{"type":"lines","id":"2"}]}`,
			`"lines":{"links":{"related":"/api/orders/1/lines"},"data":[]}`,
		},
		{"text/csv", "1,A,open,2,/api/orders/1/lines,1 2,", "1,A,open,3,/api/orders/1/lines,[],"},
	} {
		c := spec.NewClient(t, everyFormat(), orders(), lines())
		c.Send("POST /api/orders", `{"number":"A","lines":[{"product":"tea"},{"product":"cup"}]}`, "Accept", "application/json").HasStatus(201)
		c.Send("PATCH /api/orders/1", `{"number":"A"}`, "Accept", test.accept).HasStatus(200).Mentions(test.list)
		c.Send("PATCH /api/orders/1", `{"lines":[]}`, "Accept", test.accept).HasStatus(200).Mentions(test.empty)
	}
	for _, mediaType := range []string{"application/ld+json", "application/vnd.api+json", "text/csv"} {
		c.Send("POST /api/orders", `{"number":"A"}`, "Content-Type", mediaType).HasStatus(415)
	}
}
