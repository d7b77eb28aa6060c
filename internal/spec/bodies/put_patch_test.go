package bodies_test

import (
	"fmt"
	"io"
	"strings"
	"sync"
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

type Address struct {
	City   string  `json:"city" validate:"notblank"`
	Street *string `json:"street"`
}

type Person struct {
	ID      int64             `json:"id"`
	Name    string            `json:"name" validate:"notblank"`
	Address Address           `json:"address"`
	Second  *Address          `json:"second"`
	Tags    []string          `json:"tags" validate:"max=3,dive,min=2"`
	Marks   map[string]int    `json:"marks"`
	Labels  map[string]*int   `json:"labels"`
	Extra   any               `json:"extra"`
	Past    []Address         `json:"past"`
	Notes   map[string]string `json:"notes"`
}

func TestPatchIsAMergePatch(t *testing.T) {
	t.Parallel()
	stored := Person{
		Name: "Ann", Address: Address{City: "Rome", Street: new("Via Appia")}, Second: &Address{City: "Oslo"},
		Tags: []string{"aa", "bb"}, Marks: map[string]int{"a": 1, "b": 2}, Extra: map[string]any{"x": 1.0, "y": 2.0},
	}
	for _, test := range []struct{ rule, patch, want string }{
		{"an empty patch changes nothing", `{}`, `"name":"Ann"`},
		{"a field is set", `{"name":"Bob"}`, `"name":"Bob"`},
		{"nested members are merged", `{"address":{"city":"Bonn"}}`, `"address":{"city":"Bonn","street":"Via Appia"}`},
		{"null clears a nested nullable member", `{"address":{"street":null}}`, `"address":{"city":"Rome","street":null}`},
		{"null clears a nullable object", `{"second":null}`, `"second":null`},
		{"a nullable object is merged", `{"second":{"street":"Karl Johan"}}`, `"second":{"city":"Oslo","street":"Karl Johan"}`},
		{"lists are replaced", `{"tags":["cc"]}`, `"tags":["cc"]`},
		{"map entries are merged", `{"marks":{"b":3,"c":4}}`, `"marks":{"a":1,"b":3,"c":4}`},
		{"null removes a map entry", `{"marks":{"a":null}}`, `"marks":{"b":2}`},
		{"any value is merged", `{"extra":{"x":null,"z":3}}`, `"extra":{"y":2,"z":3}`},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			c := spec.NewClient(t, resource.Config{}, resource.Of[Person]{Store: memory.New(stored)})
			c.Send("PATCH /api/people/1", test.patch, "Content-Type", "application/merge-patch+json").
				HasStatus(200).Mentions(test.want)
			c.Send("GET /api/people/1", "").Mentions(test.want)
		})
	}
}

func TestTheMergedRecordIsValidated(t *testing.T) {
	t.Parallel()
	stored := Person{Name: "Ann", Address: Address{City: "Rome"}}
	for _, test := range []struct {
		rule, patch string
		fields      []string
	}{
		{"a rule", `{"name":" "}`, []string{"name", "name must not be blank"}},
		{"a nested rule", `{"address":{"city":""}}`, []string{"address.city", "city must not be blank"}},
		{"a null that cannot be", `{"marks":null}`, []string{"marks", "marks must be an object"}},
		{"a null for a required member", `{"name":null}`, []string{"name", "name is required"}},
		{"a rule of elements", `{"tags":["aa","b"]}`, []string{"tags[1]", "tags[1] must be at least 2 characters long"}},
		{"a rule of a list", `{"tags":["aa","bb","cc","dd"]}`, []string{"tags", "tags must have at most 3 elements"}},
		{"a missing member of a new object", `{"second":{"street":"x"}}`, []string{"second.city", "city is required"}},
		{"structs in lists without dive", `{"past":[{"city":"ok"},{"city":" "}]}`, []string{"past[1].city", "city must not be blank"}},
		{"several at once", `{"name":"","tags":[1],"marks":{"a":"x"}}`, []string{
			"name", "name must not be blank", "tags[0]", "tags[0] must be a string", "marks[a]", "marks[a] must be an integer",
		}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			c := spec.NewClient(t, resource.Config{}, resource.Of[Person]{Store: memory.New(stored)})
			before := c.Send("GET /api/people/1", "").Body
			c.Send("PATCH /api/people/1", test.patch).IsInvalid(test.fields...)
			c.Send("GET /api/people/1", "").Is(200, before)
		})
	}
}

