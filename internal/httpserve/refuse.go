package httpserve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/execute"
	"github.com/trove-api/trove/internal/gate"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/internal/refusal"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/validation"
)

// refuse answers an error of any step. What is not meant for clients is logged, and
// answered without a word on its cause but the name of the incident, which the log has
// too.
// All errors end here, whichever step they are of: so none is told twice, or with words that are
// not for clients.
func (x *exchange) refuse(err error) {
	if x.varyRefused != nil {
		addField(x.w.Header(), "Vary", x.varyRefused)
	}
	err = x.tellRefused(err)
	refusal, violations := x.translate(err)
	if violations != nil {
		x.watch.failed(err, "")
		x.refuseWith(nil, violations)
		return
	}
	if refusal.Status >= http.StatusInternalServerError && x.isFault(err) {
		refusal.Incident = newIncident()
		x.log(err, refusal.Incident)
	}
	x.watch.failed(err, refusal.Incident)
	refusal.SetHeader(x.w.Header())
	x.refuseWith(refusal, nil)
}

// refuseWith sends a problem, or what is wrong with a body: as the format tells it that the
// client asked for, else as problem+json.
func (x *exchange) refuseWith(refusal *problem.Problem, violations *model.Report) {
	shape := x.op.Resource.Errors
	status := shape.Status()
	if refusal != nil {
		status = refusal.Status
	}
	var body []byte
	var length []string
	if refusal != nil {
		body, length = refusal.Append(x.buffers.answer[:0]), refusal.Length()
	} else {
		body = problem.AppendViolations(x.buffers.answer[:0], shape, violations)
	}
	body, types := x.tellRefusal(status, refusal, violations, body)
	x.status, x.begun, x.body = status, true, body
	if length == nil || types != nil { // no problem that was prepared, or not as JSON
		length = []string{strconv.Itoa(len(body))}
	}
	x.bytes += problem.Send(x.w, x.r, status, problem.Body{Text: body, Type: types, Length: length})
}

// newIncident names a failure.
func newIncident() string { return uuid.NewString() }

// translate finds the problem or the violations that an error stands for.
// The order matters where an error is of several kinds: what Trove has decided itself goes before
// what the user maps.
func (x *exchange) translate(err error) (*problem.Problem, *model.Report) {
	if err == store.ErrNotFound && x.op.API.MapError == nil { //nolint:errorlint // the plainest refusal, found without a search
		return x.missing(), nil
	}
	if own, ok := errors.AsType[*problem.Problem](err); ok {
		return own, nil
	}
	if refused, ok := errors.AsType[*execute.RefusedError](err); ok {
		return x.problemOfCall(refused), nil
	}
	if refused, ok := errors.AsType[*execute.ForbiddenError](err); ok {
		return x.problemOfForbidden(refused), nil
	}
	if x.isLate(err) {
		return unavailable("The operation took too long."), nil
	}
	if _, ok := errors.AsType[*unverifiedError](err); ok {
		return unavailable("The credentials cannot be checked for now."), nil
	}
	if own, ok := errors.AsType[execute.InvalidError](err); ok {
		return nil, own.Found
	}
	if x.op.API.MapError != nil {
		if mapped := x.op.API.MapError(err); mapped != nil {
			err = mapped
		}
	}
	if found, only := validation.Violations(err); only && len(found) > 0 {
		refused := new(model.Report)
		refused.AddOwn(found)
		return nil, refused
	}
	return x.problemOf(err), nil
}

// raise makes the problem of a refusal, with what it is about.
func raise(r refusal.Refusal, about ...any) *problem.Problem {
	return problem.New(r.Status(), r.Says(about...))
}

// problemOfCall makes the problem of a call that execution itself refuses.
func (x *exchange) problemOfCall(refused *execute.RefusedError) *problem.Problem {
	switch refused.Reason {
	case execute.Precondition:
		return x.preconditionFailed()
	case execute.Referred:
		return problem.New(http.StatusConflict, refused.Detail)
	case execute.NoParent:
		return problem.New(refusal.NotFound.Status(), refused.Detail)
	case execute.KeyUsed:
		return raise(refusal.KeyUsed)
	}
	malformed := problem.New(refusal.BadRequest.Status(), refused.Detail)
	if refused.Pointer != "" {
		malformed.Members = []problem.Member{{Name: "pointer", Value: refused.Pointer}}
	}
	return malformed
}

