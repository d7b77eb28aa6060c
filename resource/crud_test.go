package resource_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/trove-api/trove/resource"
)

const slinky = `{"name":"Giant slinky","description":"Shiny","value":100,"coolFactor":8,"isPublished":true}`

const storedSlinky = `{"id":1,"name":"Giant slinky","description":"Shiny","value":100,"coolFactor":8,` +
	`"isPublished":true,"plunderedAt":"0001-01-01T00:00:00Z"}`

func TestSixOperationsByDefault(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{}, resource.Of[DragonTreasure]{})

	c.send("GET /api/dragon_treasures", "").is(200, `[]`).has("Content-Type", "application/json").has("Vary", "Accept")
	c.send("POST /api/dragon_treasures", slinky).is(201, storedSlinky).has("Location", "/api/dragon_treasures/1")
	c.send("GET /api/dragon_treasures/1", "").is(200, storedSlinky).has("Content-Type", "application/json")
	c.send("GET /api/dragon_treasures", "").is(200, `[`+storedSlinky+`]`)
	c.send("PUT /api/dragon_treasures/1", `{"value":7}`).hasStatus(200).mentions(`"value":7`, `"Giant slinky"`)
	c.send("PATCH /api/dragon_treasures/1", `{"description":null}`).hasStatus(200).mentions(`"description":null`, `"value":7`)
	c.send("DELETE /api/dragon_treasures/1", "").is(204, "").has("Content-Type", "")
	c.send("GET /api/dragon_treasures/1", "").isProblem(404)
	c.send("DELETE /api/dragon_treasures/1", "").isProblem(404)
	c.send("PATCH /api/dragon_treasures/1", `{}`).isProblem(404)
	c.send("PUT /api/dragon_treasures/1", `{}`).isProblem(404)
}

func TestIdentifiersAreNotUsedAgain(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{}, resource.Of[DragonTreasure]{})
	c.send("POST /api/dragon_treasures", slinky).hasStatus(201)
	c.send("DELETE /api/dragon_treasures/1", "").hasStatus(204)
	c.send("POST /api/dragon_treasures", slinky).hasStatus(201).has("Location", "/api/dragon_treasures/2")
}

func TestIdentifiersAreMadeByTheStore(t *testing.T) {
	t.Parallel()
	type Token struct {
		Key uuid.UUID `json:"key" api:"id"`
	}
	type Small struct {
		Number uint32 `json:"number" api:"id"`
	}
	c := newClient(t, resource.Config{}, resource.Of[Token]{}, resource.Of[Small]{})
	made := c.send("POST /api/tokens", `{}`).hasStatus(201)
	location := made.header.Get("Location")
	key := strings.TrimPrefix(location, "/api/tokens/")
	if id, err := uuid.Parse(key); err != nil || id.Version() != 7 {
		t.Errorf("Location is %q, want a UUID of version 7 in it", location)
	}
	made.is(201, `{"key":"`+key+`"}`)
	c.send("GET "+location, "").is(200, made.body)
	c.send("POST /api/smalls", `{}`).is(201, `{"number":1}`)
	c.send("POST /api/smalls", `{"number":9}`).is(201, `{"number":2}`)
}

func TestReadOnlyMembersAreAcceptedAndIgnored(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{}, resource.Of[DragonTreasure]{})
	c.send("POST /api/dragon_treasures", `{"id":77,"name":"Cup","value":1,"plunderedAt":"2020-01-01T00:00:00Z"}`).
		hasStatus(201).mentions(`"id":1`, `"plunderedAt":"0001-01-01T00:00:00Z"`)
	c.send("PATCH /api/dragon_treasures/1", `{"id":"x","plunderedAt":[]}`).hasStatus(200).mentions(`"id":1`)
}

func TestUnsetMembersAreWritten(t *testing.T) {
	t.Parallel()
	type Chest struct {
		ID    int64          `json:"id"`
		Note  *string        `json:"note"`
		Tags  []string       `json:"tags"`
		Marks map[string]int `json:"marks"`
		Bare  string
	}
	c := newClient(t, resource.Config{}, resource.Of[Chest]{})
	c.send("POST /api/chests", `{}`).is(201, `{"id":1,"note":null,"tags":[],"marks":{},"Bare":""}`)
}

func TestWriteOnlyMembersAreNeverShown(t *testing.T) {
	t.Parallel()
	type Account struct {
		ID       int64  `json:"id"`
		Password string `json:"password" api:"writeonly" validate:"min=8"`
	}
	c := newClient(t, resource.Config{}, resource.Of[Account]{})
	c.send("POST /api/accounts", `{"password":"correct horse"}`).is(201, `{"id":1}`)
	c.send("PATCH /api/accounts/1", `{"password":"short"}`).
		isInvalid("password", "password must be at least 8 characters long")
	c.send("GET /api/accounts", "").is(200, `[{"id":1}]`)
}

func TestAnExplicitZeroIsAValue(t *testing.T) {
	t.Parallel()
	type Switch struct {
		ID    int64 `json:"id"`
		On    bool  `json:"on" validate:"required" default:"true"`
		Level int   `json:"level" validate:"required"`
		Extra int   `json:"extra" validate:"omitempty,gte=5"`
	}
	c := newClient(t, resource.Config{}, resource.Of[Switch]{})
	c.send("POST /api/switches", `{"on":false,"level":0}`).is(201, `{"id":1,"on":false,"level":0,"extra":0}`)
	c.send("POST /api/switches", `{}`).isInvalid("level", "level is required")
	c.send("POST /api/switches", `{"on":true,"level":1,"extra":0}`).isInvalid("extra", "extra must be at least 5")
	c.send("PATCH /api/switches/1", `{"level":null}`).isInvalid("level", "level is required")
	c.send("PATCH /api/switches/1", `{}`).hasStatus(200)
}
