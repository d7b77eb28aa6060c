package serve_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/operation/observe"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// witness is an observer that keeps its calls.
type witness struct {
	name     string
	calls    *[]string
	outcomes []observe.Outcome
	panics   bool
}

func (o *witness) Begin(ctx context.Context, op observe.Operation, _ *http.Request) context.Context {
	*o.calls = append(*o.calls, "begin "+o.name+" "+op.ID)
	return ctx
}

func (o *witness) End(_ context.Context, outcome *observe.Outcome) {
	*o.calls = append(*o.calls, "end "+o.name)
	o.outcomes = append(o.outcomes, *outcome)
	if o.panics {
		panic("the observer of ada-secret fails")
	}
}

// names returns the steps of the last request.
func (o *witness) names() (names []string) {
	for _, step := range o.outcomes[len(o.outcomes)-1].Steps {
		names = append(names, step.Name)
	}
	return names
}

// within reports whether a list has some names in this order.
func within(list []string, names ...string) bool {
	for _, name := range list {
		if len(names) > 0 && name == names[0] {
			names = names[1:]
		}
	}
	return len(names) == 0
}

func TestStepsRunInTheirOrder(t *testing.T) {
	t.Parallel()
	seen := &witness{calls: new([]string)}
	config, coins := guarded(resource.Of[Coin]{Idempotency: time.Hour, Prepare: func(context.Context, *operation.Request, *Coin) error { return nil }})
	config.Observers = []observe.Observer{seen}
	b := newBench(t, config, coins)
	b.is(b.send("POST", "/api/coins", `{"name":"Florin","mint":"Florence","value":1,"owner":"Ada"}`, "Authorization", "Bearer Ada"), 201)
	before := []string{"credentials", "authorize", "negotiate", "parameters", "preconditions", "receive", "replay"}
	after := []string{"fields", "serialize", "validators"}
	if got := seen.names(); !slices.Equal(got[:len(before)], before) || !slices.Equal(got[len(got)-len(after):], after) ||
		!within(got, "replay", "deserialize", "prepare", "validate", "write", "fields") {
		t.Errorf("the steps of a Post are %q", got)
	}
	b.is(b.send("GET", "/api/coins/1", ""), 200)
	if got := seen.names(); !within(got, "credentials", "negotiate", "parameters", "preconditions", "read", "serialize", "validators", "preconditions") {
		t.Errorf("the steps of a Get are %q", got)
	}
	b.is(b.send("GET", "/api/coins/1", "", "If-Match", "none"), 400)
	if got := seen.names(); got[len(got)-1] != "preconditions" || slices.Contains(got, "read") {
		t.Errorf("after an error in the preconditions come %q", got)
	}
}

func TestAnOperationHasOnlyTheStepsThatItsDeclarationNeeds(t *testing.T) {
	t.Parallel()
	seen := &witness{calls: new([]string)}
	b := newBench(t, resource.Config{Observers: []observe.Observer{seen}}, resource.Of[Coin]{})
	b.is(b.send("GET", "/api/coins/1", ""), 200)
	want := []string{"negotiate", "parameters", "preconditions", "read", "serialize", "validators", "preconditions"}
	if got := seen.names(); !slices.Equal(got, want) {
		t.Errorf("the steps of a Get without rules, schemes and hooks are %q, want %q", got, want)
	}
}

func TestAConditionIsAStepOfItsOperationAlone(t *testing.T) {
	t.Parallel()
	seen := &witness{calls: new([]string)}
	b := newBench(t, resource.Config{Observers: []observe.Observer{seen}}, resource.Of[Coin]{Operations: []operation.Operation{
		operation.Put{}, operation.Patch{When: access.Not(access.Where("owner", "nobody"))},
	}})
	b.is(b.send("PATCH", "/api/coins/1", `{}`), 200)
	if got := seen.names(); !within(got, "read", "when", "preconditions", "deserialize") {
		t.Errorf("the steps of an operation with a condition are %q", got)
	}
	b.is(b.send("PUT", "/api/coins/1", `{}`), 200)
	if got := seen.names(); slices.Contains(got, "when") {
		t.Errorf("the steps of an operation without a condition are %q", got)
	}
}

