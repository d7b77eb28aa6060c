package accesstest

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

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

func (m *matrix) names() []string {
	var names []string
	for _, c := range m.callers {
		names = append(names, c.Name)
	}
	return names
}

// checkResources refuses records of resources that there are not.
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
			if _, err := r.Store.Get(m.t.Context(), id); isMissing(err) {
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
