package sqlstore

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
)

// differ collects the differences between tables and their structs, as the steps of a plan.
type differ struct {
	db       *DB
	use      use
	online   onliner             // nil if the database has none
	trigrams string              // the operator class of indexes of trigrams; "" if it is missing or unknown
	lists    map[string][]string // tables that may be those of lists, by the table of the records
	steps    [contracts + 1][]Step
}

// use is what differences are for.
type use int

const (
	toCheck  use = iota // whether programs can use the tables; only the catalog is read
	toAdvise            // also what makes them slow
	toPlan              // how to change them; rows are read, because they may need other steps
)

// These are the kinds of steps, in the order in which they run.
const (
	newTables = iota
	newLists  // they reference two tables
	newColumns
	fills
	changedKeys // a column whose key sets it to null cannot become NOT NULL
	notNull
	newIndexes
	newKeys
	oldKeys // they need indexes and columns
	oldIndexes
	contracts
)

func newDiffer(db *DB, to use) *differ {
	return &differ{db: db, use: to, online: as[onliner](db.dialect)}
}

// all returns the steps in their order.
func (d *differ) all() []Step { return slices.Concat(d.steps[:]...) }

func (d *differ) add(kind int, s Step) {
	s.OldProgramsWork = strings.HasPrefix(s.OldPrograms, goOn)
	d.steps[kind] = append(d.steps[kind], s)
}

// finds reports whether a query finds a row. Only a plan reads rows.
func (d *differ) finds(ctx context.Context, statement string) (bool, error) {
	if d.use != toPlan {
		return false, nil
	}
	return d.db.first(ctx, d.db, statement, nil)
}

// lock describes a lock: its mode in databases with modes, and how long it lasts.
func (d *differ) lock(mode, table, duration string) string {
	switch {
	case d.online != nil:
		return mode + " on " + table + ", " + duration
	case d.db.dialect.facts.RowLocks:
		return table + ", " + duration
	}
	duration, _, _ = strings.Cut(duration, ";")
	return "the database, " + duration
}

// moment describes the lock of a change that only the catalog knows.
func (t *actualTable) moment() string { return t.lock("ACCESS EXCLUSIVE", t.name, "for a moment") }

// reading describes the lock of a change that reads the table.
func (t *actualTable) reading() string {
	return t.lock("SHARE UPDATE EXCLUSIVE", t.name, "while it reads the table; it blocks no writers")
}

// These are what old programs can do.
const (
	goOn       = "they go on working"
	getDefault = goOn + ": rows that they insert get the default"
)

// safe returns a step that Migrate runs while old programs go on working.
func safe(purpose, lock string, statements ...string) Step {
	return Step{Phase: expand, Safe: true, Purpose: purpose, SQL: statements, Lock: lock, OldPrograms: goOn}
}

// differences compares tables with their structs. A plan leaves out tables of other programs.
func (db *DB) differences(ctx context.Context, to use, plans ...*plan) ([]Step, error) {
	d := newDiffer(db, to)
	var err error
	if to != toCheck {
		d.trigrams, _, err = db.findTrigrams(ctx, plans)
	}
	if err == nil && to == toPlan && db.dialect.facts.Lists != "" {
		err = d.findLists(ctx)
	}
	for _, p := range plans {
		if err == nil && (to != toPlan || !p.existing) {
			err = d.compareTable(ctx, p)
		}
	}
	return d.all(), err
}

// compareTable adds the steps of a table and of those of its lists.
func (d *differ) compareTable(ctx context.Context, p *plan) error {
	keyNames, isThere := map[string]string{}, false
	for _, list := range append([]*column{nil}, p.lists...) {
		t, err := d.describe(ctx, p, list)
		switch {
		case err != nil:
		case len(t.columns) > 0:
			isThere = true
			err = t.compare(ctx, keyNames)
		case p.existing:
			return fmt.Errorf("sqlstore: the table %s does not exist: sqlstore.Existing is for a table that Trove did not create; "+
				"set its name with sqlstore.Named, or leave Existing out", p.name)
		default:
			t.create(list == nil || isThere)
		}
		if err != nil {
			return err
		}
	}
	p.keyNames.Store(&keyNames)
	return d.dropLists(ctx, p)
}

