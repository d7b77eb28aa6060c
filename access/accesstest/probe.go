package accesstest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
)

// probe asks for a row of the table as a caller, tries what must not be told apart, and returns
// the status of the table, with the reason of a refusal.
func (m *matrix) probe(s subject, c *Caller) (status int, reason string) {
	body := m.body(s, c)
	answer := m.ask(s, c, s.id(), body)
	reason = m.reason
	bodies := []string{body}
	if s.op.TakesBody() {
		for _, bad := range []string{`{"`, `{"thisMemberIsNotKnown":1}`} {
			m.judgeBad(s, c, answer, m.ask(s, c, s.id(), bad))
			bodies = append(bodies, bad)
		}
	}
	if s.op.TakesBody() && !s.op.Custom && s.op.Relationship == nil && s.record != nil {
		m.tryMembers(s, c)
	}
	if s.record != nil && s.op.Item && m.isHidden(s, c, answer) {
		for _, each := range bodies {
			m.compareMissing(s, c, each)
		}
	}
	return answer.Code, reason
}

// judge looks for what no answer may be.
func (m *matrix) judge(s subject, c *Caller, w *httptest.ResponseRecorder) {
	if w.Code >= http.StatusInternalServerError {
		m.fault(s.op.ID+"5xx", fmt.Sprintf("%s is answered %d: %s", s.as(c), w.Code, m.reason))
	}
	if n := m.written(); w.Code >= http.StatusBadRequest && n > 0 {
		m.fault(s.op.ID+"saved", fmt.Sprintf("%s is refused with %d, and has saved %d changes", s.as(c), w.Code, n))
	}
}

// judgeBad compares the answer to a bad body with that to a good one: whoever may not do the
// operation is told so, whatever the body is. What a rule says of the record as it becomes is known
// only after the body, and so of the records that the body of a handler has.
func (m *matrix) judgeBad(s subject, c *Caller, good, bad *httptest.ResponseRecorder) {
	isRefused := good.Code == http.StatusUnauthorized || good.Code == http.StatusForbidden
	// Where nobody's rights count, such as to sign in, it is the handler that refuses what the body says.
	isRefused = isRefused && (!s.op.Anonymous || !compiled.IsOpen(s.op.Access))
	ofBody := bad.Code == http.StatusBadRequest || bad.Code == http.StatusUnprocessableEntity
	ofChange := isRefused && (!s.op.Custom || s.op.Bodies() != nil) && ofBody
	// A format has read the body before the record is looked for: it is refused alike, whatever there is.
	ofChange = ofChange || s.op.Relationship != nil && ofBody
	switch {
	case bad.Code < http.StatusBadRequest:
		m.fault(s.op.ID+"bad", fmt.Sprintf("%s is answered %d with a body that is not valid", s.as(c), bad.Code))
	case (isRefused || good.Code == http.StatusNotFound) && bad.Code != good.Code && !ofChange:
		m.fault(s.op.ID+"order", fmt.Sprintf("%s is answered %d, and %d with a body that is not valid", s.as(c), good.Code, bad.Code))
	}
}

// tryMembers sets each member that has a rule to another value. Where the caller does not see a
// member, the value that it has must be refused alike.
func (m *matrix) tryMembers(s subject, c *Caller) {
	whole := m.plain(s.op.Resource, s.record.before)
	for _, name := range slices.Sorted(maps.Keys(s.op.Resource.Members)) {
		f := s.op.Resource.Struct.Field(name)
		if f == nil || !f.Readable() || f.ReadOnly {
			continue
		}
		other := m.others(s, f, whole[name])[0]
		body := object{}
		if s.creates() || s.op.Replace {
			body = m.whole(s)
		}
		changed := m.ask(s, c, s.id(), written(with(body, name, other)))
		same := m.ask(s, c, s.id(), written(with(body, name, whole[name])))
		isTold := changed.Code == http.StatusForbidden || same.Code == http.StatusForbidden
		if s.op.Item && isTold && !m.sees(s, c, name) && !alike(changed, same) {
			m.fault(s.op.ID+name, fmt.Sprintf("%s tells whether the hidden member %s has a value: %d with it, %d with another one",
				s.as(c), name, same.Code, changed.Code))
		}
	}
}

// with returns an object with one member set.
func with(members object, name string, value any) object {
	copied := maps.Clone(members)
	copied[name] = value
	return copied
}

// sees reports whether the caller's own Get shows a member.
func (m *matrix) sees(s subject, c *Caller, name string) bool {
	read := m.read(s, c)
	return read == nil || read.Code != http.StatusOK || strings.Contains(read.Body.String(), `"`+name+`":`)
}

// read is the caller's own Get of a row's record, nil where there is none by the rule that the
// operation reads by.
func (m *matrix) read(s subject, c *Caller) *httptest.ResponseRecorder {
	item := s.op.Resource.Item
	if item == nil || readRule(item) != readRule(s.op) {
		return nil
	}
	return m.ask(subject{item, s.record}, c, s.id(), "")
}

// readRule returns the name of the rule of what an operation reads, "" for none.
func readRule(op *compiled.Operation) string {
	if op.Gate == nil || op.Gate.Read == nil {
		return ""
	}
	return op.Gate.Read.Name
}

