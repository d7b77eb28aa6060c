package views_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// Task is the resource of the tests of computed fields.
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

func TestComputedFieldsAreNextToThoseOfTheStruct(t *testing.T) {
	t.Parallel()
	spec.InEachStore(t, func(t *testing.T, records store.Store[Task]) {
		t.Helper()
		of := tasks(records)
		of.Operations = append(operation.Standard(),
			operation.Get{Name: "mine", URITemplate: "/tasks/{id}/mine", View: &operation.View{Name: "TaskMine", Fields: []string{"isMine", "id"}}},
			operation.Get{Name: "bare", URITemplate: "/tasks/{id}/bare", View: &operation.View{Name: "TaskBare", Fields: []string{"title"}}},
			operation.Post{Name: "echo", URITemplate: "/tasks/{id}/echo", Handler: operation.Handle(
				func(_ context.Context, task *Task, _ struct{}) (Task, error) { return *task, nil })})
		c := spec.NewClient(t, resource.Config{}, of)
		const one = `{"id":1,"title":"dig","owner":"ann","isMine":true,"length":{"letters":3,"words":[]}}`
		created := c.Send("POST /api/tasks", `{"title":"dig","owner":"ann"}`, "Who", "ann").Is(201, one)
		get := c.Send("GET /api/tasks/1", "", "Who", "ann").Is(200, one)
		if tag := get.Header.Get("ETag"); tag != created.Header.Get("ETag") {
			t.Errorf("the tags of one answer are %s and %s", tag, created.Header.Get("ETag"))
		}
		c.Send("GET /api/tasks/1", "", "Who", "ann", "If-None-Match", get.Header.Get("ETag")).HasStatus(304)
		c.Send("GET /api/tasks/1", "", "If-None-Match", get.Header.Get("ETag")).HasStatus(200).Mentions(`"isMine":false`)
		c.Send("PATCH /api/tasks/1", `{"title":"dug"}`, "If-Match", get.Header.Get("ETag")).HasStatus(200).Mentions(`"isMine":false`, `"letters":3`)
		c.Send("GET /api/tasks?fields=isMine", "").Is(200, `[{"id":1,"isMine":false}]`)
		c.Send("GET /api/tasks/1?fields=title", "").Is(200, `{"id":1,"title":"dug"}`)
		c.Send("GET /api/tasks/1/mine", "").Is(200, `{"id":1,"isMine":false}`)
		c.Send("GET /api/tasks/1/bare", "").Is(200, `{"title":"dug"}`)
		c.Send("POST /api/tasks/1/echo", "").HasStatus(200).Mentions(`"isMine":false`)
		c.Send("GET /api/tasks?sort=isMine", "").HasStatus(400)
		c.Send("POST /api/tasks", `{"title":"","owner":""}`).Is(201, `{"id":2,"title":"","owner":"","isMine":true,"length":null}`)
		if body := c.Send("GET /api/tasks.ndjson?fields=length&sort=-title", "").Body; !strings.Contains(body, `{"id":2,"length":null}`) {
			t.Errorf("the stream is %s", body)
		}
	})
}

func TestAComputedFieldThatFails(t *testing.T) {
	t.Parallel()
	spec.InEachStore(t, func(t *testing.T, records store.Store[Task]) {
		t.Helper()
		c := spec.NewClient(t, resource.Config{}, tasks(records))
		c.Send("POST /api/tasks", `{"title":"ok","owner":""}`).HasStatus(201)
		c.Send("PATCH /api/tasks/1", `{"title":"broken"}`).HasStatus(500).Lacks("no length")
		c.Send("GET /api/tasks/1", "").HasStatus(200).Mentions(`"title":"ok"`)
		err := records.Transact(t.Context(), func(ctx context.Context, tx store.Tx[Task]) error {
			return tx.Insert(ctx, &Task{Title: "broken"})
		})
		if err != nil {
			t.Fatal(err)
		}
		c.Send("GET /api/tasks?title=broken", "").Is(200, `[]`)
		c.Send("GET /api/tasks?fields=title&sort=title", "").HasStatus(200).Mentions("broken") // the function does not run
	})
}

func TestAComputedFieldSeesHiddenFields(t *testing.T) {
	t.Parallel()
	of := tasks(nil)
	of.Store, of.Access = nil, access.Rules{
		Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public,
		Fields: map[string]access.Field{"owner": {Read: access.Authenticated}},
	}
	c := spec.NewClient(t, resource.Config{}, of)
	c.Send("POST /api/tasks", `{"title":"dig","owner":"ann"}`, "Who", "ann").Is(201, `{"id":1,"title":"dig","isMine":true,"length":{"letters":3,"words":[]}}`)
}

func TestMistakesInComputedFieldsAreErrorsOfNew(t *testing.T) {
	t.Parallel()
	yes := func(context.Context, *Task) (bool, error) { return true, nil }
	for want, each := range map[string][]operation.Computed{
		`Computed "title": the name is already used by the field Task.Title`:                                {operation.Compute("title", "", yes)},
		`Computed "a": the field is declared twice`:                                                         {operation.Compute("a", "", yes), operation.Compute("a", "", yes)},
		`Computed "": the name must have letters, digits, underscores and hyphens, beginning with a letter`: {operation.Compute("", "", yes)},
		`Computed "a": the function is nil`:                                                                 {operation.Compute[Task, bool]("a", "", nil)},
		`Computed "a": the function takes views_test.Ware, but records are views_test.Task`:                 {operation.Compute("a", "", func(context.Context, *Ware) (bool, error) { return true, nil })},
		`Computed 1: must not be nil; make it with operation.Compute`:                                       {nil},
		`Computed "a"`: {operation.Compute("a", "", func(context.Context, *Task) (chan int, error) { return nil, nil })},
	} {
		_, err := resource.New(resource.Config{}, resource.Of[Task]{Computed: each})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want one with %s", err, want)
		}
	}
}

func TestARecordWithComputedFieldsCanBeSentBackAsItIs(t *testing.T) {
	t.Parallel()
	spec.InEachStore(t, func(t *testing.T, records store.Store[Task]) {
		t.Helper()
		of := tasks(records)
		of.Operations = append(operation.Standard(), operation.Put{Name: "replace", URITemplate: "/tasks/{id}/whole", ExtraProperties: map[string]any{"standard_put": true}})
		c := spec.NewClient(t, resource.Config{}, of)
		const one = `{"id":1,"title":"dig","owner":"ann","isMine":false,"length":{"letters":3,"words":[]}}`
		c.Send("POST /api/tasks", one).Is(201, one)
		c.Send("PUT /api/tasks/1", one).Is(200, one)
		c.Send("PATCH /api/tasks/1", `{"isMine":true,"length":null}`).Is(200, one)
		c.Send("PUT /api/tasks/1/whole", strings.Replace(one, "[]", `["\u00e4",{}]`, 1)).Is(200, one)
		c.Send("PATCH /api/tasks/1", `{"isMin":true}`).HasStatus(400).Mentions(`Unknown field \"isMin\"`)
	})
}
