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
	db     *DB
	online onliner // nil if the database has none

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

// moment describes the lock of a change that only the catalog knows.
func (d *differ) moment(table string) string {
	if d.online == nil {
		return "the database, for a moment"
	}
	return "ACCESS EXCLUSIVE on " + table + ", for a moment"
}

// reading describes the lock of a change that reads a table.
func (d *differ) reading(table string) string {
	if d.online == nil {
		return "the database, while it reads " + table
	}
	return "SHARE UPDATE EXCLUSIVE on " + table + ", while it reads the table; it blocks no writers"
}

const goOn = "they go on working"

// compare compares all tables.
func (d *differ) compare(ctx context.Context, plans []*plan) error {
	*d = differ{db: d.db, online: d.online}
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
	} else if d.addTable(p.name, p.ddl()); p.dialect.facts.TargetsFirst {
		for _, late := range p.lateKeys() {
			d.keys = append(d.keys, Step{
				Phase: expand, Safe: true, Purpose: "Add a foreign key of the new table " + p.name + ".", SQL: []string{late.text},
				Lock: "both tables, for a moment", OldProgramsWork: true, OldPrograms: goOn,
			})
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
	step := Step{
		Phase: expand, Safe: true, Purpose: "Create the table " + name + " with its indexes.", Lock: "referenced tables, for a moment",
		OldProgramsWork: true, OldPrograms: goOn + ": they do not know the table",
	}
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
		found, is := t.columns[c.name]
		var err error
		if is {
			err = t.compareColumn(ctx, c, found)
		} else {
			err = t.addColumn(ctx, c)
		}
		if err != nil {
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
	step := Step{
		Phase: expand, Safe: true, Purpose: "Add the column " + c.name + " of " + c.path.Name + " to " + p.name + ".", SQL: []string{add},
		Lock: t.moment(p.name), OldProgramsWork: true, OldPrograms: goOn + ": they do not use the column",
	}
	value, hasDefault := p.defaultOf(c)
	switch {
	case c.shadow, c.nullable:
	case hasDefault:
		step.SQL[0] += " NOT NULL DEFAULT " + value
		step.OldPrograms = goOn + ": rows that they insert get the default"
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
	if c.shadow && !c.nullable && hasDefault && t.online != nil { // for rows that old programs insert; existing ones are null
		step.SQL = append(step.SQL, "ALTER TABLE "+p.quoted+" ALTER COLUMN "+c.quoted+" SET DEFAULT "+value)
		step.OldPrograms = goOn + ": rows that they insert get the default"
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
func (t *existing) compareColumn(ctx context.Context, c *column, found actual) error {
	p := t.plan
	if want := p.typeOf(c); !p.isType(c, found.typ) {
		t.columnsAdd(Step{
			Phase: expand, Purpose: fmt.Sprintf("Change the type of %s in %s from %s to %s.", c.name, p.name, found.typ, want),
			SQL:  []string{"ALTER TABLE " + p.quoted + " ALTER COLUMN " + c.quoted + " TYPE " + want},
			Lock: "ACCESS EXCLUSIVE on " + p.name + ", while it writes all rows again", OldPrograms: "they may fail to read or write the column",
		})
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
		t.columnsAdd(Step{
			Phase: expand, Safe: true, Purpose: "Let the column " + c.name + " of " + p.name + " be null.",
			SQL: []string{p.dialect.AlterNull(p.quoted, c.quoted, p.typeOf(c), true)}, Lock: t.moment(p.name),
			OldProgramsWork: true, OldPrograms: goOn + " until a new one stores null, which they cannot read",
		})
		return nil
	case !stale:
		if stale, err = t.db.first(ctx, t.db, "SELECT 1 FROM "+p.quoted+" WHERE "+c.quoted+" IS NULL LIMIT 1", nil); err != nil {
			return err
		}
		if stale {
			t.nulls = append(t.nulls, Step{
				Phase:   expand,
				Purpose: "Replace null in the column " + c.name + " of " + p.name + " by a value, and make it NOT NULL; or make " + c.path.Name + " a pointer.",
				SQL: []string{
					"UPDATE " + p.quoted + " SET " + c.quoted + " = … WHERE " + c.quoted + " IS NULL",
					p.dialect.AlterNull(p.quoted, c.quoted, p.typeOf(c), false),
				},
				Lock:        "all rows with null",
				OldPrograms: "they fail to store null",
			})
			return nil
		}
	}
	t.setNotNull(c)
	return nil
}

// notNullCheck returns the name of the check with which a column becomes NOT NULL.
func (p *plan) notNullCheck(c *column) string { return p.indexName(c, "not_null_check") }

// setNotNull adds the step of a column without nulls that becomes NOT NULL. A check that the database validates while others
// write saves it from reading the table under a lock.
func (t *existing) setNotNull(c *column) {
	p, value, has := t.plan, "", false
	if c.shadow { // of the zero value, for rows of old programs
		value, has = p.defaultOf(c)
	}
	step := Step{
		Phase: expand, Safe: true, Purpose: "Make the column " + c.name + " of " + p.name + " NOT NULL.", Lock: t.reading(p.name),
		SQL:         []string{p.dialect.AlterNull(p.quoted, c.quoted, p.typeOf(c), false)},
		OldPrograms: "they fail to store null",
	}
	if step.filled = c.shadow; c.shadow {
		step.OldPrograms = "their inserts fail: they do not set the column"
	}
	if t.online != nil {
		alter, check := "ALTER TABLE "+p.quoted+" ", p.dialect.Quote(p.notNullCheck(c))
		first := alter + "DROP CONSTRAINT IF EXISTS " + check + ", ADD CONSTRAINT " + check + " CHECK (" + c.quoted + " IS NOT NULL) NOT VALID"
		if has {
			first += ", ALTER COLUMN " + c.quoted + " SET DEFAULT " + value
			step.OldProgramsWork, step.OldPrograms = true, goOn+": rows that they insert get the default"
		}
		step.Outside = true
		step.SQL = []string{first, alter + "VALIDATE CONSTRAINT " + check, step.SQL[0], alter + "DROP CONSTRAINT IF EXISTS " + check}
	}
	t.nulls = append(t.nulls, step)
}

// dropChecks adds a step for each check that an interrupted step has left.
func (t *existing) dropChecks() {
	for _, c := range t.plan.own {
		name := t.plan.notNullCheck(c)
		if _, is := t.leftovers[name]; is && !t.columns[c.name].nullable {
			t.nulls = append(t.nulls, Step{
				Phase: expand, Safe: true, Purpose: "Drop the check " + name + " of an earlier migration.", Lock: t.moment(t.plan.name),
				SQL: []string{"ALTER TABLE " + t.plan.quoted + " DROP CONSTRAINT IF EXISTS " + t.plan.dialect.Quote(name)}, OldProgramsWork: true, OldPrograms: goOn,
			})
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
			step := Step{
				Phase: expand, Safe: true, Purpose: fmt.Sprintf(
					"Let the column %s of %s be null, because %s does not use it and every insert would fail.", name, p.name, p.typName),
				SQL: []string{p.dialect.AlterNull(p.quoted, quoted, found.typ, true)}, Lock: t.moment(p.name),
				OldPrograms: "they cannot read rows that new programs insert",
			}
			if value := zeroOf(found.typ); t.online != nil && value != "" {
				step.SQL = []string{"ALTER TABLE " + p.quoted + " ALTER COLUMN " + quoted + " SET DEFAULT " + value}
				step.Purpose = "Give the column " + name + " of " + p.name + " a default, because " + p.typName + " does not use it and every insert would fail."
				step.OldProgramsWork, step.OldPrograms = true, goOn
			}
			t.columnsAdd(step)
			continue
		}
		t.contracts = append(t.contracts, Step{
			Phase: contract, Purpose: "Drop the column " + name + " of " + p.name + " if no program uses it: " + p.typName + " has no field for it.",
			SQL: []string{"ALTER TABLE " + p.quoted + " DROP COLUMN " + quoted}, Lock: t.moment(p.name), OldPrograms: "those that use the column fail",
		})
	}
}

// zeroOf returns the zero value of a type of PostgreSQL, "" for an unknown one.
func zeroOf(typ string) string {
	zeros := [][2]string{
		{"text", "''"},
		{"character varying", "''"},
		{"bigint", "0"},
		{"integer", "0"},
		{"smallint", "0"},
		{"double precision", "0"},
		{"real", "0"},
		{"numeric", "0"},
		{"boolean", "FALSE"},
		{"bytea", "''"},
		{"timestamp", "'0001-01-01 00:00:00Z'"},
		{"date", "'0001-01-01'"},
	}
	for _, each := range zeros {
		if strings.HasPrefix(typ, each[0]) {
			return each[1]
		}
	}
	return ""
}

// isType reports whether a column has the type that a plan needs.
func (p *plan) isType(c *column, found string) bool {
	want := p.typeOf(c)
	before, rest, _ := strings.Cut(found, "(") // the size of a type
	_, after, _ := strings.Cut(rest, ")")
	return p.dialect.IsType(found, want) || p.dialect.IsType(before+after, want)
}
