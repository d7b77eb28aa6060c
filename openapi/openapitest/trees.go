package openapitest

import (
	"maps"
	"math/rand/v2"
	"slices"
)

// mostTrees is the maximum number of trees of conditions that are sent to a collection.
const mostTrees = 24

// tryTrees sends random trees of conditions in a parameter, and in the body of the method QUERY.
func (c *conformity) tryTrees(op *operation, base request, p parameter) {
	schema := contentOf(p.object)
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // it hides nothing
	for range mostTrees {
		if c.isSpent() {
			return
		}
		g := treeGenerator{c, random, 40}
		tree := g.value(schema)
		text := toJSON(tree)
		r := c.checked(base.withParameter("query", p.name, string(text)), schema, text)
		c.try(op, r)
		if !op.declared.Queries || len(base.query) > 0 {
			continue
		}
		r.method, r.query, r.mediaType, r.body = methodQuery, nil, "application/json", string(toJSON(object{p.name: tree}))
		c.try(op, r)
	}
	if op.declared.Queries {
		r := base
		r.method, r.query, r.valid, r.mediaType = methodQuery, nil, false, "application/json"
		for _, text := range []string{"", "[]", "{", `{"thisParameterIsNotKnown":1}`, `{"filter":{},"filter":{}}`, `{"filter":[]}`} {
			c.try(op, r.with(text, false, true))
		}
	}
}

// methodQuery is the method QUERY (RFC 10008).
const methodQuery = "QUERY"

// contentOf returns the schema of a parameter that is JSON, nil for another one.
func contentOf(p object) any { return in(p, "schema")["contentSchema"] }

// treeGenerator generates a tree of conditions: most values follow their schema, few do not.
type treeGenerator struct {
	c      *conformity
	random *rand.Rand
	left   int // how many values it may still have
}

// value returns a value of a schema.
func (g *treeGenerator) value(schema any) any {
	resolved := g.c.document.resolve(schema)
	g.left--
	if choices, _ := resolved["anyOf"].([]any); choices != nil && resolved["type"] == nil {
		return g.value(choices[g.random.IntN(len(choices))])
	}
	const rare = 30
	candidates := g.c.document.candidates(resolved)
	if g.random.IntN(rare) == 0 {
		return candidates[g.random.IntN(len(candidates))]
	}
	properties, _ := resolved["properties"].(object)
	switch {
	case properties != nil:
		made, names := object{}, slices.Sorted(maps.Keys(properties))
		least := min(1, len(lengths(resolved, "minProperties")))
		for range least + g.random.IntN(3) {
			if name := names[g.random.IntN(len(names))]; g.left > 0 || len(made) < least {
				made[name] = g.value(properties[name])
			}
		}
		return made
	case resolved["items"] != nil:
		length := g.random.IntN(3)
		if least := lengths(resolved, "minItems"); least != nil {
			length = least[1]
		}
		list := []any{}
		for range length {
			list = append(list, g.value(resolved["items"]))
		}
		return list
	}
	valid := slices.DeleteFunc(candidates, func(value any) bool {
		const long = 100
		text := toJSON(value)
		return len(text) > long || !g.c.isValid(schema, text)
	})
	if len(valid) == 0 {
		return candidates[0]
	}
	return valid[g.random.IntN(len(valid))]
}
