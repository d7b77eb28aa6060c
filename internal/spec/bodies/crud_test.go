package bodies_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
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
