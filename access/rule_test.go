package access_test

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"github.com/trove-api/trove/access"
)

type user struct {
	id    int64
	admin bool
}

type treasure struct{ Owner int64 }

var (
	admin = access.If("admin", func(u *user) bool { return u.admin })
	owner = access.Equal("owner", func(u *user) int64 { return u.id })
)

func TestRulesAreNamedByTheirParts(t *testing.T) {
	t.Parallel()
	small := access.Check("small", func(context.Context, *treasure) (bool, error) { return true, nil })
	for want, rule := range map[string]access.Rule{
		"public":                  access.Public,
		"authenticated":           access.Authenticated,
		"admin":                   admin,
		"owner":                   owner,
		"isPublished":             access.Where("isPublished", true),
		"isPublished is false":    access.Where("isPublished", false),
		"status is draft or sent": access.Where("status", "draft", "sent"),
		"scope treasure:write":    access.Scope("treasure:write"),
		"small":                   small,
		"owner or admin":          access.Any(owner, admin),
		"not admin":               access.Not(admin),
		"not (owner or admin)":    access.Not(access.Any(owner, admin)),
		"scope treasure:write and (owner or not admin)": access.All(access.Scope("treasure:write"), access.Any(owner, access.Not(admin))),
		"not (owner or small)":                          access.Any(access.Not(access.Any(owner, small))),
		"owner or nil":                                  access.Any(owner, nil),
	} {
		if got := rule.Describe().Name; got != want {
			t.Errorf("name = %q, want %q", got, want)
		}
	}
}

func TestRulesAreDataWithTheirFunctions(t *testing.T) {
	t.Parallel()
	d := owner.Describe()
	if d.Kind != "equal" || d.Field != "owner" || d.Principal != reflect.TypeFor[*user]() || d.Value != reflect.TypeFor[int64]() {
		t.Errorf("Equal = %+v", d)
	}
	if got := d.Of(&user{id: 7}); got != int64(7) {
		t.Errorf("Of = %v, want 7", got)
	}
	if d := admin.Describe(); !d.Holds(&user{admin: true}) || d.Holds(&user{}) {
		t.Error("Holds does not call the function")
	}
	if d := access.If[*user]("nothing", nil).Describe(); d.Holds != nil {
		t.Error("a rule without a function has a function")
	}
}

func TestOnlyUnlimitedGrantsAllScopes(t *testing.T) {
	t.Parallel()
	copied := slices.Clone(access.Unlimited) // as a token could contain it
	for _, test := range []struct {
		scopes access.Scopes
		want   bool
	}{
		{nil, false},
		{access.Scopes{}, false},
		{access.Scopes{"b", "a"}, true},
		{access.Scopes{"*"}, false},
		{access.Scopes{"A"}, false},
		{access.Unlimited, true},
		{copied, false},
	} {
		if got := test.scopes.Grant("a"); got != test.want {
			t.Errorf("%q grants a: %t, want %t", test.scopes, got, test.want)
		}
	}
}

func TestSchemesHandOnWhatTheFunctionGives(t *testing.T) {
	t.Parallel()
	known := &user{id: 1}
	basic := access.Basic("login", func(_ context.Context, name, password string) (*user, access.Scopes, error) {
		if name != "ann" || password != "secret" {
			return nil, nil, access.ErrCredentials
		}
		return known, access.Unlimited, nil
	})
	principal, scopes, err := basic.Authenticate(t.Context(), "ann", "secret")
	if principal != known || !scopes.Grant("x") || err != nil {
		t.Errorf("Authenticate = %v, %v, %v", principal, scopes, err)
	}
	key := access.APIKey[*user]("key", "X-API-Key", nil)
	if key.Kind != "apikey" || key.Field != "X-API-Key" || key.Principal != reflect.TypeFor[*user]() || key.Authenticate != nil {
		t.Errorf("APIKey = %+v", key)
	}
}
