package access_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

type team struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

type ledger struct {
	ID    int64  `json:"id"`
	Title string `json:"title" validate:"max=20"`
	Cost  int64  `json:"cost" validate:"gte=0"`
	Plan  struct {
		Goal string `json:"goal" validate:"max=3"`
	} `json:"plan"`
	Team *int64 `json:"team" api:"ref=Team"`
}

func TestABodyDescribesNoFieldThatItsCallerMayNotSet(t *testing.T) {
	t.Parallel()
	secret := access.Field{Read: spec.IsAdmin, Write: spec.IsAdmin}
	rules := access.Rules{
		Read: access.Public, Create: access.Authenticated, Update: access.Authenticated, Delete: access.Authenticated,
		Fields: map[string]access.Field{"cost": secret, "plan": secret, "team": secret},
	}
	c := spec.NewClient(t, resource.Config{
		Authentication: []access.Scheme{spec.Bearer()}, Formats: append(format.Standard(), csv.Format, hal.Format),
	}, resource.Of[team]{Access: access.Only(spec.IsAdmin)}, resource.Of[ledger]{
		Access: rules,
		Operations: append(operation.Standard(),
			operation.Put{ExtraProperties: map[string]any{"standard_put": true}, Name: "replace", URITemplate: "/ledgers/{id}/all"},
			operation.Post{Name: "import", URITemplate: "/ledgers/import", Access: access.Authenticated, Handler: operation.Handle(
				func(context.Context, *ledger, []operation.CreateOf[ledger]) (struct{}, error) { return struct{}{}, nil })},
			operation.Post{Name: "change", URITemplate: "/ledgers/change", Access: access.Authenticated, Handler: operation.Handle(
				func(context.Context, *ledger, []operation.PatchOf[ledger]) (struct{}, error) { return struct{}{}, nil })}),
	})
	c.As("root", "POST /api/ledgers", `{"title":"x","cost":1,"plan":{"goal":"a"},"team":null}`).HasStatus(http.StatusCreated)
	isSilent := func(denied spec.Response) {
		t.Helper()
		denied.IsProblem(http.StatusForbidden)
		for _, told := range []string{"goal", "teams", "number", "must be"} {
			denied.Lacks(told)
		}
	}
	for field, values := range map[string][]string{
		"cost": {`"a"`, `-1`, `null`, `[]`}, "plan": {`5`, `{"nope":1}`, `{"goal":1}`, `{"goal":"long"}`}, "team": {`7`, `"x"`, `"/api/teams/9"`},
	} {
		for _, value := range values {
			body := fmt.Sprintf(`{"title":"x","cost":0,"plan":{"goal":""},%q:%s}`, field, value)
			if field != "team" {
				body = fmt.Sprintf(`{"title":"x",%q:%s}`, field, value)
			}
			for _, request := range []string{"POST /api/ledgers", "PATCH /api/ledgers/1", "PUT /api/ledgers/1", "PUT /api/ledgers/1/all"} {
				isSilent(c.As("bob", request, body))
			}
			isSilent(c.As("bob", "POST /api/ledgers/import", "["+body+"]"))
			isSilent(c.As("bob", "POST /api/ledgers/change", `[{"id":1,`+body[1:]+"]"))
			isSilent(c.As("bob", "POST /api/ledgers", body, "Content-Type", "application/hal+json"))
		}
	}
	isSilent(c.As("bob", "POST /api/ledgers", "title,cost\r\nx,a\r\n", "Content-Type", "text/csv"))
	c.As("bob", "POST /api/ledgers", `{"title":5}`).HasStatus(http.StatusBadRequest)
	c.As("root", "POST /api/ledgers", `{"title":"x","cost":"a"}`).HasStatus(http.StatusBadRequest)
}
