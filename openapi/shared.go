package openapi

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/describe"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/parameters"
)

// shared are the parameters, answers and header fields of operations by the names of the
// components that those become which several operations have alike.
type shared struct {
	parameters map[string][]*openapi3.ParameterRef
	responses  map[string][]*openapi3.ResponseRef
	headers    map[string][]*openapi3.HeaderRef
}

func newShared() *shared {
	return &shared{map[string][]*openapi3.ParameterRef{}, map[string][]*openapi3.ResponseRef{}, map[string][]*openapi3.HeaderRef{}}
}

// share notes what an operation may have in common with others. Filters by fields, except by the identifier, and
// parameters of an operation's own are about its resource and stay with it.
func (s *shared) share(op *compiled.Operation, built *openapi3.Operation) {
	for _, p := range built.Parameters {
		name := componentOf(op, p.Value)
		if name != "" {
			s.parameters[name] = append(s.parameters[name], p)
		}
	}
	responses := built.Responses.Map()
	for _, status := range slices.Sorted(maps.Keys(responses)) {
		response := responses[status]
		if response.Value == nil {
			continue // a refusal, which is one already
		}
		if response.Value.Content != nil {
			name := op.Resource.ShortName + "Response"
			s.responses[name] = append(s.responses[name], response)
		}
		for name, field := range response.Value.Headers {
			s.headers[name] = append(s.headers[name], field)
		}
	}
}

// componentOf returns the name that a parameter has as a component, "" for one that never
// is. Generators make types of components, which resources must not be called like.
func componentOf(op *compiled.Operation, p *openapi3.Parameter) string {
	words := strings.ReplaceAll(p.Name, "-", "")
	if p.In == openapi3.ParameterInPath && op.Resource.ID.Has(p.Name) {
		return op.Resource.ShortName + naming.Capital(words) + "Parameter"
	}
	switch p.Name {
	case "If-Match", "If-None-Match", "Idempotency-Key":
		return words + "Parameter"
	}
	for _, known := range op.Parameters.List {
		if known.Name != p.Name || p.In != openapi3.ParameterInQuery {
			continue
		}
		switch known.Kind {
		case parameters.Page, parameters.Offset, parameters.ItemsPerPage, parameters.Pagination, parameters.Partial, parameters.Cursor:
			return naming.Capital(describe.ComponentName(words)) + "Parameter"
		case parameters.Filter:
			if op.Resource.ID.Has(p.Name) {
				return naming.Capital(describe.ComponentName(words)) + "FilterParameter"
			}
		}
	}
	return ""
}

// components moves what is shared into the document's components. Each place still shows
// what it refers to, as after loading a document.
func (s *shared) components(into *openapi3.Components) {
	into.Parameters, into.Headers = openapi3.ParametersMap{}, openapi3.Headers{}
	promote("parameters", s.parameters,
		func(p *openapi3.ParameterRef) (*string, **openapi3.Parameter) { return &p.Ref, &p.Value },
		func(name string, common *openapi3.Parameter) {
			into.Parameters[name] = &openapi3.ParameterRef{Value: common}
		})
	promote("headers", s.headers,
		func(h *openapi3.HeaderRef) (*string, **openapi3.Header) { return &h.Ref, &h.Value },
		func(name string, common *openapi3.Header) { into.Headers[name] = &openapi3.HeaderRef{Value: common} })
	promote("responses", s.responses,
		func(r *openapi3.ResponseRef) (*string, **openapi3.Response) { return &r.Ref, &r.Value },
		func(name string, common *openapi3.Response) {
			into.Responses[name] = &openapi3.ResponseRef{Value: common}
		})
}

// promote adds as a component of a kind what several places say alike under a name, and lets
// these refer to it. Parts are the reference of a place and what it shows.
func promote[R, V any](kind string, places map[string][]R, parts func(R) (ref *string, shown **V), add func(name string, common *V)) {
	for name, all := range places {
		alike := most(all, func(at R) any { _, shown := parts(at); return *shown })
		if len(alike) < 2 {
			continue
		}
		_, first := parts(alike[0])
		common := *first
		add(name, common)
		for _, at := range alike {
			ref, shown := parts(at)
			*ref, *shown = "#/components/"+kind+"/"+name, common
		}
	}
}

// most returns the places at which what they say is said most often; of several as often,
// the first.
func most[R any](places []R, said func(R) any) []R {
	var groups [][]R
	for _, at := range places {
		i := slices.IndexFunc(groups, func(group []R) bool { return reflect.DeepEqual(said(group[0]), said(at)) })
		if i < 0 {
			groups = append(groups, []R{at})
		} else {
			groups[i] = append(groups[i], at)
		}
	}
	return slices.MaxFunc(groups, func(a, b []R) int { return len(a) - len(b) })
}
