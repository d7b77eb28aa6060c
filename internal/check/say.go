package check

import (
	"fmt"
	"strings"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/schema"
)

// Statement is what schemas say of a rule. One that keywords say in full has neither format
// nor sentence.
// Whoever has a schema must be able to tell "this is all" from "there is more": hence the format
// beside keywords that say only a part.
type Statement struct {
	Keywords *schema.Schema // nil for none
	Format   string         // marks a value that the rule may refuse though it follows the keywords
	Sentence string         // for people, of what keywords do not say
	Samples  []any          // values that follow the rule
	Decoded  *schema.Schema // of the bytes that a text stands for; nil for none
	Beside   *Beside        // how the value stands to that of another member; nil for not at all
}

// Subject is a value that a rule is about.
type Subject struct {
	Type   *model.Type
	Owner  *model.Struct // that the value is a member of, for rules that name others; nil for none
	Member string        // its JSON name
	Param  string        // of the rule
}

// saying is what schemas say of one rule of validator's.
type saying func(r Subject) Statement

// Sayings are what schemas say of the rules that tags may have, the user's own aside.
// It is made of the same catalogue as checks are, but apart from them, since documents are made
// without a validator.
type Sayings struct{ rules map[string]spec }

// NewSayings returns what schemas say of rules.
func NewSayings() *Sayings { return &Sayings{newCatalogue()} }

// Of returns what schemas say of a rule about a value. Of one that keywords cannot say, and
// of one that does not fit the value, that is its name alone.
// A rule of texts at a type that marshals itself judges the value behind the text, so nothing is
// said of the text.
func (s *Sayings) Of(rule string, of Subject) Statement {
	known := s.rules[rule]
	if known.says == nil || known.fits == only(model.String) && !known.fields && of.Type.Kind != model.String {
		return Unsaid(rule)
	}
	return known.says(of)
}

// Unsaid returns what schemas say of a rule of which only the name is known.
func Unsaid(rule string) Statement {
	return Statement{
		Format:   strings.ReplaceAll(strings.ToLower(rule), "_", "-"),
		Sentence: fmt.Sprintf("Must follow the rule %q.", rule),
	}
}
