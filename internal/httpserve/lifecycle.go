package httpserve

import "strconv"

// announceLifecycle says of an operation that it is to go, in every answer of it (RFC 9745,
// RFC 8594).
func (x *exchange) announceLifecycle() {
	l := &x.op.Lifecycle
	if l.Deprecated.IsZero() && l.Sunset.IsZero() {
		return
	}
	header := x.w.Header()
	if !l.Deprecated.IsZero() {
		// A number of seconds behind @, as structured fields write dates (RFC 9651, section 3.3.7).
		header.Set("Deprecation", "@"+strconv.FormatInt(l.Deprecated.Unix(), 10))
	}
	if !l.Sunset.IsZero() {
		header.Set("Sunset", httpTime(l.Sunset))
	}
	if l.Link != "" {
		header.Add("Link", "<"+l.Link+`>; rel="deprecation"`)
	}
}
