package resource_test

import (
	"testing"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

type Vessel struct {
	ID     int64   `json:"id"`
	Name   string  `json:"name" validate:"notblank"`
	Note   *string `json:"note"`
	Count  int     `json:"count"`
	Limit  int     `json:"limit" default:"9"`
	Secret string  `json:"secret" api:"writeonly"`
	Owner  string  `json:"owner" api:"readonly"`
	Hidden string  `json:"-"`
}

func vessels(extra map[string]any, put operation.Put) resource.Of[Vessel] {
	return resource.Of[Vessel]{
		ExtraProperties: extra,
		Operations:      []operation.Operation{operation.Get{}, operation.Post{}, put},
		Store:           memory.New(Vessel{Name: "Cup", Note: new("old"), Count: 3, Limit: 4, Secret: "s", Owner: "me", Hidden: "h"}),
	}
}

func TestPutUpdatesByDefaultAndReplacesWithStandardPut(t *testing.T) {
	t.Parallel()
	replace, update := map[string]any{"standard_put": true}, map[string]any{"standard_put": false}
	const updated = `{"id":1,"name":"Mug","note":"old","count":3,"limit":4,"owner":"me"}`
	const replaced = `{"id":1,"name":"Mug","note":null,"count":0,"limit":9,"owner":"me"}`
	for _, test := range []struct {
		rule                string
		resource, operation map[string]any
		want                string
	}{
		{"nothing said updates", nil, nil, updated},
		{"the resource replaces", replace, nil, replaced},
		{"the operation replaces", nil, replace, replaced},
		{"the operation goes before the resource", replace, update, updated},
		{"the operation goes before the resource to replace", update, replace, replaced},
		{"other extra properties do not matter", map[string]any{"colour": "red"}, map[string]any{"size": 3}, updated},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			c := newClient(t, resource.Config{}, vessels(test.resource, operation.Put{ExtraProperties: test.operation}))
			c.send("PUT /api/vessels/1", `{"name":"Mug"}`).is(200, test.want)
			c.send("GET /api/vessels/1", "").is(200, test.want)
		})
	}
}

func TestAReplacingPutKeepsWhatClientsCannotSee(t *testing.T) {
	t.Parallel()
	store := memory.New(Vessel{Name: "Cup", Secret: "s", Owner: "me", Hidden: "h"})
	c := newClient(t, resource.Config{}, resource.Of[Vessel]{
		Store: store, ExtraProperties: map[string]any{"standard_put": true},
	})
	c.send("PUT /api/vessels/1", `{"name":"Mug"}`).hasStatus(200)
	kept, err := store.Get(t.Context(), int64(1))
	if err != nil || kept.Secret != "s" || kept.Owner != "me" || kept.Hidden != "h" {
		t.Errorf("the record is %+v (%v), want Secret, Owner and Hidden as they were", kept, err)
	}
}

func TestAReplacingPutRequiresWhatACreateRequires(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{}, vessels(map[string]any{"standard_put": true}, operation.Put{}))
	c.send("PUT /api/vessels/1", `{"count":1}`).isInvalid("name", "name is required")
	c.send("GET /api/vessels/1", "").mentions(`"count":3`)
}

func TestPutOfAMissingRecord(t *testing.T) {
	t.Parallel()
	allow := operation.Put{AllowCreate: true}
	standard := operation.Put{AllowCreate: true, ExtraProperties: map[string]any{"standard_put": true}}
	const created = `{"nickname":"ada","avatarNumber":5,"tagLine":"","userId":0}`
	for _, test := range []struct {
		rule   string
		put    operation.Put
		body   string
		status int
	}{
		{"is 404 by default", operation.Put{}, `{"nickname":"ada"}`, 404},
		{"creates with AllowCreate", allow, `{"nickname":"ada","avatarNumber":5}`, 201},
		{"takes the identifier from the path", allow, `{"avatarNumber":5}`, 201},
		{"creates with AllowCreate and standard_put", standard, `{"nickname":"ada","avatarNumber":5}`, 201},
		{"takes the identifier from the path with standard_put", standard, `{"avatarNumber":5}`, 201},
		{"refuses another identifier", allow, `{"nickname":"bob"}`, 400},
		{"refuses another identifier with standard_put", standard, `{"nickname":"bob"}`, 400},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			c := newClient(t, resource.Config{}, resource.Of[Programmer]{
				Operations: []operation.Operation{operation.Get{}, test.put},
			})
			got := c.send("PUT /api/programmers/ada", test.body).hasStatus(test.status)
			if test.status == 201 {
				got.is(201, created).has("Location", "/api/programmers/ada")
				c.send("GET /api/programmers/ada", "").is(200, created)
				c.send("PUT /api/programmers/ada", `{"nickname":"ada","avatarNumber":6}`).hasStatus(200).has("Location", "")
				c.send("PUT /api/programmers/ada", `{"avatarNumber":5}`).is(200, created) // the same once more
			} else {
				c.send("GET /api/programmers/ada", "").isProblem(404)
			}
		})
	}
}

func TestAnIdentifierInABodyMustBeThePaths(t *testing.T) {
	t.Parallel()
	const other = "nickname must be the one in the path"
	for _, replace := range []bool{false, true} {
		c := newClient(t, resource.Config{}, resource.Of[Programmer]{
			ExtraProperties: map[string]any{"standard_put": replace},
			Store:           memory.New(Programmer{Nickname: "ada"}, Programmer{Nickname: "bob"}),
		})
		c.send("PUT /api/programmers/ada", `{"nickname":"ada","tagLine":"x"}`).hasStatus(200)
		c.send("PUT /api/programmers/ada", `{"nickname":"bob"}`).isInvalid("nickname", other)
		c.send("PATCH /api/programmers/ada", `{"nickname":"eve"}`).isInvalid("nickname", other)
		c.send("PATCH /api/programmers/ada", `{"nickname":" "}`).isInvalid("nickname", "Please enter a nickname")
		c.send("PATCH /api/programmers/ada", `{"nickname":5}`).isInvalid("nickname", "nickname must be a string")
		c.send("GET /api/programmers/ada", "").mentions(`"tagLine":"x"`)
	}
}
