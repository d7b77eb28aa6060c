package describe

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/schema"
	"github.com/trove-api/trove/validation"
)

// ownRule is a rule of the user's own, with the keywords that say it.
type ownRule struct {
	rule     validation.Rule
	keywords []byte // as JSON, of which each value gets a schema of its own; nil where the user gave none
}

// compileOwnRules reads the schemas of the user's rules. Its error joins those that are no schemas. They are read once
// here for their mistakes, which New then tells. What is used later is a new schema for each value, since a schema is
// changed by what it is merged with.
func compileOwnRules(list []validation.Rule) (map[string]ownRule, error) {
	compiled := map[string]ownRule{}
	var errs []error
	for _, rule := range list {
		own := ownRule{rule: rule}
		if rule.Schema != nil {
			own.keywords = schema.ValueOf(rule.Schema)
			if _, err := schema.Read(own.keywords); err != nil {
				errs = append(errs, fmt.Errorf("rule %q: Schema: %w", rule.Name, err))
			}
		}
		compiled[rule.Name] = own
	}
	return compiled, errors.Join(errs...)
}

// apply adds what schemas say of a rule about a value of a type. An answer only has keywords: it breaks no rule.
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
		v.risky = v.risky || s.isOwn(c) || dependsOnMembers(c)
		v.unsaid(st.Format, st.Sentence)
	} else if st.Sentence != "" {
		v.says = append(v.says, st.Sentence)
	}
}

// state returns what schemas say of a constraint: of a rule of the user's own its keywords, or else its message. The
// rule's own message is better than its name where there are no keywords: it is what a client gets to read when the
// rule is broken.
func (s *Schemas) state(c model.Constraint, t *model.Type, at position) check.Statement {
	if s.sayings == nil {
		s.sayings = check.NewDescriber()
	}
	own, isOwn := s.ownRules[c.Name]
	switch {
	case len(c.Or) > 0:
		return s.stateAlternatives(c.Or, t, at)
	case !isOwn:
		return s.sayings.Describe(c.Name, check.Subject{Type: t, Owner: at.owner, Member: at.name, Param: c.Param})
	case own.keywords != nil:
		if keywords, err := schema.Read(own.keywords); err == nil {
			return check.Statement{Keywords: keywords}
		}
	}
	st := check.NameOnly(c.Name)
	if own.rule.Message != "" {
		st.Sentence = naming.Sentence(strings.ReplaceAll(own.rule.Message, "{param}", c.Param))
	}
	return st
}

// isOwn reports whether a constraint, or an alternative of it, is a rule of the user's own.
func (s *Schemas) isOwn(c model.Constraint) bool {
	_, own := s.ownRules[c.Name]
	return own || slices.ContainsFunc(c.Or, s.isOwn)
}

// stateAlternatives returns what schemas say of rules of which one must hold.
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
