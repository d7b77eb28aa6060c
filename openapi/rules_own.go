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

// ownRule is a rule of the user's own, with the keywords that say it.
type ownRule struct {
	rule     validation.Rule
	keywords []byte // as JSON; nil where the user gave none
}

// compileOwnRules reads the schemas of the user's rules. Its error joins those that are
// no schemas.
func compileOwnRules(list []validation.Rule) (map[string]ownRule, error) {
	compiled := map[string]ownRule{}
	var errs []error
	for _, rule := range list {
		own := ownRule{rule: rule}
		if rule.Schema != nil {
			var err error
			if own.keywords, err = checkKeywords(rule.Schema); err != nil {
				errs = append(errs, fmt.Errorf("rule %q: Schema: %w", rule.Name, err))
				continue
			}
		}
		compiled[rule.Name] = own
	}
	return compiled, errors.Join(errs...)
}

func checkKeywords(keywords map[string]any) ([]byte, error) {
	text, err := json.Marshal(keywords, json.Deterministic(true))
	if err != nil {
		return nil, err
	}
	var schema openapi3.Schema
	if err := schema.UnmarshalJSON(text); err != nil {
		return nil, err
	}
	for keyword := range schema.Extensions {
		if !strings.HasPrefix(keyword, "x-") {
			return nil, fmt.Errorf("%q is no keyword of JSON Schema 2020-12; extensions begin with x-", keyword)
		}
	}
	return text, schema.Validate(context.Background(), openapi3.IsOpenAPI31OrLater())
}

// state returns what the document says of the rule: its keywords, or else its message.
func (o ownRule) state(r ruled) statement {
	if o.keywords != nil {
		schema := &openapi3.Schema{}
		if err := schema.UnmarshalJSON(o.keywords); err == nil {
			return statement{keywords: schema}
		}
	}
	st := unsaidRule(o.rule.Name)(r)
	if o.rule.Message != "" {
		st.sentence = sentence(strings.ReplaceAll(o.rule.Message, "{param}", r.param))
	}
	return st
}
