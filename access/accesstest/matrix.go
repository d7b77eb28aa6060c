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
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// Callers are those as whom operations are asked, in the order of the table's columns.
type Callers []Caller

// Caller is one who asks. A caller without header fields is nobody.
type Caller struct {
	// Name stands above the column: letters, digits and signs, without a space.
	Name string
	// Header are the fields that say who asks, such as Authorization.
	Header http.Header
}

// Records are those that operations are asked for: the short name of a resource, then what the
// record is called in the table, and its identifier as paths have it.
type Records map[string]map[string]string

// Matrix compares who may do what with the table that the file keeps: every operation of the
// API, hidden ones too, each record of its resource, and each caller's status. It fails the test
// where a status is another one, and where an operation is new or gone. As with all golden files,
// -update writes the table anew; a file that is missing is written, with its folder.
//
// Nothing of it is kept: each request is run whole, with its rules, hooks and answer, in a
// transaction that is rolled back instead of ending, so that all rows are asked of the same
// records. What hooks and handlers do beside the transaction, such as mail or a write in
// one of their own, they do; Matrix fails where one of the records is not as it was. Ask
// nothing else of the API while it runs.
//
// A request is one that whoever may would get an answer to:
//
//   - a Post sends what the record of its line has, as if that were not there: "like draft";
//   - a Put that replaces sends what the caller's own Get answers, else the whole record;
//   - a Patch, and a Put that updates, send {}, which changes nothing;
//   - what changes a relationship (format.Format.Relationships) sends what the caller reads there, or nothing
//     to be taken away;
//   - a Handler is sent the example of the document, or {} where there is none.
//
// Below them are the fields that have rules of their own (access.Rules.Members): who reads each of them in each
// record, and who may set it to another value, in a change ("write draft") and in a new record ("write like draft").
// yes and no are read out of responses. A caller who may not do the operation at all has -, and a status is that of a
// request rejected for another reason than access.
//
// A 400 or 409 in the table is such a request that was let pass, and then refused for another
// reason.
//
// Beside the table it sends each operation that takes a body others: one that is broken, one with an
// unknown member, and one for each member with a rule that sets another value. It fails the
// test where
//
//   - a request that is refused has saved something,
//   - a body is looked at before the rights of its sender,
//   - a hidden record is not answered exactly as one that is missing: status, header and body,
//   - a member that the caller cannot see is refused otherwise with the value that it has than
//     with another one,
//   - an answer is a 5xx.
func Matrix(t testing.TB, api *resource.API, file string, callers Callers, records Records) {
	t.Helper()
	m := newMatrix(t, api, callers, records)
	if m.refused {
		return
	}
	defer m.rehearse()()
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
	m.checkKept()
	m.report()
	made.compare(t, file)
}

// matrix is one run of Matrix.
type matrix struct {
	t        testing.TB
	api      *resource.API
	callers  Callers
	records  map[*compiled.Resource][]*known
	subjects []subject
	examples examples
	stores   map[*compiled.Resource]*rehearsed
	faults   map[string]string // the first of each sort
	reason   string            // why the last request was refused, or failed
	refused  bool              // what is asked for makes no sense
}

// refuse fails the test for what is wrong with its arguments.
func (m *matrix) refuse(format string, args ...any) {
	m.t.Helper()
	m.t.Errorf("accesstest: "+format, args...)
	m.refused = true
}

// known is a record that Records names.
type known struct {
	name, text string
	id         any
	before     any    // the record as it was
	missing    string // an identifier of the same length that no record has; "" where none was found
}

// subject is a row of the table: an operation, and the record that it is asked for.
type subject struct {
	op     *compiled.Operation
	record *known // nil for none
}

// noRecord stands in the table for the record of an operation without one.
const noRecord = "-"

// label says which record the row is about.
func (s subject) label() string {
	switch {
	case s.record == nil:
		return noRecord
	case !s.op.Item:
		return "like " + s.record.name
	}
	return s.record.name
}

// creates reports whether the operation makes a record of its body.
func (s subject) creates() bool { return s.op.Kind == operation.KindPost && !s.op.Custom }

