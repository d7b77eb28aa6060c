package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/validation"
)

// sendError sends the response of an error. All steps use it, so that no error is sent twice or with internal details. The
// cause of a failure is only logged, with the incident that the response names.
func (c *call) sendError(err error) {
	if c.op.varyErrors != nil {
		addField(c.w.Header(), "Vary", c.op.varyErrors)
	}
	err = c.logDenied(err)
	p, violations := c.translate(err)
	if violations != nil {
		c.watch.failed(err, "")
		c.sendProblem(nil, violations)
		return
	}
	_, isOwn := errors.AsType[*problem.Problem](err) // such as overload, which has no cause
	if p.Status >= http.StatusInternalServerError && !isOwn && !isGivenUp(c.r, err) {
		p.Incident = newIncident()
		c.log(err, p.Incident)
	}
	switch {
	case p.Status == http.StatusTooManyRequests: // a client has tried too often, such as to guess a password
		c.op.logAt(c.r, slog.LevelInfo, "access denied", "", slog.String("because", c.redact(p.Error())))
	case p.Status == http.StatusConflict && errors.Is(err, store.ErrConstraint): // a validation rule should reject it first
		c.op.logAt(c.r, slog.LevelWarn, "constraint violated", "", slog.String("error", c.redact(err.Error())))
	}
	c.watch.failed(err, p.Incident)
	p.SetHeader(c.w.Header())
	c.sendProblem(p, nil)
}

// sendProblem sends a problem or violations, in the format that the client wants, else as problem+json.
func (c *call) sendProblem(p *problem.Problem, violations *model.Report) {
	var status int
	var body []byte
	var length []string
	if p != nil {
		status, body, length = p.Status, p.Append(c.buffers.response[:0]), p.Length()
	} else {
		shape := c.op.Resource.Errors
		status, body = shape.Status(), problem.AppendViolations(c.buffers.response[:0], shape, violations)
	}
	body, types := c.inFormat(status, p, violations, body)
	c.status, c.begun, c.response = status, true, body
	if length == nil || types != nil { // not prepared, or not JSON
		length = []string{strconv.Itoa(len(body))}
	}
	c.bytes += problem.Send(c.w, c.r, status, problem.Body{Text: body, Type: types, Length: length})
}

// translate returns the problem or the violations of an error. Trove's own errors take precedence over the result of MapError.
func (c *call) translate(err error) (*problem.Problem, *model.Report) {
	if err == store.ErrNotFound && c.op.API.MapError == nil { //nolint:errorlint // the most common error, found without a search
		return c.op.missing(), nil
	}
	if own, ok := errors.AsType[*problem.Problem](err); ok {
		return own, nil
	}
	if refused, ok := errors.AsType[*forbiddenError](err); ok {
		return c.op.problemOfForbidden(c.r, refused), nil
	}
	if isLate(c.r, c.ends, err) {
		return unavailable("The operation took too long. Try again later."), nil
	}
	if _, ok := errors.AsType[*unverifiedError](err); ok {
		return unavailable("The credentials cannot be verified right now. Try again later."), nil
	}
	if own, ok := errors.AsType[invalidError](err); ok {
		return nil, own.found
	}
	if c.op.API.MapError != nil {
		if mapped := c.op.API.MapError(err); mapped != nil {
			err = mapped
		}
	}
	if found, only := validation.Violations(err); only && len(found) > 0 {
		refused := new(model.Report)
		refused.Add(found...)
		return nil, refused
	}
	return c.problemOf(err), nil
}

// problemOfKind returns the problem of a kind of error.
func problemOfKind(r problem.Kind, about ...any) *problem.Problem {
	return problem.New(r.Status(), r.Detail(about...))
}

