package check

import (
	"cmp"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/trove-api/trove/date"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
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

// description returns what schemas state about one rule, without the sentence.
type description func(r Subject) Statement

// Describe returns what schemas state about a built-in rule for a value. That is only the name if keywords cannot express
// the rule, or if it checks the value behind the text of a type that marshals itself.
func Describe(rule string, r Subject) Statement {
	row := catalogue()[rule]
	if row.describe == nil || row.fits == only(model.String) && !row.fields && r.Type.Kind != model.String {
		return NameOnly(rule)
	}
	st := row.describe(r)
	if row.fields || st.Format != "" {
		at := declaration{owner: r.Owner, field: &model.Field{}, kind: r.Type.Kind, layout: r.Layout}
		if r.Owner != nil {
			at.field = cmp.Or(r.Owner.Field(r.Member), at.field)
		}
		c := model.Constraint{Name: rule, Param: r.Param}
		st.Sentence = naming.Sentence(strings.TrimPrefix(row.text(c, &at), "is "))
		for _, o := range othersOf(at.owner, at.field, c) {
			if st.Relative != nil && o.way != nil {
				st.Relative.OtherLayout = o.field().Rules.Layout()
				if o.field().Type.IsDate() {
					st.Relative.OtherLayout = time.DateOnly
				}
			}
		}
	}
	return st
}

// NameOnly returns the statement of a rule that keywords cannot express.
func NameOnly(rule string) Statement {
	return Statement{Format: strings.ReplaceAll(strings.ToLower(rule), "_", "-"), Sentence: "Must follow the rule \"" + rule + "\"."}
}

// marked describes a rule that keywords cannot express: by a format of our own, and samples.
func marked(format string, samples ...any) description {
	return func(Subject) Statement { return Statement{Format: format, Samples: samples} }
}

// matching describes a rule that a regular expression of ECMA-262 covers completely.
func matching(pattern string, samples ...any) description {
	return func(Subject) Statement {
		return Statement{Keywords: &schema.Schema{Pattern: pattern}, Samples: samples}
	}
}

// partly describes a rule whose pattern accepts too much: not every pair of capitals is a country.
func partly(format, pattern, sample string) description {
	return func(Subject) Statement {
		return Statement{Keywords: &schema.Schema{Pattern: pattern}, Format: format, Samples: []any{sample}}
	}
}

// formatted describes a rule by a format, and by a pattern unless it is empty.
func formatted(format, pattern, sample string) description {
	return func(Subject) Statement {
		return Statement{Keywords: &schema.Schema{Format: format, Pattern: pattern}, Samples: []any{sample}}
	}
}

// among describes a rule with a fixed list of strings.
func among(texts ...string) description {
	return func(Subject) Statement { return Statement{Keywords: &schema.Schema{Enum: schema.ValuesOf(texts...)}} }
}

// except describes a rule that rejects what the other one accepts.
func except(say description) description {
	return func(r Subject) Statement { return Statement{Keywords: schema.Inverse(say(r).Keywords)} }
}

// notBlank states the rule in the words of ECMA-262, in which JSON Schema has its patterns: docs/adr/0033.
func notBlank(Subject) Statement {
	return Statement{Keywords: &schema.Schema{MinLength: 1, Pattern: `\S`}}
}

// partOf describes a rule about the parameter as a part of the string. The parameter is quoted, because "a.b" means
// a literal dot.
func partOf(before, after string) description {
	return func(r Subject) Statement {
		sample := r.Param
		switch {
		case before != "":
			sample += "abc"
		case after != "":
			sample = "abc" + sample
		}
		return matching(before+schema.Quote(r.Param)+after, sample)(r)
	}
}

// anyCharacter states that the string has one of the parameter's characters.
func anyCharacter(r Subject) Statement { return matching(schema.QuoteAny(r.Param), r.Param)(r) }

func uuidPattern(version, variants, sample string) description {
	return formatted("uuid", "^[0-9a-f]{8}-[0-9a-f]{4}-"+version+"[0-9a-f]{3}-["+variants+"][0-9a-f]{3}-[0-9a-f]{12}$", sample)
}

func hexDigits(count int) description {
	return matching("^[0-9a-f]{"+strconv.Itoa(count)+"}$", digits(count))
}

// digits returns count hexadecimal digits.
func digits(count int) string { return strings.Repeat("1f", count/2) }

func anyAddress(Subject) Statement {
	either := []*schema.Schema{{Format: "ipv4"}, {Format: "ipv6"}}
	return Statement{Keywords: &schema.Schema{AnyOf: either}, Samples: []any{"192.0.2.1"}}
}

func describeJSON(Subject) Statement {
	return Statement{Keywords: &schema.Schema{ContentMediaType: "application/json"}, Format: "json", Samples: []any{"{}"}}
}

// dateTime describes a layout of package time. Two layouts have a format; for the others, the layout itself is the
// sample.
func dateTime(r Subject) Statement {
	switch r.Param {
	case time.DateOnly:
		return formatted("date", "", "2026-01-15")(r)
	case time.RFC3339:
		return formatted("date-time", "", "2026-01-15T09:30:00Z")(r)
	}
	return Statement{Format: "layout", Samples: []any{r.Param}}
}

// postcode has samples in the forms that most countries use. Examples try each until one is valid.
func postcode(r Subject) Statement {
	return marked("postcode",
		"10115", "1010", "101000", "1010101", "101", "12345-678", "100-0001", "10-100", "101 15", "SW1A 1AA", "K1A 0B1", "1012 AB", "AD100", "LV-1010", "LT-01100",
	)(r)
}

func oneOfAnyCase(r Subject) Statement {
	var patterns []string
	var choices []any
	for _, choice := range (model.Constraint{Param: r.Param}).Words() {
		patterns, choices = append(patterns, schema.QuoteFolded(choice)), append(choices, choice)
	}
	return matching("^("+strings.Join(patterns, "|")+")$", choices...)(r)
}

func equalInAnyCase(r Subject) Statement {
	return matching("^"+schema.QuoteFolded(r.Param)+"$", r.Param)(r)
}

// compared describes a rule that compares with its parameter: "len" is "==", but of strings the length. Times are compared
// with the current time.
func compared(how string) description {
	return func(r Subject) Statement {
		isEquality := how == "==" || how == "!="
		switch kind := r.Type.Kind; {
		case kind.IsNumber():
			return compareNumber(how, r)
		case kind == model.Text:
			return Statement{Format: "bound", Samples: samplesOf(how, r)}
		case kind == model.String && isEquality:
			return equality(how, r.Param)
		case kind == model.Time && (how == ">=" || how == ">"):
			return Statement{Format: "future", Samples: []any{"2100-01-01T00:00:00Z"}}
		case kind == model.Time:
			return Statement{Format: "past", Samples: []any{"2001-01-01T00:00:00Z"}}
		case kind == model.Bool:
			wanted, _ := strconv.ParseBool(r.Param) // New rejects other parameters
			return equality(how, wanted)
		case kind == model.Bytes:
			return Statement{Format: "length", Decoded: compareLength(how, r).Keywords}
		}
		return compareLength(how, r)
	}
}

// samplesOf returns values of a type that marshals itself as text that follow a comparison with the parameter, if such
// values are known.
func samplesOf(how string, r Subject) []any {
	if limit, err := date.Parse(r.Param); err == nil && r.Type.IsDate() {
		step := map[string]int{">": 1, "<": -1, "!=": 1}[how]
		return []any{limit.AddDays(step).String()}
	}
	if r.Type.Digits == nil {
		return []any{r.Param}
	}
	least, _ := r.Type.Digits.Text("1e-" + strconv.Itoa(r.Type.Digits.Scale))
	exact, _ := r.Type.Digits.Text(r.Param)
	return []any{exact, least, "-" + least}
}

// compareNumber has no keyword for a bound that float64 cannot represent, because a client would check another
// number.
func compareNumber(how string, r Subject) Statement {
	limit, err := strconv.ParseFloat(r.Param, 64)
	if whole, intErr := strconv.ParseInt(r.Param, 0, 64); intErr == nil {
		limit, err = float64(whole), nil
	}
	isWide := math.IsNaN(limit) || math.IsInf(limit, 0) || r.Type.Kind != model.Float && math.Abs(limit) >= schema.Exact
	if err != nil || isWide {
		return Statement{Format: "bound"}
	}
	keywords := &schema.Schema{}
	switch how {
	case ">=":
		keywords.Min = schema.Float(limit)
	case "<=":
		keywords.Max = schema.Float(limit)
	case ">":
		keywords.ExclusiveMin = schema.Float(limit)
	case "<":
		keywords.ExclusiveMax = schema.Float(limit)
	default:
		return equality(how, schema.AsInteger(limit))
	}
	return Statement{Keywords: keywords}
}

// equality states that a value is, or is not, a constant.
func equality(how string, value any) Statement {
	constant := schema.Constant(value)
	if how == "!=" {
		constant = schema.Inverse(constant)
	}
	return Statement{Keywords: constant}
}

// compareLength states the comparison for the length of a string, a list or a map. It has no keyword for a parameter that
// is not a length, such as a negative number.
func compareLength(how string, r Subject) Statement {
	n, err := strconv.ParseUint(r.Param, 0, 53)
	if err != nil || how == "<" && n == 0 {
		return Statement{Format: "bound"}
	}
	least, most := n, &n
	switch how {
	case ">=":
		most = nil
	case "<=":
		least = 0
	case ">":
		least, most = n+1, nil
	case "<":
		least, most = 0, new(n-1)
	}
	keywords := &schema.Schema{MinItems: least, MaxItems: most}
	switch r.Type.Kind {
	case model.String, model.Bytes:
		keywords = &schema.Schema{MinLength: least, MaxLength: most}
	case model.Map:
		keywords = &schema.Schema{MinProperties: least, MaxProperties: most}
	}
	if how == "!=" {
		keywords = schema.Inverse(keywords)
	}
	return Statement{Keywords: keywords}
}

// describeRequired states that a string is not empty, and that a value of any type is not null. The type and the object
// around it state the rest.
func describeRequired(r Subject) Statement {
	switch {
	case r.Type.Kind == model.Any, r.Type.Kind == model.Custom:
		return Statement{Keywords: schema.Inverse(schema.Typed(schema.Null))}
	case r.Type.Nullable:
	case r.Type.Kind == model.String:
		return Statement{Keywords: &schema.Schema{MinLength: 1}}
	}
	return Statement{}
}

// describeEmpty states that a value is the zero value of its type, which is null for a pointer. Keywords for empty
// structs and lists are not worth the code.
func describeEmpty(r Subject) Statement {
	if r.Type.Nullable {
		return Statement{Keywords: &schema.Schema{Enum: schema.ValuesOf[any](nil)}}
	}
	switch kind := r.Type.Kind; {
	case kind == model.String:
		return Statement{Keywords: &schema.Schema{MaxLength: new(uint64(0))}}
	case kind.IsNumber():
		return equality("==", int64(0))
	case kind == model.Bool:
		return equality("==", false)
	}
	return Statement{Format: "empty"}
}

// describeUnique states that elements differ. Structs and values that marshal themselves can differ as JSON and still be
// equal.
func describeUnique(r Subject) Statement {
	switch isList := r.Param == "" && r.Type.Kind.IsList(); {
	case isList && scalars.has(r.Type.Elem.Kind):
		return Statement{Keywords: &schema.Schema{UniqueItems: true}}
	case isList:
		return Statement{Keywords: &schema.Schema{UniqueItems: r.Type.Elem.Kind != model.Time}, Format: "unique"}
	}
	return Statement{Format: "unique"}
}

func coordinate(limit int, pattern, sample string) description {
	return func(r Subject) Statement {
		if r.Type.Kind.IsNumber() {
			return between(-limit, limit)(r)
		}
		return matching(pattern, sample)(r)
	}
}

func between(least, most int) description {
	return func(Subject) Statement {
		return Statement{Keywords: &schema.Schema{Min: schema.Int(least), Max: schema.Int(most)}}
	}
}

// describeOneOf lists the options as values of the type. An option that is not a value of the type is left out.
func describeOneOf(r Subject) Statement {
	var options []any
	for _, word := range (model.Constraint{Param: r.Param}).Words() {
		signed, _ := strconv.ParseInt(word, 10, 64)
		unsigned, _ := strconv.ParseUint(word, 10, 64)
		switch kind := r.Type.Kind; {
		case kind == model.String:
			options = append(options, word)
		case kind == model.Int && strconv.FormatInt(signed, 10) == word:
			options = append(options, signed)
		case kind == model.Uint && strconv.FormatUint(unsigned, 10) == word:
			options = append(options, unsigned)
		}
	}
	return Statement{Keywords: &schema.Schema{Enum: schema.ValuesOf(options...)}}
}

// comparedField describes a rule that compares with another field.
func comparedField(step int) description {
	return func(r Subject) Statement {
		relative := &Relative{GoPath: r.Param, Step: step, Layout: r.Layout}
		if r.Type.IsDate() {
			relative.Layout = time.DateOnly
		}
		return Statement{Format: "compared", Relative: relative}
	}
}

// describePeriod relates the end of a period to its beginning, so that examples have a period that is not empty.
func describePeriod(r Subject) Statement {
	if r.Type.Kind == model.Text { // whose next value is unknown
		return comparedField(0)(r)
	}
	return comparedField(1)(r)
}

// Relative is how the value of a field compares with another one. Examples use it, because keywords cannot compare
// fields.
type Relative struct {
	GoPath      string // of the other field
	Step        int    // 0 for the same value, 1 for a greater one, -1 for a lesser one
	Layout      string // of the dates of the field; "" for that of time.Time
	OtherLayout string // of the dates of the other field, likewise
}
