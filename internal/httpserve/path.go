package httpserve

import (
	"cmp"
	"net/url"
)

// variable returns a variable of the template, percent-decoded.
func (x *exchange) variable(name string) string {
	raw := x.op.Template.Variable(x.path, name)
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
	get := x.op.Resource.Item
	if get == nil {
		return ""
	}
	var unsayable error
	value := func(name string) string {
		text, err := x.op.Resource.ID.Variable(id, name)
		unsayable = cmp.Or(unsayable, err)
		return text
	}
	var room [128]byte
	path := string(get.Template.Append(room[:0], value))
	if unsayable != nil {
		return ""
	}
	return path + get.DoubledSuffix(path)
}
