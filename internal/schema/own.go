package schema

import (
	"fmt"
	"slices"
)

// Names returns the names of the keywords that have a meaning here.
func Names() []string {
	var names []string
	for name := range new(Schema).keywords {
		names = append(names, name)
	}
	return names
}

// TypeOf returns the type whose values a keyword is about, "" for a keyword about any value.
func TypeOf(keyword string) string {
	switch keyword {
	case "minLength", "maxLength", "pattern", "contentEncoding", "contentMediaType", "contentSchema":
		return String
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		return Number
	case "minItems", "maxItems", "uniqueItems", "items":
		return Array
	case "minProperties", "maxProperties", "required", "properties", "additionalProperties", "propertyNames":
		return Object
	}
	return ""
}

// Contradictions says which keywords no value can follow, and which patterns cannot be checked.
func (s *Schema) Contradictions() (found []string) {
	add := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	s.Each(func(part *Schema) {
		if _, err := Compile(part.Pattern); err != nil {
			add("has the pattern %q, which is not a regular expression that Trove supports: %v", part.Pattern, err)
		}
		if part.MaxLength != nil && *part.MaxLength < part.MinLength {
			add("has a maxLength that is less than minLength")
		}
		if part.MaxItems != nil && *part.MaxItems < part.MinItems {
			add("has a maxItems that is less than minItems")
		}
		if part.Min != "" && part.Max != "" && part.Max.Compare(part.Min) < 0 {
			add("has a maximum that is less than minimum")
		}
	})
	return found
}

// AllowsAll reports whether a value from [Go] and everything in it is valid by the schema, as [Schema.Allows] does for the
// value itself.
func (s *Schema) AllowsAll(value any) bool {
	if s == nil || !s.Allows(value) {
		return s == nil
	}
	switch v := value.(type) {
	case []any:
		return !slices.ContainsFunc(v, func(element any) bool { return !s.Items.AllowsAll(element) })
	case map[string]any:
		for _, name := range s.Required {
			if _, ok := v[name]; !ok {
				return false
			}
		}
		for name, inner := range v {
			of := s.AdditionalProperties
			if own := s.Property(name); own != nil {
				of = own
			}
			if !of.AllowsAll(inner) || !s.PropertyNames.AllowsAll(name) {
				return false
			}
		}
	}
	return true
}
