package describe

import (
	"cmp"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/schema"
	"github.com/trove-api/trove/validation"
)

// apply adds a rule to the schema of a value. In responses it adds keywords only, because they violate no rule.
func (s *Schemas) apply(v *value, c model.Constraint, t *model.Type, at position) {
	st := s.state(c, t, at)
	v.own = v.own || s.isOwn(c)
	if st.Keywords != nil {
		v.schema.Merge(st.Keywords)
	}
	v.beside = cmp.Or(v.beside, st.Relative)
	v.samples = append(v.samples, st.Samples...)
	if st.Decoded != nil {
		v.decoded = cmp.Or(v.decoded, &schema.Schema{})
		v.decoded.Merge(st.Decoded)
	}
	if !at.role.request {
		return
	}
	if st.Format != "" {
		v.risky = v.risky || s.isOwn(c) || dependsOnFields(c)
		v.mark(st.Format, st.Sentence)
	} else if st.Sentence != "" {
		v.sentences = append(v.sentences, st.Sentence)
	}
}

// state returns the statement of a constraint. A rule of the user's has its keywords, or otherwise its message, which is
// what clients read when a value violates it.
func (s *Schemas) state(c model.Constraint, t *model.Type, at position) check.Statement {
	own, isOwn := s.ownRules[c.Name]
	switch {
	case len(c.Or) > 0:
		return s.stateAlternatives(c.Or, t, at)
	case !isOwn:
		return check.Describe(c.Name, check.Subject{Type: t, Owner: at.owner, Member: at.name, Param: c.Param, Layout: at.layout})
	case own.Schema != nil:
		if keywords, err := schema.Read(schema.ValueOf(own.Schema)); err == nil { // merging changes them
			return check.Statement{Keywords: keywords}
		}
	}
	st := check.NameOnly(c.Name)
	if own.Message != "" {
		st.Sentence = naming.Sentence(strings.ReplaceAll(own.Message, "{param}", c.Param))
	}
	return st
}

// isOwn reports whether a constraint, or one of its alternatives, is a rule of the user's.
func (s *Schemas) isOwn(c model.Constraint) bool {
	_, own := s.ownRules[c.Name]
	return own || slices.ContainsFunc(c.Or, s.isOwn)
}

// stateAlternatives returns the statement of rules of which one must hold.
func (s *Schemas) stateAlternatives(alternatives []model.Constraint, t *model.Type, at position) check.Statement {
	all := check.Statement{Keywords: &schema.Schema{}}
	for _, c := range alternatives {
		st := s.state(c, t, at)
		keywords := cmp.Or(st.Keywords, &schema.Schema{})
		keywords.Format = cmp.Or(keywords.Format, st.Format)
		all.Keywords.AnyOf = append(all.Keywords.AnyOf, keywords)
		all.Format = cmp.Or(all.Format, st.Format)
		all.Samples = append(all.Samples, st.Samples...)
	}
	return all
}

// Formats of rules that keywords cannot express. Tools do not know them, and rely on the type alone.
const (
	// FormatConditions marks objects with rules about several fields.
	FormatConditions = "conditions"
	// FormatMerged marks parts of a merge patch whose rules apply to the result.
	FormatMerged = "merged"
)

// stated returns the rules that the schema of a field states. A response states only those that its value always
// follows: an omitted field is shown with its zero value, and the store generates identifiers. Responses of handlers are
// not validated.
func (s *Schemas) stated(d *Definition, f *model.Field) model.Rules {
	rules := f.Rules
	switch {
	case rules.Skip, !d.role.request && s.unchecked[d.goType]:
		return model.Rules{}
	case d.role.request:
	case f.Generated, rules.OmitEmpty && !f.Type.Nullable:
		rules.All = nil
	}
	return rules
}

// Conditional returns the JSON names of the fields of a struct that rules about several fields have or name, and whether
// the user has a rule about the struct as a whole. Schemas cannot express these rules.
func Conditional(api *compiled.API, of *model.Struct) (fields []string, isWhole bool) {
	isWhole = slices.ContainsFunc(api.Rules, func(rule validation.Rule) bool { return check.StructOf(rule) == of.Go })
	for _, f := range of.Fields {
		for _, c := range f.Rules.All {
			if !namesFields(c.Name) {
				continue
			}
			fields = append(fields, f.Name)
			for _, other := range of.Fields {
				if slices.Contains(strings.Fields(c.Param), other.GoPath) {
					fields = append(fields, other.Name)
				}
			}
		}
	}
	return fields, isWhole
}

// namesFields reports whether a rule of validator names other fields, such as eqfield and required_if.
func namesFields(rule string) bool {
	return strings.HasPrefix(rule, "required_") || strings.HasPrefix(rule, "excluded_") || strings.Contains(rule, "field")
}

// dependsOnFields reports whether other fields decide if a value is valid. Rules that require a value do not count,
// because examples have one.
func dependsOnFields(c model.Constraint) bool {
	return slices.ContainsFunc(c.Or, dependsOnFields) || namesFields(c.Name) && !strings.HasPrefix(c.Name, "required_")
}
