package check

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/schema"
)

// Statement is what a schema states about a rule. If the keywords do not cover the whole rule, it has a format too,
// so that readers of the schema can see that more is checked.
type Statement struct {
	Keywords *schema.Schema // nil for none
	Format   string         // set if a value can break the rule although it follows the keywords
	Sentence string         // for people, what the keywords do not state
	Samples  []any          // values that follow the rule
	Decoded  *schema.Schema // of the decoded bytes of a string; nil for none
	Relative *Relative      // how the value compares with another field; nil for not at all
}

// Subject is the value that a rule applies to.
type Subject struct {
	Type   *model.Type
	Owner  *model.Struct // the struct with the value, for rules that name other fields; nil for none
	Member string        // its JSON name
	Param  string        // of the rule
	Layout string        // of the value's rule datetime; "" for none
}

// description returns what schemas state about one rule.
type description func(r Subject) Statement

// Describer describes rules for schemas. It uses the catalogue of the checks, but needs no validator.
type Describer struct{ rules map[string]spec }

// NewDescriber returns a describer of the built-in rules.
func NewDescriber() *Describer { return &Describer{newCatalogue()} }

// Describe returns what schemas state about a rule for a value. That is only the name if keywords cannot express
// the rule, or if it checks the value behind the text of a type that marshals itself.
func (s *Describer) Describe(rule string, of Subject) Statement {
	known := s.rules[rule]
	if known.describe == nil || known.fits == only(model.String) && !known.fields && of.Type.Kind != model.String {
		return NameOnly(rule)
	}
	return known.describe(of)
}

// NameOnly returns the statement of a rule that keywords cannot express.
func NameOnly(rule string) Statement {
	return Statement{Format: strings.ReplaceAll(strings.ToLower(rule), "_", "-"), Sentence: "Must follow the rule \"" + rule + "\"."}
}

// relation is how a rule compares a number or a length with its parameter.
type relation int

const (
	atLeast relation = iota
	atMost
	moreThan
	lessThan
	equal
	unequal
)

// compared describes a rule that compares with its parameter.
func compared(how relation) description {
	return func(r Subject) Statement {
		isEquality := how == equal || how == unequal
		switch kind := r.Type.Kind; {
		case kind.IsNumber():
			return compareNumber(how, r)
		case kind == model.String && isEquality:
			return equality(how, r.Param)
		case sizeOf(kind) != nil:
			return compareLength(how, r, sizeOf(kind))
		case kind == model.Time:
			return compareTime(how)
		case kind == model.Bool && isEquality:
			if wanted, err := strconv.ParseBool(r.Param); err == nil {
				return equality(how, wanted)
			}
		}
		st := how.sentence("Must be %s %s bytes long.", r.Param)
		st.Format, st.Decoded = "length", compareLength(how, r, sizeOfText).Keywords
		return st
	}
}

// lengthIs describes len: the length of a string or collection, or the value of a number.
func lengthIs(r Subject) Statement {
	if r.Type.Kind == model.String {
		return compareLength(equal, r, sizeOfText)
	}
	return compared(equal)(r)
}

// compareNumber uses a sentence for a bound that float64 cannot represent, because a client would check another
// number.
func compareNumber(how relation, r Subject) Statement {
	limit, err := strconv.ParseFloat(r.Param, 64)
	if whole, intErr := strconv.ParseInt(r.Param, 0, 64); intErr == nil {
		limit, err = float64(whole), nil
	}
	isWide := math.IsNaN(limit) || math.IsInf(limit, 0) || r.Type.Kind != model.Float && math.Abs(limit) >= schema.Exact
	if err != nil || isWide {
		st := how.sentence("Must be %s %s.", r.Param)
		st.Samples = around64(r.Param)
		return st
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
		return equality(how, schema.AsInteger(limit))
	}
	return Statement{Keywords: keywords}
}

// around64 returns an integer that float64 cannot represent, and its neighbours, as samples that no search would
// find.
func around64(param string) []any {
	if n, err := strconv.ParseInt(param, 0, 64); err == nil {
		return []any{n, min(n, math.MaxInt64-1) + 1, max(n, math.MinInt64+1) - 1}
	}
	if n, err := strconv.ParseUint(param, 0, 64); err == nil {
		return []any{n, min(n, math.MaxUint64-1) + 1, n - 1}
	}
	return nil
}

// sentence states the comparison with a limit in words.
func (r relation) sentence(format, limit string) Statement {
	words := [...]string{atLeast: "at least", atMost: "at most", moreThan: "more than", lessThan: "less than", equal: "equal to", unequal: "other than"}
	return Statement{Format: "bound", Sentence: fmt.Sprintf(format, words[r], limit)}
}

// equality states that a value is, or is not, a constant.
func equality(how relation, value any) Statement {
	constant := schema.Constant(value)
	if how == unequal {
		constant = schema.Inverse(constant)
	}
	return Statement{Keywords: constant}
}

