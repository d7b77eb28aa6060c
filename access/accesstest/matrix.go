package accesstest

import (
	"net/http"
	"strconv"
	"testing"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/resource"
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
	made := table{callers: m.names()}
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
