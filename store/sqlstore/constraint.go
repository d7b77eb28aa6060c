package sqlstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/filter"
	"github.com/trove-api/trove/store"
)

// constraint is a constraint of the records, as the table keeps it.
type constraint struct {
	*filter.Constraint

	index    index
	equal    []*column // of the fields
	from, to *column   // of the period; nil if there is none
}

// periodLocker is implemented by dialects with RowLocks that block only writers of periods that may overlap. Others block all
// writers of the table.
type periodLocker interface {
	// LockPeriods returns a statement that blocks other writers which lock the same number, its argument. Without it two
	// writers whose periods overlap would each find the row of the other one, and wait until the database detects a deadlock.
	LockPeriods() string
}

// excluder is implemented by dialects of databases with exclusion constraints, which keep periods apart for every writer
// and isolation level. With other databases the transaction that has written a period looks up those that overlap it.
type excluder interface {
	periodLocker
	// Range returns a range of two values of a column with a type of Base. Bounds is "[)" or "[]".
	Range(typ, from, to, bounds string) string
	// RangeTypes returns a statement that creates the types of such ranges, if they do not exist.
	RangeTypes() string
}

// addConstraints adds the constraints of the struct, with their indexes.
func (p *planner) addConstraints() {
	for _, declared := range p.record.Constraints {
		read, err := filter.ConstraintOf(p.record, declared)
		if err != nil {
			p.errs = append(p.errs, err)
			continue
		}
		c := &constraint{Constraint: read}
		for _, f := range declared.Fields {
			c.equal = append(c.equal, p.byName[f.Name].compared.allParts()...)
		}
		if declared.From != nil {
			c.from, c.to = p.byName[declared.From.Name].compared, p.byName[declared.To.Name].compared
			if p.before = (*transaction).checkPeriods; as[excluder](p.dialect) == nil {
				p.after = (*transaction).checkOverlaps
			}
		}
		p.addIndex(c)
		p.constraints = append(p.constraints, c)
	}
	p.broken.Store(new(p.brokenByName()))
}

// addIndex adds the index of a constraint, with its name.
func (p *planner) addIndex(c *constraint) {
	i := &c.index
	i.columns, i.unique, i.declared = slices.Clone(c.equal), c.Unique, true
	for _, f := range c.Descending {
		i.descending = append(i.descending, p.byName[f.Name].compared.allParts()...)
	}
	sort := "key"
	switch {
	case c.from != nil:
		i.columns, sort = append(i.columns, c.from, c.to), "excl"
		i.excludes = p.exclusion(c)
	case !c.Unique:
		sort = "idx"
	}
	for _, column := range i.columns {
		column.constrained = true
	}
	if len(c.Where) > 0 {
		b := &builder{literal: p.dialect.facts.TimeLayout}
		if i.where = p.where(b).all(c.Where); b.err != nil {
			p.fail("a constraint on %s has a value that no index can have: %w", list(i.columns), b.err)
		}
		i.limited = p.limitedBy(c.Where)
	}
	name := base(p.name)
	var names strings.Builder
	for _, column := range i.columns {
		names.WriteString("_" + column.name)
		if slices.Contains(i.descending, column) {
			names.WriteString("_desc")
		}
	}
	name += names.String()
	if c.IsIndex() {
		p.endInID(i)
	}
	i.name = shortened(name + "_" + sort)
	if isTaken := slices.ContainsFunc(p.indexes(), func(other index) bool { return other.name == i.name }); i.where != "" || isTaken {
		hash := fnv.New32a()
		_, _ = hash.Write([]byte(i.where + list(i.columns))) // never fails
		i.name = shortened(fmt.Sprintf("%s_%08x_%s", name, hash.Sum32(), sort))
	}
}

// limitedBy returns the columns of conditions.
func (p *plan) limitedBy(conditions []store.Condition) (columns []*column) {
	for i := range conditions {
		for _, list := range conditions[i].Any {
			columns = append(columns, p.limitedBy(list)...)
		}
		for _, name := range conditions[i].Fields {
			columns = append(columns, p.byName[name].compared)
		}
	}
	return columns
}

// exclusion returns the elements of the exclusion constraint of a period, "" if the database has none. It compares values
// as ranges of one value, because these need no extension.
func (p *plan) exclusion(c *constraint) string {
	own := as[excluder](p.dialect)
	if own == nil {
		return ""
	}
	var elements []string
	for _, column := range c.equal {
		equal := own.Range(p.typeOf(column), column.quoted, column.quoted, "[]")
		if column.nullable { // a range without bounds would overlap all others
			equal = "CASE WHEN " + column.quoted + " IS NOT NULL THEN " + equal + " END"
		}
		elements = append(elements, "("+equal+") WITH &&")
	}
	period := own.Range(p.typeOf(c.from), c.from.quoted, c.to.quoted, "[)")
	return strings.Join(append(elements, "("+period+") WITH &&"), ", ")
}

