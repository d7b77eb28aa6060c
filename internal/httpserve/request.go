package httpserve

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/trove-api/trove/internal/conditional"
	"github.com/trove-api/trove/internal/negotiate"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/internal/uritemplate"
	"github.com/trove-api/trove/store"
)

// negotiateType chooses the format of the response: by the suffix of the path, else by Accept.
func negotiateType(_ context.Context, x *exchange) error {
	if x.suffix != "" {
		return x.chooseBySuffix()
	}
	if !x.answers && !x.hasErrors {
		return nil
	}
	offers := x.offers
	var means negotiate.Means
	if x.hasRanges {
		means = x.means
	}
	chosen, ok := negotiate.Accept(x.r.Header["Accept"], offers, means)
	if !ok && !x.answers {
		return nil // Accept only concerns errors, which every client must accept
	}
	if !ok {
		refused := problemOfKind(problem.NotAcceptable, strings.Join(offers, ", "))
		refused.Fields = []problem.Field{{Name: "supported", Value: offers}}
		return refused
	}
	for _, f := range x.op.Formats {
		if f.MediaType == chosen {
			x.format, x.negotiated = f, true
			break
		}
	}
	return nil
}

// means reports whether a media range with parameters matches the format of a media type. The format decides, because only it
// knows profiles.
func (x *exchange) means(mediaType string, parameters map[string]string) bool {
	for _, f := range x.op.Formats {
		if f.MediaType == mediaType && f.Supports != nil {
			return f.Supports(parameters)
		}
	}
	return true
}

// chooseBySuffix chooses the format by the suffix of the path. The suffix of an unsupported format returns 404, not 406, because
// that path does not exist.
func (x *exchange) chooseBySuffix() error {
	for _, f := range x.op.Formats {
		if x.op.Suffix && f.Suffix == x.suffix {
			x.format, x.negotiated = f, true
			return nil
		}
	}
	return problemOfKind(problem.NoPath)
}

// readParameters checks the parameters of the query and the header, reads the identifiers from the path, and creates the
// Request for hooks and handlers.
func readParameters(ctx context.Context, x *exchange) error {
	if x.r.URL.RawQuery != "" {
		if x.format.Query != nil {
			if err := x.translateQuery(); err != nil {
				return err
			}
		}
		if x.buffers.values == nil {
			x.buffers.values = new(parameters.Values)
		}
	}
	values, err := x.op.Parameters.Read(ctx, x.r.URL.RawQuery, x.r.Header, x.op.API.Ignored, x.buffers.values)
	if err != nil {
		return x.parameterProblems(err)
	}
	x.call.Values = values
	// The path comes last, so that an invalid query is an error for missing records too.
	if x.op.Item {
		var ok bool
		if x.call.ID, ok = x.identifier(); !ok {
			return store.ErrNotFound
		}
	}
	if x.op.Parents != nil {
		err = x.call.NameParents(x.variable)
	}
	if x.op.Membership != nil && err == nil {
		err = x.call.NameMember(x.variable)
	}
	if err == nil && x.op.Observed {
		x.describe(ctx)
	}
	return err
}

// sees reports whether the caller may see what a path of fields names in some record.
func (x *exchange) sees(path string) bool { return x.call.Sees(x.r.Context(), path) }

// describe creates the request that functions of the user can get from the context.
func (x *exchange) describe(ctx context.Context) {
	if x.call.Request == nil {
		o := &seen{server: x.Server, path: x.path, suffix: x.suffix, received: x.r}
		o.request.Origin = o
		x.call.Request = &o.request
		if x.routing != nil {
			x.routing.protect(o)
		}
	}
	x.call.Describe(ctx)
}

// translateQuery translates the format's query into the API's own parameters, which all later steps use. It does so once, even
// if the transaction runs again.
func (x *exchange) translateQuery() error {
	if x.translated {
		return nil
	}
	query, err := x.format.Query(x.r.URL.RawQuery)
	if err != nil {
		return formatError(err, "The query string is malformed.")
	}
	x.query, x.translated = x.r.URL.RawQuery, true
	if query != x.query {
		request, at := *x.r, *x.r.URL
		at.RawQuery = query
		request.URL = &at
		x.r = &request
	}
	return nil
}

