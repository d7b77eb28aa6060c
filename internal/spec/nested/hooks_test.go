package nested_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/validation"
)

// trail is what functions of the user were called with, in order.
type trail struct {
	mutex sync.Mutex
	steps []string
}

func (t *trail) add(step string) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.steps = append(t.steps, step)
}

// take returns the steps since the last call.
func (t *trail) take() string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	steps := strings.Join(t.steps, ", ")
	t.steps = nil
	return steps
}

// traced adds functions to orders and lines that leave a trail. They reject products called "poison".
func traced(before bool) (*trail, resource.Of[Order], resource.Of[Line]) {
	steps, ofOrders, ofLines := new(trail), orders(), lines()
	ofOrders.Prepare = func(_ context.Context, _ *operation.Request, o *Order) error {
		steps.add("prepare order")
		o.Number = strings.ToUpper(o.Number)
		return nil
	}
	ofLines.Prepare = func(_ context.Context, req *operation.Request, l *Line) error {
		was := "new"
		if previous, ok := req.Previous.(*Line); ok {
			was = previous.Product
		}
		steps.add(fmt.Sprintf("prepare %s (%s, %s)", l.Product, was, req.Kind))
		l.Product = strings.ToLower(l.Product)
		if l.Product == "poison" {
			return validation.Fail("product", "is dangerous")
		}
		return nil
	}
	ofOrders.Processor = operation.Process(func(ctx context.Context, _ *operation.Request, o *Order, save operation.Save[Order]) error {
		steps.add("save order")
		return save(ctx, o)
	})
	ofLines.Processor = operation.Process(func(ctx context.Context, req *operation.Request, l *Line, save operation.Save[Line]) error {
		steps.add(fmt.Sprintf("%s %s of %d", req.Kind, l.Product, l.Order))
		if l.Product == "trap" {
			return errors.New("a trap")
		}
		return save(ctx, l)
	})
	if before {
		ofOrders.BeforeTransaction = func(context.Context, *operation.Request, *Order) error { steps.add("before order"); return nil }
		ofLines.BeforeTransaction = func(_ context.Context, _ *operation.Request, l *Line) error {
			steps.add("before " + l.Product)
			return nil
		}
	}
	return steps, ofOrders, ofLines
}

func TestFunctionsOfTheRecordsRunAroundTheirSaves(t *testing.T) {
	t.Parallel()
	steps, ofOrders, ofLines := traced(false)
	alike(t, resource.Config{}, ofOrders, ofLines, func(t *testing.T, c spec.Client) {
		t.Helper()
		steps.take()
		is := func(want string) {
			t.Helper()
			if got := steps.take(); got != want {
				t.Errorf("the steps are\n\t%s\nwant\n\t%s", got, want)
			}
		}
		c.Send("POST /api/orders", `{"number":"a1","lines":[{"product":"Tea"},{"product":"Cup"}]}`).HasStatus(201).Mentions("A1", "tea", "cup")
		is("prepare order, prepare Tea (new, Post), prepare Cup (new, Post), save order, Post tea of 1, Post cup of 1")
		c.Send("PATCH /api/orders/1", `{"lines":[{"product":"Pot"},{"id":2,"product":"Mug"}]}`).HasStatus(200)
		is("prepare order, prepare Pot (new, Post), prepare Mug (cup, Patch), save order, Delete tea of 1, Post pot of 1, Patch mug of 1")
		c.Send("PATCH /api/orders/1", `{"number":"","lines":[{"product":"poison"}]}`).Is(400, `{"type":"validation_error",
			"title":"There was a validation error","errors":{"number":"number must not be blank","lines[0].product":"is dangerous"}}`)
		is("prepare order, prepare poison (new, Post)")
		c.Send("PATCH /api/orders/1", `{"number":"b","lines":[{"product":"pan"},{"product":"trap"}]}`).HasStatus(500)
		c.Send("GET /api/orders/1", "").Mentions("A1")
		c.Send("GET /api/lines", "").HasStatus(200).Mentions("mug", "pot").Lacks("pan")
	})
}

