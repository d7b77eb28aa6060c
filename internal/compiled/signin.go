package compiled

import "net/http"

// SignIn returns the operations that begin and end a session in a browser, nil for none. They are recognized by their
// declaration: a Post with a Handler that ignores credentials and documents the response header Set-Cookie. With a body
// it signs in, without one it signs out. The first of each counts.
func (a *API) SignIn() (in, out *Operation) {
	for _, r := range a.Resources {
		for _, op := range r.Operations {
			_, setsCookie := op.ResponseHeader["Set-Cookie"]
			if !op.Custom || op.Method != http.MethodPost || op.Item || op.Hidden || !op.Anonymous || !setsCookie {
				continue
			}
			switch {
			case op.TakesBody() && in == nil:
				in = op
			case !op.TakesBody() && out == nil:
				out = op
			}
		}
	}
	return in, out
}
