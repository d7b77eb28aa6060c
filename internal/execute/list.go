package execute

import (
	"context"
	"errors"
	"slices"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/store"
)

// list loads the records that the parameters ask for, and notes whether there are more.
// A page is read with one record more than it has: that tells whether there is a next one, without
// counting all.
func (c *Call) list(ctx context.Context) error {
	if c.Operation.guarded != nil {
		if err := c.filter(ctx); err != nil {
			return err
		}
	}
	if c.Stream {
		return c.beginStream(ctx)
	}
	page, err := c.loadPage(ctx, c.Values.Query)
	if err != nil {
		return err
	}
	c.More = c.cut(&page)
	if c.Values.Window.Backward {
		page.Items.Reverse()
	}
	c.Items, c.Total = page.Items, NoTotal
	switch {
	case c.Values.Window.Mode == parameters.Whole:
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
	page, err := c.listed(ctx, query)
	if through := func(o store.Order) bool { return o.Through != "" }; err == nil && slices.ContainsFunc(query.Order, through) &&
		len(page.Items.Positions()) != page.Items.Len() {
		return page, errNoPositions
	}
	c.Broken = page.Broken
	return page, err
}

// errNoPositions is of a store, or a handler, that does not tell where pages go on.
var errNoPositions = errors.New("a page whose order goes through a reference has not one of Positions for each of Items")

// listed asks the store for records, or the handler that has them.
// The handler is called with an empty record, as handlers of collections have none.
func (c *Call) listed(ctx context.Context, query store.Query) (compiled.Page, error) {
	if c.Operation.Handler == nil {
		return c.Operation.Resource.Store.List(ctx, query)
	}
	out, err := c.Operation.Handler.Call(context.WithValue(ctx, queryKey{}, query), c.Operation.Resource.Codec.New(), c.Operation.Handler.NewIn())
	if err != nil {
		return compiled.Page{}, err
	}
	return c.Operation.Resource.Answered(out)
}

// NoTotal stands for a total that nobody asked for.
// Zero is a total like any other.
const NoTotal = -1

// cut cuts off the record that was asked for to see whether there are more.
func (c *Call) cut(page *compiled.Page) (more bool) {
	size := c.Values.Window.Size
	if c.Values.Window.Mode == parameters.NoItems {
		page.Items.Cut(0)
		return false
	}
	if size == 0 || page.Items.Len() <= size {
		return false
	}
	page.Items.Cut(size)
	return true
}
