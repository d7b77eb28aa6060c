package resource_test

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
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Duty refers to tasks, which have computed members.
type Duty struct {
	ID    int64   `json:"id"`
	Name  string  `json:"name" api:"sort"`
	Task  int64   `json:"task" api:"ref=Task,expand"`
	Later []int64 `json:"later" validate:"max=9" api:"ref=Task,expand"`
}

// countedTasks are tasks whose computed member counts how often it is made.
func countedTasks(made *atomic.Int64) resource.Of[Task] {
	return resource.Of[Task]{Computed: []operation.Computed{
		operation.Compute("isMine", "Whether the caller owns it.", func(ctx context.Context, task *Task) (bool, error) {
			made.Add(1)
			req, ok := operation.RequestFrom(ctx)
			return ok && req.HTTP().Header.Get("Who") == task.Owner, nil
		}),
	}}
}

func newDuties(t *testing.T, duty resource.Of[Duty]) (c client, made *atomic.Int64) {
	t.Helper()
	made = new(atomic.Int64)
	formats := append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format)
	c = newClient(t, resource.Config{Formats: formats}, countedTasks(made), duty)
	c.send("POST /api/tasks", `{"title":"dig","owner":"ann"}`).hasStatus(201)
	c.send("POST /api/tasks", `{"title":"fill","owner":"bob"}`).hasStatus(201)
	for range 3 {
		c.send("POST /api/duties", `{"name":"a","task":"/api/tasks/1","later":["/api/tasks/1","/api/tasks/2"]}`).hasStatus(201)
	}
	made.Store(0)
	return c, made
}

func TestEmbeddedRecordsHaveTheirComputedMembers(t *testing.T) {
	t.Parallel()
	c, made := newDuties(t, resource.Of[Duty]{})
	const dig = `{"id":1,"title":"dig","owner":"ann","isMine":true}`
	c.send("GET /api/tasks/1", "", "Who", "ann").is(200, dig)
	one := c.send("GET /api/duties/1?expand=task,later", "", "Who", "ann").hasStatus(200).mentions(`"task":`+dig, `"later":[`+dig+`,`, `"isMine":false`)
	other := c.send("GET /api/duties/1?expand=task,later", "", "Who", "bob").hasStatus(200).mentions(`"isMine":false`, `"isMine":true`)
	if one.header.Get("ETag") == other.header.Get("ETag") {
		t.Error("two answers with other computed members have one tag")
	}
	made.Store(0)
	c.send("GET /api/duties?expand=later,task", "", "Who", "ann").hasStatus(200).mentions(`"_embedded":{`, dig)
	if n := made.Load(); n != 3 {
		t.Errorf("a page of three that refer to two records computes %d times, want once for each record and path", n)
	}
	c.send("GET /api/duties.ndjson?expand=task", "", "Who", "ann").hasStatus(200).mentions(`"_embedded":{"task":` + dig + `}`)
	for _, format := range []string{"jsonld", "jsonhal", "jsonapi"} {
		query := "?expand=task"
		if format == "jsonapi" {
			query = "?include=task"
		}
		for _, path := range []string{"/api/duties/1.", "/api/duties."} {
			c.send("GET "+path+format+query, "", "Who", "ann").hasStatus(200).mentions(`"isMine":true`)
		}
	}
	made.Store(0)
	c.send("GET /api/duties", "", "Who", "ann").hasStatus(200)
	if n := made.Load(); n != 0 {
		t.Errorf("what nobody embeds is computed %d times", n)
	}
}

func TestAViewNamesComputedMembersOfEmbeddedRecords(t *testing.T) {
	t.Parallel()
	c, _ := newDuties(t, resource.Of[Duty]{View: &operation.View{Name: "DutyCard", Members: []string{"id", "task.isMine", "task.title"}}})
	c.send("GET /api/duties/1", "", "Who", "ann").is(200, `{"id":1,"_embedded":{"task":{"title":"dig","isMine":true}}}`)
	c, made := newDuties(t, resource.Of[Duty]{View: &operation.View{Name: "DutyCard", Members: []string{"id", "task.title"}}})
	c.send("GET /api/duties/1", "", "Who", "ann").is(200, `{"id":1,"_embedded":{"task":{"title":"dig"}}}`)
	if made.Load() != 0 {
		t.Error("a member that the view leaves out is computed")
	}
}

func TestAComputedMemberOfAnEmbeddedRecordThatFails(t *testing.T) {
	t.Parallel()
	var fails atomic.Bool
	failing := resource.Of[Task]{Computed: []operation.Computed{operation.Compute("length", "", func(_ context.Context, task *Task) (int, error) {
		if fails.Load() && task.Title == "late" {
			return 0, errors.New("no length")
		}
		return len(task.Title), nil
	})}}
	c := newClient(t, resource.Config{}, failing, resource.Of[Duty]{})
	for i, title := range []string{"soon", "late"} {
		c.send("POST /api/tasks", `{"title":"`+title+`","owner":""}`).hasStatus(201)
		c.send("POST /api/duties", `{"name":"`+title+`","task":"/api/tasks/`+itoa(i+1)+`"}`).hasStatus(201)
	}
	fails.Store(true)
	c.send("GET /api/duties/1?expand=task", "").hasStatus(200).mentions(`"length":4`)
	c.send("GET /api/duties/2?expand=task", "").hasStatus(500).lacks("no length")
	c.send("GET /api/duties/2", "").hasStatus(200)
	c.send("GET /api/duties?expand=task", "").hasStatus(200).mentions(`"name":"soon"`).lacks(`"name":"late"`)
}

func TestAnswersThatEmbedComputedMembersArePrivate(t *testing.T) {
	t.Parallel()
	tasks := countedTasks(new(atomic.Int64))
	open := access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public}
	tasks.Access = open
	c := newClient(t, resource.Config{Authentication: []access.Scheme{guestScheme()}}, tasks, resource.Of[Duty]{Access: open})
	c.send("POST /api/tasks", `{"title":"dig","owner":"ann"}`).hasStatus(201)
	c.send("POST /api/duties", `{"name":"a","task":"/api/tasks/1"}`).hasStatus(201)
	c.send("GET /api/duties/1?expand=task", "").hasStatus(200).has("Cache-Control", "private, no-cache")
}

func guestScheme() access.Scheme {
	return access.Bearer("token", func(context.Context, string) (*Task, access.Scopes, error) { return nil, nil, access.ErrCredentials })
}
