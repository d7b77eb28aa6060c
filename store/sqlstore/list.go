package sqlstore

import (
	"context"
	"fmt"
	"slices"

	"github.com/huandu/go-sqlbuilder"

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
	switch {
	// With conditions PostgreSQL would plan both as one in which the dearer count decides.
	case query.Count && s.plan().dialect.Remote && len(query.Where) == 0:
		q.total = new(unknown)
	case query.Count:
		if page.Total, err = s.count(ctx, from, q); err != nil {
			return page, err
		}
	}
	if query.Limit > 0 {
		page.Items = make([]*T, 0, min(query.Limit, 1000))
	}
	for _, part := range q.parts() {
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
		at := q.positions()
		if at != nil {
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

// count counts the rows that fulfil the conditions.
func (s *Store[T]) count(ctx context.Context, from querier, q *query) (total int, err error) {
	b := q.plan.dialect.Flavor.NewSelectBuilder().Select("COUNT(*)").From(quote(q.plan.name))
	q.filter(b)
	statement, args, err := q.build(b)
	if err != nil {
		return 0, err
	}
	rows, err := from.Query(ctx, statement, args...)
	if err != nil {
		return 0, err
	}
	if rows.Next() {
		err = rows.Scan(&total)
	}
	return total, s.db.finish(ctx, rows, err)
}

// query is a [store.Query] with the columns that it is about.
type query struct {
	plan    *plan
	asked   store.Query
	columns []*column // to read
	order   []ordering
	after   []any // values of the position, as the columns have them
	total   *int  // of all rows, to be read with those of a page; nil where it is not, or is known
}

// query finds the columns of a query. Its error joins what it cannot answer.
func (p *plan) query(asked store.Query) (*query, error) {
	q := &query{plan: p, asked: asked, columns: p.chosen(asked)}
	if err := p.check(asked); err != nil {
		return nil, err
	}
	if err := checkValues(p, asked.Where); err != nil {
		return nil, err
	}
	for _, o := range asked.Order {
		if err := checkValues(p, o.NullUnless); err != nil {
			return nil, err
		}
	}
	q.order = p.ordered(asked.Order)
	return q, q.position()
}

// chosen lists the columns to read: those of the fields that are asked for, of the order
// and the identifier.
func (p *plan) chosen(asked store.Query) []*column {
	if asked.Fields == nil {
		return p.statements.fields
	}
	wanted := slices.Clone(asked.Fields)
	for _, o := range asked.Order {
		if o.Through == "" {
			wanted = append(wanted, o.Field)
		}
	}
	var chosen []*column
	for _, c := range p.statements.fields {
		within := func(name string) bool { return name == c.field.Name || isWithin(name, c.field.Name) }
		if p.isID(c) || slices.ContainsFunc(wanted, within) {
			chosen = append(chosen, c)
		}
	}
	return chosen
}

// isWithin reports whether a path leads into the object of that name.
func isWithin(path, object string) bool {
	return len(path) > len(object) && path[:len(object)] == object && path[len(object)] == '.'
}

// selectPart writes the statement for a part of the query. The total of all rows may stand in it, behind
// all else: the database counts them once for the whole statement.
func (q *query) selectPart(part part, at *positions, limit int) (statement string, args []any, err error) {
	b := q.plan.dialect.Flavor.NewSelectBuilder().Select(q.plan.selected(q.columns)...)
	if at != nil {
		b.SelectMore(at.names...)
	}
	if q.total != nil {
		b.SelectMore("(SELECT COUNT(*) FROM " + quote(q.plan.name) + ") AS " + quote("total of all")) // no column has a space in its name, so that no order means it
	}
	b.From(q.table(b))
	q.filter(b)
	if part != nil {
		b.Where(part(b))
	}
	for _, o := range q.order {
		b.OrderBy(o.text(q.plan.dialect))
	}
	switch {
	case limit > 0:
		b.Limit(limit)
	case q.asked.Offset > 0:
		b.Limit(maxLimit) // SQLite has no offset without a limit
	}
	if q.asked.Offset > 0 {
		b.Offset(q.asked.Offset)
	}
	return q.build(b)
}

// build writes a statement, unless it has more values than the database takes: many values of
// one condition are one list, but many conditions are not.
func (q *query) build(b *sqlbuilder.SelectBuilder) (statement string, args []any, err error) {
	statement, args = b.Build()
	if most := q.plan.dialect.MaxArguments; most > 0 && len(args) > most {
		return "", nil, fmt.Errorf("sqlstore: the conditions of a query on the table %s make a statement with %d values; %s takes %d",
			q.plan.name, len(args), q.plan.dialect.Name, most)
	}
	return statement, args, nil
}

const maxLimit = 1<<31 - 1

// filter adds the conditions.
func (q *query) filter(b *sqlbuilder.SelectBuilder) {
	if len(q.asked.Where) > 0 {
		b.Where(q.plan.all(b, q.asked.Where))
	}
}