// problemOf returns the problem of an error of user code or of a store. That of an unknown error has no detail.
func (c *call) problemOf(err error) *problem.Problem {
	if own, ok := errors.AsType[operation.Error](err); ok {
		p := problem.Of(own)
		switch {
		case p.Status >= http.StatusInternalServerError:
			p.Detail = ""
		case p.Status == http.StatusUnauthorized: // with challenges (RFC 9110, section 15.5.2)
			p.Header = append(p.Header, c.op.challenges(c.r, nil)...)
		}
		return p
	}
	if taken, ok := errors.AsType[store.UniqueError](err); ok {
		return c.problemOfTaken(taken, err)
	}
	if broken, ok := errors.AsType[store.ConstraintError](err); ok {
		return c.problemOfBroken(broken, err)
	}
	if _, ok := errors.AsType[store.ReferenceError](err); ok { // of a table of user code, or of a field that clients cannot set
		return problem.New(problem.Conflict.Status(), conflicts)
	}
	switch {
	case errors.Is(err, store.ErrNotFound):
		return c.op.missing()
	case errors.Is(err, store.ErrConstraint):
		return problem.New(problem.Conflict.Status(), "The change conflicts with a rule of the database.")
	case errors.Is(err, store.ErrConflict):
		return problemOfKind(problem.Conflict)
	case errors.Is(err, store.ErrUnavailable):
		return unavailable(problem.Unavailable.Detail())
	case isGivenUp(c.r, err):
		return unavailable("")
	}
	return problemOfKind(problem.Internal)
}

// conflicts is the detail of a conflict whose fields a response cannot name.
const conflicts = "The change conflicts with another record."

// problemOfTaken returns the problem of a value that must be unique. The field may be that of another resource, if a hook wrote
// to its store.
func (c *call) problemOfTaken(taken store.UniqueError, err error) *problem.Problem {
	by := c.saving(err)
	fields, message := strings.Split(taken.Field, ","), ""
	if f := by.op.Resource.Struct.Field(taken.Field); f != nil {
		message = f.Messages["unique"]
	}
	what := taken.Field
	switch {
	case slices.ContainsFunc(fields, func(name string) bool { return !by.mayName(by.op.Resource, name) }):
		return problem.New(problem.Taken.Status(), cmp.Or(message, conflicts))
	case len(fields) > 1:
		what = "The combination of " + strings.Join(fields, " and ")
	}
	return problem.New(problem.Taken.Status(), cmp.Or(message, problem.Taken.Detail(what)), problem.Field{Name: "field", Value: placeOf(err) + taken.Field})
}

// problemOfBroken returns the problem of a broken constraint.
func (c *call) problemOfBroken(broken store.ConstraintError, err error) *problem.Problem {
	of, by := c.op.Resource, c.saving(err)
	isBroken := func(b *model.RecordConstraint) bool {
		return b.Broken.Message == broken.Message && slices.Equal(b.Broken.Fields, broken.Fields)
	}
	isNamed := false
	for _, r := range append([]*compiled.Resource{by.op.Resource}, c.op.API.Resources...) {
		if i := slices.IndexFunc(r.Struct.Constraints, isBroken); i >= 0 {
			of, isNamed = r, r.Struct.Constraints[i].Named
			break
		}
	}
	names := make([]string, 0, len(broken.Fields))
	for _, name := range broken.Fields {
		if by.mayName(of, name) {
			names = append(names, placeOf(err)+name)
		}
	}
	p := problem.New(problem.Taken.Status(), cmp.Or(broken.Message, conflicts))
	if isNamed && len(names) < len(broken.Fields) {
		p.Detail = conflicts
	}
	if len(names) > 0 {
		p.Fields = []problem.Field{{Name: "fields", Value: names}}
	}
	return p
}

// saving returns the call that an error is of: that of an element of the body, or the call itself.
func (c *call) saving(err error) *call {
	if at, ok := errors.AsType[*placedError](err); ok && at.by != nil {
		return at.by
	}
	return c
}

// mayName reports whether an error may have the name of a field of a resource's records: the caller can see it in some record,
// or has sent it. A field of another resource, which functions of the user have saved, cannot be checked.
func (c *call) mayName(of *compiled.Resource, name string) bool {
	f := of.Struct.Field(name)
	switch {
	case f != nil && f.Hidden:
		return false
	case f == nil || !c.op.API.Ruled:
		return !c.op.API.Ruled
	}
	c.identify(c.r.Context())
	return c.op.API.Shows(&c.caller, of, name) ||
		of == c.op.Resource && c.op.TakesBody() && !c.op.Custom && slices.Contains(c.sent(), name)
}

