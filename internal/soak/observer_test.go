package soak_test

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/trove-api/trove/operation/observe"
)

// observer counts the requests that begin and end.
type observer struct {
	findings    *findings
	begun       atomic.Int64
	ended       atomic.Int64
	failures    atomic.Int64 // 500 responses
	unavailable atomic.Int64 // 503 responses
	deaf        atomic.Int64 // streams that were not read
}

// watched is the state of a request in its context.
type watched struct{ ended atomic.Bool }

type watchedKey struct{}

func (o *observer) Begin(ctx context.Context, _ observe.Operation, _ *http.Request) context.Context {
	o.begun.Add(1)
	return context.WithValue(ctx, watchedKey{}, &watched{})
}

func (o *observer) End(ctx context.Context, outcome *observe.Outcome) {
	o.ended.Add(1)
	request, ok := ctx.Value(watchedKey{}).(*watched)
	switch {
	case !ok:
		o.findings.add("an observer's End is given another context than Begin made: %s", outcome.Operation.ID)
	case request.ended.Swap(true):
		o.findings.add("an observer is called twice for the end of a request: %s", outcome.Operation.ID)
	}
	switch outcome.Status {
	case http.StatusInternalServerError:
		o.failures.Add(1)
		if outcome.Incident == "" || outcome.Err == nil {
			o.findings.add("an observer gets a 500 without its incident or its error: %s", outcome.Operation.ID)
		}
	case http.StatusServiceUnavailable:
		o.unavailable.Add(1)
	}
	if outcome.Operation.Resource == "Volume" && outcome.Err != nil && strings.Contains(outcome.Err.Error(), "gone away") {
		o.deaf.Add(1)
	}
}
