package serve

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/store"
)

// MethodQuery is the method QUERY (RFC 10008): a GET with its parameters in the body.
const MethodQuery = "QUERY"

// acceptQuery is the value of Accept-Query.
var acceptQuery = [...]string{format.JSON}

// NewQuery returns what serves the method QUERY of a collection: the same steps as a GET, but the parameters come from the
// body.
func NewQuery(op *compiled.Operation) *Operation {
	inBody := *op
	inBody.MediaTypes = acceptQuery[:]
	inBody.Readers = []*compiled.Format{{Format: format.Format{MediaType: format.JSON, ContentType: format.JSON, JSON: true}}}
	o := begin(&inBody)
	o.isQuery = true
	return newPages(o)
}

// newPages reads a page: of records of the store or of a handler, or of the rows of an aggregation.
func newPages(o *Operation) *Operation {
	op, read := o.Operation, readPage
	if op.Aggregates {
		read = readGroups
	}
	if o.load = (*call).loadPage; op.TakesDeleted() {
		o.confine = (*call).confineTrash
	}
	o.guarded, o.always = guarded(op), compiled.AlwaysEmbedded(op.Expansions)
	return o.reads([]step{
		when(len(op.Parents) > 0, "parents", readParents),
		when(len(op.Parents) > 0, "parents", restrict),
		when(o.guarded != nil, "filter", filter),
		{"read", read},
		when(op.Expansions != nil && !op.Aggregates, "expand", embed),
	})
}

// readPage loads the requested page. It reads one more record than the page has, to find out whether there is a next page
// without counting.
func readPage(ctx context.Context, c *call) error {
	if c.format.Stream {
		return c.beginStream(ctx)
	}
	page, err := c.op.load(c, ctx, c.values.Query)
	if err != nil {
		return err
	}
	c.show(page)
	return nil
}

// show makes the response show a page that was loaded, without records beyond the requested ones.
func (c *call) show(page compiled.Page) {
	window := &c.values.Window
	switch {
	case window.Mode == parameters.NoItems:
		page.Items.Cut(0)
	case window.Size > 0 && page.Items.Len() > window.Size:
		page.Items.Cut(window.Size)
		c.more = true
	}
	if window.Backward {
		page.Items.Reverse()
	}
	query := &c.values.Query
	if c.items, c.total = page.Items, c.values.Total(page.Total, page.Estimate); window.Mode == parameters.Whole {
		c.total = parameters.Total{Kind: parameters.ExactTotal, N: page.Items.Len()}
	}
	if c.total.Kind > parameters.ExactTotal && query.Offset+window.Size <= query.CountUpTo {
		c.more = true // there are more records than the store has counted
	}
}

// loadPage loads records of the collection. All queries of collections go through it, so that each is restricted to what the
// caller may see. The restriction is part of the query: filtering the result would leave gaps in pages, and totals would
// reveal the number of hidden records. If the store cannot read a record of the page, that is an error: without the record,
// clients would take it for deleted.
func (c *call) loadPage(ctx context.Context, query store.Query) (page compiled.Page, err error) {
	o := c.op
	r := o.Resource
	if query, err = o.confine(c, ctx, query); err != nil {
		return page, err
	}
	if o.Handler == nil {
		page, err = r.Store.List(ctx, query)
	} else {
		page, err = c.op.loadHandled(ctx, query)
	}
	if err == nil && o.Estimator != nil && query.CountUpTo > 0 && page.Total > query.CountUpTo && len(query.Where) == 0 {
		page.Estimate, err = o.Estimator.Estimate(ctx) // of records that the caller may see, because no condition hides any
	}
	if through := func(o store.Order) bool { return o.Through != "" }; err == nil && slices.ContainsFunc(query.Order, through) &&
		len(page.Items.Positions()) != page.Items.Len() {
		return page, errNoPositions
	}
	if err == nil && page.Broken != nil {
		err = errors.Join(page.Broken...)
	}
	if err == nil && r.Gate.Leads() {
		err = r.Gate.Load(ctx, &c.caller, all(page.Items))
	}
	return page, err
}

