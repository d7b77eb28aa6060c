package accesstest_test

import (
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/access/accesstest"
	"github.com/trove-api/trove/operation"
)

// named returns the rules with another name.
func named(rules access.Rules) access.Rules {
	name := func(rule access.Rule) access.Rule {
		if rule == nil {
			return nil
		}
		return access.Named("another name", rule)
	}
	members := map[string]access.Field{}
	for field, rules := range rules.Fields {
		members[field] = access.Field{Read: name(rules.Read), Write: name(rules.Write)}
	}
	return access.Rules{Read: name(rules.Read), Create: name(rules.Create), Update: name(rules.Update), Delete: name(rules.Delete), Fields: members}
}

func TestTheNameOfARuleChangesNoTable(t *testing.T) {
	t.Parallel()
	h := newHoard()
	h.users.Access, h.treasures.Access = named(h.users.Access), named(h.treasures.Access)
	for i, op := range h.treasures.Operations {
		if get, ok := op.(operation.Get); ok && get.Access != nil {
			get.Access = access.Named("another name", get.Access)
			h.treasures.Operations[i] = get
		}
	}
	accesstest.Matrix(t, h.api(t), "testdata/access.golden", everyone, records)
}
