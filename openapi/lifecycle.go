package openapi

import (
	"maps"
	"net/http"
	"strconv"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/compiled"
)

// lifecycleHeaders are the fields by which an operation says that it is to go.
func (b *builder) lifecycleHeaders(op *compiled.Operation) openapi3.Headers {
	headers, l := openapi3.Headers{}, op.Lifecycle
	if !l.Deprecated.IsZero() {
		headers["Deprecation"] = b.header("Since when the operation is deprecated (RFC 9745).", "@"+strconv.FormatInt(l.Deprecated.Unix(), 10), "")
	}
	if !l.Sunset.IsZero() {
		headers["Sunset"] = b.header("When the operation is expected to end (RFC 8594).", l.Sunset.UTC().Format(http.TimeFormat), "http-date")
	}
	if l.Link != "" && !op.Pages {
		headers["Link"] = b.header("Where the deprecation is explained (RFC 8288).", "<"+l.Link+`>; rel="deprecation"`, "")
	}
	return headers
}

// merged returns all of several sets of fields, nil where there are none.
func merged(sets ...openapi3.Headers) openapi3.Headers {
	all := openapi3.Headers{}
	for _, set := range sets {
		maps.Copy(all, set)
	}
	if len(all) == 0 {
		return nil
	}
	return all
}
