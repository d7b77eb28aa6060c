package relations_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/trove-api/trove/internal/spec"
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
func newJiggers(t *testing.T, shape validation.Shape, meanwhile func(ctx context.Context, sails store.Store[Sail])) (spec.Client, *resource.API) {
	t.Helper()
	sails := memory.New[Sail]()
	add := operation.Put{URITemplate: "/jiggers/{id}/sails/{sails}"}
	if meanwhile != nil {
		add.Processor = operation.Process(func(ctx context.Context, _ *operation.Request, m *Jigger, save operation.Save[Jigger]) error {
			meanwhile(ctx, sails)
			return save(ctx, m)
		})
	}
	c := spec.NewClient(t, resource.Config{Errors: shape}, resource.Of[Sail]{Store: sails}, resource.Of[Jigger]{Operations: []operation.Operation{
		operation.Get{}, operation.Post{}, add, operation.Delete{URITemplate: "/jiggers/{id}/sails/{sails}"},
	}})
	for _, name := range []string{"a", "b", "c"} {
		c.Send("POST /api/sails", `{"name":"`+name+`"}`).HasStatus(http.StatusCreated)
	}
	c.Send("POST /api/jiggers", `{"sails":["/api/sails/a"]}`).HasStatus(http.StatusCreated)
	api, ok := c.Handler.(*resource.API)
	if !ok {
		t.Fatal("the handler is no API")
	}
	return c, api
}

func TestAMembershipOfARecordThatTheTransactionDeletesIsNotFound(t *testing.T) {
	t.Parallel()
	c, _ := newJiggers(t, validation.Map, func(ctx context.Context, sails store.Store[Sail]) {
		if err := store.Delete(ctx, sails, "b"); err != nil {
			t.Error(err)
		}
	})
	raced := c.Send("PUT /api/jiggers/1/sails/b", "").IsProblem(http.StatusNotFound)
	c.Send("PUT /api/jiggers/1/sails/none", "").Is(http.StatusNotFound, raced.Body)
	c.Send("GET /api/jiggers/1", "").Mentions(`"sails":["/api/sails/a"]`)
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
			c.Send("DELETE /api/jiggers/1/sails/a", "").HasStatus(want.status).Mentions("at least 1")
			c.Send("PUT /api/jiggers/1/sails/b", "").HasStatus(http.StatusNoContent)
			c.Send("PUT /api/jiggers/1/sails/c", "").HasStatus(want.status).Mentions("at most 2")
			if got := of.Put.Responses.Status(want.status); got == nil || got.Ref != want.component {
				t.Errorf("PUT documents %d as %+v, want %q", want.status, got, want.component)
			}
			if got := of.Delete.Responses.Status(want.status); got == nil || got.Ref != want.component {
				t.Errorf("DELETE documents %d as %+v, want %q", want.status, got, want.component)
			}
		})
	}
}
