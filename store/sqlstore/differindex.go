package sqlstore

import (
	"context"
	"slices"
	"strings"
)

// compareIndexes adds the steps of the indexes of a table.
func (t *existing) compareIndexes(ctx context.Context) error {
	p := t.plan
	isUnique, needed := map[string]bool{}, map[string]bool{}
	for _, each := range t.indexes {
		isUnique[each.columns] = isUnique[each.columns] || each.unique
	}
	for _, i := range p.searchIndexes(t.trigrams) {
		needed[i.name] = true
	}
	for _, i := range p.indexes() {
		needed[i.name] = true
		found, is := t.indexes[i.name]
		isPlain := !i.unique && i.excludes == ""
		switch {
		case is && (!isPlain || found.ordered == i.ordered(p.dialect)), i.unique && i.where == "" && isUnique[together(i.columns)]:
		case is:
			t.replaceIndex(i)
		case i.excludes != "":
			if err := t.addExclusion(ctx, i); err != nil {
				return err
			}
		default:
			isDuplicate, err := t.hasDuplicates(ctx, i)
			if err != nil {
				return err
			}
			t.addIndex(p.name, i.create(p, p.name), !t.lacks(i.columns), isDuplicate)
		}
	}
	t.dropIndexes(needed)
	return nil
}

// dropIndexes adds the steps of the indexes that have names of Trove and that nothing needs.
func (t *existing) dropIndexes(needed map[string]bool) {
	p := t.plan
	for name, found := range t.indexes {
		isOurs := strings.HasPrefix(name, base(p.name)+"_") && slices.ContainsFunc([]string{"_idx", "_key", "_excl", "_trash"}, func(end string) bool {
			return strings.HasSuffix(name, end)
		})
		isDeclared := found.unique && p.brokenByName()[found.columns] != nil
		if isOurs && !needed[name] && !isDeclared {
			t.contracts = append(t.contracts, Step{
				Phase: contract, Purpose: "Drop the index " + name + " of " + p.name + ", which " + p.typName + " does not need.",
				SQL: []string{t.drop(name)}, Lock: t.reading(p.name), Outside: t.online != nil, OldPrograms: "queries of those that use the index are slow",
			})
		}
	}
	slices.SortFunc(t.contracts, func(a, b Step) int { return strings.Compare(b.Purpose, a.Purpose) }) // indexes before their columns
}

// index returns the quoted name of an index of the table, with its schema.
func (t *existing) index(name string) string {
	if schema, _, is := strings.Cut(t.plan.name, "."); is {
		name = schema + "." + name
	}
	return t.plan.dialect.table(name)
}

// drop returns the statement that drops an index, if it exists.
func (t *existing) drop(name string) string {
	statement := t.plan.dialect.DropIndex(t.plan.quoted, t.index(name))
	if t.online != nil {
		return t.online.Concurrently(statement)
	}
	return statement
}

// hasDuplicates reports whether two rows have equal values in a unique index that does not exist.
func (t *existing) hasDuplicates(ctx context.Context, i index) (bool, error) {
	isNew := func(c *column) bool { return t.columns[c.name].typ == "" }
	if !i.unique || slices.ContainsFunc(slices.Concat(i.columns, i.limited), isNew) {
		return false, nil // after the columns are there, it is checked again
	}
	var conditions []string
	for _, c := range i.columns {
		conditions = append(conditions, c.quoted+" IS NOT NULL")
	}
	if i.where != "" {
		conditions = append(conditions, i.where)
	}
	return t.db.first(ctx, t.db, "SELECT 1 FROM "+t.plan.quoted+" WHERE "+and(conditions...)+" GROUP BY "+list(i.columns)+" HAVING COUNT(*) > 1 LIMIT 1", nil)
}

// addIndex adds the step of a missing index.
func (t *existing) addIndex(table string, d definition, isPossible, isDuplicate bool) {
	step := safe("Create the index "+d.index+" of "+table+".", t.reading(table), d.text)
	step.Safe, step.undo = isPossible && !isDuplicate, t.drop(d.index)
	if t.online != nil { // an interrupted statement leaves an invalid index
		step.Outside = true
		step.SQL = []string{t.drop(d.index), t.online.Concurrently(strings.Replace(d.text, "IF NOT EXISTS ", "", 1))}
	}
	if isDuplicate {
		step.Purpose = "Rows of " + table + " have equal values. Change or delete them, and create the unique index " + d.index + "."
		step.OldProgramsWork, step.OldPrograms = false, "they fail to store equal values"
	}
	t.differ.indexes = append(t.differ.indexes, step)
}

// replaceIndex adds the step of an index that has other columns than before.
func (t *existing) replaceIndex(i index) {
	p := t.plan
	step := safe("Replace the index "+i.name+" of "+p.name+" by one with the columns "+i.ordered(p.dialect)+".", t.reading(p.name),
		t.drop(i.name), i.create(p, p.name).text)
	if step.Safe = !t.lacks(i.columns); t.online != nil { // the old one serves queries until the new one is complete
		created := i
		created.name = shortened(i.name + "_new")
		step.Outside = true
		step.SQL = []string{
			t.drop(created.name), t.online.Concurrently(strings.Replace(created.create(p, p.name).text, "IF NOT EXISTS ", "", 1)),
			p.dialect.DropIndex(p.quoted, t.index(i.name)) + "; ALTER INDEX " + t.index(created.name) + " RENAME TO " + p.dialect.Quote(i.name),
		}
	}
	t.differ.indexes = append(t.differ.indexes, step)
}

// addExclusion adds the step of a missing exclusion constraint, which no database adds while others write.
func (t *existing) addExclusion(ctx context.Context, i index) error {
	has, err := t.hasRows(ctx)
	step := safe("Add the exclusion constraint "+i.name+" of "+t.plan.name+", which fails if periods overlap.",
		t.lock("ACCESS EXCLUSIVE", t.plan.name, "while it reads the table: all others wait"), i.create(t.plan, t.plan.name).text)
	step.Safe, step.OldPrograms = !has && !t.lacks(i.columns), goOn+", but fail to store periods that overlap"
	t.differ.indexes = append(t.differ.indexes, step)
	return err
}
