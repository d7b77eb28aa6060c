package nested_test

import (
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/mcp"
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

func TestAgentsSaveListsToo(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{}, orders(), lines())
	if err == nil {
		err = mcp.Mount(api, mcp.Config{})
	}
	if err != nil {
		t.Fatal(err)
	}
	c := spec.Client{T: t, Handler: api}
	call := func(tool, arguments string) spec.Response {
		t.Helper()
		return c.Send("POST /mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":`+arguments+`}}`,
			"Accept", "application/json, text/event-stream").HasStatus(200)
	}
	call("createOrder", `{"number":"A1","lines":[{"product":"tea"},{"product":"cup"}]}`).Mentions("tea", "/api/orders/1/lines")
	call("patchOrder", `{"id":1,"lines":[{"id":2,"quantity":5},{"product":""}]}`).Mentions("lines[1].product")
	call("patchOrder", `{"id":1,"lines":[{"id":2,"quantity":5}]}`).Mentions("cup").Lacks("tea")
	c.Send("GET /api/lines", "").Is(200, "["+line("2", "1", "cup", "5")+"]")
}
