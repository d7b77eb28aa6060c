package openapi

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/describe"
	"github.com/trove-api/trove/validation"
)

// precheck returns a document of only those parts that a user can get wrong: the config, names of schemas that are not
// allowed, and paths that differ in their variables alone. If kin-openapi finds no mistake in these, there is none in
// the whole, which then need not be built before somebody asks for it. Nil means that only the whole document can tell:
// functions or schemas of the user's are in it, or two schemas may want one name.
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
	if len(schemas)+len(paths) == 0 && b.schemes == nil && b.config.Contact == nil && b.config.License == nil && len(b.config.Servers) == 0 {
		return object{} // nothing that could be wrong
	}
	return append(slices.Clip(b.head), member{"paths", paths}, member{"components", object{{"schemas", schemas}, {"securitySchemes", b.schemes}}})
}

// alikePaths returns the paths that differ from another one in their variables alone, and that one.
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
	return slices.ContainsFunc(b.api.Rules, func(rule validation.Rule) bool { return rule.Schema != nil }) ||
		slices.ContainsFunc(b.api.Resources, func(r *compiled.Resource) bool {
			return slices.ContainsFunc(r.Operations, func(op *compiled.Operation) bool { return op.OpenAPI != nil })
		})
}

// isPlainName reports whether a component may have the name, as far as that is plain.
func isPlainName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}

// checkOwnRules checks the schemas of the user's rules by the specification. Its error joins those that are none.
func checkOwnRules(rules []validation.Rule) error {
	var errs []error
	for _, rule := range rules {
		if rule.Schema == nil {
			continue
		}
		if err := checkKeywords(rule.Schema); err != nil {
			errs = append(errs, fmt.Errorf("rule %q: Schema: %w", rule.Name, err))
		}
	}
	return errors.Join(errs...)
}

func checkKeywords(keywords map[string]any) error {
	text, err := json.Marshal(keywords, json.Deterministic(true))
	if err != nil {
		return err
	}
	var schema openapi3.Schema
	if err := schema.UnmarshalJSON(text); err != nil {
		return err
	}
	for keyword := range schema.Extensions {
		if !strings.HasPrefix(keyword, "x-") {
			return fmt.Errorf("%q is no keyword of JSON Schema 2020-12; extensions begin with x-", keyword)
		}
	}
	return schema.Validate(context.Background(), openapi3.IsOpenAPI31OrLater())
}
