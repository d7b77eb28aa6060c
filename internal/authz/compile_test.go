package authz_test

import (
	"context"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/store"
)

func TestRulesThatCannotWorkAreErrors(t *testing.T) {
	t.Parallel()
	compiler := authz.Compiler{Schemes: []access.Scheme{bearer[*miner]()}}
	own := access.Equal("owner", func(m *miner) int64 { return m.id })
	for name, test := range map[string]struct {
		rule access.Rule
		use  authz.Use
		want []string
	}{
		"no parts, and a nil one":  {access.Any(access.All(), nil), authz.Reads, []string{"All has no rules", "a part of the rule is nil"}},
		"a missing field":          {access.Where("ownr", int64(1)), authz.Reads, []string{`the field "ownr"`, `did you mean "owner"?`}},
		"another type":             {access.Where("owner", 1), authz.Reads, []string{"a value of type int; allowed: int64"}},
		"another type of a value":  {access.Equal("owner", func(m *miner) string { return m.kind }), authz.Reads, []string{"returns string; allowed: int64"}},
		"no values":                {access.Where("owner"), authz.Reads, []string{"has no values"}},
		"another principal":        {access.If("odd", func(*robot) bool { return true }), authz.Reads, []string{"*authz_test.robot, which no scheme returns; allowed: *authz_test.miner"}},
		"no record":                {access.All(own, access.Where("public", true)), authz.NoRecord, []string{`"owner" needs a record`, `"public" needs a record`}},
		"code in a query":          {access.Check("c", func(context.Context, *gem) (bool, error) { return true, nil }), authz.Reads, []string{"cannot be a condition of a query"}},
		"code for other records":   {access.Check("c", func(context.Context, *miner) (bool, error) { return true, nil }), authz.Changes, []string{"is for records of type authz_test.miner"}},
		"no function":              {access.If[*miner]("head", nil), authz.Reads, []string{"a nil function"}},
		"no name":                  {access.If("", func(*miner) bool { return true }), authz.Reads, []string{"If has an empty name"}},
		"the opposite of a filter": {access.Not(access.Filter("f", func(context.Context, *miner) ([]store.Condition, error) { return nil, nil })), authz.Reads, []string{"not allowed in a Not"}},
		"a scope that is none":     {access.Scope("a b"), authz.Reads, []string{`Scope is "a b"`}},
	} {
		_, err := compiler.Compile(test.rule, structOf[gem](t), test.use)
		for _, want := range test.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", name, err, want)
			}
		}
	}
	if made, err := compiler.Compile(nil, structOf[gem](t), authz.Reads); made != nil || err != nil || made.Decide(new(authz.Caller)) != authz.Allowed {
		t.Errorf("no rule is %v (%v), and must allow everything", made, err)
	}
}