// create adds the steps of a missing table. It is a problem, unless it is that of a list and the table of the records is
// missing too.
func (t *actualTable) create(isProblem bool) {
	p, of := t.plan, ""
	statements := append(p.ddl(), p.searchStatements(t.trigrams)...)
	if t.list != nil {
		statements, of = t.list.list.ddl(p, t.list), " of "+t.list.path.Name+" in "+p.name
	}
	step := safe("Create the table "+t.name+" with its indexes.", "referenced tables, for a moment", texts(statements)...)
	if locks := p.facts.LockRows; locks != "" && t.name == responsesTable { // which each database has
		step.SQL = slices.Insert(step.SQL, 0, locks)
	}
	if isProblem {
		step.problem = "the table " + t.name + of + " does not exist: create it with db.Create, or with a migration from sqlstore.DDL"
	}
	if t.list != nil {
		t.add(newLists, step)
		return
	}
	if t.add(newTables, step); p.facts.TargetsFirst {
		for _, late := range p.lateKeys() {
			t.add(newKeys, safe("Add a foreign key of the new table "+p.name+".", "both tables, for a moment", late.text))
		}
	}
}

// compare adds the steps of the differences of a table that exists.
func (t *actualTable) compare(ctx context.Context, keyNames map[string]string) error {
	if t.list != nil || t.use == toPlan { // programs that only read need no other columns
		t.compareOthers()
	}
	if err := t.compareColumns(ctx); err != nil {
		return err
	}
	if err := t.compareIndexes(ctx); err != nil {
		return err
	}
	if err := t.compareSearches(ctx); err != nil {
		return err
	}
	return t.compareKeys(ctx, keyNames)
}

// undecided adds the step of a difference for which there are no statements.
func (t *actualTable) undecided(format string, args ...any) {
	step := Step{Phase: expand, OldPrograms: "unknown"}
	t.problem(&step, format, args...)
	step.Purpose = strings.ToUpper(step.problem[:1]) + step.problem[1:] + "."
	t.add(newIndexes, step)
}

// compareColumns adds the steps of the differences of columns.
func (t *actualTable) compareColumns(ctx context.Context) error {
	for _, c := range t.written {
		compare := t.compareColumn
		if c.shadow && t.unreadable[t.plan.source(c)] { // a later plan has its steps
			t.lacking[c] = true
			continue
		}
		if !t.has(c) {
			compare = t.addColumn
		}
		if err := compare(ctx, c); err != nil {
			return err
		}
	}
	t.dropChecks()
	return nil
}

// hasRows reports whether the table has rows. Unless it is known, it may have some.
func (t *actualTable) hasRows(ctx context.Context) (bool, error) {
	has, err := t.finds(ctx, "SELECT 1 FROM "+t.quoted+" LIMIT 1")
	return has || t.use != toPlan, err
}

// addColumn adds the steps of a missing column.
func (t *actualTable) addColumn(ctx context.Context, c *column) error {
	p := t.plan
	add := "ALTER TABLE " + t.quoted + " ADD COLUMN " + c.quoted + " " + p.typeOf(c)
	step := safe("Add the column "+c.name+" to "+t.name+".", t.moment(), add)
	value, hasDefault := p.defaultOf(c)
	switch {
	case c.shadow, c.nullable:
	case hasDefault:
		step.SQL[0] += " NOT NULL DEFAULT " + value
		step.OldPrograms = getDefault
		if p.rejectsZero(c.field) {
			step.Purpose += " Rows without a value get " + value + ", which the rules of " + c.path.Name + " reject: give them values, or the field a default."
		}
	default:
		has, err := t.hasRows(ctx)
		if err != nil {
			return err
		}
		if step.SQL[0] += " NOT NULL"; has {
			step.SQL = []string{add, "UPDATE " + t.quoted + " SET " + c.quoted + " = …", t.alterNull(c, false)}
			step.Safe, t.lacking[c], t.unreadable[c] = false, true, true
			step.Purpose = "Add the column " + c.name + " to " + t.name + ", fill it in all rows, and make it NOT NULL: no default fits " + c.path.Name + "."
		}
		step.OldPrograms = "their inserts fail: they do not set the column"
	}
	if links := p.linksOf([]*column{c}); !p.dialect.facts.TargetsFirst && len(links) == 1 && len(links[0].from) == 1 {
		link := links[0]
		step.SQL[0] += " CONSTRAINT " + p.dialect.Quote(p.indexName(c, "fkey")) + " REFERENCES " + link.target.quoted +
			" (" + list(link.target.ids) + ")" + actions[link.onDelete]
	}
	if c.shadow && !c.nullable && hasDefault { // for rows that old programs insert; existing ones are null
		if step.SQL = append(step.SQL, t.setDefault(c.quoted, value)); !p.facts.RowLocks {
			step.SQL = []string{add + " DEFAULT " + value, "UPDATE " + t.quoted + " SET " + c.quoted + " = NULL"}
		}
		step.OldPrograms = getDefault
	}
	lacks := fmt.Sprintf("has no column %s %s for %s", c.name, p.typeOf(c), c.path.Name)
	if !c.shadow {
		t.problem(&step, "%s%s", lacks, naming.DidYouMean(c.name, slices.Sorted(maps.Keys(t.columns))))
		t.add(newColumns, step)
		return nil
	}
	step.problem = "the table " + t.name + " " + lacks + ": call db.Migrate, which computes it"
	t.add(newColumns, step)
	t.add(fills, (&fill{p, c}).step())
	if !c.nullable {
		t.setNotNull(c)
	}
	return nil
}

