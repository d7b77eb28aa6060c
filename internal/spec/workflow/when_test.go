// Package workflow_test has the tests of conditions on the state of records (When), and of operations that set fields (Set).
package workflow_test

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// Booking is a record with a workflow.
type Booking struct {
	ID       int64   `json:"id"`
	Title    string  `json:"title" validate:"notblank" example:"Canoe"`
	Status   string  `json:"status" validate:"oneof=requested approved returned cancelled" default:"requested" api:"readonly,filter"`
	Owner    int64   `json:"owner"`
	Comment  *string `json:"comment"`
	Approver *string `json:"approver" validate:"required_if=Status returned" api:"readonly"`
	Risk     string  `json:"risk" validate:"oneof=low high" default:"low"`
	Secret   string  `json:"secret" default:"open" api:"hidden"`
	Version  int64   `json:"version" api:"version"`
}

// stored returns a booking as a store has it.
func stored(status string) *Booking {
	return &Booking{Title: "Canoe", Status: status, Owner: 1, Risk: "low", Secret: "open"}
}

// step is an operation that takes a booking from states to another one.
func step(name, to string, from ...any) operation.Post {
	return operation.Post{
		Name: name, URITemplate: "/bookings/{id}/" + name, When: access.Where("status", from...), Handler: operation.Set("status", to),
	}
}

// inStatus returns a client of an API with one booking, which has a status.
func inStatus(t *testing.T, records store.Store[Booking], status string, config resource.Config, of resource.Of[Booking]) spec.Client {
	t.Helper()
	of.Store = records
	write(t, records, func(ctx context.Context, tx store.Tx[Booking]) error { return tx.Insert(ctx, stored(status)) })
	return spec.NewClient(t, config, of)
}

// write runs a transaction of a store.
func write(t *testing.T, records store.Store[Booking], change func(ctx context.Context, tx store.Tx[Booking]) error) {
	t.Helper()
	if err := records.Transact(t.Context(), change); err != nil {
		t.Fatal(err)
	}
}

// asPrincipal is the middleware of a program that authenticates by itself.
func asPrincipal(principal any, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(operation.WithPrincipal(r.Context(), principal)))
	})
}

const must = `{"type":"about:blank","title":"Conflict","status":409,"detail":"The booking must meet this condition: status is requested."}`

// patching returns the record of each PatchOf after it has been saved.
func patching(ctx context.Context, _ *Booking, in []operation.PatchOf[Booking]) ([]*Booking, error) {
	var all []*Booking
	for _, each := range in {
		saved, err := each.Save(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, saved)
	}
	return all, nil
}

func TestAnOperationIsPossibleOnlyWhereItsConditionHolds(t *testing.T) {
	t.Parallel()
	requested := access.Where("status", "requested")
	touch := func(_ context.Context, b *Booking, _ struct{}) (*Booking, error) {
		b.Title = "touched"
		return b, nil
	}
	slow := func(context.Context, *operation.Request, *struct{}) error { return nil }
	body := `{"title":"new","owner":1}`
	for rule, test := range map[string]struct {
		op            operation.Operation
		request, body string
		status        int
	}{
		"a Patch":         {operation.Patch{When: requested}, "PATCH /api/bookings/1", `{"title":"new"}`, 200},
		"a Put":           {operation.Put{When: requested}, "PUT /api/bookings/1", body, 200},
		"a replacing Put": {operation.Put{When: requested, ExtraProperties: map[string]any{"standard_put": true}}, "PUT /api/bookings/1", body, 200},
		"a Delete":        {operation.Delete{When: requested}, "DELETE /api/bookings/1", "", 204},
		"a Handler": {operation.Post{
			Name: "touch", URITemplate: "/bookings/{id}/touch", When: requested, Handler: operation.Handle(touch),
		}, "POST /api/bookings/1/touch", "", 200},
		"a HandleAfter": {operation.Post{
			Name: "touch", URITemplate: "/bookings/{id}/touch", When: requested, Handler: operation.HandleAfter(slow, touch),
		}, "POST /api/bookings/1/touch", "", 200},
		"a Set": {step("approve", "approved", "requested"), "POST /api/bookings/1/approve", "", 200},
		"each record of a body": {operation.Patch{
			Name: "change", URITemplate: "/bookings", When: requested, Handler: operation.Handle(patching),
		}, "PATCH /api/bookings", `[{"id":1,"title":"new"}]`, 200},
		"the record of a PatchOf": {operation.Patch{
			Name: "change", URITemplate: "/bookings/{id}/change", When: requested,
			Handler: operation.Handle(func(ctx context.Context, _ *Booking, in operation.PatchOf[Booking]) (*Booking, error) {
				return in.Save(ctx)
			}),
		}, "PATCH /api/bookings/1/change", `{"title":"new"}`, 200},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			for status, want := range map[string]int{"requested": test.status, "approved": 409} {
				spec.InEachStore(t, func(t *testing.T, records store.Store[Booking]) {
					t.Helper()
					c := inStatus(t, records, status, resource.Config{}, resource.Of[Booking]{Operations: []operation.Operation{operation.Get{}, test.op}})
					before := c.Send("GET /api/bookings/1", "").HasStatus(200)
					got := c.Send(test.request, test.body).HasStatus(want)
					if want != 409 {
						return
					}
					place := ""
					if strings.HasPrefix(test.body, "[") {
						place = " at [0]"
					}
					got.Is(409, strings.Replace(must, "booking must", "booking"+place+" must", 1))
					c.Send("GET /api/bookings/1", "").Is(200, before.Body)
				})
			}
		})
	}
}

