package views_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
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

// Duty refers to tasks, which have computed fields.
type Duty struct {
	ID    int64   `json:"id"`
	Name  string  `json:"name" api:"sort"`
	Task  int64   `json:"task" api:"ref=Task,expand"`
	Later []int64 `json:"later" validate:"max=9" api:"ref=Task,expand"`
}

// countedTasks returns tasks that count how often their computed field is computed.
func countedTasks(made *atomic.Int64) resource.Of[Task] {
	return resource.Of[Task]{Computed: []operation.Computed{
		operation.Compute("isMine", "Whether the caller owns it.", func(ctx context.Context, task *Task) (bool, error) {
			made.Add(1)
			req, ok := operation.RequestFrom(ctx)
			return ok && req.HTTP().Header.Get("Who") == task.Owner, nil
		}),
	}}
}

func newDuties(t *testing.T, duty resource.Of[Duty]) (c spec.Client, made *atomic.Int64) {
	t.Helper()
	made = new(atomic.Int64)
	formats := append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format)
	c = spec.NewClient(t, resource.Config{Formats: formats}, countedTasks(made), duty)
	c.Send("POST /api/tasks", `{"title":"dig","owner":"ann"}`).HasStatus(201)
	c.Send("POST /api/tasks", `{"title":"fill","owner":"bob"}`).HasStatus(201)
	for range 3 {
		c.Send("POST /api/duties", `{"name":"a","task":"/api/tasks/1","later":["/api/tasks/1","/api/tasks/2"]}`).HasStatus(201)
	}
	made.Store(0)
	return c, made
}

func TestEmbeddedRecordsHaveTheirComputedFields(t *testing.T) {
	t.Parallel()
	c, made := newDuties(t, resource.Of[Duty]{})
	const dig = `{"id":1,"title":"dig","owner":"ann","isMine":true}`
	c.Send("GET /api/tasks/1", "", "Who", "ann").Is(200, dig)
	one := c.Send("GET /api/duties/1?expand=task,later", "", "Who", "ann").HasStatus(200).Mentions(`"task":`+dig, `"later":[`+dig+`,`, `"isMine":false`)
	other := c.Send("GET /api/duties/1?expand=task,later", "", "Who", "bob").HasStatus(200).Mentions(`"isMine":false`, `"isMine":true`)
	if one.Header.Get("ETag") == other.Header.Get("ETag") {
		t.Error("two answers with other computed members have one tag")
	}
	made.Store(0)
	c.Send("GET /api/duties?expand=later,task", "", "Who", "ann").HasStatus(200).Mentions(`"_embedded":{`, dig)
	if n := made.Load(); n != 3 {
		t.Errorf("a page of three that refer to two records computes %d times, want once for each record and path", n)
	}
	c.Send("GET /api/duties.ndjson?expand=task", "", "Who", "ann").HasStatus(200).Mentions(`"_embedded":{"task":` + dig + `}`)
	for _, format := range []string{"jsonld", "jsonhal", "jsonapi"} {
		query := "?expand=task"
		if format == "jsonapi" {
			query = "?include=task"
		}
		for _, path := range []string{"/api/duties/1.", "/api/duties."} {
			c.Send("GET "+path+format+query, "", "Who", "ann").HasStatus(200).Mentions(`"isMine":true`)
		}
	}
	made.Store(0)
	c.Send("GET /api/duties", "", "Who", "ann").HasStatus(200)
	if n := made.Load(); n != 0 {
		t.Errorf("what nobody embeds is computed %d times", n)
	}
}

func TestAViewNamesComputedFieldsOfEmbeddedRecords(t *testing.T) {
	t.Parallel()
	c, _ := newDuties(t, resource.Of[Duty]{View: &operation.View{Name: "DutyCard", Fields: []string{"id", "task.isMine", "task.title"}}})
	c.Send("GET /api/duties/1", "", "Who", "ann").Is(200, `{"id":1,"_embedded":{"task":{"title":"dig","isMine":true}}}`)
	c, made := newDuties(t, resource.Of[Duty]{View: &operation.View{Name: "DutyCard", Fields: []string{"id", "task.title"}}})
	c.Send("GET /api/duties/1", "", "Who", "ann").Is(200, `{"id":1,"_embedded":{"task":{"title":"dig"}}}`)
	if made.Load() != 0 {
		t.Error("a member that the view leaves out is computed")
	}
}

func TestAComputedFieldOfAnEmbeddedRecordThatFails(t *testing.T) {
	t.Parallel()
	var fails atomic.Bool
	failing := resource.Of[Task]{Computed: []operation.Computed{operation.Compute("length", "", func(_ context.Context, task *Task) (int, error) {
		if fails.Load() && task.Title == "late" {
			return 0, errors.New("no length")
		}
		return len(task.Title), nil
	})}}
	c := spec.NewClient(t, resource.Config{}, failing, resource.Of[Duty]{})
	for i, title := range []string{"soon", "late"} {
		c.Send("POST /api/tasks", `{"title":"`+title+`","owner":""}`).HasStatus(201)
		c.Send("POST /api/duties", `{"name":"`+title+`","task":"/api/tasks/`+strconv.Itoa(i+1)+`"}`).HasStatus(201)
	}
	fails.Store(true)
	c.Send("GET /api/duties/1?expand=task", "").HasStatus(200).Mentions(`"length":4`)
	c.Send("GET /api/duties/2?expand=task", "").HasStatus(500).Lacks("no length")
	c.Send("GET /api/duties/2", "").HasStatus(200)
	c.Send("GET /api/duties?expand=task", "").HasStatus(200).Mentions(`"name":"soon"`).Lacks(`"name":"late"`)
}

func TestResponsesThatEmbedComputedFieldsArePrivate(t *testing.T) {
	t.Parallel()
	tasks := countedTasks(new(atomic.Int64))
	open := access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public}
	tasks.Access = open
	c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{guestScheme()}}, tasks, resource.Of[Duty]{Access: open})
	c.Send("POST /api/tasks", `{"title":"dig","owner":"ann"}`).HasStatus(201)
	c.Send("POST /api/duties", `{"name":"a","task":"/api/tasks/1"}`).HasStatus(201)
	c.Send("GET /api/duties/1?expand=task", "").HasStatus(200).Has("Cache-Control", "private, no-cache")
}

func guestScheme() access.Scheme {
	return access.Bearer("token", func(context.Context, string) (*Task, access.Scopes, error) { return nil, nil, access.ErrCredentials })
}
