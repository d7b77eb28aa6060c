package bodies_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/validation"
)

const storedSlinky = `{"id":1,"name":"Giant slinky","description":"Shiny","value":100,"coolFactor":8,` +
	`"isPublished":true,"plunderedAt":"0001-01-01T00:00:00Z"}`

func TestSixOperationsByDefault(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.DragonTreasure]{})

	c.Send("GET /api/dragon_treasures", "").Is(200, `[]`).Has("Content-Type", "application/json").Has("Vary", "Accept")
	c.Send("POST /api/dragon_treasures", spec.Slinky).Is(201, storedSlinky).Has("Location", "/api/dragon_treasures/1")
	c.Send("GET /api/dragon_treasures/1", "").Is(200, storedSlinky).Has("Content-Type", "application/json")
	c.Send("GET /api/dragon_treasures", "").Is(200, `[`+storedSlinky+`]`)
	c.Send("PUT /api/dragon_treasures/1", `{"value":7}`).HasStatus(200).Mentions(`"value":7`, `"Giant slinky"`)
	c.Send("PATCH /api/dragon_treasures/1", `{"description":null}`).HasStatus(200).Mentions(`"description":null`, `"value":7`)
	c.Send("DELETE /api/dragon_treasures/1", "").Is(204, "").Has("Content-Type", "")
	c.Send("GET /api/dragon_treasures/1", "").IsProblem(404)
	c.Send("DELETE /api/dragon_treasures/1", "").IsProblem(404)
	c.Send("PATCH /api/dragon_treasures/1", `{}`).IsProblem(404)
	c.Send("PUT /api/dragon_treasures/1", `{}`).IsProblem(404)
}

func TestIdentifiersAreNotUsedAgain(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.DragonTreasure]{})
	c.Send("POST /api/dragon_treasures", spec.Slinky).HasStatus(201)
	c.Send("DELETE /api/dragon_treasures/1", "").HasStatus(204)
	c.Send("POST /api/dragon_treasures", spec.Slinky).HasStatus(201).Has("Location", "/api/dragon_treasures/2")
}

func TestIdentifiersAreMadeByTheStore(t *testing.T) {
	t.Parallel()
	type Token struct {
		Key uuid.UUID `json:"key" api:"id"`
	}
	type Small struct {
		Number uint32 `json:"number" api:"id"`
	}
	c := spec.NewClient(t, resource.Config{}, resource.Of[Token]{}, resource.Of[Small]{})
	made := c.Send("POST /api/tokens", `{}`).HasStatus(201)
	location := made.Header.Get("Location")
	key := strings.TrimPrefix(location, "/api/tokens/")
	if id, err := uuid.Parse(key); err != nil || id.Version() != 7 {
		t.Errorf("Location is %q, want a UUID of version 7 in it", location)
	}
	made.Is(201, `{"key":"`+key+`"}`)
	c.Send("GET "+location, "").Is(200, made.Body)
	c.Send("POST /api/smalls", `{}`).Is(201, `{"number":1}`)
	c.Send("POST /api/smalls", `{"number":9}`).Is(201, `{"number":2}`)
}

func TestReadOnlyFieldsAreAcceptedAndIgnored(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.DragonTreasure]{})
	c.Send("POST /api/dragon_treasures", `{"id":77,"name":"Cup","value":1,"plunderedAt":"2020-01-01T00:00:00Z"}`).
		HasStatus(201).Mentions(`"id":1`, `"plunderedAt":"0001-01-01T00:00:00Z"`)
	c.Send("PATCH /api/dragon_treasures/1", `{"id":"x","plunderedAt":[]}`).HasStatus(200).Mentions(`"id":1`)
}

func TestUnsetFieldsAreWritten(t *testing.T) {
	t.Parallel()
	type Chest struct {
		ID    int64          `json:"id"`
		Note  *string        `json:"note"`
		Tags  []string       `json:"tags"`
		Marks map[string]int `json:"marks"`
		Bare  string
	}
	c := spec.NewClient(t, resource.Config{}, resource.Of[Chest]{})
	c.Send("POST /api/chests", `{}`).Is(201, `{"id":1,"note":null,"tags":[],"marks":{},"Bare":""}`)
}