func newMatrix(t testing.TB, api *resource.API, callers Callers, records Records) *matrix {
	t.Helper()
	m := &matrix{t: t, api: api, callers: callers, records: map[*compiled.Resource][]*known{}, faults: map[string]string{}}
	m.checkCallers()
	m.checkResources(records)
	for _, r := range compiled.Of(api).Resources {
		m.look(r, records[r.ShortName])
	}
	for _, r := range compiled.Of(api).Resources {
		i := slices.IndexFunc(r.Operations, func(op *compiled.Operation) bool { return op.Item })
		if i >= 0 && len(m.records[r]) == 0 {
			m.refuse("Records has none of %s, so that %s cannot be asked", r.ShortName, r.Operations[i].ID)
			continue
		}
		for _, op := range r.Operations {
			m.subject(op)
		}
	}
	m.examples = examplesOf(t, api)
	return m
}

func (m *matrix) checkCallers() {
	m.t.Helper()
	if len(m.callers) == 0 {
		m.refuse("there are no callers")
	}
	for i, c := range m.callers {
		if c.Name == "" || strings.ContainsAny(c.Name, " \t\n#") {
			m.refuse("caller %d is called %q; allowed: a word", i+1, c.Name)
		}
		if slices.ContainsFunc(m.callers[:i], func(other Caller) bool { return other.Name == c.Name }) {
			m.refuse("two callers are called %s", c.Name)
		}
	}
}

// checkResources reports records of resources that do not exist.
func (m *matrix) checkResources(records Records) {
	m.t.Helper()
	var allowed []string
	for _, r := range compiled.Of(m.api).Resources {
		allowed = append(allowed, r.ShortName)
	}
	for _, name := range slices.Sorted(maps.Keys(records)) {
		if !slices.Contains(allowed, name) {
			m.refuse("Records has %q, which is no resource of the API; allowed: %s", name, strings.Join(allowed, ", "))
		}
	}
}

// look loads the records of a resource, rules aside.
func (m *matrix) look(r *compiled.Resource, named map[string]string) {
	m.t.Helper()
	for _, name := range slices.Sorted(maps.Keys(named)) {
		where := fmt.Sprintf("the record %q of %s", name, r.ShortName)
		if name == "" || name == noRecord || name != strings.Join(strings.Fields(name), " ") || name[0] == '#' {
			m.refuse("%s has a name that a table cannot have", where)
			continue
		}
		id, ok := r.ID.Parse(named[name])
		if !ok {
			m.refuse("%s: %q is no identifier", where, named[name])
			continue
		}
		found, err := r.Store.Get(m.t.Context(), id)
		if err != nil {
			m.refuse("%s cannot be read: %v", where, err)
			continue
		}
		m.records[r] = append(m.records[r], &known{name, named[name], id, r.Codec.Clone(reflect.ValueOf(found).Interface()), m.missing(r, named[name])})
	}
}

// subject adds the rows of an operation.
func (m *matrix) subject(op *compiled.Operation) {
	m.t.Helper()
	s := subject{op: op}
	records := m.records[op.Resource]
	if !op.Item && (!s.creates() || len(records) == 0) {
		m.subjects = append(m.subjects, s)
		return
	}
	for _, record := range records {
		m.subjects = append(m.subjects, subject{op, record})
	}
}

// missing returns an identifier that no record has. It differs from one that a record has in one
// character, so that nothing else tells the two apart.
func (m *matrix) missing(r *compiled.Resource, text string) string {
	for i := len(text) - 1; i >= 0; i-- {
		for _, c := range "9876543210zyxwvabcdefg" {
			candidate := text[:i] + string(c) + text[i+1:]
			id, ok := r.ID.Parse(candidate)
			if !ok {
				continue
			}
			if _, err := r.Store.Get(m.t.Context(), id); errors.Is(err, store.ErrNotFound) {
				return candidate
			}
		}
	}
	return ""
}

// checkKept fails the test where a record is not as it was.
func (m *matrix) checkKept() {
	for r, records := range m.records {
		for _, record := range records {
			now, err := r.Store.Get(context.WithoutCancel(m.t.Context()), record.id)
			if err != nil || !reflect.DeepEqual(now, record.before) {
				m.fault(r.ShortName+record.name, "the record "+record.name+" of "+r.ShortName+" is not as it was: a hook or a handler saves beside its transaction")
			}
		}
	}
}
