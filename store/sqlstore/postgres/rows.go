package postgres

import (
	"fmt"
	"reflect"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
)

// rows are [sqlstore.Rows].
type rows struct {
	pgx.Rows

	plans []pgtype.ScanPlan // for each column, made for the type that it was last read into
	types []reflect.Type
}

// Scan copies the columns of the row. A value that does not fit leaves the rows as they are:
// pgx's own Scan would end them, and one broken row would hide all behind it.
func (r *rows) Scan(dest ...any) error {
	columns, values := r.FieldDescriptions(), r.RawValues()
	if len(columns) != len(dest) {
		return fmt.Errorf("%d columns are read into %d places", len(columns), len(dest))
	}
	if r.plans == nil {
		r.plans, r.types = make([]pgtype.ScanPlan, len(dest)), make([]reflect.Type, len(dest))
	}
	var failed error
	for i, into := range dest {
		if t := reflect.TypeOf(into); r.types[i] != t {
			r.types[i], r.plans[i] = t, r.Conn().TypeMap().PlanScan(columns[i].DataTypeOID, columns[i].Format, into)
		}
		if err := r.plans[i].Scan(values[i], into); err != nil && failed == nil {
			failed = fmt.Errorf("the column %s: %w", columns[i].Name, err)
		}
	}
	return failed
}

// Close gives the connection back. PostgreSQL reports some errors, such as a value that
// must be unique, only when the rows have ended: Close returns them too.
func (r *rows) Close() error {
	r.Rows.Close()
	return r.Err()
}
