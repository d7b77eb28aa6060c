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
	for _, keyword := range []string{"anyOf", "oneOf"} {
		hadAny, hasAny := old[keyword] != nil, changed[keyword] != nil
		if hadAny || hasAny {
			c.alternatives(where, expanded(c.before, old, keyword), expanded(c.now, changed, keyword), way)
		}
		if hadAny != hasAny {
			return // what else there is to compare is in each alternative
		}
	}
	wide, narrow := old, changed // what clients knew, and what is so now
	if way == given {
		wide, narrow = changed, old
	}
	c.types(where, wide, narrow, way)
	c.enumerations(where, wide, narrow, way)
	c.limits(where, wide, narrow, way)
	c.conditions(where, wide, narrow, way)
	c.properties(where, old, changed, way)
	c.others(where, old, changed, way)
	if old["items"] != nil && changed["items"] != nil {
		c.schema(member(where, "[]"), old["items"], changed["items"], way)
	} else if narrow["items"] != nil {
		c.narrowed(where, "items", way)
	}
	c.conjuncts(where, old, changed, way)
}

// expanded returns the alternatives of a schema, each with what it says of all of them: the schema itself if it
// has none.
func expanded(d *document, schema object, keyword string) []any {
	list, ok := schema[keyword].([]any)
	if !ok {
		return []any{schema}
	}
	common := maps.Clone(schema)
	delete(common, keyword)
	all := make([]any, len(list))
	for i, each := range list {
		if all[i] = each; len(common) > 0 {
			merged := maps.Clone(common)
			maps.Copy(merged, d.resolve(each))
			all[i] = merged
		}
	}
	return all
}

// alternatives compares lists of which a value follows one: each that clients may send must still be taken, and
// each that they may get must be one that they know.
func (c *comparison) alternatives(where string, before, now []any, way direction) {
	for i := range before {
		if way == taken && !slices.ContainsFunc(now, func(each any) bool { return c.fits(before[i], each, way) }) {
			c.alternative(where, before, now, i, way)
		}
	}
	for i := range now {
		if way == given && !slices.ContainsFunc(before, func(each any) bool { return c.fits(each, now[i], way) }) {
			c.alternative(where, before, now, i, way)
		}
	}
}

// alternative notes what is wrong with one: in detail, where it is clear which one it was.
func (c *comparison) alternative(where string, before, now []any, i int, way direction) {
	if len(before) == len(now) {
		c.schema(where, before[i], now[i], way)
		return
	}
	c.narrowed(where, "an alternative", way)
}

// fits reports whether a schema can take the place of another one without breaking clients.
func (c *comparison) fits(before, now any, way direction) bool {
	tried := &comparison{before: c.before, now: c.now, open: maps.Clone(c.open)}
	tried.schema("", before, now, way)
	return len(tried.breaking) == 0
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
	have, known := enumeration(narrow), enumeration(wide)
	if have == nil {
		return
	}
	if known == nil {
		c.narrowed(where, "an enumeration", way)
		return
	}
	for _, value := range known {
		if !slices.ContainsFunc(have, func(other any) bool { return string(written(other)) == string(written(value)) }) {
			c.narrowed(where, "enum "+string(written(value)), way)
		}
	}
}

// enumeration returns the values that a schema lists, nil for any.
func enumeration(schema object) []any {
	if value, ok := schema["const"]; ok {
		return []any{value}
	}
	list, _ := schema["enum"].([]any)
	return list
}

// limits compares the least and the most of values.
func (c *comparison) limits(where string, wide, narrow object, way direction) {
	for keyword, sign := range map[string]float64{
		"minimum": 1, "exclusiveMinimum": 1, "minLength": 1, "minItems": 1, "minProperties": 1,
		"maximum": -1, "exclusiveMaximum": -1, "maxLength": -1, "maxItems": -1, "maxProperties": -1,
	} {
		limit, limited := number(narrow[keyword])
		known, was := number(wide[keyword])
		if limited && (!was || sign*limit > sign*known) {
			c.narrowed(where, keyword, way)
		}
	}
}

// conditions compares keywords of which nothing is known but whether they are the same.
func (c *comparison) conditions(where string, wide, narrow object, way direction) {
	for _, keyword := range []string{
		"pattern", "format", "multipleOf", "uniqueItems", "not", "propertyNames", "patternProperties", "contentEncoding", "contentMediaType",
	} {
		have := narrow[keyword]
		if have == nil || isFalse(have) || string(written(have)) == string(written(wide[keyword])) {
			continue
		}
		if keyword != "format" || !isWider(have, wide["format"]) {
			c.narrowed(where, keyword, way)
		}
	}
}

// isFalse reports whether a keyword is false, and not left out.
func isFalse(keyword any) bool {
	is, ok := keyword.(bool)
	return ok && !is
}

// isWider reports whether a format has all numbers of another one.
func isWider(wide, narrow any) bool {
	return wide == "int64" && narrow == "int32" || wide == "double" && narrow == "float"
}

// others compares what objects may have besides the properties that they list.
func (c *comparison) others(where string, old, changed object, way direction) {
	before, hadSchema := old["additionalProperties"].(object)
	now, hasSchema := changed["additionalProperties"].(object)
	switch {
	case hadSchema && hasSchema:
		c.schema(member(where, "*"), before, now, way)
	case way == taken && !isFalse(old["additionalProperties"]) && (isFalse(changed["additionalProperties"]) || hasSchema):
		c.narrowed(where, "other fields", way)
	case way == given && hadSchema && !isFalse(changed["additionalProperties"]):
		c.narrowed(where, "other fields", way)
	}
}

// properties compares the members of objects.
func (c *comparison) properties(where string, old, changed object, way direction) {
	before, now := in(old, "properties"), in(changed, "properties")
	was, is := requiredOf(old), requiredOf(changed)
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if now[name] == nil {
			c.note(member(where, name), "is gone")
			continue
		}
		if flag, is := oneWay[way], isFlagged(c.now, now[name], oneWay[way]); is || isFlagged(c.before, before[name], flag) {
			if !isFlagged(c.before, before[name], flag) {
				c.note(member(where, name), "is %s now", flag)
			}
			continue
		}
		if way == given && slices.Contains(was, name) && !slices.Contains(is, name) {
			c.note(member(where, name), "may be missing now")
		}
		c.schema(member(where, name), before[name], now[name], way)
	}
	for _, name := range is {
		if way == taken && !slices.Contains(was, name) && !isFlagged(c.now, now[name], oneWay[taken]) {
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

// oneWay are the keywords of values that do not go a way.
var oneWay = [...]string{taken: "readOnly", given: "writeOnly"}

// isFlagged reports whether a property has a keyword, by itself or in what it refers to.
func isFlagged(d *document, property any, keyword string) bool {
	node, _ := property.(object)
	own, _ := node[keyword].(bool)
	resolved, _ := d.resolve(property)[keyword].(bool)
	return own || resolved
}

// conjuncts compares allOf, one by one in their order.
func (c *comparison) conjuncts(where string, old, changed object, way direction) {
	before, _ := old["allOf"].([]any)
	now, _ := changed["allOf"].([]any)
	for i := range min(len(before), len(now)) {
		c.schema(where, before[i], now[i], way)
	}
	if len(now) > len(before) && way == taken || len(before) > len(now) && way == given {
		c.narrowed(where, "a condition", way)
	}
}
