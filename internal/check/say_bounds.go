package check

import (
	"math"
	"strconv"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/schema"
)

// relation is how a rule compares a number, or the length of anything else, with its
// parameter.
type relation int

const (
	atLeast relation = iota
	atMost
	moreThan
	lessThan
	equal
	unequal
)

// compared returns the row of a rule that compares.
func compared(how relation) saying {
	return func(r Subject) Statement {
		switch r.Type.Kind {
		case model.Int, model.Uint, model.Float:
			return compareNumber(how, r)
		case model.String:
			if how == equal || how == unequal {
				return equality(how, r.Param)
			}
			return compareLength(how, r, sizeOfText)
		case model.List, model.Array:
			return compareLength(how, r, sizeOfList)
		case model.Map:
			return compareLength(how, r, sizeOfMap)
		case model.Time:
			return compareTime(how)
		case model.Bool:
			wanted, err := strconv.ParseBool(r.Param)
			if err == nil && (how == equal || how == unequal) {
				return equality(how, wanted)
			}
		}
		return Statement{
			Format: "length", Sentence: "Must be " + how.words() + " " + r.Param + " bytes.",
			Decoded: compareLength(how, r, sizeOfText).Keywords,
		}
	}
}

// lengthIs is the row of len: the length of anything, or the value of a number.
func lengthIs(r Subject) Statement {
	if r.Type.Kind == model.String {
		return compareLength(equal, r, sizeOfText)
	}
	return compared(equal)(r)
}

// A bound that float64 does not have goes into words: a client would check another number than the
// service.
func compareNumber(how relation, r Subject) Statement {
	limit, err := strconv.ParseFloat(r.Param, 64)
	if whole, intErr := strconv.ParseInt(r.Param, 0, 64); intErr == nil {
		limit, err = float64(whole), nil
	}
	isWide := math.IsNaN(limit) || math.IsInf(limit, 0) || r.Type.Kind != model.Float && math.Abs(limit) >= schema.Exact
	if err != nil || isWide {
		return Statement{Format: "bound", Sentence: "Must be " + how.words() + " " + r.Param + ".", Samples: around64(r.Param)}
	}
	keywords := &schema.Schema{}
	switch how {
	case atLeast:
		keywords.Min = schema.Float(limit)
	case atMost:
		keywords.Max = schema.Float(limit)
	case moreThan:
		keywords.ExclusiveMin = schema.Float(limit)
	case lessThan:
		keywords.ExclusiveMax = schema.Float(limit)
	default:
		return equality(how, schema.Whole(limit))
	}
	return Statement{Keywords: keywords}
}

// around64 returns an integer that float64 does not have, and those beside it.
// Samples, as no test or example could find one of them by trying.
func around64(param string) []any {
	if n, err := strconv.ParseInt(param, 0, 64); err == nil {
		return []any{n, min(n, math.MaxInt64-1) + 1, max(n, math.MinInt64+1) - 1}
	}
	if n, err := strconv.ParseUint(param, 0, 64); err == nil {
		return []any{n, min(n, math.MaxUint64-1) + 1, n - 1}
	}
	return nil
}

// words says the comparison in a sentence before its parameter.
func (c relation) words() string {
	return [...]string{"at least", "at most", "more than", "less than", "equal to", "other than"}[c]
}

// equality says that a value is, or is not, a constant.
func equality(how relation, value any) Statement {
	constant := schema.Constant(value)
	if how == unequal {
		constant = schema.Inverse(constant)
	}
	return Statement{Keywords: constant}
}

// length says that a length is from least to most.
type length func(least uint64, most *uint64) *schema.Schema

func sizeOfText(least uint64, most *uint64) *schema.Schema {
	return &schema.Schema{MinLength: least, MaxLength: most}
}

func sizeOfList(least uint64, most *uint64) *schema.Schema {
	return &schema.Schema{MinItems: least, MaxItems: most}
}

func sizeOfMap(least uint64, most *uint64) *schema.Schema {
	return &schema.Schema{MinProperties: least, MaxProperties: most}
}

// A parameter that is no length, such as a negative one, has no keyword that says it.
func compareLength(how relation, r Subject, bounds length) Statement {
	n, err := strconv.ParseUint(r.Param, 0, 53)
	if err != nil || how == lessThan && n == 0 {
		return Statement{Format: "bound", Sentence: "Its length must be " + how.words() + " " + r.Param + "."}
	}
	switch how {
	case atLeast:
		return Statement{Keywords: bounds(n, nil)}
	case atMost:
		return Statement{Keywords: bounds(0, &n)}
	case moreThan:
		return Statement{Keywords: bounds(n+1, nil)}
	case lessThan:
		return Statement{Keywords: bounds(0, new(n-1))}
	case equal:
		return Statement{Keywords: bounds(n, &n)}
	}
	return Statement{Keywords: schema.Inverse(bounds(n, &n))}
}

// compareTime says what comparing a time means: with now, whatever the parameter.
func compareTime(how relation) Statement {
	switch how {
	case atLeast, moreThan:
		return Statement{Format: "future", Sentence: "Must be in the future.", Samples: []any{"2100-01-01T00:00:00Z"}}
	case atMost, lessThan:
		return Statement{Format: "past", Sentence: "Must be in the past.", Samples: []any{"2001-01-01T00:00:00Z"}}
	}
	return Statement{Format: "time", Sentence: "Must be the time named by its rule."}
}
