package accesstest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"testing"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
)

// object is an object of JSON.
type object = map[string]any

// examples are what the document shows of each operation, by its id.
type examples map[string]example

// example is a request as the document shows it.
type example struct {
	sent   any    // the body; nil for none
	body   object // the same, if it is an object
	query  url.Values
	header http.Header
}

// examplesOf reads the examples of a document. An operation that is not in it has none.
func examplesOf(t testing.TB, api *resource.API) examples {
	t.Helper()
	var text bytes.Buffer
	var document object
	err := openapi.Export(&text, api, openapi.Config{})
	if err == nil {
		decoder := json.NewDecoder(&text)
		decoder.UseNumber()
		err = decoder.Decode(&document)
	}
	if err != nil {
		t.Fatalf("accesstest: %v", err)
	}
	found := examples{}
	for _, r := range compiled.Of(api).Resources {
		for _, op := range r.Operations {
			if described := at(document, "paths", op.Path(), methods[op.Method]); described != nil {
				found[op.ID] = exampleOf(document, op, described)
			}
		}
	}
	return found
}

var methods = map[string]string{
	http.MethodGet: "get", http.MethodPost: "post", http.MethodPut: "put", http.MethodPatch: "patch", http.MethodDelete: "delete",
}

func exampleOf(document object, op *compiled.Operation, described object) example {
	e := example{query: url.Values{}, header: http.Header{}}
	if mediaType := mediaTypeOf(op); mediaType != "" {
		e.sent = at(described, "requestBody", "content", mediaType)["example"]
		e.body, _ = e.sent.(object)
	}
	listed, _ := described["parameters"].([]any)
	for _, each := range listed {
		p, _ := each.(object)
		if ref, ok := p["$ref"].(string); ok {
			p = at(document, "components", "parameters", ref[len("#/components/parameters/"):])
		}
		name, _ := p["name"].(string)
		if required, _ := p["required"].(bool); !required || p["example"] == nil {
			continue
		}
		switch value := textOf(p["example"]); p["in"] {
		case "query":
			e.query.Set(name, value)
		case "header":
			e.header.Set(name, value)
		}
	}
	return e
}

// inJSON is the media type of bodies as they stand in examples.
const inJSON = "application/json"

// mediaTypeOf returns the media type of bodies that are sent: JSON as it stands, "" for none.
func mediaTypeOf(op *compiled.Operation) string {
	for _, mediaType := range op.MediaTypes {
		if mediaType == inJSON || mediaType == "application/merge-patch+json" {
			return mediaType
		}
	}
	if op.Relationship != nil && len(op.MediaTypes) > 0 {
		return op.MediaTypes[0]
	}
	return ""
}

// at returns the object at a path of names, nil where there is none.
func at(in object, names ...string) object {
	for _, name := range names {
		in, _ = in[name].(object)
	}
	return in
}

// textOf writes a value as parameters and paths have it.
func textOf(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	text, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(text)
}
