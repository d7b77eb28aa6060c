package openapi

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/internal/schema"
)

// What stands for schemas in what formats make of them, for these have no names before all of
// them are known.
const (
	recordRef = "#/record" // that of a record, as JSON has it
	itemRef   = "#/item"   // that of a record, as the format has it
)

// referrer puts schemas where a format refers to them.
type referrer struct {
	record *schema.Schema
	item   func() *schema.Schema // nil where there is no other one
}

// in returns a schema with those that its references mean.
func (p referrer) in(s *schema.Schema) *schema.Schema {
	if s == nil {
		return nil
	}
	for i := range s.Properties {
		s.Properties[i].Schema = p.in(s.Properties[i].Schema)
	}
	for _, list := range [][]*schema.Schema{s.AllOf, s.AnyOf, s.OneOf} {
		for i := range list {
			list[i] = p.in(list[i])
		}
	}
	s.Items, s.Not, s.AdditionalProperties = p.in(s.Items), p.in(s.Not), p.in(s.AdditionalProperties)
	at := slices.IndexFunc(s.More, func(k schema.Keyword) bool { return k.Name == "$ref" })
	var pointer string
	if at < 0 || json.Unmarshal(s.More[at].Value, &pointer) != nil {
		return s
	}
	steps, of := strings.CutPrefix(pointer, recordRef)
	switch {
	case pointer == itemRef && p.item != nil:
		return p.item()
	case !of:
		return s
	case s.Properties != nil || s.Required != nil:
		return over(partOf(p.record, strings.Split(steps, "/")[1:]), s)
	}
	return partOf(p.record, strings.Split(steps, "/")[1:])
}

// over returns an object's schema with some members in place of, or before its own, without what
// answers have beside the record.
func over(object, members *schema.Schema) *schema.Schema {
	base := objectIn(object)
	if base == nil {
		return members
	}
	made := *base
	made.Properties, made.Required = nil, slices.Clone(members.Required)
	for _, p := range members.Properties {
		if base.Property(p.Name) == nil {
			made.Properties = append(made.Properties, p)
		}
	}
	for _, p := range base.Properties {
		if own := members.Property(p.Name); own != nil {
			p.Schema = own
		}
		made.Properties = append(made.Properties, p)
	}
	for _, name := range base.Required {
		if !slices.Contains(made.Required, name) {
			made.Required = append(made.Required, name)
		}
	}
	return &made
}

// objectIn returns the object that a schema is of: itself, or what it leads to first.
func objectIn(s *schema.Schema) *schema.Schema {
	if s == nil || len(s.Properties) > 0 {
		return s
	}
	if s.Ref != nil {
		return objectIn(s.Ref.Schema)
	}
	for _, one := range slices.Concat(s.AllOf, s.AnyOf, s.OneOf) {
		if found := objectIn(one); found != nil {
			return found
		}
	}
	return nil
}

// partOf returns the part of a schema that a JSON Pointer (RFC 6901) leads to, by members and
// elements: through definitions, and whatever else a schema consists of. It is any value where
// there is no such part.
func partOf(s *schema.Schema, steps []string) *schema.Schema {
	if len(steps) == 0 || s == nil {
		return s
	}
	switch lists := map[string][]*schema.Schema{"allOf": s.AllOf, "anyOf": s.AnyOf, "oneOf": s.OneOf}; {
	case steps[0] == "items" && s.Items != nil:
		return partOf(s.Items, steps[1:])
	case steps[0] == "properties" && len(steps) > 1:
		if p := s.Property(strings.NewReplacer("~1", "/", "~0", "~").Replace(steps[1])); p != nil {
			return partOf(p, steps[2:])
		}
	case lists[steps[0]] != nil && len(steps) > 1:
		if i, err := strconv.Atoi(steps[1]); err == nil && 0 <= i && i < len(lists[steps[0]]) {
			return partOf(lists[steps[0]][i], steps[2:])
		}
	}
	inner := slices.Concat(s.AllOf, s.AnyOf, s.OneOf)
	if s.Ref != nil {
		inner = append(inner, s.Ref.Schema)
	}
	for _, one := range inner {
		if found := partOf(one, steps); found != nil && !found.IsEmpty() {
			return found
		}
	}
	return &schema.Schema{}
}
