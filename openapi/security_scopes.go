package openapi

import (
	"reflect"
	"slices"

	"github.com/trove-api/trove/access"
)

// scopes are a set of scopes, in order.
type scopes = []string

// maxWays is how many sets of scopes the document tells apart.
const maxWays = 16

// scopesFor returns the sets of scopes with each of which a rule may hold for principals of a
// type, nil for nobody: those of which none has all of another. None is a rule that never holds
// for them; one that needs no scope has the empty set.
func scopesFor(rule access.Rule, principal reflect.Type) []scopes {
	if rule == nil {
		return []scopes{{}}
	}
	return waysThrough(rule, principal, false)
}

func waysThrough(rule access.Rule, principal reflect.Type, negated bool) []scopes {
	d := rule.Describe()
	holds := true
	switch d.Kind {
	case "not":
		return waysThrough(d.Parts[0], principal, !negated)
	case "any", "all":
		return waysThroughParts(d, principal, negated)
	case "scope":
		if !negated && principal != nil {
			return []scopes{{d.Scope}}
		}
		holds = negated
	case "public":
		holds = !negated
	case "authenticated":
		holds = (principal != nil) != negated
	case "if", "equal", "filter":
		holds = isAsked(principal, d.Principal) // no opposite holds for those whom it does not ask
	}
	if !holds {
		return nil
	}
	return []scopes{{}}
}

// waysThroughParts joins the ways through one part where one will do, and combines them where all must hold.
func waysThroughParts(d access.Description, principal reflect.Type, negated bool) []scopes {
	if (d.Kind == "any") != negated {
		var ways []scopes
		for _, part := range d.Parts {
			ways = append(ways, waysThrough(part, principal, negated)...)
		}
		return least(ways)
	}
	ways := []scopes{{}}
	for _, part := range d.Parts {
		var combined []scopes
		for _, next := range waysThrough(part, principal, negated) {
			for _, way := range ways {
				joined := append(append(scopes{}, way...), next...) // never nil, which would be null
				slices.Sort(joined)
				combined = append(combined, slices.Compact(joined))
			}
		}
		ways = least(combined)
	}
	return ways
}

// least leaves out the sets that have all of another one. Of more than can be told, it leaves
// what they have in common.
func least(ways []scopes) []scopes {
	var kept []scopes
	for i, way := range ways {
		needless := slices.ContainsFunc(ways[:i], func(other scopes) bool { return containsAll(way, other) }) ||
			slices.ContainsFunc(ways[i+1:], func(other scopes) bool { return len(way) > len(other) && containsAll(way, other) })
		if !needless {
			kept = append(kept, way)
		}
	}
	if len(kept) <= maxWays {
		return kept
	}
	common := slices.Clone(kept[0])
	for _, way := range kept[1:] {
		common = slices.DeleteFunc(common, func(scope string) bool { return !slices.Contains(way, scope) })
	}
	return []scopes{common}
}

func containsAll(way, other scopes) bool {
	return !slices.ContainsFunc(other, func(scope string) bool { return !slices.Contains(way, scope) })
}

// isAsked reports whether a rule for principals of one type may ask those of a scheme.
func isAsked(given, asked reflect.Type) bool {
	switch {
	case given == nil:
		return false
	case given == asked:
		return true
	case asked.Kind() == reflect.Interface:
		return given.Implements(asked)
	}
	return given.Kind() == reflect.Interface && asked.Implements(given)
}

// scopesIn lists the scopes that stand in a rule.
func scopesIn(rule access.Rule) scopes {
	if rule == nil {
		return nil
	}
	d := rule.Describe()
	if d.Kind == "scope" {
		return scopes{d.Scope}
	}
	var found scopes
	for _, part := range d.Parts {
		found = append(found, scopesIn(part)...)
	}
	return found
}