func TestSlowWorkRunsBeforeTheTransactionOfTheOrder(t *testing.T) {
	t.Parallel()
	steps, ofOrders, ofLines := traced(true)
	alike(t, resource.Config{}, ofOrders, ofLines, func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("POST /api/orders", `{"number":"a1","lines":[{"product":"Tea"}]}`).HasStatus(201).Mentions("A1", "tea")
		steps.take()
		c.Send("PATCH /api/orders/1", `{"lines":[{"id":1,"quantity":3},{"product":"Cup"}]}`).HasStatus(200).Mentions("tea", "cup")
		const lines = "prepare tea (tea, Patch), prepare Cup (new, Post)"
		want := "prepare order, " + lines + ", before order, " + lines + ", save order, before tea, Patch tea of 1, before cup, Post cup of 1"
		if got := steps.take(); got != want {
			t.Errorf("the steps are\n\t%s\nwant\n\t%s", got, want)
		}
		c.Send("PATCH /api/orders/1", `{"lines":[{"id":9}]}`).HasStatus(400)
	})
}

func TestARepeatedPostCreatesItsRecordsOnce(t *testing.T) {
	t.Parallel()
	ofOrders := orders()
	ofOrders.Idempotency = time.Hour
	alike(t, resource.Config{}, ofOrders, lines(), func(t *testing.T, c spec.Client) {
		t.Helper()
		body := `{"number":"A1","lines":[{"product":"tea"}]}`
		first := c.Send("POST /api/orders", body, "Idempotency-Key", `"k"`).HasStatus(201)
		c.Send("POST /api/orders", body, "Idempotency-Key", `"k"`).Is(201, first.Body)
		c.Send("POST /api/orders", `{"number":"A1","lines":[{"product":"cup"}]}`, "Idempotency-Key", `"k"`).HasStatus(422)
		c.Send("GET /api/lines", "").Is(200, "["+line("1", "1", "tea", "1")+"]")
	})
}

func TestPreconditionsOfAListAreThoseOfTheRecord(t *testing.T) {
	t.Parallel()
	alike(t, resource.Config{}, orders(), lines(), func(t *testing.T, c spec.Client) {
		t.Helper()
		created := c.Send("POST /api/orders", `{"number":"A1","lines":[{"product":"tea"}]}`).HasStatus(201).Header.Get("ETag")
		changed := c.Send("PATCH /api/orders/1", `{"lines":[{"product":"cup"}]}`, "If-Match", created).HasStatus(200).Header.Get("ETag")
		if created == changed {
			t.Error("the ETag is the same after a change of the lines")
		}
		c.Send("PATCH /api/orders/1", `{"lines":[]}`, "If-Match", created).HasStatus(412)
		c.Send("PUT /api/orders/1", `{"lines":[{"id":2}]}`, "If-Match", c.Send("GET /api/orders/1", "").Header.Get("ETag")).HasStatus(200)
		c.Send("GET /api/lines", "").Is(200, "["+line("2", "1", "cup", "1")+"]")
	})
}

func TestChangesOfListsAreReportedTogether(t *testing.T) {
	t.Parallel()
	var changes []string
	config := resource.Config{Committed: func(_ context.Context, list []store.Change) {
		for _, change := range list {
			changes = append(changes, change.String())
		}
		changes = append(changes, "end")
	}}
	alike(t, config, orders(), lines(), func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("POST /api/orders", `{"number":"A1","lines":[{"product":"tea"},{"product":"cup"}]}`).HasStatus(201)
		c.Send("PATCH /api/orders/1", `{"lines":[{"id":2,"quantity":3},{"product":"pot"}]}`).HasStatus(200)
		c.Send("PATCH /api/orders/1", `{"lines":[{"id":2,"quantity":0}]}`).HasStatus(400)
		if got, ends := strings.Join(changes, ", "), slices.IndexFunc(changes, func(s string) bool { return s == "end" }); ends != 3 || len(changes) != 9 {
			t.Errorf("the changes are %s, want three and then four, each with one end", got)
		}
		changes = nil
	})
}

