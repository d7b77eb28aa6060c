package httpserve

import (
	"net/http"
	"net/url"
	"strings"
)

// variable returns a variable of the template, percent-decoded.
func (x *exchange) variable(name string) string {
	raw := x.op.Template.Variable(x.path, name)
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

// location returns the address of the record that id names: the path of the resource's
// first Get, or "" without one.
func (x *exchange) location(id any) string {
	address := x.op.Resource.Address
	if address == nil {
		return ""
	}
	text, err := x.op.Resource.ID.Text(id)
	if err != nil {
		return ""
	}
	var room [128]byte
	return string(address.Append(room[:0], text))
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
