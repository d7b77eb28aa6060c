package workflow_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// rental is a workflow with a step back.
func rental() []operation.Operation {
	return append(operation.Standard(),
		step("approve", "approved", "requested"), step("return", "returned", "approved"), step("cancel", "cancelled", "requested", "approved"),
		operation.Post{
			Name: "reset", URITemplate: "/bookings/{id}/reset", Handler: operation.Set("status", "requested", "comment", nil, "approver", nil),
		},
	)
}

func TestASetSavesTheRecordAndReturnsIt(t *testing.T) {
	t.Parallel()
	spec.InEachStore(t, func(t *testing.T, records store.Store[Booking]) {
		t.Helper()
		c := inStatus(t, records, "requested", resource.Config{}, resource.Of[Booking]{Operations: rental()})
		c.Send("PATCH /api/bookings/1", `{"comment":"soon"}`).HasStatus(200)
		got := c.Send("POST /api/bookings/1/approve", "").Is(200,
			`{"id":1,"title":"Canoe","status":"approved","owner":1,"comment":"soon","approver":null,"risk":"low","version":3}`)
		c.Send("GET /api/bookings/1", "").Is(200, got.Body).Has("ETag", got.Header.Get("ETag"))
		c.Send("POST /api/bookings/1/cancel", "", "If-Match", `"old"`).HasStatus(412)
		c.Send("POST /api/bookings/1/cancel", "", "If-Match", got.Header.Get("ETag")).HasStatus(200)
		c.Send("POST /api/bookings/1/reset", "").HasStatus(200).Mentions(`"status":"requested"`, `"comment":null`, `"version":5`)
		c.Send("POST /api/bookings/2/reset", "").IsProblem(404)
		c.Send("POST /api/bookings/1/approve", `{"status":"returned"}`).HasStatus(200).Mentions(`"status":"approved"`)
	})
}

func TestASetThatChangesNothingSavesNothing(t *testing.T) {
	t.Parallel()
	spec.InEachStore(t, func(t *testing.T, records store.Store[Booking]) {
		t.Helper()
		c := inStatus(t, records, "requested", resource.Config{}, resource.Of[Booking]{Operations: rental()})
		before := c.Send("GET /api/bookings/1", "").HasStatus(200)
		c.Send("POST /api/bookings/1/reset", "").Is(200, before.Body).Has("ETag", before.Header.Get("ETag"))
	})
}

func TestABrokenRuleAboutSeveralFieldsIsAValidationError(t *testing.T) {
	t.Parallel()
	spec.InEachStore(t, func(t *testing.T, records store.Store[Booking]) {
		t.Helper()
		c := inStatus(t, records, "approved", resource.Config{}, resource.Of[Booking]{Operations: rental()})
		before := c.Send("GET /api/bookings/1", "").HasStatus(200)
		c.Send("POST /api/bookings/1/return", "").HasStatus(400).Mentions(`"errors":{"approver":"`)
		c.Send("GET /api/bookings/1", "").Is(200, before.Body)
	})
}

func TestASetIgnoresRulesForWritingFieldsAndPrepare(t *testing.T) {
	t.Parallel()
	records := memory.New[Booking]()
	processed := 0
	owner := access.Equal("owner", func(c *spec.Captain) int64 { return c.ID })
	c := inStatus(t, records, "requested", resource.Config{Authentication: []access.Scheme{spec.Bearer()}}, resource.Of[Booking]{
		Access:  spec.OpenBut(map[string]access.Field{"risk": {Write: spec.IsAdmin}}),
		Prepare: func(context.Context, *operation.Request, *Booking) error { return errors.New("Prepare runs") },
		Processor: operation.Process(func(ctx context.Context, _ *operation.Request, b *Booking, save operation.Save[Booking]) error {
			processed++
			return save(ctx, b)
		}),
		Operations: []operation.Operation{operation.Post{
			Name: "warn", URITemplate: "/bookings/{id}/warn", Access: access.Any(owner, spec.IsAdmin), Handler: operation.Set("risk", "high"),
		}},
	})
	c.As("bob", "POST /api/bookings/1/warn", "").HasStatus(403)
	c.As("ann", "POST /api/bookings/1/warn", "").HasStatus(200).Mentions(`"risk":"high"`)
	if processed != 1 {
		t.Errorf("the Processor has run %d times, want once", processed)
	}
}

