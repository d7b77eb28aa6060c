package check

import (
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/trove-api/trove/internal/model"
)

// judgeOf compiles a rule for the values of a type, or returns nil where only validator
// can tell. Validator's verdict is what a rule means, to its oddities: a compiled rule has
// them too, or says that it does not know.
func (c *Compiler) judgeOf(rule model.Constraint, t *model.Type) judge {
	if rule.Or != nil {
		return c.anyOf(rule.Or, t)
	}
	if compile := c.rules[rule.Name].judge; compile != nil {
		return compile(rule, t)
	}
	return nil
}

// anyOf compiles alternatives. Where none is known to hold, validator tells, and how it
// calls them.
// Order is no matter, since one that holds is enough.
func (c *Compiler) anyOf(alternatives []model.Constraint, t *model.Type) judge {
	judges := make([]judge, 0, len(alternatives))
	for _, alternative := range alternatives {
		if judged := c.judgeOf(alternative, t); judged != nil {
			judges = append(judges, judged)
		}
	}
	if len(judges) < len(alternatives) {
		return nil
	}
	return func(v reflect.Value) verdict {
		for _, judged := range judges {
			// Not breaks: which alternative is told of, and with which words, is validator's to say.
			if judged(v) == follows {
				return follows
			}
		}
		return unknown
	}
}

// requiredJudge compiles required: a list or map that is empty is there, null is not.
// It follows validator, where a struct tag on a slice asks for presence and min=1 for content.
func requiredJudge(_ model.Constraint, t *model.Type) judge {
	nullable := t.Nullable
	return func(v reflect.Value) verdict {
		if kind := v.Kind(); kind == reflect.Slice || kind == reflect.Map {
			return verdictOf(!v.IsNil())
		}
		return verdictOf(nullable || !v.IsZero())
	}
}

// comparison compiles a rule that compares with its parameter: numbers by value, text
// and what has elements by length.
func comparison(c model.Constraint, t *model.Type) judge {
	name, param := c.Name, c.Param
	isEquality := name == "eq" || name == "ne"
	switch t.Kind {
	case model.String:
		if isEquality {
			return func(v reflect.Value) verdict { return verdictOf((v.String() == param) == (name == "eq")) }
		}
		return lengthOfText(name, param)
	case model.Bytes, model.List, model.Array, model.Map:
		limit, err := strconv.ParseInt(param, 0, 64)
		return compare(name, limit, err, func(v reflect.Value) int64 { return int64(v.Len()) })
	case model.Int:
		limit, err := strconv.ParseInt(param, 0, 64)
		return compare(name, limit, err, reflect.Value.Int)
	case model.Uint:
		limit, err := strconv.ParseUint(param, 0, 64)
		return compare(name, limit, err, reflect.Value.Uint)
	case model.Float:
		// In the bits of the field: 0.1 of 32 bits is another number than 0.1 of 64, and would be more
		// than its own limit.
		limit, err := strconv.ParseFloat(param, t.Bits)
		return compare(name, limit, err, reflect.Value.Float)
	case model.Bool:
		limit, err := strconv.ParseBool(param)
		if err != nil || !isEquality {
			return nil
		}
		return func(v reflect.Value) verdict { return verdictOf((v.Bool() == limit) == (name == "eq")) }
	case model.Time:
		return comparisonWithNow(name)
	}
	return nil
}

// compare compiles a comparison with a limit, or returns nil where it has none.
// The switch is made when the rule is compiled, not at each value. A parameter that cannot be read
// is a mistake that the inspection tells of.
func compare[T int64 | uint64 | float64](name string, limit T, err error, of func(reflect.Value) T) judge {
	if err != nil {
		return nil
	}
	switch name {
	case "min", "gte":
		return func(v reflect.Value) verdict { return verdictOf(of(v) >= limit) }
	case "max", "lte":
		return func(v reflect.Value) verdict { return verdictOf(of(v) <= limit) }
	case "gt":
		return func(v reflect.Value) verdict { return verdictOf(of(v) > limit) }
	case "lt":
		return func(v reflect.Value) verdict { return verdictOf(of(v) < limit) }
	case "len", "eq":
		return func(v reflect.Value) verdict { return verdictOf(of(v) == limit) }
	case "ne":
		return func(v reflect.Value) verdict { return verdictOf(of(v) != limit) }
	}
	return nil
}

// comparisonWithNow compiles a rule that a time is in the past or in the future.
// The clock is read at each check: a record is in the past or not when it is saved.
func comparisonWithNow(name string) judge {
	holds := map[string]func(order int) bool{
		"gt": func(order int) bool { return order > 0 }, "gte": func(order int) bool { return order >= 0 },
		"lt": func(order int) bool { return order < 0 }, "lte": func(order int) bool { return order <= 0 },
	}[name]
	if holds == nil {
		return nil
	}
	return func(v reflect.Value) verdict {
		t, ok := reflect.TypeAssert[time.Time](v)
		if !ok {
			return unknown
		}
		return verdictOf(holds(t.Compare(time.Now())))
	}
}

// oneOf compiles a choice of texts or of numbers, which validator compares as texts.
func oneOf(c model.Constraint, t *model.Type) judge {
	// Only numbers that are written as Go writes them can be chosen, since validator compares texts:
	// "01" is an option that no integer has.
	options, isOne := Words(c.Param), c.Name == "oneof"
	switch t.Kind {
	case model.String:
		return func(v reflect.Value) verdict { return verdictOf(slices.Contains(options, v.String()) == isOne) }
	case model.Int:
		var numbers []int64
		for _, option := range options {
			if n, err := strconv.ParseInt(option, 10, 64); err == nil && strconv.FormatInt(n, 10) == option {
				numbers = append(numbers, n)
			}
		}
		return func(v reflect.Value) verdict { return verdictOf(slices.Contains(numbers, v.Int()) == isOne) }
	case model.Uint:
		var numbers []uint64
		for _, option := range options {
			if n, err := strconv.ParseUint(option, 10, 64); err == nil && strconv.FormatUint(n, 10) == option {
				numbers = append(numbers, n)
			}
		}
		return func(v reflect.Value) verdict { return verdictOf(slices.Contains(numbers, v.Uint()) == isOne) }
	}
	return nil
}

// fewElements is up to where comparing each with each is faster than a set.
const fewElements = 32

// uniqueJudge compiles unique for few scalars; validator has to tell the rest.
func uniqueJudge(c model.Constraint, t *model.Type) judge {
	if c.Param != "" || t.Kind == model.Map || t.Elem == nil || t.Elem.Nullable {
		return nil
	}
	switch t.Elem.Kind {
	case model.String, model.Int, model.Uint, model.Float, model.Bool:
	default:
		return nil
	}
	return func(v reflect.Value) verdict {
		n := v.Len()
		if n > fewElements {
			return unknown
		}
		for i := range n {
			for j := range i {
				if v.Index(i).Equal(v.Index(j)) {
					return breaks
				}
			}
		}
		return follows
	}
}
