package accesstest

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/operation"
)

// table is the content of the golden file.
type table struct {
	callers []string
	rows    []row
}

// row is one line with a cell for each caller: a status for an operation, yes or no for a field.
type row struct {
	operation, record string
	cells             []string
	reasons           []string // of denials; not in the file
	isField           bool
}

// text formats the table in columns.
func (t table) text() []byte {
	var aligned, b bytes.Buffer
	w := tabwriter.NewWriter(&aligned, 0, 0, 2, ' ', 0)
	for _, r := range append([]row{{operation: "operation", record: "record", cells: t.callers}}, t.rows...) {
		_, _ = fmt.Fprintln(w, strings.Join(append([]string{r.operation, r.record}, r.cells...), "\t")) // a buffer takes everything
	}
	_ = w.Flush() // as above
	for n, line := range bytes.SplitAfter(aligned.Bytes(), []byte("\n")) {
		if n == 1 || n > 1 && n <= len(t.rows) && t.rows[n-1].isField && !t.rows[n-2].isField {
			b.WriteByte('\n')
		}
		b.Write(line)
	}
	return b.Bytes()
}

// gap separates columns; words within a column are separated by one space.
var gap = regexp.MustCompile(` {2,}`)

// readTable parses the output of text. It skips comments, which begin with #.
func readTable(text []byte) (table, error) {
	var t table
	for n, line := range strings.Split(string(text), "\n") {
		line = strings.TrimRight(line, " \r")
		if line == "" || line[0] == '#' {
			continue
		}
		cells := gap.Split(line, -1)
		switch {
		case len(cells) < 2 || t.callers != nil && len(cells) != len(t.callers)+2:
			return t, fmt.Errorf("line %d has %d columns", n+1, len(cells))
		case t.callers == nil:
			t.callers = cells[2:]
			continue
		}
		for _, cell := range cells[2:] {
			if _, err := strconv.Atoi(cell); err != nil && !slices.Contains([]string{yes, no, notCalled}, cell) {
				return t, fmt.Errorf("line %d has the invalid status %q", n+1, cell)
			}
		}
		t.rows = append(t.rows, row{operation: cells[0], record: cells[1], cells: cells[2:]})
	}
	return t, nil
}

// compare fails the test if the table differs from the file.
func (t table) compare(tb testing.TB, file string) {
	tb.Helper()
	updates := flag.Lookup("update")
	kept, err := os.ReadFile(file) //nolint:gosec // the test names it
	switch {
	case updates != nil && updates.Value.String() == "true", errors.Is(err, fs.ErrNotExist):
		err := os.MkdirAll(filepath.Dir(file), 0o750)
		if err == nil {
			err = os.WriteFile(file, t.text(), 0o600)
		}
		if err != nil {
			tb.Fatalf("accesstest: %v", err)
		}
		return
	case err != nil:
		tb.Fatalf("accesstest: %v", err)
	}
	before, err := readTable(kept)
	if err != nil {
		tb.Fatalf("accesstest: %s: %v", file, err)
	}
	differences := t.differences(before)
	for _, difference := range differences {
		tb.Errorf("%s", difference)
	}
	if len(differences) > 0 {
		tb.Errorf("access differs from %s; if you intend the change, run the test with -update", file)
	}
}