// brokenByName returns the errors of unique indexes and exclusion constraints, by name. Those without a condition are
// also there by their columns, because some databases name these.
func (p *plan) brokenByName() map[string]error {
	key := store.UniqueError{Field: p.key.Name()}
	found := map[string]error{base(p.name) + "_pkey": key, "PRIMARY": key, together(p.ids): key}
	for _, c := range p.columns {
		if c.unique {
			broken := store.UniqueError{Field: c.field.Name}
			found[p.uniqueIndex(c)], found[c.name] = broken, broken
		}
	}
	for _, c := range p.constraints {
		if c.IsIndex() {
			continue
		}
		if found[c.index.name] = c.Broken; c.Unique && c.index.where == "" {
			found[together(c.equal)] = c.Broken
		}
	}
	return found
}

// asBroken returns the error of a unique index or an exclusion constraint as the error of the store, and other errors
// unchanged. The record is the one to write.
func (p *plan) asBroken(err error, record reflect.Value) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	fault := p.db.driver.Fault(err)
	if fault.Kind != UniqueFault {
		return err
	}
	names := *p.broken.Load()
	columns := sortedNames(strings.Split(fault.Constraint, ", "))
	if found := cmp.Or(names[fault.Constraint], names[columns]); found != nil {
		return found
	}
	for name, found := range names { // SQLite writes columns as the table does
		if strings.EqualFold(name, columns) {
			return found
		}
	}
	for _, c := range p.constraints { // of several with these columns, the one that is about the record
		if key, _, failed := c.Read(record); failed == nil && !key.IsNull() && c.Unique && together(c.equal) == columns {
			return c.Broken
		}
	}
	return err
}

// checkPeriods returns an error if a period of a record ends before it begins. Unless the database locks itself for a write,
// it blocks other writers: those of periods with the same values in the other fields, or those of the table.
func (t *transaction) checkPeriods(ctx context.Context, p *plan, record reflect.Value) error {
	own, locks := p.dialect.Dialect.(periodLocker)
	for _, c := range p.constraints {
		if c.from == nil {
			continue
		}
		key, _, err := c.Read(record)
		switch {
		case err != nil:
			return fmt.Errorf("sqlstore: %w", err)
		case key.IsNull() || !p.dialect.facts.RowLocks:
		case locks:
			_, err = t.Exec(ctx, own.LockPeriods(), key.Hash(c.index.name))
		default:
			_, err = t.Exec(ctx, p.dialect.LockTable(p.quoted))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkOverlaps returns an error if a period of a record, which has been written, overlaps that of another one. The
// transaction then fails, because the record is in the table. Databases with exclusion constraints need no such step.
func (t *transaction) checkOverlaps(ctx context.Context, p *plan, record reflect.Value) error {
	for _, c := range p.constraints {
		if c.from == nil {
			continue
		}
		key, _, err := c.Read(record)
		if key.IsNull() && err == nil {
			continue
		}
		var found bool
		if err == nil {
			found, err = t.findOverlap(ctx, p, c, record)
		}
		if found {
			err = c.Broken
		}
		if err != nil {
			t.failed = err
			return err
		}
	}
	return nil
}

// findOverlap reports whether another record has a period that shares a moment with that of a record.
func (t *transaction) findOverlap(ctx context.Context, p *plan, c *constraint, record reflect.Value) (bool, error) {
	b := new(builder)
	id, err := p.keyOf(record)
	if err != nil {
		return false, err
	}
	conditions := []string{"NOT " + p.where(b).anyOf(p.ids, []key{id})}
	for _, column := range c.equal {
		value, err := column.valueIn(record)
		if err != nil {
			return false, err
		}
		conditions = append(conditions, column.quoted+" = "+b.value(value))
	}
	// An end that is open shares moments with everything. A stored period that is empty does not.
	for _, bound := range []struct {
		column, opposite *column
		sign             string
	}{{c.from, c.to, " < "}, {c.to, c.from, " > "}} {
		value, err := bound.opposite.valueIn(record)
		if err != nil {
			return false, err
		}
		if value != nil {
			conditions = append(conditions, or(bound.column.quoted+" IS NULL", bound.column.quoted+bound.sign+b.value(value)))
		}
	}
	conditions = append(conditions, or(c.from.quoted+" IS NULL", c.to.quoted+" IS NULL", c.from.quoted+" < "+c.to.quoted))
	if len(c.Where) > 0 {
		conditions = append(conditions, p.where(b).all(c.Where))
	}
	text := "SELECT 1 FROM " + p.quoted + " WHERE " + and(conditions...) + " LIMIT 1"
	if _, locks := p.dialect.Dialect.(periodLocker); p.dialect.facts.RowLocks && !locks {
		text += " FOR UPDATE" // the current rows, not those of a snapshot
	}
	statement, args := p.dialect.statement(b, text)
	return t.db.first(ctx, t, statement, args)
}
