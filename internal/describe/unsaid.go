package describe

import (
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// Formats for what keywords cannot say. A format is a name that tools do not know: they
// take the value for what its type is and promise no more.
const (
	// FormatConditions is of objects with rules over several members.
	FormatConditions = "conditions"
	// FormatMerged is of parts of a merge patch whose rules hold for the result.
	FormatMerged = "merged"
)

// stated returns the rules that the schema of a member states. An answer states those
// alone that its value always follows: a member that may be left out is shown with its
// zero value then, and an identifier is made by the store.
func (s *Schemas) stated(d *Definition, f *model.Field) model.Rules {
	rules := f.Rules
	switch {
	case rules.Skip, !s.checked(d):
		return model.Rules{}
	case d.role.isRequest():
	// A promise about answers that one old record breaks fails every client that checks them.
	case f.Generated, rules.OmitEmpty && !f.Type.Nullable:
		rules.All = nil
	}
	return rules
}

// hasOwnRule reports whether the user has a rule over a struct as a whole.
// Such a rule is a function over several members, of which nobody can tell what it asks.
func (s *Schemas) hasOwnRule(of *model.Struct) bool {
	return slices.ContainsFunc(s.api.Rules, func(rule validation.Rule) bool {
		t, _ := rule.StructCheck()
		return t == of.Go
	})
}

// hasUnsaid reports whether a struct has rules over several of its members, or one over
// it as a whole.
// Whoever makes bodies from the schema alone, as tests and agents do, has to know that some that
// follow it will be refused.
func (s *Schemas) hasUnsaid(of *model.Struct) bool {
	if s.hasOwnRule(of) {
		return true
	}
	for _, f := range of.Fields {
		for _, c := range f.Rules.All {
			if namesMembers(c.Name) {
				return true
			}
		}
	}
	return false
}

// namesMembers reports whether a rule of validator's is about other members too.
// By the names that validator gives them, eqfield and required_if among them; one's own rules judge
// a value or a struct.
func namesMembers(rule string) bool {
	return strings.HasPrefix(rule, "required_") || strings.HasPrefix(rule, "excluded_") || strings.Contains(rule, "field")
}

// dependsOnMembers reports whether a value may be refused for what other members are. Rules
// that miss a value are not among them: examples have one.
// It decides what examples leave out: a value that only fits beside another one is a gamble in
// them.
func dependsOnMembers(c model.Constraint) bool {
	return slices.ContainsFunc(c.Or, dependsOnMembers) || namesMembers(c.Name) && !strings.HasPrefix(c.Name, "required_")
}

// needsMembers reports whether a new struct must be given some of its members.
func needsMembers(of *model.View, seen map[*model.View]bool) bool {
	if seen[of] {
		return false
	}
	seen[of] = true
	return slices.ContainsFunc(of.Members, func(m model.Member) bool {
		t := m.Field.Type
		return m.Required || t.Kind == model.Object && !t.Nullable && needsMembers(m.Inner, seen)
	})
}
