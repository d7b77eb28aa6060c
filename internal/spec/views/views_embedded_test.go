package views_test

import (
	"context"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Port is what quays refer to.
type Port struct {
	ID     int64  `json:"id"`
	Name   string `json:"name"`
	Budget int    `json:"budget"`
}

// Quay refers to a port.
type Quay struct {
	ID   int64 `json:"id"`
	Port int64 `json:"port" api:"ref=Port,expand"`
	Size int   `json:"size"`
}

func TestWhatRefersToARecordShowsItByItsView(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{},
		resource.Of[Port]{View: &operation.View{Name: "PortCard", Fields: []string{"id", "name"}}},
		resource.Of[Quay]{Operations: append(operation.Standard(),
			operation.Get{Name: "size", URITemplate: "/quays/{id}/size", View: &operation.View{Name: "QuaySize", Fields: []string{"size"}}})})
	c.Send("POST /api/ports", `{"name":"Brest","budget":7}`).Is(201, `{"id":1,"name":"Brest"}`)
	c.Send("POST /api/quays", `{"port":"/api/ports/1","size":3}`).HasStatus(201)
	c.Send("GET /api/quays/1?expand=port", "").HasStatus(200).Mentions(`"_embedded":{"port":{"id":1,"name":"Brest"}}`).Lacks("budget")
	c.Send("GET /api/quays/1/size?expand=port", "").HasStatus(400) // the view has no port
}

func TestARecordOfAnotherTypeForClientsIsNotEmbedded(t *testing.T) {
	t.Parallel()
	type Label struct {
		Name string `json:"name"`
	}
	c := spec.NewClient(t, resource.Config{},
		resource.Of[Port]{Output: operation.Output(func(_ context.Context, p *Port) (Label, error) { return Label{p.Name}, nil })},
		resource.Of[Quay]{})
	c.Send("POST /api/ports", `{"name":"Brest","budget":7}`).Is(201, `{"name":"Brest"}`)
	c.Send("POST /api/quays", `{"port":"/api/ports/1","size":3}`).HasStatus(201)
	c.Send("GET /api/quays/1?expand=port", "").HasStatus(400)
}