// TestTheConditionComesAfterAccessAndBeforePreconditionsAndTheBody sends a request with every error, then fixes one after
// another.
func TestTheConditionComesAfterAccessAndBeforePreconditionsAndTheBody(t *testing.T) {
	t.Parallel()
	spec.InEachStore(t, func(t *testing.T, records store.Store[Booking]) {
		t.Helper()
		c := inStatus(t, records, "approved", resource.Config{Authentication: []access.Scheme{spec.Bearer()}}, resource.Of[Booking]{
			Access: spec.Open(),
			Operations: []operation.Operation{
				operation.Get{},
				step("reopen", "requested", "approved"),
				operation.Patch{When: access.Where("status", "requested"), Access: access.Equal("owner", func(c *spec.Captain) int64 { return c.ID })},
			},
		})
		header := func(who string) []string { return []string{"Authorization", "Bearer " + who, "If-Match", `"old"`} }
		c.Send("PATCH /api/bookings/2", `{"title":""}`, header("ann")...).HasStatus(404)
		c.Send("PATCH /api/bookings/1", `{"title":""}`, header("bob")...).HasStatus(403)
		c.Send("PATCH /api/bookings/1", `{"title":""}`, header("ann")...).Is(409, must)
		c.Send("PATCH /api/bookings/1", `{"`, header("ann")...).Is(409, must)
		c.Send("POST /api/bookings/1/reopen", "").HasStatus(200)
		c.Send("PATCH /api/bookings/1", `{"title":""}`, header("ann")...).HasStatus(412)
		c.As("ann", "PATCH /api/bookings/1", `{"title":""}`).HasStatus(400)
		c.As("ann", "PATCH /api/bookings/1", `{"title":"new"}`).HasStatus(200)
	})
}

func TestTheDetailSaysWhatMustHold(t *testing.T) {
	t.Parallel()
	requested := access.Where("status", "requested")
	for rule, test := range map[string]struct {
		when access.Rule
		want string
	}{
		"by the name of the rule":            {requested, "The booking must meet this condition: status is requested."},
		"by the names of its parts":          {access.All(requested, access.Not(access.Where("risk", "high"))), "The booking must meet this condition: status is requested and not risk is high."},
		"by any of the values":               {access.Where("status", "requested", "returned"), "The booking must meet this condition: status is requested or returned."},
		"by a name for people":               {access.Named("the booking is open", requested), "The booking must meet this condition: the booking is open."},
		"by a sentence for people":           {access.Named("The booking must be requested.", requested), "The booking must be requested."},
		"but names no hidden field":          {access.Where("secret", "locked"), "The booking is not in a state that allows this operation."},
		"but names no hidden field in parts": {access.Any(requested, access.Where("secret", "locked")), "The booking is not in a state that allows this operation."},
		"also of a hidden field, for people": {access.Named("the booking is locked", access.Where("secret", "locked")), "The booking must meet this condition: the booking is locked."},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			records := memory.New[Booking]()
			c := inStatus(t, records, "approved", resource.Config{}, resource.Of[Booking]{Operations: []operation.Operation{operation.Patch{When: test.when}}})
			c.Send("PATCH /api/bookings/1", "{}").IsProblem(409).Mentions(`"detail":` + spec.CanonicalString(test.want))
		})
	}
}