// confine restricts a query to what the caller may see: hidden records do not match, and hidden values match no condition
// and count as null.
func (c *call) confine(ctx context.Context, query store.Query) (_ store.Query, err error) {
	o, r := c.op, c.op.Resource
	if r.Reached != nil { // even if the operation has no rules: its records may refer to hidden ones
		query, err = authz.Through(ctx, &c.caller, query, func(field string) authz.Reached {
			return authz.Reached{Read: r.Reached[field].Read, Fields: r.Reached[field].Gate}
		})
		if err != nil {
			return query, err
		}
	}
	if o.Gate != nil || r.Gate != nil {
		var read *authz.Rule
		if o.Gate != nil {
			read = o.Gate.Read
		}
		return c.caller.Confine(ctx, query, read, r.Gate)
	}
	return query, nil
}

// errNoPositions reports a store or a handler that does not return the positions that cursors need.
var errNoPositions = errors.New("a page sorted through a reference needs one entry in Positions for each of Items")

// loadHandled asks the handler for records. It is called with an empty record, because handlers of collections have none.
func (o *Operation) loadHandled(ctx context.Context, query store.Query) (compiled.Page, error) {
	in := o.Handler.NewIn()
	if asked, takesQuery := in.(*store.Query); takesQuery {
		*asked = query
	}
	out, err := o.Handler.Call(ctx, o.Resource.Codec.New(), in)
	if err != nil {
		return compiled.Page{}, err
	}
	return o.Resource.PageOf(out)
}

// guarded returns the resources whose records filters of a collection name and not everyone may see, by the path of the
// reference; nil for none.
func guarded(op *compiled.Operation) map[string]*compiled.Resource {
	var found map[string]*compiled.Resource
	for _, p := range op.Parameters.List {
		if p.Kind != parameters.Filter || !namesKeys(p.Operator) || p.Path.Leaf().Reference == nil {
			continue
		}
		target := op.API.ByStruct[p.Path.Leaf().Reference.Target]
		if target == nil || compiled.IsOpen(target.ReadRule()) && target.Struct.Deleted == nil { // no one reads what is in the trash
			continue
		}
		if found == nil {
			found = map[string]*compiled.Resource{}
		}
		found[p.Path.Name] = target
	}
	return found
}

// namesKeys reports whether conditions with an operator name records by their keys. Comparisons such as Less do not.
func namesKeys(operator store.Operator) bool {
	return operator == store.Equal || operator == store.NotEqual
}

// filter removes the keys of records that the caller may not see from filters, so that they match like those of missing
// records. Otherwise "?project=/projects/7" would reveal that a hidden project exists, and what is in it.
func filter(ctx context.Context, c *call) error {
	f := keyFilter{op: c.op, pathIDs: c.pathIDs, seen: map[*compiled.Resource]map[any]bool{}}
	if f.collect("", c.values.Query.Where); len(f.seen) == 0 {
		return nil
	}
	for of, isSeen := range f.seen {
		keys := slices.Collect(maps.Keys(isSeen))
		records, err := findVisible(ctx, &c.caller, of, keys, nil)
		if err != nil {
			return err
		}
		for i, key := range keys {
			isSeen[key] = records[i] != nil
		}
	}
	values := *c.values // which other calls share
	c.values = &values
	values.Query.Where = f.left("", values.Query.Where)
	return nil
}

// keyFilter removes keys of records that the caller may not see from conditions.
type keyFilter struct {
	op      *Operation
	pathIDs []any
	seen    map[*compiled.Resource]map[any]bool // the keys in conditions, and whether the caller may see their records
}

// collect adds the keys in conditions, also in groups and through a reference, of records that not everyone may see.
func (f *keyFilter) collect(through string, conditions []store.Condition) {
	for i := range conditions {
		condition := &conditions[i]
		for _, list := range condition.Any {
			f.collect(pathWithin(through, condition), list)
		}
		of := f.target(through, condition)
		if of == nil {
			continue
		}
		for _, key := range condition.Values {
			if f.isParent(through+condition.Fields[0], key) {
				continue
			}
			if f.seen[of] == nil {
				f.seen[of] = map[any]bool{}
			}
			f.seen[of][key] = false
		}
	}
}

// pathWithin returns the references before the conditions in a group, or in one through a reference, each with a dot.
func pathWithin(through string, group *store.Condition) string {
	if group.Through != "" {
		return through + group.Through + "."
	}
	return through
}

