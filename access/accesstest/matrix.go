package accesstest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/describe"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// Callers are the callers of the table, in the order of its columns.
type Callers []Caller

// Caller is one caller. A caller without header fields is anonymous.
type Caller struct {
	// Name is the heading of the column. It must not contain spaces or #.
	Name string
	// Header has the credentials, such as the field Authorization.
	Header http.Header
}

// Records are the records that operations are called on. The outer key is the short name of a resource. The inner key
// is the name of a record in the table, and the value its identifier as in paths. Records can be in the trash.
type Records map[string]map[string]string

// Matrix calls every operation of the API, hidden ones too, on each record as each caller, and compares the statuses with
// the table in file. It fails the test if a status differs, or if an operation is new or no longer exists. With the test
// flag -update it writes the table. It also writes a missing file, and its directory.
//
// Nothing is saved. Each request runs with its rules and hooks up to the end of its transaction, which is then rolled
// back. So all rows see the same records. Side effects outside the transaction, such as mail or writes in another
// transaction, do happen. Matrix fails the test if they change one of the records. Do not use the API while Matrix
// runs.
//
// Matrix sends requests that succeed for permitted callers:
//
//   - a Post sends the fields of the record in its row ("like draft"), as if that record did not exist;
//   - a replacing Put sends the response of the caller's own Get, or the whole record if the caller cannot read it;
//   - a Patch and an updating Put send {}, which changes nothing;
//   - a Handler gets the example from the OpenAPI document, or {} if it has none.
//
// A 400 or 409 in the table is a permitted request that failed for another reason. A 409 can be that of a record in a state in
// which the operation is not possible (operation.Metadata.When): name a record in each state.
//
// Below the operations are the fields with rules of their own (access.Field). A row shows who can read the field of a
// record ("read draft"). Another shows who can set it to another value, in a change ("write draft") or in a new record
// ("write like draft"). A cell is yes, no, or "-" if the caller cannot call the operation at all. It is the status of a
// request that failed for another reason than access.
//
// Matrix also sends malformed bodies, bodies with an unknown field, and bodies that set a field with a rule to another
// value. It fails the test if
//
//   - a failed request saves something,
//   - a body is validated before the caller's permission is checked,
//   - the response for a hidden record differs from that for a missing one in status, header or body,
//   - the response to a change of a hidden field depends on whether the value sent is the current one,
//   - a response is a 5xx.
func Matrix(t testing.TB, api *resource.API, file string, callers Callers, records Records) {
	t.Helper()
	m := newMatrix(t, api, callers, records)
	if m.invalid {
		return
	}
	defer m.startDryRun()()
	var made table
	for _, c := range callers {
		made.callers = append(made.callers, c.Name)
	}
	for _, subject := range m.subjects {
		row := row{operation: subject.op.ID, record: subject.label()}
		for i := range m.callers {
			status, reason := m.probe(subject, &m.callers[i])
			row.cells, row.reasons = append(row.cells, strconv.Itoa(status)), append(row.reasons, reason)
		}
		made.rows = append(made.rows, row)
	}
	for _, r := range compiled.Of(api).Resources {
		made.rows = append(made.rows, m.fields(r, made)...)
	}
	m.checkUnchanged()
	for _, kind := range slices.Sorted(maps.Keys(m.faults)) {
		t.Errorf("%s", m.faults[kind])
	}
	made.compare(t, file)
}

// matrix is one run of Matrix.
type matrix struct {
	t        testing.TB
	api      *resource.API
	callers  Callers
	records  map[*compiled.Resource][]*known
	subjects []subject
	examples map[string]example // of the OpenAPI document, by operation id
	stores   map[*compiled.Resource]*dryStore
	faults   map[string]string // the first of each kind
	reason   string            // why the last request was denied, or failed
	invalid  bool              // the arguments of Matrix are invalid
}

// reject fails the test because of an invalid argument.
func (m *matrix) reject(format string, args ...any) {
	m.t.Helper()
	m.t.Errorf("accesstest: "+format, args...)
	m.invalid = true
}

// known is a record that Records names.
type known struct {
	name, text string
	id         any
	before     any    // the record before the test
	missing    string // an identifier of the same length that no record has; "" if none was found
}

// subject is a row of the table: an operation and the record that it is called on.
type subject struct {
	op     *compiled.Operation
	record *known // nil for none
}

// noRecord is the record column of an operation without a record.
const noRecord = "-"

// label returns the record column of the row.
func (s subject) label() string {
	switch {
	case s.record == nil:
		return noRecord
	case !s.op.Item:
		return "like " + s.record.name
	}
	return s.record.name
}

// creates reports whether the operation creates a record from its body.
func (s subject) creates() bool { return s.op.Kind == operation.KindPost && !s.op.Custom }

