package openapitest

import (
	"iter"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
)

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
	responses, _ := o.object["responses"].(object)
	return responses[strconv.Itoa(status)] != nil
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
	fields, _ := response["headers"].(object)
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
