package httpserve

import "net/url"

// variable returns a variable of the template, percent-decoded.
func (x *exchange) variable(name string) string {
	raw := x.op.Template.Variable(x.path, name)
	if value, err := url.PathUnescape(raw); err == nil {
		return value
	}
	return raw
}

// location returns the address of the record that id names: the path of the resource's
// first Get, or "" without one.
func (x *exchange) location(id any) string {
	get := x.op.Resource.Item
	if get == nil {
		return ""
	}
	text, err := x.op.Resource.ID.Text(id)
	if err != nil {
		return ""
	}
	var room [128]byte
	path := string(get.Template.Append(room[:0], func(string) string { return text }))
	return path + get.DoubledSuffix(path)
}
