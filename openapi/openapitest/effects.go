package openapitest

import (
	"net/http"
	"net/http/httptest"
	"slices"

	"github.com/trove-api/trove/internal/compiled"
	kinds "github.com/trove-api/trove/operation"
)

// judgeEffect checks that a success did what it reports: that a deleted record does not exist, and that
// a list has what was added to it and lacks what was removed.
func (c *conformity) judgeEffect(op operation, r request, w *httptest.ResponseRecorder) {
	declared := c.declared[op.key()]
	if w.Code >= http.StatusMultipleChoices || declared == nil || !declared.Item || declared.Custom || declared.Relationship != nil {
		return
	}
	get := declared.Resource.Get()
	if get == nil {
		return
	}
	path := get.Template.Expand(func(name string) string { return unescaped(declared.Template.Variable(r.path, name)) })
	if _, ok := c.document.find(http.MethodGet, path); !ok {
		return
	}
	switch {
	case declared.Membership != nil:
		c.judgeMembership(op, declared, path, r, w)
	case declared.Kind == kinds.KindDelete && !declared.Hooked && c.isThere(path): // a Processor may keep it
		c.fail(op, "succeeds, and the next Get still returns the record", r, w)
	}
}

// judgeMembership looks for what an operation has added or removed in the list of its record.
func (c *conformity) judgeMembership(op operation, declared *compiled.Operation, path string, r request, w *httptest.ResponseRecorder) {
	m := declared.Membership
	read := request{method: http.MethodGet, path: path, header: c.caller.header}.send(c.t.Context(), c.handler)
	body, _ := parsed(read.Body.String())
	node, _ := body.(object)
	list, ok := node[m.Field.Name].([]any)
	if read.Code != http.StatusOK || !ok {
		return // the caller does not see it
	}
	want := unescaped(declared.Template.Variable(r.path, m.Variable))
	has := slices.ContainsFunc(list, func(each any) bool {
		text := parameter{}.text(each)
		return text == want || c.identifierIn(text) == want
	})
	if has != (declared.Kind == kinds.KindPut) {
		c.fail(op, "succeeds, and the list of its record is as it was", r, w)
	}
}

// judgeEmptyList checks that a collection has the records that there are.
func (c *conformity) judgeEmptyList(op operation, r request, w *httptest.ResponseRecorder) {
	declared := c.declared[op.key()]
	if declared == nil || declared.Kind != kinds.KindGetCollection || declared.Custom || len(declared.Parents) > 0 || len(r.query) > 0 {
		return
	}
	item := declared.Resource.Item
	if !isEmptyList(w) || item == nil || readRule(item) != readRule(declared) {
		return
	}
	record := c.anyRecord(declared.Resource)
	if record == nil {
		return
	}
	see := request{method: http.MethodGet, path: c.addressOf(record), header: c.caller.header}
	if see.send(c.t.Context(), c.handler).Code != http.StatusOK {
		return
	}
	if again := r.send(c.t.Context(), c.handler); isEmptyList(again) {
		c.fail(op, "returns no records, although there is one", r, again)
	}
}

func isEmptyList(w *httptest.ResponseRecorder) bool {
	body, _ := parsed(w.Body.String())
	list, ok := body.([]any)
	return ok && len(list) == 0 && w.Code == http.StatusOK
}

// readRule returns the name of the rule of what an operation reads, "" for none.
func readRule(op *compiled.Operation) string {
	if op.Gate == nil || op.Gate.Read == nil {
		return ""
	}
	return op.Gate.Read.Name
}
