package declarations_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/go-playground/validator/v10"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/validation"
)

type (
	uselessMessage struct {
		ID   int64  `json:"id"`
		Name string `json:"name" message:"max: At most 5 characters"`
		Note string `json:"note" message:"Please enter a note"`
	}
	shelved struct {
		ID   int64    `json:"id"`
		Mark string   `json:"mark" validate:"shelfmark"`
		All  []string `json:"all" validate:"dive,shelfmark=3"`
	}
	shelvedDefault struct {
		ID   int64  `json:"id"`
		Mark string `json:"mark" validate:"picky" default:"b"`
	}
	withoutParameter struct {
		ID   int64  `json:"id"`
		Name string `json:"name" validate:"max,oneof,eqfield=Nane,required_if=Note"`
		Note int    `json:"note" validate:"dive,keys=a"`
		List []int  `json:"list" validate:"max=a b,dive,endkeys"`
	}
	notThere      struct{ Name string }
	page[T any]   struct{ ID int64 }
	badIn         struct{ C chan int }
	embedsPointer struct {
		*notThere

		ID int64 `json:"id"`
	}
	filtered struct {
		ID    int64     `json:"id"`
		Body  []byte    `json:"body" api:"filter,sort,search"`
		Since time.Time `json:"since" api:"filter=partial|range|exists"`
		Any   any       `json:"any" api:"filter"`
		Same  string    `json:"same" api:"filter=exact|partial|exact|"`
		Space string    `json:"a b" api:"filter, sort,,"`
	}
)

// newcomers are more mistakes that New rejects. Earlier they were accepted, or had misleading messages.
func newcomers() map[string]func() error {
	with := func(config resource.Config, declarations ...resource.Declaration) func() error {
		return func() error {
			_, err := resource.New(config, declarations...)
			return err
		}
	}
	panics := validation.Rule{Name: "shelfmark", Check: func(validator.FieldLevel) bool { panic("no shelf") }}
	picky := validation.Rule{Name: "picky", Check: func(f validator.FieldLevel) bool {
		if f.Field().String() == "b" {
			panic("not b")
		}
		return true
	}}
	over := func(*resource.Of[notThere]) validation.Rule {
		return validation.Struct(func(context.Context, *notThere) error { return nil })
	}
	list := func(_ context.Context, _ *spec.Vessel, _ []spec.Discount) (spec.Receipt, error) {
		return spec.Receipt{}, nil
	}
	unencodable := func(_ context.Context, _ *spec.Vessel, _ badIn) (spec.Receipt, error) { return spec.Receipt{}, nil }
	end := resource.Of[spec.Vessel]{Deprecated: time.Unix(1e9, 0), Sunset: time.Unix(1, 0)}
	return map[string]func() error{
		"newcomer_messages":       with(resource.Config{}, resource.Of[uselessMessage]{}),
		"newcomer_panicking_rule": with(resource.Config{Rules: []validation.Rule{panics, picky}}, resource.Of[shelved]{}, resource.Of[shelvedDefault]{}),
		"newcomer_parameters":     with(resource.Config{}, resource.Of[withoutParameter]{}, resource.Of[embedsPointer]{}, resource.Of[filtered]{}),
		"newcomer_struct_rule":    with(resource.Config{Rules: []validation.Rule{over(nil), over(nil)}}, resource.Of[spec.Vessel]{}),
		"newcomer_anonymous": with(resource.Config{}, resource.Of[struct {
			ID   int64  `json:"id"`
			Name string `json:"name" validate:"notblak"`
		}]{}, resource.Of[struct{ ID, A, B, C int64 }]{}, resource.Of[struct{}]{}, resource.Of[page[spec.Vessel]]{}, resource.Of[page[int]]{}),
		"newcomer_prefix": with(resource.Config{Prefix: "/v1"}, resource.Of[spec.Vessel]{Operations: []operation.Operation{
			operation.Get{URITemplate: "/v1/ships/{id}"}, operation.GetCollection{URITemplate: "/v1/ships{._format}"}, operation.Post{URITemplate: "/v1ships"},
		}}),
		"newcomer_list_body": with(resource.Config{}, resource.Of[spec.Vessel]{Operations: []operation.Operation{
			operation.Post{Name: "a", URITemplate: "/a", MaxBodyBytes: 9, Handler: operation.Handle(list)},
			operation.Post{Name: "b", URITemplate: "/b", MaxBodyBytes: 9, Handler: operation.Handle(unencodable)},
		}}),
		"newcomer_no_database": with(resource.Config{},
			resource.Of[spec.Vessel]{Store: sqlstore.Table[spec.Vessel](nil), Idempotency: time.Hour},
			resource.Of[spec.DragonTreasure]{Store: sqlstore.Table[spec.DragonTreasure](&sqlstore.DB{})}),
		"newcomer_end": with(resource.Config{}, end),
		"newcomer_rules_twice": with(resource.Config{Rules: []validation.Rule{
			{Name: "shelfmark", Check: func(validator.FieldLevel) bool { return true }},
			{Name: "shelfmark", Check: func(validator.FieldLevel) bool { return true }},
			{Name: "required", Check: func(validator.FieldLevel) bool { return true }},
			{Name: "Shelf Mark"},
			{Name: "dive"},
			{Name: "a"},
			{Schema: map[string]any{"pattern": "("}},
			validation.Struct[spec.Vessel](nil), validation.Struct(func(context.Context, **spec.Vessel) error { return errors.New("no") }),
		}}, resource.Of[spec.Vessel]{}),
		"newcomer_nothing": with(resource.Config{}, resource.Of[spec.Vessel]{Operations: []operation.Operation{}}, resource.Of[spec.Programmer]{
			Store: memory.New[spec.Programmer](), Operations: []operation.Operation{operation.Get{Status: 700}, operation.Get{Status: -1, URITemplate: "/x/{nickname}"}},
		}),
	}
}

func TestAStructRuleAppliesToEveryBodyAndParameter(t *testing.T) {
	t.Parallel()
	type window struct {
		Days int `json:"days"`
	}
	handle := func(_ context.Context, _ *spec.Vessel, _ spec.Discount) (spec.Receipt, error) {
		return spec.Receipt{}, nil
	}
	_, err := resource.New(resource.Config{Rules: []validation.Rule{
		validation.Struct(func(context.Context, *spec.Vessel) error { return nil }),
		validation.Struct(func(context.Context, *spec.Discount) error { return nil }),
		validation.Struct(func(context.Context, *window) error { return nil }),
	}}, resource.Of[spec.Vessel]{Operations: []operation.Operation{
		operation.Post{Name: "a", URITemplate: "/a", Handler: operation.Handle(handle)},
		operation.Get{Parameters: operation.Parameters[window]{}},
	}})
	if err != nil {
		t.Error(err)
	}
}
