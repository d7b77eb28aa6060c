package sqlstore

import (
	"reflect"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/huandu/go-sqlbuilder"
)

// A condition gives so many values one by one. More are given as one list, for a statement
// has room for 32,766 values in SQLite and for 65,535 in PostgreSQL. SQLite reads some floats
// of a JSON text a bit too small or too large, so that those are given so as long as can be.
const (
	manyValues = 100
	manyFloats = 16_000
)

// oneOf writes that a column has one of the values.
func (p *plan) oneOf(b *sqlbuilder.SelectBuilder, c *column, values []any) string {
	name, held := quote(c.name), p.held(c, values)
	switch {
	case len(held) == 0:
		return never
	case len(held) <= manyValues, len(held) <= manyFloats && c.typ == float && p.dialect.JSONLists:
		return b.In(name, held...)
	}
	list, err := p.listOf(held)
	if err != nil {
		return b.In(name, held...)
	}
	return strings.NewReplacer("{value}", name, "{list}", b.Var(list)).Replace(p.dialect.OneOf)
}

// held returns values as a column has them. What no column can have is left out.
func (p *plan) held(c *column, values []any) []any {
	held := make([]any, 0, len(values))
	for _, value := range values {
		if at, ok := value.(time.Time); ok && !at.Truncate(time.Microsecond).Equal(at) {
			continue
		}
		kept, err := c.bound(reflect.ValueOf(value))
		if err != nil || c.typ == text && !isText(kept) {
			continue
		}
		held = append(held, kept)
	}
	return held
}

// listOf returns values as one that the database takes apart: JSON, or an array.
func (p *plan) listOf(values []any) (any, error) {
	if p.dialect.JSONLists {
		text, err := json.Marshal(values)
		return string(text), err
	}
	list := reflect.MakeSlice(reflect.SliceOf(reflect.TypeOf(values[0])), 0, len(values))
	for _, value := range values {
		list = reflect.Append(list, reflect.ValueOf(value))
	}
	return list.Interface(), nil
}

// balanced joins conditions two by two, for SQLite reads no expression that is deeper than
// 1,000.
func balanced(conditions []string, join func(...string) string) string {
	if len(conditions) <= 2 {
		return join(conditions...)
	}
	half := len(conditions) / 2
	return join(balanced(conditions[:half], join), balanced(conditions[half:], join))
}
