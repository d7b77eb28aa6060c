package check

import (
	"cmp"
	"reflect"
	"strings"
	"time"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
)

// LayoutOf returns the layout of the rule datetime among the rules of a value; "" for none.
func LayoutOf(rules model.Rules) string {
	rule, _ := rules.Find("datetime")
	return rule.Param
}

// ParseDate parses a date or time in a layout of package time. It is stricter for the layout of RFC 3339: package time
// also accepts "T9:05:00,5Z" there, which the format date-time does not allow.
func ParseDate(layout, text string) (time.Time, bool) {
	if layout == time.RFC3339 {
		return codec.ParseTime([]byte(text))
	}
	at, err := time.Parse(layout, text)
	return at, err == nil
}

// isOrdering reports whether a rule requires a field to be greater or less than another.
func isOrdering(rule string) bool {
	relation, ok := strings.CutSuffix(rule, "field")
	switch strings.TrimSuffix(relation, "cs") {
	case "gt", "gte", "lt", "lte":
		return ok
	}
	return false
}

// isText reports whether values of a type are strings, and no method gives them another value.
func isText(t *model.Type) bool { return t.Base().Kind() == reflect.String && !isOpaque(t) }

// compareDates compiles a rule that orders two strings in layouts of package time. A string that is not such a date
// breaks its own rule datetime, so this one holds.
func compareDates(o other, layout, otherLayout string, holds func(order int) bool) contextual {
	return func(in scope, v reflect.Value) bool {
		beside, _ := o.in(in.owner)
		if !beside.IsValid() || beside.Kind() != reflect.String {
			return false
		}
		own, isDate := ParseDate(layout, v.String())
		other, isOtherDate := ParseDate(otherLayout, beside.String())
		return !isDate || !isOtherDate || holds(own.Compare(other))
	}
}

// ofDate returns a date that compares so with another one. A step is the shortest that the layout shows.
func (b Relative) ofDate(other time.Time) (any, bool) {
	layout := cmp.Or(b.Layout, time.RFC3339)
	for _, step := range []time.Duration{time.Hour, 24 * time.Hour, 31 * 24 * time.Hour, 366 * 24 * time.Hour} {
		text := other.Add(time.Duration(b.Step) * step).Format(layout)
		if at, ok := ParseDate(layout, text); ok && (b.Step == 0 || at.Compare(other) == b.Step) {
			return text, true
		}
	}
	return nil, false
}
