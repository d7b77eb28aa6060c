package resource_test

import (
	"context"
	"testing"

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
	c := newClient(t, resource.Config{},
		resource.Of[Port]{View: &operation.View{Name: "PortCard", Members: []string{"id", "name"}}},
		resource.Of[Quay]{Operations: append(operation.Standard(),
			operation.Get{Name: "size", URITemplate: "/quays/{id}/size", View: &operation.View{Name: "QuaySize", Members: []string{"size"}}})})
	c.send("POST /api/ports", `{"name":"Brest","budget":7}`).is(201, `{"id":1,"name":"Brest"}`)
	c.send("POST /api/quays", `{"port":"/api/ports/1","size":3}`).hasStatus(201)
	c.send("GET /api/quays/1?expand=port", "").hasStatus(200).mentions(`"_embedded":{"port":{"id":1,"name":"Brest"}}`).lacks("budget")
	c.send("GET /api/quays/1/size?expand=port", "").hasStatus(400) // the view has no port
}

func TestARecordOfAnotherTypeForClientsIsNotEmbedded(t *testing.T) {
	t.Parallel()
	type Label struct {
		Name string `json:"name"`
	}
	c := newClient(t, resource.Config{},
		resource.Of[Port]{Output: operation.Output(func(_ context.Context, p *Port) (Label, error) { return Label{p.Name}, nil })},
		resource.Of[Quay]{})
	c.send("POST /api/ports", `{"name":"Brest","budget":7}`).is(201, `{"name":"Brest"}`)
	c.send("POST /api/quays", `{"port":"/api/ports/1","size":3}`).hasStatus(201)
	c.send("GET /api/quays/1?expand=port", "").hasStatus(400)
}