// Forest contains itself through a list of a named type.
type Forest struct {
	ID    int64 `json:"id"`
	Trees Trees `json:"trees"`
}

// Trees are trees, each of which has more.
type Trees []struct {
	Name  string           `json:"name"`
	Trees Trees            `json:"trees"`
	By    map[string]Trees `json:"by"`
}

func TestTypesMayHoldThemselvesThroughAStruct(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Forest]{})
	const tree = `{"name":"oak","trees":[{"name":"ivy","trees":[],"by":{}}],"by":{"x":[]}}`
	c.Send("POST /api/forests", `{"trees":[`+tree+`]}`).Is(201, `{"id":1,"trees":[`+tree+`]}`)
}

// Counters has fifty fields, so that fifty requests can each change their own.
type Counters struct {
	ID     int64          `json:"id"`
	Counts map[string]int `json:"counts"`
	Total  int            `json:"total"`
}

func TestConcurrentPatchesOfDifferentFieldsAllSurvive(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Counters]{Store: memory.New(Counters{})})
	var group sync.WaitGroup
	for i := range 50 {
		group.Go(func() {
			c.Send("PATCH /api/counters/1", fmt.Sprintf(`{"counts":{"n%d":%d}}`, i, i)).HasStatus(200)
		})
	}
	group.Wait()
	final := c.Send("GET /api/counters/1", "").HasStatus(200)
	for i := range 50 {
		final.Mentions(fmt.Sprintf(`"n%d":%d`, i, i))
	}
}

func TestASlowBodyLocksNothing(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Counters]{Store: memory.New(Counters{})})
	slow := newSlowBody(`{"total":`, `5}`)
	done := make(chan spec.Response)
	go func() { done <- c.SendReader("PATCH /api/counters/1", slow) }()
	slow.awaitRead()
	c.Send("PATCH /api/counters/1", `{"counts":{"a":1}}`).HasStatus(200)
	slow.finish()
	(<-done).HasStatus(200).Mentions(`"a":1`, `"total":5`)
}

func TestPatchTakesTwoMediaTypes(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Counters]{Store: memory.New(Counters{})})
	for _, mediaType := range []string{"application/json", "application/merge-patch+json", "application/merge-patch+json; charset=utf-8"} {
		c.Send("PATCH /api/counters/1", `{"total":1}`, "Content-Type", mediaType).HasStatus(200)
	}
	refused := c.Send("PATCH /api/counters/1", `{"total":1}`, "Content-Type", "application/json-patch+json").IsProblem(415)
	refused.Has("Accept-Patch", "application/merge-patch+json, application/json").Mentions("application/merge-patch+json")
	if strings.Contains(refused.Body, "json-patch+json") {
		t.Error("the refusal repeats what was sent")
	}
}

// slowBody is a body that stops in the middle until released.
type slowBody struct {
	first, rest io.Reader
	reached, on chan struct{}
	waited      bool
}

// newSlowBody returns a body whose rest comes once finish is called.
func newSlowBody(first, rest string) *slowBody {
	return &slowBody{
		first: strings.NewReader(first), rest: strings.NewReader(rest),
		reached: make(chan struct{}), on: make(chan struct{}),
	}
}

func (b *slowBody) Read(p []byte) (int, error) {
	if n, err := b.first.Read(p); err == nil {
		return n, nil
	}
	if !b.waited {
		b.waited = true
		close(b.reached)
		<-b.on
	}
	return b.rest.Read(p)
}

// awaitRead waits until the first half has been read.
func (b *slowBody) awaitRead() { <-b.reached }

// finish lets the rest of the body come.
func (b *slowBody) finish() { close(b.on) }
