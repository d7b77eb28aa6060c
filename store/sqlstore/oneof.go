package sqlstore

import (
	"errors"
	"reflect"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/huandu/go-sqlbuilder"
)

// What conditions of a database whose lists are JSON give one by one, for they find it sooner: more are
// given as one list, for a statement has room for 32,766 values in SQLite. It reads some floats of a JSON
// text a bit too small or too large, so that those are given so as long as can be. Where lists are arrays
// only values of other types than keys have are given so, for a statement has room for 65,535.
const (
	manyValues = 100
	manyFloats = 16_000
)

// oneOf writes that a column has one of the values. An array is one value however many it has, so that
// pages with more keys or fewer have one statement, which the server prepares once.
func (p *plan) oneOf(b *sqlbuilder.SelectBuilder, c *column, values []any) string {
	return p.oneOfHeld(b, c, p.held(c, values))
}

// oneOfHeld is oneOf for values as the column has them.
func (p *plan) oneOfHeld(b *sqlbuilder.SelectBuilder, c *column, held []any) string {
	name := quote(c.name)
	switch {
	case len(held) == 0:
		return never
	case len(held) == 1, len(held) <= manyValues && !p.hasArrays(c), len(held) <= manyFloats && c.typ == float && p.dialect.JSONLists:
		return b.In(name, held...)
	}
	list, err := p.listOf(held)
	if err != nil {
		return b.In(name, held...)
	}
	return p.inList(c, b.Var(list))
}

// hasArrays reports whether several values of a column are given as an array.
func (p *plan) hasArrays(c *column) bool {
	return !p.dialect.JSONLists && (c.typ == integer || c.typ == text)
}

// inList writes that the value of a column is in a list, as the placeholder of that.
func (p *plan) inList(c *column, list string) string {
	return strings.NewReplacer("{value}", quote(c.name), "{list}", list).Replace(p.dialect.OneOf)
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
	if len(values) == 0 {
		return nil, errMixed
	}
	switch values[0].(type) {
	case bool:
		return arrayOf[bool](values)
	case int64:
		return arrayOf[int64](values)
	case float64:
		return arrayOf[float64](values)
	case string:
		return arrayOf[string](values)
	case []byte:
		return arrayOf[[]byte](values)
	case time.Time:
		return arrayOf[time.Time](values)
	}
	return nil, errMixed
}

// arrayOf returns values as those of one type. A type of the user's own may make a number of one value
// and null, or text, of another.
func arrayOf[T any](values []any) (any, error) {
	list := make([]T, len(values))
	for i, value := range values {
		of, ok := value.(T)
		if !ok {
			return nil, errMixed
		}
		list[i] = of
	}
	return list, nil
}

var errMixed = errors.New("sqlstore: values are not of one type, or there are none")

// balanced joins conditions two by two, for SQLite reads no expression that is deeper than
// 1,000.
func balanced(conditions []string, join func(...string) string) string {
	if len(conditions) <= 2 {
		return join(conditions...)
	}
	half := len(conditions) / 2
	return join(balanced(conditions[:half], join), balanced(conditions[half:], join))
}
