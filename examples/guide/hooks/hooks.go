// Package hooks logs the order in which Trove calls the functions of an API. It is the code of docs/guides/hooks.md.
package hooks

import (
	"context"
	"net/http"
	"sync"

	"github.com/go-playground/validator/v10"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/operation/observe"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/validation"
)

// Note is the record.
type Note struct {
	ID       int64  `json:"id"`
	Text     string `json:"text" validate:"short"`
	Archived bool   `json:"archived"`
}

// Body is what clients send and get instead of a Note.
type Body struct {
	Text string `json:"text"`
}

// Declare declares notes whose functions all log that they run. Slow adds one that runs before the transaction.
func (l *Log) Declare(notes store.Store[Note], slow bool) (*resource.API, error) {
	check := access.Check("logs", func(context.Context, *Note) (bool, error) { return true, l.Add("access.Check") })
	declared := resource.Of[Note]{
		Store:  notes,
		Access: access.Rules{Read: access.Public, Create: check, Update: check, Delete: check},
		Input: operation.InputOf(
			func(n *Note) Body { _ = l.Add("Input.fill"); return Body{n.Text} },
			func(_ context.Context, in Body, n *Note) error { n.Text = in.Text; return l.Add("Input.apply") }),
		Prepare:   func(context.Context, *operation.Request, *Note) error { return l.Add("Prepare") },
		Processor: operation.Process(l.process),
		Computed: []operation.Computed{
			operation.Compute("length", "", func(_ context.Context, n *Note) (int, error) { return len(n.Text), l.Add("Computed") }),
		},
		Operations: append(operation.Standard(),
			operation.Post{Name: "archive", URITemplate: "/notes/{id}/archive", Handler: operation.HandleAfter(l.before, l.archive)},
			operation.Get{
				Name: "text", URITemplate: "/notes/{id}/text",
				Output: operation.Output(func(_ context.Context, n *Note) (Body, error) { return Body{n.Text}, l.Add("Output") }),
			}),
	}
	if slow {
		declared.BeforeTransaction = func(context.Context, *operation.Request, *Note) error { return l.Add("BeforeTransaction") }
	}
	return resource.New(resource.Config{
		Middleware:     []func(http.Handler) http.Handler{l.middleware},
		Observers:      []observe.Observer{l},
		Authentication: []access.Scheme{access.Bearer("token", l.authenticate)},
		Rules:          []validation.Rule{{Name: "short", Check: l.isShort}},
		MapError:       func(error) error { return l.Add("MapError") }, // nil leaves the error as it is
		Committed:      func(context.Context, []store.Change) { _ = l.Add("Committed") },
	}, declared)
}

func (l *Log) authenticate(context.Context, string) (string, access.Scopes, error) {
	return "ann", access.Unlimited, l.Add("Scheme")
}

func (l *Log) isShort(field validator.FieldLevel) bool {
	_ = l.Add("Rule")
	return len(field.Field().String()) <= 10
}

func (l *Log) process(ctx context.Context, _ *operation.Request, n *Note, save operation.Save[Note]) error {
	if err := l.Add("Processor"); err != nil {
		return err
	}
	return save(ctx, n)
}

func (l *Log) before(context.Context, *operation.Request, *struct{}) error {
	return l.Add("HandleAfter.before")
}

func (l *Log) archive(_ context.Context, n *Note, _ struct{}) (*Note, error) {
	n.Archived = true
	return n, l.Add("Handler")
}

func (l *Log) middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = l.Add("Middleware")
		defer func() { _ = l.Add("Middleware.ends") }()
		next.ServeHTTP(w, r)
	})
}

// Begin is called before the first step of a request.
func (l *Log) Begin(ctx context.Context, _ observe.Operation, _ *http.Request) context.Context {
	_ = l.Add("Observer.Begin")
	return ctx
}

// End is called when the response has been sent.
func (l *Log) End(context.Context, *observe.Outcome) { _ = l.Add("Observer.End") }

// Log has the names of functions in the order in which they ran.
type Log struct {
	Names []string
	Fails map[string]error // what a function returns, by its name; nil for success

	mu sync.Mutex
}

// Add logs that a function runs, and returns the error that the function must return.
func (l *Log) Add(name string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.Names = append(l.Names, name)
	return l.Fails[name]
}
