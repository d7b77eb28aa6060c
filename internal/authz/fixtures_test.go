package authz_test

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/internal/model"
)

// gem is the record of the rules.
type gem struct {
	ID     int64   `json:"id"`
	Owner  int64   `json:"owner"`
	Keeper *int64  `json:"keeper"`
	Kind   string  `json:"kind"`
	Note   *string `json:"note"`
	Public bool    `json:"public"`
}

// miner and robot are the principals, and tagged an interface that only miners satisfy.
type (
	miner struct {
		id   int64
		kind string
		head bool
	}
	robot  struct{ serial int64 }
	tagged interface{ tag() string }
)

func (m *miner) tag() string { return m.kind }

func structOf[T any](t testing.TB) *model.Struct {
	t.Helper()
	s, err := model.Compile(reflect.TypeFor[T]())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// compile compiles a rule that must be valid. An API without schemes takes principals of any type, but no scopes.
func compile(t testing.TB, rule access.Rule, use authz.Use) *authz.Rule {
	t.Helper()
	compiler := authz.Compiler{Schemes: []access.Scheme{bearer[*miner](), bearer[*robot]()}}
	made, err := compiler.Compile(rule, structOf[gem](t), use)
	if err != nil {
		t.Fatalf("%s: %v", describe(rule), err)
	}
	return made
}

func bearer[P any]() access.Scheme {
	return access.Bearer("token", func(context.Context, string) (p P, _ access.Scopes, _ error) { return p, nil, nil })
}

// who is a caller.
type who struct {
	name      string
	principal any
	scopes    access.Scopes
}

func (w who) caller() *authz.Caller {
	c := new(authz.Caller)
	c.Set(w.principal, w.scopes)
	return c
}

// callers are all kinds of them: anonymous, of both types, a nil pointer, with and without scopes.
func callers() []who {
	return []who{
		{"anonymous", nil, nil},
		{"a nil miner", (*miner)(nil), access.Unlimited},
		{"miner 1", &miner{id: 1, kind: "ruby"}, nil},
		{"miner 2", &miner{id: 2, kind: ""}, access.Scopes{"dig"}},
		{"the head", &miner{id: 3, kind: "opal", head: true}, access.Unlimited},
		{"robot 1", &robot{1}, access.Scopes{"dig"}},
		{"robot 0", &robot{0}, nil},
	}
}

// gems are records of all values that rules look at.
func gems() []*gem {
	var list []*gem
	one, zero, ruby, blank := int64(1), int64(0), "ruby", ""
	for _, owner := range []int64{0, 1, 2} {
		for _, keeper := range []*int64{nil, &zero, &one} {
			for _, kind := range []string{"", "ruby", "opal"} {
				for _, note := range []*string{nil, &blank, &ruby} {
					for _, public := range []bool{false, true} {
						list = append(list, &gem{int64(len(list)), owner, keeper, kind, note, public})
					}
				}
			}
		}
	}
	return list
}

func describe(rule access.Rule) string {
	d := rule.Describe()
	if d.Parts == nil {
		return d.Name
	}
	names := make([]string, len(d.Parts))
	for i, part := range d.Parts {
		names[i] = describe(part)
	}
	return d.Kind + "(" + strings.Join(names, ", ") + ")"
}
