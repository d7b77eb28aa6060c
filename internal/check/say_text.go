package check

import (
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/trove-api/trove/internal/schema"
)

// blanks are the characters that notblank takes for blank: the white space of Unicode, and the four separators of
// ASCII. It is a class and not \s, which means other characters in Go, Java and ECMA-262: docs/adr/0096.
const blanks = `\t-\r\x1c- ` + "\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"

// It is the expression that semver.org recommends, without names for its groups.
const semanticVersion = `^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)` +
	`(-(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)(\.(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*)?` +
	`(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$`

func notBlank(Subject) Statement {
	return Statement{Keywords: &schema.Schema{MinLength: 1, Pattern: "[^" + blanks + "]"}}
}

// matching returns the row of a rule that a regular expression says in full. It is
// written in what Go and ECMA-262 read alike.
func matching(pattern string, samples ...string) saying {
	return func(Subject) Statement {
		return Statement{Keywords: &schema.Schema{Pattern: pattern}, Samples: asAny(samples)}
	}
}

// formatted returns the row of a rule that a format says, together with a pattern unless
// that is empty.
func formatted(format, pattern, sample string) saying {
	return func(Subject) Statement {
		return Statement{Keywords: &schema.Schema{Format: format, Pattern: pattern}, Samples: []any{sample}}
	}
}

// withNote returns a row that says more of the rule than its keywords.
// For patterns that let more pass than the rule does: two capitals are not always a country.
func withNote(say saying, format, sentence string) saying {
	return func(r Subject) Statement {
		st := say(r)
		st.Format, st.Sentence = format, sentence
		return st
	}
}

// except returns the row of a rule that refuses what the other one asks for.
// By "not", which readers understand at once: a pattern that matches what another one does not is
// unreadable.
func except(say saying) saying {
	return func(r Subject) Statement {
		return Statement{Keywords: schema.Inverse(say(r).Keywords)}
	}
}

// partOf returns the row of a rule about the parameter as part of the text.
// The parameter is quoted, since people write "a.b" and mean a dot.
func partOf(before, after string) saying {
	return func(r Subject) Statement {
		sample := r.Param
		switch {
		case before != "":
			sample += "abc"
		case after != "":
			sample = "abc" + sample
		}
		return matching(before+regexp.QuoteMeta(r.Param)+after, sample)(r)
	}
}