// What is left is unknown, and a client is told no more than that it failed.
func (x *exchange) problemOf(err error) *problem.Problem {
	if own, ok := errors.AsType[operation.Error](err); ok {
		return x.problemOfError(own)
	}
	if taken, ok := errors.AsType[store.UniqueError](err); ok {
		conflict := raise(refusal.Taken, strings.ReplaceAll(taken.Field, ",", " with "))
		// The store may be that of another resource, whose hook wrote: its members are not known here.
		field := x.op.Resource.Struct.Field(taken.Field)
		if field != nil && field.Hidden { // no client knows of it
			return problem.New(refusal.Taken.Status(), cmp.Or(field.Messages["unique"], "The change conflicts with another record."))
		}
		if field != nil && field.Messages["unique"] != "" {
			conflict.Detail = field.Messages["unique"]
		}
		name := taken.Field
		if at, ok := errors.AsType[*execute.PlacedError](err); ok {
			name = at.Place + "." + name
		}
		conflict.Members = []problem.Member{{Name: "field", Value: name}}
		return conflict
	}
	switch {
	case errors.Is(err, store.ErrNotFound):
		return x.missing()
	case errors.Is(err, store.ErrConflict):
		return raise(refusal.Conflict)
	case errors.Is(err, store.ErrUnavailable):
		return unavailable(refusal.Unavailable.Says())
	case x.isGivenUp(err):
		return unavailable("")
	}
	return raise(refusal.Failed)
}

// retryAfter is how many seconds a client is asked to wait (RFC 9110, section 10.2.3).
const retryAfter = "1"

// It is for what may be over in a moment, hence the second.
func unavailable(detail string) *problem.Problem {
	refused := problem.New(refusal.Unavailable.Status(), detail)
	refused.Header = []string{"Retry-After", retryAfter}
	return refused
}

// problemOfError makes the problem of a user's refusal. Its detail is not for clients
// where the server is at fault; 401 says how to sign in (RFC 9110, section 15.5.2).
func (x *exchange) problemOfError(e operation.Error) *problem.Problem {
	refusal := problem.Of(e)
	switch {
	case refusal.Status >= http.StatusInternalServerError:
		refusal.Detail = ""
	case refusal.Status == http.StatusUnauthorized:
		refusal.Header = x.challenges(nil)
	}
	return refusal
}

// isFault reports whether an error has a cause that somebody should know of. A problem of
// Trove's own, such as that there is too much to do, has none.
func (x *exchange) isFault(err error) bool {
	_, own := errors.AsType[*problem.Problem](err)
	return !own && !x.isGivenUp(err)
}

// isGivenUp reports whether a request failed since its client gave it up, or a middleware
// did after the time that it gives each, which is nobody's fault.
func (x *exchange) isGivenUp(err error) bool {
	ctx := x.r.Context()
	return ctx.Err() != nil && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Cause(ctx)))
}

// isLate reports whether a request failed since its time was over: that of the operation, or
// that of a middleware. A deadline that a hook or a store sets itself is not the request's.
func (x *exchange) isLate(err error) bool {
	if errors.Is(x.r.Context().Err(), context.DeadlineExceeded) {
		return x.isGivenUp(err)
	}
	return !x.ends.IsZero() && !time.Now().Before(x.ends) && errors.Is(err, context.DeadlineExceeded)
}

// log writes what the answer does not tell the client.
func (x *exchange) log(err error, incident string) {
	x.op.API.Logger.LogAttrs(x.r.Context(), slog.LevelError, "operation failed",
		append(x.logged(incident), slog.String("error", x.redact(err.Error())))...)
}

// redact takes the credentials of the request out of a text for logs, which an error of a user's
// function may have in it.
func (x *exchange) redact(text string) string {
	if x.secret == "" {
		return text
	}
	return strings.ReplaceAll(text, x.secret, "…")
}

