package wire_test

import (
	"strings"

	"github.com/trove-api/trove/internal/spec"
)

// edge is a request and its expected response.
type edge struct {
	Rule, Request, Body string
	Header              []string // name, value, name, value
	Status              int
	Fields              []string // of the response: name, value, name, value
	Mentions            []string // in the body
}

// play sends the request of an edge. A rejected request must return a problem and change nothing in the collection.
func (e edge) play(w spec.Wire, collection string) {
	w.T.Helper()
	before := w.Send("GET "+collection, "").HasStatus(200).Body
	a := w.Send(e.Request, e.Body, e.Header...).HasStatus(e.Status).Mentions(e.Mentions...)
	for i := 0; i+1 < len(e.Fields); i += 2 {
		a.Has(e.Fields[i], e.Fields[i+1])
	}
	if e.Status < 400 {
		return
	}
	if !strings.HasPrefix(e.Request, "HEAD ") && !strings.Contains(a.Body, "validation_error") {
		a.IsProblem(e.Status)
	}
	a.Has("Content-Type", "application/problem+json").Has("X-Content-Type-Options", "nosniff")
	w.Send("GET "+collection, "").Is(200, before)
}
