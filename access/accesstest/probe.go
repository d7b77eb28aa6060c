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
	"github.com/trove-api/trove/store"
)

// probe sends the request of a row as a caller, and returns the status for the table with the reason of a denial. It also
// sends the requests whose responses must not differ.
func (m *matrix) probe(s subject, c *Caller) (status int, reason string) {
	body := m.body(s, c)
	response := m.ask(s, c, s.id(), body)
	reason = m.reason
	bodies := []string{body}
	if s.op.TakesBody() {
		for _, bad := range []string{`{"`, `{"thisFieldIsNotKnown":1}`} {
			m.checkInvalid(s, c, response, m.ask(s, c, s.id(), bad))
			bodies = append(bodies, bad)
		}
	}
	if s.op.TakesBody() && !s.op.Custom && s.record != nil {
		m.tryFields(s, c)
	}
	if s.record != nil && s.op.Item && m.isHidden(s, c, response) {
		for _, each := range bodies {
			m.compareMissing(s, c, each)
		}
	}
	return response.Code, reason
}

// checkInvalid compares the response to an invalid body with that to a valid one: callers without permission get the
// same status for both. Rules on the new record are exceptions, because they can be checked only after the body.
func (m *matrix) checkInvalid(s subject, c *Caller, valid, invalid *httptest.ResponseRecorder) {
	isDenied := valid.Code == http.StatusUnauthorized || valid.Code == http.StatusForbidden
	// If access does not matter, as for signing in, the handler rejects the body.
	isDenied = isDenied && (!s.op.Anonymous || !compiled.IsOpen(s.op.Access))
	ofBody := invalid.Code == http.StatusBadRequest || invalid.Code == http.StatusUnprocessableEntity
	ofChange := isDenied && (!s.op.Custom || s.op.Bodies() != nil) && ofBody
	switch {
	case invalid.Code < http.StatusBadRequest:
		m.fault(s.op.ID+"bad", fmt.Sprintf("%s returns %d for an invalid body", s.as(c), invalid.Code))
	case (isDenied || valid.Code == http.StatusNotFound) && invalid.Code != valid.Code && !ofChange:
		m.fault(s.op.ID+"order", fmt.Sprintf("%s returns %d, but %d for an invalid body", s.as(c), valid.Code, invalid.Code))
	}
}

// tryFields sets each field that has a rule to another value. If the caller cannot see a field, sending its current value
// must have the same response.
func (m *matrix) tryFields(s subject, c *Caller) {
	whole, read := m.plain(s.op.Resource, s.record.before), m.read(s, c)
	for _, name := range slices.Sorted(maps.Keys(s.op.Resource.Members)) {
		f := s.op.Resource.Struct.Field(name)
		if f == nil || !f.Readable() || f.ReadOnly {
			continue
		}
		other := m.others(s, f, whole[name])[0]
		body := m.unchanged(s)
		changed := m.ask(s, c, s.id(), written(with(body, name, other)))
		same := m.ask(s, c, s.id(), written(with(body, name, whole[name])))
		isDenied := changed.Code == http.StatusForbidden || same.Code == http.StatusForbidden
		isSeen := read == nil || read.Code != http.StatusOK || strings.Contains(read.Body.String(), `"`+name+`":`)
		if s.op.Item && isDenied && !isSeen && !alike(changed, same) {
			m.fault(s.op.ID+name, fmt.Sprintf("%s reveals the value of the hidden field %s: %d if the value is sent, %d for another value",
				s.as(c), name, same.Code, changed.Code))
		}
	}
}

// with returns a copy of an object with one field set.
func with(fields object, name string, value any) object {
	copied := maps.Clone(fields)
	copied[name] = value
	return copied
}

// read returns the response to the caller's own Get of a row's record, nil if no Get has the read rule of the operation.
func (m *matrix) read(s subject, c *Caller) *httptest.ResponseRecorder {
	item := s.op.Resource.Item
	if item == nil || item.ReadRuleName() != s.op.ReadRuleName() {
		return nil
	}
	return m.ask(subject{item, s.record}, c, s.id(), "")
}

