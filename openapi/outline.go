package openapi

import (
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/describe"
)

// outline returns the document as far as it depends on more than types and rules: the
// config, names that may be none, and paths that may be one. Nil means that it says nothing: functions
// or schemas of the user's are in the document, or two schemas may want one name, which
// shows when it is built.
func (b *builder) outline() *openapi3.T {
	names, apart := describe.PossibleNames(b.api)
	if !apart || b.customize != nil || b.hasOwnSchemas() {
		return nil
	}
	outline := &openapi3.T{
		OpenAPI:    b.doc.OpenAPI,
		Info:       b.doc.Info,
		Servers:    b.doc.Servers,
		Paths:      openapi3.NewPaths(),
		Components: &openapi3.Components{Schemas: openapi3.Schemas{}, SecuritySchemes: b.doc.Components.SecuritySchemes},
	}
	for name := range names {
		if !isPlainName(name) {
			outline.Components.Schemas[name] = openapi3.NewSchemaRef("", &openapi3.Schema{})
		}
	}
	for _, path := range b.alikePaths() {
		outline.Paths.Set(path, &openapi3.PathItem{}) // New has checked what is in it
	}
	return outline
}

// alikePaths returns the paths that differ from another one in their variables alone, and
// that one.
func (b *builder) alikePaths() []string {
	var alike []string
	first := map[string]string{} // by shape
	for _, r := range b.api.Resources {
		for _, op := range r.Operations {
			if op.Hidden {
				continue
			}
			shape := op.Template.Shape()
			if other, met := first[shape]; met && other != op.Path() {
				alike = append(alike, other, op.Path())
			}
			first[shape] = op.Path()
		}
	}
	return alike
}

// hasOwnSchemas reports whether functions or schemas of the user's are in the document.
func (b *builder) hasOwnSchemas() bool {
	for _, rule := range b.api.Rules {
		if rule.Schema != nil {
			return true
		}
	}
	for _, r := range b.api.Resources {
		if slices.ContainsFunc(r.Operations, func(op *compiled.Operation) bool { return op.OpenAPI != nil }) {
			return true
		}
	}
	return false
}

// isPlainName reports whether a component may have the name, as far as that is plain.
func isPlainName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}
