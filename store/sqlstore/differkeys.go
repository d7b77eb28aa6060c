package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/trove-api/trove/internal/model"
)

// keyOf is a foreign key that a table needs.
type keyOf struct {
	table, name, constraint string
	from                    []*column
	target                  *plan
	action                  string
}

// copyRows ends the purpose of a step that a database has no statement for.
const copyRows = " The database has no statement for that: copy the rows to a new table, as \"Add a foreign key\" in docs/guides/databases.md shows."

// compareKey adds the steps of a foreign key.
func (t *existing) compareKey(ctx context.Context, k keyOf) error {
	p, quoted := t.plan, t.plan.dialect.table(k.table)
	found, is := t.keys[together(k.from)]
	isLeft := is && t.leftovers[found.constraint]
	step := Step{
		Phase: expand, Purpose: "Add the foreign key " + k.name + " from " + k.table + " to " + k.target.name + ".",
		OldProgramsWork: true, OldPrograms: goOn + ", but cannot store references to records that do not exist",
	}
	isNew := slices.ContainsFunc(k.from, func(c *column) bool { return t.columns[c.name].typ == "" })
	switch {
	case is && found.action != k.action && k.action != string(model.Restrict):
		name := p.dialect.Quote(found.constraint)
		step.Purpose = fmt.Sprintf("Change the action of the foreign key of %s to %s from %s to %s.", k.table, k.target.name, found.action, k.action)
		step.SQL = []string{"ALTER TABLE " + quoted + " DROP CONSTRAINT " + name, "ALTER TABLE " + quoted + " ADD " + k.constraint}
		if step.Lock = t.lock("SHARE ROW EXCLUSIVE", "both tables", "while it reads "+k.table); !p.facts.RowLocks {
			step.Purpose, step.SQL = step.Purpose+copyRows, nil
		}
	case is && !isLeft, t.online == nil && isNew && !p.dialect.facts.TargetsFirst:
		return nil
	default:
		dangles, err := t.dangles(ctx, k, isNew)
		if err != nil {
			return err
		}
		step.Safe, step.Lock = !dangles && !t.lacks(k.from), t.lock("SHARE ROW EXCLUSIVE", k.table+" and "+k.target.name, "for a moment; then "+t.reading(k.table))
		switch {
		case dangles:
			step.Purpose = fmt.Sprintf("Rows of %s have references to rows of %s that do not exist. Change or delete them, and add the foreign key %s.",
				k.table, k.target.name, k.name)
			step.SQL = []string{"SELECT " + list(k.from) + " FROM " + quoted + " WHERE " + p.danglingFrom(k, quoted)}
		case isLeft:
			step.Purpose = "Validate the foreign key " + found.constraint + " of " + k.table + "."
		}
		switch {
		case t.online == nil && p.dialect.facts.TargetsFirst:
			step.Safe, step.Lock = false, k.table+", while it copies the table"
			step.SQL = append(step.SQL, "ALTER TABLE "+quoted+" ADD "+k.constraint)
		case t.online == nil:
			step.Safe, step.Lock = false, "the database, while you copy the table"
			step.Purpose += copyRows
			step.SQL = append(step.SQL, "-- "+k.constraint)
		case isLeft:
			step.SQL = append(step.SQL, "ALTER TABLE "+quoted+" VALIDATE CONSTRAINT "+p.dialect.Quote(found.constraint))
		default:
			step.Outside = true
			step.SQL = append(step.SQL, "ALTER TABLE "+quoted+" ADD "+k.constraint+" NOT VALID", "ALTER TABLE "+quoted+" VALIDATE CONSTRAINT "+p.dialect.Quote(k.name))
		}
	}
	t.differ.keys = append(t.differ.keys, step)
	return nil
}

// danglingFrom writes the condition of rows that refer to no row.
func (p *plan) danglingFrom(k keyOf, quoted string) string {
	var isSet, equal []string
	target := p.dialect.alias("target", 0)
	for i, c := range k.from {
		isSet = append(isSet, quoted+"."+c.quoted+" IS NOT NULL")
		equal = append(equal, target+"."+k.target.ids[i].quoted+" = "+quoted+"."+c.quoted)
	}
	return and(append(isSet, "NOT EXISTS (SELECT 1 FROM "+k.target.quoted+" AS "+target+" WHERE "+and(equal...)+")")...)
}

// dangles reports whether a row refers to none. A column that is new has no such row.
func (t *existing) dangles(ctx context.Context, k keyOf, isNew bool) (bool, error) {
	if isNew {
		return false, nil
	}
	if target, err := describe(ctx, t.db, t.db, k.target.name); err != nil || len(target) == 0 {
		return false, errors.Join(err) // the table is created before
	}
	quoted := t.plan.dialect.table(k.table)
	return t.db.first(ctx, t.db, "SELECT 1 FROM "+quoted+" WHERE "+t.plan.danglingFrom(k, quoted)+" LIMIT 1", nil)
}

// compareList adds the steps of the table of a list.
func (t *existing) compareList(ctx context.Context, c *column) error {
	p, l := t.plan, c.list
	own, err := t.existing(ctx, p, l.name)
	if err != nil {
		return err
	}
	definitions := l.ddl(p, c)
	if len(own.columns) == 0 {
		t.addTable(l.name, definitions)
		return nil
	}
	if _, is := own.indexes[definitions[1].index]; !is {
		t.addIndex(l.name, definitions[1], true, false)
	}
	record := keyOf{l.name, shortened(base(l.name) + "_record_fkey"), l.recordConstraint(p), l.record, p, string(model.Cascade)}
	if err := own.compareKey(ctx, record); err != nil {
		return err
	}
	for _, link := range p.linksOf([]*column{c}) {
		if err := own.compareKey(ctx, keyOf{l.name, l.targetKey(), p.constraint(link), link.from, link.target, string(l.onDelete(c))}); err != nil {
			return err
		}
	}
	return nil
}
