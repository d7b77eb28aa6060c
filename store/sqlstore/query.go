package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/store"
)

// List returns a page.
func (r records) List(ctx context.Context, query store.Query) (page compiled.Page, err error) {
	p := r.plan()
	err = p.reads(ctx, func(from querier) (err error) {
		page, err = p.list(ctx, from, query)
		return err
	})
	return page, err
}

// list runs a query. It searches behind a position in as many parts as an index needs, one after the other until the
// page is full.
func (p *plan) list(ctx context.Context, from querier, query store.Query) (page compiled.Page, err error) {
	q, err := p.query(query)
	if err != nil {
		return page, err
	}
	q.from = from
	query = q.requested
	if query.Count {
		// With conditions, PostgreSQL would plan both together, and the expensive count would decide the plan.
		if p.dialect.facts.Remote && len(query.Where) == 0 {
			q.total = new(unknown)
		} else if page.Total, err = q.count(ctx); err != nil {
			return page, err
		}
	}
	if query.Limit > 0 {
		q.records = make([]any, 0, min(query.Limit, 1000))
	}
	parts := []part{nil}
	if q.after != nil {
		parts = q.parts()
	}
	for _, part := range parts {
		if err := q.listPart(ctx, part); err != nil {
			return page, err
		}
		if q.total != nil && *q.total != unknown {
			page.Total, q.total = *q.total, nil
		}
		if query.Limit > 0 && len(q.records) >= query.Limit {
			break
		}
	}
	if q.total != nil {
		page.Total, err = q.count(ctx)
	}
	page.Items, page.Broken = compiled.ItemsOf(q.records, q.at), q.broken
	return page, err
}

// unknown is the total of a page until a row has it. An empty page, or one beyond the last, has no rows.
const unknown = -1

// listPart adds the records of one part of the query to the page until it is full. If some records cannot be read, it
// starts again with a larger limit: a page of broken records only would give clients no position to continue from.
func (q *query) listPart(ctx context.Context, part part) error {
	items, broken, left := len(q.records), len(q.broken), 0
	if q.requested.Limit > 0 {
		left = q.requested.Limit - items
	}
	for limit := left; ; limit += len(q.broken) - broken {
		q.records, q.broken = q.records[:items], q.broken[:broken]
		var at *positions
		if q.isThrough {
			at = q.positions()
			q.at = slices.Grow(q.at, 1)[:items]
		}
		read, err := q.selectPart(part, at, limit)
		if err != nil {
			return err
		}
		rows := 0
		err = q.plan.each(ctx, q.from, read, func(record reflect.Value, unreadable error) bool {
			rows++
			if unreadable != nil {
				q.broken = append(q.broken, unreadable)
			} else {
				q.records = append(q.records, record.Interface())
				if at != nil {
					q.at = append(q.at, at.last())
				}
			}
			return left == 0 || len(q.records) < items+left
		})
		if err != nil || left == 0 || len(q.records) == items+left || rows < limit {
			return err
		}
	}
}

// counts writes the SELECT that counts the rows that match the conditions, as many as must be counted. The limit is not an
// argument, so that databases plan for few rows.
func (q *query) counts(b *builder) string {
	text, end := "SELECT COUNT(*) FROM ", ""
	if most := q.requested.CountUpTo; most > 0 {
		text, end = text+"(SELECT 1 FROM ", " LIMIT "+strconv.Itoa(most+1)+") AS counted"
	}
	text += q.plan.quoted
	if len(q.requested.Where) > 0 {
		text += " WHERE " + q.plan.where(b).all(q.requested.Where)
	}
	return text + end
}

// count counts the rows that match the conditions.
func (q *query) count(ctx context.Context) (total int, err error) {
	b := new(builder)
	statement, args, err := q.statement(b, q.counts(b), nil, 0, 0)
	if err == nil {
		_, err = q.plan.db.first(ctx, q.from, statement, args, &total)
	}
	return total, err
}

// estimator is implemented by the dialects of databases that estimate the number of rows of a table.
type estimator interface {
	// Estimate returns a query for that number, with a placeholder for the quoted name of the table.
	Estimate() string
}

// Estimates reports whether the dialect of the database estimates numbers of rows, as that of PostgreSQL does.
func (s *table) Estimates() bool {
	if s.db == nil || s.db.dialect == nil { // Check reports it
		return false
	}
	_, ok := s.db.dialect.Dialect.(estimator)
	return ok
}