func newMatrix(t testing.TB, api *resource.API, callers Callers, records Records) *matrix {
	t.Helper()
	m := &matrix{t: t, api: api, callers: callers, records: map[*compiled.Resource][]*known{}, examples: map[string]example{}, faults: map[string]string{}}
	m.checkCallers()
	schemas, err := describe.New(compiled.Of(api), false)
	if err != nil {
		t.Fatalf("accesstest: %v", err)
	}
	var allowed []string
	for _, r := range compiled.Of(api).Resources {
		m.load(r, records[r.ShortName])
		allowed = append(allowed, r.ShortName)
	}
	for _, name := range slices.Sorted(maps.Keys(records)) {
		if !slices.Contains(allowed, name) {
			m.reject("Records has the resource %q, which does not exist; allowed: %s", name, strings.Join(allowed, ", "))
		}
	}
	for _, r := range compiled.Of(api).Resources {
		i := slices.IndexFunc(r.Operations, func(op *compiled.Operation) bool { return op.Item })
		if i >= 0 && len(m.records[r]) == 0 {
			m.reject("Records has no %s, but %s needs one; add at least one record", r.ShortName, r.Operations[i].ID)
			continue
		}
		for _, op := range r.Operations {
			m.examples[op.ID] = exampleOf(schemas, op)
			calledOn := []*known{nil}
			if records := m.records[r]; len(records) > 0 && (op.Item || subject{op: op}.creates()) {
				calledOn = records
			}
			for _, record := range calledOn {
				m.subjects = append(m.subjects, subject{op, record})
			}
		}
	}
	return m
}

func (m *matrix) checkCallers() {
	m.t.Helper()
	if len(m.callers) == 0 {
		m.reject("Callers is empty; add at least one caller")
	}
	for i, c := range m.callers {
		if c.Name == "" || strings.ContainsAny(c.Name, " \t\n#") {
			m.reject("caller %d has the name %q; allowed: a word without spaces and #", i+1, c.Name)
		}
		if slices.ContainsFunc(m.callers[:i], func(other Caller) bool { return other.Name == c.Name }) {
			m.reject("two callers have the name %q", c.Name)
		}
	}
}

// load loads the records of a resource, regardless of rules.
func (m *matrix) load(r *compiled.Resource, named map[string]string) {
	m.t.Helper()
	for _, name := range slices.Sorted(maps.Keys(named)) {
		where := fmt.Sprintf("the record %q of %s", name, r.ShortName)
		if name == "" || name == noRecord || name != strings.Join(strings.Fields(name), " ") || name[0] == '#' {
			m.reject("%s has an invalid name; allowed: words separated by one space, but not \"-\" or a # at the beginning", where)
			continue
		}
		id, ok := r.ID.Parse(named[name])
		if !ok {
			m.reject("%s: %q is not a valid identifier", where, named[name])
			continue
		}
		found, err := stored(m.t.Context(), r, id)
		if err != nil {
			m.reject("%s cannot be read: %v", where, err)
			continue
		}
		m.records[r] = append(m.records[r], &known{name, named[name], id, r.Codec.Clone(found), m.missing(r, named[name])})
	}
}

// stored returns a record that exists or is in the trash.
func stored(ctx context.Context, r *compiled.Resource, id any) (any, error) {
	found, err := r.Store.Get(ctx, id)
	if !errors.Is(err, store.ErrNotFound) || r.Struct.Deleted == nil {
		return found, err
	}
	page, err := r.Store.List(ctx, r.Struct.ByID(id, store.OnlyDeleted))
	if err == nil && page.Items.Len() == 0 {
		err = errors.Join(append(page.Broken, store.ErrNotFound)...)
	}
	if err != nil {
		return nil, err
	}
	return page.Items.At(0), nil
}

// missing returns an identifier that no record has. It differs from a given one in a single character, so that responses
// have the same length.
func (m *matrix) missing(r *compiled.Resource, text string) string {
	for i := len(text) - 1; i >= 0; i-- {
		for _, c := range "9876543210zyxwvabcdefg" {
			candidate := text[:i] + string(c) + text[i+1:]
			id, ok := r.ID.Parse(candidate)
			if !ok {
				continue
			}
			if _, err := stored(m.t.Context(), r, id); errors.Is(err, store.ErrNotFound) {
				return candidate
			}
		}
	}
	return ""
}

// checkUnchanged fails the test if a record has changed.
func (m *matrix) checkUnchanged() {
	for r, records := range m.records {
		for _, record := range records {
			now, err := stored(context.WithoutCancel(m.t.Context()), r, record.id)
			if err != nil || !reflect.DeepEqual(now, record.before) {
				m.fault(r.ShortName+record.name, "the record "+record.name+" of "+r.ShortName+" was changed: a hook or a handler writes outside its transaction")
			}
		}
	}
}
