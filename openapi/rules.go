package openapi

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// ruled is a value that a rule is about.
type ruled struct {
	spot

	typ   *model.Type
	param string // of the rule
}

// statement is what the document says of a rule. A rule that keywords say in full has
// neither format nor sentence.
type statement struct {
	keywords *openapi3.Schema // nil for none
	format   string           // marks a value that the rule may refuse though it follows the keywords
	sentence string           // for people, of what keywords do not say
	samples  []any            // values that follow the rule
	decoded  *openapi3.Schema // of the bytes that a text stands for; nil for none
	beside   *beside          // how the value stands to that of another member; nil for not at all
}

// row is what the document says of one rule of validator's.
type row func(r ruled) statement

// apply adds what the document says of a rule. An answer only has keywords: it breaks no
// rule.
func (s *schemas) apply(v *value, c validation.Constraint, r ruled) {
	st := s.state(c, r)
	v.own = v.own || s.isOwn(c)
	if st.keywords != nil {
		merge(v.schema, st.keywords)
	}
	v.beside = cmp.Or(v.beside, st.beside)
	v.samples = append(v.samples, st.samples...)
	if st.decoded != nil {
		v.decoded = cmp.Or(v.decoded, &openapi3.Schema{})
		merge(v.decoded, st.decoded)
	}
	if !r.role.isRequest() {
		return
	}
	if st.format != "" {
		v.risky = v.risky || s.isOwn(c) || dependsOnMembers(c)
		v.unsaid(st.format, st.sentence)
	} else if st.sentence != "" {
		v.says = append(v.says, st.sentence)
	}
}

// state returns what the document says of a constraint.
func (s *schemas) state(c validation.Constraint, r ruled) statement {
	if len(c.Or) > 0 {
		return s.stateAlternatives(c.Or, r)
	}
	r.param = c.Param
	if own, ok := s.ownRules[c.Name]; ok {
		return own.state(r)
	}
	if say, ok := kindRules[c.Name]; ok {
		return say(r)
	}
	if say, ok := textRules[c.Name]; ok && r.typ.Kind == model.String {
		return say(r)
	}
	if say, ok := unsaidTexts[c.Name]; ok && r.typ.Kind == model.String {
		return say(r)
	}
	return unsaidRule(c.Name)(r)
}

// isOwn reports whether a constraint, or an alternative of it, is a rule of the user's own.
func (s *schemas) isOwn(c validation.Constraint) bool {
	_, own := s.ownRules[c.Name]
	return own || slices.ContainsFunc(c.Or, s.isOwn)
}

// stateAlternatives returns what the document says of rules of which one must hold.
func (s *schemas) stateAlternatives(alternatives []validation.Constraint, r ruled) statement {
	all := statement{keywords: &openapi3.Schema{}}
	for _, c := range alternatives {
		st := s.state(c, r)
		keywords := st.keywords
		if keywords == nil {
			keywords = &openapi3.Schema{}
		}
		keywords.Format = cmp.Or(keywords.Format, st.format)
		all.keywords.AnyOf = append(all.keywords.AnyOf, openapi3.NewSchemaRef("", keywords))
		all.format = cmp.Or(all.format, st.format)
		all.samples = append(all.samples, st.samples...)
	}
	return all
}

// unsaidRule returns the row of a rule that keywords cannot say.
func unsaidRule(name string) row {
	return func(ruled) statement {
		return statement{
			format:   strings.ReplaceAll(strings.ToLower(name), "_", "-"),
			sentence: fmt.Sprintf("Must follow the rule %q.", name),
		}
	}
}
