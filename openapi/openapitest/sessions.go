package openapitest

import (
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
)

// sessions signs a caller in, if the API lets everyone create an account and sign in with it. Conform then needs no
// [As]. A session can end while it is tested, for instance by a change of the password; then another one begins.
type sessions struct {
	login, register *operation
	cookie          string // of the first session, which requests and failures show
	current         string // of the session that replaces it
	isBeginning     bool
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
	login := c.signInOperation()
	if len(c.callers) > 0 || login == nil {
		return
	}
	credentials, _ := login.example()
	names, _ := credentials.(object)
	for _, creator := range c.document.operations {
		example, _ := creator.example()
		body, _ := example.(object)
		if !creator.declared.Creates || creator.isItem() || !compiled.IsOpen(creator.declared.Access) || len(names) == 0 || !hasAll(body, names) {
			continue
		}
		c.sessions.login, c.sessions.register = login, creator
		if cookie := c.beginSession(example); cookie != "" {
			c.sessions.cookie, c.sessions.current = cookie, cookie
			c.callers = []caller{{name: "anonymous"}, {"signed in", http.Header{"Cookie": {cookie}}}}
			return
		}
	}
}

// signInOperation returns the operation that sets a cookie for a name and a password, nil for none.
func (c *conformity) signInOperation() *operation {
	for _, op := range c.document.operations {
		if op.method == "post" && op.setsCookie() && op.body() == "application/json" && op.declared.Anonymous {
			return op
		}
	}
	return nil
}

// hasAll reports whether an object has each field of another one.
func hasAll(body, names object) bool {
	for name := range names {
		if _, ok := body[name]; !ok {
			return false
		}
	}
	return true
}

// beginSession creates an account, signs in, and returns the cookie, "" if that fails.
func (c *conformity) beginSession(account any) string {
	defer func(before bool) { c.sessions.isBeginning = before }(c.sessions.isBeginning)
	c.sessions.isBeginning = true
	text := string(toJSON(account))
	if w := c.post(c.sessions.register, text); w.Code >= http.StatusBadRequest {
		return ""
	}
	credentials, _ := c.sessions.login.example()
	sent, body := parseObject(text), object{}
	for name := range credentials.(object) { //nolint:forcetypeassert // signIn has checked it
		body[name] = sent[name]
	}
	for _, cookie := range c.post(c.sessions.login, string(toJSON(body))).Result().Cookies() {
		if cookie.Value != "" {
			return cookie.Name + "=" + cookie.Value
		}
	}
	return ""
}

// post sends a body to an operation without credentials.
func (c *conformity) post(op *operation, body string) *httptest.ResponseRecorder {
	r := c.plainRequest(op)
	r.mediaType, r.body = op.body(), body
	return r.send(c.t.Context(), c.handler)
}

// withSession replaces the session of a request if it has ended.
func (c *conformity) withSession(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		response, ok := w.(*httptest.ResponseRecorder)
		if !ok || c.sessions.cookie == "" || c.sessions.isBeginning || r.Header.Get("Cookie") != c.sessions.cookie {
			next.ServeHTTP(w, r)
			return
		}
		body, _ := io.ReadAll(r.Body) // a string
		serve := func() {
			again := r.Clone(r.Context())
			again.Header.Set("Cookie", c.sessions.current)
			again.Body = io.NopCloser(strings.NewReader(string(body)))
			next.ServeHTTP(w, again)
		}
		if serve(); response.Code != http.StatusUnauthorized {
			return
		}
		if cookie := c.beginSession(c.anotherAccount()); cookie != "" {
			c.sessions.current = cookie
			*response = *httptest.NewRecorder()
			serve()
		}
	})
}

// anotherAccount returns the body of an account with another name.
func (c *conformity) anotherAccount() any {
	example, _ := c.sessions.register.example()
	account := maps.Clone(example.(object)) //nolint:forcetypeassert // signIn has checked it
	credentials, _ := c.sessions.login.example()
	for name := range credentials.(object) { //nolint:forcetypeassert // as above
		if f := c.sessions.register.declared.Resource.Struct.Field(name); f != nil && f.Unique {
			c.uniques++
			account[name] = varied(account[name], c.uniques)
		}
	}
	return account
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
