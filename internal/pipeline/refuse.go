package pipeline

import (
	"context"
	"errors"
	"net/http"
	"runtime/debug"

	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/validation"
)

// refuse answers an error of any step. What is not meant for clients is logged and
// answered 500 without a word on its cause.
func (x *exchange) refuse(err error) {
	if x.op.Answers() {
		x.w.Header().Set("Vary", "Accept")
	}
	refusal, violations := x.translate(err)
	if violations != nil {
		shape := x.op.Resource.Errors
		problem.Send(x.w, x.r, shape.Status(), problem.AppendViolations(nil, shape, violations))
		return
	}
	if refusal.Status >= http.StatusInternalServerError {
		x.log(err)
	}
	refusal.Write(x.w, x.r)
}

// translate finds the problem or the violations that an error stands for.
func (x *exchange) translate(err error) (*problem.Problem, []validation.Violation) {
	if own, ok := errors.AsType[*problem.Problem](err); ok {
		return own, nil
	}
	if own, ok := errors.AsType[invalid](err); ok {
		return nil, own
	}
	if mapped := x.op.API.MapError(err); mapped != nil {
		err = mapped
	}
	if found, only := validation.Violations(err); only && len(found) > 0 {
		return nil, found
	}
	return x.problemOf(err), nil
}

func (x *exchange) problemOf(err error) *problem.Problem {
	if refusal, ok := errors.AsType[operation.Error](err); ok {
		return problemOfError(refusal)
	}
	if taken, ok := errors.AsType[store.UniqueError](err); ok {
		return problem.New(http.StatusConflict, taken.Field+" is taken already by another record.",
			problem.Member{Name: "field", Value: taken.Field})
	}
	switch {
	case errors.Is(err, store.ErrNotFound):
		return problem.New(http.StatusNotFound, "There is no such "+x.op.Resource.ShortName+".")
	case errors.Is(err, store.ErrConflict):
		return problem.New(http.StatusConflict, "The change conflicts with another one. Read the record again and try once more.")
	case errors.Is(err, store.ErrUnavailable):
		return unavailable("The records cannot be reached for now.")
	case errors.Is(err, context.Canceled) && x.r.Context().Err() != nil:
		return unavailable("")
	}
	return problem.New(http.StatusInternalServerError, "")
}

// retryAfter is how many seconds a client is asked to wait (RFC 9110, section 10.2.3).
const retryAfter = "1"

func unavailable(detail string) *problem.Problem {
	refusal := problem.New(http.StatusServiceUnavailable, detail)
	refusal.Header = []string{"Retry-After", retryAfter}
	return refusal
}

// problemOfError makes the problem of a user's refusal. Its detail is not for clients
// where the server is at fault.
func problemOfError(e operation.Error) *problem.Problem {
	if e.Status < http.StatusBadRequest || e.Status > 599 {
		e.Status = http.StatusInternalServerError
	}
	if e.Status >= http.StatusInternalServerError {
		e.Detail = ""
	}
	return &problem.Problem{Type: e.Type, Title: e.Title, Status: e.Status, Detail: e.Detail}
}

// log writes what a 5xx does not tell the client. A request that its client gave up is
// not worth a line.
func (x *exchange) log(err error) {
	if x.r.Context().Err() != nil && errors.Is(err, context.Canceled) {
		return
	}
	x.op.API.Logger.ErrorContext(x.r.Context(), "operation failed",
		"operation", x.op.ID, "method", x.r.Method, "path", x.op.Path(), "error", err.Error())
}

// recoverPanic answers a panic of a hook, handler or store like an error.
func (x *exchange) recoverPanic() {
	cause := recover()
	if cause == nil {
		return
	}
	if cause == http.ErrAbortHandler { //nolint:errorlint // net/http compares it so
		panic(cause) //nolint:forbidigo // asks net/http to drop the connection
	}
	x.op.API.Logger.ErrorContext(x.r.Context(), "operation panicked",
		"operation", x.op.ID, "method", x.r.Method, "path", x.op.Path(), "panic", cause, "stack", string(debug.Stack()))
	problem.New(http.StatusInternalServerError, "").Write(x.w, x.r)
}
