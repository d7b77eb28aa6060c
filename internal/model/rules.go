package model

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/naming"
)

// Constraint is one rule of a validate tag: max=200 is {Name: "max", Param: "200"}.
type Constraint struct {
	// Name is the rule's name. Alternatives have none.
	Name string
	// Param is the text after "=" with validator's escapes (0x2C for a comma, 0x7C for a bar) resolved; "" for none.
	Param string
	// Or lists the alternatives of rules joined by "|", of which one must hold.
	Or []Constraint
}

// Words splits the parameter of oneof and similar rules at spaces, as validator does. Single quotes keep a word
// together, and every quote is dropped: "it's" is the word "its".
func (c Constraint) Words() []string {
	const spaces = " \t\n\f\r"
	var words []string
	// Not with validator's regular expression, because it is not exported.
	for param := strings.TrimLeft(c.Param, spaces); param != ""; param = strings.TrimLeft(param, spaces) {
		end := strings.IndexAny(param, spaces)
		if end < 0 {
			end = len(param)
		}
		if closing := strings.IndexByte(param[1:], '\''); param[0] == '\'' && closing >= 0 {
			end = closing + 2
		}
		words = append(words, strings.ReplaceAll(param[:end], "'", ""))
		param = param[end:]
	}
	return words
}

// Unlisted names a string that the rule oneof does not list, with a hint. It returns "" for other values, for an empty string,
// and without such a rule.
func (r *Rules) Unlisted(value any) string {
	text := reflect.ValueOf(value)
	for _, rule := range r.All {
		if words := rule.Words(); rule.Name == "oneof" && text.Kind() == reflect.String && !text.IsZero() && !slices.Contains(words, text.String()) {
			return fmt.Sprintf("the value %q, which the rule oneof of the field does not list%s", text.String(), naming.Allowed(text.String(), words))
		}
	}
	return ""
}

// Rules is a parsed validate tag. The zero value has no rules.
type Rules struct {
	// All lists the rules of the value itself, in order, without words such as omitempty and dive.
	All []Constraint
	// OmitEmpty skips an empty value: omitempty, omitnil or omitzero.
	OmitEmpty bool
	// Keys are the rules of a map's keys, between keys and endkeys; nil for none.
	Keys *Rules
	// Elem has the rules after dive, for each element; nil for none.
	Elem *Rules
	// Skip is set by "-": the field is not validated.
	Skip bool
}

// Layout returns the layout of the rule datetime, "" for none.
func (r *Rules) Layout() string {
	rule, _ := r.Find("datetime")
	return rule.Param
}

// Find returns the first constraint of that name in r.All, and whether there is one.
func (r *Rules) Find(name string) (Constraint, bool) {
	for _, c := range r.All {
		if c.Name == name {
			return c, true
		}
	}
	return Constraint{}, false
}

// ParseRules parses a validate tag in validator's syntax. It does not check whether the rules exist. It returns an
// error if a word is misplaced.
func ParseRules(tag string) (Rules, error) {
	if tag == "" {
		return Rules{}, nil
	}
	if tag == "-" {
		return Rules{Skip: true}, nil
	}
	words := strings.Split(tag, ",")
	rules, rest, err := parseLevel(words)
	if err == nil && len(rest) > 0 {
		err = errors.New("endkeys needs keys before it")
	}
	return rules, err
}

// parseLevel reads the rules of one level: those of a value up to dive, or those of its keys or elements. It stops
// before the word endkeys and returns the remaining words.
func parseLevel(words []string) (rules Rules, rest []string, err error) {
	for i, word := range words {
		switch word {
		case "endkeys":
			return rules, words[i:], nil
		case "dive":
			rest = words[i+1:]
			if len(rest) > 0 && rest[0] == "keys" {
				rules.Keys = new(Rules)
				if *rules.Keys, rest, err = parseLevel(rest[1:]); err != nil {
					return rules, nil, err
				}
				if len(rest) == 0 {
					return rules, nil, errors.New("keys needs endkeys after it")
				}
				rest = rest[1:]
			}
			rules.Elem = new(Rules)
			*rules.Elem, rest, err = parseLevel(rest)
			return rules, rest, err
		}
		if err := rules.add(word); err != nil {
			return rules, nil, err
		}
	}
	return rules, nil, nil
}

// add reads one word of the value's own rules.
func (r *Rules) add(word string) error {
	switch word {
	case "omitempty", "omitnil", "omitzero":
		r.OmitEmpty = true
		return nil
	case "keys":
		return errors.New("keys needs dive before it")
	case "structonly", "nostructlevel":
		return fmt.Errorf("%s is not supported, because structs are always validated with everything in them", word)
	case "-":
		return errors.New(`"-" must be the only rule`)
	case "":
		return errors.New("empty rule; remove the extra comma")
	}
	constraint, err := parseConstraint(word)
	r.All = append(r.All, constraint)
	return err
}

var escapes = strings.NewReplacer("0x2C", ",", "0x7C", "|")

func parseConstraint(word string) (Constraint, error) {
	var all []Constraint
	for one := range strings.SplitSeq(word, "|") {
		name, param, _ := strings.Cut(one, "=")
		if name == "" {
			return Constraint{}, fmt.Errorf("the rule %q has no name", one)
		}
		all = append(all, Constraint{Name: name, Param: escapes.Replace(param)})
	}
	if len(all) == 1 {
		return all[0], nil
	}
	return Constraint{Or: all}, nil
}
