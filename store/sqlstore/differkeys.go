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
	name, constraint string // the constraint is "" if the target is unknown
	from             []*column
	target           *plan
	action           model.OnDelete
	why              string // what needs it
	isRecord         bool   // it leads to the record that has a list
}

// copyRows ends the purpose of a step that a database has no statement for.
const copyRows = " The database has no statement for that: " + copying + "."

// compareKeys adds the steps of the foreign keys of references, and records the names of those that exist, by field.
func (t *actualTable) compareKeys(ctx context.Context, names map[string]string) error {
	columns := t.written
	if c := t.list; c != nil {
		columns = []*column{c}
		record := keyOf{
			name: shortened(base(t.name) + "_record_fkey"), constraint: c.list.recordConstraint(t.plan), from: c.list.record, target: t.plan,
			action: model.Cascade, why: "the list " + c.path.Name, isRecord: true,
		}
		if err := t.compareKey(ctx, record); err != nil {
			return err
		}
	}
	for _, c := range columns {
		k := keyOf{name: t.plan.indexName(c, "fkey"), from: c.allParts()}
		switch {
		case c.list != nil:
			k.name, k.from, k.action = c.list.targetKey(), c.list.target.allParts(), c.list.onDelete(c)
		case c.refers():
			k.action = c.field.Reference.OnDelete
		}
		if found, is := t.keys[together(k.from)]; is && !c.shadow {
			names[found.constraint] = c.field.Name
		}
		if c.list == nil && !c.refers() {
			continue
		}
		k.why = fmt.Sprintf("ondelete=%s of %s", c.field.Reference.OnDelete, c.path.Name)
		for _, link := range t.plan.linksOf([]*column{c}) {
			k.target, k.constraint = link.target, t.plan.constraint(link)
		}
		if err := t.compareKey(ctx, k); err != nil {
			return err
		}
	}
	return nil
}

// compareKey adds the steps of a foreign key. A reference with ondelete=restrict works without one; the guide describes the
// weaker guarantees.
func (t *actualTable) compareKey(ctx context.Context, k keyOf) error {
	found, is := t.keys[together(k.from)]
	isWrong, isLeft := is && found.action != string(k.action), is && t.leftovers[found.constraint]
	isNew := slices.ContainsFunc(k.from, func(c *column) bool { return !t.has(c) })
	switch {
	case isWrong:
		t.changeKey(k, found)
	case is && !isLeft, t.online == nil && isNew && !t.plan.dialect.facts.TargetsFirst:
	case k.target != nil:
		return t.addKey(ctx, k, found, isLeft, isNew)
	case k.action != model.Restrict:
		t.undecided(lacksKey, together(k.from), k.why, actions[k.action])
	}
	return nil
}

// These are the problems of keys that are needed.
const (
	lacksKey = "has no foreign key on %s; %s needs one with%s"
	otherKey = "has a foreign key on %s with the action %s, but %s needs the action %s"
)

// changeKey adds the step of a foreign key with another action.
func (t *actualTable) changeKey(k keyOf, found actualKey) {
	if k.target == nil {
		t.undecided(otherKey, together(k.from), found.action, k.why, k.action)
		return
	}
	alter := "ALTER TABLE " + t.quoted
	step := Step{
		Phase: expand, Purpose: fmt.Sprintf("Change the action of the foreign key of %s to %s from %s to %s.", t.name, k.target.name, found.action, k.action),
		SQL:  []string{alter + " DROP CONSTRAINT " + t.plan.dialect.Quote(found.constraint), alter + " ADD " + k.constraint},
		Lock: t.lock("SHARE ROW EXCLUSIVE", "both tables", "while it reads "+t.name), OldPrograms: keepReferences,
	}
	if !t.plan.facts.RowLocks {
		step.Purpose, step.SQL = step.Purpose+copyRows, nil
	}
	step.optional = k.isRecord
	t.problem(&step, otherKey, together(k.from), found.action, k.why, k.action)
	t.add(newKeys, step)
}

// keepReferences is what old programs can do with a foreign key.
const keepReferences = goOn + ", but cannot store references to records that do not exist"

// addKey adds the step of a missing foreign key, or of one that an interrupted step has left.
func (t *actualTable) addKey(ctx context.Context, k keyOf, found actualKey, isLeft, isNew bool) error {
	dangles, err := t.dangles(ctx, k, isNew)
	if err != nil {
		return err
	}
	p, alter := t.plan, "ALTER TABLE "+t.quoted
	step := safe("Add the foreign key "+k.name+" from "+t.name+" to "+k.target.name+".",
		t.lock("SHARE ROW EXCLUSIVE", t.name+" and "+k.target.name, "for a moment; then "+t.reading()))
	step.Safe, step.OldPrograms = !dangles && !t.lacks(k.from), keepReferences
	switch {
	case dangles:
		step.Purpose = fmt.Sprintf("Rows of %s have references to rows of %s that do not exist. Change or delete them, and add the foreign key %s.",
			t.name, k.target.name, k.name)
		step.SQL = []string{"SELECT " + list(k.from) + " FROM " + t.quoted + " WHERE " + t.danglingFrom(k)}
	case isLeft:
		step.Purpose = "Validate the foreign key " + found.constraint + " of " + t.name + "."
	}
	switch {
	case t.online == nil && p.dialect.facts.TargetsFirst:
		step.Safe, step.Lock = false, t.name+", while it copies the table"
		step.SQL = append(step.SQL, alter+" ADD "+k.constraint)
	case t.online == nil:
		step.Safe, step.Lock = false, "the database, while you copy the table"
		step.Purpose += copyRows
		step.SQL = append(step.SQL, "-- "+k.constraint)
	case isLeft:
		step.SQL = append(step.SQL, alter+" VALIDATE CONSTRAINT "+p.dialect.Quote(found.constraint))
	default:
		step.Outside = true
		step.SQL = append(step.SQL, alter+" ADD "+k.constraint+" NOT VALID", alter+" VALIDATE CONSTRAINT "+p.dialect.Quote(k.name))
	}
	if step.optional = k.isRecord || k.action == model.Restrict; step.optional {
		t.problem(&step, "has no foreign key on %s, so it can refer to rows of %s that do not exist", together(k.from), k.target.name)
	} else {
		t.problem(&step, lacksKey+": %s", together(k.from), k.why, actions[k.action], t.remedy(&step))
	}
	t.add(newKeys, step)
	return nil
}

// danglingFrom writes the condition of rows that refer to no row.
func (t *actualTable) danglingFrom(k keyOf) string {
	var isSet, equal []string
	target := t.plan.dialect.alias("target", 0)
	for i, c := range k.from {
		isSet = append(isSet, t.quoted+"."+c.quoted+" IS NOT NULL")
		equal = append(equal, target+"."+k.target.ids[i].quoted+" = "+t.quoted+"."+c.quoted)
	}
	return and(append(isSet, "NOT EXISTS (SELECT 1 FROM "+k.target.quoted+" AS "+target+" WHERE "+and(equal...)+")")...)
}

// dangles reports whether a row refers to none. A column that is new has no such row.
func (t *actualTable) dangles(ctx context.Context, k keyOf, isNew bool) (bool, error) {
	if isNew || t.use != toPlan {
		return false, nil
	}
	if target, err := describe(ctx, t.db, t.db, k.target.name, nil); err != nil || len(target) == 0 {
		return false, errors.Join(err) // the table is created before
	}
	return t.finds(ctx, "SELECT 1 FROM "+t.quoted+" WHERE "+t.danglingFrom(k)+" LIMIT 1")
}