func TestASetReportsWhatTheStoredRecordBreaks(t *testing.T) {
	t.Parallel()
	type Task struct {
		ID     int64  `json:"id"`
		Name   string `json:"name" validate:"min=5"`
		Status string `json:"status" api:"readonly"`
	}
	records := memory.New(Task{ID: 1, Name: "abc"})
	c := spec.NewClient(t, resource.Config{}, resource.Of[Task]{Store: records, Operations: append(operation.Standard(),
		operation.Post{Name: "finish", URITemplate: "/tasks/{id}/finish", Handler: operation.Set("status", "finished")})})
	c.Send("POST /api/tasks/1/finish", "").HasStatus(400).Mentions("name must be at least 5 characters long")
	c.Send("PATCH /api/tasks/1", `{"name":"longer"}`).HasStatus(200)
	c.Send("POST /api/tasks/1/finish", "").HasStatus(200)
}

// TestRecordsShareNoValueOfASet changes a list that a Set has given to two records.
func TestRecordsShareNoValueOfASet(t *testing.T) {
	t.Parallel()
	type Box struct {
		ID     int64    `json:"id"`
		Labels []string `json:"labels" api:"readonly"`
	}
	c := spec.NewClient(t, resource.Config{}, resource.Of[Box]{Operations: append(operation.Standard(),
		operation.Post{Name: "mark", URITemplate: "/boxes/{id}/mark", Handler: operation.Set("labels", []string{"a", "b"})},
		operation.Post{Name: "spoil", URITemplate: "/boxes/{id}/spoil", Handler: operation.Handle(
			func(_ context.Context, b *Box, _ struct{}) (*Box, error) {
				b.Labels[0] = "spoiled"
				return b, nil
			})},
	)})
	for _, id := range []string{"1", "2"} {
		c.Send("POST /api/boxes", "{}").HasStatus(201)
		c.Send("POST /api/boxes/"+id+"/mark", "").HasStatus(200).Mentions(`"labels":["a","b"]`)
	}
	c.Send("POST /api/boxes/1/spoil", "").HasStatus(200).Mentions(`"labels":["spoiled","b"]`)
	c.Send("GET /api/boxes/2", "").HasStatus(200).Mentions(`"labels":["a","b"]`)
	c.Send("POST /api/boxes/2/mark", "").HasStatus(200).Mentions(`"labels":["a","b"]`)
}

func TestAValueConvertsToTheTypeOfItsField(t *testing.T) {
	t.Parallel()
	type Level string
	type Alarm struct {
		ID    int64     `json:"id"`
		Level Level     `json:"level" api:"readonly"`
		Count *int64    `json:"count" api:"readonly"`
		Ratio float64   `json:"ratio" api:"readonly"`
		From  time.Time `json:"from" api:"readonly"`
		Free  any       `json:"free" api:"readonly"`
	}
	c := spec.NewClient(t, resource.Config{}, resource.Of[Alarm]{Operations: append(operation.Standard(), operation.Post{
		Name: "raise", URITemplate: "/alarms/{id}/raise",
		Handler: operation.Set("level", "high", "count", 3, "ratio", 2, "from", time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), "free", []any{"a", true}),
	})})
	c.Send("POST /api/alarms", "{}").HasStatus(201)
	c.Send("POST /api/alarms/1/raise", "").Is(200, `{"id":1,"level":"high","count":3,"ratio":2,"from":"2026-01-02T03:04:05Z","free":["a",true]}`)
}

func TestOneOfManyWritersApproves(t *testing.T) {
	t.Parallel()
	spec.InEachStore(t, func(t *testing.T, records store.Store[Booking]) {
		t.Helper()
		c := inStatus(t, records, "requested", resource.Config{}, resource.Of[Booking]{Operations: rental()})
		requests := make([][2]string, 16)
		for i := range requests {
			requests[i] = [2]string{"POST /api/bookings/1/approve", ""}
		}
		counts := map[int]int{}
		for _, status := range c.AtOnce(requests...) {
			counts[status]++
		}
		if counts[200] != 1 || counts[409] != 15 {
			t.Errorf("the statuses of 16 writers are %v, want one 200 and fifteen 409", counts)
		}
		c.Send("GET /api/bookings/1", "").HasStatus(200).Mentions(`"status":"approved"`, `"version":2`)
	})
}