// left returns conditions without the keys of records that the caller may not see. It copies what it changes, because
// calls share default conditions.
func (f *keyFilter) left(through string, conditions []store.Condition) []store.Condition {
	where := make([]store.Condition, 0, len(conditions)+1)
	for _, condition := range conditions {
		condition.Any = slices.Clone(condition.Any)
		for i, list := range condition.Any {
			condition.Any[i] = f.left(pathWithin(through, &condition), list)
		}
		of := f.target(through, &condition)
		if of == nil {
			where = append(where, condition)
			continue
		}
		all := condition.Values
		condition.Values = slices.DeleteFunc(slices.Clone(all), func(key any) bool {
			return !f.seen[of][key] && !f.isParent(through+condition.Fields[0], key)
		})
		if len(condition.Values) > 0 {
			where = append(where, condition)
			continue
		}
		// A contradiction, which matches no record in any store, or the opposite. Both are conditions on the field, so
		// that they match no record in which the caller may not see it.
		condition.Values = all[:1]
		other := condition
		other.Operator = store.NotEqual
		switch {
		case condition.Operator == store.Equal:
			where = append(where, condition, other)
		case f.isHidden(through, condition.Fields[0]):
			condition.Operator = store.Equal
			where = append(where, store.Condition{Any: [][]store.Condition{{condition}, {other}}})
		}
	}
	return where
}

// isHidden reports whether rules may hide a field, so that the store supports groups.
func (f *keyFilter) isHidden(through, name string) bool {
	r := f.op.Resource
	if reference := strings.TrimSuffix(through, "."); reference != "" {
		r = r.Reached[reference]
	}
	return r != nil && r.Gate.Rules(name).Read != nil
}

// isParent reports whether the path names a record as the parent in a field, so that access to it has been checked.
func (f *keyFilter) isParent(field string, key any) bool {
	for i := range f.op.Parents {
		if p := &f.op.Parents[i]; p.IsDirect() && p.Field.Name == field && f.pathIDs[i] == key {
			return true
		}
	}
	return false
}

// target returns the resource whose records a condition names and not everyone may see; nil for another condition.
// Through is the reference before it, with a dot.
func (f *keyFilter) target(through string, condition *store.Condition) *compiled.Resource {
	if len(condition.Fields) != 1 || !namesKeys(condition.Operator) || condition.Any != nil {
		return nil
	}
	return f.op.guarded[through+condition.Fields[0]]
}

// Sizes of the batches that a stream loads. Batches of large records are small, because many slow clients may each hold
// one; batches of small records are large, because each costs a query.
const (
	firstBatch = 128       // records, before their size is known
	maxBatch   = 256       // records
	batchBytes = 128 << 10 // as they are written
)

// batch returns the number of records in the next batch of a stream, for an average size in bytes, 0 if unknown. The records
// that they always embed must fit in the budget.
func (o *Operation) batch(size int) int {
	records := firstBatch
	if size > 0 {
		records = max(1, min(maxBatch, batchBytes/size))
	}
	if each := o.always; each > 0 {
		records = max(1, min(records, o.API.MaxEmbedded/each))
	}
	return records
}

// beginStream loads the first batch of a stream. A stream has all matching records, or those after the cursor, and ignores
// pages. It has no total, because counting would delay the first line.
func (c *call) beginStream(ctx context.Context) error {
	values := *c.values // which other calls share
	c.values = &values
	query := &values.Query
	query.Offset, query.Limit, query.Count, query.CountUpTo = 0, c.op.batch(0), false, 0
	page, err := c.op.load(c, ctx, *query)
	c.items = page.Items
	return err
}

// next loads the next batch of a stream after items, which is empty at the end. Each batch begins after the last record of
// the one before, regardless of concurrent inserts and deletes. Size is the average size of a record in bytes so far.
func (c *call) next(ctx context.Context, items compiled.Items, size int) (compiled.Items, error) {
	if items.Len() < c.values.Query.Limit {
		items.Cut(0)
		return items, nil
	}
	c.values.Query.Limit = c.op.batch(size)
	query := c.values.Query
	last := items.Len() - 1
	if positions := items.Positions(); positions != nil {
		query.After = positions[last]
	} else {
		query.After = c.op.Parameters.Position(query.Order, items.At(last), c.op.sortMasks(ctx, &c.caller))
	}
	c.caller.Forget()
	page, err := c.op.load(c, ctx, query)
	c.items = page.Items // or the first batch would be in memory until the end
	if err == nil && c.embedded != nil {
		c.buffers.queries.clear() // of the batch before, which has been sent
		err = embed(ctx, c)
	}
	return page.Items, err
}
