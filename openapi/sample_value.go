package openapi

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/model"
)

// first returns the first of the candidates that the schema allows.
func (v *value) first(candidates ...any) (any, bool) {
	for _, candidate := range candidates {
		if allows(v.schema, candidate) {
			return candidate, true
		}
	}
	return nil, false
}

// allows reports whether a value follows a schema. Compiling a schema takes its time, so
// those are not that say no more than bounds and a pattern.
func allows(schema *openapi3.Schema, value any) bool {
	if number, ok := asFloat(value); ok && !inBounds(schema, number) {
		return false
	}
	text, isText := value.(string)
	if isText && !hasLength(schema, text) {
		return false
	}
	switch {
	case schema.Not != nil || schema.AllOf != nil || schema.AnyOf != nil || schema.OneOf != nil:
	case schema.Pattern == "":
		return true
	case isText && schema.Format == "":
		if pattern, err := regexp.Compile(schema.Pattern); err == nil {
			return pattern.MatchString(text)
		}
	}
	return schema.VisitJSON(value, openapi3.EnableJSONSchema2020()) == nil
}

func hasLength(schema *openapi3.Schema, text string) bool {
	runes := uint64(len([]rune(text)))
	return runes >= schema.MinLength && (schema.MaxLength == nil || runes <= *schema.MaxLength)
}

func inBounds(schema *openapi3.Schema, number float64) bool {
	above, below := schema.ExclusiveMin.Value, schema.ExclusiveMax.Value
	return (schema.Min == nil || number >= *schema.Min) && (schema.Max == nil || number <= *schema.Max) &&
		(above == nil || number > *above) && (below == nil || number < *below)
}

// numbers are the candidates for a number: a plain one, else one near its bounds.
func numbers(schema *openapi3.Schema, t *model.Type) []any {
	candidates := []float64{1, 0, 10}
	bounds := []*float64{schema.Min, schema.ExclusiveMin.Value, schema.Max, schema.ExclusiveMax.Value}
	for i, bound := range bounds {
		inward := 1.0
		if i >= 2 {
			inward = -1
		}
		if bound != nil {
			candidates = append(candidates, *bound, *bound+inward, *bound+2*inward, *bound+inward/2, *bound+inward/1024)
		}
	}
	var found []any
	for _, candidate := range candidates {
		if t.Kind == model.Float || candidate == math.Trunc(candidate) {
			found = append(found, integral(candidate))
		}
	}
	return found
}

// texts are the candidates for a text: what the rules suggest, the member's name as
// words, or anything of the right length.
func (v *value) texts(name string) []any {
	list := slices.Clone(v.samples)
	if len(list) > 1 {
		list = append(list, strings.Join(v.samples, ""))
	}
	list = append(list, sentenceCase(name), name, "abc", "Abc1", "ABC", "123")
	for i, text := range list {
		list[i] = fit(text, v.schema)
	}
	return append(asAny(v.samples), asAny(list)...)
}

// longest is the length up to which examples are made.
const longest = 1000

// fit makes a text as long as a schema asks for, unless that is too long for an example.
func fit(text string, schema *openapi3.Schema) string {
	runes := []rune(text)
	least, most := schema.MinLength, uint64(longest)
	if schema.MaxLength != nil {
		most = min(most, *schema.MaxLength)
	}
	if len(runes) == 0 || least > most {
		return text
	}
	if uint64(len(runes)) < least {
		most = least
	}
	for uint64(len(runes)) < least {
		runes = append(runes, []rune(text)...)
	}
	return string(runes[:min(uint64(len(runes)), most)])
}

// another returns the i-th value after one that differs from all before it, if the schema
// allows that.
func another(one any, schema *openapi3.Schema, i int) (any, bool) {
	var next any
	switch v := one.(type) {
	case int64:
		next = v + int64(i)
	case float64:
		next = v + float64(i)
	case string:
		next = v + strconv.Itoa(i+1)
	}
	if len(schema.Enum) > i {
		next = schema.Enum[i]
	}
	return next, next != nil && (len(schema.Enum) > i || len(schema.Enum) == 0 && allows(schema, next))
}

func asFloat(value any) (float64, bool) {
	switch v := value.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

func asAny(texts []string) []any {
	list := make([]any, len(texts))
	for i, text := range texts {
		list[i] = text
	}
	return list
}
