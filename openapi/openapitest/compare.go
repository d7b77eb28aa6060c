package openapitest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// comparison compares two documents.
type comparison struct {
	before, now *document
	breaking    []string
	open        map[string]bool // pairs of references whose comparison is not finished
}

// compare lists the changes from the first document to the second that break clients.
func compare(before, now []byte) (breaking []string, err error) {
	old, err := newDocument(before)
	if err != nil {
		return nil, err
	}
	changed, err := newDocument(now)
	if err != nil {
		return nil, err
	}
	c := &comparison{before: old, now: changed, open: map[string]bool{}}
	there := map[string]*operation{}
	for _, op := range changed.operations {
		there[op.method+" "+op.path] = op
	}
	c.schemes()
	for _, op := range old.operations {
		if other, ok := there[op.method+" "+op.path]; ok {
			c.operation(op, other)
		} else {
			c.note(op.name(), "was removed")
		}
	}
	slices.Sort(c.breaking)
	return slices.Compact(c.breaking), nil
}

func (c *comparison) note(where, format string, args ...any) {
	c.breaking = append(c.breaking, where+" "+fmt.Sprintf(format, args...))
}

func (c *comparison) operation(old, changed *operation) {
	if old.id() != changed.id() {
		c.note(old.name(), "has the operationId %s now", changed.id())
	}
	c.security(old, changed)
	c.parameters(old, changed)
	c.requestBody(old, changed)
	for _, status := range slices.Sorted(maps.Keys(in(old.object, "responses"))) {
		c.response(old, changed, status)
	}
}

func (c *comparison) parameters(old, changed *operation) {
	there := map[string]parameter{}
	for _, p := range changed.parameters() {
		there[p.in+p.name] = p
	}
	for _, p := range old.parameters() {
		where := fmt.Sprintf("%s: the %s parameter %s", old.name(), p.in, p.name)
		other, ok := there[p.in+p.name]
		if !ok {
			c.note(where, "was removed")
			continue
		}
		delete(there, p.in+p.name)
		if isRequired(other.object) && !isRequired(p.object) {
			c.note(where, "is required now")
		}
		if styleOf(p) != styleOf(other) {
			c.note(where, "has a different serialization now: %s", styleOf(other))
		}
		c.schema(where, p.object["schema"], other.object["schema"], inRequests)
	}
	for _, p := range there {
		if isRequired(p.object) {
			c.note(old.name(), "has the new required %s parameter %s", p.in, p.name)
		}
	}
}

// styleOf describes how a parameter is serialized.
func styleOf(p parameter) string {
	style, _ := p.object["style"].(string)
	if style == "" {
		style = map[string]string{"query": "form", "cookie": "form"}[p.in]
	}
	explode, ok := p.object["explode"].(bool)
	return fmt.Sprintf("style %s, explode %v", cmp.Or(style, "simple"), explode || !ok && style == "form")
}

// isRequired reports whether a parameter, header or body is required.
func isRequired(of object) bool { return of["required"] == any(true) }

func (c *comparison) requestBody(old, changed *operation) {
	before, now := c.before.resolve(old.object["requestBody"]), c.now.resolve(changed.object["requestBody"])
	if !isRequired(before) && isRequired(now) {
		c.note(old.name(), "requires a body now")
	}
	c.content(old.name()+": the body", in(before, "content"), in(now, "content"), inRequests)
}

func (c *comparison) response(old, changed *operation, status string) {
	before, now := in(old.object, "responses"), in(changed.object, "responses")
	where := old.name() + ": the response " + status
	switch {
	case now[status] != nil:
	case now["default"] != nil && status >= "400" && status != "default":
		c.forms(where, in(c.before.resolve(before[status]), "content"), in(c.now.resolve(now["default"]), "content"), true)
		return
	default:
		c.note(where, "was removed")
		return
	}
	was, is := c.before.resolve(before[status]), c.now.resolve(now[status])
	c.content(where, in(was, "content"), in(is, "content"), inResponses)
	c.headers(where, in(was, "headers"), in(is, "headers"))
	if status >= "400" {
		c.forms(where, in(was, "content"), in(is, "content"), false)
	}
}

// headers compares the header fields of a response.
func (c *comparison) headers(where string, old, changed object) {
	for _, name := range slices.Sorted(maps.Keys(old)) {
		was, is := c.before.resolve(old[name]), c.now.resolve(changed[name])
		at := where + ": the header " + name
		switch {
		case is == nil:
			c.note(at, "was removed")
		case isRequired(was) && !isRequired(is):
			c.note(at, "may be missing now")
		}
		c.schema(at, was["schema"], is["schema"], inResponses)
	}
}