// Worker is a caller, who may be a manager for some time.
type Worker struct{ isManager bool }

// String identifies the caller.
func (*Worker) String() string { return "worker" }

func TestAResponseWithListsIsNotReplayedAfterPermissionsForThemChanged(t *testing.T) {
	t.Parallel()
	var isManager atomic.Bool
	isManager.Store(true)
	config := resource.Config{Authentication: []access.Scheme{
		access.Bearer("token", func(context.Context, string) (*Worker, access.Scopes, error) {
			return &Worker{isManager.Load()}, nil, nil
		}),
	}}
	ofOrders, ofLines := orders(), lines()
	ofOrders.Access, ofLines.Access, ofOrders.Idempotency = spec.Open(), spec.Open(), time.Hour
	ofLines.Access.Fields = map[string]access.Field{"quantity": {Read: access.If("manager", func(w *Worker) bool { return w.isManager }), Write: access.Public}}
	alike(t, config, ofOrders, ofLines, func(t *testing.T, c spec.Client) {
		t.Helper()
		isManager.Store(true)
		post := func() spec.Response {
			return c.As("x", "POST /api/orders", `{"number":"A1","lines":[{"product":"tea","quantity":7}]}`, spec.KeyField, "k")
		}
		post().HasStatus(201).Mentions(`"quantity":7`)
		post().HasStatus(201).Mentions(`"quantity":7`)
		isManager.Store(false)
		post().HasStatus(403).Lacks("quantity")
	})
}

// TestTheResponseHasWhatFunctionsOfTheListChange has lines that set a number of their order.
func TestTheResponseHasWhatFunctionsOfTheListChange(t *testing.T) {
	t.Parallel()
	check := func(t *testing.T, inOrders store.Store[Order], inLines store.Store[Line]) {
		t.Helper()
		ofOrders, ofLines := orders(), lines()
		ofOrders.Store, ofLines.Store = inOrders, inLines
		ofLines.Processor = operation.Process(func(ctx context.Context, _ *operation.Request, l *Line, save operation.Save[Line]) error {
			if err := save(ctx, l); err != nil {
				return err
			}
			count, err := store.Count(ctx, inLines, store.Eq("order", l.Order))
			if err != nil {
				return err
			}
			return store.Update(ctx, inOrders, l.Order, func(o *Order) error { o.Number = fmt.Sprint(count, " lines"); return nil })
		})
		c := spec.NewClient(t, resource.Config{}, ofOrders, ofLines)
		made := c.Send("POST /api/orders", `{"number":"none","lines":[{"product":"tea"},{"product":"cup"}]}`).HasStatus(201).Mentions(`"number":"2 lines"`)
		added := c.Send("PATCH /api/orders/1", `{"lines":[{"id":1},{"id":2},{"product":"pot"}]}`, "If-Match", made.Header.Get("ETag"))
		added.HasStatus(200).Mentions(`"number":"3 lines"`)
		c.Send("PATCH /api/orders/1", `{"lines":[]}`, "If-Match", added.Header.Get("ETag")).HasStatus(200).Mentions(`"number":"0 lines"`)
	}
	t.Run("memory", func(t *testing.T) { check(t, memory.New[Order](), memory.New[Line]()) })
	for name, open := range spec.Databases(t) {
		t.Run(name, func(t *testing.T) {
			db := open(t)
			inOrders, inLines := sqlstore.Table[Order](db), sqlstore.Table[Line](db)
			if err := db.Create(t.Context(), inOrders, inLines); err != nil {
				t.Fatal(err)
			}
			check(t, inOrders, inLines)
		})
	}
}
