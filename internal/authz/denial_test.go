package authz_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/authz"
)

func TestDenialExplainsEachPart(t *testing.T) {
	t.Parallel()
	head := access.If("head", func(m *miner) bool { return m.head })
	own := access.Equal("owner", func(m *miner) int64 { return m.id })
	anonymous, stranger := who{}, who{principal: &robot{1}}
	digger := who{principal: &miner{id: 1}, scopes: access.Scopes{"see"}}
	for name, test := range map[string]struct {
		rule   access.Rule
		who    who
		of     any
		signIn bool
		scopes []string
		log    string
	}{
		"signing in may help":              {head, anonymous, nil, true, nil, "head: no"},
		"of a record":                      {access.All(own, access.Where("public", true)), anonymous, &gem{Public: true}, true, nil, "owner: no, public: yes"},
		"of a record that no one may see":  {access.All(own, access.Where("public", true)), anonymous, &gem{}, false, nil, "owner: no, public: no"},
		"no one may, signed in or not":     {access.Where("public", true), anonymous, &gem{}, false, nil, "public: no"},
		"only anonymous callers may":       {access.Not(access.Authenticated), stranger, nil, false, nil, "not authenticated: no"},
		"a principal of another type":      {access.Any(head, own), stranger, nil, false, nil, "head: no, owner: no"},
		"the opposite of another type":     {access.Not(head), stranger, nil, false, nil, "not head: no"},
		"a scope would be enough":          {access.All(access.Scope("dig"), own), digger, nil, false, []string{"dig"}, "scope dig: no, owner: depends on the record"},
		"a scope would not be enough":      {access.All(access.Scope("dig"), head), digger, nil, false, nil, "scope dig: no, head: no"},
		"one of two scopes is there":       {access.All(access.Scope("dig"), access.Scope("see")), digger, nil, false, []string{"dig"}, "scope dig: no, scope see: yes"},
		"a scope that it must not have":    {access.Not(access.Scope("see")), digger, nil, false, nil, "not scope see: no"},
		"signed in, with scopes, it could": {access.All(access.Scope("dig"), own), anonymous, nil, true, nil, "scope dig: no, owner: no"},
	} {
		made := compile(t, test.rule, authz.Changes)
		c := test.who.caller()
		if holds, err := made.Holds(t.Context(), c, orGem(test.of)); holds || err != nil {
			t.Errorf("%s: the rule holds (%v)", name, err)
		}
		got := made.Denial(t.Context(), c, test.of)
		if want := (authz.Denial{Rule: test.rule.Describe().Name, Because: test.log, SignIn: test.signIn, Scopes: test.scopes}); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

// orGem returns a record, or one that no one has anything to do with.
func orGem(record any) any {
	if record == nil {
		return &gem{Owner: 77}
	}
	return record
}

// TestSigningInIsOfferedWheneverItCouldHelp checks, for random rules, that SignIn is set if any principal could pass.
func TestSigningInIsOfferedWheneverItCouldHelp(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		rule := random(rand.New(rand.NewPCG(seed, 2)), 3, false)
		made := compile(t, rule.rule, authz.Reads)
		for _, g := range gems() {
			if rule.holds(who{}, g) {
				continue
			}
			could := slices.ContainsFunc(callers(), func(w who) bool { return rule.holds(w, g) })
			if got := made.Denial(t.Context(), new(authz.Caller), g); could && !got.SignIn {
				t.Fatalf("%d: %s of %+v: signing in could help, but the denial is %+v", seed, describe(rule.rule), *g, got)
			}
		}
	}
}
