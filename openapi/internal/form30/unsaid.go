package form30

import (
	"maps"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/internal/describe"
	"github.com/trove-api/trove/internal/naming"
)

// Keywords that OpenAPI 3.0 does not have.
var (
	// silent30 are those that no value breaks.
	silent30 = [...]string{"$schema", "$id", "$anchor", "$dynamicAnchor", "$comment", "$defs", "contentMediaType", "contentSchema"}
	// unsaid30 are those that values follow.
	unsaid30 = [...]string{
		"$dynamicRef", "propertyNames", "patternProperties", "prefixItems", "contains", "minContains", "maxContains",
		"dependentRequired", "dependentSchemas", "if", "then", "else", "unevaluatedItems", "unevaluatedProperties",
	}
)

// takeUnsaid takes the keywords out of a schema that the older form cannot say. What is
// left allows no less: a keyword that would refuse more without those goes with them.
func (s draft) takeUnsaid() map[string]any {
	taken := map[string]any{}
	take := func(names ...string) {
		for _, name := range names {
			if value, ok := s[name]; ok {
				taken[name] = value
				delete(s, name)
			}
		}
	}
	for _, name := range silent30 {
		delete(s, name)
	}
	if s["patternProperties"] != nil {
		take("additionalProperties")
	}
	if s["prefixItems"] != nil {
		take("items")
	}
	for _, name := range []string{"not", "oneOf"} {
		if hasUnsaid30(s[name]) {
			take(name)
		}
	}
	take(unsaid30[:]...)
	return taken
}

// hasUnsaid30 reports whether there is a keyword anywhere in schemas that the older form
// cannot say.
func hasUnsaid30(value any) bool {
	switch value := value.(type) {
	case []any:
		return slices.ContainsFunc(value, hasUnsaid30)
	case map[string]any:
		for name, inner := range value {
			if keywordUnsaid30(name, inner) {
				return true
			}
		}
	}
	return false
}

func keywordUnsaid30(name string, inner any) bool {
	switch name {
	case "const", "enum", "default", "example", "examples":
		return false // values, whose members are no keywords
	case "properties":
		properties, _ := inner.(map[string]any)
		return slices.ContainsFunc(slices.Collect(maps.Values(properties)), hasUnsaid30)
	}
	return slices.Contains(unsaid30[:], name) || hasUnsaid30(inner)
}

// describe says keywords in the description. A format keeps the schema from promising
// that what it allows is taken.
func (s draft) describe(unsaid map[string]any) {
	if len(unsaid) == 0 {
		return
	}
	text, err := json.Marshal(unsaid, json.Deterministic(true))
	if err != nil {
		return // cannot be: they have been read from JSON
	}
	description, _ := s["description"].(string)
	s["description"] = naming.Sentences(description, "Must follow the JSON Schema `"+string(text)+"`.")
	if s["format"] == nil {
		s["format"] = describe.FormatConditions
	} else {
		s.addAllOf(map[string]any{"format": describe.FormatConditions})
	}
}
