package serve

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/httpfield"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/internal/uritemplate"
	"github.com/trove-api/trove/operation"
)

// negotiateType chooses the format of the response: by the suffix of the path, else by Accept.
func negotiateType(_ context.Context, c *call) error {
	if c.suffix != "" {
		for _, f := range c.op.Formats {
			if c.op.Suffix && f.Suffix == c.suffix {
				c.format, c.negotiated = f, true
				return nil
			}
		}
		return problemOfKind(problem.NoPath) // not 406, because there is nothing at this path
	}
	if !c.op.HasResponseBody() && !c.op.hasErrors {
		return nil
	}
	offers := c.op.offers
	var means httpfield.Means
	if c.op.hasRanges {
		means = c.op.means
	}
	chosen, ok := httpfield.Accept(c.r.Header["Accept"], offers, means)
	if !ok && !c.op.HasResponseBody() {
		return nil // Accept only concerns errors, which every client must accept
	}
	if !ok {
		refused := problemOfKind(problem.NotAcceptable, strings.Join(offers, ", "))
		refused.Fields = []problem.Field{{Name: "supported", Value: offers}}
		return refused
	}
	for _, f := range c.op.Formats {
		if f.MediaType == chosen {
			c.format, c.negotiated = f, true
			break
		}
	}
	return nil
}

// means reports whether a media range with parameters matches the format of a media type. The format decides, because only it
// knows profiles.
func (o *Operation) means(mediaType string, parameters map[string]string) bool {
	for _, f := range o.Formats {
		if f.MediaType == mediaType && f.Supports != nil {
			return f.Supports(parameters)
		}
	}
	return true
}

// readParameters checks the parameters of the query and the header, reads the identifiers from the path, and creates the
// Request for hooks and handlers.
func readParameters(ctx context.Context, c *call) error {
	if c.r.URL.RawQuery != "" {
		if c.format.Query != nil {
			if err := c.translateQuery(); err != nil {
				return err
			}
		}
		if c.buffers.values == nil {
			c.buffers.values = new(parameters.Values)
		}
	}
	values, err := c.op.Parameters.Read(ctx, c.r.URL.RawQuery, c.r.Header, c.op.API.Ignored, c.buffers.values)
	if err != nil {
		return c.parameterProblems(err)
	}
	c.values = values
	// The path comes last, so that an invalid query is an error for missing records too.
	if err = c.readPath(); err == nil && c.op.Observed {
		c.describe(ctx)
	}
	return err
}

// readQuery turns the body of the method QUERY (RFC 10008) into the query of the URL at which a GET returns the same, so that
// everything after it reads parameters and writes links as it does for a GET.
func readQuery(_ context.Context, c *call) error {
	if c.translated { // the transaction runs again
		return nil
	}
	if c.r.URL.RawQuery != "" {
		return problem.New(http.StatusBadRequest, "The parameters of a QUERY are in its body. Remove the query string of the URL.")
	}
	query, err := c.op.Parameters.QueryOf(c.body)
	if _, isSyntax := errors.AsType[*codec.SyntaxError](err); isSyntax {
		return malformed(err, "")
	}
	if err != nil {
		return c.parameterProblems(err)
	}
	c.translated = true // the format does not translate it
	request, at := *c.r, *c.r.URL
	at.RawQuery = query
	request.URL = &at
	c.r = &request
	return nil
}

// describe makes the request that functions of the user can get from the context. If it is made, it discards what they
// have changed in it.
func (c *call) describe(ctx context.Context) {
	if c.request == nil {
		s := &seen{op: c.op, path: c.path, suffix: c.suffix, received: c.r}
		s.request.Origin = s
		c.request = &s.request
		if c.routing != nil {
			c.routing.protect(s)
		}
	}
	if c.principal == nil {
		c.principal = operation.PrincipalFrom(ctx)
	}
	*c.request = operation.Request{
		Origin:          c.request.Origin,
		Kind:            c.op.Kind,
		Name:            c.op.Name,
		ExtraProperties: c.op.Extra,
		Parameters:      c.values.Own,
		Principal:       c.principal,
		Scopes:          c.scopes,
	}
}

