package admin_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/admin"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/validation"
)

// Rack has a composite identifier, which clients set.
type Rack struct {
	Room  string `json:"room" api:"id,filter" validate:"notblank,max=20"`
	Place int64  `json:"place" api:"id,filter"`
	Label string `json:"label" validate:"notblank,max=30" api:"title,filter=partial,sort"`
}

// RackKey refers to a rack.
type RackKey struct {
	Room  string `json:"room"`
	Place int64  `json:"place"`
}

// Box has an identifier that clients set, and references to records with composite identifiers.
type Box struct {
	Code   string    `json:"code" api:"id" validate:"notblank,max=40"`
	Count  int64     `json:"count" api:"sort"`
	Rack   RackKey   `json:"rack" api:"ref=Rack,filter,ondelete=restrict"`
	Spares []RackKey `json:"spares" api:"ref=Rack,ondelete=null" validate:"max=5"`
	Motto  *int64    `json:"motto" api:"ref=Motto,ondelete=null"`
	Words  []string  `json:"words" validate:"max=5,dive,notblank,max=8"`
	Parts  []Place   `json:"parts" validate:"max=5"`
	Closed bool      `json:"closed"`
}

// Label is on a box. Its path has the identifier of the box.
type Label struct {
	ID   int64  `json:"id"`
	Box  string `json:"box" api:"ref=Box,ondelete=cascade"`
	Text string `json:"text" validate:"notblank"`
}

// Bolt is below a rack, and refers to a box.
type Bolt struct {
	ID   int64   `json:"id"`
	Rack RackKey `json:"rack" api:"ref=Rack,ondelete=cascade"`
	Box  string  `json:"box" api:"ref=Box,ondelete=cascade"`
}

// Motto has no list.
type Motto struct {
	ID   int64  `json:"id"`
	Text string `json:"text" validate:"notblank"`
}

// Trace has a list, and no operation that returns one record.
type Trace struct {
	ID   int64  `json:"id"`
	Text string `json:"text" validate:"notblank"`
}

// Entrance returns a token in its body.
type Entrance struct {
	ID int64 `json:"id"`
}

// Parcel is created with its items.
type Parcel struct {
	ID int64  `json:"id"`
	To string `json:"to" validate:"notblank" api:"title"`
}

// Item is in a parcel.
type Item struct {
	ID     int64  `json:"id"`
	Parcel int64  `json:"parcel" api:"ref=Parcel,filter,ondelete=cascade"`
	Name   string `json:"name" validate:"notblank"`
}

// Amount is the body of a handler.
type Amount struct {
	Count int64 `json:"count"`
}

var boxCodes = []string{"a/b", "100%", "%2F", "a.b..c", "Größe é", "x;y", "q?x=1&y#z", "a+b c", "~sign-in", "a.json", "a(b)+c@d!"}

func boxes() (list []Box) {
	motto := int64(1)
	for i, code := range boxCodes {
		list = append(list, Box{
			Code: code, Count: int64(100 + i), Rack: RackKey{"a;b/c", 2}, Motto: &motto, Words: []string{}, Parts: []Place{},
			Spares: []RackKey{{"Süd 50%", 1}, {"a;b/c", 2}},
		})
	}
	for i := range 40 {
		list = append(list, Box{Code: fmt.Sprintf("B%02d", i), Count: int64(i), Rack: RackKey{"north", 1}, Words: []string{}, Parts: []Place{}, Spares: []RackKey{}})
	}
	return list
}

func closeBox(_ context.Context, b *Box, _ struct{}) (*Box, error) {
	b.Closed = true
	return b, nil
}

func count(_ context.Context, b *Box, in Amount) (*Box, error) {
	if in.Count < 0 {
		return nil, errors.Join(validation.Fail("count", "count must be positive"), validation.Fail("count", "count must be even"))
	}
	b.Count = in.Count
	return b, nil
}

