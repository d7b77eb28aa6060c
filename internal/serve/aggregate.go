package serve

import (
	"context"
	"math"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/store"
)

// readGroups loads a page of rows, all of them for a stream. Rules restrict the fields of the rows as those to sort a
// collection by.
func readGroups(ctx context.Context, c *call) error {
	values := *c.values // which other calls share
	c.values = &values
	query, err := c.confine(ctx, values.Query)
	if err != nil {
		return err
	}
	asked := store.Aggregation{
		Where: query.Where, Order: values.Sort, Offset: query.Offset, Limit: query.Limit, Count: query.Count, Terms: make([]store.Term, len(values.Columns)),
	}
	for i := range asked.Terms {
		asked.Terms[i] = values.Columns[i].Term
		asked.Terms[i].Value = query.Order[i]
	}
	if c.format.Stream {
		asked.Offset, asked.Limit, asked.Count = 0, 0, false
		values.Query.Limit = math.MaxInt // so that there is no next batch
	}
	found, err := c.op.Resource.Aggregator.Aggregate(ctx, asked)
	if err != nil {
		return err
	}
	isFlat := c.format.IsPlanned() // it has a column for each value
	for i := range values.Columns {
		if column := &values.Columns[i]; isFlat && !column.Hidden {
			values.Fields = append(values.Fields, column.Flat())
		}
	}
	rows := make([]*codec.Completed, len(found.Rows))
	for i, row := range found.Rows {
		if rows[i], err = rowOf(values.Columns, row, isFlat); err != nil {
			return err
		}
	}
	page := compiled.Page{Items: compiled.ItemsOf(rows, nil), Total: found.Total}
	if c.items = page.Items; !c.format.Stream {
		c.show(page)
	}
	return nil
}

// rowOf encodes a row: {"group":{"status":"sold"},"count":2,"sum":{"total":7}}. A flat one has the values without the objects
// around them, under names such as "sum.total".
func rowOf(columns []parameters.Column, values []any, isFlat bool) (*codec.Completed, error) {
	var b []byte // each field has a comma in front
	if columns[0].Place != "group" && !isFlat {
		b = append(b, `,"group":{}`...)
	}
	open := ""
	for i := range columns {
		column, name := &columns[i], columns[i].Name
		switch {
		case column.Hidden: // these are the last ones
			continue
		case isFlat:
			name = column.Flat()
		case column.Place != open:
			b = openRow(b, open, column.Place)
			open = column.Place
		}
		var err error
		if b, err = column.Append(appendName(b, name), values[i]); err != nil {
			return nil, err
		}
	}
	return &codec.Completed{Of: struct{}{}, Members: openRow(b, open, "")}, nil
}

// openRow ends an object in a row, "" for none, and begins another one.
func openRow(b []byte, last, next string) []byte {
	if last != "" {
		b = append(b, '}')
	}
	if next != "" {
		b = append(appendName(b, next), '{')
	}
	return b
}

// appendName appends the name of a field, with a comma in front unless an object begins.
func appendName(b []byte, name string) []byte {
	if len(b) == 0 || b[len(b)-1] != '{' {
		b = append(b, ',')
	}
	b, _ = jsontext.AppendQuote(b, name) // names are UTF-8
	return append(b, ':')
}
