package hooks_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation/observe"
	"github.com/trove-api/trove/resource"
)

// faulty is an observer that panics.
type faulty struct{ begin, end bool }

func (f faulty) Begin(ctx context.Context, _ observe.Operation, _ *http.Request) context.Context {
	if f.begin {
		panic("begin")
	}
	return ctx
}

func (f faulty) End(context.Context, *observe.Outcome) {
	if f.end {
		panic("end")
	}
}

func TestAnObserverThatPanicsDoesNotBreakTheResponse(t *testing.T) {
	t.Parallel()
	of := resource.Of[spec.Programmer]{}
	spec.NewClient(t, resource.Config{Observers: []observe.Observer{faulty{begin: true}}}, of).Send("GET /api/programmers", "").IsProblem(500)
	spec.NewClient(t, resource.Config{Observers: []observe.Observer{faulty{end: true}}}, of).Send("GET /api/programmers", "").Is(200, `[]`)
}
