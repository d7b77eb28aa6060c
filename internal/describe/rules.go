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

// ownRule is a rule that the user declares.
type ownRule struct {
	rule     validation.Rule
	keywords []byte // its schema as JSON, read again for each value because merging changes it; nil for none
}

// compileOwnRules reads the schemas of the user's rules. Its error joins those of invalid schemas.
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
		v.mark(st.Format, s.sentence(c, st))
	} else if st.Sentence != "" {
		v.sentences = append(v.sentences, s.sentence(c, st))
	}
}

// sentence returns the sentence of a rule, "" for none.
func (s *Schemas) sentence(c model.Constraint, st check.Statement) string {
	if st.Sentence == "" || s.isOwn(c) && st.Key == "" {
		return st.Sentence
	}
	all, join, are := s.texts.list(st.Fields, "and"), "and", "words.are"
	if len(st.Fields) == 1 {
		are = "words.is"
	}
	if strings.HasSuffix(c.Name, "_unless") { // one of the pairs is enough
		join = "or"
	}
	pairs := make([]string, len(st.Values))
	for i, value := range st.Values {
		pairs[i] = s.texts.Text("words.pair", "field", st.Fields[i], "value", value)
	}
	return s.texts.or(cmp.Or(st.Key, "rule."+c.Name), st.Sentence, "param", c.Param, "rule", c.Name, "fields", all, "all", all,
		"any", s.texts.list(st.Fields, "or"), "are", s.texts.Text(are), "pairs", s.texts.list(pairs, join))
}

// state returns the statement of a constraint. A rule of the user's has its keywords, or otherwise its message, which is
// what clients read when a value violates it.
func (s *Schemas) state(c model.Constraint, t *model.Type, at position) check.Statement {
	if s.statements == nil {
		s.statements = check.NewDescriber()
	}
	own, isOwn := s.ownRules[c.Name]
	switch {
	case len(c.Or) > 0:
		return s.stateAlternatives(c.Or, t, at)
	case !isOwn:
		return s.statements.Describe(c.Name, check.Subject{Type: t, Owner: at.owner, Member: at.name, Param: c.Param, Layout: at.layout})
	case own.keywords != nil:
		if keywords, err := schema.Read(own.keywords); err == nil {
			return check.Statement{Keywords: keywords}
		}
	}
	st := check.NameOnly(c.Name)
	if own.rule.Message != "" {
		st.Key, st.Sentence = "", naming.Sentence(strings.ReplaceAll(own.rule.Message, "{param}", c.Param))
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
