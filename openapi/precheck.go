package openapi

import (
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/describe"
)

// precheck returns a document of only those parts that a user can get wrong: the config, names
// of schemas that are not allowed, and paths that differ in their variables alone. If kin-openapi
// finds no mistake in these, there is none in the whole, which then need not be built before
// somebody asks for it. Nil means that only the whole document can tell: functions or schemas of
// the user's are in it, or two schemas may want one name.
func (b *builder) precheck() object {
	names, distinct := describe.PossibleNames(b.api)
	if !distinct || b.config.Customize != nil || b.hasOwnSchemas() {
		return nil
	}
	schemas, paths := object{}, object{}
	for name := range names {
		if !isPlainName(name) {
			schemas = append(schemas, member{name, object{}})
		}
	}
	for _, path := range b.alikePaths() {
		paths = append(paths, member{path, object{}}) // New has checked what is in it
	}
	return append(slices.Clip(b.head), member{"paths", paths}, member{"components", object{{"schemas", schemas}, {"securitySchemes", b.schemes}}})
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
