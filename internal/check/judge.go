package check

import (
	"reflect"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/trove-api/trove/internal/model"
)

// judgeOf compiles a rule for the values of a type, or returns nil if only validator can check it. A compiled rule
// decides exactly as validator does, or calls it through ask.
func (c *Compiler) judgeOf(rule model.Constraint, t *model.Type, ask judge) judge {
	spec := c.rules[rule.Name]
	if spec.judge == nil || isOpaque(t) && spec.fits != everyKind {
		return nil
	}
	return spec.judge(rule, t, ask)
}

// requiredJudge compiles required. As in validator, an empty list or map is present and null is not.
func requiredJudge(_ model.Constraint, t *model.Type, _ judge) judge {
	nullable := isNullable(t)
	return func(v reflect.Value) bool { return hasValue(v, nullable) }
}

func isDefaultJudge(_ model.Constraint, t *model.Type, _ judge) judge {
	nullable := isNullable(t)
	return func(v reflect.Value) bool { return !hasValue(v, nullable) }
}

// hasValue reports whether a value is not empty. Behind a pointer zero is a value.
func hasValue(v reflect.Value, nullable bool) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.Pointer, reflect.Interface:
		return !v.IsNil()
	}
	return nullable || !v.IsZero()
}

// comparison compiles a rule that compares with its parameter: numbers by value, strings and collections by length.
func comparison(c model.Constraint, t *model.Type, ask judge) judge {
	name, param, isEquality := c.Name, c.Param, c.Name == "eq" || c.Name == "ne"
	switch kind := t.Kind; {
	case kind == model.String && isEquality:
		return func(v reflect.Value) bool { return (v.String() == param) == (name == "eq") }
	case kind == model.String:
		return lengthOfText(name, param)
	case kind == model.Bytes || t.Elem != nil:
		limit, err := strconv.ParseInt(param, 0, 64)
		return compare(name, limit, err, func(v reflect.Value) int64 { return int64(v.Len()) })
	case kind == model.Int:
		limit, err := strconv.ParseInt(param, 0, 64)
		return compare(name, limit, err, reflect.Value.Int)
	case kind == model.Uint:
		limit, err := strconv.ParseUint(param, 0, 64)
		return compare(name, limit, err, reflect.Value.Uint)
	case kind == model.Float:
		// Parsed with the bits of the field, because 0.1 in 32 bits is greater than 0.1 in 64.
		limit, err := strconv.ParseFloat(param, t.Bits)
		return compare(name, limit, err, reflect.Value.Float)
	case kind == model.Time:
		return comparisonWithNow(name, ask)
	}
	limit, err := strconv.ParseBool(param)
	if err != nil || !isEquality {
		return nil
	}
	return func(v reflect.Value) bool { return (v.Bool() == limit) == (name == "eq") }
}

// compare compiles a comparison with a limit, or returns nil if the limit is invalid, which the inspection reports.
func compare[T int64 | uint64 | float64](name string, limit T, err error, of func(reflect.Value) T) judge {
	if err != nil {
		return nil
	}
	switch name {
	case "min", "gte":
		return func(v reflect.Value) bool { return of(v) >= limit }
	case "max", "lte":
		return func(v reflect.Value) bool { return of(v) <= limit }
	case "gt":
		return func(v reflect.Value) bool { return of(v) > limit }
	case "lt":
		return func(v reflect.Value) bool { return of(v) < limit }
	case "len", "eq":
		return func(v reflect.Value) bool { return of(v) == limit }
	case "ne":
		return func(v reflect.Value) bool { return of(v) != limit }
	}
	return nil
}

// lengthOfText compiles a rule on the number of characters.
func lengthOfText(name, param string) judge {
	limit, err := strconv.ParseInt(param, 0, 64)
	switch {
	case err != nil:
		return nil
	case name == "max" || name == "lte": // a character has at least one byte
		return func(v reflect.Value) bool {
			s := v.String()
			return int64(len(s)) <= limit || int64(utf8.RuneCountInString(s)) <= limit
		}
	case name == "min" || name == "gte": // a character has at most four bytes
		return func(v reflect.Value) bool {
			s := v.String()
			return int64(len(s)/utf8.UTFMax) >= limit || int64(utf8.RuneCountInString(s)) >= limit
		}
	}
	return compare(name, limit, err, func(v reflect.Value) int64 { return int64(utf8.RuneCountInString(v.String())) })
}

// comparisonWithNow compiles a rule that a time is in the past or the future. Each check reads the clock.
func comparisonWithNow(name string, ask judge) judge {
	holds := ordered(name)
	return func(v reflect.Value) bool {
		t, ok := reflect.TypeAssert[time.Time](v)
		return ok && holds(t.Compare(time.Now())) || !ok && ask(v)
	}
}

// oneOf compiles a choice of strings or of numbers, which validator compares as strings.
func oneOf(c model.Constraint, t *model.Type, _ judge) judge {
	// A number can only be chosen in the form Go writes it: no integer equals the option "01".
	options, isOne := Words(c.Param), c.Name == "oneof"
	if t.Kind == model.String {
		return func(v reflect.Value) bool { return slices.Contains(options, v.String()) == isOne }
	}
	signed, unsigned := integers(options)
	if t.Kind == model.Int {
		return func(v reflect.Value) bool { return slices.Contains(signed, v.Int()) == isOne }
	}
	return func(v reflect.Value) bool { return slices.Contains(unsigned, v.Uint()) == isOne }
}

// integers returns the words that are integers as Go writes them, signed and unsigned.
func integers(words []string) (signed []int64, unsigned []uint64) {
	for _, word := range words {
		if n, err := strconv.ParseInt(word, 10, 64); err == nil && strconv.FormatInt(n, 10) == word {
			signed = append(signed, n)
		}
		if n, err := strconv.ParseUint(word, 10, 64); err == nil && strconv.FormatUint(n, 10) == word {
			unsigned = append(unsigned, n)
		}
	}
	return signed, unsigned
}

// fewElements is the size up to which comparing all pairs is faster than a set.
const fewElements = 32

// uniqueJudge compiles unique for few scalars. Validator checks the others.
func uniqueJudge(c model.Constraint, t *model.Type, ask judge) judge {
	if c.Param != "" || t.Kind == model.Map || t.Elem == nil || t.Elem.Nullable || !scalars.has(t.Elem.Kind) {
		return nil
	}
	return func(v reflect.Value) bool {
		n := v.Len()
		if n > fewElements {
			return ask(v)
		}
		for i := range n {
			for j := range i {
				if v.Index(i).Equal(v.Index(j)) {
					return false
				}
			}
		}
		return true
	}
}
