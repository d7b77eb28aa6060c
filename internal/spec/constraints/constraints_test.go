// Package constraints_test holds what a database must keep, also if two processes write at once.
package constraints_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/validation"
)

// Shift is a record of which no two overlap, and with a badge that is unique in its place.
type Shift struct {
	ID     int64      `json:"id"`
	Worker string     `json:"worker" validate:"max=40"`
	From   time.Time  `json:"from" validate:"required"`
	To     *time.Time `json:"to"`
	Status string     `json:"status" validate:"oneof=planned dropped" default:"planned"`
	Place  *string    `json:"place"`
	Badge  *int       `json:"badge"`
	Code   string     `json:"code" api:"hidden"`
}

// Constraints has a default message, one of its own, and one with a hidden field.
func (Shift) Constraints() []store.Constraint {
	return []store.Constraint{
		store.NoOverlap("from", "to", "worker").Except("status", "dropped"),
		store.Unique("place", "badge").Message("The badge is taken."),
		store.Unique("code", "badge").Only("status", "dropped"),
	}
}

// shift writes a body. To is "" for null.
func shift(worker string, from, to int, more string) string {
	end := "null"
	if to > 0 {
		end = fmt.Sprintf(`"2026-01-%02dT00:00:00Z"`, to)
	}
	return fmt.Sprintf(`{"worker":%q,"from":"2026-01-%02dT00:00:00Z","to":%s%s}`, worker, from, end, more)
}

const overlaps = `{"type":"about:blank","title":"Conflict","status":409,
	"detail":"The period (from, to) overlaps that of another record with the same worker.","fields":["from","to","worker"]}`

func TestABrokenConstraintIsA409WithItsFields(t *testing.T) {
	t.Parallel()
	spec.Alike(t, resource.Of[Shift]{}, func(c spec.Client) {
		c.Send("POST /api/things", shift("ann", 1, 5, `,"place":"a","badge":1`)).HasStatus(201)
		c.Send("POST /api/things", shift("ann", 5, 0, "")).HasStatus(201)
		c.Send("POST /api/things", shift("ann", 3, 3, "")).HasStatus(201)
		c.Send("POST /api/things", shift("bob", 4, 6, "")).HasStatus(201)
		c.Send("POST /api/things", shift("ann", 4, 6, "")).Is(409, overlaps)
		c.Send("POST /api/things", shift("ann", 20, 21, "")).Is(409, overlaps)
		c.Send("PATCH /api/things/1", `{"to":null}`).Is(409, overlaps)
		c.Send("PATCH /api/things/1", `{"worker":"bob"}`).Is(409, overlaps)
		c.Send("PUT /api/things/1", `{"worker":"bob"}`).Is(409, overlaps)
		c.Send("PATCH /api/things/2", `{"status":"dropped"}`).HasStatus(200)
		c.Send("POST /api/things", shift("ann", 20, 21, "")).HasStatus(201)
		c.Send("PATCH /api/things/2", `{"status":"planned"}`).Is(409, overlaps)
		c.Send("PATCH /api/things/4", `{"place":"a","badge":1}`).Is(409,
			`{"type":"about:blank","title":"Conflict","status":409,"detail":"The badge is taken.","fields":["place","badge"]}`)
		c.Send("PATCH /api/things/4", `{"place":"a","badge":2}`).HasStatus(200)
		c.Send("GET /api/things/1", "").Mentions(`"worker":"ann"`)
	})
}

func TestAHiddenFieldOfAConstraintIsNotNamed(t *testing.T) {
	t.Parallel()
	spec.Alike(t, resource.Of[Shift]{}, func(c spec.Client) {
		c.Send("POST /api/things", shift("ann", 1, 5, `,"badge":1,"status":"dropped"`)).HasStatus(201)
		c.Send("POST /api/things", shift("bob", 1, 5, `,"badge":1,"status":"dropped"`)).Is(409,
			`{"type":"about:blank","title":"Conflict","status":409,"detail":"The change conflicts with another record.","fields":["badge"]}`)
	})
}

func TestAPeriodThatEndsBeforeItBeginsIsAnErrorOfItsEnd(t *testing.T) {
	t.Parallel()
	spec.Alike(t, resource.Of[Shift]{}, func(c spec.Client) {
		c.Send("POST /api/things", shift("ann", 5, 4, `,"status":"dropped"`)).IsInvalid("to", "to must not be before from")
		c.Send("POST /api/things", shift("ann", 5, 5, "")).HasStatus(201)
		c.Send("PATCH /api/things/1", `{"from":"2026-02-01T00:00:00Z"}`).IsInvalid("to", "to must not be before from")
		c.Send("PATCH /api/things/1", `{"from":"2026-02-01T00:00:00Z","to":null}`).HasStatus(200)
	})
	shape := resource.Of[Shift]{Errors: validation.Problem}
	c := spec.NewClient(t, resource.Config{}, shape)
	c.Send("POST /api/shifts", shift("ann", 5, 4, "")).IsProblem(422).Mentions(`"pointer":"/to"`, `"code":"notbeforefield"`)
	c.Send("POST /api/shifts", shift("ann", 1, 5, "")).HasStatus(201)
	c.Send("POST /api/shifts", shift("ann", 2, 5, "")).IsProblem(409).Mentions(`"fields":["from","to","worker"]`)
}