// isHidden reports whether the record of a row is hidden from the caller. A Handler can return a 404 of its own for a
// record that the caller can see.
func (m *matrix) isHidden(s subject, c *Caller, response *httptest.ResponseRecorder) bool {
	read := m.read(s, c)
	if s.op.OfTrash() && s.op.Resource.Struct.IsDeleted(reflect.ValueOf(s.record.before).Elem()) { // no Get returns it
		return response.Code == http.StatusNotFound
	}
	if s.op.Custom && !s.op.OfTrash() && (read != nil || s.op.ReadRuleName() == "") {
		return read != nil && read.Code == http.StatusNotFound
	}
	return response.Code == http.StatusNotFound || read != nil && read.Code == http.StatusNotFound
}

// compareMissing compares the response for a hidden record with that for a missing one, with and without a precondition.
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
			continue // middleware changes each response
		}
		m.fault(s.op.ID+"hidden", fmt.Sprintf("%s reveals a hidden record: %d %s, but %d %s for a missing one",
			s.as(c), hidden.Code, hidden.Body, missing.Code, missing.Body))
	}
}

// alike reports whether two responses are equal.
func alike(a, b *httptest.ResponseRecorder) bool {
	return a.Code == b.Code && bytes.Equal(a.Body.Bytes(), b.Body.Bytes()) && reflect.DeepEqual(a.Header(), b.Header())
}

// as names the request of a row as a caller.
func (s subject) as(c *Caller) string {
	return row{operation: s.op.ID, record: s.label()}.name() + " as " + c.Name
}

// fault records a failure of the test, the first of each kind.
func (m *matrix) fault(kind, text string) {
	if _, known := m.faults[kind]; !known {
		m.faults[kind] = text
	}
}

// dryStore is a store that rolls back its transactions at their end, and reports success. It counts their changes.
type dryStore struct {
	compiled.Store

	removed any // identifier of the record to remove first; nil for none
	trashed any // identifier of the record to move to the trash first; nil for none
	written int // changes of the last transaction, if it came to its end
}

// Errors that roll back a transaction without an error of its request.
var (
	errOver  = errors.New("the dry run is over")
	errInUse = errors.New("the record cannot be removed")
)

// Transact runs a transaction, and rolls it back instead of committing it.
func (s *dryStore) Transact(ctx context.Context, runner compiled.Runner) error {
	err := s.Store.Transact(ctx, &dryRun{s, runner})
	if errors.Is(err, errInUse) { // others reference it
		s.removed, s.trashed = nil, nil
		err = s.Store.Transact(ctx, &dryRun{s, runner})
	}
	if errors.Is(err, errOver) {
		return nil
	}
	return err
}

// dryRun is the work of a transaction that is rolled back.
type dryRun struct {
	store  *dryStore
	runner compiled.Runner
}

// Run runs the work of the transaction, and returns errOver.
func (r *dryRun) Run(ctx context.Context, tx compiled.Tx) error {
	r.store.written = 0
	if removed := r.store.removed; removed != nil {
		if err := tx.Delete(ctx, removed); err != nil && !errors.Is(err, store.ErrNotFound) { // it may be in the trash
			return errInUse
		}
		if err := tx.Purge(ctx, removed); err != nil && !errors.Is(err, store.ErrNotFound) { // it may have no trash
			return errInUse
		}
	}
	if r.store.trashed != nil && tx.Delete(ctx, r.store.trashed) != nil {
		return errInUse
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

func (c *counting) Restore(ctx context.Context, id any) error {
	c.written++
	return c.Tx.Restore(ctx, id)
}

func (c *counting) Purge(ctx context.Context, id any) error {
	c.written++
	return c.Tx.Purge(ctx, id)
}

// startDryRun replaces the stores of the API, and returns the function that restores them.
func (m *matrix) startDryRun() (end func()) {
	model := compiled.Of(m.api)
	resources, speak := model.Resources, model.RecordReason(&m.reason)
	m.stores = map[*compiled.Resource]*dryStore{}
	for _, r := range resources {
		m.stores[r] = &dryStore{Store: r.Store}
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

// reset prepares for the next request. A Post creates its record again, which is removed first.
func (m *matrix) reset(next subject) {
	m.reason = ""
	for _, s := range m.stores {
		s.written, s.removed, s.trashed = 0, nil, nil
	}
	if next.creates() && next.record != nil {
		m.stores[next.op.Resource].removed = next.record.id
	}
	if next.op.OfTrash() && next.record != nil {
		m.stores[next.op.Resource].trashed = next.record.id
	}
}
