// Package migration lets a program that would change its database return the plan of that instead, for flags of package
// cli.
package migration

import (
	"context"
	"errors"
	"time"
)

// Plan is a plan of store/sqlstore.
type Plan interface {
	// String describes the plan for people.
	String() string
	// Files returns migrations for a tool, goose or atlas, by name.
	Files(tool string, at time.Time) (map[string]string, error)
}

// ErrPlanned is returned instead of changing a database.
var ErrPlanned = errors.New("the database was only compared with the structs")

// Request asks a program for its plan.
type Request struct {
	// Plan is set by the first change of a database with the context; nil before.
	Plan Plan
}

// key is the context key of a request.
type key struct{}

// With returns a context for which databases do not change.
func (r *Request) With(ctx context.Context) context.Context {
	return context.WithValue(ctx, key{}, r)
}

// Of returns the request of a context, nil for none.
func Of(ctx context.Context) *Request {
	r, _ := ctx.Value(key{}).(*Request)
	return r
}
