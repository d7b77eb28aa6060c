package access_test

import (
	"context"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// plainStore does not implement groups of queries.
type plainStore struct{ store.Store[spec.Hoard] }

func TestMistakesInRulesAreErrorsOfNew(t *testing.T) {
	t.Parallel()
	type robot struct{}
	ofRobots := func(context.Context, *robot) ([]store.Condition, error) { return nil, nil }
	ok := func(_ context.Context, _ string) (*spec.Captain, access.Scopes, error) { return nil, nil, nil }
	for want, test := range map[string]struct {
		rules   access.Rules
		schemes []access.Scheme
		more    func(*resource.Of[spec.Hoard])
	}{
		`the rule "ownr" has the field "ownr", which spec.Hoard does not have; allowed: id, name, published, owner, worth; did you mean "owner"?`: {
			rules: access.Rules{Read: access.Equal("ownr", func(c *spec.Captain) int64 { return c.ID })},
		},
		`Equal("owner") has a function that returns int; allowed: int64, the type of the field`: {
			rules: access.Rules{Update: access.Equal("owner", func(*spec.Captain) int { return 1 })},
		},
		`Where("worth") has a value of type string; allowed: int, the type of the field`: {rules: access.Rules{Read: access.Where("worth", "7")}},
		`Where("worth") has a value of type <nil>; allowed: int`:                         {rules: access.Rules{Read: access.Where("worth", nil)}},
		`Where("published") has no values`:                                               {rules: access.Rules{Read: access.Where("published")}},
		`Any has no rules`:                                                               {rules: access.Rules{Read: access.Any()}},
		`All has no rules`:                                                               {rules: access.Rules{Read: access.Not(access.All())}},
		`a part of the rule is nil`:                                                      {rules: access.Rules{Read: access.Any(spec.Published, nil)}},
		`If("x") has a nil function`:                                                     {rules: access.Rules{Delete: access.If[*spec.Captain]("x", nil)}},
		`If has an empty name`:                                                           {rules: access.Rules{Delete: access.If("", func(*spec.Captain) bool { return true })}},
		`Scope is "a b"; allowed`:                                                        {rules: access.Rules{Delete: access.Scope("a b")}, schemes: []access.Scheme{spec.Bearer()}},
		`Scope("a") never holds`:                                                         {rules: access.Rules{Delete: access.Scope("a")}},
		`Filter("f") is not allowed in a Not`:                                            {rules: access.Rules{Read: access.Not(access.Filter("f", ofRobots))}},
		`Check("c") is for records of type spec.Captain; this resource has records of type spec.Hoard`: {
			rules: access.Rules{Update: access.Check("c", func(context.Context, *spec.Captain) (bool, error) { return true, nil })},
		},
		`Check("c") is not allowed in a read rule`: {
			rules: access.Rules{Read: access.Check("c", func(context.Context, *spec.Hoard) (bool, error) { return true, nil })},
		},
		`the rule "f" is for principals of type *access_test.robot, which no scheme returns; allowed: *spec.Captain`: {
			rules: access.Rules{Read: access.Filter("f", ofRobots)}, schemes: []access.Scheme{spec.Bearer()},
		},
		`Hoard: no access rule for deleteHoard (Delete), which every operation needs because Config.Authentication has a scheme; set Access.Delete`: {
			rules: access.Rules{Read: access.Public, Create: access.Public, Update: access.Public}, schemes: []access.Scheme{spec.Bearer()},
		},
		`Hoard: no access rule for xHoard (Get)`: {
			schemes: []access.Scheme{spec.Bearer()}, more: func(o *resource.Of[spec.Hoard]) {
				o.Operations = []operation.Operation{operation.Get{Name: "x", Hidden: true}}
			},
		},
		`the rule "owner" needs a record, but the operation has none; set Access of the operation`: {
			rules: access.Rules{Create: spec.IsOwner}, more: func(o *resource.Of[spec.Hoard]) {
				run := func(context.Context, *spec.Hoard, struct{}) (struct{}, error) { return struct{}{}, nil }
				o.Operations = []operation.Operation{operation.Post{Name: "x", URITemplate: "/x", Handler: operation.Handle(run)}}
			},
		},
		`Access.Fields has the unknown field "nam"; did you mean "name"?`: {
			rules: access.Rules{Fields: map[string]access.Field{"nam": {Read: spec.IsAdmin}}},
		},
		`Access.Fields has the nested field "name.first"; use "name"`: {
			rules: access.Rules{Fields: map[string]access.Field{"name.first": {Read: spec.IsAdmin}}},
		},
		`Access.Fields[id]: Read has no effect on the identifier`:    {rules: access.Rules{Fields: map[string]access.Field{"id": {Read: spec.IsAdmin}}}},
		`Access.Fields[id]: Write has no effect on a readonly field`: {rules: access.Rules{Fields: map[string]access.Field{"id": {Write: spec.IsAdmin}}}},
		`Access.Fields[name]: set Read or Write, or remove the field`: {
			rules: access.Rules{Fields: map[string]access.Field{"name": {}}},
		},
		`need groups of conditions, which the store does not support`: {
			rules: access.Rules{Read: access.Any(spec.Published, spec.IsOwner)}, more: func(o *resource.Of[spec.Hoard]) { o.Store = plainStore{memory.New[spec.Hoard]()} },
		},
		`CacheControl is "public, max-age=60", but the response depends on the caller; remove public`: {
			rules: access.Rules{Read: spec.IsOwner}, more: func(o *resource.Of[spec.Hoard]) {
				o.Operations, o.CacheControl = []operation.Operation{operation.Get{}}, "public, max-age=60"
			},
		},
		`Authentication: scheme 1 is empty`:                                           {schemes: []access.Scheme{{}}, rules: readByAll()},
		`Authentication: two schemes have the name "token"`:                           {schemes: []access.Scheme{spec.Bearer(), spec.Bearer()}, rules: readByAll()},
		`Authentication: scheme "a b": the name must have`:                            {schemes: []access.Scheme{access.Bearer("a b", ok)}, rules: readByAll()},
		`Authentication: scheme "a": the function is nil`:                             {schemes: []access.Scheme{access.Bearer[*spec.Captain]("a", nil)}, rules: readByAll()},
		`Authentication: scheme "a": the header field "Authorization" is not allowed`: {schemes: []access.Scheme{access.APIKey("a", "Authorization", ok)}, rules: readByAll()},
		`Authentication: scheme "a": Flows is empty`:                                  {schemes: []access.Scheme{access.OAuth2("a", access.Flows{}, ok)}, rules: readByAll()},
		`Authentication: scheme "a": the URL "x" must be absolute`:                    {schemes: []access.Scheme{access.OpenIDConnect("a", "x", ok)}, rules: readByAll()},
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			declared := resource.Of[spec.Hoard]{Access: test.rules}
			if test.more != nil {
				test.more(&declared)
			}
			_, err := resource.New(resource.Config{Authentication: test.schemes}, declared)
			if err == nil || strings.Count(err.Error(), want) != 1 {
				t.Errorf("New returns %v", err)
			}
		})
	}
}
