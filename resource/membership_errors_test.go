package resource_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/validation"
)

// Sail is what a Jigger has at most two of, and at least one.
type Sail struct {
	Name string `json:"name" api:"id"`
}

type Jigger struct {
	ID    int64    `json:"id"`
	Sails []string `json:"sails" validate:"min=1,max=2" api:"ref=Sail"`
}

// newJiggers returns an API whose jigger 1 has the sail a; changing a jigger runs a function first.
func newJiggers(t *testing.T, shape validation.Shape, meanwhile func(sails store.Store[Sail])) (client, *resource.API) {
	t.Helper()
	sails := memory.New[Sail]()
	add := operation.Put{URITemplate: "/jiggers/{id}/sails/{sails}"}
	if meanwhile != nil {
		add.Processor = operation.Process(func(ctx context.Context, _ *operation.Request, m *Jigger, save operation.Save[Jigger]) error {
			meanwhile(sails)
			return save(ctx, m)
		})
	}
	c := newClient(t, resource.Config{Errors: shape}, resource.Of[Sail]{Store: sails}, resource.Of[Jigger]{Operations: []operation.Operation{
		operation.Get{}, operation.Post{}, add, operation.Delete{URITemplate: "/jiggers/{id}/sails/{sails}"},
	}})
	for _, name := range []string{"a", "b", "c"} {
		c.send("POST /api/sails", `{"name":"`+name+`"}`).hasStatus(http.StatusCreated)
	}
	c.send("POST /api/jiggers", `{"sails":["/api/sails/a"]}`).hasStatus(http.StatusCreated)
	api, ok := c.handler.(*resource.API)
	if !ok {
		t.Fatal("the handler is no API")
	}
	return c, api
}

func TestAMembershipOfARecordThatIsDeletedMeanwhileIsNotFound(t *testing.T) {
	t.Parallel()
	c, _ := newJiggers(t, validation.Map, func(sails store.Store[Sail]) {
		err := sails.Transact(context.Background(), func(ctx context.Context, tx store.Tx[Sail]) error { return tx.Delete(ctx, "b") })
		if err != nil {
			t.Error(err)
		}
	})
	raced := c.send("PUT /api/jiggers/1/sails/b", "").isProblem(http.StatusNotFound)
	c.send("PUT /api/jiggers/1/sails/b", "").is(http.StatusNotFound, raced.body)
	c.send("GET /api/jiggers/1", "").mentions(`"sails":["/api/sails/a"]`)
}

func TestAMembershipThatBreaksARuleOfItsListIsDocumented(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct {
		shape     validation.Shape
		status    int
		component string
	}{
		"a map of errors":      {validation.Map, http.StatusBadRequest, "#/components/responses/Invalid"},
		"a list of violations": {validation.Problem, http.StatusUnprocessableEntity, "#/components/responses/ValidationFailed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, api := newJiggers(t, want.shape, nil)
			document, err := openapi.Document(api, openapi.Config{Title: "Jiggers", Version: "1"})
			if err != nil {
				t.Fatal(err)
			}
			of := document.Paths.Value("/api/jiggers/{id}/sails/{sails}")
			c.send("DELETE /api/jiggers/1/sails/a", "").hasStatus(want.status).mentions("at least 1")
			c.send("PUT /api/jiggers/1/sails/b", "").hasStatus(http.StatusNoContent)
			c.send("PUT /api/jiggers/1/sails/c", "").hasStatus(want.status).mentions("at most 2")
			if got := of.Put.Responses.Status(want.status); got == nil || got.Ref != want.component {
				t.Errorf("PUT documents %d as %+v, want %q", want.status, got, want.component)
			}
			if got := of.Delete.Responses.Status(want.status); got == nil || got.Ref != want.component {
				t.Errorf("DELETE documents %d as %+v, want %q", want.status, got, want.component)
			}
		})
	}
}
