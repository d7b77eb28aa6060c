package access_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// A 403 names the reference that the caller may not choose, if the rule is about one field that they may know.
func TestA403NamesTheValueThatTheCallerMayNotChoose(t *testing.T) {
	t.Parallel()
	member := access.Filter("member", func(_ context.Context, c *spec.Captain) ([]store.Condition, error) {
		own := store.Condition{Fields: []string{"id"}, Operator: store.Equal, Values: []any{c.ID}}
		return []store.Condition{{Through: "depot", Any: [][]store.Condition{{own}}}}, nil
	})
	everyone := access.Rules{Read: access.Public, Create: access.Authenticated, Update: access.Authenticated, Delete: access.Authenticated}
	hiding := everyone
	hiding.Create = member
	hiding.Fields = map[string]access.Field{"depot": {Read: spec.IsAdmin}}
	showing := hiding
	showing.Fields = nil
	showing.Update = access.Any(member, access.Where("id", int64(99)))
	for name, test := range map[string]struct {
		rules access.Rules
		named bool
	}{"a field that the caller sees": {showing, true}, "a field that is hidden from them": {hiding, false}} {
		t.Run(name, func(t *testing.T) {
			c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{spec.Bearer()}},
				resource.Of[depot]{Access: everyone}, resource.Of[crate]{Access: test.rules})
			c.As("root", "POST /api/depots", `{"owner":"ann"}`).HasStatus(http.StatusCreated)
			c.As("root", "POST /api/depots", `{"owner":"bob"}`).HasStatus(http.StatusCreated)
			denied := c.As("ann", "POST /api/crates", `{"depot":"/api/depots/2"}`).IsProblem(http.StatusForbidden)
			if test.named {
				denied.Mentions(`"field":"depot"`, `set depot`)
			} else {
				denied.Lacks("depot")
			}
			c.As("ann", "POST /api/crates", `{"depot":"/api/depots/1"}`).HasStatus(http.StatusCreated)
			if test.named { // one of two fields, so neither is named
				c.As("ann", "PATCH /api/crates/1", `{"depot":"/api/depots/2"}`).IsProblem(http.StatusForbidden).Lacks(`"field"`)
			}
		})
	}
	f := spec.NewCrew(t, resource.Of[spec.Hoard]{}, resource.Of[spec.Captain]{})
	f.As("ann", "POST /api/hoards", `{"name":"x","owner":2}`).IsProblem(http.StatusForbidden).Mentions(`"field":"owner"`)
}