// differences lists the differences from an earlier table.
func (t table) differences(before table) []string {
	if !slices.Equal(t.callers, before.callers) {
		return []string{fmt.Sprintf("the callers are %s, want %s", strings.Join(t.callers, ", "), strings.Join(before.callers, ", "))}
	}
	var list []string
	once := func(operation, text string) {
		if text = operation + text; !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	for _, r := range t.rows {
		verb := "call"
		if r.isField {
			verb = "read and write"
		}
		switch old := before.find(r.operation, r.record); {
		case old != nil:
			list = append(list, r.changes(*old, t.callers)...)
		case before.find(r.operation, "") != nil:
			list = append(list, r.name()+" is new")
		default:
			once(r.operation, " is new: the table does not say who can "+verb+" it")
		}
	}
	for _, old := range before.rows {
		switch {
		case t.find(old.operation, "") == nil:
			once(old.operation, " no longer exists")
		case t.find(old.operation, old.record) == nil:
			list = append(list, old.name()+" no longer exists")
		}
	}
	return list
}

// changes lists the cells that differ from an earlier row.
func (r row) changes(before row, callers []string) []string {
	var list []string
	for i, caller := range callers {
		if r.cells[i] != before.cells[i] {
			change := fmt.Sprintf("%s: %s gets %s, want %s", r.name(), caller, r.cells[i], before.cells[i])
			if r.reasons[i] != "" {
				change += " (" + r.reasons[i] + ")"
			}
			list = append(list, change)
		}
	}
	return list
}

// name names the row.
func (r row) name() string {
	if r.record == noRecord {
		return r.operation
	}
	return r.operation + " " + r.record
}

// find returns the row of an operation and a record, or the first of the operation if the record is "".
func (t table) find(operation, record string) *row {
	i := slices.IndexFunc(t.rows, func(r row) bool { return r.operation == operation && (record == "" || r.record == record) })
	if i < 0 {
		return nil
	}
	return &t.rows[i]
}

// Cells of the rows of fields.
const (
	yes       = "yes"
	no        = "no"
	notCalled = "-" // the caller cannot call the operation at all
)

// fields returns the rows of fields with rules: who can read the field of a record, and who can set it to another value.
// It reads them from responses, because the rules of the record, the operation and the field decide together.
func (m *matrix) fields(of *compiled.Resource, made table) []row {
	var rows []row
	for _, name := range slices.Sorted(maps.Keys(of.Members)) {
		f := of.Struct.Field(name)
		if f == nil {
			continue
		}
		for _, record := range m.records[of] {
			if op := shows(of, f); op != nil {
				rows = append(rows, m.fieldRow(f, "read", subject{op, record}, made, m.reads))
			}
		}
		for _, op := range writing(of) {
			for _, record := range m.records[of] {
				if s := (subject{op, record}); !f.ReadOnly {
					rows = append(rows, m.fieldRow(f, "write", s, made, m.writes))
				}
			}
		}
	}
	return rows
}

// fieldRow returns the row of a field, for each caller who can call the operation.
func (m *matrix) fieldRow(f *model.Field, verb string, s subject, made table, may func(subject, *Caller, *model.Field) string) row {
	r := row{operation: s.op.Resource.ShortName + "." + f.Name, record: verb + " " + s.label(), isField: true}
	asked := made.find(s.op.ID, s.label())
	for i := range m.callers {
		cell := notCalled
		if asked == nil || asked.cells[i] < strconv.Itoa(http.StatusMultipleChoices) {
			cell = may(s, &m.callers[i], f)
		}
		r.cells, r.reasons = append(r.cells, cell), append(r.reasons, m.reason)
	}
	return r
}

// shows returns the first Get that shows a field, nil for none.
func shows(of *compiled.Resource, f *model.Field) *compiled.Operation {
	for _, op := range of.Operations {
		if op.Kind == operation.KindGet && op.Item && op.Shows && op.Output == nil && op.Out.View != nil {
			if shown := op.Out.View.Field(f); shown != nil && shown.Readable {
				return op
			}
		}
	}
	return nil
}

// writing lists the operations that set fields: the first that creates a record, and the first that changes one.
func writing(of *compiled.Resource) []*compiled.Operation {
	var found []*compiled.Operation
	for _, creates := range []bool{true, false} {
		i := slices.IndexFunc(of.Operations, func(op *compiled.Operation) bool {
			return (creates && op.Creates || !creates && op.Item && op.TakesBody()) && !op.Custom && op.Input == nil
		})
		if i >= 0 {
			found = append(found, of.Operations[i])
		}
	}
	return found
}

// reads reports whether a caller's own Get shows a field.
func (m *matrix) reads(s subject, c *Caller, f *model.Field) string {
	var body map[string]json.RawMessage
	_ = json.Unmarshal(m.ask(s, c, s.id(), "").Body.Bytes(), &body) // another body shows no field
	if _, ok := body[f.Name]; ok {
		return yes
	}
	return no
}

// writes reports whether a caller can set a field to another value. It tries values until one is accepted or denied; if all
// fail for another reason, it returns the last status.
func (m *matrix) writes(s subject, c *Caller, f *model.Field) string {
	body, status := m.unchanged(s), notCalled
	for _, value := range m.others(s, f, m.plain(s.op.Resource, s.record.before)[f.Name]) {
		changed := m.ask(s, c, s.id(), written(with(body, f.Name, value)))
		switch {
		case changed.Code < http.StatusMultipleChoices:
			return yes
		case changed.Code == http.StatusUnauthorized || changed.Code == http.StatusForbidden:
			return no
		}
		status = strconv.Itoa(changed.Code)
	}
	return status
}

// others lists values of a field that differ from its current one: references to known records, values of other records,
// examples of the OpenAPI document, and made-up values.
func (m *matrix) others(s subject, f *model.Field, value any) []any {
	var all []any
	if f.Reference != nil {
		all = m.references(f)
	}
	for _, record := range m.records[s.op.Resource] {
		all = append(all, m.plain(s.op.Resource, record.before)[f.Name])
	}
	switch v := value.(type) {
	case bool:
		all = append(all, !v)
	case string:
		all = append(all, v+"x", "x"+v)
	case json.Number:
		if n, err := v.Int64(); err == nil {
			all = append(all, n+1, n-1)
		}
	case []any:
		all = append(all, []any{}, []any{"x"})
	}
	for _, op := range s.op.Resource.Operations {
		shown, _ := m.examples[op.ID].sent.(object)
		all = append(all, shown[f.Name])
	}
	all = slices.DeleteFunc(all, func(each any) bool { return each == nil || written(each) == written(value) })
	if len(all) == 0 {
		all = []any{nil}
	}
	return all
}

// references lists references to the known records.
func (m *matrix) references(f *model.Field) []any {
	var all []any
	target := compiled.Of(m.api).ByStruct[f.Reference.Target] // nil, without records, if no resource has the struct
	for _, record := range m.records[target] {
		var value any = record.text
		switch get := target.Get(); {
		case f.Reference.Path == nil && !target.ID.IsComposite() && target.ID.Fields()[0].Type.Kind == model.Int:
			value = json.Number(record.text)
		case f.Reference.Path != nil && get != nil:
			value = get.Template.Expand(func(name string) string { return part(target.ID, record.text, name) })
		}
		if f.Reference.Many {
			value = []any{value}
		}
		all = append(all, value)
	}
	return all
}
