package openapitest

import (
	"maps"
	"slices"
)

// direction is the direction in which values are sent.
type direction int

// A change may permit more values in requests, and fewer in responses.
const (
	inRequests direction = iota
	inResponses
)

// schema compares the values of two schemas.
func (c *comparison) schema(where string, before, now any, dir direction) {
	if pair := ref(before) + " " + ref(now); pair != " " {
		if c.open[pair] {
			return // a recursive type
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
			c.alternatives(where, expanded(c.before, old, keyword), expanded(c.now, changed, keyword), dir)
		}
		if hadAny != hasAny {
			return // the alternatives include the other keywords
		}
	}
	wide, narrow := old, changed // narrow must permit all values of wide
	if dir == inResponses {
		wide, narrow = changed, old
	}
	c.types(where, wide, narrow, dir)
	c.enumerations(where, wide, narrow, dir)
	c.limits(where, wide, narrow, dir)
	c.conditions(where, wide, narrow, dir)
	c.properties(where, old, changed, dir)
	c.additional(where, old, changed, dir)
	if old["items"] != nil && changed["items"] != nil {
		c.schema(fieldAt(where, "[]"), old["items"], changed["items"], dir)
	} else if narrow["items"] != nil {
		c.narrowed(where, "items", dir)
	}
	c.conjuncts(where, old, changed, dir)
}

// expanded returns the alternatives of a schema, each with the other keywords of the schema. Without alternatives, it
// returns the schema itself.
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

// alternatives compares lists of schemas of which a value matches one. Requests that matched one before must still
// match one, and responses must match one that was there before. It notes a change in detail if both lists have the same
// length, so that an alternative has a counterpart.
func (c *comparison) alternatives(where string, before, now []any, dir direction) {
	wide, narrow := before, now
	if dir == inResponses {
		wide, narrow = now, before
	}
	for i, one := range wide {
		stays := func(each any) bool {
			return dir == inRequests && c.fits(one, each, dir) || dir == inResponses && c.fits(each, one, dir)
		}
		switch {
		case slices.ContainsFunc(narrow, stays):
		case len(before) == len(now):
			c.schema(where, before[i], now[i], dir)
		default:
			c.narrowed(where, "an alternative", dir)
		}
	}
}

// fits reports whether a schema can replace another one without breaking clients.
func (c *comparison) fits(before, now any, dir direction) bool {
	tried := &comparison{before: c.before, now: c.now, open: maps.Clone(c.open)}
	tried.schema("", before, now, dir)
	return len(tried.breaking) == 0
}

func ref(schema any) string {
	node, _ := schema.(object)
	name, _ := node["$ref"].(string)
	return name
}

// narrowed notes that requests permit fewer values, or responses more.
func (c *comparison) narrowed(where, what string, dir direction) {
	if dir == inRequests {
		c.note(where, "accepts fewer values: %s", what)
	} else {
		c.note(where, "can have new values: %s", what)
	}
}

// types compares the types. The narrow schema must have each type of the wide one.
func (c *comparison) types(where string, wide, narrow object, dir direction) {
	have := typesOf(narrow)
	if have == nil {
		return
	}
	for _, name := range typesOf(wide) {
		if !slices.Contains(have, name) && (name != "integer" || !slices.Contains(have, "number")) {
			c.narrowed(where, "type "+name, dir)
		}
	}
}

func typesOf(schema object) []string {
	if name, isOne := schema["type"].(string); isOne {
		return []string{name}
	}
	return stringsIn(schema["type"])
}

// stringsIn returns a list of strings, nil for any other value.
func stringsIn(value any) (texts []string) {
	list, _ := value.([]any)
	for _, each := range list {
		text, _ := each.(string)
		texts = append(texts, text)
	}
	return texts
}

func (c *comparison) enumerations(where string, wide, narrow object, dir direction) {
	have, known := enumeration(narrow), enumeration(wide)
	if have == nil {
		return
	}
	if known == nil {
		c.narrowed(where, "an enumeration", dir)
		return
	}
	for _, value := range known {
		if !slices.ContainsFunc(have, func(other any) bool { return string(toJSON(other)) == string(toJSON(value)) }) {
			c.narrowed(where, "enum "+string(toJSON(value)), dir)
		}
	}
}

