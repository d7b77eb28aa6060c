package main

import (
	"strconv"

	"github.com/getkin/kin-openapi/openapi3"
)

// limit is the number of requests per minute from one client; 0 means no limit.
type limit int

// document adds the response to too many requests to the document.
func (l limit) document(doc *openapi3.T) {
	if l <= 0 {
		return
	}
	const name = "TooManyRequests"
	problem := openapi3.NewSchemaRef("#/components/schemas/Problem", nil)
	seconds := openapi3.NewIntegerSchema()
	doc.Components.Responses[name] = &openapi3.ResponseRef{Value: &openapi3.Response{
		Description: new("The client sent more than " + strconv.Itoa(int(l)) + " requests within a minute."),
		Content:     openapi3.Content{"application/problem+json": {Schema: problem}},
		Headers: openapi3.Headers{"Retry-After": {Value: &openapi3.Header{Parameter: openapi3.Parameter{
			Description: "The number of seconds to wait before the next request.", Schema: openapi3.NewSchemaRef("", seconds),
		}}}},
	}}
	for _, path := range doc.Paths.Map() {
		for _, operation := range path.Operations() {
			operation.Responses.Set("429", &openapi3.ResponseRef{Ref: "#/components/responses/" + name})
		}
	}
}