func TestWriteOnlyFieldsAreNeverShown(t *testing.T) {
	t.Parallel()
	type Account struct {
		ID       int64  `json:"id"`
		Password string `json:"password" api:"writeonly" validate:"min=8"`
	}
	c := spec.NewClient(t, resource.Config{}, resource.Of[Account]{})
	c.Send("POST /api/accounts", `{"password":"correct horse"}`).Is(201, `{"id":1}`)
	c.Send("PATCH /api/accounts/1", `{"password":"short"}`).
		IsInvalid("password", "password must be at least 8 characters long")
	c.Send("GET /api/accounts", "").Is(200, `[{"id":1}]`)
}

func TestAnExplicitZeroIsAValue(t *testing.T) {
	t.Parallel()
	type Switch struct {
		ID    int64 `json:"id"`
		On    bool  `json:"on" validate:"required" default:"true"`
		Level int   `json:"level" validate:"required"`
		Extra int   `json:"extra" validate:"omitempty,gte=5"`
	}
	c := spec.NewClient(t, resource.Config{}, resource.Of[Switch]{})
	c.Send("POST /api/switches", `{"on":false,"level":0}`).Is(201, `{"id":1,"on":false,"level":0,"extra":0}`)
	c.Send("POST /api/switches", `{}`).IsInvalid("level", "level is required")
	c.Send("POST /api/switches", `{"on":true,"level":1,"extra":0}`).IsInvalid("extra", "extra must be at least 5")
	c.Send("PATCH /api/switches/1", `{"level":null}`).IsInvalid("level", "level is required")
	c.Send("PATCH /api/switches/1", `{}`).HasStatus(200)
}

// label has an identifier that a store would generate, in any position.
type label struct {
	ID   int64  `json:"id" api:"id"`
	Text string `json:"text"`
}

type crate struct {
	ID     int64   `json:"id"`
	Front  label   `json:"front"`
	Others []label `json:"others"`
}

func TestAGeneratedIdentifierIsReadOnlyEverywhere(t *testing.T) {
	t.Parallel()
	echo := func(_ context.Context, _ *crate, in label) (label, error) { return in, nil }
	relabel := func(_ context.Context, _ *crate, in crate) (crate, error) { return in, nil }
	c := spec.NewClient(t, resource.Config{}, resource.Of[crate]{Operations: append(operation.Standard(),
		operation.Post{Name: "echo", URITemplate: "/crates/echo", Handler: operation.Handle(echo)},
		operation.Post{Name: "relabel", URITemplate: "/crates/relabel", Handler: operation.Handle(relabel)},
	)})
	c.Send("POST /api/crates/echo", `{"text":"a"}`).Is(200, `{"id":0,"text":"a"}`)
	c.Send("POST /api/crates/echo", `{"id":7,"text":"a"}`).Is(200, `{"id":0,"text":"a"}`)
	c.Send("POST /api/crates", `{"front":{"text":"a"},"others":[{"id":7,"text":"b"}]}`).
		Is(201, `{"id":1,"front":{"id":0,"text":"a"},"others":[{"id":0,"text":"b"}]}`)
	c.Send("POST /api/crates/relabel", `{"id":3,"front":{"text":"a"},"others":[]}`).Is(200, `{"id":0,"front":{"id":0,"text":"a"},"others":[]}`)
}

// Amount is a type that reads itself, and says what it must be.
type Amount struct{ text string }

func (a Amount) MarshalText() ([]byte, error) { return []byte(a.text), nil }

func (a *Amount) UnmarshalText(text []byte) error {
	if a.text = string(text); strings.HasSuffix(a.text, " EUR") {
		return nil
	}
	if a.text == "secret" {
		return errors.New("the key of the bank is 1234")
	}
	return validation.Fail("", "must be an amount such as 12.50 EUR")
}