func TestOfRequestsAtOnceOneGetsThePeriodOrTheValues(t *testing.T) {
	t.Parallel()
	for constraint, body := range map[string]func(i int) string{
		"period": func(i int) string { return shift("ann", 1+i%4, 9-i%3, "") },
		"values": func(i int) string { return shift(fmt.Sprint(i), 1, 2, `,"place":"a","badge":1`) },
	} {
		spec.Alike(t, resource.Of[Shift]{}, func(c spec.Client) {
			var all [][2]string
			for i := range 16 {
				all = append(all, [2]string{"POST /api/things", body(i)})
			}
			count := map[int]int{}
			for _, status := range c.AtOnce(all...) {
				count[status]++
			}
			if count[201] != 1 || count[409] != 15 {
				t.Errorf("%s: the statuses are %v, want one 201 and 15 times 409", constraint, count)
			}
		})
	}
}

func TestElementsOfABodyAndOtherFormatsNameTheFields(t *testing.T) {
	t.Parallel()
	shifts := resource.Of[Shift]{Operations: append(operation.Standard(),
		operation.Post{Name: "plan", URITemplate: "/shifts/plan", Handler: operation.Handle(
			func(ctx context.Context, _ *Shift, in []operation.CreateOf[Shift]) (struct{}, error) {
				for _, each := range in {
					if _, err := each.Save(ctx); err != nil {
						return struct{}{}, err
					}
				}
				return struct{}{}, nil
			})})}
	c := spec.NewClient(t, resource.Config{Formats: append(format.Standard(), jsonapi.Format)}, shifts)
	c.Send("POST /api/shifts/plan", "["+shift("ann", 1, 5, "")+","+shift("ann", 2, 3, "")+"]").IsProblem(409).
		Mentions(`"fields":["[1].from","[1].to","[1].worker"]`)
	c.Send("GET /api/shifts", "").Is(200, "[]")
	c.Send("POST /api/shifts", shift("ann", 1, 5, "")).HasStatus(201)
	c.Send("POST /api/shifts", shift("ann", 1, 5, ""), "Accept", jsonapi.Format.MediaType).HasStatus(409).
		Mentions(`"fields":["from","to","worker"]`, `"detail":"The period`)
}

func TestAHookAndAJobGetTheErrorOfTheStore(t *testing.T) {
	t.Parallel()
	spec.InEachStore(t, func(t *testing.T, shifts store.Store[Shift]) {
		t.Helper()
		at := func(n int) *time.Time { return new(time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC)) }
		if err := store.Insert(t.Context(), shifts, &Shift{Worker: "ann", From: *at(1), To: at(5)}); err != nil {
			t.Fatal(err)
		}
		err := store.Insert(t.Context(), shifts, &Shift{Worker: "bob", From: *at(1)}, &Shift{Worker: "ann", From: *at(2)})
		if broken, ok := errors.AsType[store.ConstraintError](err); !ok || len(broken.Fields) != 3 || !errors.Is(err, store.ErrConflict) {
			t.Errorf("the error of the overlapping record is %#v", err)
		}
		err = store.Insert(t.Context(), shifts, &Shift{Worker: "bob", From: *at(3), To: at(2)})
		if !errors.Is(err, store.ErrConstraint) {
			t.Errorf("the error of the reversed period is %v", err)
		}
		page, err := shifts.List(t.Context(), store.Query{})
		if err != nil || len(page.Items) != 1 {
			t.Errorf("%d records were saved, with the error %v", len(page.Items), err)
		}
	})
}

func TestTheDocumentHasTheConflictAndTheAPIConforms(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{}, resource.Of[Shift]{}, resource.Of[Locker]{})
	if err == nil {
		err = openapi.Mount(api, openapi.Config{Title: "Shifts", Version: "1"})
	}
	if err != nil {
		t.Fatal(err)
	}
	c := spec.Client{T: t, Handler: api}
	c.Send("GET /api/docs.json", "").HasStatus(200).Mentions(`"ConstraintConflict"`, `"ConstraintProblem"`,
		`"detail":"The period (from, to) overlaps that of another record with the same worker.","fields":["from","to","worker"]`)
	openapitest.Conform(t, api, openapitest.Requests(60))
}

// Locker has a period of numbers, for one owner of a place.
type Locker struct {
	ID    int64 `json:"id"`
	Shift int64 `json:"shift" api:"ref=Shift"`
	From  int64 `json:"from" validate:"gte=0,lte=100"`
	To    int64 `json:"to" validate:"gte=0,lte=100"`
}

func (*Locker) Constraints() []store.Constraint {
	return []store.Constraint{store.NoOverlap("from", "to", "shift")}
}

// TestWhatA409SaysDependsOnNoHiddenRecord compares two worlds that differ in the record in the way.
func TestA409SaysNothingOfTheRecordInTheWay(t *testing.T) {
	t.Parallel()
	rules := access.Rules{Read: access.Where("worker", "bob"), Create: access.Public}
	var bodies []string
	for _, secret := range []string{shift("ann", 1, 9, ""), shift("ann", 3, 0, `,"place":"secret","badge":7`)} {
		shifts := resource.Of[Shift]{Access: rules, Operations: []operation.Operation{operation.Get{}, operation.GetCollection{}, operation.Post{}}}
		c := spec.NewClient(t, resource.Config{}, shifts)
		c.Send("POST /api/shifts", secret).HasStatus(201)
		bodies = append(bodies, c.Send("POST /api/shifts", shift("ann", 4, 5, "")).IsProblem(409).Body)
		c.Send("GET /api/shifts", "").Is(200, "[]")
	}
	if bodies[0] != bodies[1] {
		t.Errorf("the responses differ:\n%s\n%s", bodies[0], bodies[1])
	}
}
