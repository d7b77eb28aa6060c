package check

import (
	"slices"
	"strings"
	"time"
)

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
		words := strings.Fields(r.Param)
		if quantity == "" {
			join := " and "
			if strings.HasSuffix(what, "unless") { // validator is content with one of them
				join = " or "
			}
			return Statement{Format: "conditional", Sentence: what + " " + r.equalities(words, join) + "."}
		}
		names := make([]string, len(words))
		for i, word := range words {
			names[i] = r.memberName(word)
		}
		say := what
		if len(names) > 1 {
			say += " " + quantity
		}
		return Statement{Format: "conditional", Sentence: say + " " + strings.Join(names, ", ") + "."}
	}
}

// equalities says pairs of a member and a value: "kind is gold and size is 3".
func (r Subject) equalities(words []string, join string) string {
	var pairs []string
	for pair := range slices.Chunk(words, 2) {
		if len(pair) == 2 {
			pairs = append(pairs, r.memberName(pair[0])+" is "+pair[1])
		}
	}
	return strings.Join(pairs, join)
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
