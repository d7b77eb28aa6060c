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
	"github.com/trove-api/trove/internal/failure"
	"github.com/trove-api/trove/internal/gate"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/validation"
)

// refuse sends the response of an error. All errors of all steps end here, so that none is sent twice, or with words that are
// not for clients. The cause of a fault is only logged, under the incident that the response names.
func (x *exchange) sendError(err error) {
	if x.varyErrors != nil {
		addField(x.w.Header(), "Vary", x.varyErrors)
	}
	err = x.logDenied(err)
	refusal, violations := x.translate(err)
	if violations != nil {
		x.watch.failed(err, "")
		x.sendProblem(nil, violations)
		return
	}
	if refusal.Status >= http.StatusInternalServerError && x.isFault(err) {
		refusal.Incident = newIncident()
		x.log(err, refusal.Incident)
	}
	x.watch.failed(err, refusal.Incident)
	refusal.SetHeader(x.w.Header())
	x.sendProblem(refusal, nil)
}

// sendProblem sends a problem, or what is wrong with a body: in the format that the client wants, else as problem+json.
func (x *exchange) sendProblem(refusal *problem.Problem, violations *model.Report) {
	var status int
	var body []byte
	var length []string
	if refusal != nil {
		status, body, length = refusal.Status, refusal.Append(x.buffers.answer[:0]), refusal.Length()
	} else {
		shape := x.op.Resource.Errors
		status, body = shape.Status(), problem.AppendViolations(x.buffers.answer[:0], shape, violations)
	}
	body, types := x.inFormat(status, refusal, violations, body)
	x.status, x.begun, x.body = status, true, body
	if length == nil || types != nil { // no problem that was prepared, or not as JSON
		length = []string{strconv.Itoa(len(body))}
	}
	x.bytes += problem.Send(x.w, x.r, status, problem.Body{Text: body, Type: types, Length: length})
}

// translate finds the problem or the violations that an error stands for. If an error is of several kinds, what Trove has
// decided itself takes precedence over what MapError returns.
func (x *exchange) translate(err error) (*problem.Problem, *model.Report) {
	if err == store.ErrNotFound && x.op.API.MapError == nil { //nolint:errorlint // the most common error, found without a search
		return x.missing(), nil
	}
	if own, ok := errors.AsType[*problem.Problem](err); ok {
		return own, nil
	}
	if refused, ok := errors.AsType[*execute.RejectedError](err); ok {
		return x.problemOfCall(refused), nil
	}
	if refused, ok := errors.AsType[*execute.ForbiddenError](err); ok {
		return x.problemOfForbidden(refused), nil
	}
	if x.isLate(err) {
		return unavailable("The operation took too long. Try again later."), nil
	}
	if _, ok := errors.AsType[*unverifiedError](err); ok {
		return unavailable("The credentials cannot be verified right now. Try again later."), nil
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
func problemOfKind(r failure.Kind, about ...any) *problem.Problem {
	return problem.New(r.Status(), r.Detail(about...))
}

// problemOfCall makes the problem of a call that execution itself rejects.
func (x *exchange) problemOfCall(refused *execute.RejectedError) *problem.Problem {
	switch refused.Reason {
	case execute.Precondition:
		return x.preconditionFailed()
	case execute.Referred:
		return problem.New(http.StatusConflict, refused.Detail)
	case execute.NoParent:
		return problem.New(failure.NotFound.Status(), refused.Detail)
	case execute.KeyUsed:
		return problemOfKind(failure.KeyReused)
	}
	malformed := problem.New(failure.BadRequest.Status(), refused.Detail)
	if refused.Pointer != "" {
		malformed.Members = []problem.Member{{Name: "pointer", Value: refused.Pointer}}
	}
	return malformed
}

// problemOf makes the problem of an error of user code or of a store. The response to an unknown one says only that the
// request failed.
func (x *exchange) problemOf(err error) *problem.Problem {
	if own, ok := errors.AsType[operation.Error](err); ok {
		refusal := problem.Of(own)
		switch {
		case refusal.Status >= http.StatusInternalServerError:
			refusal.Detail = ""
		case refusal.Status == http.StatusUnauthorized: // says how to sign in (RFC 9110, section 15.5.2)
			refusal.Header = x.challenges(nil)
		}
		return refusal
	}
	if taken, ok := errors.AsType[store.UniqueError](err); ok {
		return x.problemOfTaken(taken, err)
	}
	switch {
	case errors.Is(err, store.ErrNotFound):
		return x.missing()
	case errors.Is(err, store.ErrConflict):
		return problemOfKind(failure.Conflict)
	case errors.Is(err, store.ErrUnavailable):
		return unavailable(failure.Unavailable.Detail())
	case x.isGivenUp(err):
		return unavailable("")
	}
	return problemOfKind(failure.Internal)
}

// problemOfTaken makes the problem of a value that another record has. The field is unknown here if a hook wrote to the store
// of another resource; no response names one that is hidden.
func (x *exchange) problemOfTaken(taken store.UniqueError, err error) *problem.Problem {
	field, message := x.op.Resource.Struct.Field(taken.Field), ""
	if field != nil {
		message = field.Messages["unique"]
	}
	if field != nil && field.Hidden {
		return problem.New(failure.Taken.Status(), cmp.Or(message, "The change conflicts with another record."))
	}
	what := taken.Field
	if fields := strings.Split(what, ","); len(fields) > 1 {
		what = "The combination of " + strings.Join(fields, " and ")
	}
	conflict := problemOfKind(failure.Taken, what)
	conflict.Detail = cmp.Or(message, conflict.Detail)
	name := taken.Field
	if at, ok := errors.AsType[*execute.PlacedError](err); ok {
		name = at.Place + "." + name
	}
	conflict.Members = []problem.Member{{Name: "field", Value: name}}
	return conflict
}

// unavailable makes the problem of what may work in a second, after which clients are asked to try again (RFC 9110, section
// 10.2.3).
func unavailable(detail string) *problem.Problem {
	refused := problem.New(failure.Unavailable.Status(), detail)
	refused.Header = []string{"Retry-After", "1"}
	return refused
}

// isFault reports whether an error has a cause that must be known. A problem of Trove's own, such as too much load, has none.
func (x *exchange) isFault(err error) bool {
	_, own := errors.AsType[*problem.Problem](err)
	return !own && !x.isGivenUp(err)
}

// isGivenUp reports whether a request failed because its client, or a middleware with a time limit, gave it up, which is
// nobody's fault.
func (x *exchange) isGivenUp(err error) bool {
	ctx := x.r.Context()
	return ctx.Err() != nil && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Cause(ctx)))
}