// alterNull returns a statement that makes a column nullable, or NOT NULL.
func (t *actualTable) alterNull(c *column, nullable bool) string {
	return t.plan.dialect.AlterNull(t.quoted, c.quoted, t.plan.typeOf(c), nullable)
}

// compareColumn adds the steps of the differences of a column that exists.
func (t *actualTable) compareColumn(ctx context.Context, c *column) error {
	p, found := t.plan, t.columns[c.name]
	if !p.existing && !p.isType(c, found.typ) {
		t.changeType(c, found.typ)
	}
	stale := false
	var err error
	if c.shadow && !found.required && t.has(p.source(c)) {
		f := &fill{p, c}
		if stale, err = t.finds(ctx, "SELECT 1 FROM "+t.quoted+" WHERE "+f.stale()+" LIMIT 1"); stale {
			t.add(fills, f.step())
		}
	}
	switch {
	case err != nil || p.isID(c) || found.nullable == c.nullable:
		return err
	case c.nullable:
		step := safe("Let the column "+c.name+" of "+t.name+" be null.", t.moment(), t.alterNull(c, true))
		step.Safe, step.OldPrograms = !t.lacking[c], goOn+" until a new one stores null, which they cannot read"
		t.problem(&step, "has the column %s, which is NOT NULL, but %s can be null", c.name, c.path.Name)
		t.add(newColumns, step)
		return nil
	case !stale:
		if stale, err = t.finds(ctx, "SELECT 1 FROM "+t.quoted+" WHERE "+c.quoted+" IS NULL LIMIT 1"); err != nil {
			return err
		}
		if stale {
			step := safe("Replace null in the column "+c.name+" of "+t.name+" by a value, and make it NOT NULL; or make "+c.path.Name+" a pointer.",
				"all rows with null", "UPDATE "+t.quoted+" SET "+c.quoted+" = … WHERE "+c.quoted+" IS NULL", t.alterNull(c, false))
			step.Safe, step.OldPrograms, t.unreadable[c] = false, "they fail to store null", true
			t.add(notNull, step)
			return nil
		}
	}
	t.setNotNull(c)
	return nil
}

