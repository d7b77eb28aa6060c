package openapitest

import (
	"maps"
	"slices"
)

// direction is which way values go.
type direction int

// Values that are taken may become more, values that are given may become fewer.
const (
	taken direction = iota // from clients
	given                  // to clients
)

// schema compares the values of two schemas.
func (c *comparison) schema(where string, before, now any, way direction) {
	if pair := ref(before) + " " + ref(now); pair != " " {
		if c.open[pair] {
			return // a type within itself
		}
		c.open[pair] = true
		defer delete(c.open, pair)
	}
	old, changed := c.before.resolve(before), c.now.resolve(now)
	if old == nil || changed == nil {
		return
	}
	wide, narrow := old, changed // what clients knew, and what is so now
	if way == given {
		wide, narrow = changed, old
	}
	c.types(where, wide, narrow, way)
	c.enumerations(where, wide, narrow, way)
	c.limits(where, wide, narrow, way)
	c.properties(where, old, changed, way)
	if old["items"] != nil && changed["items"] != nil {
		c.schema(member(where, "[]"), old["items"], changed["items"], way)
	}
	c.alternatives(where, old, changed, way)
}

func ref(schema any) string {
	node, _ := schema.(object)
	name, _ := node["$ref"].(string)
	return name
}

// narrowed says what a narrower schema means for clients.
func (c *comparison) narrowed(where, what string, way direction) {
	if way == taken {
		c.note(where, "takes fewer values: %s", what)
	} else {
		c.note(where, "has values that it did not have: %s", what)
	}
}

// types compares the types: each that the wide schema has the narrow one must have.
func (c *comparison) types(where string, wide, narrow object, way direction) {
	have := typesOf(narrow)
	if have == nil {
		return
	}
	for _, name := range typesOf(wide) {
		if !slices.Contains(have, name) && (name != "integer" || !slices.Contains(have, "number")) {
			c.narrowed(where, "type "+name, way)
		}
	}
}

func typesOf(schema object) []string {
	switch types := schema["type"].(type) {
	case string:
		return []string{types}
	case []any:
		var names []string
		for _, each := range types {
			name, _ := each.(string)
			names = append(names, name)
		}
		return names
	}
	return nil
}

func (c *comparison) enumerations(where string, wide, narrow object, way direction) {
	have, ok := narrow["enum"].([]any)
	if !ok {
		return
	}
	known, ok := wide["enum"].([]any)
	if !ok {
		c.narrowed(where, "an enumeration", way)
		return
	}
	for _, value := range known {
		if !slices.ContainsFunc(have, func(other any) bool { return string(written(other)) == string(written(value)) }) {
			c.narrowed(where, "enum "+string(written(value)), way)
		}
	}
}

// limits compares the least and the most of values.
func (c *comparison) limits(where string, wide, narrow object, way direction) {
	for keyword, sign := range map[string]float64{
		"minimum": 1, "exclusiveMinimum": 1, "minLength": 1, "minItems": 1, "minProperties": 1,
		"maximum": -1, "exclusiveMaximum": -1, "maxLength": -1, "maxItems": -1, "maxProperties": -1,
	} {
		limit, limited := number(narrow[keyword])
		known, was := number(wide[keyword])
		if limited && (!was || sign*limit > sign*known) && way == taken {
			c.narrowed(where, keyword, way)
		}
	}
	if narrow["pattern"] != nil && narrow["pattern"] != wide["pattern"] && way == taken {
		c.narrowed(where, "pattern", way)
	}
}

// properties compares the members of objects.
func (c *comparison) properties(where string, old, changed object, way direction) {
	before, _ := old["properties"].(object)
	now, _ := changed["properties"].(object)
	was, is := requiredOf(old), requiredOf(changed)
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if now[name] == nil {
			c.note(member(where, name), "is gone")
			continue
		}
		if way == given && slices.Contains(was, name) && !slices.Contains(is, name) {
			c.note(member(where, name), "may be missing now")
		}
		c.schema(member(where, name), before[name], now[name], way)
	}
	for _, name := range is {
		if way == taken && !slices.Contains(was, name) {
			c.note(member(where, name), "is required now")
		}
	}
}

func requiredOf(schema object) []string {
	list, _ := schema["required"].([]any)
	var names []string
	for _, each := range list {
		name, _ := each.(string)
		names = append(names, name)
	}
	return names
}

// alternatives compares anyOf, one by one in their order.
func (c *comparison) alternatives(where string, old, changed object, way direction) {
	for _, keyword := range []string{"anyOf", "oneOf", "allOf"} {
		before, _ := old[keyword].([]any)
		now, _ := changed[keyword].([]any)
		for i := range min(len(before), len(now)) {
			c.schema(where, before[i], now[i], way)
		}
		if len(before) > len(now) && way == taken && keyword != "allOf" {
			c.narrowed(where, "an alternative", way)
		}
		if len(now) > len(before) && way == given && keyword != "allOf" {
			c.narrowed(where, "an alternative", way)
		}
	}
}