// length states that a length is between least and most.
type length func(least uint64, most *uint64) *schema.Schema

func sizeOfText(least uint64, most *uint64) *schema.Schema {
	return &schema.Schema{MinLength: least, MaxLength: most}
}

// sizeOf returns the keywords for the length of a kind, nil if schemas have none.
func sizeOf(kind model.Kind) length {
	switch {
	case kind == model.String:
		return sizeOfText
	case kind.IsList():
		return func(least uint64, most *uint64) *schema.Schema {
			return &schema.Schema{MinItems: least, MaxItems: most}
		}
	case kind == model.Map:
		return func(least uint64, most *uint64) *schema.Schema {
			return &schema.Schema{MinProperties: least, MaxProperties: most}
		}
	}
	return nil
}

// compareLength uses a sentence for a parameter that is not a length, such as a negative number.
func compareLength(how relation, r Subject, bounds length) Statement {
	n, err := strconv.ParseUint(r.Param, 0, 53)
	if err != nil || how == lessThan && n == 0 {
		return how.sentence("Its length must be %s %s.", r.Param)
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

// compareTime states the comparison with the current time. The parameter has no effect.
func compareTime(how relation) Statement {
	switch how {
	case atLeast, moreThan:
		return Statement{Format: "future", Sentence: "Must be in the future.", Samples: []any{"2100-01-01T00:00:00Z"}}
	case atMost, lessThan:
		return Statement{Format: "past", Sentence: "Must be in the past.", Samples: []any{"2001-01-01T00:00:00Z"}}
	}
	name := "eq"
	if how == unequal {
		name = "ne"
	}
	return Statement{Format: "time", Sentence: NameOnly(name).Sentence}
}

// sayRequired states that a string is not empty, and that a value of any type is not null. The type and the object
// around it state the rest.
func sayRequired(r Subject) Statement {
	switch {
	case r.Type.Kind == model.Any, r.Type.Kind == model.Custom:
		return Statement{Keywords: schema.Inverse(schema.Typed(schema.Null))}
	case r.Type.Nullable:
	case r.Type.Kind == model.String:
		return Statement{Keywords: &schema.Schema{MinLength: 1}}
	}
	return Statement{}
}

// isDefault states that a value is the zero value of its type, which is null for a pointer. Keywords for empty
// structs and lists are not worth the code.
func isDefault(r Subject) Statement {
	if r.Type.Nullable {
		return Statement{Keywords: &schema.Schema{Enum: schema.ValuesOf[any](nil)}}
	}
	switch kind := r.Type.Kind; {
	case kind == model.String:
		return Statement{Keywords: sizeOfText(0, new(uint64(0)))}
	case kind.IsNumber():
		return equality(equal, int64(0))
	case kind == model.Bool:
		return equality(equal, false)
	}
	return Statement{Format: "empty", Sentence: "Must be empty."}
}

// sayUnique states that elements differ. Structs and values that marshal themselves can differ as JSON and still be
// equal.
func sayUnique(r Subject) Statement {
	apart := Statement{Format: "unique", Sentence: "Must not contain duplicates."}
	if r.Param != "" || !r.Type.Kind.IsList() {
		return apart
	}
	if scalars.has(r.Type.Elem.Kind) {
		return Statement{Keywords: &schema.Schema{UniqueItems: true}}
	}
	apart.Keywords = &schema.Schema{UniqueItems: r.Type.Elem.Kind != model.Time}
	return apart
}

func latitude(r Subject) Statement {
	return coordinate(r, 90, `^[-+]?([1-8]?[0-9](\.[0-9]+)?|90(\.0+)?)$`, "52.5")
}

func longitude(r Subject) Statement {
	return coordinate(r, 180, `^[-+]?(180(\.0+)?|(1[0-7][0-9]|[1-9]?[0-9])(\.[0-9]+)?)$`, "13.4")
}

func coordinate(r Subject, limit int, pattern, sample string) Statement {
	if r.Type.Kind.IsNumber() {
		return Statement{Keywords: &schema.Schema{Min: schema.Int(-limit), Max: schema.Int(limit)}}
	}
	return matching(pattern, sample)(r)
}

// currencyNumber has the euro as a sample, and the Australian dollar for small integers.
func currencyNumber(Subject) Statement {
	return Statement{Format: "currency-code", Sentence: "Must be a numeric ISO 4217 currency code.", Samples: []any{int64(978), int64(36)}}
}

func port(Subject) Statement {
	return Statement{Keywords: &schema.Schema{Min: schema.Int(1), Max: schema.Int(65535)}}
}

// sayOneOf lists the options as values of the type. An option that is not a value of the type is left out.
func sayOneOf(r Subject) Statement {
	words := Words(r.Param)
	signed, unsigned := integers(words)
	list := map[model.Kind][]any{model.Int: asAny(signed), model.Uint: asAny(unsigned), model.String: asAny(words)}
	return Statement{Keywords: &schema.Schema{Enum: schema.ValuesOf(list[r.Type.Kind]...)}}
}
