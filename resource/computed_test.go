package resource_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// Task is the resource of the tests of computed members.
type Task struct {
	ID    int64  `json:"id" api:"id"`
	Title string `json:"title" api:"sort,filter"`
	Owner string `json:"owner"`
}

type taskLength struct {
	Letters int   `json:"letters"`
	Words   []int `json:"words"`
}

func tasks(records store.Store[Task]) resource.Of[Task] {
	return resource.Of[Task]{Store: records, SparseFields: true, Computed: []operation.Computed{
		operation.Compute("isMine", "Whether the caller owns it.", func(ctx context.Context, task *Task) (bool, error) {
			req, ok := operation.RequestFrom(ctx)
			return ok && req.HTTP() != nil && req.HTTP().Header.Get("Who") == task.Owner, nil
		}),
		operation.Compute("length", "", func(_ context.Context, task *Task) (*taskLength, error) {
			if task.Title == "broken" {
				return nil, errors.New("no length")
			}
			if task.Title == "" {
				return nil, nil
			}
			return &taskLength{Letters: len(task.Title)}, nil
		}),
	}}
}

func TestComputedMembersStandBesideThoseOfTheStruct(t *testing.T) {
	t.Parallel()
	inEachStore(t, func(t *testing.T, records store.Store[Task]) {
		t.Helper()
		of := tasks(records)
		of.Operations = append(operation.Standard(),
			operation.Get{Name: "mine", URITemplate: "/tasks/{id}/mine", View: &operation.View{Name: "TaskMine", Members: []string{"isMine", "id"}}},
			operation.Get{Name: "bare", URITemplate: "/tasks/{id}/bare", View: &operation.View{Name: "TaskBare", Members: []string{"title"}}},
			operation.Post{Name: "echo", URITemplate: "/tasks/{id}/echo", Handler: operation.Handle(
				func(_ context.Context, task *Task, _ struct{}) (Task, error) { return *task, nil })})
		c := newClient(t, resource.Config{}, of)
		const one = `{"id":1,"title":"dig","owner":"ann","isMine":true,"length":{"letters":3,"words":[]}}`
		created := c.send("POST /api/tasks", `{"title":"dig","owner":"ann"}`, "Who", "ann").is(201, one)
		get := c.send("GET /api/tasks/1", "", "Who", "ann").is(200, one)
		if tag := get.header.Get("ETag"); tag != created.header.Get("ETag") {
			t.Errorf("the tags of one answer are %s and %s", tag, created.header.Get("ETag"))
		}
		c.send("GET /api/tasks/1", "", "Who", "ann", "If-None-Match", get.header.Get("ETag")).hasStatus(304)
		c.send("GET /api/tasks/1", "", "If-None-Match", get.header.Get("ETag")).hasStatus(200).mentions(`"isMine":false`)
		c.send("PATCH /api/tasks/1", `{"title":"dug"}`, "If-Match", get.header.Get("ETag")).hasStatus(200).mentions(`"isMine":false`, `"letters":3`)
		c.send("GET /api/tasks?fields=isMine", "").is(200, `[{"id":1,"isMine":false}]`)
		c.send("GET /api/tasks/1?fields=title", "").is(200, `{"id":1,"title":"dug"}`)
		c.send("GET /api/tasks/1/mine", "").is(200, `{"id":1,"isMine":false}`)
		c.send("GET /api/tasks/1/bare", "").is(200, `{"title":"dug"}`)
		c.send("POST /api/tasks/1/echo", "").hasStatus(200).mentions(`"isMine":false`)
		c.send("GET /api/tasks?sort=isMine", "").hasStatus(400)
		c.send("POST /api/tasks", `{"title":"","owner":""}`).is(201, `{"id":2,"title":"","owner":"","isMine":true,"length":null}`)
		if body := c.send("GET /api/tasks.ndjson?fields=length&sort=-title", "").body; !strings.Contains(body, `{"id":2,"length":null}`) {
			t.Errorf("the stream is %s", body)
		}
	})
}