func warehouse() (*resource.API, error) {
	known := func(_ context.Context, token string) (*Guest, access.Scopes, error) {
		if token != "secret" {
			return nil, nil, access.ErrCredentials
		}
		return &Guest{"root"}, access.Unlimited, nil
	}
	enter := func(_ context.Context, _ *Entrance, in Credentials) (Ticket, error) {
		if in.Password != "demo" {
			return Ticket{}, operation.Error{Status: 401, Detail: "The name or the password is wrong."}
		}
		return Ticket{"secret"}, nil
	}
	flows := access.Flows{AuthorizationCode: &access.Flow{AuthorizationURL: "https://id.example.com/authorize", TokenURL: "https://id.example.com/token"}}
	rules := access.Rules{Read: access.Authenticated, Create: access.Authenticated, Update: access.Authenticated, Delete: access.Authenticated}
	api, err := resource.New(resource.Config{
		Prefix: "/", Logger: slog.New(slog.DiscardHandler), Errors: validation.Problem,
		Authentication: []access.Scheme{access.OAuth2("id", flows, known)},
	}, resource.Of[Rack]{
		Access: rules, History: true, Store: memory.New(Rack{"north", 1, "First"}, Rack{"north", 2, "Second"}, Rack{"a;b/c", 2, "Odd"}, Rack{"Süd 50%", 1, "South"}),
	}, resource.Of[Box]{
		Access: rules, Store: memory.New(boxes()...), Pagination: operation.Pagination{ItemsPerPage: 15, ViaCursor: new(true)}, RequirePrecondition: true,
		Operations: append(operation.Standard(),
			operation.Post{Name: "close", URITemplate: "/closed/{code}", Summary: "Close", Handler: operation.Handle(closeBox)},
			operation.Post{Name: "count", URITemplate: "/boxes/{code}/count", Summary: "Count", Handler: operation.Handle(count)},
			operation.Put{URITemplate: "/boxes/{code}/spares/{spares}"}, operation.Delete{URITemplate: "/boxes/{code}/spares/{spares}"},
		),
	}, resource.Of[Label]{
		Access: rules, Store: memory.New(Label{Box: "a/b", Text: "Fragile"}, Label{Box: "a+b c", Text: "Heavy"}, Label{Box: "Größe é", Text: "Large"}),
		Operations: append(operation.Standard(), operation.GetCollection{URITemplate: "/boxes/{box}/labels"}, operation.Post{URITemplate: "/boxes/{box}/labels"}),
	}, resource.Of[Bolt]{
		Access: rules, Operations: append(operation.Standard(), operation.GetCollection{URITemplate: "/racks/{rack}/bolts"}, operation.Post{URITemplate: "/racks/{rack}/bolts"}),
	}, resource.Of[Motto]{
		Access: rules, Store: memory.New(Motto{Text: "Less is more"}, Motto{Text: "Again"}),
		Operations: []operation.Operation{operation.Get{}, operation.Post{}, operation.Patch{}, operation.Delete{}},
	}, resource.Of[Parcel]{
		Access: rules, Inverse: map[string]string{"items": "Item.parcel"},
		Operations: []operation.Operation{operation.Get{}, operation.GetCollection{}, operation.Post{Nested: []string{"items"}}, operation.Patch{}, operation.Delete{}},
	}, resource.Of[Item]{
		Access: rules, Operations: append(operation.Standard(), operation.GetCollection{URITemplate: "/parcels/{parcel}/items"}),
	}, resource.Of[Trace]{
		Access: rules, Store: memory.New(Trace{Text: "One"}, Trace{Text: "Two"}, Trace{Text: "Three"}),
		Operations: []operation.Operation{operation.GetCollection{Pagination: operation.Pagination{Partial: new(true), ItemsPerPage: 2}}, operation.Patch{}, operation.Delete{}},
	}, resource.Of[Entrance]{Operations: []operation.Operation{
		operation.Post{Name: "enter", URITemplate: "/enter", Summary: "Sign in", Handler: operation.Handle(enter), Access: access.Public, Anonymous: true},
	}})
	if err != nil {
		return nil, err
	}
	return api, admin.Mount(api, admin.Config{Title: "The warehouse", Path: "/back-office", ClientID: "warehouse", Scopes: []string{"boxes"}, SignIn: "enterEntrance"})
}

// TestTheWarehouseIsServed serves a second API for .ci/admin-page, with TROVE_TEST_ADMIN=warehouse. It ends by itself.
func TestTheWarehouseIsServed(t *testing.T) {
	t.Parallel()
	api, err := warehouse()
	if err != nil {
		t.Fatal(err)
	}
	serveFor(t, "warehouse", api)
}
