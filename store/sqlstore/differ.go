package sqlstore

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
)

// differ collects the steps of a plan, by what they are about.
type differ struct {
	db       *DB
	online   onliner // nil if the database has none
	extends  bool    // the plan may create the extension for trigrams
	trigrams string  // the operator class of indexes of trigrams; "" for no such indexes

	tables, columns, fills, nulls, indexes, keys, contracts []Step
}

// existing is an existing table that is compared with its plan.
type existing struct {
	*differ

	plan      *plan
	columns   map[string]actual
	indexes   map[string]actualIndex
	keys      map[string]actualKey
	leftovers map[string]bool  // constraints of an interrupted change; true for foreign keys
	lacking   map[*column]bool // columns that a person must add
}

// lacks reports whether a person must add one of the columns first.
func (t *existing) lacks(columns []*column) bool {
	return slices.ContainsFunc(columns, func(c *column) bool { return t.lacking[c] })
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
func (d *differ) moment(table string) string {
	return d.lock("ACCESS EXCLUSIVE", table, "for a moment")
}

// reading describes the lock of a change that reads a table.
func (d *differ) reading(table string) string {
	return d.lock("SHARE UPDATE EXCLUSIVE", table, "while it reads the table; it blocks no writers")
}

// These are what old programs can do.
const (
	goOn       = "they go on working"
	getDefault = goOn + ": rows that they insert get the default"
)

// safe returns a step that Migrate runs while old programs go on working.
func safe(purpose, lock string, statements ...string) Step {
	return Step{Phase: expand, Safe: true, Purpose: purpose, SQL: statements, Lock: lock, OldProgramsWork: true, OldPrograms: goOn}
}

// compare compares all tables.
func (d *differ) compare(ctx context.Context, plans []*plan) error {
	*d = differ{db: d.db, online: d.online, extends: d.extends}
	if err := d.extend(ctx, plans); err != nil {
		return err
	}
	for _, p := range plans {
		if p.existing {
			continue
		}
		before := d.count()
		if err := d.compareTable(ctx, p); err != nil {
			return err
		}
		if before != d.count() {
			continue
		}
		if err := p.compare(ctx); err != nil {
			d.tables = append(d.tables, Step{Phase: expand, Purpose: err.Error(), OldPrograms: "unknown"})
		}
	}
	d.addRanges()
	return nil
}

// compareTable adds the steps of a table and of those of its lists.
func (d *differ) compareTable(ctx context.Context, p *plan) error {
	t, err := d.existing(ctx, p, p.name)
	if err != nil {
		return err
	}
	if len(t.columns) > 0 {
		err = t.compare(ctx)
	} else if d.addTable(p.name, append(p.ddl(), p.searchStatements(d.trigrams)...)); p.dialect.facts.TargetsFirst {
		for _, late := range p.lateKeys() {
			d.keys = append(d.keys, safe("Add a foreign key of the new table "+p.name+".", "both tables, for a moment", late.text))
		}
	}
	for _, c := range p.lists {
		if err == nil {
			err = t.compareList(ctx, c)
		}
	}
	return err
}

func (d *differ) count() int {
	return len(d.tables) + len(d.columns) + len(d.fills) + len(d.nulls) + len(d.indexes) + len(d.keys)
}

// existing describes an existing table.
func (d *differ) existing(ctx context.Context, p *plan, name string) (t *existing, err error) {
	t = &existing{differ: d, plan: p, leftovers: map[string]bool{}, lacking: map[*column]bool{}}
	if t.columns, err = describe(ctx, d.db, d.db, name); err != nil || len(t.columns) == 0 {
		return t, err
	}
	if t.indexes, err = indexesOf(ctx, d.db, d.db, name); err != nil {
		return t, err
	}
	if t.keys, err = foreignKeysOf(ctx, d.db, name); err != nil || d.online == nil {
		return t, err
	}
	return t, d.db.each(ctx, d.db, d.online.Leftovers(), []any{name}, func(rows Rows) error {
		var name string
		var isKey int
		err := rows.Scan(&name, &isKey)
		t.leftovers[name] = isKey != 0
		return err
	})
}

// addRanges lets each step of an exclusion constraint create the range types first.
func (d *differ) addRanges() {
	own := d.db.dialect.excludes()
	if own == nil {
		return
	}
	for _, steps := range [][]Step{d.tables, d.indexes} {
		for i := range steps {
			if slices.ContainsFunc(steps[i].SQL, func(text string) bool { return strings.Contains(text, " EXCLUDE USING ") }) {
				steps[i].SQL = slices.Insert(steps[i].SQL, 0, own.RangeTypes())
			}
		}
	}
}

// addTable adds the step of a missing table.
func (d *differ) addTable(name string, statements []definition) {
	step := safe("Create the table "+name+" with its indexes.", "referenced tables, for a moment")
	if locks := d.db.dialect.facts.LockRows; locks != "" && name == responsesTable { // which each database has
		step.SQL = append(step.SQL, locks)
	}
	for _, each := range statements {
		step.SQL = append(step.SQL, each.text)
	}
	d.tables = append(d.tables, step)
}

// compare adds the steps of the differences of a table that exists.
func (t *existing) compare(ctx context.Context) error {
	p := t.plan
	for _, c := range p.own {
		if err := t.compareColumn(ctx, c); err != nil {
			return err
		}
	}
	t.dropChecks()
	t.compareOthers()
	if err := t.compareIndexes(ctx); err != nil {
		return err
	}
	if err := t.compareSearches(ctx); err != nil {
		return err
	}
	for _, link := range p.linksOf(p.own) {
		if err := t.compareKey(ctx, keyOf{p.name, p.indexName(link.column, "fkey"), p.constraint(link), link.from, link.target, string(link.onDelete)}); err != nil {
			return err
		}
	}
	return nil
}

// hasRows reports whether the table has rows.
func (t *existing) hasRows(ctx context.Context) (bool, error) {
	return t.db.first(ctx, t.db, "SELECT 1 FROM "+t.plan.quoted+" LIMIT 1", nil)
}

// addColumn adds the steps of a missing column.
func (t *existing) addColumn(ctx context.Context, c *column) error {
	p := t.plan
	add := "ALTER TABLE " + p.quoted + " ADD COLUMN " + c.quoted + " " + p.typeOf(c)
	step := safe("Add the column "+c.name+" to "+p.name+".", t.moment(p.name), add)
	value, hasDefault := p.defaultOf(c)
	switch {
	case c.shadow, c.nullable:
	case hasDefault:
		step.SQL[0] += " NOT NULL DEFAULT " + value
		step.OldPrograms = getDefault
	default:
		has, err := t.hasRows(ctx)
		if err != nil {
			return err
		}
		if step.SQL[0] += " NOT NULL"; has {
			step.SQL = []string{add, p.dialect.AlterNull(p.quoted, c.quoted, p.typeOf(c), false)}
			step.Safe, t.lacking[c] = false, true
			step.Purpose = "Add the column " + c.name + " to " + p.name + ", fill it in all rows, and make it NOT NULL: no default fits " + c.path.Name + "."
		}
		step.OldProgramsWork, step.OldPrograms = false, "their inserts fail: they do not set the column"
	}
	if links := p.linksOf([]*column{c}); !p.dialect.facts.TargetsFirst && len(links) == 1 && len(links[0].from) == 1 {
		link := links[0]
		step.SQL[0] += " CONSTRAINT " + p.dialect.Quote(p.indexName(c, "fkey")) + " REFERENCES " + link.target.quoted +
			" (" + list(link.target.ids) + ")" + actions[link.onDelete]
	}
	if c.shadow && !c.nullable && hasDefault { // for rows that old programs insert; existing ones are null
		if step.SQL = append(step.SQL, t.setDefault(c.quoted, value)); !p.facts.RowLocks {
			step.SQL = []string{add + " DEFAULT " + value, "UPDATE " + p.quoted + " SET " + c.quoted + " = NULL"}
		}
		step.OldPrograms = getDefault
	}
	if t.columnsAdd(step); c.shadow {
		t.fills = append(t.fills, (&fill{p, c}).step())
		if !c.nullable {
			t.setNotNull(c)
		}
	}
	return nil
}

func (t *existing) columnsAdd(s Step) { t.differ.columns = append(t.differ.columns, s) }

// defaultOf returns the value that a new column has in existing rows: that of the tag default, or zero. References and
// values that must be unique have none.
func (p *plan) defaultOf(c *column) (value string, has bool) {
	if c.unique || p.isID(c) || c.field.Reference != nil || c.parts != nil {
		return "", false
	}
	record := reflect.New(p.typ)
	p.record.Stamp(record.Interface(), nil)
	v := record.Elem()
	if field := c.path.Fields[0]; len(c.path.Fields) == 1 && field.Default != nil {
		if err := json.Unmarshal(field.Default, field.Value(v).Addr().Interface()); err != nil {
			return "", false
		}
	}
	stored, err := c.valueIn(v)
	if err == nil {
		value, err = literal(stored, p.facts.TimeLayout)
	}
	return value, err == nil
}

// compareColumn adds the steps of the differences of a column.
func (t *existing) compareColumn(ctx context.Context, c *column) error {
	p := t.plan
	found, is := t.columns[c.name]
	if !is {
		return t.addColumn(ctx, c)
	}
	if !p.isType(c, found.typ) {
		t.changeType(c, found.typ)
	}
	stale := false
	var err error
	if c.shadow && (found.nullable || !found.required) {
		f := &fill{p, c}
		_, isIndexed := t.indexes[p.indexName(c, "idx")]
		if stale = c.nullable && (c.indexed || c.sorted) && !isIndexed; !stale {
			stale, err = f.hasStale(ctx, t.db)
		}
		if stale {
			t.fills = append(t.fills, f.step())
		}
	}
	switch {
	case err != nil || p.isID(c) || found.nullable == c.nullable:
		return err
	case c.nullable:
		step := safe("Let the column "+c.name+" of "+p.name+" be null.", t.moment(p.name), p.dialect.AlterNull(p.quoted, c.quoted, p.typeOf(c), true))
		step.Safe, step.OldPrograms = !t.lacking[c], goOn+" until a new one stores null, which they cannot read"
		t.columnsAdd(step)
		return nil
	case !stale:
		if stale, err = t.db.first(ctx, t.db, "SELECT 1 FROM "+p.quoted+" WHERE "+c.quoted+" IS NULL LIMIT 1", nil); err != nil {
			return err
		}
		if stale {
			step := safe("Replace null in the column "+c.name+" of "+p.name+" by a value, and make it NOT NULL; or make "+c.path.Name+" a pointer.",
				"all rows with null", "UPDATE "+p.quoted+" SET "+c.quoted+" = … WHERE "+c.quoted+" IS NULL", p.dialect.AlterNull(p.quoted, c.quoted, p.typeOf(c), false))
			step.Safe, step.OldProgramsWork, step.OldPrograms = false, false, "they fail to store null"
			t.nulls = append(t.nulls, step)
			return nil
		}
	}
	t.setNotNull(c)
	return nil
}

// changeType adds the step of a column that has another type. Steps that need the column are for a person then, too.
func (t *existing) changeType(c *column, found string) {
	p, want := t.plan, t.plan.typeOf(c)
	step := Step{
		Phase: expand, Purpose: fmt.Sprintf("Change the type of %s in %s from %s to %s.", c.name, p.name, found, want),
		Lock: t.lock("ACCESS EXCLUSIVE", p.name, "while it writes all rows again"), OldPrograms: "they may fail to read or write the column",
	}
	switch t.lacking[c] = true; {
	case !p.facts.RowLocks:
		step.Purpose += copyRows
	case p.facts.KeyLength == 0:
		step.SQL = []string{"ALTER TABLE " + p.quoted + " ALTER COLUMN " + c.quoted + " TYPE " + want}
	default:
		for _, name := range slices.Sorted(maps.Keys(t.indexes)) { // of whole values, which are too long now
			if want == p.facts.Text && slices.Contains(strings.Split(t.indexes[name].columns, ", "), c.name) {
				step.SQL = append(step.SQL, t.drop(name))
				delete(t.indexes, name)
			}
		}
		step.SQL = append(step.SQL, p.dialect.AlterNull(p.quoted, c.quoted, want, c.nullable))
	}
	t.columnsAdd(step)
}

// notNullCheck returns the name of the check with which a column becomes NOT NULL.
func (p *plan) notNullCheck(c *column) string { return p.indexName(c, "not_null_check") }

// setNotNull adds the step of a column without nulls that becomes NOT NULL. A check that the database validates while others
// write saves it from reading the table under a lock.
func (t *existing) setNotNull(c *column) {
	p := t.plan
	value, has := p.defaultOf(c)
	has = has && c.shadow // of the zero value, for rows of old programs
	step := safe("Make the column "+c.name+" of "+p.name+" NOT NULL.", t.reading(p.name), p.dialect.AlterNull(p.quoted, c.quoted, p.typeOf(c), false))
	step.Safe, step.filled, step.OldProgramsWork, step.OldPrograms = !t.lacking[c], c.shadow, false, "they fail to store null"
	switch {
	case c.shadow && !has:
		step.OldPrograms = "their inserts fail: they do not set the column"
	case has:
		step.OldProgramsWork, step.OldPrograms = true, getDefault
	}
	switch {
	case t.online != nil:
		alter, check := "ALTER TABLE "+p.quoted+" ", p.dialect.Quote(p.notNullCheck(c))
		first := alter + "DROP CONSTRAINT IF EXISTS " + check + ", ADD CONSTRAINT " + check + " CHECK (" + c.quoted + " IS NOT NULL) NOT VALID"
		if has {
			first += ", ALTER COLUMN " + c.quoted + " SET DEFAULT " + value
		}
		step.Outside = true
		step.SQL = []string{first, alter + "VALIDATE CONSTRAINT " + check, step.SQL[0], alter + "DROP CONSTRAINT IF EXISTS " + check}
	case has && p.facts.KeyLength > 0: // MODIFY would remove the default
		step.SQL[0] += " DEFAULT (" + value + ")"
	}
	t.nulls = append(t.nulls, step)
}

// dropChecks adds a step for each check that an interrupted step has left.
func (t *existing) dropChecks() {
	for _, c := range t.plan.own {
		name := t.plan.notNullCheck(c)
		if _, is := t.leftovers[name]; is && !t.columns[c.name].nullable {
			t.nulls = append(t.nulls, safe("Drop the check "+name+" of an earlier migration.", t.moment(t.plan.name),
				"ALTER TABLE "+t.plan.quoted+" DROP CONSTRAINT IF EXISTS "+t.plan.dialect.Quote(name)))
		}
	}
}

// compareOthers adds the steps of the columns that the struct lacks.
func (t *existing) compareOthers() {
	p := t.plan
	for _, name := range slices.Sorted(maps.Keys(t.columns)) {
		isOurs := slices.ContainsFunc(p.own, func(c *column) bool { return strings.EqualFold(c.name, name) }) ||
			slices.ContainsFunc(p.indexes(), func(i index) bool { return i.flag() == name })
		if isOurs {
			continue
		}
		found, quoted := t.columns[name], p.dialect.Quote(name)
		if found.required {
			because := ", because " + p.typName + " does not use it and every insert would fail."
			step := safe("Let the column "+name+" of "+p.name+" be null"+because, t.moment(p.name), p.dialect.AlterNull(p.quoted, quoted, found.typ, true))
			if value := zeroOf(found.typ); p.facts.RowLocks && value != "" {
				step.SQL = []string{t.setDefault(quoted, value)}
				step.Purpose = "Give the column " + name + " of " + p.name + " a default" + because
			} else if !strings.Contains(name, shadowSeparator) { // old programs search in others, but do not read them
				step.OldProgramsWork, step.OldPrograms = false, "they cannot read rows that new programs insert"
			}
			t.columnsAdd(step)
		}
		t.contracts = append(t.contracts, Step{
			Phase: contract, Purpose: "Drop the column " + name + " of " + p.name + " if no program uses it: " + p.typName + " has no field for it.",
			SQL: []string{"ALTER TABLE " + p.quoted + " DROP COLUMN " + quoted}, Lock: t.moment(p.name), OldPrograms: "those that use the column fail",
		})
	}
}

// setDefault returns a statement that sets the default of a column. MySQL needs the parentheses for a long string.
func (t *existing) setDefault(column, value string) string {
	return "ALTER TABLE " + t.plan.quoted + " ALTER COLUMN " + column + " SET DEFAULT (" + value + ")"
}

// zeroOf returns the zero value of a type of PostgreSQL or MariaDB, "" for an unknown one.
func zeroOf(typ string) string {
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
