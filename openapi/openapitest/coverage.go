package openapitest

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// NeverSucceeds names operations, by their operationId, that may fail in every request of [Conform],
// such as a login, whose example is no user's password. Without it, an operation that never returns a
// success fails the test, because nothing of its success has been tested. It is empty by default.
func NeverSucceeds(operationIDs ...string) Option {
	return func(s *settings) { s.unsuccessful = append(slices.Clone(s.unsuccessful), operationIDs...) }
}

// coverage counts the responses of one operation.
type coverage struct {
	statuses  map[int]int
	succeeded bool
	rejected  string // the first valid request that did not succeed, and its response
}

// cover counts a response.
func (c *conformity) cover(op operation, r request, w *httptest.ResponseRecorder) {
	of := c.covered[op.name()]
	if of == nil {
		of = &coverage{statuses: map[int]int{}}
		c.covered[op.name()] = of
	}
	of.statuses[w.Code]++
	switch {
	case w.Code < http.StatusBadRequest:
		of.succeeded = of.succeeded || r.valid
	case of.rejected == "" && r.valid:
		of.rejected = fmt.Sprintf("%s\n\treturns %d %s", r.curl(), w.Code, shortened(w.Body.String()))
	}
}

// table writes how often each operation returned each status.
func (c *conformity) table() string {
	var statuses []int
	for _, of := range c.covered {
		statuses = append(statuses, slices.Collect(maps.Keys(of.statuses))...)
	}
	slices.Sort(statuses)
	statuses = slices.Compact(statuses)
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	row := func(name string, cell func(status int) string) {
		_, _ = fmt.Fprint(w, name)
		for _, status := range statuses {
			_, _ = fmt.Fprint(w, "\t", cell(status))
		}
		_, _ = fmt.Fprintln(w)
	}
	row("operation", strconv.Itoa)
	for _, op := range c.document.operations() {
		row(op.name(), func(status int) string {
			if of := c.covered[op.name()]; of != nil && of.statuses[status] > 0 {
				return strconv.Itoa(of.statuses[status])
			}
			return "-"
		})
	}
	_ = w.Flush()
	return b.String()
}

// reportCoverage logs the table, and fails the test for each operation that never succeeded.
func (c *conformity) reportCoverage() {
	c.t.Helper()
	c.t.Logf("openapitest: responses by status\n%s", c.table())
	c.checkNamed("NeverSucceeds", slices.Values(c.unsuccessful))
	for _, op := range c.document.operations() {
		id, _ := op.object["operationId"].(string)
		of := c.covered[op.name()]
		switch {
		case slices.Contains(c.unsuccessful, id) || of != nil && of.succeeded:
		case of == nil:
			c.t.Errorf("%s never succeeded, because it was not tried: the document has no example of its body. "+
				"Give its fields examples, or name the operation in NeverSucceeds", op.name())
		default:
			c.t.Errorf("%s never succeeded, so nothing of its success was tested. Give its fields examples that the API accepts, "+
				"name a caller who may (As), store what it needs before the test, or name it in NeverSucceeds. The first request:\n\t%s", op.name(), of.rejected)
		}
	}
}
