package openapi

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/problem"
)

// problemRef leads to the schema of a problem, whose example tells of no status.
const problemRef = "#/components/schemas/Problem"

// exemplify gives the problems that users added to a document an example, where they have
// none: pages and generators make one of the schema else, which says "string" everywhere.
func exemplify(doc *openapi3.T) {
	if openapi3.NewLoader().ResolveRefsIn(doc, nil) != nil || doc.Paths == nil {
		return // the check of the document tells
	}
	paths := doc.Paths.Map()
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		if paths[path] == nil {
			continue
		}
		operations := paths[path].Operations()
		for _, method := range slices.Sorted(maps.Keys(operations)) {
			responses := operations[method].Responses.Map()
			for _, status := range slices.Sorted(maps.Keys(responses)) {
				exemplifyProblem(status, responses[status])
			}
		}
	}
}

// exemplifyProblem completes one response. A schema of the user's own may allow no such
// example.
func exemplifyProblem(status string, response *openapi3.ResponseRef) {
	if response == nil || response.Value == nil {
		return
	}
	media := response.Value.Content[problem.MediaType]
	if media == nil || media.Example != nil || len(media.Examples) > 0 {
		return
	}
	code, err := strconv.Atoi(status)
	if err != nil {
		code = http.StatusInternalServerError
	}
	example := map[string]any{
		"type": "about:blank", "status": int64(code),
		"title": cmp.Or(http.StatusText(code), strconv.Itoa(code)),
	}
	if description := response.Value.Description; description != nil && *description != "" {
		example["detail"] = *description
	}
	if schema := media.Schema; schema != nil && schema.Value != nil {
		if schema.Value.Example != nil || len(schema.Value.Examples) > 0 && schema.Ref != problemRef ||
			schema.Value.VisitJSON(example, openapi3.EnableJSONSchema2020()) != nil {
			return
		}
	}
	media.Example = example
}
