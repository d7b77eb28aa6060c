package declarations_test

import (
	"context"
	"testing"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
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
	handle := operation.Handle(func(context.Context, *spec.Vessel, refit) (fitted, error) { return fitted{true}, nil })
	back := operation.Handle(func(context.Context, *spec.Vessel, fitted) (refit, error) { return refit{}, nil })
	declare := func(name string) resource.Declaration {
		return resource.Of[spec.Vessel]{ShortName: name, Operations: []operation.Operation{
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
	if !ship[0].In.View.Fields[0].Needed || ship[1].Out.View.Fields[0].Needed || ship[0].In.Codec != ship[1].Out.Codec {
		t.Error("an answer is marked by the rules of a body of its type")
	}
}

func TestAResourceSharesTheStructThatItsStoreHasCompiled(t *testing.T) {
	t.Parallel()
	records, others := memory.New[spec.Vessel](), memory.New[spec.Vessel]()
	api, err := resource.New(resource.Config{},
		resource.Of[spec.Vessel]{ShortName: "Ship", Store: records},
		resource.Of[spec.Vessel]{ShortName: "Boat", Store: others},
		resource.Of[spec.Vessel]{ShortName: "Raft", Store: records}, // the same store again
	)
	if err != nil {
		t.Fatal(err)
	}
	again, err := resource.New(resource.Config{}, resource.Of[spec.Vessel]{ShortName: "Ship", Store: records})
	if err != nil {
		t.Fatal(err)
	}
	list := compiled.Of(api).Resources
	ship, boat, raft := list[0].Struct, list[1].Struct, list[2].Struct
	if ship != model.Of(records) || boat != model.Of(others) || compiled.Of(again).Resources[0].Struct != ship {
		t.Error("a struct is compiled once more")
	}
	if raft == ship || raft == nil {
		t.Error("two resources have one struct")
	}
}