func TestErrorsOfAUsersTypeReachTheClient(t *testing.T) {
	t.Parallel()
	type Bill struct {
		ID    int64  `json:"id"`
		Price Amount `json:"price" api:"filter=exact"`
		Count int    `json:"count" validate:"gte=1"`
	}
	const said, form = "price must be an amount such as 12.50 EUR", "price has an invalid format"
	api := spec.NewClient(t, resource.Config{}, resource.Of[Bill]{})
	api.Send("POST /api/bills", `{"price":"1 EUR","count":1}`).HasStatus(201)
	api.Send("POST /api/bills", `{"price":"1","count":0}`).IsInvalid("price", said, "count", "count must be at least 1")
	api.Send("PATCH /api/bills/1", `{"price":"1"}`).IsInvalid("price", said)
	api.Send("POST /api/bills", `{"price":"secret","count":1}`).IsInvalid("price", form)
	api.Send("GET /api/bills?price=1", "").IsProblem(400).Mentions(said + `.`)
}

// TestNewRejectsANumberOfADeclarationOrServesIt sets every number and duration of Config, Of and Metadata in turn
// to extreme values.
func TestNewRejectsANumberOfADeclarationOrServesIt(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, n := range []int64{-1, math.MinInt64, math.MaxInt64, math.MaxInt32} {
		for _, level := range []any{resource.Config{}, resource.Of[spec.Vessel]{}, operation.Metadata{}} {
			for _, path := range numbersOf(reflect.TypeOf(level)) {
				set := reflect.New(reflect.TypeOf(level)).Elem()
				set.FieldByIndex(path.Index).SetInt(n)
				if set.FieldByIndex(path.Index).Int() != n {
					continue // a smaller integer
				}
				tried++
				t.Run(fmt.Sprintf("%T.%s=%d", level, path.Name, n), func(t *testing.T) {
					t.Parallel()
					serveOrRefuse(t, set.Interface(), path.Name)
				})
			}
		}
	}
	if tried < 50 {
		t.Errorf("only %d numbers are tried", tried)
	}
}

// numbersOf lists the integers of a struct and of those in it, each with its whole index.
func numbersOf(t reflect.Type) []reflect.StructField {
	var numbers []reflect.StructField
	for _, f := range reflect.VisibleFields(t) {
		switch {
		case f.Type.Kind() == reflect.Int, f.Type.Kind() == reflect.Int64:
			numbers = append(numbers, f)
		case f.Type == reflect.TypeFor[operation.Pagination]():
			for _, inner := range numbersOf(f.Type) {
				inner.Index, inner.Name = append(f.Index, inner.Index...), f.Name+"."+inner.Name
				numbers = append(numbers, inner)
			}
		}
	}
	return numbers
}

func serveOrRefuse(t *testing.T, level any, name string) {
	t.Helper()
	switch level := level.(type) {
	case resource.Config:
		serveOrSay(t, name, level, resource.Of[spec.Vessel]{})
	case resource.Of[spec.Vessel]:
		serveOrSay(t, name, resource.Config{}, level)
	case operation.Metadata:
		for _, of := range [][]operation.Operation{
			{operation.GetCollection(level), operation.Post{}, operation.Patch{}}, {operation.GetCollection{}, operation.Post(level), operation.Patch{}},
		} {
			serveOrSay(t, name, resource.Config{}, resource.Of[spec.Vessel]{Operations: of})
		}
	}
}

func serveOrSay(t *testing.T, name string, config resource.Config, of resource.Of[spec.Vessel]) {
	t.Helper()
	config.Logger = slog.New(slog.DiscardHandler)
	api, err := resource.New(config, of)
	if err != nil {
		if field := name[strings.LastIndexByte(name, '.')+1:]; !strings.Contains(err.Error(), field+" is ") {
			t.Errorf("the text does not say what %s is:\n%v", field, err)
		}
		return
	}
	c := spec.Client{T: t, Handler: api}
	for _, request := range []string{"GET /api/vessels", "POST /api/vessels", "GET /api/vessels?page=2", "GET /api/vessels?cursor=", "PATCH /api/vessels/1"} {
		body := ""
		if !strings.HasPrefix(request, http.MethodGet) {
			body = `{"name":"Argo"}`
		}
		if got := c.Send(request, body, "Idempotency-Key", `"a"`); got.Status >= 400 {
			t.Errorf("%s is %d %s", request, got.Status, got.Body)
		}
	}
}