// placeOf returns what the names of fields in an error begin with: "[1].", or "".
func placeOf(err error) string {
	if at, ok := errors.AsType[*placedError](err); ok && at.Place != "" {
		return at.Place + "."
	}
	return ""
}

// unavailable returns a 503 with a Retry-After of one second (RFC 9110, section 10.2.3).
func unavailable(detail string) *problem.Problem {
	p := problem.New(problem.Unavailable.Status(), detail)
	p.Header = []string{"Retry-After", "1"}
	return p
}

// isGivenUp reports whether a request failed because its client or a middleware with a timeout canceled it.
func isGivenUp(r *http.Request, err error) bool {
	ctx := r.Context()
	return ctx.Err() != nil && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Cause(ctx)))
}

// isLate reports whether a request failed because of the timeout of its operation or of a middleware. Deadlines that a hook or
// a store sets do not count.
func isLate(r *http.Request, ends time.Time, err error) bool {
	if errors.Is(r.Context().Err(), context.DeadlineExceeded) {
		return isGivenUp(r, err)
	}
	return !ends.IsZero() && !time.Now().Before(ends) && errors.Is(err, context.DeadlineExceeded)
}

// inFormat writes an error in the format that the client wants. It returns the JSON if the client wants none, or if the format
// does not write errors or fails.
func (c *call) inFormat(status int, p *problem.Problem, violations *model.Report, text []byte) (body []byte, types []string) {
	if !c.negotiated && c.op.hasErrors { // errors of earlier steps also have the requested format
		_ = negotiateType(c.r.Context(), c) // 406 is not what is sent here
	}
	if !c.negotiated || c.format.WriteError == nil {
		return text, nil
	}
	defer func() {
		if cause := recover(); cause != nil {
			c.logPanic(cause, newIncident())
			body, types = text, nil
		}
	}()
	c.writeLeads(c.w.Header())
	data := format.ErrorResponse{
		Status: status, JSON: text, Body: c.op.FormatBody, Resource: c.op.Resource.ShortName, Parameters: c.parameters(), Query: c.r.URL.RawQuery,
	}
	if c.translated { // clients know only the query that was sent
		data.Query = c.query
	}
	if p != nil {
		p.Describe(&data)
	} else {
		problem.DescribeViolations(&data, violations)
	}
	body, err := c.format.WriteError(nil, &data)
	if err != nil {
		c.log(err, newIncident())
		return text, nil
	}
	return body, c.format.RefusalTypes
}

// handlePanic responds to a panic of a hook, handler, store or encoder with 500. It aborts a response that has begun, which
// every HTTP client notices.
func (c *call) handlePanic(cause any) {
	// A user function wants the connection dropped. There is no fault to log.
	if cause == http.ErrAbortHandler { //nolint:errorlint // net/http compares it so
		panic(cause) //nolint:forbidigo // asks net/http to drop the connection
	}
	incident := newIncident()
	c.logPanic(cause, incident)
	c.watch.failed(fmt.Errorf("panic: %v", cause), incident)
	if c.begun {
		panic(http.ErrAbortHandler) //nolint:forbidigo // asks net/http to abort the response
	}
	p := problem.New(problem.Internal.Status(), "")
	p.Incident = incident
	c.sendProblem(p, nil)
}

// newIncident returns a new incident, which identifies a failure in the log and in the response.
func newIncident() string { return uuid.NewString() }

// log logs the cause of a failure.
func (c *call) log(err error, incident string) {
	c.op.logAt(c.r, slog.LevelError, "operation failed", incident, slog.String("error", c.redact(err.Error())))
}

// logPanic logs a panic with its stack.
func (c *call) logPanic(cause any, incident string) {
	if c.secret != "" {
		cause = c.redact(fmt.Sprint(cause))
	}
	c.op.logAt(c.r, slog.LevelError, "operation panicked", incident, slog.Any("panic", cause), slog.String("stack", string(debug.Stack())))
}