func TestAComputedMemberThatFails(t *testing.T) {
	t.Parallel()
	inEachStore(t, func(t *testing.T, records store.Store[Task]) {
		t.Helper()
		c := newClient(t, resource.Config{}, tasks(records))
		c.send("POST /api/tasks", `{"title":"ok","owner":""}`).hasStatus(201)
		c.send("PATCH /api/tasks/1", `{"title":"broken"}`).hasStatus(500).lacks("no length")
		c.send("GET /api/tasks/1", "").hasStatus(200).mentions(`"title":"ok"`)
		err := records.Transact(t.Context(), func(ctx context.Context, tx store.Tx[Task]) error {
			return tx.Insert(ctx, &Task{Title: "broken"})
		})
		if err != nil {
			t.Fatal(err)
		}
		c.send("GET /api/tasks?title=broken", "").is(200, `[]`)
		c.send("GET /api/tasks?fields=title&sort=title", "").hasStatus(200).mentions("broken") // the function does not run
	})
}

func TestAComputedMemberSeesWhatIsHidden(t *testing.T) {
	t.Parallel()
	of := tasks(nil)
	of.Store, of.Access = nil, access.Rules{
		Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public,
		Members: map[string]access.Member{"owner": {Read: access.Authenticated}},
	}
	c := newClient(t, resource.Config{}, of)
	c.send("POST /api/tasks", `{"title":"dig","owner":"ann"}`, "Who", "ann").is(201, `{"id":1,"title":"dig","isMine":true,"length":{"letters":3,"words":[]}}`)
}

func TestMistakesInComputedMembersAreErrorsOfNew(t *testing.T) {
	t.Parallel()
	yes := func(context.Context, *Task) (bool, error) { return true, nil }
	for want, each := range map[string][]operation.Computed{
		`Computed "title": has the name of the field`:     {operation.Compute("title", "", yes)},
		`Computed "a": is declared twice`:                 {operation.Compute("a", "", yes), operation.Compute("a", "", yes)},
		`Computed "": has a name that no member can have`: {operation.Compute("", "", yes)},
		`Computed "a": is made of a nil function`:         {operation.Compute[Task, bool]("a", "", nil)},
		`Computed "a": is for resource_test.Ware`:         {operation.Compute("a", "", func(context.Context, *Ware) (bool, error) { return true, nil })},
		`Computed 1: is nil`:                              {nil},
		`Computed "a"`:                                    {operation.Compute("a", "", func(context.Context, *Task) (chan int, error) { return nil, nil })},
	} {
		_, err := resource.New(resource.Config{}, resource.Of[Task]{Computed: each})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want one with %s", err, want)
		}
	}
}

func TestARecordWithComputedMembersCanBeSentBackAsItIs(t *testing.T) {
	t.Parallel()
	inEachStore(t, func(t *testing.T, records store.Store[Task]) {
		t.Helper()
		of := tasks(records)
		of.Operations = append(operation.Standard(), operation.Put{Name: "replace", URITemplate: "/tasks/{id}/whole", ExtraProperties: map[string]any{"standard_put": true}})
		c := newClient(t, resource.Config{}, of)
		const one = `{"id":1,"title":"dig","owner":"ann","isMine":false,"length":{"letters":3,"words":[]}}`
		c.send("POST /api/tasks", one).is(201, one)
		c.send("PUT /api/tasks/1", one).is(200, one)
		c.send("PATCH /api/tasks/1", `{"isMine":true,"length":null}`).is(200, one)
		c.send("PUT /api/tasks/1/whole", strings.Replace(one, "[]", `["\u00e4",{}]`, 1)).is(200, one)
		c.send("PATCH /api/tasks/1", `{"isMin":true}`).hasStatus(400).mentions("isMin is not known")
	})
}