// anyCharacter says that the text has one of the parameter's characters.
func anyCharacter(r Subject) Statement {
	class := strings.NewReplacer(`\`, `\\`, `]`, `\]`, `[`, `\[`, `^`, `\^`, `-`, `\-`).Replace(r.Param)
	return matching("["+class+"]", r.Param)(r)
}

// among returns the row of a rule with a fixed list of texts.
func among(texts ...string) saying {
	return func(Subject) Statement { return Statement{Keywords: &schema.Schema{Enum: schema.ValuesOf(texts...)}} }
}

func uuidPattern(version, variants, sample string) saying {
	return formatted("uuid", "^[0-9a-f]{8}-[0-9a-f]{4}-"+version+"[0-9a-f]{3}-["+variants+"][0-9a-f]{3}-[0-9a-f]{12}$", sample)
}

func hexDigits(count int) saying {
	return matching("^[0-9a-f]{"+strconv.Itoa(count)+"}$", digits(count))
}

func anyAddress(Subject) Statement {
	either := []*schema.Schema{{Format: "ipv4"}, {Format: "ipv6"}}
	return Statement{Keywords: &schema.Schema{AnyOf: either}, Samples: []any{"192.0.2.1"}}
}

// dateTime says a layout of package time where a format means the same.
// Only two layouts mean what a format means; of others the layout itself is the best example.
func dateTime(r Subject) Statement {
	switch r.Param {
	case "2006-01-02":
		return formatted("date", "", "2026-01-15")(r)
	case "2006-01-02T15:04:05Z07:00":
		return formatted("date-time", "", "2026-01-15T09:30:00Z")(r)
	}
	return Statement{Format: "layout", Sentence: "A date or time written like " + r.Param + ".", Samples: []any{r.Param}}
}

func isJSON(Subject) Statement {
	return Statement{
		Keywords: &schema.Schema{ContentMediaType: "application/json"},
		Format:   "json", Sentence: "JSON as text.", Samples: []any{"{}"},
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

// foldedPattern returns a pattern for text in any case: regular expressions in schemas
// have no flag for it.
// "K" has three cases with the Kelvin sign, so that cases are asked of Unicode rather than of
// strings.ToUpper.
func foldedPattern(text string) string {
	var b strings.Builder
	for _, r := range text {
		others := unicode.SimpleFold(r)
		if others == r {
			b.WriteString(regexp.QuoteMeta(string(r)))
			continue
		}
		b.WriteString("[" + string(r))
		for ; others != r; others = unicode.SimpleFold(others) {
			b.WriteRune(others)
		}
		b.WriteString("]")
	}
	return b.String()
}

// digits returns hexadecimal digits, as a hash is written.
func digits(count int) string { return strings.Repeat("1f", count/2) }

// marked returns the row of a rule that keywords cannot say: a format of our own, what it
// means, and texts that follow it.
func marked(format, sentence string, samples ...string) saying {
	return func(Subject) Statement { return Statement{Format: format, Sentence: sentence, Samples: asAny(samples)} }
}

// postcode suggests texts in the forms that most countries have.
// Examples try each until one follows the rule: to know the forms of all countries is validator's
// part.
func postcode(r Subject) Statement {
	return marked("postcode", "A postcode of "+r.Param+".",
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

// Beside is how the value of a member stands to that of another one.
// It is a recipe for examples: keywords cannot compare members, but an example has to hold.
type Beside struct {
	GoPath string // of the other member
	Step   int    // the same for 0, a little more for 1, a little less for -1
}

// compareMember returns the row of a rule that compares with another member. A value a
// step beside that one's follows the rule.
// Schemas have no keyword for it, so a sentence tells people, and a format tells programs that
// there is more.
func compareMember(verb string, step int) saying {
	return func(r Subject) Statement {
		return Statement{
			Format:   "compared",
			Sentence: "Must " + verb + " " + r.memberName(r.Param) + ".",
			Beside:   &Beside{r.Param, step},
		}
	}
}

// Of returns a value that stands so to another one, if there is one.
func (b Beside) Of(other any) (any, bool) {
	switch v := other.(type) {
	case bool:
		return v != (b.Step != 0), true
	case int64:
		return v + int64(b.Step), true
	case float64:
		return v + float64(b.Step), true
	case string:
		if at, err := time.Parse(time.RFC3339, v); err == nil {
			return at.Add(time.Duration(b.Step) * time.Hour).Format(time.RFC3339), true
		}
		runes := []rune(v)
		switch { // texts compare by their length
		case b.Step > 0:
			v += "1"
		case b.Step < 0 && len(runes) > 0:
			v = string(runes[:len(runes)-1])
		}
		return v, b.Step >= 0 || len(runes) > 0
	}
	return other, b.Step == 0
}

// condition returns the row of a rule that asks for a member, or refuses it, depending
// on others. With a quantity its parameter lists members, else members with values.
func condition(what, quantity string) saying {
	return func(r Subject) Statement {
		words, join, sentence := strings.Fields(r.Param), ", ", what
		var others []string
		if quantity == "" {
			if join = " and "; strings.HasSuffix(what, "unless") { // validator is content with one of them
				join = " or "
			}
			for i := 0; i+1 < len(words); i += 2 {
				others = append(others, r.memberName(words[i])+" is "+words[i+1])
			}
		} else {
			for _, word := range words {
				others = append(others, r.memberName(word))
			}
			if len(others) > 1 {
				sentence += " " + quantity
			}
		}
		return Statement{Format: "conditional", Sentence: sentence + " " + strings.Join(others, join) + "."}
	}
}

// memberName returns the JSON name of a member that a rule names by its Go path, seen from
// the struct that declares the rule's own member: that may be embedded in the owner.
// A name that leads nowhere is refused by the inspection, so that the words in its place are never
// seen.
func (r Subject) memberName(goPath string) string {
	if r.Owner == nil {
		return "another member"
	}
	if own := r.Owner.Field(r.Member); own != nil {
		goPath = own.GoPath[:strings.LastIndexByte(own.GoPath, '.')+1] + goPath
	}
	if way, name := fieldByGoPath(r.Owner, goPath); way != nil {
		return name
	}
	return "another member"
}
