package openapitest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// credentials are those that a request needs together: scopes, by the scheme.
type credentials map[string][]string

// ways returns the credentials of which an operation takes any: none of them if it asks for nothing.
func (o operation) ways() []credentials {
	declared, ok := o.object["security"].([]any)
	if !ok {
		declared, _ = o.document.root["security"].([]any)
	}
	var all []credentials
	for _, each := range declared {
		node, _ := each.(object)
		way := credentials{}
		for scheme, list := range node {
			scopes, _ := list.([]any)
			way[scheme] = []string{}
			for _, scope := range scopes {
				way[scheme] = append(way[scheme], fmt.Sprint(scope))
			}
		}
		all = append(all, way)
	}
	if len(all) == 0 {
		return []credentials{{}}
	}
	return all
}

// suffice reports whether what a client has is enough.
func (has credentials) suffice(needed credentials) bool {
	for scheme, scopes := range needed {
		granted, ok := has[scheme]
		if !ok || slices.ContainsFunc(scopes, func(scope string) bool { return !slices.Contains(granted, scope) }) {
			return false
		}
	}
	return true
}

// String names the schemes, with their scopes.
func (has credentials) String() string {
	var names []string
	for _, scheme := range slices.Sorted(maps.Keys(has)) {
		if scopes := has[scheme]; len(scopes) > 0 {
			scheme += " (" + strings.Join(scopes, ", ") + ")"
		}
		names = append(names, scheme)
	}
	if names == nil {
		return "no credentials"
	}
	return strings.Join(names, " and ")
}

// security compares the credentials that an operation takes: those that were enough must be so now.
func (c *comparison) security(old, changed operation) {
	for _, has := range old.ways() {
		if !slices.ContainsFunc(changed.ways(), has.suffice) {
			c.note(old.name(), "no longer takes %s", has)
		}
	}
}

// schemes compares how clients send credentials.
func (c *comparison) schemes() {
	before, now := c.before.schemes(), c.now.schemes()
	for _, name := range slices.Sorted(maps.Keys(before)) {
		was, is := c.before.resolve(before[name]), c.now.resolve(now[name])
		if is == nil {
			continue // operations tell
		}
		for _, keyword := range []string{"type", "scheme", "in", "name", "openIdConnectUrl"} {
			if old, changed := fmt.Sprint(was[keyword]), fmt.Sprint(is[keyword]); old != changed {
				c.note("the security scheme "+name, "has another %s now: %s", keyword, changed)
			}
		}
		c.flows(name, was["flows"], is["flows"])
	}
}

// flows compares how clients obtain tokens.
func (c *comparison) flows(scheme string, before, now any) {
	old, _ := before.(object)
	changed, _ := now.(object)
	for _, name := range slices.Sorted(maps.Keys(old)) {
		where := "the security scheme " + scheme + ": the flow " + name
		was, is := c.before.resolve(old[name]), c.now.resolve(changed[name])
		if is == nil {
			c.note(where, "is gone")
			continue
		}
		for _, keyword := range []string{"authorizationUrl", "tokenUrl", "refreshUrl", "deviceAuthorizationUrl"} {
			if was[keyword] != nil && fmt.Sprint(was[keyword]) != fmt.Sprint(is[keyword]) {
				c.note(where, "has another %s now", keyword)
			}
		}
		known, _ := was["scopes"].(object)
		scopes, _ := is["scopes"].(object)
		for _, scope := range slices.Sorted(maps.Keys(known)) {
			if _, ok := scopes[scope]; !ok {
				c.note(where, "no longer has the scope %s", scope)
			}
		}
	}
}

func (d *document) schemes() object {
	components, _ := d.root["components"].(object)
	schemes, _ := components["securitySchemes"].(object)
	return schemes
}
