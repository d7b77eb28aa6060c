// Package observe is what Trove tells of the requests that it serves: for access logs,
// metrics and traces. [AccessLog] is an observer; others are a type with two methods,
// which resource.Config.Observers takes.
package observe

import (
	"context"
	"net/http"
	"time"
)

// Observer is told when a request begins and what came of it. It is used by many
// goroutines, and must not change the request nor keep an [Outcome].
type Observer interface {
	// Begin is called before the first step of a request. The context that it returns,
	// made of ctx, is that of hooks, handlers and stores, and of End.
	Begin(ctx context.Context, op Operation, r *http.Request) context.Context
	// End is called once the answer is sent, or broken off.
	End(ctx context.Context, outcome *Outcome)
}

// Operation is what a request asks for. Its texts are a few for all requests, so that
// metrics can be kept by them.
type Operation struct {
	// ID is the operation's id in the document, such as "listDragonTreasures"; "" where
	// no operation is at the path, or none with the method.
	ID string
	// Resource is the short name of the resource; "" without an operation.
	Resource string
	// Route is the path's template, such as "/api/dragon_treasures/{id}"; "" where nothing
	// is at the path.
	Route string
}

// Outcome is what came of a request.
type Outcome struct {
	// Operation is what was asked for.
	Operation Operation
	// Request is the request, whose body has been read.
	Request *http.Request
	// Status is the status of the answer, 0 where the connection was dropped before one.
	Status int
	// Bytes is the length of the answer's body, before any compression.
	Bytes int64
	// Duration is the time from the first step until the answer was handed to net/http.
	Duration time.Duration
	// Steps are the steps in the order in which they ran. Those of a transaction are there
	// again when the store runs it again.
	Steps []Step
	// RequestID is what resource.Config.RequestID found; "" for none.
	RequestID string
	// Err is why the request was refused or failed, nil for success. It may say what
	// clients are not told.
	Err error
	// Incident names a failure that is the service's fault, as its answer and its log
	// entry do; "" for none.
	Incident string
}

// Step is one step of a request, such as "validate".
type Step struct {
	// Name is the step's name, as ARCHITECTURE.md lists them.
	Name string
	// Began is when it began.
	Began time.Time
	// Duration is how long it took.
	Duration time.Duration
}
