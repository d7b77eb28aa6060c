package openapi

import (
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/describe"
)

// precheck returns a document of only those parts that a user can get wrong: the config, names
// of schemas that are not allowed, and paths that differ in their variables alone. If kin-openapi
// finds no mistake in these, there is none in the whole, which then need not be built before
// somebody asks for it. Nil means that only the whole document can tell: functions or schemas of
// the user's are in it, or two schemas may want one name.
func (b *builder) precheck() *openapi3.T {
	names, distinct := describe.PossibleNames(b.api)
	if !distinct || b.customize != nil || b.hasOwnSchemas() {
		return nil
	}
	checked := &openapi3.T{
		OpenAPI:    b.doc.OpenAPI,
		Info:       b.doc.Info,
		Servers:    b.doc.Servers,
		Paths:      openapi3.NewPaths(),
		Components: &openapi3.Components{Schemas: openapi3.Schemas{}, SecuritySchemes: b.doc.Components.SecuritySchemes},
	}
	for name := range names {
		if !isPlainName(name) {
			checked.Components.Schemas[name] = openapi3.NewSchemaRef("", &openapi3.Schema{})
		}
	}
	for _, path := range b.alikePaths() {
		checked.Paths.Set(path, &openapi3.PathItem{}) // New has checked what is in it
	}
	return checked
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
