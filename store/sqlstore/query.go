package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/store"
)

// list answers a query. A position is looked for in as many parts as let an index find
// it, one after the other until the window is full.
func (s *Store[T]) list(ctx context.Context, from querier, query store.Query) (store.Page[T], error) {
	page := store.Page[T]{Items: []*T{}}
	q, err := s.plan().query(query)
	if err != nil {
		return page, err
	}
	if query.Count {
		// With conditions PostgreSQL would plan both as one in which the dearer count decides.
		if q.plan.dialect.facts.Remote && len(query.Where) == 0 {
			q.total = new(unknown)
		} else if page.Total, err = s.count(ctx, from, q); err != nil {
			return page, err
		}
	}
	if query.Limit > 0 {
		page.Items = make([]*T, 0, min(query.Limit, 1000))
	}
	parts := []part{nil}
	if q.after != nil {
		parts = q.parts()
	}
	for _, part := range parts {
		if err := s.listPart(ctx, from, q, part, &page); err != nil {
			return page, err
		}
		if q.total != nil && *q.total != unknown {
			page.Total, q.total = *q.total, nil
		}
		if query.Limit > 0 && len(page.Items) >= query.Limit {
			break
		}
	}
	if q.total != nil {
		page.Total, err = s.count(ctx, from, q)
	}
	return page, err
}

// unknown is the total of a page as long as no row has told it. There are none in an empty page, nor
// in one beyond the last.
const unknown = -1

// listPart adds the records of a part of the query to a page until that is full. Where some of
// them cannot be read it asks for as many more, and begins again: those that cannot may be
// all that a window has, and whoever walks by position goes on from what he was given.
func (s *Store[T]) listPart(ctx context.Context, from querier, q *query, part part, page *store.Page[T]) error {
	items, broken, left := len(page.Items), len(page.Broken), 0
	if q.asked.Limit > 0 {
		left = q.asked.Limit - len(page.Items)
	}
	for limit := left; ; limit += len(page.Broken) - broken {
		page.Items, page.Broken = page.Items[:items], page.Broken[:broken]
		var at *positions
		if q.isThrough {
			at = q.positions()
			page.Positions = slices.Grow(page.Positions, 1)[:items]
		}
		statement, args, err := q.selectPart(part, at, limit)
		if err != nil {
			return err
		}
		rows := 0
		err = s.each(ctx, from, found{q.columns, at, q.total, statement, args}, func(record *T, unreadable error) bool {
			rows++
			if unreadable != nil {
				page.Broken = append(page.Broken, unreadable)
			} else {
				page.Items = append(page.Items, record)
				if at != nil {
					page.Positions = append(page.Positions, at.last())
				}
			}
			return left == 0 || len(page.Items) < items+left
		})
		if err != nil || left == 0 || len(page.Items) == items+left || rows < limit {
			return err
		}
	}
}

// count counts the rows that fulfill the conditions.
func (s *Store[T]) count(ctx context.Context, from querier, q *query) (total int, err error) {
	b, text := new(builder), "SELECT COUNT(*) FROM "+q.plan.quoted
	if len(q.asked.Where) > 0 {
		text += " WHERE " + q.plan.all(b, q.asked.Where)
	}
	statement, args, err := q.statement(b, text)
	if err == nil {
		_, err = s.db.first(ctx, from, statement, args, &total)
	}
	return total, err
}

// query is a [store.Query] with the columns that it is about.
type query struct {
	plan      *plan
	asked     store.Query
	columns   []*column // to read
	selected  string    // the SELECT of them
	order     []ordering
	isThrough bool  // is ordered by what records refer to
	after     []any // values of the position, as the columns have them
	total     *int  // of all rows, to be read with those of a page; nil where it is not, or is known
}

// query finds the columns of a query. Its error joins what it cannot answer.
func (p *plan) query(asked store.Query) (*query, error) {
	if err := p.check(asked, true); err != nil {
		return nil, err
	}
	q := &query{plan: p, asked: asked, columns: p.statements.fields, selected: p.statements.selected}
	if asked.Fields != nil {
		q.columns = p.chosen(asked)
		q.selected = p.selected(q.columns)
	}
	q.orderBy(asked.Order)
	if at := asked.After; at != nil && (len(at) != len(asked.Order) || len(at) != len(q.order)) {
		return nil, errors.New("sqlstore: the position of a query has not one value for each field of its order, the last being the identifier")
	}
	for i, given := range asked.After {
		var held any
		if c := q.order[i].column; given != nil {
			if want, got := c.field.Type.Base(), reflect.TypeOf(given); got != want {
				return nil, fmt.Errorf("sqlstore: the position of a query in %s is of the type %v, not %s", c.path.Name, got, want)
			}
			held = c.given(given)
		}
		q.after = append(q.after, held)
	}
	return q, nil
}

// chosen lists the columns to read: those of the fields that are asked for, of the order
// and the identifier.
func (p *plan) chosen(asked store.Query) []*column {
	wanted := slices.Clone(asked.Fields)
	for _, o := range asked.Order {
		if o.Through == "" {
			wanted = append(wanted, o.Field)
		}
	}
	var chosen []*column
	for _, c := range p.statements.fields {
		within := func(name string) bool { return name == c.field.Name || strings.HasPrefix(name, c.field.Name+".") }
		if p.isID(c) || slices.ContainsFunc(wanted, within) {
			chosen = append(chosen, c)
		}
	}
	return chosen
}

// selectPart writes the statement for a part of the query. The total of all rows may stand in it, behind
// all else: the database counts them once for the whole statement.
func (q *query) selectPart(part part, at *positions, limit int) (statement string, args []any, err error) {
	p, b := q.plan, new(builder)
	text := q.selected
	if at != nil {
		text += ", " + strings.Join(at.names, ", ")
	}
	if q.total != nil { // no column has a space in its name, so that no order means it
		text += ", (SELECT COUNT(*) FROM " + p.quoted + ") AS " + p.dialect.Quote("total of all")
	}
	text += " FROM " + q.table(b)
	where := " WHERE "
	if len(q.asked.Where) > 0 {
		text, where = text+where+p.all(b, q.asked.Where), " AND "
	}
	if part != nil {
		text += where + part(b)
	}
	for i, o := range q.order {
		if text += ", "; i == 0 {
			text = text[:len(text)-2] + " ORDER BY "
		}
		text += o.name
		isNullLast := o.nullable && p.dialect.facts.NullsLast // null comes before every value
		switch {
		case o.descending && isNullLast:
			text += " DESC NULLS LAST"
		case o.descending:
			text += " DESC"
		case isNullLast:
			text += " NULLS FIRST"
		}
	}
	if limit == 0 && q.asked.Offset > 0 {
		limit = maxLimit // SQLite has no offset without a limit
	}
	if limit > 0 {
		text += " LIMIT " + b.value(limit)
	}
	if q.asked.Offset > 0 {
		text += " OFFSET " + b.value(q.asked.Offset)
	}
	return q.statement(b, text)
}

const maxLimit = 1<<31 - 1

// statement completes a statement, unless it has more values than the database takes: many values of
// one condition are one list, but many conditions are not.
func (q *query) statement(b *builder, text string) (statement string, args []any, err error) {
	d := q.plan.dialect
	statement, args = d.statement(b, text)
	if most := d.facts.MaxArguments; most > 0 && len(args) > most {
		return "", nil, fmt.Errorf("sqlstore: the conditions of a query on the table %s make a statement with %d values; %s takes %d",
			q.plan.name, len(args), d.Name(), most)
	}
	return statement, args, nil
}
