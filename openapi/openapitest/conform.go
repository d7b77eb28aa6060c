package openapitest

import (
	"fmt"
	"iter"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/resource"
)

// Option changes how [Conform] works.
type Option func(*settings)

type settings struct {
	through func(http.Handler) http.Handler
	most    int
	now     func() time.Time
	limit   time.Duration    // of a request
	callers []caller         // nil for nobody alone
	allowed map[string][]int // statuses, by the id of the operation

	unsuccessful []string // operations that need not succeed, by their ids
}

// Through sends the requests through a middleware around the API, such as one that says
// who asks. Default: none.
func Through(middleware func(http.Handler) http.Handler) Option {
	return func(s *settings) { s.through = middleware }
}

// Requests is how many requests are sent to an operation at most. Default: 1000. A run of
// the tests with -short sends an eighth of them, and 12 at least.
func Requests(most int) Option { return func(s *settings) { s.most = most } }

// Within sets how long a request may take at most, which fails the test otherwise. Default: 10 seconds.
func Within(limit time.Duration) Option { return func(s *settings) { s.limit = limit } }

// Conform sends each documented operation of the API many requests made of its schemas:
// values at their bounds and beyond, times at the ends of the calendar, huge integers,
// kilobytes of text, long names, missing and unknown members, wrong types, nulls, Unicode,
// wrong parameters, media types and JSON. What it reads in a format of the API it sends back in that format, whole
// and damaged. What removes comes last. It fails the test at
//
//   - a 5xx,
//   - a status or a media type that is not documented,
//   - a body that breaks its schema, a header field that must be there and is not,
//   - a request that the document calls invalid and the API accepts,
//   - one that it calls valid and the API refuses, unless a format of its own marks that
//     keywords do not say all, what is kept decides (404, 409, 412), the operation documents that it
//     asks for rights (401, 403), or [Allow] says so,
//   - an answer to nobody where the document asks for credentials,
//   - a change that is refused after a creation of no more than the required members,
//   - an answer to a write whose body or ETag is not that of the next Get,
//   - an answer that is large or slow beyond all proportion to what was sent: 128 KiB
//     and, of a refusal, 4 times its request, of a collection with pages 16 times all that was taken so
//     far, of others 64 times the largest request that was; or one that takes longer than [Within] allows,
//   - an operation that never succeeds, unless [NeverSucceeds] names it,
//   - a success that does nothing: a record that is still there after its Delete, a membership that
//     its record does not show, a collection without the records that there are.
//
// Values of examples that must be unique are replaced by new ones, and references by records that
// exist or that Conform creates first. A table of the responses by operation and status is logged.
// While it runs, the API logs nothing; the reason of a 5xx is part of the failure. Use the API for nothing else
// during that time.
//
// Each failure shows the shortest request of its sort, as a curl command. The requests are
// the same in each run. They change what the API keeps: give it a store for the test. An API
// that asks who calls is tried by those whom [As] names, and by nobody else.
func Conform(t testing.TB, api *resource.API, options ...Option) {
	t.Helper()
	const limit = 10 * time.Second
	s := settings{through: func(h http.Handler) http.Handler { return h }, most: 1000, now: time.Now, limit: limit}
	for _, option := range options {
		option(&s)
	}
	if testing.Short() {
		s.most = max(s.most/8, min(s.most, 12))
	}
	c := newConformity(t, documentOf(t, api), s)
	model := compiled.Of(api)
	c.declared = declaredIn(model)
	defer model.Overhear(&c.reason)()
	c.handler = c.metered(s.through(api))
	c.checkNamed("Allow", maps.Keys(c.allowed))
	for _, op := range c.document.operations() {
		for _, c.caller = range s.orNobody() {
			c.operation(op)
		}
		if op.method != "delete" {
			c.lastResort(op)
		}
	}
	for _, op := range c.document.operations() { // what is deleted may be a caller
		c.lastResort(op)
	}
	c.report()
	c.reportCoverage()
}

// conformity is one run of Conform.
type conformity struct {
	settings

	t        testing.TB
	document *document
	declared map[string]*compiled.Operation // by method and path
	handler  http.Handler
	sent     int // to the operation at hand
	failures map[string]failure
	covered  map[string]*coverage // by operation
	changed  bool                 // the record of the last path may be gone
	bytes    int                  // of all requests that were taken
	largest  int                  // of them, in bytes
	took     time.Duration        // by the last request
	reason   string               // why the last request failed
	caller   caller               // who sends

	replacements map[string][]*replacement // in bodies, by operation
	uniques      int                       // how many unique values were made
	composed     map[string]any            // bodies without an example, by operation
	records      map[owned]*kept
	making       map[*compiled.Resource]bool
}

func newConformity(t testing.TB, d *document, s settings) *conformity {
	t.Helper()
	return &conformity{
		t: t, document: d, settings: s, failures: map[string]failure{}, covered: map[string]*coverage{},
		replacements: map[string][]*replacement{}, composed: map[string]any{}, records: map[owned]*kept{}, making: map[*compiled.Resource]bool{},
	}
}

