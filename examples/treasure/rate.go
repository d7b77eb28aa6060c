package main

import (
	"net/http"
	"strconv"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-chi/chi/v5/middleware"

	between "github.com/trove-api/trove/resource/edge"
)

// edge is what stands between clients and the operations.
type edge struct {
	rate    int      // requests that an address may make in a minute; 0 for no limit
	origins []string // of web pages that may use the service; nil for its own alone
}

// middleware lists it, the outermost first. Behind a proxy, find the addresses for between.RateBy.
func (e edge) middleware() []func(http.Handler) http.Handler {
	return []func(http.Handler) http.Handler{middleware.RequestID, between.Origins(e.origins...), between.Rate(e.rate), authenticate}
}

// document adds what the edge answers to the document.
func (e edge) document(doc *openapi3.T) {
	if e.rate <= 0 {
		return
	}
	const name = "TooManyRequests"
	problem := openapi3.NewSchemaRef("#/components/schemas/Problem", nil)
	seconds := openapi3.NewIntegerSchema()
	doc.Components.Responses[name] = &openapi3.ResponseRef{Value: &openapi3.Response{
		Description: new("The address makes more than " + strconv.Itoa(e.rate) + " requests a minute."),
		Content:     openapi3.Content{"application/problem+json": {Schema: problem}},
		Headers: openapi3.Headers{"Retry-After": {Value: &openapi3.Header{Parameter: openapi3.Parameter{
			Description: "After how many seconds to try again.", Schema: openapi3.NewSchemaRef("", seconds),
		}}}},
	}}
	for _, path := range doc.Paths.Map() {
		for _, operation := range path.Operations() {
			operation.Responses.Set("429", &openapi3.ResponseRef{Ref: "#/components/responses/" + name})
		}
	}
}
