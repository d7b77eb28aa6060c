package openapitest

import (
	"encoding/json"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"
)

// parameter is a parameter of an operation.
type parameter struct {
	name, in string
	object   object
	kinds    []string // types of the value, or of the items of a list
	list     bool
	many     bool // each item of the list is a parameter of its own
}

func (o *operation) parameters() []parameter {
	var list []parameter
	declared, _ := o.object["parameters"].([]any)
	for _, each := range declared {
		found := o.document.resolve(each)
		p := parameter{object: found}
		p.name, _ = found["name"].(string)
		p.in, _ = found["in"].(string)
		schema := o.document.resolve(found["schema"])
		p.kinds = typesOf(schema)
		if p.list = slices.Contains(p.kinds, "array"); p.list {
			p.many = p.in == "query" && found["explode"] != any(false)
			p.kinds = typesOf(o.document.resolve(schema["items"]))
		}
		list = append(list, p)
	}
	return list
}

// text returns a value as the parameter is written.
func (p parameter) text(value any) string {
	switch v := value.(type) {
	case nil:
		return "x"
	case string:
		return v
	case []any:
		var all []string
		for _, each := range v {
			all = append(all, p.text(each))
		}
		return strings.Join(all, ",")
	}
	return string(toJSON(value))
}

// value returns the JSON value of a written parameter, for validation by its schema.
func (p parameter) value(text string) any {
	switch {
	case p.many:
		return []any{p.scalar(text)}
	case !p.list:
		return p.scalar(text)
	}
	var all []any
	for each := range strings.SplitSeq(text, ",") {
		all = append(all, p.scalar(each))
	}
	return all
}

func (p parameter) scalar(text string) any {
	isNumeric := slices.Contains(p.kinds, "integer") || slices.Contains(p.kinds, "number")
	switch {
	case isNumeric && strings.Trim(text, "-+.eE0123456789") == "" && json.Valid([]byte(text)):
		return json.Number(text)
	case slices.Contains(p.kinds, "boolean") && (text == "true" || text == "false"):
		return text == "true"
	}
	return text
}

// tryParameters sends each query and header parameter with many values, and an unknown parameter.
func (c *conformity) tryParameters(op *operation, base request) {
	for _, p := range op.parameters() {
		if p.in != "query" && p.in != "header" {
			continue
		}
		if contentOf(p.object) != nil {
			c.tryTrees(op, base, p)
			continue
		}
		for _, text := range parameterStrings(c.document.resolve(p.object["schema"])) {
			if c.isSpent() {
				return
			}
			if p.in == "header" && (text != strings.TrimSpace(text) || strings.ContainsAny(text, "\n\r")) {
				continue // HTTP trims or rejects it
			}
			r := base.withParameter(p.in, p.name, text)
			c.try(op, c.checked(r, p.object["schema"], toJSON(p.value(text))))
		}
	}
	unknown := base.withParameter("query", "thisParameterIsNotKnown", "x")
	unknown.valid = false
	c.try(op, unknown)
}

// checked returns the request, valid if a parameter also matches its schema, and exactly so if that expresses all rules.
func (c *conformity) checked(r request, schema any, value []byte) request {
	read, _ := parseJSON(string(value))
	r.valid = r.valid && c.isValid(schema, value)
	r.exactly = r.exactly && c.document.expresses(schema, read) && !isLoose(string(value))
	return r
}

// formats returns the media types of the operation's successful responses.
func (o *operation) formats() []string {
	found := object{}
	for status, response := range in(o.object, "responses") {
		if status[0] == '2' {
			maps.Copy(found, in(o.document.resolve(response), "content"))
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// tryMediaTypes requests each format and one that the API does not have, and sends bodies in unsupported media types.
func (c *conformity) tryMediaTypes(op *operation, base request) {
	unsupported := base.withParameter("header", "Accept", "application/x-nobody-sends-this")
	unsupported.valid, unsupported.exactly = true, false
	c.try(op, unsupported)
	for _, mediaType := range op.formats() {
		accepting := base.withParameter("header", "Accept", mediaType)
		response := c.try(op, accepting)
		if response == nil || response.Code >= http.StatusMultipleChoices || response.Body.Len() == 0 {
			continue
		}
		if got, _, _ := mime.ParseMediaType(response.Header().Get("Content-Type")); got != mediaType {
			c.fail(op, otherFormat, accepting, response)
		}
	}
	if base.mediaType == "" {
		return
	}
	for _, mediaType := range []string{"text/plain", "application/xml", "application/json; charset=latin1", "not a media type"} {
		r := base
		r.mediaType, r.valid = mediaType, false
		c.try(op, r)
	}
	r := base.withParameter("header", http.CanonicalHeaderKey("Content-Encoding"), "gzip")
	r.valid = false
	c.try(op, r)
}
