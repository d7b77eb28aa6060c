package sqlstore

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

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
	columns, needed := t.written, map[string]bool{}
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
		for _, found := range t.keys[together(k.from)] {
			if !c.shadow {
				names[found.constraint] = c.field.Name
			}
		}
		if c.list == nil && !c.refers() {
			continue
		}
		needed[together(k.from)] = true
		k.why = fmt.Sprintf("ondelete=%s of %s", c.field.Reference.OnDelete, c.path.Name)
		for _, link := range t.plan.linksOf([]*column{c}) {
			k.target, k.constraint = link.target, t.plan.constraint(link)
		}
		if err := t.compareKey(ctx, k); err != nil {
			return err
		}
	}
	if t.list == nil {
		t.dropKeys(needed)
	}
	return nil
}

// dropKeys adds the steps of the foreign keys that have names of Trove and that no reference needs.
func (t *actualTable) dropKeys(needed map[string]bool) {
	for _, columns := range slices.Sorted(maps.Keys(t.keys)) {
		for _, found := range t.keys[columns] {
			isOurs := slices.ContainsFunc(strings.Split(columns, ", "), func(name string) bool {
				return found.constraint == shortened(base(t.name)+"_"+name+"_fkey")
			})
			if isOurs && !needed[columns] {
				t.add(oldKeys, t.copied(Step{
					Phase: contract, Purpose: "Drop the foreign key " + found.constraint + " of " + t.name + ", which " + t.plan.typName + " does not need.",
					SQL: []string{t.dropConstraint(found.constraint)}, Lock: t.lock("ACCESS EXCLUSIVE", "both tables", "for a moment"),
					OldPrograms: "they can store references to records that do not exist",
				}))
			}
		}
	}
}

// dropLists adds the steps of the tables that lists of the records had and that no declared table needs.
func (d *differ) dropLists(ctx context.Context, p *plan) error {
	for _, name := range d.lists[p.name] {
		isNeeded := slices.ContainsFunc(d.db.plans(), func(other *plan) bool {
			return other.name == name || slices.ContainsFunc(other.lists, func(c *column) bool { return c.list.name == name })
		})
		columns, err := describe(ctx, d.db, d.db, name, nil)
		if err != nil {
			return err
		}
		_, isList := columns["position"]
		for column := range columns {
			role, _, _ := strings.Cut(column, "_")
			isList = isList && slices.Contains([]string{"record", "position", "target"}, role)
		}
		if isList && !isNeeded && strings.HasPrefix(name, p.name+"_") {
			d.add(contracts, Step{
				Phase: contract, Purpose: "Drop the table " + name + " if no program uses it: " + p.typName + " has no list for it.",
				SQL: []string{"DROP TABLE " + p.dialect.table(name)}, Lock: d.lock("ACCESS EXCLUSIVE", name+" and "+p.name, "for a moment"),
				OldPrograms: "those that have the list fail",
			})
		}
	}
	return nil
}

// findLists reads which tables have the foreign key of the table of a list to its records.
func (d *differ) findLists(ctx context.Context) error {
	d.lists = map[string][]string{}
	return d.db.each(ctx, d.db, d.db.dialect.facts.Lists, nil, func(rows Rows) error {
		var list, of string
		err := rows.Scan(&list, &of)
		d.lists[of] = append(d.lists[of], list)
		return err
	})
}

// dropConstraint returns the statement that drops a constraint.
func (t *actualTable) dropConstraint(name string) string {
	return "ALTER TABLE " + t.quoted + " DROP CONSTRAINT " + t.plan.dialect.Quote(name)
}

// copied returns a step without its statements if the database has none for it.
func (t *actualTable) copied(s Step) Step {
	if !t.plan.facts.RowLocks {
		s.Purpose, s.SQL = s.Purpose+copyRows, nil
	}
	return s
}