// enumeration returns the values that a schema lists, nil if it permits any.
func enumeration(schema object) []any {
	if value, ok := schema["const"]; ok {
		return []any{value}
	}
	list, _ := schema["enum"].([]any)
	return list
}

// limits compares minimums and maximums.
func (c *comparison) limits(where string, wide, narrow object, dir direction) {
	for keyword, sign := range map[string]float64{
		"minimum": 1, "exclusiveMinimum": 1, "minLength": 1, "minItems": 1, "minProperties": 1,
		"maximum": -1, "exclusiveMaximum": -1, "maxLength": -1, "maxItems": -1, "maxProperties": -1,
	} {
		limit, limited := number(narrow[keyword])
		known, was := number(wide[keyword])
		if limited && (!was || sign*limit > sign*known) {
			c.narrowed(where, keyword, dir)
		}
	}
}

// conditions compares keywords for equality alone, because they have no order.
func (c *comparison) conditions(where string, wide, narrow object, dir direction) {
	for _, keyword := range []string{
		"pattern", "format", "multipleOf", "uniqueItems", "not", "propertyNames", "patternProperties", "contentEncoding", "contentMediaType",
	} {
		have := narrow[keyword]
		if have == nil || have == any(false) || string(toJSON(have)) == string(toJSON(wide[keyword])) {
			continue
		}
		if was := wide[keyword]; have == "int64" && was == "int32" || have == "double" && was == "float" {
			continue // the format includes all numbers of the other one
		}
		c.narrowed(where, keyword, dir)
	}
}

// additional compares the schemas of properties that objects do not list.
func (c *comparison) additional(where string, old, changed object, dir direction) {
	before, hadSchema := old["additionalProperties"].(object)
	now, hasSchema := changed["additionalProperties"].(object)
	switch {
	case hadSchema && hasSchema:
		c.schema(fieldAt(where, "*"), before, now, dir)
	case dir == inRequests && old["additionalProperties"] != any(false) && (changed["additionalProperties"] == any(false) || hasSchema),
		dir == inResponses && hadSchema && changed["additionalProperties"] != any(false):
		c.narrowed(where, "other fields", dir)
	}
}

// properties compares the properties of objects.
func (c *comparison) properties(where string, old, changed object, dir direction) {
	before, now := in(old, "properties"), in(changed, "properties")
	was, is := requiredOf(old), requiredOf(changed)
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if now[name] == nil {
			c.note(fieldAt(where, name), "was removed")
			continue
		}
		if flag, is := oneWay[dir], isFlagged(c.now, now[name], oneWay[dir]); is || isFlagged(c.before, before[name], flag) {
			if !isFlagged(c.before, before[name], flag) {
				c.note(fieldAt(where, name), "is %s now", flag)
			}
			continue
		}
		if dir == inResponses && slices.Contains(was, name) && !slices.Contains(is, name) {
			c.note(fieldAt(where, name), "may be missing now")
		}
		c.schema(fieldAt(where, name), before[name], now[name], dir)
	}
	for _, name := range is {
		if dir == inRequests && !slices.Contains(was, name) && !isFlagged(c.now, now[name], oneWay[inRequests]) {
			c.note(fieldAt(where, name), "is required now")
		}
	}
}

func requiredOf(schema object) []string { return stringsIn(schema["required"]) }

// oneWay holds the keyword of properties that are not sent in a direction.
var oneWay = [...]string{inRequests: "readOnly", inResponses: "writeOnly"}

// isFlagged reports whether a property, or the schema that it refers to, has a keyword that is true.
func isFlagged(d *document, property any, keyword string) bool {
	node, _ := property.(object)
	return node[keyword] == any(true) || d.resolve(property)[keyword] == any(true)
}

// conjuncts compares the schemas of allOf one by one, in their order.
func (c *comparison) conjuncts(where string, old, changed object, dir direction) {
	before, _ := old["allOf"].([]any)
	now, _ := changed["allOf"].([]any)
	for i := range min(len(before), len(now)) {
		c.schema(where, before[i], now[i], dir)
	}
	if len(now) > len(before) && dir == inRequests || len(before) > len(now) && dir == inResponses {
		c.narrowed(where, "a condition", dir)
	}
}
