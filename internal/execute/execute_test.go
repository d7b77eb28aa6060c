package execute_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/conditional"
	"github.com/trove-api/trove/internal/execute"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// Coin is a record of the tests.
type Coin struct {
	ID    int64  `json:"id"`
	Name  string `json:"name" validate:"required,max=20" api:"unique"`
	Value int    `json:"value" validate:"gte=0"`
}

// polished is the input and output of the handler of the tests.
type polished struct {
	Shine int `json:"shine"`
}

// desk calls the operations of a resource of coins.
type desk struct {
	t          *testing.T
	operations map[operation.Kind]*execute.Operation
	seen       []operation.Request // by Prepare
}

func newDesk(t *testing.T, coins store.Store[Coin], operations ...operation.Operation) *desk {
	t.Helper()
	d := &desk{t: t, operations: make(map[operation.Kind]*execute.Operation)}
	api, err := resource.New(resource.Config{}, resource.Of[Coin]{
		Store:       coins,
		Operations:  operations,
		Idempotency: time.Hour,
		Prepare: func(_ context.Context, req *operation.Request, _ *Coin) error {
			d.seen = append(d.seen, *req)
			req.Name, req.Origin = "spoiled", nil
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range compiled.Of(api).Resources[0].Operations {
		d.operations[op.Kind] = execute.OperationOf(op)
	}
	return d
}

// run runs a call of the operation of a kind.
func (d *desk) run(kind operation.Kind, call *execute.Call) (*execute.Result, error) {
	call.Operation = d.operations[kind]
	return call.Run(operation.WithPrincipal(d.t.Context(), "Ada"))
}

// must runs a call that must succeed.
func (d *desk) must(kind operation.Kind, call *execute.Call) *execute.Result {
	d.t.Helper()
	result, err := d.run(kind, call)
	if err != nil {
		d.t.Fatalf("%v: %v", kind, err)
	}
	return result
}

func TestOperationsRunWithoutHTTP(t *testing.T) {
	t.Parallel()
	d := newDesk(t, memory.New(Coin{Name: "Penny", Value: 1}))

	made := d.must(operation.KindPost, &execute.Call{Body: []byte(`{"name":"Crown","value":5}`)})
	if diff := cmp.Diff(&Coin{2, "Crown", 5}, made.Record); diff != "" || !made.Created {
		t.Errorf("created %v (-want +got):\n%s", made.Created, diff)
	}
	patched := d.must(operation.KindPatch, &execute.Call{ID: int64(2), Body: []byte(`{"value":6}`)})
	if diff := cmp.Diff(&Coin{2, "Crown", 6}, patched.Record); diff != "" || patched.Created {
		t.Errorf("patched, created %v (-want +got):\n%s", patched.Created, diff)
	}
	got := d.must(operation.KindGet, &execute.Call{ID: int64(2)})
	if diff := cmp.Diff(&Coin{2, "Crown", 6}, got.Record); diff != "" {
		t.Errorf("got (-want +got):\n%s", diff)
	}
	list := d.must(operation.KindGetCollection, &execute.Call{})
	if list.Items.Len() != 2 || list.Total != 2 || list.More {
		t.Errorf("listed %d coins of %d, more %v, want 2 of 2", list.Items.Len(), list.Total, list.More)
	}
	d.must(operation.KindDelete, &execute.Call{ID: int64(1)})
	if _, err := d.run(operation.KindGet, &execute.Call{ID: int64(1)}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("got a deleted coin: %v, want %v", err, store.ErrNotFound)
	}
}

func TestRejectedCallsReturnDistinctErrors(t *testing.T) {
	t.Parallel()
	stale, _ := conditional.Read(http.Header{"If-Match": {`"stale"`}}, false)
	for name, test := range map[string]struct {
		kind operation.Kind
		call execute.Call
		is   func(error) bool
	}{
		"no such record": {operation.KindGet, execute.Call{ID: int64(7)}, func(err error) bool {
			return errors.Is(err, store.ErrNotFound)
		}},
		"no JSON": {operation.KindPost, execute.Call{Body: []byte(`{"name":`)}, func(err error) bool {
			refused, ok := errors.AsType[*execute.RejectedError](err)
			return ok && refused.Reason == execute.Malformed
		}},
		"broken rules": {operation.KindPost, execute.Call{Body: []byte(`{"value":-1}`)}, func(err error) bool {
			invalid, ok := errors.AsType[execute.InvalidError](err)
			return ok && len(invalid.Found.Violations) == 2
		}},
		"a value that is taken": {operation.KindPost, execute.Call{Body: []byte(`{"name":"Penny"}`)}, func(err error) bool {
			taken, ok := errors.AsType[store.UniqueError](err)
			return ok && taken.Field == "name"
		}},
		"another state": {operation.KindPatch, execute.Call{ID: int64(1), Body: []byte(`{"value":2}`), Conditions: stale}, func(err error) bool {
			return errors.Is(err, execute.ErrPrecondition)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, memory.New(Coin{Name: "Penny", Value: 1}))
			if _, err := d.run(test.kind, &test.call); !test.is(err) {
				t.Errorf("the error is %#v", err)
			}
			list := d.must(operation.KindGetCollection, &execute.Call{})
			if diff := cmp.Diff(&Coin{1, "Penny", 1}, list.Items.At(0)); diff != "" || list.Total != 1 {
				t.Errorf("there are %d coins after a refusal, and the first is not as it was (-want +got):\n%s", list.Total, diff)
			}
		})
	}
}

func TestAChangeOfTheStateThatWasReadIsMade(t *testing.T) {
	t.Parallel()
	d := newDesk(t, memory.New(Coin{Name: "Penny", Value: 1}))
	read := execute.Call{ID: int64(1)}
	got := d.must(operation.KindGet, &read)
	state, err := read.AppendState(nil, got.Record)
	if err != nil {
		t.Fatal(err)
	}
	conditions, _ := conditional.Read(http.Header{"If-Match": {strconv.Quote(string(state))}}, false)
	change := func(body string) error {
		_, err := d.run(operation.KindPatch, &execute.Call{ID: int64(1), Body: []byte(body), Conditions: conditions})
		return err
	}
	if err := change(`{"value":2}`); err != nil {
		t.Errorf("a change of the state that was read: %v", err)
	}
	if err := change(`{"value":3}`); !errors.Is(err, execute.ErrPrecondition) {
		t.Errorf("a change of a state that has gone: %v, want %v", err, execute.ErrPrecondition)
	}
}

func TestHooksCanSeeThatACallIsNotAnHTTPRequest(t *testing.T) {
	t.Parallel()
	d := newDesk(t, twice{memory.New(Coin{Name: "Penny", Value: 1})})
	d.must(operation.KindPatch, &execute.Call{ID: int64(1), Body: []byte(`{"value":2}`)})
	want := operation.Request{Kind: operation.KindPatch, Principal: "Ada", Previous: &Coin{1, "Penny", 1}}
	if diff := cmp.Diff([]operation.Request{want, want}, d.seen, cmpopts.IgnoreFields(operation.Request{}, "Origin")); diff != "" {
		t.Errorf("in two runs of a transaction Prepare was handed (-want +got):\n%s", diff)
	}
	for _, request := range d.seen {
		if diff := cmp.Diff(map[string]string{"id": "1"}, request.Variables()); diff != "" || request.HTTP() != nil {
			t.Errorf("the variables differ (-want +got), or there is an HTTP request:\n%s", diff)
		}
	}
}

func TestAHandlerIsRunWithoutHTTP(t *testing.T) {
	t.Parallel()
	d := newDesk(t, memory.New(Coin{Name: "Penny", Value: 1}), operation.Post{
		URITemplate: "/coins/{id}/polish",
		Handler: operation.Handle(func(_ context.Context, coin *Coin, in polished) (*polished, error) {
			coin.Value += in.Shine
			return &polished{coin.Value}, nil
		}),
	}, operation.Get{})
	result := d.must(operation.KindPost, &execute.Call{ID: int64(1), Body: []byte(`{"shine":3}`)})
	if diff := cmp.Diff(&polished{4}, result.Out); diff != "" {
		t.Errorf("the handler answered (-want +got):\n%s", diff)
	}
	saved := d.must(operation.KindGet, &execute.Call{ID: int64(1)})
	if diff := cmp.Diff(&Coin{1, "Penny", 4}, saved.Record); diff != "" {
		t.Errorf("what the handler changed is saved (-want +got):\n%s", diff)
	}
}

func TestAStreamIsReadToItsEnd(t *testing.T) {
	t.Parallel()
	coins := make([]Coin, 700)
	for i := range coins {
		coins[i].Name = strconv.Itoa(i)
	}
	d := newDesk(t, memory.New(coins...))
	call := execute.Call{Stream: true}
	count := 0
	for items := d.must(operation.KindGetCollection, &call).Items; items.Len() > 0; {
		count += items.Len()
		var err error
		if items, err = call.Next(t.Context(), items, 0); err != nil {
			t.Fatal(err)
		}
	}
	if count != len(coins) {
		t.Errorf("the stream has %d coins, want %d", count, len(coins))
	}
}

// clerk is a Caller whose responses are the names of coins.
type clerk struct {
	answer string
	again  int
	fails  error
}

func (c *clerk) Respond(_ context.Context, result *execute.Result) error {
	coin, _ := result.Record.(*Coin)
	c.answer += coin.Name
	return c.fails
}

func (c *clerk) Keep() ([]byte, error) { return []byte(c.answer), nil }

func (c *clerk) Again(context.Context) error {
	c.answer = ""
	c.again++
	return nil
}

// twice is a store that runs each transaction two times, and saves the second.
type twice struct{ store.Store[Coin] }

func (s twice) Transact(ctx context.Context, fn func(context.Context, store.Tx[Coin]) error) error {
	again := errors.New("again")
	err := s.Store.Transact(ctx, func(ctx context.Context, tx store.Tx[Coin]) error {
		return errors.Join(fn(ctx, tx), again)
	})
	if !errors.Is(err, again) {
		return err
	}
	return s.Store.Transact(ctx, fn)
}

func (twice) CheckResponses(context.Context) error { return nil }

func TestACallerRespondsInTheTransaction(t *testing.T) {
	t.Parallel()
	crown := []byte(`{"name":"Crown"}`)
	t.Run("nothing is saved that it cannot answer", func(t *testing.T) {
		t.Parallel()
		d := newDesk(t, memory.New[Coin]())
		broken := errors.New("no ink")
		if _, err := d.run(operation.KindPost, &execute.Call{Body: crown, Caller: &clerk{fails: broken}}); !errors.Is(err, broken) {
			t.Errorf("the error is %v, want the caller's", err)
		}
		if list := d.must(operation.KindGetCollection, &execute.Call{}); list.Total != 0 {
			t.Errorf("%d coins are saved", list.Total)
		}
	})
	t.Run("it begins anew when the store does", func(t *testing.T) {
		t.Parallel()
		d := newDesk(t, twice{memory.New[Coin]()})
		c := &clerk{}
		d.must(operation.KindPost, &execute.Call{Body: crown, Caller: c})
		if c.again != 1 || c.answer != "Crown" {
			t.Errorf("told %d times, answered %q, want once and Crown", c.again, c.answer)
		}
	})
	t.Run("its answer is kept for the same key", func(t *testing.T) {
		t.Parallel()
		d := newDesk(t, memory.New[Coin]())
		key := execute.Key{Name: "k", Request: []byte("one")}
		d.must(operation.KindPost, &execute.Call{Body: crown, Key: &key, Caller: &clerk{}})
		result := d.must(operation.KindPost, &execute.Call{Body: crown, Key: &key, Caller: &clerk{}})
		if !result.Replayed || string(result.Kept) != "Crown" {
			t.Errorf("replayed %v, kept %q, want Crown", result.Replayed, result.Kept)
		}
		other := execute.Key{Name: "k", Request: []byte("two")}
		if _, err := d.run(operation.KindPost, &execute.Call{Body: crown, Key: &other}); !errors.Is(err, execute.ErrKeyUsed) {
			t.Errorf("another call with the key: %v, want %v", err, execute.ErrKeyUsed)
		}
	})
}

// steps are the names of steps that have run.
type steps []string

func (s *steps) Ran(step string, _ time.Time) { *s = append(*s, step) }

func TestAWatcherSeesEachStep(t *testing.T) {
	t.Parallel()
	d := newDesk(t, memory.New(Coin{Name: "Penny", Value: 1}))
	var ran steps
	d.must(operation.KindPatch, &execute.Call{ID: int64(1), Body: []byte(`{"value":2}`), Watcher: &ran})
	if want := []string{"read", "preconditions", "deserialize", "prepare", "validate", "write"}; !slices.Equal(ran, want) {
		t.Errorf("%v ran, want %v", ran, want)
	}
}
