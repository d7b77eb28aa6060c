package resource

import (
	"path"
	"reflect"
	"strings"
)

// aggregate completes an operation whose rows are groups of records. Their parameters are those of the records that its
// responses would show, but the rows themselves have no type in Go.
func (o *operationCompiler) aggregate() {
	if !o.Aggregates {
		return
	}
	o.Expansions, o.Computes = nil, false
	if source, ok := o.c.sourceOf(o.where, reflect.TypeFor[struct{}]()); ok {
		o.Out = source.Response
	}
	if o.Resource.Aggregator = o.definition.store.Aggregator; o.Resource.Aggregator == nil {
		o.fail("the store (%T) does not compute values of groups; implement store.Aggregator, or remove the operation", o.definition.store.Itself)
	}
	if o.Custom {
		o.fail("an Aggregate cannot have a Handler; use a Get or GetCollection with one")
	}
}

// checkAggregates reports aggregates whose path may be that of a record with an identifier that clients choose.
func (c *compiler) checkAggregates() {
	for op := range c.model.Operations() {
		if !op.Aggregates || c.misplaced[op] {
			continue
		}
		parent, last := path.Split(op.Path())
		for _, other := range op.Resource.Operations {
			names := other.Resource.ID.Names()
			isItem := other.Item && other.Path() == parent+"{"+names[0]+"}" && !other.Resource.ID.Generated()
			if _, canBe := other.Resource.ID.Parse(last); isItem && canBe {
				c.turn = find(c.declared, op.Resource.Struct).turn
				c.fail(op.Resource.ShortName, "the path %s of %s could also be that of a record, because clients choose %q; set URITemplate of the Aggregate, such as %q",
					op.Path(), op.ID, names[0], strings.TrimSuffix(strings.TrimPrefix(parent, c.model.Prefix), "/")+"-"+last)
				break
			}
		}
	}
	c.turn = ofAll
}
