package sqlstore

import (
	"bytes"
	"context"
	"fmt"
	"math/big"
	"reflect"
	"strings"
	"time"

	"github.com/trove-api/trove/internal/filter"
	"github.com/trove-api/trove/store"
)

// aggregator is implemented by the dialects of databases that compute aggregations.
type aggregator interface {
	// Unit returns an expression for the text that filter.UnitKey returns for a time or a date. The database may not know
	// the zone, because other versions of the IANA time zone database have other names.
	Unit(value, unit string, zone *time.Location, isDate bool) string
	// SumDecimals returns an expression for the sum of decimal numbers that are stored as text: its key by store.NumberKey,
	// a space, and its text with that many digits after the point. Only databases without Decimal use it.
	SumDecimals(value string, scale int) string
}

// Aggregates reports whether the dialect of the database computes aggregations, as those of SQLite and PostgreSQL do.
func (s *table) Aggregates() bool {
	if s.db == nil || s.db.dialect == nil { // Check reports it
		return true
	}
	_, ok := s.db.dialect.Dialect.(aggregator)
	return ok
}

// Aggregate computes values of groups of the records that match, in one statement, or in a second one if a sum of integers
// is beyond the range of the database. After a conflict it runs again.
func (s *table) Aggregate(ctx context.Context, a store.Aggregation) (result store.Aggregated, err error) {
	p := s.plan()
	err = p.reads(ctx, func(from querier) (err error) {
		result, err = p.aggregate(ctx, from, a, false)
		if err != nil && p.db.driver.Fault(err).Kind == CheckFault {
			result, err = p.aggregate(ctx, from, a, true)
		}
		return err
	})
	return result, err
}

// aggregated is a term of an aggregation as SQL, and reads its value.
type aggregated struct {
	*store.Term

	column   *column
	selected []string // expressions
	sorted   []string // expressions to sort by
	isGroup  bool     // they are what the rows are grouped by

	reader columnReader // of a group without unit, or the least or greatest value; nil for others
	field  reflect.Value
	value  any // of others
	n      int64
}

// aggregate runs an aggregation. Overflows reports that sums of integers do.
func (p *plan) aggregate(ctx context.Context, from querier, a store.Aggregation, overflows bool) (result store.Aggregated, err error) {
	terms, q, err := p.aggregated(a, overflows)
	if err != nil {
		return result, err
	}
	a.Where = p.record.Selected(store.Query{Where: a.Where})
	b := new(builder)
	var selected, grouped []string
	for _, t := range terms {
		if selected = append(selected, t.selected...); t.isGroup {
			grouped = append(grouped, t.sorted...)
		}
	}
	if a.Count && grouped == nil { // one row; MariaDB can lose "min" and "max" if there is a window
		selected = append(selected, "1")
	} else if a.Count {
		selected = append(selected, "COUNT(*) OVER ()")
	}
	for i := range selected { // otherwise PostgreSQL could take a column such as "count" for the result of the function
		selected[i] += " AS " + p.dialect.alias("selected", i)
	}
	text := "SELECT " + strings.Join(selected, ", ") + " FROM " + q.table(b)
	if len(a.Where) > 0 {
		text += " WHERE " + p.where(b).all(a.Where)
	}
	if grouped != nil {
		text += " GROUP BY " + strings.Join(grouped, ", ")
	}
	statement, args, err := q.statement(b, text, p.sorted(a.Order, terms), a.Limit, a.Offset)
	if err == nil {
		err = p.db.each(ctx, from, statement, args, func(rows Rows) error { return p.addRow(&result, terms, a.Count, rows) })
	}
	if err == nil && a.Count && result.Rows == nil && a.Offset > 0 { // a row has the total
		a.Offset, a.Limit = 0, 1
		var first store.Aggregated
		first, err = p.aggregate(ctx, from, a, overflows)
		result.Total = first.Total
	}
	return result, err
}

// sorted writes the order of the rows.
func (p *plan) sorted(order []int, terms []*aggregated) (sorted []string) {
	add := func(t *aggregated, isDescending bool) {
		for _, expression := range t.sorted {
			if p.facts.LosesGroupOrder && t.isGroup && t.Unit == "" {
				expression = "COALESCE(" + expression + ")"
			}
			sorted = append(sorted, expression+p.dialect.direction(isDescending, true))
		}
	}
	for _, n := range order {
		add(terms[max(n, -n)-1], n < 0)
	}
	for _, t := range terms {
		if t.isGroup {
			add(t, false)
		}
	}
	return sorted
}

// aggregated finds the columns of the terms, and a query whose table has them.
func (p *plan) aggregated(a store.Aggregation, overflows bool) ([]*aggregated, *query, error) {
	dialect, ok := p.dialect.Dialect.(aggregator)
	if !ok {
		return nil, nil, fmt.Errorf("sqlstore: %s does not support aggregations", p.dialect.Name())
	}
	requested := store.Query{Where: a.Where}
	for i := range a.Terms {
		if a.Terms[i].Function != "count" {
			requested.Order = append(requested.Order, a.Terms[i].Value)
		}
	}
	if err := p.check(requested, true); err != nil {
		return nil, nil, err
	}
	q := &query{plan: p, requested: requested, order: make([]ordering, len(a.Terms))}
	terms, n := make([]*aggregated, len(a.Terms)), 0
	for i := range terms {
		if i > 0 {
			n += len(terms[i-1].selected)
		}
		t := &aggregated{Term: &a.Terms[i], isGroup: a.Terms[i].Function == ""}
		if terms[i] = t; t.Function == "count" {
			t.selected, t.sorted = []string{"COUNT(*)"}, []string{"COUNT(*)"}
			continue
		}
		q.order[i] = p.ordering(t.Value, i)
		t.column = q.order[i].column
		if err := filter.CheckTerm(t.Term, t.column.field.Type); err != nil {
			return nil, nil, fmt.Errorf("sqlstore: %w", err)
		}
		switch name := q.order[i].name; {
		case t.Unit != "":
			t.selected = []string{dialect.Unit(name, t.Unit, t.Zone, t.column.field.Type.IsDate())}
			t.sorted = []string{p.dialect.alias("selected", n)} // the expression may be long
		case t.Function == "sum" || t.Function == "avg":
			t.sum(dialect, &p.dialect.facts, q.shown(i), overflows)
		default:
			t.compared(p, name, q.shown(i))
		}
	}
	return terms, q, nil
}

