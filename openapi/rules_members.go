package openapi

import (
	"slices"
	"strings"
	"time"

	"github.com/trove-api/trove/internal/model"
)

// beside is how the value of a member stands to that of another one.
type beside struct {
	goPath string // of the other member
	step   int    // the same for 0, a little more for 1, a little less for -1
}

// compareMember returns the row of a rule that compares with another member. A value a
// step beside that one's follows the rule.
func compareMember(verb string, step int) row {
	return func(r ruled) statement {
		return statement{
			format:   "compared",
			sentence: "Must " + verb + " " + r.memberName(r.param) + ".",
			beside:   &beside{r.param, step},
		}
	}
}

// of returns a value that stands so to another one, if there is one.
func (b beside) of(other any) (any, bool) {
	switch v := other.(type) {
	case bool:
		return v != (b.step != 0), true
	case int64:
		return v + int64(b.step), true
	case float64:
		return v + float64(b.step), true
	case string:
		if at, err := time.Parse(time.RFC3339, v); err == nil {
			return at.Add(time.Duration(b.step) * time.Hour).Format(time.RFC3339), true
		}
		runes := []rune(v)
		switch { // texts compare by their length
		case b.step > 0:
			v += "1"
		case b.step < 0 && len(runes) > 0:
			v = string(runes[:len(runes)-1])
		}
		return v, b.step >= 0 || len(runes) > 0
	}
	return other, b.step == 0
}

// condition returns the row of a rule that asks for a member, or refuses it, depending
// on others. With a quantity its parameter lists members, else members with values.
func condition(what, quantity string) row {
	return func(r ruled) statement {
		words := strings.Fields(r.param)
		if quantity == "" {
			join := " and "
			if strings.HasSuffix(what, "unless") { // validator is content with one of them
				join = " or "
			}
			return statement{format: "conditional", sentence: what + " " + r.equalities(words, join) + "."}
		}
		names := make([]string, len(words))
		for i, word := range words {
			names[i] = r.memberName(word)
		}
		say := what
		if len(names) > 1 {
			say += " " + quantity
		}
		return statement{format: "conditional", sentence: say + " " + strings.Join(names, ", ") + "."}
	}
}

// equalities says pairs of a member and a value: "kind is gold and size is 3".
func (r ruled) equalities(words []string, join string) string {
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
func (r ruled) memberName(goPath string) string {
	if r.owner == nil {
		return "another member"
	}
	if own := r.owner.Field(r.name); own != nil {
		if i := strings.LastIndexByte(own.GoPath, '.'); i >= 0 {
			goPath = own.GoPath[:i+1] + goPath
		}
	}
	if name, ok := jsonPath(r.owner, goPath); ok {
		return name
	}
	return "another member"
}

// jsonPath translates a path of Go names.
func jsonPath(of *model.Struct, goPath string) (string, bool) {
	for _, f := range of.Fields {
		rest, inside := strings.CutPrefix(goPath, f.GoPath+".")
		switch {
		case f.GoPath == goPath:
			return f.Name, true
		case inside && f.Type.Kind == model.Object:
			name, ok := jsonPath(f.Type.Struct, rest)
			return f.Name + "." + name, ok
		}
	}
	return "", false
}
