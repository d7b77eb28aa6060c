package check

import (
	"cmp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/schema"
)

// semanticVersion is the expression that semver.org recommends, without the names of groups.
const semanticVersion = `^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)` +
	`(-(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)(\.(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*)?` +
	`(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$`

// notBlank states the rule in the words of ECMA-262, in which JSON Schema has its patterns: docs/adr/0033.
func notBlank(Subject) Statement {
	return Statement{Keywords: &schema.Schema{MinLength: 1, Pattern: `\S`}}
}

// matching describes a rule that a regular expression of ECMA-262 covers completely.
func matching(pattern string, samples ...string) description {
	return func(Subject) Statement {
		return Statement{Keywords: &schema.Schema{Pattern: pattern}, Samples: asAny(samples)}
	}
}

// formatted describes a rule by a format, and by a pattern unless it is empty.
func formatted(format, pattern, sample string) description {
	return func(Subject) Statement {
		return Statement{Keywords: &schema.Schema{Format: format, Pattern: pattern}, Samples: []any{sample}}
	}
}

// withNote adds a format and a sentence to a description whose keywords accept too much: not every pair of capitals
// is a country.
func withNote(say description, format, sentence string) description {
	return func(r Subject) Statement {
		st := say(r)
		st.Format, st.Sentence = format, sentence
		return st
	}
}

// except describes a rule that rejects what the other one accepts.
func except(say description) description {
	return func(r Subject) Statement {
		return Statement{Keywords: schema.Inverse(say(r).Keywords)}
	}
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
func anyCharacter(r Subject) Statement {
	return matching(schema.QuoteAny(r.Param), r.Param)(r)
}

// among describes a rule with a fixed list of strings.
func among(texts ...string) description {
	return func(Subject) Statement { return Statement{Keywords: &schema.Schema{Enum: schema.ValuesOf(texts...)}} }
}

func uuidPattern(version, variants, sample string) description {
	return formatted("uuid", "^[0-9a-f]{8}-[0-9a-f]{4}-"+version+"[0-9a-f]{3}-["+variants+"][0-9a-f]{3}-[0-9a-f]{12}$", sample)
}

func hexDigits(count int) description {
	return matching("^[0-9a-f]{"+strconv.Itoa(count)+"}$", digits(count))
}

func anyAddress(Subject) Statement {
	either := []*schema.Schema{{Format: "ipv4"}, {Format: "ipv6"}}
	return Statement{Keywords: &schema.Schema{AnyOf: either}, Samples: []any{"192.0.2.1"}}
}

// dateTime describes a layout of package time. Two layouts have a format; for the others, the layout itself is the
// sample.
func dateTime(r Subject) Statement {
	switch r.Param {
	case "2006-01-02":
		return formatted("date", "", "2026-01-15")(r)
	case "2006-01-02T15:04:05Z07:00":
		return formatted("date-time", "", "2026-01-15T09:30:00Z")(r)
	}
	return Statement{Format: "layout", Sentence: "Must be a date or time in the format " + r.Param + ".", Samples: []any{r.Param}}
}

func isJSON(Subject) Statement {
	return Statement{
		Keywords: &schema.Schema{ContentMediaType: "application/json"},
		Format:   "json", Sentence: "Must contain valid JSON.", Samples: []any{"{}"},
	}
}

func oneOfAnyCase(r Subject) Statement {
	list := Words(r.Param)
	patterns := make([]string, len(list))
	for i, choice := range list {
		patterns[i] = foldedPattern(choice)
	}
	return matching("^("+strings.Join(patterns, "|")+")$", list...)(r)
}

func equalInAnyCase(r Subject) Statement {
	return matching("^"+foldedPattern(r.Param)+"$", r.Param)(r)
}

// foldedPattern returns a pattern for text in any case, because regular expressions in schemas have no flag for it.
// It uses Unicode folding: "K" has a third form, the Kelvin sign.
func foldedPattern(text string) string {
	var b strings.Builder
	for _, r := range text {
		forms := []rune{r}
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			forms = append(forms, other)
		}
		if len(forms) == 1 {
			b.WriteString(schema.Quote(string(r)))
		} else {
			b.WriteString(schema.QuoteAny(string(forms)))
		}
	}
	return b.String()
}

