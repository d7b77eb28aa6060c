package views_test

import (
	"context"
	"errors"
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
)

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
		c.Send("POST /api/duties", `{"name":"`+title+`","task":"/api/tasks/`+spec.Itoa(i+1)+`"}`).HasStatus(201)
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
