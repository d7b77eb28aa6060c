package bodies_test

import (
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

func vessels(extra map[string]any, put operation.Put) resource.Of[spec.Vessel] {
	return resource.Of[spec.Vessel]{
		ExtraProperties: extra,
		Operations:      []operation.Operation{operation.Get{}, operation.Post{}, put},
		Store:           memory.New(spec.Vessel{Name: "Cup", Note: new("old"), Count: 3, Limit: 4, Secret: "s", Owner: "me", Hidden: "h"}),
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
			c := spec.NewClient(t, resource.Config{}, vessels(test.resource, operation.Put{ExtraProperties: test.operation}))
			c.Send("PUT /api/vessels/1", `{"name":"Mug"}`).Is(200, test.want)
			c.Send("GET /api/vessels/1", "").Is(200, test.want)
		})
	}
}

func TestAReplacingPutKeepsWhatClientsCannotSee(t *testing.T) {
	t.Parallel()
	store := memory.New(spec.Vessel{Name: "Cup", Secret: "s", Owner: "me", Hidden: "h"})
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.Vessel]{
		Store: store, ExtraProperties: map[string]any{"standard_put": true},
	})
	c.Send("PUT /api/vessels/1", `{"name":"Mug"}`).HasStatus(200)
	kept, err := store.Get(t.Context(), int64(1))
	if err != nil || kept.Secret != "s" || kept.Owner != "me" || kept.Hidden != "h" {
		t.Errorf("the record is %+v (%v), want Secret, Owner and Hidden as they were", kept, err)
	}
}

func TestAReplacingPutRequiresWhatACreateRequires(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, vessels(map[string]any{"standard_put": true}, operation.Put{}))
	c.Send("PUT /api/vessels/1", `{"count":1}`).IsInvalid("name", "name is required")
	c.Send("GET /api/vessels/1", "").Mentions(`"count":3`)
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
			c := spec.NewClient(t, resource.Config{}, resource.Of[spec.Programmer]{
				Operations: []operation.Operation{operation.Get{}, test.put},
			})
			got := c.Send("PUT /api/programmers/ada", test.body).HasStatus(test.status)
			if test.status == 201 {
				got.Is(201, created).Has("Location", "/api/programmers/ada")
				c.Send("GET /api/programmers/ada", "").Is(200, created)
				c.Send("PUT /api/programmers/ada", `{"nickname":"ada","avatarNumber":6}`).HasStatus(200).Has("Location", "")
				c.Send("PUT /api/programmers/ada", `{"avatarNumber":5}`).Is(200, created) // the same once more
			} else {
				c.Send("GET /api/programmers/ada", "").IsProblem(404)
			}
		})
	}
}

func TestAnIdentifierInABodyMustBeThePaths(t *testing.T) {
	t.Parallel()
	const other = "nickname must be the one in the path"
	for _, replace := range []bool{false, true} {
		c := spec.NewClient(t, resource.Config{}, resource.Of[spec.Programmer]{
			ExtraProperties: map[string]any{"standard_put": replace},
			Store:           memory.New(spec.Programmer{Nickname: "ada"}, spec.Programmer{Nickname: "bob"}),
		})
		c.Send("PUT /api/programmers/ada", `{"nickname":"ada","tagLine":"x"}`).HasStatus(200)
		c.Send("PUT /api/programmers/ada", `{"nickname":"bob"}`).IsInvalid("nickname", other)
		c.Send("PATCH /api/programmers/ada", `{"nickname":"eve"}`).IsInvalid("nickname", other)
		c.Send("PATCH /api/programmers/ada", `{"nickname":" "}`).IsInvalid("nickname", "Please enter a nickname")
		c.Send("PATCH /api/programmers/ada", `{"nickname":5}`).IsInvalid("nickname", "nickname must be a string")
		c.Send("GET /api/programmers/ada", "").Mentions(`"tagLine":"x"`)
	}
}
