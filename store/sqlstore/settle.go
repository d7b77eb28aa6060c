package sqlstore

import (
	"bytes"
	"errors"
	"io"
	"math"
	"reflect"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/model"
)

// written lists the values of a record that is to be written, after it has set in the
// record what the table keeps of it: what is answered now is then what will be read. What
// only the database knows is returned by the statement that writes: see [statements].
func (p *plan) written(v reflect.Value) ([]any, error) {
	for _, c := range p.statements.fields {
		if field := c.field.Value(v); c.settle != nil {
			settle(field, c.settle)
		}
	}
	values, err := p.values(v)
	if err != nil {
		return nil, err
	}
	for i, c := range p.columns {
		if text, ok := values[i].(string); ok && c.typ == document && !c.shadow && hasNegativeZero(text) {
			if values[i], err = c.withoutNegativeZeros(text, v); err != nil {
				return nil, err
			}
		}
	}
	return values, nil
}

// settle changes a field. What a pointer points to stays as it is, for others may point to
// it too.
func settle(field reflect.Value, change func(reflect.Value) (reflect.Value, bool)) {
	nullable := field.Kind() == reflect.Pointer
	if nullable && field.IsNil() {
		return
	}
	from := field
	if nullable {
		from = field.Elem()
	}
	made, changed := change(from)
	if !changed {
		return
	}
	if nullable {
		fresh := reflect.New(made.Type())
		fresh.Elem().Set(made)
		made = fresh
	}
	field.Set(made)
}

// settleTime gives a time in UTC and to the microsecond, without the reading of a clock.
func settleTime(v reflect.Value) (reflect.Value, bool) {
	at, _ := reflect.TypeAssert[time.Time](v)
	kept := at.UTC().Truncate(time.Microsecond)
	return reflect.ValueOf(kept), kept != at
}

// settleFloat takes the sign from a zero, which not every database keeps.
func settleFloat(v reflect.Value) (reflect.Value, bool) {
	return reflect.Zero(v.Type()), v.Float() == 0 && math.Signbit(v.Float())
}

// hasNegativeZero reports whether there may be a number -0 in JSON.
func hasNegativeZero(text string) bool {
	return text == "-0" || strings.Contains(text, ":-0") || strings.Contains(text, "[-0") || strings.Contains(text, ",-0")
}

// withoutNegativeZeros writes 0 for each -0 in a document, which JSONB keeps as 0, and reads
// what it has written into the field.
func (c *column) withoutNegativeZeros(text string, record reflect.Value) (string, error) {
	from := jsontext.NewDecoder(strings.NewReader(text))
	var written bytes.Buffer
	to := jsontext.NewEncoder(&written)
	for {
		token, err := from.ReadToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			if token.Kind() == '0' && token.String() == "-0" {
				token = jsontext.Int(0)
			}
			err = to.WriteToken(token)
		}
		if err != nil {
			return "", err
		}
	}
	kept := strings.TrimSuffix(written.String(), "\n")
	if kept == text {
		return text, nil
	}
	field := c.field.Value(record)
	if field.Kind() == reflect.Pointer {
		fresh := reflect.New(field.Type().Elem())
		field.Set(fresh)
		field = fresh.Elem()
	} else {
		field.SetZero()
	}
	return kept, readJSON([]byte(kept), field)
}

// isKeptExactly reports whether values of a type, kept as what they are or as JSON, are
// read as they were written. The types that have a form of their own say themselves what
// they make of it, and so does the database of free JSON.
func isKeptExactly(t *model.Type, open map[*model.Struct]bool) bool {
	switch t.Kind {
	case model.Text, model.Custom, model.Any:
		return false
	case model.List, model.Array, model.Map:
		return isKeptExactly(t.Elem, open)
	case model.Object:
		if open[t.Struct] {
			return true
		}
		open[t.Struct] = true
		for _, f := range t.Struct.Fields {
			if !isKeptExactly(f.Type, open) {
				return false
			}
		}
	}
	return true
}
