package execute

import (
	"context"
	"slices"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/store"
)

// guarded are the resources that filters of a collection name records of which not everybody may
// see, by the path of the reference; nil for none.
func guarded(op *compiled.Operation) map[string]*compiled.Resource {
	var found map[string]*compiled.Resource
	for _, p := range op.Parameters.List {
		if p.Kind != parameters.Filter || !namesKeys(p.Operator) || p.Path.Leaf().Reference == nil {
			continue
		}
		target := op.API.ByStruct[p.Path.Leaf().Reference.Target]
		if target == nil || compiled.IsOpen(target.SeenBy()) {
			continue
		}
		if found == nil {
			found = map[string]*compiled.Resource{}
		}
		found[p.Path.Name] = target
	}
	return found
}

// namesKeys reports whether a condition with an operator names records by their keys.
// No other operator names one: what is less than a key says nothing of a record.
func namesKeys(operator store.Operator) bool {
	return operator == store.Equal || operator == store.NotEqual
}

// filter leaves of the filters the addresses of records that the caller may see. All others find
// what one finds that is missing: nothing, and what is not to be it is everything.
// If a filter by a hidden record found what refers to it, whoever cannot see a project would learn
// from "?project=/projects/7" that it is there, and what is in it.
func filter(ctx context.Context, c *Call) error {
	asked := map[*compiled.Resource][]any{}
	if c.named(asked, "", c.Values.Query.Where); len(asked) == 0 {
		return nil
	}
	seen := make(map[*compiled.Resource]map[any]any, len(asked))
	for of, keys := range asked {
		var err error
		if seen[of], err = c.find(ctx, of, keys); err != nil {
			return err
		}
	}
	values := *c.Values // which other calls share
	c.Values = &values
	values.Query.Where = c.leave(seen, "", values.Query.Where)
	return nil
}

// named adds the keys that conditions name of records that not everybody may see: conditions on
// the records themselves, or on what they refer to by a field.
func (c *Call) named(asked map[*compiled.Resource][]any, through string, conditions []store.Condition) {
	for i := range conditions {
		condition := &conditions[i]
		if condition.Through != "" {
			for _, list := range condition.Any {
				c.named(asked, condition.Through+".", list)
			}
		}
		of := c.targetOf(through, condition)
		if of == nil {
			continue
		}
		for _, key := range condition.Values {
			if !c.isParent(through+condition.Fields[0], key) && !slices.Contains(asked[of], key) {
				asked[of] = append(asked[of], key)
			}
		}
	}
}

// leave returns conditions without the keys that have not been seen.
// Conditions are copied before they change, since those of defaults are shared by all calls.
func (c *Call) leave(seen map[*compiled.Resource]map[any]any, through string, conditions []store.Condition) []store.Condition {
	where := make([]store.Condition, 0, len(conditions)+1)
	for _, condition := range conditions {
		if condition.Through != "" {
			condition.Any = slices.Clone(condition.Any)
			for i, list := range condition.Any {
				condition.Any[i] = c.leave(seen, condition.Through+".", list)
			}
		}
		of := c.targetOf(through, &condition)
		if of == nil {
			where = append(where, condition)
			continue
		}
		all := condition.Values
		condition.Values = slices.DeleteFunc(slices.Clone(all), func(key any) bool {
			return seen[of][key] == nil && !c.isParent(through+condition.Fields[0], key)
		})
		switch {
		case len(condition.Values) > 0:
			where = append(where, condition)
		case condition.Operator == store.Equal: // no record is it and is not: a store need not know another way to say so
			condition.Values = all[:1]
			other := condition
			other.Operator = store.NotEqual
			where = append(where, condition, other)
		}
	}
	return where
}

// isParent reports whether the path names a record as what a field refers to: it has been seen.
func (c *Call) isParent(field string, key any) bool {
	for i := range c.Parents {
		if p := &c.Operation.Parents[i]; p.Below == compiled.OwnRecord && p.Field.Name == field && c.Parents[i] == key {
			return true
		}
	}
	return false
}

// targetOf returns the resource of whose records a condition has keys that not everybody may
// see; nil for another condition. Through is what the condition is behind, with a dot.
func (c *Call) targetOf(through string, condition *store.Condition) *compiled.Resource {
	if len(condition.Fields) != 1 || !namesKeys(condition.Operator) || condition.Any != nil {
		return nil
	}
	return c.Operation.guarded[through+condition.Fields[0]]
}
