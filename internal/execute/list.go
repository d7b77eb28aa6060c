package execute

import (
	"context"
	"errors"
	"slices"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/store"
)

// List reads a page of records, of the store or of a handler.
func List(op *compiled.Operation, with Functions) *Operation {
	o := begin(op, with)
	o.guarded = guarded(op)
	if o.load = loadStored; with.Handler != nil {
		o.load = loadHandled
	}
	o.steps = steps([]step{
		when(len(op.Parents) > 0, "parents", readParents),
		when(len(op.Parents) > 0, "parents", restrict),
		when(o.guarded != nil, "filter", filter),
		{"read", readPage},
		when(op.Expansions != nil, "expand", embed),
	})
	return o
}

// readPage loads the records that the parameters ask for, and notes whether there are more.
// A page is read with one record more than it has: that tells whether there is a next one, without
// counting all.
func readPage(ctx context.Context, c *Call) error {
	if c.Stream {
		return c.beginStream(ctx)
	}
	page, err := c.loadPage(ctx, c.Values.Query)
	if err != nil {
		return err
	}
	window := &c.Values.Window
	switch {
	case window.Mode == parameters.NoItems:
		page.Items.Cut(0)
	case window.Size > 0 && page.Items.Len() > window.Size:
		page.Items.Cut(window.Size)
		c.More = true
	}
	if window.Backward {
		page.Items.Reverse()
	}
	c.Items, c.Total = page.Items, NoTotal
	switch {
	case window.Mode == parameters.Whole:
		c.Total = page.Items.Len()
	case c.Values.Query.Count:
		c.Total = page.Total
	}
	return nil
}

// loadPage asks the store for records, and notes those that it could not read.
// Every query for records of a collection passes here, so that none forgets [Call.confine].
func (c *Call) loadPage(ctx context.Context, query store.Query) (compiled.Page, error) {
	query, err := c.confine(ctx, query)
	if err != nil {
		return compiled.Page{}, err
	}
	page, err := c.Operation.load(ctx, c, query)
	if through := func(o store.Order) bool { return o.Through != "" }; err == nil && slices.ContainsFunc(query.Order, through) &&
		len(page.Items.Positions()) != page.Items.Len() {
		return page, errNoPositions
	}
	c.Broken = page.Broken
	return page, err
}

// errNoPositions reports a store, or a handler, that does not say where pages continue.
var errNoPositions = errors.New("a page whose order goes through a reference has not one of Positions for each of Items")

// loadStored asks the store for records.
func loadStored(ctx context.Context, c *Call, query store.Query) (compiled.Page, error) {
	return c.Operation.Resource.Store.List(ctx, query)
}

// loadHandled asks the handler for records. It is called with an empty record, because handlers of collections have none.
func loadHandled(ctx context.Context, c *Call, query store.Query) (compiled.Page, error) {
	o := c.Operation
	out, err := o.Handler.Call(context.WithValue(ctx, queryKey{}, query), o.Resource.Codec.New(), o.Handler.NewIn())
	if err != nil {
		return compiled.Page{}, err
	}
	return o.Resource.Answered(out)
}

// queryKey finds in a context the query of a handler that returns a page.
type queryKey struct{}

// QueryFrom returns the query of the client for a handler that returns a page. It is in the context, because handlers
// have one signature.
func QueryFrom(ctx context.Context) store.Query {
	query, _ := ctx.Value(queryKey{}).(store.Query)
	return query
}

// NoTotal is the total of a page whose records are not counted. Zero is a total like any other.
const NoTotal = -1