// logDenied logs why a rule denies the request, which responses never contain. It returns the error, with store.ErrNotFound for
// a hidden record. The level is Info, because a denial is not a failure.
func (c *call) logDenied(err error) error {
	if err == store.ErrNotFound { //nolint:errorlint // the most common error, found without a search
		return err
	}
	var why *authz.Denial
	if forbidden, ok := errors.AsType[*forbiddenError](err); ok {
		why = &forbidden.Denial
	} else if hidden, ok := errors.AsType[*hiddenError](err); ok {
		why, err = &hidden.Denial, store.ErrNotFound
	} else {
		return err
	}
	c.op.logAt(c.r, slog.LevelInfo, "access denied", "", slog.String("rule", why.Rule), slog.String("because", why.Because))
	return err
}

// redact removes the credentials of the request from a string for logs.
func (c *call) redact(text string) string {
	if c.secret == "" {
		return text
	}
	return strings.ReplaceAll(text, c.secret, "…")
}

// logAt logs a message with attributes that identify the request, and an incident unless it is "". It logs the template of
// the path, because a path may contain private data.
func (o *Operation) logAt(r *http.Request, level slog.Level, message, incident string, about ...slog.Attr) {
	ctx, logger := r.Context(), o.API.Logger
	if !logger.Enabled(ctx, level) {
		return
	}
	var attributes []slog.Attr
	if incident != "" {
		attributes = append(attributes, slog.String("incident", incident))
	}
	attributes = append(attributes, slog.String("operation", o.ID), slog.String("method", r.Method), slog.String("path", cmp.Or(o.Path(), r.Pattern)))
	if id := o.API.RequestID(r); id != "" {
		attributes = append(attributes, slog.String("request_id", id))
	}
	logger.LogAttrs(ctx, level, message, append(attributes, about...)...)
}

// malformed returns the problem of a body that is not the JSON of a record, at a place of the body or "".
func malformed(err error, place string) error {
	found, ok := errors.AsType[*codec.SyntaxError](err)
	if !ok {
		return err
	}
	p := problem.New(problem.BadRequest.Status(), naming.Sentence(found.Detail))
	pointer := found.Pointer
	if place != "" {
		pointer = "/" + strings.Trim(place, "[]") + pointer
	}
	if pointer != "" {
		p.Fields = []problem.Field{{Name: "pointer", Value: pointer}}
	}
	return p
}

// tooMuchEmbedded returns the problem of a response that exceeds the budget of embedded records. What is the unit of the
// limit: "embedded records".
func tooMuchEmbedded(limit int64, what string) *problem.Problem {
	return problem.New(problem.BadRequest.Status(), problem.TooMuchEmbedded.Detail(limit, what))
}

// invalidError is the error of an invalid body, with all violations.
type invalidError struct{ found *model.Report }

func (invalidError) Error() string { return "the body is invalid" }

// placedError is the error of one element of a list in a body.
type placedError struct {
	Place string // "[1]", "lines[1]"

	by  *call // that saves the element; nil for the whole call
	err error
}

func (e *placedError) Error() string {
	if e.Place == "" {
		return e.err.Error()
	}
	return e.Place + ": " + e.err.Error()
}

// Unwrap returns the error without its place.
func (e *placedError) Unwrap() error { return e.err }

// placed adds the place of a list element to its error, unless the place is "".
func placed(err error, place string) error {
	if err == nil || place == "" {
		return err
	}
	if broken, ok := errors.AsType[invalidError](err); ok {
		var all model.Report
		addBelow(&all, broken.found, place)
		return invalid(&all, nil)
	}
	if reported, only := validation.Violations(err); only && len(reported) > 0 {
		var own, all model.Report
		own.Add(reported...)
		addBelow(&all, &own, place)
		return invalid(&all, nil)
	}
	if forbidden, ok := errors.AsType[*forbiddenError](err); ok {
		at := *forbidden
		at.Place = place
		return &at
	}
	return &placedError{place, nil, err}
}

// addBelow adds the violations of an element to those of the body.
func addBelow(all, of *model.Report, place string) {
	for i := range of.Violations {
		v := of.Violations[i].Violation
		switch {
		case place == "":
		case v.Field == "":
			v.Field = place
		case strings.HasPrefix(v.Field, "["):
			v.Field = place + v.Field
		default:
			v.Field = place + "." + v.Field
		}
		all.Add(v)
	}
	all.More += of.More
}
