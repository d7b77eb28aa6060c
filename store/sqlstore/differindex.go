package sqlstore

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/trove-api/trove/store"
)

// compareIndexes adds the steps of the indexes of a table, and records the names of unique ones.
func (t *actualTable) compareIndexes(ctx context.Context) error {
	p, needed, wanted := t.plan, map[string]bool{}, t.plan.indexes()
	if t.list != nil {
		wanted = []index{t.list.list.index()}
	} else {
		t.nameUnique()
		t.compareIdentifier()
	}
	for _, i := range p.searchIndexes(t.trigrams) {
		needed[i.name] = true
	}
	for _, i := range wanted {
		needed[i.name] = true
		found, is := t.indexes[i.name]
		isPlain := !i.unique && i.excludes == ""
		if i.unique && i.where != "" && !i.declared {
			t.dropUnique(together(i.columns))
		}
		switch {
		case i.unique && i.where == "" && t.isUnique(i.columns):
		case is && i.unique && i.where == "" && !i.declared:
			t.undecided("has no unique index on %s alone, but %s is unique", i.columns[0].name, i.columns[0].path.Name)
		case is && (!isPlain || found.ordered == i.ordered(p.dialect)):
		case p.existing && isPlain && (is || !i.declared):
		case is:
			t.replaceIndex(i)
		default:
			if err := t.addIndex(ctx, i); err != nil {
				return err
			}
		}
	}
	t.dropIndexes(needed)
	return nil
}

// compareIdentifier reports a table whose identifier is not its primary key.
func (t *actualTable) compareIdentifier() {
	if p := t.plan; (p.key.IsComposite() || p.ids[0].unique) && !t.isUnique(p.ids) {
		t.undecided("has no primary key %s, but that is the identifier of %s: make it the primary key", list(p.ids), p.typName)
	}
}

// nameUnique records the names of unique indexes, which other programs may have created.
func (t *actualTable) nameUnique() {
	p, declared := t.plan, t.plan.brokenByName()
	names := maps.Clone(declared)
	for name, each := range t.indexes {
		if !each.unique {
			continue
		}
		if found := declared[each.columns]; found != nil {
			names[name] = found
		} else if i := slices.IndexFunc(p.columns, func(c *column) bool { return c.name == each.columns }); i >= 0 {
			broken := store.UniqueError{Field: p.columns[i].field.Name}
			names[name], names[each.columns] = broken, broken
		}
	}
	p.broken.Store(&names)
}

// dropIndexes adds the steps of the indexes that have names of Trove and that nothing needs.
func (t *actualTable) dropIndexes(needed map[string]bool) {
	p := t.plan
	for _, name := range slices.Sorted(maps.Keys(t.indexes)) {
		found := t.indexes[name]
		isOurs := strings.HasPrefix(name, base(t.name)+"_") && slices.ContainsFunc([]string{"_idx", "_key", "_excl", "_trash"}, func(end string) bool {
			return strings.HasSuffix(name, end)
		})
		isDeclared := found.unique && p.brokenByName()[found.columns] != nil
		if isOurs && !needed[name] && !isDeclared {
			t.add(oldIndexes, Step{
				Phase: contract, Purpose: "Drop the index " + name + " of " + t.name + ", which " + p.typName + " does not need.",
				SQL: []string{t.drop(name)}, Lock: t.reading(), Outside: t.online != nil, OldPrograms: "queries of those that use the index are slow",
			})
		}
	}
}

// dropUnique adds the steps of the unique indexes for all rows, of a field that is unique among living records.
func (t *actualTable) dropUnique(columns string) {
	for _, name := range slices.Sorted(maps.Keys(t.indexes)) {
		if found := t.indexes[name]; !found.unique || found.columns != columns {
			continue
		}
		step := Step{
			Phase: expand, Purpose: "Drop the unique index " + name + " of " + t.name + ", which counts deleted records.", Lock: t.moment(), OldPrograms: goOn,
		}
		t.problem(&step, "has a unique index on %s for all rows, which counts deleted records: drop it", columns)
		if step.SQL = []string{t.drop(name)}; strings.HasPrefix(name, "sqlite_") { // that of a constraint
			step = t.copied(step)
		}
		t.add(newIndexes, step)
	}
}

// index returns the quoted name of an index of the table, with its schema.
func (t *actualTable) index(name string) string {
	if schema, _, is := strings.Cut(t.name, "."); is {
		name = schema + "." + name
	}
	return t.plan.dialect.table(name)
}

// drop returns the statement that drops an index, if it exists, or its constraint.
func (t *actualTable) drop(name string) string {
	if _, isConstraint := t.leftovers[name]; isConstraint {
		return t.dropConstraint(name)
	}
	statement := t.plan.dialect.DropIndex(t.quoted, t.index(name))
	if t.online != nil {
		return t.online.Concurrently(statement)
	}
	return statement
}

