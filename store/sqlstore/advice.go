package sqlstore

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// manyRows is the number of rows from which on advice is given about queries that read all of them.
const manyRows = 50_000

// AdviseQuery returns a line about what clients can request of a table with more than 50,000 rows and no index serves,
// "" for none: filters in the default order, searches, and sorting through references. The order of the query begins with
// the default one. resource.New logs the line.
func (s *table) AdviseQuery(ctx context.Context, query store.Query) (advice string, err error) {
	p := s.plan()
	if p.err != nil {
		return "", p.err
	}
	slow := slices.DeleteFunc([]string{p.slowFilters(query), p.slowSearches(query), slowSorts(query)}, func(text string) bool { return text == "" })
	if len(slow) == 0 {
		return "", nil
	}
	isLarge := false
	err = p.reads(ctx, func(from querier) (err error) {
		isLarge, err = p.db.first(ctx, from, fmt.Sprintf("SELECT 1 FROM %s LIMIT 1 OFFSET %d", p.quoted, manyRows), nil)
		return err
	})
	if !isLarge || err != nil {
		return "", err
	}
	return fmt.Sprintf("the table %s has more than %d rows, and no index serves %s", p.name, manyRows, strings.Join(slow, "; ")), nil
}

// slowFilters describes the filters of equal values for which no index has the default order.
func (p *plan) slowFilters(query store.Query) string {
	order := p.defaultOrder(query.Order)
	var indexes []string
	for _, condition := range query.Where {
		for _, name := range condition.Fields {
			c := p.byName[name].compared
			isFew := c == nil || c.lists || c.unique || p.isID(c) || c.field.Type.Kind == model.Bool || condition.Through != ""
			if order == nil || isFew || condition.Operator != store.Equal || c == order[0].column || p.hasIndex(c, order) {
				continue
			}
			fields := []string{strconv.Quote(name)}
			for _, o := range order {
				sign := ""
				if o.descending {
					sign = "-"
				}
				fields = append(fields, strconv.Quote(sign+o.value.path.Name))
			}
			if index := "store.Index(" + strings.Join(fields, ", ") + ")"; !slices.Contains(indexes, index) {
				indexes = append(indexes, index)
			}
		}
	}
	if indexes == nil {
		return ""
	}
	return "filters in the default order; declare " + strings.Join(indexes, ", ")
}

// defaultOrder returns the columns of the default order without the identifier, with which it ends. It is nil for the order
// of the identifier, and for one that no index can have.
func (p *plan) defaultOrder(all []store.Order) (order []ordering) {
	for i, o := range all {
		path, isPath := p.record.Path(o.Field)
		if o.Through != "" || !isPath || len(path.Fields) > 1 || p.byName[o.Field].compared == nil {
			return nil
		}
		column := p.ordering(o, i)
		if p.isID(column.column) {
			break
		}
		order = append(order, column)
	}
	return order
}

// hasIndex reports whether an index begins with a column and then has an order, forward or backward.
func (p *plan) hasIndex(c *column, order []ordering) bool {
	return slices.ContainsFunc(p.indexes(), func(i index) bool {
		if i.where != "" || len(i.columns) <= len(order) || i.columns[0] != c {
			return false
		}
		backward := slices.Contains(i.descending, i.columns[1]) != order[0].descending
		for n, o := range order {
			if i.columns[n+1] != o.column || slices.Contains(i.descending, o.column) != (o.descending != backward) {
				return false
			}
		}
		return true
	})
}

// slowSearches describes the searches within strings, which read every row, unless [Store.Advise] does.
func (p *plan) slowSearches(query store.Query) string {
	if p.isSearched() {
		return ""
	}
	var names []string
	for _, condition := range query.Where {
		_, searches := formOf(condition.Operator)
		for _, name := range condition.Fields {
			if searches && condition.Operator != store.EqualFold && condition.Through == "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if names == nil {
		return ""
	}
	return "searches in " + strings.Join(names, " and ")
}

// slowSorts describes the sort fields of referenced records, by which the database joins and sorts all rows.
func slowSorts(query store.Query) string {
	var names []string
	for _, o := range query.Order {
		if name := o.Through + "." + o.Field; o.Through != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if names == nil {
		return ""
	}
	return "sorting by " + strings.Join(names, " and ")
}

// ordered returns the columns of the index as the database describes them.
func (i index) ordered(d *dialect) string {
	return strings.Join(mapped(i.columns, func(c *column) string { return c.name + i.direction(d, c) }), ", ")
}
