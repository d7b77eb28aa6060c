package httpserve

import (
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"github.com/trove-api/trove/internal/uritemplate"
)

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
