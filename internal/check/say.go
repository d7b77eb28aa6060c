package check

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/schema"
)

// Statement is what schemas say of a rule. One that keywords say in full has neither format
// nor sentence.
// Whoever has a schema must be able to tell "this is all" from "there is more": hence the format
// beside keywords that say only a part.
type Statement struct {
	Keywords *schema.Schema // nil for none
	Format   string         // marks a value that the rule may refuse though it follows the keywords
	Sentence string         // for people, of what keywords do not say
	Samples  []any          // values that follow the rule
	Decoded  *schema.Schema // of the bytes that a text stands for; nil for none
	Beside   *Beside        // how the value stands to that of another member; nil for not at all
}

// Subject is a value that a rule is about.
type Subject struct {
	Type   *model.Type
	Owner  *model.Struct // that the value is a member of, for rules that name others; nil for none
	Member string        // its JSON name
	Param  string        // of the rule
}

// saying is what schemas say of one rule of validator's.
type saying func(r Subject) Statement

// Sayings are what schemas say of the rules that tags may have, the user's own aside.
// It is made of the same catalogue as checks are, but apart from them, since documents are made
// without a validator.
type Sayings struct{ rules map[string]spec }

// NewSayings returns what schemas say of rules.
func NewSayings() *Sayings { return &Sayings{newCatalogue()} }

// Of returns what schemas say of a rule about a value. Of one that keywords cannot say, and
// of one that does not fit the value, that is its name alone.
// A rule of texts at a type that marshals itself judges the value behind the text, so nothing is
// said of the text.
func (s *Sayings) Of(rule string, of Subject) Statement {
	known := s.rules[rule]
	if known.says == nil || known.fits == only(model.String) && !known.fields && of.Type.Kind != model.String {
		return Unsaid(rule)
	}
	return known.says(of)
}

// Unsaid returns what schemas say of a rule of which only the name is known.
func Unsaid(rule string) Statement {
	return Statement{
		Format:   strings.ReplaceAll(strings.ToLower(rule), "_", "-"),
		Sentence: fmt.Sprintf("Must follow the rule %q.", rule),
	}
}

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

// sizeOf returns what says a length of the values of a kind; nil for those without one that schemas know.
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

// sayRequired says that a text is not empty, and that what may be any value is not null. That
// the member is there is said by the object around it, that it is not null by its type.
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

// isDefault says that a value is the empty one of its type: that of a pointer is null.
// What is empty of a struct or a list, keywords could say; hardly anybody writes such a rule.
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

// sayUnique says that elements differ. Values that marshal themselves, and structs, can
// differ as JSON and yet be equal.
func sayUnique(r Subject) Statement {
	apart := Statement{Format: "unique", Sentence: "Its elements must differ."}
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

// currencyNumber suggests the Euro, and the Australian dollar where that is too large.
func currencyNumber(Subject) Statement {
	return Statement{Format: "currency-code", Sentence: "The number of a currency in ISO 4217.", Samples: []any{int64(978), int64(36)}}
}

func port(Subject) Statement {
	return Statement{Keywords: &schema.Schema{Min: schema.Int(1), Max: schema.Int(65535)}}
}

// sayOneOf lists the choices as values of the type. An option that no value of the type is written like can
// never be chosen, and is left out.
func sayOneOf(r Subject) Statement {
	words := Words(r.Param)
	signed, unsigned := integers(words)
	list := map[model.Kind][]any{model.Int: asAny(signed), model.Uint: asAny(unsigned), model.String: asAny(words)}
	return Statement{Keywords: &schema.Schema{Enum: schema.ValuesOf(list[r.Type.Kind]...)}}
}
