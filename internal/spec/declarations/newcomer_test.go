package declarations_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/go-playground/validator/v10"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
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

type (
	// tome has an identifier of the usual name.
	tome struct {
		ID     int64  `json:"id"`
		Title  string `json:"title"`
		Author string `json:"author" api:"ref=Writer,filter"`
		Parent *int64 `json:"tome" api:"ref=Tome"`
	}
	// writer has an identifier of another name.
	writer struct {
		Pen  string `json:"pen" api:"id" validate:"max=20"`
		Name string `json:"name"`
	}
	// leaf has a composite identifier.
	leaf struct {
		Tree string `json:"tree" api:"id" validate:"max=9"`
		Twig int64  `json:"twig" api:"id"`
		Note string `json:"note"`
	}
	library struct {
		ID   int64  `json:"id"`
		Name string `json:"name"`
	}
)

// rename is a handler with a record, for templates.
func rename[T any](template string) operation.Operation {
	return operation.Post{Name: "rename", URITemplate: template, Handler: operation.Handle(
		func(_ context.Context, record *T, _ struct{}) (T, error) { return *record, nil })}
}

func declaring[T any](more ...resource.Declaration) func(...operation.Operation) error {
	return func(o ...operation.Operation) error {
		_, err := resource.New(resource.Config{References: resource.Identifiers}, append(more, resource.Of[T]{Operations: o})...)
		return err
	}
}

func TestAVariableThatReadsLikeTheIdentifierIsAnErrorOfNew(t *testing.T) {
	t.Parallel()
	libraries, writers, leaves := declaring[library](), declaring[writer](), declaring[leaf]()
	for template, want := range map[string]string{
		"/libraries/{libraryId}/y":         "/libraries/{id}/y",
		"/libraries/{library_id}/y":        "/libraries/{id}/y",
		"/libraries/{LibraryID}/y":         "/libraries/{id}/y",
		"/libraries/{library}/y":           "/libraries/{id}/y",
		"/libraries/{ID}/y":                "/libraries/{id}/y",
		"/libraries/{Id}/y":                "/libraries/{id}/y",
		"/libraries/{_id}/y":               "/libraries/{id}/y",
		"/y/{library}":                     "/y/{id}",
		"/x/{other}/y/{library}{._format}": "/x/{other}/y/{id}{._format}",
	} {
		err := libraries(rename[library](template))
		spec.WantLine(t, err, `Library: operation 1 (Post "rename"): URITemplate names no record by {`, `did you mean "`+want+`"?`)
	}
	for template, want := range map[string]string{
		"/writers/{id}/y": "/writers/{pen}/y", "/writers/{writer}/y": "/writers/{pen}/y", "/writers/{writer_pen}/y": "/writers/{pen}/y",
		"/writers/{writerId}/y": "/writers/{pen}/y", "/writers/{Pen}/y": "/writers/{pen}/y",
	} {
		spec.WantLine(t, writers(rename[writer](template)), `did you mean "`+want+`"?`)
	}
	for template, want := range map[string]string{
		"/leaves/{leaf}/y": "/leaves/{tree};{twig}/y", "/leaves/{id}": "/leaves/{tree};{twig}", "/trees/{tree}/leaves/{leaf_twig}": "/trees/{tree}/leaves/{twig}",
		"/trees/{tree}/leaves/{TWIG}": "/trees/{tree}/leaves/{twig}",
	} {
		spec.WantLine(t, leaves(rename[leaf](template)), `did you mean "`+want+`"?`)
	}
}

func TestAStandardOperationSuggestsTheIdentifierToo(t *testing.T) {
	t.Parallel()
	libraries, tomes := declaring[library](), declaring[tome](resource.Of[writer]{})
	for _, v := range []string{"libraryId", "library", "library_id", "ID"} {
		for _, o := range []operation.Operation{
			operation.Get{URITemplate: "/l/{" + v + "}"},
			operation.Put{URITemplate: "/l/{" + v + "}"},
			operation.Patch{URITemplate: "/l/{" + v + "}"},
			operation.Delete{URITemplate: "/l/{" + v + "}"},
		} {
			spec.WantLine(t, libraries(o), "URITemplate has the unknown variable {"+v+"}; did you mean {id}?")
		}
	}
	spec.WantLine(t, tomes(operation.Get{URITemplate: "/tomes/{tomeId}"}), "URITemplate has the unknown variable {tomeId}; did you mean {id}?")
}

func TestVariablesThatMeanSomethingElseAreLegal(t *testing.T) {
	t.Parallel()
	page := func(context.Context, *library, struct{}) (store.Page[library], error) {
		return store.Page[library]{}, nil
	}
	for name, err := range map[string]error{
		"the identifier":                             declaring[library]()(rename[library]("/libraries/{id}/y")),
		"an identifier of another name":              declaring[writer]()(rename[writer]("/writers/{pen}/y")),
		"a composite identifier":                     declaring[leaf]()(rename[leaf]("/leaves/{tree};{twig}/y")),
		"a part of a composite identifier":           declaring[leaf]()(rename[leaf]("/trees/{tree}/y")),
		"another word":                               declaring[library]()(rename[library]("/libraries/{year}/{isbn}")),
		"the identifier of another resource":         declaring[writer]()(rename[writer]("/libraries/{id}/writers")),
		"a reference of the record":                  declaring[tome](resource.Of[writer]{})(rename[tome]("/writers/{author}/tomes")),
		"a reference with the name of the resource":  declaring[tome](resource.Of[writer]{})(rename[tome]("/tomes/{tome}/parts")),
		"a page of records, which loads none itself": declaring[library]()(operation.GetCollection{URITemplate: "/libraries/{library}/near", Handler: operation.Handle(page)}),
		"parents of standard operations": declaring[tome](resource.Of[writer]{})(
			operation.GetCollection{URITemplate: "/writers/{author}/tomes"}, operation.Get{URITemplate: "/writers/{author}/tomes/{id}"}),
	} {
		if err != nil {
			t.Errorf("%s: New returns %v", name, err)
		}
	}
}

func TestAHandlerGetsTheRecordOfASuggestedPath(t *testing.T) {
	t.Parallel()
	declared := resource.Of[library]{Store: memory.New(library{Name: "Alexandria"}), Operations: []operation.Operation{operation.Get{}, rename[library]("/libraries/{libraryId}/y")}}
	_, err := resource.New(resource.Config{}, declared)
	_, suggested, _ := strings.Cut(err.Error(), `did you mean "`)
	template, _, _ := strings.Cut(suggested, `"`)
	declared.Operations[1] = rename[library](template)
	c := spec.NewClient(t, resource.Config{}, declared)
	c.Send("POST /api/libraries/1/y", "").Is(200, `{"id":1,"name":"Alexandria"}`)
	c.Send("POST /api/libraries/2/y", "").HasStatus(404)
}