// TestTheFirstErrorIsTheResponse sends a request with every error, then fixes one after another. Each status is that of
// the first step that fails.
func TestTheFirstErrorIsTheResponse(t *testing.T) {
	t.Parallel()
	config, coins := guarded(resource.Of[Coin]{Idempotency: time.Hour})
	config.MaxBodyBytes = 300
	b := newBench(t, config, coins)
	fields := map[string]string{
		"Authorization": "Bearer nobody", "Accept": "text/nothing", "If-Match": "bare", "Content-Type": "text/plain", "Idempotency-Key": " ",
	}
	target, body := "/api/coins?colour=red", `{"name":"`+strings.Repeat("x", 400)+`"}`
	mends := []struct {
		status int
		detail string
		mend   func()
	}{
		{401, "credentials", func() { delete(fields, "Authorization") }},
		{401, "Authentication required", func() { fields["Authorization"] = "Bearer Ada" }},
		{406, "Accept", func() { delete(fields, "Accept") }},
		{400, "colour", func() { target = "/api/coins" }},
		{400, "If-Match", func() { delete(fields, "If-Match") }},
		{415, "Content-Type", func() { fields["Content-Type"] = "application/json" }},
		{413, "300 bytes", func() { body = strings.Repeat("[", 200) }},
		{413, "nested", func() { body = `{"name":"","owner":"Bob"}` }},
		{400, "Idempotency-Key", func() { delete(fields, "Idempotency-Key") }},
		{400, "validation", func() { body = `{"name":"Florin","owner":"Bob"}` }},
		{403, "Forbidden", func() { body = `{"name":"Florin","mint":"Venice","owner":"Ada"}` }},
		{409, "This mint is known", func() { body = `{"name":"Florin","mint":"Florence","owner":"Ada"}` }},
		{201, "Florin", func() {}},
	}
	for _, row := range mends {
		var list []string
		for name, value := range fields {
			list = append(list, name, value)
		}
		w := b.send("POST", target, body, list...)
		if w.Code != row.status || !strings.Contains(w.Body.String(), row.detail) {
			t.Fatalf("the response is %d %s, want %d with %q", w.Code, w.Body, row.status, row.detail)
		}
		row.mend()
	}
}

func TestObserversSeeEveryOutcome(t *testing.T) {
	t.Parallel()
	calls := []string{}
	outer, inner := &witness{name: "outer", calls: &calls}, &witness{name: "inner", calls: &calls}
	failure := errors.New("the vault is shut")
	var fail func(context.Context) error
	coins := failing(func(ctx context.Context) error { return fail(ctx) })
	coins.Operations = append(coins.Operations, operation.Post{})
	b := newBench(t, resource.Config{Observers: []observe.Observer{outer, inner}}, coins)

	w := b.send("POST", "/api/coins", `{"name":"Florin"}`)
	b.is(w, 201)
	last := outer.outcomes[0]
	if last.Status != 201 || last.Bytes != int64(w.Body.Len()) || last.Err != nil || last.Incident != "" {
		t.Errorf("of a success the outcome is %+v", last)
	}
	want := []string{"begin outer createCoin", "begin inner createCoin", "end inner", "end outer"}
	if !slices.Equal(calls, want) {
		t.Errorf("observers are called %q, want %q", calls, want)
	}
	b.is(b.send("POST", "/api/coins", `{"value":-1}`), 400)
	if last = outer.outcomes[1]; last.Status != 400 || last.Err == nil || last.Incident != "" {
		t.Errorf("of a rejected body the outcome is %+v", last)
	}
	fail = func(context.Context) error { return failure }
	b.is(b.send("mint", "/api/mint", ""), 500)
	if last = outer.outcomes[2]; last.Status != 500 || !errors.Is(last.Err, failure) || !strings.Contains(b.log.String(), last.Incident) {
		t.Errorf("of a failure the outcome is %+v", last)
	}
	fail = func(context.Context) error { panic("the vault collapses") }
	b.is(b.send("mint", "/api/mint", ""), 500)
	if last = outer.outcomes[3]; last.Status != 500 || last.Err == nil || last.Incident == "" || last.Err.Error() != "panic: the vault collapses" {
		t.Errorf("of a panic the outcome is %+v", last)
	}
}

func TestAnObserverThatPanicsDoesNotChangeTheResponse(t *testing.T) {
	t.Parallel()
	calls := []string{}
	b := newBench(t, resource.Config{Observers: []observe.Observer{&witness{calls: &calls, panics: true}}}, resource.Of[Coin]{Store: memory.New(Coin{Name: "Ducat"})})
	for range 2 {
		w := b.send("GET", "/api/coins/1", "")
		if b.is(w, 200); !strings.Contains(w.Body.String(), "Ducat") {
			t.Errorf("the body is %s", w.Body)
		}
	}
	if !strings.Contains(b.log.String(), "the observer of ada-secret fails") {
		t.Errorf("the panic is not in the log: %s", b.log)
	}
}
