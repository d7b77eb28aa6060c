package openapitest

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"

	"github.com/trove-api/trove/internal/compiled"
)

// sessions signs a caller in, if the API lets everyone create an account and sign in with it. Conform then needs no
// [As]. A session can end while it is tested, for instance by a change of the password; then another one begins.
type sessions struct {
	login, register *operation
	names, account  object // the fields of the credentials, and the first account
	cookie          string // of the first session, which requests and failures show
	current         string // of the session that replaces it
}

// callersOf returns the callers that test an operation. Operations that ignore credentials, such as signing in and out,
// get none, because they would end the session that came with a request.
func (c *conformity) callersOf(op *operation) []caller {
	if op.declared.Anonymous || len(c.callers) == 0 {
		return []caller{{}}
	}
	return c.callers
}

// signIn adds an anonymous caller and one with a session, if the test has no callers and the API has sessions.
func (c *conformity) signIn() {
	i := slices.IndexFunc(c.document.operations, func(op *operation) bool {
		return op.method == "post" && op.setsCookie() && op.body() == "application/json" && op.declared.Anonymous
	})
	if len(c.callers) > 0 || i < 0 {
		return
	}
	login := c.document.operations[i]
	credentials, _ := login.example()
	names, _ := credentials.(object)
	for _, creator := range c.document.operations {
		example, _ := creator.example()
		account, _ := example.(object)
		isMissing := func(name string) bool { return account[name] == nil }
		if !creator.declared.Creates || creator.isItem() || !compiled.IsOpen(creator.declared.Access) || len(names) == 0 ||
			slices.ContainsFunc(slices.Collect(maps.Keys(names)), isMissing) {
			continue
		}
		c.sessions = sessions{login: login, register: creator, names: names, account: account}
		if cookie := c.beginSession(account); cookie != "" {
			c.sessions.cookie, c.sessions.current = cookie, cookie
			c.callers = []caller{{name: "anonymous"}, {"signed in", http.Header{"Cookie": {cookie}}}}
			return
		}
	}
}

// beginSession creates an account, signs in, and returns the cookie, "" if that fails.
func (c *conformity) beginSession(account object) string {
	if w := c.post(c.sessions.register, account); w.Code >= http.StatusBadRequest {
		return ""
	}
	credentials := object{}
	for name := range c.sessions.names {
		credentials[name] = account[name]
	}
	for _, cookie := range c.post(c.sessions.login, credentials).Result().Cookies() {
		if cookie.Value != "" {
			return cookie.Name + "=" + cookie.Value
		}
	}
	return ""
}

// post sends a body to an operation without credentials.
func (c *conformity) post(op *operation, body object) *httptest.ResponseRecorder {
	r := c.plainRequest(op)
	r.mediaType, r.body = op.body(), string(toJSON(body))
	return c.serve(r)
}

// serve sends a request to the API. If its session has ended, another account begins one.
func (c *conformity) serve(r request) *httptest.ResponseRecorder {
	if c.sessions.cookie == "" || r.header.Get("Cookie") != c.sessions.cookie {
		return c.deliver(r)
	}
	w := c.deliver(r.withParameter("header", "Cookie", c.sessions.current))
	if w.Code != http.StatusUnauthorized {
		return w
	}
	account := maps.Clone(c.sessions.account)
	for name := range c.sessions.names {
		if f := c.sessions.register.declared.Resource.Struct.Field(name); f != nil && f.Unique {
			c.uniques++
			account[name] = varied(account[name], c.uniques)
		}
	}
	cookie := c.beginSession(account)
	if cookie == "" {
		return w
	}
	c.sessions.current = cookie
	return c.deliver(r.withParameter("header", "Cookie", cookie))
}

// setsCookie reports whether a response of an operation sets a cookie.
func (o *operation) setsCookie() bool {
	for _, response := range in(o.object, "responses") {
		if in(o.document.resolve(response), "headers")["Set-Cookie"] != nil {
			return true
		}
	}
	return false
}
