package model

import (
	"errors"
	"fmt"
	"strings"
)

// Constraint is one rule of a validate tag: max=200 is {Name: "max", Param: "200"}.
type Constraint struct {
	// Name is the rule's name. Alternatives have none.
	Name string
	// Param is what follows the rule's "=", with validator's escapes (0x2C for a comma,
	// 0x7C for a bar) resolved; "" for nothing.
	Param string
	// Or are the alternatives of rules joined by "|", of which one must hold.
	Or []Constraint
}

// Rules is a parsed validate tag. The zero value has no rules.
type Rules struct {
	// All are the rules of the value itself, in order, without those that only steer
	// (omitempty, dive and the like).
	All []Constraint
	// OmitEmpty says that an empty value is not checked: omitempty, omitnil or omitzero.
	OmitEmpty bool
	// Keys are the rules of a map's keys, between keys and endkeys; nil for none.
	Keys *Rules
	// Elem are the rules behind dive, for each element; nil for none.
	Elem *Rules
	// Skip says that the field is not validated at all: "-".
	Skip bool
}

// Find returns the first constraint of that name among r.All, and whether there is one.
func (r *Rules) Find(name string) (Constraint, bool) {
	for _, c := range r.All {
		if c.Name == name {
			return c, true
		}
	}
	return Constraint{}, false
}

// ParseRules reads a validate tag in validator's syntax. It does not ask whether the rules
// exist; its error is a tag whose words stand where they cannot.
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
		err = errors.New("endkeys stands without keys")
	}
	return rules, err
}

// parseLevel reads the rules of one level: those of a value up to dive, and behind it
// those of its keys and elements. It ends at the word endkeys, if there is one, and returns
// what begins with it.
func parseLevel(words []string) (Rules, []string, error) {
	var rules Rules
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		switch word {
		case "endkeys":
			return rules, append([]string{word}, words...), nil
		case "dive":
			rest, err := rules.dive(words)
			return rules, rest, err
		}
		if err := rules.add(word); err != nil {
			return rules, nil, err
		}
	}
	return rules, nil, nil
}

// dive reads what stands behind dive.
func (r *Rules) dive(words []string) ([]string, error) {
	var err error
	if len(words) > 0 && words[0] == "keys" {
		var keys Rules
		if keys, words, err = parseLevel(words[1:]); err != nil {
			return nil, err
		}
		if len(words) == 0 {
			return nil, errors.New("keys stands without endkeys")
		}
		r.Keys, words = &keys, words[1:]
	}
	elem, rest, err := parseLevel(words)
	r.Elem = &elem
	return rest, err
}

// add reads one word that is not about elements.
func (r *Rules) add(word string) error {
	switch word {
	case "omitempty", "omitnil", "omitzero":
		r.OmitEmpty = true
		return nil
	case "keys":
		return errors.New("keys stands without dive before it")
	case "structonly", "nostructlevel":
		return fmt.Errorf("%s is not supported: structs are validated with all they hold", word)
	case "-":
		return errors.New(`"-" stands beside other rules; it stands alone`)
	case "":
		return errors.New("a rule is empty: two commas, or one at an end")
	}
	constraint, err := parseConstraint(word)
	r.All = append(r.All, constraint)
	return err
}

func parseConstraint(word string) (Constraint, error) {
	alternatives := strings.Split(word, "|")
	if len(alternatives) == 1 {
		return parseOne(word)
	}
	var constraint Constraint
	for _, alternative := range alternatives {
		one, err := parseOne(alternative)
		if err != nil {
			return Constraint{}, err
		}
		constraint.Or = append(constraint.Or, one)
	}
	return constraint, nil
}

var escapes = strings.NewReplacer("0x2C", ",", "0x7C", "|")

func parseOne(word string) (Constraint, error) {
	name, param, _ := strings.Cut(word, "=")
	if name == "" {
		return Constraint{}, fmt.Errorf("the rule %q has no name", word)
	}
	return Constraint{Name: name, Param: escapes.Replace(param)}, nil
}