// translateQuery translates the format's query into the API's own parameters, which all later steps use. It does so once, even
// if the transaction runs again.
func (c *call) translateQuery() error {
	if c.translated {
		return nil
	}
	query, err := c.format.Query(c.r.URL.RawQuery)
	if err != nil {
		return formatError(err, "The query string is malformed.")
	}
	c.query, c.translated = c.r.URL.RawQuery, true
	if query != c.query {
		request, at := *c.r, *c.r.URL
		at.RawQuery = query
		request.URL = &at
		c.r = &request
	}
	return nil
}

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
func (o *Operation) identifier(path string) (any, bool) {
	id := o.Resource.ID
	if id.IsComposite() {
		return id.ParseVariables(func(name string) string { return variable(o.Template, path, name) })
	}
	return id.Parse(variable(o.Template, path, id.Name()))
}

// wrongParameter is an invalid parameter in a response.
type wrongParameter struct {
	Name    string   `json:"name"`
	In      string   `json:"in"`
	Message string   `json:"message"`
	Pointer string   `json:"pointer,omitempty"` // the place in its value, or in the body
	Allowed []string `json:"allowed,omitempty"` // the names that can be at that place
}

// parameterProblem returns the problem of one invalid parameter.
func parameterProblem(wrong wrongParameter) *problem.Problem {
	return problem.New(http.StatusBadRequest, sentence([]string{wrong.Message}),
		problem.Field{Name: "parameters", Value: []wrongParameter{wrong}})
}

// parameterProblems returns the problem of all invalid parameters, with those that the caller may use if one is unknown.
func (c *call) parameterProblems(err error) error {
	invalid, ok := errors.AsType[*parameters.InvalidError](err)
	switch {
	case errors.Is(err, parameters.ErrMalformed):
		return problem.New(http.StatusBadRequest, "The query string is malformed. Percent-encode its names and values.")
	case !ok:
		return err
	}
	if c.op.API.Ruled {
		invalid = invalid.For(c.sees)
	}
	messages := make([]string, 0, len(invalid.Parameters))
	wrong := make([]wrongParameter, 0, len(invalid.Parameters))
	for _, refusal := range invalid.Parameters {
		in, pointer := "query", refusal.Pointer
		switch {
		case refusal.Header:
			in = "header"
		case c.op.isQuery:
			in, pointer = "body", string(jsontext.Pointer("").AppendToken(refusal.Name))+pointer
		}
		messages = append(messages, refusal.Message)
		wrong = append(wrong, wrongParameter{refusal.Name, in, refusal.Message, pointer, refusal.Allowed})
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
func readConditions(_ context.Context, c *call) error {
	timed := c.op.Resource.Struct.Modified != nil
	conditions, malformed := httpfield.ReadConditions(c.r.Header, timed)
	if malformed != "" {
		message := malformed + ` must be * or a list of entity tags in double quotes, such as "a1b2"`
		return parameterProblem(wrongParameter{Name: malformed, In: "header", Message: message})
	}
	c.conditions = conditions
	if c.op.RequirePrecondition && !conditions.Guards() {
		return errPreconditionRequired
	}
	return nil
}

// preconditionFailed returns the error of a precondition that does not hold. Weak tags have their own, because reloading the
// record does not help.
func preconditionFailed(conditions *httpfield.Conditions) *problem.Problem {
	if conditions.OnlyWeak() {
		return errWeakTag
	}
	return errPreconditionFailed
}

var (
	errWeakTag              = problemOfKind(problem.WeakTag)
	errPreconditionFailed   = problemOfKind(problem.PreconditionFailed)
	errPreconditionRequired = problemOfKind(problem.PreconditionRequired)
)