// TestRandomStepsAgreeWithAModel sends random steps to bookings, and compares each response with a table of the steps.
func TestRandomStepsAgreeWithAModel(t *testing.T) {
	t.Parallel()
	table := map[string]struct {
		from []string
		to   string
	}{
		"approve": {[]string{"requested"}, "approved"}, "cancel": {[]string{"requested", "approved"}, "cancelled"},
		"reset": {[]string{"requested", "approved", "cancelled"}, "requested"},
	}
	names := []string{"approve", "cancel", "reset"}
	spec.InEachStore(t, func(t *testing.T, records store.Store[Booking]) {
		t.Helper()
		random := rand.New(rand.NewPCG(1, 2))
		c := spec.NewClient(t, resource.Config{}, resource.Of[Booking]{Store: records, Operations: rental()})
		status := []string{"requested", "requested", "requested"}
		for range status {
			c.Send("POST /api/bookings", `{"title":"Canoe","owner":1}`).HasStatus(201)
		}
		for range 200 {
			i, name := random.IntN(len(status)), names[random.IntN(len(names))]
			want := 409
			for _, from := range table[name].from {
				if from == status[i] {
					want = 200
				}
			}
			if want == 200 {
				status[i] = table[name].to
			}
			path := "/api/bookings/" + strconv.Itoa(i+1)
			c.Send("POST "+path+"/"+name, "").HasStatus(want)
			c.Send("GET "+path, "").HasStatus(200).Mentions(`"status":"` + status[i] + `"`)
		}
	})
}

func TestMistakesInConditionsAndSetsAreErrorsOfNew(t *testing.T) {
	t.Parallel()
	requested := access.Where("status", "requested")
	set := func(pairs ...any) operation.Operation {
		return operation.Post{Name: "go", URITemplate: "/bookings/{id}/go", Handler: operation.Set(pairs...)}
	}
	computed := operation.Compute("label", "", func(context.Context, *Booking) (string, error) { return "", nil })
	for rule, test := range map[string]struct {
		op   operation.Operation
		want string
	}{
		"a When on a Get":            {operation.Get{When: requested}, "When is only for operations that change the record in their path, or the records of a PatchOf"},
		"a When on a GetCollection":  {operation.GetCollection{When: requested}, "When is only for operations that change"},
		"a When on a Post":           {operation.Post{When: requested}, "When is only for operations that change"},
		"a When without a record":    {operation.Post{Name: "go", URITemplate: "/go", When: requested, Handler: operation.Handle(patchingNone)}, "When is only for operations that change"},
		"a When on an unknown field": {operation.Patch{When: access.Where("statu", "requested")}, `When: the rule "statu is requested" has the field "statu", which workflow_test.Booking does not have`},
		"a When of another type":     {operation.Patch{When: access.Where("status", 1)}, `When: Where("status") has a value of type int; allowed: string`},
		"a When for callers that no scheme returns": {
			operation.Patch{When: access.If("clerk", func(string) bool { return true })}, `When: the rule "clerk" is for principals of type string, which no scheme returns`,
		},
		"a When with a Check of another record": {
			operation.Patch{When: access.Check("x", func(context.Context, *spec.Sailor) (bool, error) { return true, nil })}, `When: Check("x") is for records of type spec.Sailor`,
		},
		"no pairs":                {set(), "operation.Set has 0 arguments; give it pairs of the name of a field and its value"},
		"a name without a value":  {set("status"), "operation.Set has 1 arguments; give it pairs"},
		"a value without a name":  {set(1, 2), "operation.Set has a int instead of the name of a field"},
		"an unknown field":        {set("statsu", "approved"), `operation.Set has the unknown field "statsu"; did you mean "status"?`},
		"a field twice":           {set("status", "approved", "status", "returned"), `operation.Set sets "status" twice`},
		"a value of another type": {set("status", 1), `operation.Set sets "status" to a value of type int; allowed: string`},
		"a number with a loss":    {set("owner", 1.5), `operation.Set sets "owner" to a value of type float64; allowed: int64`},
		"another type, nullable":  {set("comment", 1), `operation.Set sets "comment" to a value of type int; allowed: string or nil`},
		"null, not nullable":      {set("status", nil), `operation.Set sets "status" to nil, but it is not nullable; allowed: a value of type string`},
		"a value that breaks its rules": {
			set("status", "aproved"), `operation.Set sets "status" to an invalid value: status must be one of`,
		},
		"the identifier":   {set("id", int64(1)), `operation.Set cannot set "id", because it is the identifier`},
		"the version":      {set("version", int64(1)), `operation.Set cannot set "version", because it is set by the store`},
		"a computed field": {set("label", "x"), `operation.Set cannot set "label", because it is computed`},
		"a Get":            {operation.Get{Handler: operation.Set("status", "approved")}, "operation.Set changes the record, but a Get changes nothing; use a Post"},
		"no record in the path": {
			operation.Post{Name: "go", URITemplate: "/go", Handler: operation.Set("status", "approved")},
			"operation.Set needs a record, but the path names none; add {id} to URITemplate",
		},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			_, err := resource.New(resource.Config{Authentication: []access.Scheme{spec.Bearer()}}, resource.Of[Booking]{
				Access: spec.Open(), Computed: []operation.Computed{computed}, Operations: []operation.Operation{test.op},
			})
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("the error is\n%v\nwant one line with\n%s", err, test.want)
			}
		})
	}
}