func TestTheDetailNamesNoFieldThatTheCallerMayNotRead(t *testing.T) {
	t.Parallel()
	records := memory.New[Booking]()
	c := inStatus(t, records, "approved", resource.Config{Authentication: []access.Scheme{spec.Bearer()}}, resource.Of[Booking]{
		Access:     spec.OpenBut(map[string]access.Field{"status": {Read: spec.IsAdmin}}),
		Operations: []operation.Operation{operation.Patch{When: access.Where("status", "requested")}},
	})
	c.As("root", "PATCH /api/bookings/1", "{}").Is(409, must)
	c.As("ann", "PATCH /api/bookings/1", "{}").IsProblem(409).Mentions("The booking is not in a state that allows this operation.").Lacks("status is")
}

func TestAConditionMayDependOnTheCaller(t *testing.T) {
	t.Parallel()
	owner := access.Equal("owner", func(c *spec.Captain) int64 { return c.ID })
	operations := []operation.Operation{operation.Patch{When: access.Any(owner, spec.IsAdmin)}}
	t.Run("of a scheme", func(t *testing.T) {
		t.Parallel()
		spec.InEachStore(t, func(t *testing.T, records store.Store[Booking]) {
			t.Helper()
			c := inStatus(t, records, "requested", resource.Config{Authentication: []access.Scheme{spec.Bearer()}},
				resource.Of[Booking]{Access: spec.Open(), Operations: operations})
			for who, want := range map[string]int{"ann": 200, "root": 200, "bob": 409, "": 409} {
				c.As(who, "PATCH /api/bookings/1", "{}").HasStatus(want).Has("Vary", "Accept, Authorization")
			}
		})
	})
	t.Run("that middleware has set in an API without rules", func(t *testing.T) {
		t.Parallel()
		records := memory.New[Booking]()
		c := inStatus(t, records, "requested", resource.Config{}, resource.Of[Booking]{Operations: operations})
		c.Send("PATCH /api/bookings/1", "{}").HasStatus(409)
		c.Handler = asPrincipal(spec.Captains["ann"], c.Handler)
		c.Send("PATCH /api/bookings/1", "{}").HasStatus(200)
	})
}

func TestAConditionMayCallAFunction(t *testing.T) {
	t.Parallel()
	failure := errors.New("the calendar does not respond")
	free := access.Check("the canoe is free", func(ctx context.Context, b *Booking) (bool, error) {
		if _, ok := operation.RequestFrom(ctx); !ok {
			return false, errors.New("the function gets no request")
		}
		if b.Risk == "high" {
			return false, failure
		}
		return b.Status == "requested", nil
	})
	spec.InEachStore(t, func(t *testing.T, records store.Store[Booking]) {
		t.Helper()
		c := inStatus(t, records, "requested", resource.Config{}, resource.Of[Booking]{Operations: []operation.Operation{
			operation.Get{}, operation.Patch{When: free}, step("approve", "approved", "requested"),
		}})
		c.Send("PATCH /api/bookings/1", "{}").HasStatus(200)
		c.Send("POST /api/bookings/1/approve", "").HasStatus(200)
		c.Send("PATCH /api/bookings/1", "{}").IsProblem(409).Mentions("The booking must meet this condition: the canoe is free.")
		broken := stored("requested")
		broken.ID, broken.Risk = 1, "high"
		write(t, records, func(ctx context.Context, tx store.Tx[Booking]) error { return tx.Update(ctx, int64(1), broken) })
		c.Send("PATCH /api/bookings/1", "{}").IsProblem(500).Lacks("calendar")
	})
}

func TestAConditionIsNotCheckedOnANewRecord(t *testing.T) {
	t.Parallel()
	type Page struct {
		Slug   string `json:"slug" api:"id"`
		Locked bool   `json:"locked"`
	}
	c := spec.NewClient(t, resource.Config{}, resource.Of[Page]{Operations: []operation.Operation{
		operation.Put{AllowCreate: true, When: access.Not(access.Where("locked", true))},
	}})
	c.Send("PUT /api/pages/home", `{"slug":"home"}`).HasStatus(201)
	c.Send("PUT /api/pages/home", `{"slug":"home","locked":true}`).HasStatus(200)
	c.Send("PUT /api/pages/home", `{"slug":"home"}`).IsProblem(409).Mentions("The page must meet this condition: not locked.")
}

