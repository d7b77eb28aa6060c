package authz_test

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/store"
)

// leaf is a rule without parts, with the expected result: which callers it applies to, and when it holds.
type leaf struct {
	rule  access.Rule
	asks  func(principal any) bool
	holds func(w who, g *gem) bool
}

func isMiner(principal any) bool { m, ok := principal.(*miner); return ok && m != nil }
func isRobot(principal any) bool { r, ok := principal.(*robot); return ok && r != nil }
func anyone(any) bool            { return true }

func leaves() []leaf {
	at := func(w who) *miner { return w.principal.(*miner) }
	return []leaf{
		{access.Public, anyone, func(who, *gem) bool { return true }},
		{access.Authenticated, anyone, func(w who, _ *gem) bool { return isMiner(w.principal) || isRobot(w.principal) }},
		{access.Scope("dig"), anyone, func(w who, _ *gem) bool {
			return (isMiner(w.principal) || isRobot(w.principal)) && len(w.scopes) > 0 // the callers have no others
		}},
		{access.If("head", func(m *miner) bool { return m.head }), isMiner, func(w who, _ *gem) bool { return at(w).head }},
		{access.If("odd", func(r *robot) bool { return r.serial%2 == 1 }), isRobot, func(w who, _ *gem) bool {
			return w.principal.(*robot).serial%2 == 1
		}},
		{access.If("tagged ruby", func(p tagged) bool { return p.tag() == "ruby" }), isMiner, func(w who, _ *gem) bool { return at(w).kind == "ruby" }},
		{access.Equal("owner", func(m *miner) int64 { return m.id }), isMiner, func(w who, g *gem) bool { return g.Owner == at(w).id }},
		{access.Equal("keeper", func(m *miner) int64 { return m.id }), isMiner, func(w who, g *gem) bool {
			return g.Keeper != nil && *g.Keeper == at(w).id
		}},
		{access.Equal("note", func(m *miner) string { return m.kind }), isMiner, func(w who, g *gem) bool {
			return g.Note != nil && *g.Note == at(w).kind
		}},
		{access.Equal("keeper", func(r *robot) int64 { return r.serial }), isRobot, func(w who, g *gem) bool {
			return g.Keeper != nil && *g.Keeper == w.principal.(*robot).serial
		}},
		{access.Where("public", true), anyone, func(_ who, g *gem) bool { return g.Public }},
		{access.Where("kind", "ruby", ""), anyone, func(_ who, g *gem) bool { return g.Kind != "opal" }},
		{access.Where("note", "ruby"), anyone, func(_ who, g *gem) bool { return g.Note != nil && *g.Note == "ruby" }},
		{access.Where("keeper", int64(0)), anyone, func(_ who, g *gem) bool { return g.Keeper != nil && *g.Keeper == 0 }},
	}
}

// filters are rules that are not allowed in a Not.
func filters() []leaf {
	return []leaf{
		{access.Filter("kept", func(_ context.Context, m *miner) ([]store.Condition, error) {
			return []store.Condition{
				{Fields: []string{"keeper"}, Operator: store.Exists, Values: []any{true}},
				{Any: [][]store.Condition{
					{{Fields: []string{"owner"}, Operator: store.Less, Values: []any{m.id}}},
					{{Fields: []string{"kind", "note"}, Operator: store.Contains, Values: []any{"RUB"}}, {Fields: []string{"note"}, Operator: store.NotEqual, Values: []any{""}}},
				}},
			}, nil
		}), isMiner, func(w who, g *gem) bool {
			has := g.Kind == "ruby" || g.Note != nil && *g.Note == "ruby"
			return g.Keeper != nil && (g.Owner < w.principal.(*miner).id || has && (g.Note == nil || *g.Note != ""))
		}},
		{access.Filter("all", func(context.Context, *robot) ([]store.Condition, error) { return nil, nil }), isRobot, func(who, *gem) bool { return true }},
	}
}

// judged is a rule with its meaning.
type judged struct {
	rule  access.Rule
	holds func(w who, g *gem) bool
}

// random makes a rule, or the opposite of one. A Not is plain Boolean, but a rule on the principal holds for principals
// of its type alone.
func random(r *rand.Rand, depth int, negated bool) judged {
	if depth > 0 {
		switch r.IntN(5) {
		case 0, 1, 2:
			return compound(r, depth, negated)
		case 3:
			part := random(r, depth-1, !negated)
			return judged{access.Not(part.rule), part.holds}
		}
	}
	list := leaves()
	if !negated {
		list = append(list, filters()...)
	}
	of := list[r.IntN(len(list))]
	return judged{of.rule, func(w who, g *gem) bool { return of.asks(w.principal) && of.holds(w, g) != negated }}
}

func compound(r *rand.Rand, depth int, negated bool) judged {
	parts := make([]judged, 1+r.IntN(3))
	rules := make([]access.Rule, len(parts))
	for i := range parts {
		parts[i] = random(r, depth-1, negated)
		rules[i] = parts[i].rule
	}
	isAny := r.IntN(2) == 0
	made := judged{rule: access.All(rules...)}
	if isAny {
		made.rule = access.Any(rules...)
	}
	made.holds = func(w who, g *gem) bool { // a negated any is an all of the negated parts
		is := func(part judged) bool { return part.holds(w, g) }
		if isAny != negated {
			return slices.ContainsFunc(parts, is)
		}
		return !slices.ContainsFunc(parts, func(part judged) bool { return !is(part) })
	}
	return made
}