// changeType adds the step of a column that has another type. Steps that need the column are for a person then, too.
func (t *actualTable) changeType(c *column, found string) {
	p, want := t.plan, t.plan.typeOf(c)
	step := Step{
		Phase: expand, Purpose: fmt.Sprintf("Change the type of %s in %s from %s to %s.", c.name, t.name, found, want),
		Lock: t.lock("ACCESS EXCLUSIVE", t.name, "while it writes all rows again"), OldPrograms: "they may fail to read or write the column",
	}
	switch t.lacking[c] = true; {
	case !p.facts.RowLocks:
		step.Purpose += copyRows
	case p.facts.KeyLength == 0:
		change := " ALTER COLUMN " + c.quoted + " TYPE " + want + " USING " + c.quoted + "::text::" + want // few types have another cast
		if !p.isID(c) {
			change = " ALTER COLUMN " + c.quoted + " DROP DEFAULT," + change // of the type before
		}
		step.SQL = []string{"ALTER TABLE " + t.quoted + change}
	default:
		for _, name := range slices.Sorted(maps.Keys(t.indexes)) { // of whole values, which are too long now
			if t.use == toPlan && want == p.facts.Text && slices.Contains(strings.Split(t.indexes[name].columns, ", "), c.name) {
				step.SQL = append(step.SQL, t.drop(name))
				delete(t.indexes, name)
			}
		}
		step.SQL = append(step.SQL, p.dialect.AlterNull(t.quoted, c.quoted, want, c.nullable))
	}
	if !p.serves(c, found) {
		t.unreadable[c] = true
		t.problem(&step, "has the column %s with type %s; %s needs %s", c.name, found, c.path.Name, want)
	}
	t.add(newColumns, step)
}

// notNullCheck returns the name of the check with which a column becomes NOT NULL.
func (p *plan) notNullCheck(c *column) string { return p.indexName(c, "not_null_check") }

// setNotNull adds the step of a column without nulls that becomes NOT NULL. A check that the database validates while others
// write saves it from reading the table under a lock.
func (t *actualTable) setNotNull(c *column) {
	p := t.plan
	value, has := p.defaultOf(c)
	has = has && c.shadow // of the zero value, for rows of old programs
	step := safe("Make the column "+c.name+" of "+t.name+" NOT NULL.", t.reading(), t.alterNull(c, false))
	setsNull := slices.ContainsFunc(t.keysOf(c.name), func(k actualKey) bool { return k.action == string(model.SetNull) })
	step.Safe, step.filled, step.OldPrograms = !t.lacking[c] && !setsNull, c.shadow, "they fail to store null"
	switch source := t.columns[p.source(c).name]; {
	case t.has(c) && (source.nullable || len(c.path.Fields) > 1): // old programs may store null in it
	case c.shadow && !has:
		step.OldPrograms = "their inserts fail: they do not set the column"
	case has:
		step.OldPrograms = getDefault
	}
	switch {
	case t.online != nil:
		alter, check := "ALTER TABLE "+t.quoted+" ", p.dialect.Quote(p.notNullCheck(c))
		first := alter + "DROP CONSTRAINT IF EXISTS " + check + ", ADD CONSTRAINT " + check + " CHECK (" + c.quoted + " IS NOT NULL) NOT VALID"
		if has {
			first += ", ALTER COLUMN " + c.quoted + " SET DEFAULT " + value
		}
		step.Outside = true
		step.SQL = []string{first, alter + "VALIDATE CONSTRAINT " + check, step.SQL[0], alter + "DROP CONSTRAINT IF EXISTS " + check}
	case has && p.facts.KeyLength > 0: // MODIFY would remove the default
		step.SQL[0] += " DEFAULT (" + value + ")"
	}
	switch {
	case !t.has(c): // a problem already
	case c.shadow:
		step.problem = fmt.Sprintf("the table %s has the column %s, which is not filled yet: call db.Migrate, which computes it from %s", t.name, c.name, c.path.Name)
	default:
		t.problem(&step, "has the nullable column %s, but %s is not a pointer: make the field a pointer, or the column NOT NULL", c.name, c.path.Name)
	}
	t.add(notNull, step)
}

// dropChecks adds a step for each check that an interrupted step has left.
func (t *actualTable) dropChecks() {
	for _, c := range t.written {
		name := t.plan.notNullCheck(c)
		if _, is := t.leftovers[name]; is && (c.nullable || !t.columns[c.name].nullable) {
			t.add(notNull, safe("Drop the check "+name+" of an earlier migration.", t.moment(),
				"ALTER TABLE "+t.quoted+" DROP CONSTRAINT IF EXISTS "+t.plan.dialect.Quote(name)))
		}
	}
}

