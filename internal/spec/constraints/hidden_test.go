package constraints_test

import (
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// lease has rules about hidden fields and others.
type lease struct {
	ID    int64  `json:"id"`
	Since int    `json:"concealed" api:"hidden"`
	Until *int   `json:"until"`
	State string `json:"state" validate:"oneof=open shut" default:"open"`
	Note  string `json:"note" validate:"required_if=State shut"`
	Key   string `json:"covert" api:"hidden" validate:"required_if=State shut"`
	Extra string `json:"extra" validate:"excluded_without=Key"`
	Twin  string `json:"twin" validate:"required_if=Key confidential"`
}

func (lease) Constraints() []store.Constraint {
	return []store.Constraint{store.NoOverlap("concealed", "until")}
}

func TestRulesAboutHiddenFieldsDoNotNameThem(t *testing.T) {
	t.Parallel()
	spec.InEachStore(t, func(t *testing.T, leases store.Store[lease]) {
		t.Helper()
		shut := operation.Post{Name: "shut", URITemplate: "/leases/{id}/shut", Handler: operation.Set("state", "shut")}
		api, err := resource.New(resource.Config{}, resource.Of[lease]{Store: leases, Operations: append(operation.Standard(), shut)})
		if err == nil {
			err = openapi.Mount(api, openapi.Config{Title: "Leases"})
		}
		if err != nil {
			t.Fatal(err)
		}
		c := spec.Client{T: t, Handler: api}
		c.Send("POST /api/leases", `{"until":3}`).HasStatus(201)
		for request, each := range map[string]struct {
			body   string
			status int
		}{
			"POST /api/leases":        {`{"until":-1}`, 409},
			"POST /api/leases?":       {`{"extra":"x"}`, 400},
			"PATCH /api/leases/1":     {`{"state":"shut","note":"n"}`, 409},
			"PUT /api/leases/1":       {`{"state":"shut"}`, 400},
			"POST /api/leases/1/shut": {``, 400},
			"GET /api/docs.json":      {``, 200},
			"GET /api/leases?sort=x":  {``, 400},
		} {
			got := c.Send(request, each.body).HasStatus(each.status)
			got.Lacks("concealed")
			got.Lacks("covert")
			got.Lacks("confidential")
		}
	})
}
