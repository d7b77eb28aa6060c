package check

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
)

// Fits lists the rules that tags may have, the user's own aside, each with the kinds of
// values that it can stand at.
// Tests walk through it, so that a rule added to the catalogue is tried without being listed twice.
func Fits() map[string][]model.Kind {
	list := map[string][]model.Kind{}
	for name, rule := range newCatalogue() {
		for kind := model.Bool; kind <= model.Map && rule.refused == ""; kind++ {
			if rule.fits.has(kind) {
				list[name] = append(list[name], kind)
			}
		}
	}
	return list
}

// Follows reports whether a value of a type, as JSON and not null, follows the rules of
// its own and those of what is in it. Rules over structs and those that name other fields
// are passed over. A check that panics counts as broken.
func (c *Compiler) Follows(t *model.Type, rules model.Rules, text jsontext.Value) (holds bool) {
	value, err := codec.Value(t, model.ViewsOf(t, nil).Tagged(), text)
	if err != nil {
		return false
	}
	// An example that is empty must be judged, too: clients send what they read in the document.
	rules.OmitEmpty = false
	rules.All = slices.DeleteFunc(slices.Clone(rules.All), c.namesFields)
	words := rewriter{}.words(rules, t, false)
	if len(words) == 0 {
		return true
	}
	defer func() {
		if cause := recover(); cause != nil {
			holds = false
		}
	}()
	return c.single.Var(value.Interface(), strings.Join(words, ",")) == nil
}

// namesFields reports whether a rule, or an alternative of it, is about other fields.
// An example stands alone, so there is no other field to compare it with.
func (c *Compiler) namesFields(rule model.Constraint) bool {
	return c.rules[rule.Name].fields || slices.ContainsFunc(rule.Or, c.namesFields)
}