// compared writes a group, or the least or greatest value. Shown is the column with the text of what is compared by a key:
// of equal values, the least text counts.
func (t *aggregated) compared(p *plan, name, shown string) {
	t.reader, t.field = p.nullable(t.column.field.Type)
	function := strings.ToUpper(t.Function)
	selected := function + "(" + name + ")"
	t.sorted = []string{selected}
	switch {
	case t.isGroup && t.column.keyed:
		selected, t.sorted = "MIN("+shown+")", []string{name}
	case t.isGroup:
		selected, t.sorted = name, []string{name}
	case t.column.keyed: // the text follows its key
		selected = function + "(" + name + " || ' ' || " + shown + ")"
	}
	if t.column.typ == day || t.column.typ == decimal {
		selected = "CAST(" + selected + " AS " + p.dialect.facts.CastText + ")"
	}
	t.selected = []string{selected}
}

// down divides floats before they are added, because a sum that is not finite is an error in some databases. The quotient is
// exact, except of numbers that are almost zero.
const (
	down = " * 2.3283064365386963e-10"
	up   = 1 << 32
)

// sum writes a sum; for an average also the number of values. Databases without exact numbers add integers as decimals if
// their sum overflows.
func (t *aggregated) sum(dialect aggregator, facts *BaseDialect, value string, overflows bool) {
	sum, count, digits := "SUM("+value+")", "COUNT("+value+")", t.column.field.Type.Digits
	selected, average := sum, "AVG("+value+")"
	t.sorted = []string{sum}
	switch isExact := facts.Decimal != ""; { // with a type of exact numbers
	case t.column.typ == float:
		selected = "CAST(SUM(" + value + down + ") AS " + facts.Float + ")"
		average, t.sorted = selected+" / "+count, []string{selected}
	case isExact:
		selected, average = "CAST("+sum+" AS "+facts.CastText+")", "CAST("+average+" AS "+facts.Float+")"
	case digits != nil || overflows:
		if selected = dialect.SumDecimals("CAST("+value+" AS TEXT)", 0); digits != nil {
			selected = dialect.SumDecimals(value, digits.Scale)
		}
		average = "CAST(substr(" + selected + ", instr(" + selected + ", ' ')) AS " + facts.Float + ") / " + count
		t.sorted = []string{selected}
	}
	if t.selected = []string{selected}; t.Function == "avg" {
		t.selected, t.sorted = append(t.selected, count), []string{average}
	}
}

// addRow reads a row.
func (p *plan) addRow(result *store.Aggregated, terms []*aggregated, counts bool, rows Rows) (err error) {
	var dests []any
	for _, t := range terms {
		if t.reader != nil {
			dests = append(dests, t.reader.dest(t.field))
		} else {
			dests = append(dests, &t.value)
		}
		if t.n = 1; t.Function == "avg" {
			dests = append(dests, &t.n)
		}
	}
	if counts {
		dests = append(dests, &result.Total)
	}
	if err := rows.Scan(dests...); err != nil {
		return err
	}
	row := make([]any, len(terms))
	for i, t := range terms {
		if row[i], err = t.read(); err != nil {
			return fmt.Errorf("sqlstore: reading a group of the table %s: %w", p.name, err)
		}
	}
	result.Rows = append(result.Rows, row)
	return nil
}

// read returns the value of a scanned row.
func (t *aggregated) read() (any, error) {
	if t.reader != nil {
		if texts, ok := t.reader.(*bytesReader); ok && t.column.keyed && !t.isGroup && texts.text != nil {
			texts.text = texts.text[bytes.IndexByte(texts.text, ' ')+1:] // behind the key
		}
		if err := t.reader.done(t.field); err != nil || t.field.IsNil() {
			return nil, err
		}
		return t.field.Elem().Interface(), nil
	}
	switch value := t.value.(type) {
	case float64:
		if sum := new(big.Rat).SetFloat64(value / float64(t.n)); sum != nil {
			return sum.Mul(sum, new(big.Rat).SetInt64(up)), nil
		}
		return nil, nil //nolint:nilnil // a value is not finite
	case int64:
		if t.Function == "count" {
			return value, nil
		}
		return big.NewRat(value, t.n), nil
	case string:
		if t.isGroup {
			return filter.UnitText(value, t.Unit, t.Zone), nil
		}
		return t.sumOf(value)
	}
	return nil, nil //nolint:nilnil // null is a value
}

// sumOf reads the text of a sum: a number, or its key and itself.
func (t *aggregated) sumOf(text string) (any, error) {
	sum, ok := new(big.Rat).SetString(text[strings.IndexByte(text, ' ')+1:])
	if !ok {
		return nil, fmt.Errorf("%s has a sum that is not a number", t.Value.Field)
	}
	return sum.Quo(sum, new(big.Rat).SetInt64(t.n)), nil
}
