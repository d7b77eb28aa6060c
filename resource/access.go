package resource

import (
	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/operation"
)

// ruleOf returns who may do an operation: its own rule, else that of the resource for its
// verb. A handler is asked for what it could do: one that has a record may change it, one
// without may create some.
func ruleOf(rules access.Rules, m operation.Metadata, op *compiled.Operation) access.Rule {
	switch {
	case m.Access != nil:
		return m.Access
	case op.Handler != nil && !op.Item:
		return rules.Create
	case !op.Kind.Writes():
		return rules.Read
	case op.Handler != nil:
		return rules.Update
	case op.Kind == operation.KindPost:
		return rules.Create
	case op.Kind == operation.KindDelete:
		return rules.Delete
	}
	return rules.Update
}

// hasRules reports whether a resource has a rule for a verb.
func hasRules(rules access.Rules) bool {
	return rules.Read != nil || rules.Create != nil || rules.Update != nil || rules.Delete != nil
}
