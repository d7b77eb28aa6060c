package openapi

import (
	"math"
	"strconv"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/model"
)

// comparison is how a rule compares a number, or the length of anything else, with its
// parameter.
type comparison int

const (
	atLeast comparison = iota
	atMost
	moreThan
	lessThan
	equal
	unequal
)

// compared returns the row of a rule that compares.
func compared(how comparison) row {
	return func(r ruled) statement {
		switch r.typ.Kind {
		case model.Int, model.Uint, model.Float:
			return compareNumber(how, r)
		case model.String:
			if how == equal || how == unequal {
				return equality(how, r.param)
			}
			return compareLength(how, r, lengthOfText)
		case model.List, model.Array:
			return compareLength(how, r, lengthOfList)
		case model.Map:
			return compareLength(how, r, lengthOfMap)
		case model.Time:
			return compareTime(how)
		case model.Bool:
			wanted, err := strconv.ParseBool(r.param)
			if err == nil && (how == equal || how == unequal) {
				return equality(how, wanted)
			}
		}
		return statement{
			format: "length", sentence: "Must be " + how.words() + " " + r.param + " bytes.",
			decoded: compareLength(how, r, lengthOfText).keywords,
		}
	}
}

// lengthIs is the row of len: the length of anything, or the value of a number.
func lengthIs(r ruled) statement {
	if r.typ.Kind == model.String {
		return compareLength(equal, r, lengthOfText)
	}
	return compared(equal)(r)
}

// exact is the magnitude below which float64, in which the document keeps numbers, has
// every integer and rounds none to it.
const exact = 1 << 53

func compareNumber(how comparison, r ruled) statement {
	limit, err := strconv.ParseFloat(r.param, 64)
	if whole, intErr := strconv.ParseInt(r.param, 0, 64); intErr == nil {
		limit, err = float64(whole), nil
	}
	isWide := math.IsNaN(limit) || math.IsInf(limit, 0) || r.typ.Kind != model.Float && math.Abs(limit) >= exact
	if err != nil || isWide {
		return statement{format: "bound", sentence: "Must be " + how.words() + " " + r.param + ".", samples: around64(r.param)}
	}
	keywords := &openapi3.Schema{}
	switch how {
	case atLeast:
		keywords.Min = &limit
	case atMost:
		keywords.Max = &limit
	case moreThan:
		keywords.ExclusiveMin.Value = &limit
	case lessThan:
		keywords.ExclusiveMax.Value = &limit
	default:
		return equality(how, integral(limit))
	}
	return statement{keywords: keywords}
}

// around64 returns an integer that float64 does not have, and those beside it.
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
func (c comparison) words() string {
	return [...]string{"at least", "at most", "more than", "less than", "equal to", "other than"}[c]
}

// equality says that a value is, or is not, a constant.
func equality(how comparison, value any) statement {
	constant := &openapi3.Schema{Const: value}
	if how == unequal {
		constant = &openapi3.Schema{Not: openapi3.NewSchemaRef("", constant)}
	}
	return statement{keywords: constant}
}

// length says that a length is from least to most.
type length func(least uint64, most *uint64) *openapi3.Schema

func lengthOfText(least uint64, most *uint64) *openapi3.Schema {
	return &openapi3.Schema{MinLength: least, MaxLength: most}
}

func lengthOfList(least uint64, most *uint64) *openapi3.Schema {
	return &openapi3.Schema{MinItems: least, MaxItems: most}
}

func lengthOfMap(least uint64, most *uint64) *openapi3.Schema {
	return &openapi3.Schema{MinProps: least, MaxProps: most}
}

func compareLength(how comparison, r ruled, bounds length) statement {
	n, err := strconv.ParseUint(r.param, 0, 53)
	if err != nil || how == lessThan && n == 0 {
		return statement{format: "bound", sentence: "Its length must be " + how.words() + " " + r.param + "."}
	}
	switch how {
	case atLeast:
		return statement{keywords: bounds(n, nil)}
	case atMost:
		return statement{keywords: bounds(0, &n)}
	case moreThan:
		return statement{keywords: bounds(n+1, nil)}
	case lessThan:
		return statement{keywords: bounds(0, new(n-1))}
	case equal:
		return statement{keywords: bounds(n, &n)}
	}
	return statement{keywords: &openapi3.Schema{Not: openapi3.NewSchemaRef("", bounds(n, &n))}}
}

// compareTime says what comparing a time means: with now, whatever the parameter.
func compareTime(how comparison) statement {
	switch how {
	case atLeast, moreThan:
		return statement{format: "future", sentence: "Must be in the future.", samples: []any{"2100-01-01T00:00:00Z"}}
	case atMost, lessThan:
		return statement{format: "past", sentence: "Must be in the past.", samples: []any{"2001-01-01T00:00:00Z"}}
	}
	return statement{format: "time", sentence: "Must be the time named by its rule."}
}