// tellRefused logs why a rule of access refuses the request, which no answer says. A record that
// is hidden is missing from there on.
// At the level of information: to be refused is no fault of the service's, but whoever writes the
// rules wants to see which one it was.
func (x *exchange) tellRefused(err error) error {
	if err == store.ErrNotFound { //nolint:errorlint // the plainest refusal, found without a search
		return err
	}
	var why *gate.Refusal
	forbidden, isForbidden := errors.AsType[*execute.ForbiddenError](err)
	hidden, isHidden := errors.AsType[*execute.HiddenError](err)
	switch {
	case isForbidden:
		why = &forbidden.Refusal
	case isHidden:
		why, err = &hidden.Refusal, store.ErrNotFound
	default:
		return err
	}
	if logger := x.op.API.Logger; logger.Enabled(x.r.Context(), slog.LevelInfo) {
		logger.LogAttrs(x.r.Context(), slog.LevelInfo, "access refused",
			append(x.logged("")[1:], slog.String("rule", why.Rule), slog.String("because", why.Because))...)
	}
	return err
}

// logged says which request a log entry is about.
// By the template of the path: a path itself may hold what is nobody's business in a log.
func (x *exchange) logged(incident string) []slog.Attr {
	attributes := []slog.Attr{
		slog.String("incident", incident),
		slog.String("operation", x.op.ID),
		slog.String("method", x.r.Method),
		slog.String("path", x.op.Path()),
	}
	if id := x.op.API.RequestID(x.r); id != "" {
		attributes = append(attributes, slog.String("request_id", id))
	}
	return attributes
}

// tellRefusal writes a refusal in the format that the client asked for. It returns the JSON of
// it where the client has asked for none yet, the format leaves refusals to problem+json, or
// fails: a refusal is told in any case.
// The query is the one that was sent, not its translation: a client knows no other.
func (x *exchange) tellRefusal(status int, refusal *problem.Problem, violations *model.Report, text []byte) (body []byte, types []string) {
	if !x.negotiated && x.hasErrors { // who asks is refused before, in the format asked for all the same
		_ = negotiateType(x.r.Context(), x) // 406 is not what is told here
	}
	if !x.negotiated || x.format.Refuse == nil {
		return text, nil
	}
	defer func() {
		if cause := recover(); cause != nil {
			x.logPanic(cause, newIncident())
			body, types = text, nil
		}
	}()
	x.writeLeads(x.w.Header())
	told := format.Refusal{
		Status: status, JSON: text, Body: x.op.Told, Resource: x.op.Resource.ShortName, Parameters: x.op.Asked, Query: x.r.URL.RawQuery,
	}
	if x.translated {
		told.Query = x.query
	}
	if refusal != nil {
		refusal.Tell(&told)
	} else {
		problem.TellViolations(&told, violations)
	}
	body, err := x.format.Refuse(nil, &told)
	if err != nil {
		x.log(err, newIncident())
		return text, nil
	}
	return body, x.format.RefusalTypes
}

// refusePanic answers a panic of a hook, handler, store or encoder like an error. A response that has begun is broken off,
// which every client of HTTP notices.
func (x *exchange) refusePanic(cause any) {
	// A user function wants the connection dropped. There is no fault to log.
	if cause == http.ErrAbortHandler { //nolint:errorlint // net/http compares it so
		panic(cause) //nolint:forbidigo // asks net/http to drop the connection
	}
	incident := newIncident()
	x.logPanic(cause, incident)
	x.watch.failed(fmt.Errorf("panic: %v", cause), incident)
	if x.begun {
		panic(http.ErrAbortHandler) //nolint:forbidigo // asks net/http to break off the response
	}
	refusal := problem.New(http.StatusInternalServerError, "")
	refusal.Incident = incident
	x.refuseWith(refusal, nil)
}

// redactCause takes the credentials of the request out of what was panicked with.
func (x *exchange) redactCause(cause any) any {
	if x.secret == "" {
		return cause
	}
	return x.redact(fmt.Sprint(cause))
}

// logPanic writes what the answer does not tell the client.
// With the stack, as it is the only thing that tells where a function of the user's went wrong.
func (x *exchange) logPanic(cause any, incident string) {
	x.op.API.Logger.LogAttrs(x.r.Context(), slog.LevelError, "operation panicked",
		append(x.logged(incident), slog.Any("panic", x.redactCause(cause)), slog.String("stack", string(debug.Stack())))...)
}
