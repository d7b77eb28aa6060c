package openapi

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/validation"
)

// checkOwnRules checks the schemas of the user's rules by the specification. Its error joins
// those that are none.
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