// Estimate returns about how many rows the table has, as the planner of the database believes, 0 if that is unknown.
func (s *table) Estimate(ctx context.Context) (n int, err error) {
	if !s.Estimates() {
		return 0, nil
	}
	p := s.plan()
	err = p.reads(ctx, func(from querier) (err error) {
		_, err = p.db.first(ctx, from, p.dialect.Dialect.(estimator).Estimate(), []any{p.quoted}, &n)
		return err
	})
	return max(n, 0), err
}

// query is a [store.Query] with its columns.
type query struct {
	plan      *plan
	from      querier // runs the statements
	requested store.Query
	columns   []*column // the columns to read
	selected  string    // the SELECT of these columns
	order     []ordering
	isThrough bool  // a sort field goes through a reference
	after     []any // the position, in the form of the columns
	total     *int  // the total, if it is to be read with the rows; nil if it is known or not requested

	records []any   // of the page
	at      [][]any // their positions; nil unless the order goes through a reference
	broken  []error
}

// query finds the columns of a query. It returns an error that joins everything the table does not support.
func (p *plan) query(requested store.Query) (*query, error) {
	if err := p.check(requested, true); err != nil {
		return nil, err
	}
	requested.Where = p.record.Selected(requested)
	q := &query{plan: p, requested: requested, columns: p.statements.fields, selected: p.statements.selected}
	if requested.Fields != nil {
		q.columns = p.chosen(requested)
		q.selected = p.selected(q.columns)
	}
	q.orderBy(requested.Order)
	if at := requested.After; at != nil && (len(at) != len(requested.Order) || len(at) != len(q.order)) {
		return nil, errors.New("sqlstore: the position of a query must have one value for each sort field, and the last sort field must be the identifier")
	}
	for i, given := range requested.After {
		var value any
		if c := q.order[i].column; given != nil {
			if want, got := c.field.Type.Base(), reflect.TypeOf(given); got != want {
				return nil, fmt.Errorf("sqlstore: the position of a query has a value of type %v for %s, want %s", c.path.Name, got, want)
			}
			value = c.given(given)
		}
		q.after = append(q.after, value)
	}
	return q, nil
}

// chosen returns the columns to read: those of the requested fields, of the sort order and of the identifier.
func (p *plan) chosen(requested store.Query) []*column {
	wanted := slices.Clone(requested.Fields)
	for _, o := range requested.Order {
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

// selectPart writes the statement for a part of the query. The total of all rows may be its last column; the database
// counts them only once per statement.
func (q *query) selectPart(part part, at *positions, limit int) (found, error) {
	p, b := q.plan, new(builder)
	text := q.selected
	if at != nil {
		text += ", " + strings.Join(at.names, ", ")
	}
	if q.total != nil {
		text += ", (" + q.counts(b) + ") AS " + p.dialect.alias("total", 0)
	}
	text += " FROM " + q.table(b)
	where := " WHERE "
	if len(q.requested.Where) > 0 {
		text, where = text+where+p.where(b).all(q.requested.Where), " AND "
	}
	if part != nil {
		text += where + part(b)
	}
	var order []string
	for _, o := range q.order {
		order = append(order, o.name+p.dialect.direction(o.descending, o.nullable))
	}
	statement, args, err := q.statement(b, text, order, limit, q.requested.Offset)
	return found{q.columns, at, q.total, statement, args}, err
}

const maxLimit = 1<<31 - 1

// statement completes a SELECT, unless it has more arguments than the database allows. Many values of one condition are
// one argument, but many conditions are not.
func (q *query) statement(b *builder, text string, order []string, limit, offset int) (statement string, args []any, err error) {
	if order != nil {
		text += " ORDER BY " + strings.Join(order, ", ")
	}
	if limit == 0 && offset > 0 {
		limit = maxLimit // SQLite requires a limit with an offset
	}
	if limit > 0 {
		text += " LIMIT " + b.value(limit)
	}
	if offset > 0 {
		text += " OFFSET " + b.value(offset)
	}
	d := q.plan.dialect
	statement, args = d.statement(b, text)
	if most := d.facts.MaxArguments; most > 0 && len(args) > most {
		return "", nil, fmt.Errorf("sqlstore: a query on the table %s has too many conditions: the statement has %d arguments; %s allows %d",
			q.plan.name, len(args), d.Name(), most)
	}
	return statement, args, nil
}