// isHidden reports whether the record of a row is hidden from the caller.
func (m *matrix) isHidden(s subject, c *Caller, answer *httptest.ResponseRecorder) bool {
	if answer.Code == http.StatusNotFound {
		return true
	}
	read := m.read(s, c)
	return read != nil && read.Code == http.StatusNotFound
}

// compareMissing compares the answer for a hidden record with that for one that is missing, with
// a condition, too.
func (m *matrix) compareMissing(s subject, c *Caller, body string) {
	if s.record.missing == "" || s.op.AllowCreate {
		return
	}
	for _, condition := range [][]string{nil, {"If-Match", `"x"`}, {"If-None-Match", "*"}} {
		hidden := m.ask(s, c, s.record.text, body, condition...)
		missing := m.ask(s, c, s.record.missing, body, condition...)
		if alike(hidden, missing) {
			continue
		}
		if again := m.ask(s, c, s.record.missing, body, condition...); !alike(missing, again) {
			continue // middleware says something else each time
		}
		m.fault(s.op.ID+"hidden", fmt.Sprintf("%s tells a hidden record from a missing one: %d %s, and %d %s",
			s.as(c), hidden.Code, hidden.Body, missing.Code, missing.Body))
	}
}

// alike reports whether two answers cannot be told apart.
func alike(a, b *httptest.ResponseRecorder) bool {
	return a.Code == b.Code && bytes.Equal(a.Body.Bytes(), b.Body.Bytes()) && reflect.DeepEqual(a.Header(), b.Header())
}

// as says what is asked by whom.
func (s subject) as(c *Caller) string {
	if s.record == nil {
		return s.op.ID + " as " + c.Name
	}
	return s.op.ID + " " + s.label() + " as " + c.Name
}

// fault keeps what is wrong, the first of each sort.
func (m *matrix) fault(sort, text string) {
	if _, known := m.faults[sort]; !known {
		m.faults[sort] = text
	}
}

// report fails the test with what is wrong.
func (m *matrix) report() {
	m.t.Helper()
	for _, sort := range slices.Sorted(maps.Keys(m.faults)) {
		m.t.Errorf("%s", m.faults[sort])
	}
}

// rehearsed is a store whose transactions are rolled back at their end, and reported to have
// ended well. It tells what they would have saved.
type rehearsed struct {
	compiled.Store

	away    any // identifier of the record that is taken away first; nil for none
	written int // changes of the last transaction, if it came to its end
}

// Errors that end a transaction without ending its request.
var (
	errOver  = errors.New("the rehearsal is over")
	errStays = errors.New("the record cannot be taken away")
)

// Transact runs all of a transaction but its end.
func (s *rehearsed) Transact(ctx context.Context, runner compiled.Runner) error {
	err := s.Store.Transact(ctx, &rehearsal{s, runner, s.away})
	if errors.Is(err, errStays) { // others refer to it
		err = s.Store.Transact(ctx, &rehearsal{s, runner, nil})
	}
	if errors.Is(err, errOver) {
		return nil
	}
	return err
}

// rehearsal runs in a transaction that is rolled back.
type rehearsal struct {
	store  *rehearsed
	runner compiled.Runner
	away   any
}

// Run runs what the transaction is for, and then refuses it.
func (r *rehearsal) Run(ctx context.Context, tx compiled.Tx) error {
	r.store.written = 0
	if r.away != nil && tx.Delete(ctx, r.away) != nil {
		return errStays
	}
	counted := &counting{Tx: tx}
	if err := r.runner.Run(ctx, counted); err != nil {
		return err
	}
	r.store.written = counted.written
	return errOver
}

// counting counts changes.
type counting struct {
	compiled.Tx

	written int
}

func (c *counting) Insert(ctx context.Context, record any, stores bool) error {
	c.written++
	return c.Tx.Insert(ctx, record, stores)
}

func (c *counting) Update(ctx context.Context, id, record any, stores bool) error {
	c.written++
	return c.Tx.Update(ctx, id, record, stores)
}

func (c *counting) Delete(ctx context.Context, id any) error {
	c.written++
	return c.Tx.Delete(ctx, id)
}

// rehearse puts the stores of the API into rehearsal, and returns what ends it.
func (m *matrix) rehearse() (end func()) {
	model := compiled.Of(m.api)
	resources, speak := model.Resources, model.Overhear(&m.reason)
	m.stores = map[*compiled.Resource]*rehearsed{}
	for _, r := range resources {
		m.stores[r] = &rehearsed{Store: r.Store}
		r.Store = m.stores[r]
	}
	return func() {
		speak()
		for _, r := range resources {
			r.Store = m.stores[r].Store
		}
	}
}

// written returns how many changes the last request would have saved.
func (m *matrix) written() int {
	total := 0
	for _, s := range m.stores {
		total += s.written
	}
	return total
}

// forget begins a request.
func (m *matrix) forget(away any, of *compiled.Resource) {
	m.reason = ""
	for _, s := range m.stores {
		s.written, s.away = 0, nil
	}
	if away != nil {
		m.stores[of].away = away
	}
}