// compareKey adds the steps of a foreign key. A reference with ondelete=restrict works without one; the guide describes the
// weaker guarantees.
func (t *actualTable) compareKey(ctx context.Context, k keyOf) error {
	found, is := t.keyTo(k)
	isWrong, isLeft := is && !found.serves(k), is && t.leftovers[found.constraint]
	isNew := slices.ContainsFunc(k.from, func(c *column) bool { return !t.has(c) })
	switch {
	case isWrong && k.target == nil:
		t.undecided(otherKey, together(k.from), found.action, k.why, k.action)
	case isWrong:
		return t.addKey(ctx, k, found, false, false)
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

// keepReferences is what old programs can do with a foreign key.
const keepReferences = goOn + ", but cannot store references to records that do not exist"

// addKey adds the step of a missing foreign key, of a wrong one, or of one that an interrupted step has left.
func (t *actualTable) addKey(ctx context.Context, k keyOf, found actualKey, isLeft, isNew bool) error {
	dangles, err := t.dangles(ctx, k, isNew)
	if err != nil {
		return err
	}
	p, alter, kind := t.plan, "ALTER TABLE "+t.quoted, newKeys
	isWrong := found.action != "" && !found.serves(k)
	step := safe("Add the foreign key "+k.name+" from "+t.name+" to "+k.target.name+".",
		t.lock("SHARE ROW EXCLUSIVE", t.name+" and "+k.target.name, "for a moment; then "+t.reading()))
	step.Safe, step.OldPrograms = !dangles && !isWrong && !t.lacks(k.from), keepReferences
	switch {
	case isWrong:
		kind = changedKeys
		step.Purpose = fmt.Sprintf("Replace the foreign key on %s of %s, which leads to %s with the action %s, by one to %s with the action %s.",
			together(k.from), t.name, found.target, found.action, k.target.name, k.action)
		if !found.leadsTo(k.target) {
			step.OldPrograms = "they fail to store references to rows of " + found.target
		}
	case isLeft:
		step.Purpose = "Validate the foreign key " + found.constraint + " of " + t.name + "."
	}
	if dangles {
		step.Purpose = fmt.Sprintf("Rows of %s have references to rows of %s that do not exist. Change or delete them. ", t.name, k.target.name) + step.Purpose
		step.SQL = []string{"SELECT " + list(k.from) + " FROM " + t.quoted + " WHERE " + t.danglingFrom(k)}
	}
	if isWrong && p.facts.RowLocks {
		step.SQL = append(step.SQL, t.dropConstraint(found.constraint))
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
	switch step.optional = k.isRecord || k.action == model.Restrict && !isWrong; {
	case isWrong && !found.leadsTo(k.target):
		t.problem(&step, "has a foreign key on %s to %s, but needs one to %s", together(k.from), found.target, k.target.name)
	case isWrong:
		t.problem(&step, otherKey, together(k.from), found.action, k.why, k.action)
	case step.optional:
		t.problem(&step, "has no foreign key on %s, so it can refer to rows of %s that do not exist", together(k.from), k.target.name)
	default:
		t.problem(&step, lacksKey+": %s", together(k.from), k.why, actions[k.action], t.remedy(&step))
	}
	t.add(kind, step)
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

// dangles reports whether a row refers to none. A column that is new has no such row, and values of other types are not
// compared: a person must change the type first.
func (t *actualTable) dangles(ctx context.Context, k keyOf, isNew bool) (bool, error) {
	if isNew || t.use != toPlan || t.lacks(k.from) {
		return false, nil
	}
	target, err := describe(ctx, t.db, t.db, k.target.name, k.target.own)
	if err != nil || len(target) == 0 {
		return false, err // the table is created before
	}
	for i, id := range k.target.ids {
		if found, is := target[id.name]; !is || !k.target.isType(id, found.typ) {
			t.lacking[k.from[i]] = true
			return false, nil
		}
	}
	return t.finds(ctx, "SELECT 1 FROM "+t.quoted+" WHERE "+t.danglingFrom(k)+" LIMIT 1")
}