// variable returns a variable of the operation's template, percent-decoded.
func (x *exchange) variable(name string) string { return variable(x.op.Template, x.path, name) }

// variable returns a variable of a template in a path, percent-decoded.
func variable(template *uritemplate.Template, path, name string) string {
	raw := template.Variable(path, name)
	if strings.IndexByte(raw, '%') < 0 {
		return raw
	}
	if value, err := url.PathUnescape(raw); err == nil {
		return value
	}
	return raw
}

// identifier reads the identifier of the record that the path names.
func (x *exchange) identifier() (any, bool) {
	id := x.op.Resource.ID
	if id.IsComposite() {
		return id.ParseVariables(x.variable)
	}
	return id.Parse(x.variable(id.Name()))
}

// wrongParameter is an invalid parameter in a response.
type wrongParameter struct {
	Name    string `json:"name"`
	In      string `json:"in"`
	Message string `json:"message"`
}

// parameterProblem returns the problem of one invalid parameter.
func parameterProblem(wrong wrongParameter) *problem.Problem {
	return problem.New(http.StatusBadRequest, sentence([]string{wrong.Message}),
		problem.Field{Name: "parameters", Value: []wrongParameter{wrong}})
}

// parameterProblems returns the problem of all invalid parameters, with those that the caller may use if one is unknown.
func (x *exchange) parameterProblems(err error) error {
	invalid, ok := errors.AsType[*parameters.InvalidError](err)
	switch {
	case errors.Is(err, parameters.ErrMalformed):
		return problem.New(http.StatusBadRequest, "The query string is malformed. Percent-encode its names and values.")
	case !ok:
		return err
	}
	if x.op.API.Ruled {
		invalid = invalid.For(x.sees)
	}
	messages := make([]string, 0, len(invalid.Parameters))
	wrong := make([]wrongParameter, 0, len(invalid.Parameters))
	for _, refusal := range invalid.Parameters {
		in := "query"
		if refusal.Header {
			in = "header"
		}
		messages = append(messages, refusal.Message)
		wrong = append(wrong, wrongParameter{refusal.Name, in, refusal.Message})
	}
	members := []problem.Field{{Name: "parameters", Value: wrong}}
	if invalid.Allowed != nil {
		members = append(members, problem.Field{Name: "allowed", Value: invalid.Allowed})
	}
	return problem.New(http.StatusBadRequest, sentence(messages), members...)
}

// sentence joins messages to the detail of a problem, each as a sentence. "…; did you mean x?" already is one.
func sentence(messages []string) string {
	var text strings.Builder
	for i, message := range messages {
		if i > 0 {
			text.WriteByte(' ')
		}
		text.WriteString(message)
		if !strings.HasSuffix(message, "?") {
			text.WriteByte('.')
		}
	}
	return text.String()
}

// readConditions reads the preconditions of the request, and returns an error if a required one is missing.
func readConditions(_ context.Context, x *exchange) error {
	timed := x.op.Resource.Struct.Modified != nil
	conditions, malformed := conditional.Read(x.r.Header, timed)
	if malformed != "" {
		message := malformed + ` must be * or a list of entity tags in double quotes, such as "a1b2"`
		return parameterProblem(wrongParameter{malformed, "header", message})
	}
	x.call.Conditions = conditions
	if x.op.RequirePrecondition && !conditions.Guards() {
		return errPreconditionRequired
	}
	return nil
}

// preconditionFailed returns the error of a precondition that does not hold. Weak tags have their own, because reloading the
// record does not help.
func (x *exchange) preconditionFailed() *problem.Problem {
	if x.call.Conditions.OnlyWeak() {
		return errWeakTag
	}
	return errPreconditionFailed
}

var (
	errWeakTag              = problemOfKind(problem.WeakTag)
	errPreconditionFailed   = problemOfKind(problem.PreconditionFailed)
	errPreconditionRequired = problemOfKind(problem.PreconditionRequired)
)