// compareOthers adds the steps of the columns that the store does not write. A required one is a problem.
func (t *actualTable) compareOthers() {
	p := t.plan
	for _, name := range slices.Sorted(maps.Keys(t.columns)) {
		isOurs := slices.ContainsFunc(t.written, func(c *column) bool { return strings.EqualFold(c.name, name) }) ||
			slices.ContainsFunc(p.indexes(), func(i index) bool { return i.flag() == name })
		if isOurs {
			continue
		}
		if t.columns[name].required {
			t.release(name)
		}
		drop := Step{
			Phase: contract, Purpose: "Drop the column " + name + " of " + t.name + " if no program uses it: " + p.typName + " has no field for it.",
			SQL: []string{"ALTER TABLE " + t.quoted + " DROP COLUMN " + p.dialect.Quote(name)}, Lock: t.moment(), OldPrograms: "those that use the column fail",
		}
		if own := as[wordTabler](p.dialect); own != nil && strings.HasSuffix(name, shadowSeparator+"words") {
			drop.SQL = append(own.DropWordTables(p.name), drop.SQL...)
		}
		if len(t.keysOf(name)) > 0 {
			drop = t.copied(drop)
		}
		t.add(contracts, drop)
	}
}

// release adds the step after which inserts need not set a column that the store does not write.
func (t *actualTable) release(name string) {
	p, quoted, typ := t.plan, t.plan.dialect.Quote(name), t.columns[name].typ
	isUnique := false // so the default of a second row would be a duplicate
	for index, each := range t.indexes {
		isUnique = isUnique || strings.HasSuffix(index, "_key") && slices.Contains(strings.Split(each.columns, ", "), name)
	}
	because := ", because " + p.typName + " does not use it and every insert would fail."
	step := safe("Let the column "+name+" of "+t.name+" be null"+because, t.moment(), p.dialect.AlterNull(t.quoted, quoted, typ, true))
	if value := zeroOf(typ); p.facts.RowLocks && value != "" && !isUnique {
		step.SQL = []string{t.setDefault(quoted, value)}
		step.Purpose = "Give the column " + name + " of " + t.name + " a default" + because
	} else if !strings.Contains(name, shadowSeparator) { // old programs search in others, but do not read them
		step.OldPrograms = "they cannot read rows that new programs insert"
	}
	t.problem(&step, "has the column %s, which is NOT NULL without a default and which %s does not use, so every insert would fail: "+
		"drop the column; or %s", name, p.typName, t.remedy(&step))
	t.add(newColumns, step)
}

// setDefault returns a statement that sets the default of a column. MySQL needs the parentheses for a long string.
func (t *actualTable) setDefault(column, value string) string {
	return "ALTER TABLE " + t.quoted + " ALTER COLUMN " + column + " SET DEFAULT (" + value + ")"
}

// zeroOf returns the zero value of a type of PostgreSQL or MariaDB, "" for an unknown one.
func zeroOf(typ string) string {
	if strings.HasPrefix(typ, "timestamp") && !strings.HasSuffix(typ, "time zone") { // of MariaDB: it begins in 1970
		return "CURRENT_TIMESTAMP"
	}
	typ = strings.Replace(typ, "longtext COLLATE utf8mb4_bin", "json", 1) // as MariaDB stores it
	typ, _, _ = strings.Cut(typ, "(")
	typ, _, _ = strings.Cut(typ, " ")
	for zero, types := range map[string][]string{
		"''":                     {"text", "character", "bytea", "tsvector", "longtext", "varchar", "longblob", "varbinary"},
		"'null'":                 {"json"},
		"0":                      {"bigint", "integer", "smallint", "tinyint", "double", "real", "numeric", "decimal"},
		"FALSE":                  {"boolean"},
		"'0001-01-01 00:00:00Z'": {"timestamp"},
		"'0001-01-01'":           {"date", "datetime"},
	} {
		if slices.Contains(types, typ) {
			return zero
		}
	}
	return ""
}

// serves reports whether a column works although an index that was added or removed needs another type of strings.
func (p *plan) serves(c *column, found string) bool {
	return c.typ == text && (strings.EqualFold(found, p.facts.Text) || strings.EqualFold(found, p.keyText(c)))
}

// isType reports whether a column has the type that a plan needs.
func (p *plan) isType(c *column, found string) bool {
	want := p.typeOf(c)
	before, rest, _ := strings.Cut(found, "(") // the size of a type
	_, after, _ := strings.Cut(rest, ")")
	return p.dialect.IsType(found, want) || p.dialect.IsType(before+after, want)
}