// hasDuplicates reports whether two rows have equal values in a unique index that does not exist.
func (t *actualTable) hasDuplicates(ctx context.Context, i index) (bool, error) {
	isNew := func(c *column) bool { return !t.has(c) || t.lacking[c] }
	if !i.unique || slices.ContainsFunc(slices.Concat(i.columns, i.limited), isNew) {
		return false, nil // after the columns are there with their types, it is checked again
	}
	var conditions []string
	for _, c := range i.columns {
		conditions = append(conditions, c.quoted+" IS NOT NULL")
	}
	if i.where != "" {
		conditions = append(conditions, i.where)
	}
	return t.finds(ctx, "SELECT 1 FROM "+t.quoted+" WHERE "+and(conditions...)+" GROUP BY "+list(i.columns)+" HAVING COUNT(*) > 1 LIMIT 1")
}

// addIndex adds the step of a missing index or exclusion constraint.
func (t *actualTable) addIndex(ctx context.Context, i index) error {
	var step Step
	d, isPossible := i.create(t.plan, t.name), !t.lacks(i.columns)
	if i.excludes != "" { // no database adds it while others write
		has, err := t.hasRows(ctx)
		if err != nil {
			return err
		}
		step = safe("Add the exclusion constraint "+i.name+" of "+t.name+", which fails if periods overlap.",
			t.lock("ACCESS EXCLUSIVE", t.name, "while it reads the table: all others wait"), d.text)
		step.Safe, step.OldPrograms = !has && isPossible, goOn+", but fail to store periods that overlap"
	} else {
		isDuplicate, err := t.hasDuplicates(ctx, i)
		if err != nil {
			return err
		}
		step = t.createIndex(d, isPossible, isDuplicate)
	}
	first := i.columns[0]
	switch {
	case i.declared:
		t.problem(&step, "lacks %s, which keeps a constraint of %s: %s", i.name, t.plan.typName, t.remedy(&step))
	case !i.unique:
		step.optional = true
		t.problem(&step, "lacks the index %s", i.name)
	case i.where != "":
		t.problem(&step, "lacks %s, which keeps %s unique among living records", i.name, first.path.Name)
	default:
		t.problem(&step, "has no unique index on %s alone, but %s is unique", first.name, first.path.Name)
	}
	t.add(newIndexes, step)
	return nil
}

// createIndex returns the step of a missing index.
func (t *actualTable) createIndex(d definition, isPossible, isDuplicate bool) Step {
	step := safe("Create the index "+d.index+" of "+t.name+".", t.reading(), d.text)
	step.Safe, step.undo = isPossible && !isDuplicate, t.drop(d.index)
	if t.online != nil { // an interrupted statement leaves an invalid index
		step.Outside = true
		step.SQL = []string{t.drop(d.index), t.online.Concurrently(strings.Replace(d.text, "IF NOT EXISTS ", "", 1))}
	}
	if t.taken[d.index] { // DROP INDEX would drop that one
		step.Safe, step.SQL, step.undo = false, step.SQL[1:], ""
		step.Purpose = "Another table has an index with the name " + d.index + ". Rename it, and create the index of " + t.name + "."
	}
	if isDuplicate {
		step.Purpose = "Rows of " + t.name + " have equal values. Change or delete them, and create the unique index " + d.index + "."
		step.OldPrograms = "they fail to store equal values"
	}
	return step
}

// replaceIndex adds the step of an index that has other columns than before.
func (t *actualTable) replaceIndex(i index) {
	p := t.plan
	step := safe("Replace the index "+i.name+" of "+t.name+" by one with the columns "+i.ordered(p.dialect)+".", t.reading(),
		t.drop(i.name), i.create(p, t.name).text)
	if _, columns, _ := strings.Cut(step.SQL[1], " ON "+t.quoted+" "); p.facts.NoPartialIndexes { // a foreign key may need the index
		step.SQL = []string{"ALTER TABLE " + t.quoted + " DROP INDEX " + p.dialect.Quote(i.name) + ", ADD INDEX " + p.dialect.Quote(i.name) + " " + columns}
	}
	if step.Safe = !t.lacks(i.columns); t.online != nil { // the old one serves queries until the new one is complete
		created := i
		created.name = shortened(i.name + "_new")
		step.Outside = true
		step.SQL = []string{
			t.drop(created.name), t.online.Concurrently(strings.Replace(created.create(p, t.name).text, "IF NOT EXISTS ", "", 1)),
			p.dialect.DropIndex(t.quoted, t.index(i.name)) + "; ALTER INDEX " + t.index(created.name) + " RENAME TO " + p.dialect.Quote(i.name),
		}
	}
	step.optional = true
	t.problem(&step, "has the index %s with other columns than %s", i.name, i.ordered(p.dialect))
	t.add(newIndexes, step)
}