// forms notes each form of an error that the response no longer has, because clients may read the error from it. If the
// default response covers the error now, the API may still send what only the old schema describes, so a form stays if
// default has its required fields.
func (c *comparison) forms(where string, old, changed object, isDefault bool) {
	for _, mediaType := range slices.Sorted(maps.Keys(old)) {
		was, is := c.before.resolve(old[mediaType])["schema"], c.now.resolve(changed[mediaType])["schema"]
		if isDefault && changed[mediaType] == nil {
			c.note(where, "no longer has the media type %s", mediaType)
		}
		for _, keyword := range []string{"anyOf", "oneOf"} {
			known := expanded(c.before, c.before.resolve(was), keyword)
			for i, form := range known {
				stays := func(each any) bool {
					return isDefault && c.hasRequired(each, form) || !isDefault && c.fits(form, each, inResponses)
				}
				if (isDefault || len(known) > 1) && is != nil && !slices.ContainsFunc(expanded(c.now, c.now.resolve(is), keyword), stays) {
					c.note(where, "no longer has the form %s", nameOf(form, i))
				}
			}
		}
	}
}

// hasRequired reports whether a schema can have the required fields of another one.
func (c *comparison) hasRequired(now, before any) bool {
	properties := in(c.now.resolve(now), "properties")
	isMissing := func(name string) bool { return properties != nil && properties[name] == nil }
	return !slices.ContainsFunc(requiredOf(c.before.resolve(before)), isMissing)
}

// nameOf returns the component name of a schema, or its number if it is not a component.
func nameOf(schema any, i int) string {
	name := ref(schema)
	return cmp.Or(name[strings.LastIndexByte(name, '/')+1:], strconv.Itoa(i+1))
}

func (c *comparison) content(where string, old, changed object, dir direction) {
	for _, mediaType := range slices.Sorted(maps.Keys(old)) {
		if changed[mediaType] == nil {
			c.note(where, "no longer has the media type %s", mediaType)
			continue
		}
		c.schema(where, c.before.resolve(old[mediaType])["schema"], c.now.resolve(changed[mediaType])["schema"], dir)
	}
}

// fieldAt appends the name of a field to a place in a message.
func fieldAt(where, name string) string {
	if strings.Contains(where, " at ") {
		return where + "." + name
	}
	return where + " at " + name
}

// credentials are those that a request needs together: the scopes of each scheme.
type credentials map[string][]string

// security returns the credentials that an operation accepts, any of which suffices. An empty one accepts anonymous
// requests.
func (o *operation) security() []credentials {
	declared, ok := o.object["security"].([]any)
	if !ok {
		declared, _ = o.document.root["security"].([]any)
	}
	var all []credentials
	for _, each := range declared {
		node, _ := each.(object)
		accepted := credentials{}
		for scheme, scopes := range node {
			accepted[scheme] = stringsIn(scopes)
		}
		all = append(all, accepted)
	}
	if len(all) == 0 {
		return []credentials{{}}
	}
	return all
}

// suffice reports whether a client with these credentials has the needed ones.
func (c credentials) suffice(needed credentials) bool {
	for scheme, scopes := range needed {
		granted, ok := c[scheme]
		if !ok || slices.ContainsFunc(scopes, func(scope string) bool { return !slices.Contains(granted, scope) }) {
			return false
		}
	}
	return true
}

// String lists the schemes, with their scopes.
func (c credentials) String() string {
	var names []string
	for _, scheme := range slices.Sorted(maps.Keys(c)) {
		if scopes := c[scheme]; len(scopes) > 0 {
			scheme += " (" + strings.Join(scopes, ", ") + ")"
		}
		names = append(names, scheme)
	}
	if names == nil {
		return "anonymous requests"
	}
	return strings.Join(names, " and ")
}

// security compares the credentials that an operation accepts: those that sufficed must still suffice.
func (c *comparison) security(old, changed *operation) {
	for _, has := range old.security() {
		if !slices.ContainsFunc(changed.security(), has.suffice) {
			c.note(old.name(), "no longer accepts %s", has)
		}
	}
}

// schemes compares how clients send credentials.
func (c *comparison) schemes() {
	before, now := in(c.before.root["components"], "securitySchemes"), in(c.now.root["components"], "securitySchemes")
	for _, name := range slices.Sorted(maps.Keys(before)) {
		was, is := c.before.resolve(before[name]), c.now.resolve(now[name])
		if is == nil {
			continue // security notes it for each operation
		}
		c.same("the security scheme "+name, was, is, "type", "scheme", "in", "name", "openIdConnectUrl")
		c.flows(name, in(was, "flows"), in(is, "flows"))
	}
}

// flows compares how clients obtain tokens.
func (c *comparison) flows(scheme string, old, changed object) {
	for _, name := range slices.Sorted(maps.Keys(old)) {
		where := "the security scheme " + scheme + ": the flow " + name
		was, is := c.before.resolve(old[name]), c.now.resolve(changed[name])
		if is == nil {
			c.note(where, "was removed")
			continue
		}
		c.same(where, was, is, "authorizationUrl", "tokenUrl", "refreshUrl", "deviceAuthorizationUrl")
		for _, scope := range slices.Sorted(maps.Keys(in(was, "scopes"))) {
			if _, ok := in(is, "scopes")[scope]; !ok {
				c.note(where, "no longer has the scope %s", scope)
			}
		}
	}
}

// same notes the keywords with another value.
func (c *comparison) same(where string, was, is object, keywords ...string) {
	for _, keyword := range keywords {
		if old, changed := fmt.Sprint(was[keyword]), fmt.Sprint(is[keyword]); was[keyword] != nil && old != changed {
			c.note(where, "has a different %s now: %s", keyword, changed)
		}
	}
}
