package openapi

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// precheck returns a document of the config, which users can get wrong. If it is valid, the complete document is valid,
// and need not be built before the first request. It is nil if only the complete document can show errors, because it has
// users' functions or schemas, or because of its names and paths.
func (b *builder) precheck() object {
	hasSchema := func(rule validation.Rule) bool { return rule.Schema != nil }
	if b.config.Customize != nil || len(b.config.Operations) > 0 || slices.ContainsFunc(b.api.Rules, hasSchema) || !b.hasPlainNames() || b.hasAlikePaths() {
		return nil
	}
	if b.schemes == nil && b.config.Contact == nil && b.config.License == nil && len(b.config.Servers) == 0 {
		return object{} // nothing can be wrong
	}
	return append(slices.Clip(b.head), member{"paths", object{}}, member{"components", object{{"securitySchemes", b.schemes}}})
}

// hasPlainNames reports whether the names of all resources are valid, and no two of them can have schemas with the same
// name. All other schemas give way to those of resources, and New has checked the names of views.
func (b *builder) hasPlainNames() bool {
	names := map[string]bool{}
	for _, r := range b.api.Resources {
		if !plainName.MatchString(r.ShortName) {
			return false
		}
		for _, suffix := range model.ViewNames() { // used or not: a false alarm only costs building the document now
			if names[r.ShortName+suffix] {
				return false
			}
			names[r.ShortName+suffix] = true
		}
	}
	return true
}

// hasAlikePaths reports whether two paths differ only in variables.
func (b *builder) hasAlikePaths() bool {
	first := map[string]string{} // by shape
	for _, r := range b.api.Resources {
		for _, op := range r.Operations {
			switch other := first[op.Template.Shape()]; {
			case op.Hidden:
			case other == "":
				first[op.Template.Shape()] = op.Path()
			case other != op.Path():
				return true
			}
		}
	}
	return false
}

// plainName matches names that are valid for a component without further checks.
var plainName = regexp.MustCompile(`^[0-9A-Za-z_]+$`)

// checkOwnRules validates the schemas of the user's rules. Its error joins those of invalid schemas.
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
			return fmt.Errorf("unknown JSON Schema keyword %q; extensions begin with x-", keyword)
		}
	}
	return schema.Validate(context.Background(), openapi3.IsOpenAPI31OrLater())
}
