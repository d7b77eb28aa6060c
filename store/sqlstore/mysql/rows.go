package mysql

import (
	"database/sql"
	"strings"
)

// rows implements [sqlstore.Rows].
type rows struct {
	*sql.Rows

	isText []bool // of the columns; nil until needed
}

// Scan copies the columns of the row. The driver returns strings as bytes; those that the destination converts itself
// get a string.
func (r *rows) Scan(dest ...any) error {
	for i, into := range dest {
		switch into.(type) {
		case sql.Scanner, *any:
		default:
			continue
		}
		if err := r.findTexts(); err != nil {
			return err
		}
		if i < len(r.isText) && r.isText[i] {
			dest[i] = textInto{into}
		}
	}
	return r.Rows.Scan(dest...)
}

// findTexts finds out which columns have strings.
func (r *rows) findTexts() error {
	if r.isText != nil {
		return nil
	}
	columns, err := r.ColumnTypes()
	r.isText = make([]bool, len(columns))
	for i, c := range columns {
		name := c.DatabaseTypeName()
		r.isText[i] = name == "DECIMAL" || strings.HasSuffix(name, "CHAR") || strings.HasSuffix(name, "TEXT") || name == "ENUM" || name == "SET" || name == "JSON"
	}
	return err
}

// textInto passes a string on to a destination.
type textInto struct{ into any }

func (t textInto) Scan(value any) error {
	if text, ok := value.([]byte); ok {
		value = string(text)
	}
	switch into := t.into.(type) {
	case *any:
		*into = value
		return nil
	case sql.Scanner:
		return into.Scan(value)
	}
	return nil
}