// isLate reports whether a request failed because the time of its operation, or that of a middleware, was over. A deadline that
// a hook or a store sets itself is not the request's.
func (x *exchange) isLate(err error) bool {
	if errors.Is(x.r.Context().Err(), context.DeadlineExceeded) {
		return x.isGivenUp(err)
	}
	return !x.ends.IsZero() && !time.Now().Before(x.ends) && errors.Is(err, context.DeadlineExceeded)
}

// inFormat writes an error in the format that the client wants. It returns the JSON if the client wants none, the format leaves
// errors to problem+json, or fails: an error is sent in any case.
func (x *exchange) inFormat(status int, refusal *problem.Problem, violations *model.Report, text []byte) (body []byte, types []string) {
	if !x.negotiated && x.hasErrors { // an error of an earlier step is in the requested format all the same
		_ = negotiateType(x.r.Context(), x) // 406 is not what is sent here
	}
	if !x.negotiated || x.format.WriteError == nil {
		return text, nil
	}
	defer func() {
		if cause := recover(); cause != nil {
			x.logPanic(cause, newIncident())
			body, types = text, nil
		}
	}()
	x.writeLeads(x.w.Header())
	data := format.ErrorResponse{
		Status: status, JSON: text, Body: x.op.Told, Resource: x.op.Resource.ShortName, Parameters: x.op.Asked, Query: x.r.URL.RawQuery,
	}
	if x.translated { // clients know only the query that was sent
		data.Query = x.query
	}
	if refusal != nil {
		refusal.Tell(&data)
	} else {
		problem.TellViolations(&data, violations)
	}
	body, err := x.format.WriteError(nil, &data)
	if err != nil {
		x.log(err, newIncident())
		return text, nil
	}
	return body, x.format.RefusalTypes
}

// handlePanic answers a panic of a hook, handler, store or encoder like an error. A response that has begun is broken off,
// which every client of HTTP notices.
func (x *exchange) handlePanic(cause any) {
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
	x.sendProblem(refusal, nil)
}

// newIncident names a failure.
func newIncident() string { return uuid.NewString() }

// log writes what the response does not tell the client.
func (x *exchange) log(err error, incident string) {
	x.op.API.Logger.LogAttrs(x.r.Context(), slog.LevelError, "operation failed",
		append(x.logged(incident), slog.String("error", x.redact(err.Error())))...)
}

// logPanic writes what the response does not tell the client, with the stack, which alone shows where user code went wrong.
func (x *exchange) logPanic(cause any, incident string) {
	if x.secret != "" {
		cause = x.redact(fmt.Sprint(cause))
	}
	x.op.API.Logger.LogAttrs(x.r.Context(), slog.LevelError, "operation panicked",
		append(x.logged(incident), slog.Any("panic", cause), slog.String("stack", string(debug.Stack())))...)
}

// logDenied logs why a rule denies the request, which no response says, and returns the error without a hidden record, which
// is missing from here on. The level is Info, because a denial is not a fault.
func (x *exchange) logDenied(err error) error {
	if err == store.ErrNotFound { //nolint:errorlint // the most common error, found without a search
		return err
	}
	var why *gate.Denial
	if forbidden, ok := errors.AsType[*execute.ForbiddenError](err); ok {
		why = &forbidden.Denial
	} else if hidden, ok := errors.AsType[*execute.HiddenError](err); ok {
		why, err = &hidden.Denial, store.ErrNotFound
	} else {
		return err
	}
	if logger := x.op.API.Logger; logger.Enabled(x.r.Context(), slog.LevelInfo) {
		logger.LogAttrs(x.r.Context(), slog.LevelInfo, "access denied",
			append(x.logged("")[1:], slog.String("rule", why.Rule), slog.String("because", why.Because))...)
	}
	return err
}

// redact removes the credentials of the request from a string for logs, which an error of a user function may have in it.
func (x *exchange) redact(text string) string {
	if x.secret == "" {
		return text
	}
	return strings.ReplaceAll(text, x.secret, "…")
}

// logged says which request a log entry is about, by the template of the path, because a path may hold private data.
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