func patchingNone(context.Context, *Booking, struct{}) (struct{}, error) { return struct{}{}, nil }

func TestTheDocumentDescribesConditionsAndSets(t *testing.T) {
	t.Parallel()
	records := memory.New(*stored("approved"))
	approve := step("approve", "approved", "requested")
	approve.Access = spec.IsAdmin
	api, err := resource.New(resource.Config{Authentication: []access.Scheme{spec.Bearer()}}, resource.Of[Booking]{
		Store: records, Access: spec.Open(), Operations: []operation.Operation{
			operation.Get{},
			approve,
			operation.Patch{},
			operation.Post{
				Name: "hide", URITemplate: "/bookings/{id}/hide", When: access.Where("secret", "open"), Handler: operation.Set("secret", "shut", "approver", nil),
			},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	document, err := openapi.Document(api, openapi.Config{})
	if err != nil {
		t.Fatal(err)
	}
	post := document.Paths.Find("/api/bookings/{id}/approve").Post
	if want := "Sets `status` to `\"approved\"`.\n\nAccess: admin\n\nCondition: status is requested"; post.Description != want {
		t.Errorf("the description is %q, want %q", post.Description, want)
	}
	example := post.Responses.Value("409").Value.Content.Get("application/problem+json").Example
	got := spec.Client{T: t, Handler: api}.As("root", "POST /api/bookings/1/approve", "").Is(409, must)
	if detail, _ := example.(map[string]any)["detail"].(string); detail == "" || !strings.Contains(got.Body, spec.CanonicalString(detail)) {
		t.Errorf("the example of a 409 is %v, the service sends %s", example, got.Body)
	}
	if patch := document.Paths.Find("/api/bookings/{id}").Patch.Responses.Value("409"); patch.Ref == "" {
		t.Error("the 409 of an operation without a condition is no shared component")
	}
	hidden := document.Paths.Find("/api/bookings/{id}/hide").Post
	if want := "Sets `approver` to `null`.\n\nAccess: everyone\n\nCondition: a condition on the record"; hidden.Description != want {
		t.Errorf("the description is %q, want %q", hidden.Description, want)
	}
	if text, err := document.MarshalJSON(); err != nil || strings.Contains(string(text), "secret") {
		t.Errorf("the document names a hidden field: %v", err)
	}
}

func TestRoutesShowTransitions(t *testing.T) {
	t.Parallel()
	approve, reopen := step("approve", "approved", "requested"), step("reopen", "requested", "returned", "cancelled")
	approve.Access, reopen.When = spec.IsAdmin, access.Named("the booking is over", access.All(reopen.When, access.Where("risk", "low")))
	api, err := resource.New(resource.Config{}, resource.Of[Booking]{Access: spec.Open(), Operations: []operation.Operation{
		operation.Get{},
		approve, reopen,
		operation.Post{Name: "praise", URITemplate: "/bookings/{id}/praise", When: access.Where("status", "returned"), Handler: operation.Set("comment", "good")},
	}})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := api.WriteRoutes(&text); err != nil {
		t.Fatal(err)
	}
	const want = `METHOD  PATH                        OPERATION       STATUS  TRANSITION
GET     /api/bookings/{id}          getBooking      200     -
POST    /api/bookings/{id}/approve  approveBooking  200     status: requested → approved, by admin
POST    /api/bookings/{id}/reopen   reopenBooking   200     status: returned or cancelled → requested, by everyone
POST    /api/bookings/{id}/praise   praiseBooking   200     -
`
	if text.String() != want {
		t.Errorf("the routes are\n%s\nwant\n%s", text.String(), want)
	}
}