// digits returns count hexadecimal digits.
func digits(count int) string { return strings.Repeat("1f", count/2) }

// marked describes a rule that keywords cannot express: by a format of our own, a sentence, and samples.
func marked(format, sentence string, samples ...string) description {
	return func(Subject) Statement { return Statement{Format: format, Sentence: sentence, Samples: asAny(samples)} }
}

// postcode has samples in the forms that most countries use. Examples try each until one is valid.
func postcode(r Subject) Statement {
	return marked("postcode", "Must be a postal code for "+r.Param+".",
		"10115", "1010", "101000", "1010101", "101", "12345-678", "100-0001", "10-100", "101 15", "SW1A 1AA", "K1A 0B1", "1012 AB", "AD100", "LV-1010", "LT-01100",
	)(r)
}

func asAny[T any](values []T) []any {
	list := make([]any, len(values))
	for i, value := range values {
		list[i] = value
	}
	return list
}

// Relative is how the value of a field compares with another one. Examples use it, because keywords cannot compare
// fields.
type Relative struct {
	GoPath      string // of the other field
	Step        int    // 0 for the same value, 1 for a greater one, -1 for a lesser one
	Layout      string // of the dates that Of returns; "" for that of time.Time
	OtherLayout string // of the dates that it takes, likewise
}

// compareField describes a rule that compares with another field. A value one step away from that field follows
// the rule. OfTimes is the verb for dates and times.
func compareField(verb, ofTimes string, step int) description {
	return func(r Subject) Statement {
		relative := &Relative{GoPath: r.Param, Step: step, Layout: r.Layout}
		name := "another field"
		if way, found := r.other(r.Param); way != nil {
			name, relative.OtherLayout = found, LayoutOf(way[len(way)-1].Rules)
		}
		words := verb
		if r.Type.Kind == model.Time || r.Layout != "" {
			words = ofTimes
		}
		return Statement{Format: "compared", Sentence: "Must " + words + " " + name + ".", Relative: relative}
	}
}

// Of returns a value that compares so with another one, if there is one.
func (b Relative) Of(other any) (any, bool) {
	switch v := other.(type) {
	case bool:
		return v != (b.Step != 0), true
	case int64:
		return v + int64(b.Step), true
	case float64:
		return v + float64(b.Step), true
	case string:
		if at, ok := ParseDate(cmp.Or(b.OtherLayout, time.RFC3339), v); ok {
			return b.ofDate(at)
		}
		runes := []rune(v)
		switch { // strings compare by their length
		case b.Step > 0:
			v += "1"
		case b.Step < 0 && len(runes) > 0:
			v = string(runes[:len(runes)-1])
		}
		return v, b.Step >= 0 || len(runes) > 0
	}
	return other, b.Step == 0
}

// condition describes a rule that requires or forbids a field depending on others, by its message.
func condition(rule, message string) description {
	return func(r Subject) Statement {
		c := model.Constraint{Name: rule, Param: r.Param}
		names := fieldNames(c)
		for i, name := range names {
			names[i] = r.fieldName(name)
		}
		sentence := naming.Sentence(strings.TrimPrefix(message, "is "))
		return Statement{Format: "conditional", Sentence: ofFields(c, names).Replace(sentence)}
	}
}

// fieldName returns the JSON name of a field that a rule names by its Go path.
func (r Subject) fieldName(goPath string) string {
	if way, name := r.other(goPath); way != nil {
		return name
	}
	return "another field"
}

// other finds a field that a rule names by its Go path, seen from the struct with the rule's field. It returns the fields
// on the way, and the JSON path.
func (r Subject) other(goPath string) (way []*model.Field, name string) {
	if r.Owner == nil {
		return nil, ""
	}
	if own := r.Owner.Field(r.Member); own != nil {
		goPath = own.GoPath[:strings.LastIndexByte(own.GoPath, '.')+1] + goPath
	}
	return fieldByGoPath(r.Owner, goPath)
}
