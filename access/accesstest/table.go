package accesstest

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// table is what the golden file has.
type table struct {
	callers []string
	rows    []row
}

// row is one line: the cells are those of the callers. Of an operation they are statuses, of a field
// whether the caller may.
type row struct {
	operation, record string
	cells             []string
	reasons           []string // for refusals; the file has none
	isField           bool
}

// text writes the table in columns.
func (t table) text() []byte {
	lines := [][]string{append([]string{"operation", "record"}, t.callers...)}
	for _, r := range t.rows {
		lines = append(lines, append([]string{r.operation, r.record}, r.cells...))
	}
	widths := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, cell := range line {
			widths[i] = max(widths[i], len(cell))
		}
	}
	var b bytes.Buffer
	for n, line := range lines {
		for i, cell := range line {
			if i < len(line)-1 {
				cell = fmt.Sprintf("%-*s  ", widths[i], cell)
			}
			b.WriteString(cell)
		}
		b.WriteByte('\n')
		isLast := n == len(t.rows)
		if n == 0 || !isLast && t.rows[n].isField && !t.rows[n-1].isField {
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}

// gap stands between columns; the words of one have a single space.
var gap = regexp.MustCompile(` {2,}`)

// readTable reads what text has written. Lines that begin with # are the reader's own.
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
			if _, err := strconv.Atoi(cell); err != nil && !slices.Contains([]string{yes, no, unasked}, cell) {
				return t, fmt.Errorf("line %d has %q for a status", n+1, cell)
			}
		}
		t.rows = append(t.rows, row{operation: cells[0], record: cells[1], cells: cells[2:]})
	}
	return t, nil
}

// compare fails the test where the table is not that of the file.
func (t table) compare(tb testing.TB, file string) {
	tb.Helper()
	kept, err := os.ReadFile(file) //nolint:gosec // the test names it
	switch {
	case updates(), errors.Is(err, fs.ErrNotExist):
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
		tb.Errorf("who may do what is not as %s says; once that is what you mean, run the test with -update to write it anew", file)
	}
}

// differences lists what a table has that another one before it did not say.
func (t table) differences(before table) []string {
	if !slices.Equal(t.callers, before.callers) {
		return []string{fmt.Sprintf("the callers are %s, and were %s", strings.Join(t.callers, ", "), strings.Join(before.callers, ", "))}
	}
	var list []string
	told := map[string]bool{}
	for _, r := range t.rows {
		old := before.find(r.operation, r.record)
		switch {
		case old == nil && !before.has(r.operation):
			if !told[r.operation] {
				verb := "do"
				if r.isField {
					verb = "read and write"
				}
				list = append(list, r.operation+" is new: nothing says who may "+verb+" it")
			}
			told[r.operation] = true
		case old == nil:
			list = append(list, r.name()+" is new")
		default:
			list = append(list, r.changes(*old, t.callers)...)
		}
	}
	for _, old := range before.rows {
		switch {
		case !t.has(old.operation):
			if !told[old.operation] {
				list = append(list, old.operation+" is gone")
			}
			told[old.operation] = true
		case t.find(old.operation, old.record) == nil:
			list = append(list, old.name()+" is gone")
		}
	}
	return list
}

// changes lists the cells that are not what they were.
func (r row) changes(before row, callers []string) []string {
	var list []string
	for i, caller := range callers {
		if r.cells[i] != before.cells[i] {
			verb := "is answered"
			if r.isField {
				verb = "may:"
			}
			told := fmt.Sprintf("%s: %s %s %s, and was %s", r.name(), caller, verb, r.cells[i], before.cells[i])
			if r.reasons[i] != "" {
				told += " (" + r.reasons[i] + ")"
			}
			list = append(list, told)
		}
	}
	return list
}

// name says which row it is.
func (r row) name() string {
	if r.record == noRecord {
		return r.operation
	}
	return r.operation + " " + r.record
}

func (t table) find(operation, record string) *row {
	i := slices.IndexFunc(t.rows, func(r row) bool { return r.operation == operation && r.record == record })
	if i < 0 {
		return nil
	}
	return &t.rows[i]
}

func (t table) has(operation string) bool {
	return slices.ContainsFunc(t.rows, func(r row) bool { return r.operation == operation })
}

// updates reports whether the flag -update of the test is set.
func updates() bool {
	set := flag.Lookup("update")
	return set != nil && set.Value.String() == "true"
}
