package httpserve

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/internal/uritemplate"
	"github.com/trove-api/trove/store"
)

// readParameters checks the parameters of the query and the header, reads the identifier
// from the path, and makes what hooks and handlers see of the request.
func readParameters(ctx context.Context, x *exchange) error {
	if x.format.Query != nil && x.r.URL.RawQuery != "" {
		if err := x.translateQuery(); err != nil {
			return err
		}
	}
	// Most requests have no query, and an exchange without the room for one is emptied sooner.
	if x.buffers.values == nil && x.r.URL.RawQuery != "" {
		x.buffers.values = new(parameters.Values)
	}
	values, err := x.op.Parameters.Read(ctx, x.r.URL.RawQuery, x.r.Header, x.op.API.Ignored, x.buffers.values)
	if err != nil {
		return refuseParameters(err)
	}
	x.call.Values = values
	// Only now: a request that is wrong in itself is told so, whether there is such a record or not.
	if x.op.Item {
		id, ok := x.identifier()
		if !ok {
			return store.ErrNotFound
		}
		x.call.ID = id
	}
	if x.op.Parents != nil {
		if err := x.call.NameParents(x.variable); err != nil {
			return err
		}
	}
	if x.op.Membership != nil {
		if err := x.call.NameMember(x.variable); err != nil {
			return err
		}
	}
	if x.op.Observed {
		x.describe(ctx)
	}
	return nil
}

// translateQuery has the format turn the query into one with the API's own parameters, which all
// that follows reads, the addresses of other pages too. It is done once: a transaction may run
// again.
func (x *exchange) translateQuery() error {
	if x.translated {
		return nil
	}
	query, err := x.format.Query(x.r.URL.RawQuery)
	if err != nil {
		return refuseReading(err, "The query is not well formed.")
	}
	x.query, x.translated = x.r.URL.RawQuery, true
	if query != x.query {
		asked, at := *x.r, *x.r.URL
		at.RawQuery = query
		asked.URL = &at
		x.r = &asked
	}
	return nil
}

// wrongParameter is a parameter that is not valid, as clients are told of it.
type wrongParameter struct {
	Name    string `json:"name"`
	In      string `json:"in"`
	Message string `json:"message"`
}

// refuseParameter makes a problem that names one parameter which is not valid.
func refuseParameter(wrong wrongParameter) *problem.Problem {
	return problem.New(http.StatusBadRequest, sentence([]string{wrong.Message}),
		problem.Member{Name: "parameters", Value: []wrongParameter{wrong}})
}

// refuseParameters makes a problem that names each parameter which is not valid, and
// the ones that there are where one is not known.
// All that is wrong is told at once, like that of a body.
func refuseParameters(err error) error {
	invalid, ok := errors.AsType[*parameters.InvalidError](err)
	switch {
	case errors.Is(err, parameters.ErrMalformed):
		return problem.New(http.StatusBadRequest, "The query is not well formed: percent-encode its names and values.")
	case !ok:
		return err
	}
	messages := make([]string, 0, len(invalid.Refusals))
	wrong := make([]wrongParameter, 0, len(invalid.Refusals))
	for _, refusal := range invalid.Refusals {
		in := "query"
		if refusal.Header {
			in = "header"
		}
		messages = append(messages, refusal.Message)
		wrong = append(wrong, wrongParameter{refusal.Name, in, refusal.Message})
	}
	members := []problem.Member{{Name: "parameters", Value: wrong}}
	if invalid.Allowed != nil {
		members = append(members, problem.Member{Name: "allowed", Value: invalid.Allowed})
	}
	return problem.New(http.StatusBadRequest, sentence(messages), members...)
}

// sentence joins messages to the text of a problem.
func sentence(messages []string) string {
	text := strings.Join(messages, "; ")
	// A message that ends with "did you mean …?" is a sentence already.
	if strings.HasSuffix(text, "?") {
		return text
	}
	return text + "."
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

// location returns the address of a record: the path of the resource's first Get, or "" without
// one.
func (x *exchange) location(record any) string {
	var room [128]byte
	r := x.op.Resource
	switch {
	case r.Home != nil:
		return string(r.Home.Append(room[:0], reflect.ValueOf(record).Elem()))
	case r.Address == nil:
		return ""
	}
	text, err := r.ID.Text(r.ID.Of(record))
	if err != nil {
		return ""
	}
	return string(r.Address.Append(room[:0], text))
}

// origin returns what stands before the path in the URL of a request, as far as the service knows:
// a proxy before it may say otherwise by a middleware that sets the URL's scheme, or the host.
func origin(r *http.Request) string {
	scheme := r.URL.Scheme
	if scheme == "" {
		if scheme = "http"; r.TLS != nil {
			scheme = "https"
		}
	}
	return scheme + "://" + r.Host
}
