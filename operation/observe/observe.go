// Package observe reports the requests that Trove serves, for access logs, metrics and traces. Pass observers to
// resource.Config.Observers: [AccessLog], or your own type with the two methods of [Observer].
package observe

import (
	"context"
	"net/http"
	"time"
)

// Observer is called when a request begins and ends. It must be safe for concurrent use, and must not change the
// request or retain an [Outcome].
type Observer interface {
	// Begin is called before the first step of a request. The context it returns must derive from ctx. Hooks, handlers,
	// stores and End get it.
	Begin(ctx context.Context, op Operation, r *http.Request) context.Context
	// End is called when the response has been sent or aborted.
	End(ctx context.Context, outcome *Outcome)
}

// Operation identifies what a request calls. Its strings have few distinct values, so they can be labels of metrics.
type Operation struct {
	// ID is the operation's id in the OpenAPI document, such as "listDragonTreasures". It is "" if no operation has the
	// path and method.
	ID string
	// Resource is the short name of the resource; "" without an operation.
	Resource string
	// Route is the path's template, such as "/api/dragon_treasures/{id}"; "" if nothing is at the path.
	Route string
}

// Outcome is the result of a request.
type Outcome struct {
	// Operation is what the request called.
	Operation Operation
	// Request is the request. Its body has been read.
	Request *http.Request
	// Status is the status of the response, 0 if the connection was dropped before one.
	Status int
	// Bytes is the length of the response body before compression.
	Bytes int64
	// Duration is the time from the first step until the response was passed to net/http.
	Duration time.Duration
	// Steps lists the steps in the order in which they ran. Those of a transaction are repeated if the store reruns it.
	Steps []Step
	// RequestID is the id that resource.Config.RequestID returned; "" for none.
	RequestID string
	// Err is why the request was rejected or failed, nil for success. It may contain details that clients must not see. It is
	// also set if the response is a success of which nothing is saved, as in the check of an import of the admin.
	Err error
	// Incident identifies a server error, in its response and in the log; "" for none.
	Incident string
}

// Step is one step of a request, such as "validate".
type Step struct {
	// Name is the step's name, such as "validate". ARCHITECTURE.md of the repository lists all names.
	Name string
	// Began is when the step began.
	Began time.Time
	// Duration is how long the step took.
	Duration time.Duration
}