// TestTheConditionIsCheckedAgainInTheTransaction changes the record between the slow work of a request and its transaction.
func TestTheConditionIsCheckedAgainInTheTransaction(t *testing.T) {
	t.Parallel()
	spec.InEachStore(t, func(t *testing.T, records store.Store[Booking]) {
		t.Helper()
		var c spec.Client
		slow := func(context.Context, *operation.Request, *struct{}) error {
			c.Send("POST /api/bookings/1/cancel", "").HasStatus(200)
			return nil
		}
		done := func(_ context.Context, b *Booking, _ struct{}) (*Booking, error) {
			b.Status = "approved"
			return b, nil
		}
		c = inStatus(t, records, "requested", resource.Config{}, resource.Of[Booking]{Operations: []operation.Operation{
			operation.Get{},
			step("cancel", "cancelled", "requested"),
			operation.Post{
				Name: "approve", URITemplate: "/bookings/{id}/approve", When: access.Where("status", "requested"), Handler: operation.HandleAfter(slow, done),
			},
		}})
		c.Send("POST /api/bookings/1/approve", "").Is(409, must)
		c.Send("GET /api/bookings/1", "").HasStatus(200).Mentions(`"status":"cancelled"`)
	})
}

// TestRecordsOfABodyKeepTheConditionOfTheirPatch holds that a body with several records does not evade the condition of the
// resource's own Patch, and that access to all of them is checked first.
func TestRecordsOfABodyKeepTheConditionOfTheirPatch(t *testing.T) {
	t.Parallel()
	owner := access.Equal("owner", func(c *spec.Captain) int64 { return c.ID })
	spec.InEachStore(t, func(t *testing.T, records store.Store[Booking]) {
		t.Helper()
		c := inStatus(t, records, "approved", resource.Config{Authentication: []access.Scheme{spec.Bearer()}}, resource.Of[Booking]{
			Access: access.Rules{Read: access.Public, Create: access.Public, Update: access.Any(owner, spec.IsAdmin), Delete: spec.IsAdmin},
			Operations: append(operation.Standard()[:3:3],
				operation.Patch{When: access.Where("status", "requested")},
				operation.Patch{
					Name: "change", URITemplate: "/bookings", Access: access.Public, When: access.Where("risk", "low"), Handler: operation.Handle(patching),
				}),
		})
		c.As("ann", "POST /api/bookings", `{"title":"Kayak","owner":1}`).HasStatus(201)
		c.As("bob", "POST /api/bookings", `{"title":"Raft","owner":2}`).HasStatus(201)
		c.As("ann", "POST /api/bookings", `{"title":"Ferry","owner":1,"risk":"high"}`).HasStatus(201)
		const both = "must meet this condition: risk is low and status is requested."
		for rule, test := range map[string]struct {
			body   string
			status int
			detail string
		}{
			"a record in another state":                {`[{"id":2,"title":"x"},{"id":1,"title":"x"}]`, 409, "The booking at [1] " + both},
			"a record that breaks the bulk's own":      {`[{"id":4,"title":"x"}]`, 409, "The booking at [0] " + both},
			"access to another record comes first":     {`[{"id":1,"title":"x"},{"id":3,"title":"x"}]`, 403, "You do not have permission"},
			"the state comes before the body":          {`[{"id":2,"title":""},{"id":1}]`, 409, "The booking at [1] " + both},
			"a missing record is reported with others": {`[{"id":9},{"id":2,"title":"x"}]`, 400, "must be the identifier of an existing Booking"},
			"records in the right state":               {`[{"id":2,"title":"x"}]`, 200, `"title":"x"`},
		} {
			got := c.As("ann", "PATCH /api/bookings", test.body)
			if got.Status != test.status || !strings.Contains(got.Body, test.detail) {
				t.Errorf("%s: %d %s, want %d %s", rule, got.Status, got.Body, test.status, test.detail)
			}
		}
		c.Send("GET /api/bookings/1", "").HasStatus(200).Mentions(`"title":"Canoe"`)
	})
}

func TestARepeatedKeyGetsTheStoredResponseInAnyState(t *testing.T) {
	t.Parallel()
	spec.InEachStore(t, func(t *testing.T, records store.Store[Booking]) {
		t.Helper()
		c := inStatus(t, records, "requested", resource.Config{}, resource.Of[Booking]{
			Idempotency: time.Hour, Operations: []operation.Operation{operation.Get{}, step("approve", "approved", "requested")},
		})
		first := c.Send("POST /api/bookings/1/approve", "", "Idempotency-Key", "a").HasStatus(200)
		c.Send("POST /api/bookings/1/approve", "", "Idempotency-Key", "a").Is(200, first.Body)
		c.Send("POST /api/bookings/1/approve", "", "Idempotency-Key", "b").Is(409, must)
	})
}

