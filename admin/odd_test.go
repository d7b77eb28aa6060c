package admin_test

import (
	"context"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/admin"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// Oddity has names and values that JavaScript knows as parts of every object.
type Oddity struct {
	ID          int64  `json:"id"`
	Name        string `json:"name" validate:"max=20000" api:"title,filter=partial"`
	Constructor string `json:"constructor"`
	Proto       string `json:"__proto__"`
	Kind        string `json:"toString" validate:"oneof=usual constructor __proto__" default:"usual" api:"filter,group"`
	Day         string `json:"day" validate:"omitempty,datetime=2006-01-02"`
	Stamps      int    `json:"stamps" api:"readonly,filter=range"`
}

// Letter is sent by everyone, and read by the curator.
type Letter struct {
	ID   int64  `json:"id"`
	Text string `json:"text" api:"title"`
}

// TestTheOdditiesAreServed serves the API of clients/browser/odd.mjs.
func TestTheOdditiesAreServed(t *testing.T) {
	t.Parallel()
	stamp := func(_ context.Context, o *Oddity, _ struct{}) (struct{}, error) {
		o.Stamps++
		return struct{}{}, nil
	}
	api := newAPI(t, resource.Config{Authentication: []access.Scheme{bearer}}, resource.Of[Oddity]{
		Store:  memory.New(Oddity{Name: "One", Kind: "constructor"}, Oddity{Name: "Two", Kind: "__proto__", Day: "2026-02-31"}, Oddity{Name: " ", Kind: "usual"}, Oddity{Name: "Four", Kind: "usual"}),
		Access: access.Only(access.Public), Operations: standard(operation.Aggregate{},
			operation.Post{Name: "stamp", URITemplate: "/oddities/{id}/stamp", Summary: "Stamp", Handler: operation.Handle(stamp)}),
	}, resource.Of[Letter]{
		Store: memory.New(Letter{Text: "Dear curator"}), Access: access.Rules{Read: isAdmin, Create: access.Public, Update: isAdmin, Delete: isAdmin},
	})
	if err := admin.Mount(api, admin.Config{
		Dashboard: []admin.Panel{admin.Bars{Resource: "Oddity", Group: "toString"}},
		Resources: []admin.Resource{{Name: "Oddity", Fields: map[string]admin.Field{"toString": {Label: "Kind", Values: map[string]string{"usual": "as usual"}}}}},
	}); err != nil {
		t.Fatal(err)
	}
	serveFor(t, "odd", api)
}
