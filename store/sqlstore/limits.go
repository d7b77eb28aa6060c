package sqlstore

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/validation"
)

// columnLimiter is implemented by drivers of databases whose columns can hold fewer values than the fields of structs.
type columnLimiter interface {
	// Limits returns the least and the largest number that a column of a declared type can hold, and the maximum length
	// of its strings in characters. They are "" and 0 without a limit.
	Limits(declared string) (least, most string, length int)
}

// limit is what a column of a table of another program can hold.
type limit struct {
	least, most string // of a number; "" without a limit
	length      int    // of a string; 0 without a limit
}

// limitOf returns the limit of a column with a declared type, if it is narrower than the type of the field.
func (p *plan) limitOf(c *column, declared string) limit {
	limiter, ok := p.db.driver.(columnLimiter)
	if !ok || declared == "" {
		return limit{}
	}
	least, most, length := limiter.Limits(declared)
	t := c.path.Leaf().Type
	switch base := t.Base(); {
	case t.Kind == model.String:
		return limit{length: length}
	case most == "" || c.typ != integer && c.typ != float:
		return limit{}
	case t.Kind == model.Int:
		least, most = whole(least), whole(most)
		if n, err := strconv.ParseInt(most, 10, 64); err != nil || n >= math.MaxInt64>>(64-base.Bits()) {
			return limit{}
		}
	case t.Kind == model.Uint:
		least, most = "", whole(most)
		if n, err := strconv.ParseUint(most, 10, 64); err != nil || n >= math.MaxUint64>>(64-base.Bits()) {
			return limit{}
		}
	case t.Kind != model.Float || base.Kind() == reflect.Float32 && len(most) > len(maxFloat32)-1:
		return limit{}
	}
	return limit{least: least, most: most}
}

const maxFloat32 = "340282346638528859811704183484516925440"

// whole returns a number without its fraction.
func whole(number string) string {
	before, _, _ := strings.Cut(number, ".")
	return before
}

// bindWithin makes bind return an error for a number that the column cannot hold. Queries then compare with a number
// that is larger or smaller than all of the column.
func (l limit) bindWithin(bind func(reflect.Value) (any, error)) func(reflect.Value) (any, error) {
	if l.most == "" {
		return bind
	}
	return func(v reflect.Value) (any, error) {
		value, err := bind(v)
		if err != nil {
			return value, err
		}
		switch c := compareNumber(value, l.most); {
		case c > 0:
			return value, errTooLarge
		case l.least != "" && compareNumber(value, l.least) < 0:
			return value, errTooSmall
		}
		return value, nil
	}
}

// compareNumber compares a number with another one, in decimal.
func compareNumber(value any, with string) int {
	switch n := value.(type) {
	case int64:
		if other, err := strconv.ParseInt(with, 10, 64); err == nil {
			return cmp.Compare(n, other)
		}
	case float64:
		if other, err := strconv.ParseFloat(with, 64); err == nil {
			return cmp.Compare(n, other)
		}
	}
	return 0
}

// exceeds returns the error of a field whose value the column cannot hold, nil if it can. Clients can send another
// value, unless only the program can set the field.
func (c *column) exceeds(value any, err error) error {
	text, isText := value.(string)
	var message string
	switch {
	case c.limit.length > 0 && isText && utf8.RuneCountInString(text) > c.limit.length:
		message = fmt.Sprintf("must be at most %d characters long", c.limit.length)
	case c.limit.most != "" && err == errTooLarge: //nolint:errorlint // bindWithin does not wrap it
		message = "must be at most " + c.limit.most
	case c.limit.most != "" && err == errTooSmall: //nolint:errorlint // bindWithin does not wrap it
		message = "must be at least " + c.limit.least
	default:
		return nil
	}
	if !c.field.Writable() || c.field.Hidden {
		return fmt.Errorf("sqlstore: %s %s, because of the type of its column", c.path.Name, message)
	}
	return exceededError{validation.Fail(c.path.Name, c.path.Name+" "+message)}
}

// exceededError is a violation, and [store.ErrConstraint] as the error of the database would be.
type exceededError struct{ error }

func (e exceededError) Unwrap() error { return e.error }

func (exceededError) Is(target error) bool {
	return target == store.ErrConstraint || target == store.ErrConflict
}

// Limits returns validation rules for fields whose columns can hold fewer values, by JSON name, in the form of the tag
// validate. Only an [Existing] table has such columns. Composite references have no rules. Check must run before it.
// resource.New applies the rules as if the tags had them, so that clients get a validation error, and the OpenAPI
// document has the limits.
func (s *table) Limits() map[string]string {
	rules := map[string]string{}
	for _, c := range s.plan().own {
		if c.parts != nil {
			continue
		}
		var list []string
		if c.limit.least != "" {
			list = append(list, "gte="+c.limit.least)
		}
		if c.limit.most != "" {
			list = append(list, "lte="+c.limit.most)
		}
		if c.limit.length > 0 {
			list = append(list, "max="+strconv.Itoa(c.limit.length))
		}
		if list != nil {
			rules[c.field.Name] = strings.Join(list, ",")
		}
	}
	return rules
}