func TestAMembershipIsPossibleOnlyWhereItsConditionHolds(t *testing.T) {
	t.Parallel()
	type Tag struct {
		ID int64 `json:"id"`
	}
	type Trip struct {
		ID     int64   `json:"id"`
		Closed bool    `json:"closed"`
		Tags   []int64 `json:"tags" validate:"max=5" api:"ref=Tag"`
	}
	open := access.Not(access.Where("closed", true))
	c := spec.NewClient(t, resource.Config{}, resource.Of[Tag]{}, resource.Of[Trip]{Operations: append(operation.Standard(),
		operation.Put{URITemplate: "/trips/{id}/tags/{tags}", When: open},
		operation.Delete{URITemplate: "/trips/{id}/tags/{tags}", When: open},
	)})
	c.Send("POST /api/tags", "{}").HasStatus(201)
	c.Send("POST /api/trips", "{}").HasStatus(201)
	c.Send("PUT /api/trips/1/tags/1", "").HasStatus(204)
	c.Send("PATCH /api/trips/1", `{"closed":true}`).HasStatus(200)
	for _, request := range []string{"PUT /api/trips/1/tags/1", "PUT /api/trips/1/tags/9", "DELETE /api/trips/1/tags/1", "DELETE /api/trips/1/tags/9"} {
		c.Send(request, "").IsProblem(409).Mentions("The trip must meet this condition: not closed.")
	}
	c.Send("GET /api/trips/1", "").HasStatus(200).Mentions(`"tags":["/api/tags/1"]`)
}

// TestTheStateOfARecordShowsOnlyToThoseWhoMayCallTheOperation compares two worlds that differ in the state of the record.
func TestTheStateOfARecordShowsOnlyToThoseWhoMayCallTheOperation(t *testing.T) {
	t.Parallel()
	owner := access.Equal("owner", func(c *spec.Captain) int64 { return c.ID })
	for rule, test := range map[string]struct {
		rules access.Rules
		who   string
		want  int
	}{
		"the record is hidden":             {access.Only(owner), "bob", 404},
		"the record is hidden, anonymous":  {access.Only(owner), "", 401},
		"the caller has no permission":     {access.Rules{Read: access.Public, Update: owner}, "bob", 403},
		"the same, and does not say who":   {access.Rules{Read: access.Public, Update: owner}, "", 401},
		"the rule needs no record at all":  {access.Rules{Read: access.Public, Update: spec.IsAdmin}, "bob", 403},
		"the rule needs a missing scope":   {access.Rules{Read: access.Public, Update: access.Scope("hoard:write")}, "bob-plain", 403},
		"the record and its rule are both": {access.Rules{Read: owner, Update: spec.IsAdmin}, "root", 404},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			world := func(status string) (responses []spec.Response) {
				c := inStatus(t, memory.New[Booking](), status, resource.Config{Authentication: []access.Scheme{spec.Bearer()}}, resource.Of[Booking]{
					Access: test.rules, Operations: []operation.Operation{
						operation.Patch{When: access.Where("status", "requested")},
						step("approve", "approved", "requested"),
						operation.Patch{
							Name: "change", URITemplate: "/bookings", Access: access.Public, When: access.Where("status", "requested"),
							Handler: operation.Handle(patching),
						},
					},
				})
				for _, request := range [][2]string{
					{"PATCH /api/bookings/1", "{}"}, {"PATCH /api/bookings/1", `{"`}, {"POST /api/bookings/1/approve", ""}, {"PATCH /api/bookings", `[{"id":1}]`},
				} {
					responses = append(responses, c.As(test.who, request[0], request[1]))
				}
				return responses
			}
			requested, approved := world("requested"), world("approved")
			for i := range requested {
				one, other := requested[i], approved[i]
				if one.Status != other.Status || one.Body != other.Body || !maps.EqualFunc(one.Header, other.Header, slices.Equal) {
					t.Errorf("request %d: %d %s if requested, %d %s if approved", i, one.Status, one.Body, other.Status, other.Body)
				}
				if i < 3 && one.Status != test.want {
					t.Errorf("request %d: %d %s, want %d", i, one.Status, one.Body, test.want)
				}
			}
		})
	}
}