// operation sends its requests to one operation.
func (c *conformity) operation(op operation) {
	c.sent = 0
	base, ok := c.base(op)
	if !ok {
		return // the coverage tells
	}
	asked := base
	answer := c.try(op, base)
	if answer != nil {
		asked.exactly = asked.exactly || answer.Code < http.StatusBadRequest // as it is now known to be taken
		c.judgeEmptyList(op, base, answer)
	}
	if op.body() != "" {
		c.createMinimal(op, base)
		c.afterMinimal(op, base)
	}
	most := c.most
	c.most -= min(most/2, len(op.formats())+1) // of parameters there is no end, and each format is to be asked for
	c.parameters(op, asked)
	c.most = most
	c.negotiation(op, base)
	if op.body() != "" {
		c.otherBodies(op, base)
		c.bodies(op, base)
	}
}

// isSpent reports whether as many requests have been sent to the operation as may be: what
// else there is to send need not be made.
func (c *conformity) isSpent() bool { return c.sent >= c.most }

// try sends a request that belongs to an operation, and judges the answer. It returns nil
// where enough requests have been sent.
func (c *conformity) try(op operation, r request) *httptest.ResponseRecorder {
	if c.isSpent() {
		return nil
	}
	if op.isItem() {
		c.restore(op, &r)
	}
	return c.send(op, r)
}

// send sends a request as it is, and judges the answer.
func (c *conformity) send(op operation, r request) *httptest.ResponseRecorder {
	if c.isSpent() {
		return nil
	}
	c.sent++
	c.reason = ""
	r, answer := c.deliver(op, r)
	c.changed = op.method == "delete" || op.method == "post" || answer.Code == http.StatusNotFound
	c.cover(op, r, answer)
	c.judge(op, r, answer)
	c.measure(op, r, answer)
	c.readBack(op, r, answer)
	c.judgeEffect(op, r, answer)
	return answer
}

// caller is one who sends requests.
type caller struct {
	name   string
	header http.Header
}

// As sends the requests with header fields such as Authorization, by which the API knows who
// asks. Several are tried one after the other; one without fields is nobody. Where one of them
// may not make the record that an operation needs, another one does. Failures show the fields:
// give them credentials of the test.
func As(name string, header http.Header) Option {
	return func(s *settings) { s.callers = append(slices.Clone(s.callers), caller{name, header.Clone()}) }
}

// Allow lets an operation refuse what its document calls valid with one of the statuses, for
// what the API keeps decides, or something beside it: a 403 of a hook, a 503 of a quota. It is
// named by its operationId. A status must be documented all the same.
func Allow(operationID string, statuses ...int) Option {
	return func(s *settings) {
		s.allowed = maps.Clone(s.allowed)
		if s.allowed == nil {
			s.allowed = map[string][]int{}
		}
		s.allowed[operationID] = append(slices.Clone(s.allowed[operationID]), statuses...)
	}
}

// orNobody returns who sends requests.
func (s *settings) orNobody() []caller {
	if len(s.callers) == 0 {
		return []caller{{}}
	}
	return s.callers
}

// checkNamed fails the test if an option names an operation that is not in the document.
func (c *conformity) checkNamed(option string, ids iter.Seq[string]) {
	c.t.Helper()
	for _, id := range slices.Sorted(ids) {
		has := func(op operation) bool { return op.object["operationId"] == id }
		if !slices.ContainsFunc(c.document.operations(), has) {
			c.t.Errorf("openapitest: %s names the operation %s, which is not in the document", option, id)
		}
	}
}

// isRight reports whether a refusal is one of rights that the document tells of, or allowed.
func (c *conformity) isRight(op operation, status int) bool {
	id, _ := op.object["operationId"].(string)
	if slices.Contains(c.allowed[id], status) {
		return true
	}
	return op.tells(status) && (status == http.StatusUnauthorized || status == http.StatusForbidden)
}

// tells reports whether the document tells of a status by itself.
func (o operation) tells(status int) bool {
	return in(o.object, "responses")[strconv.Itoa(status)] != nil
}

// judgeRights looks for an answer to nobody where the document asks for credentials.
func (c *conformity) judgeRights(op operation, r request, w *httptest.ResponseRecorder) {
	ways, ok := op.object["security"].([]any)
	isOpen := func(way any) bool { return len(way.(object)) == 0 }
	if ok && len(ways) > 0 && len(c.callers) > 0 && len(c.caller.header) == 0 && w.Code < http.StatusBadRequest && !slices.ContainsFunc(ways, isOpen) {
		c.fail(op, "answers nobody, where the document asks for credentials", r, w)
	}
}

// judgeFields looks for the header fields that an answer must have.
func (c *conformity) judgeFields(op operation, response object, r request, w *httptest.ResponseRecorder) {
	fields := in(response, "headers")
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if isRequired(c.document.resolve(fields[name])) && w.Header().Values(name) == nil {
			c.fail(op, "answers without "+name+", which the document says must be there", r, w)
		}
	}
}

// as says who a failure is of.
func (c caller) as() string {
	if c.name == "" {
		return ""
	}
	return " as " + c.name
}

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
