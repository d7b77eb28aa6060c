package resource_test

import (
	"context"
	"testing"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

type (
	refit struct {
		Reason string `json:"reason" validate:"notblank"`
	}
	fitted struct {
		Done bool `json:"done"`
	}
)

func TestHandlersOfOneTypeShareWhatIsCompiledOfIt(t *testing.T) {
	t.Parallel()
	handle := operation.Handle(func(context.Context, *Vessel, refit) (fitted, error) { return fitted{true}, nil })
	back := operation.Handle(func(context.Context, *Vessel, fitted) (refit, error) { return refit{}, nil })
	declare := func(name string) resource.Declaration {
		return resource.Of[Vessel]{ShortName: name, Operations: []operation.Operation{
			operation.Post{Name: "refit", URITemplate: "/" + name + "/{id}/refit", Handler: handle},
			operation.Post{Name: "undo", URITemplate: "/" + name + "/{id}/undo", Handler: back},
		}}
	}
	api, err := resource.New(resource.Config{}, declare("Ship"), declare("Boat"))
	if err != nil {
		t.Fatal(err)
	}
	ship, boat := compiled.Of(api).Resources[0].Operations, compiled.Of(api).Resources[1].Operations
	for i := range ship {
		if ship[i].In != boat[i].In || ship[i].Out != boat[i].Out {
			t.Errorf("%s compiles its types anew", boat[i].ID)
		}
	}
	if !ship[0].In.Type.Struct.Fields[0].Required || ship[1].Out.Type.Struct.Fields[0].Required {
		t.Error("an answer is marked by the rules of a body of its type")
	}
}
