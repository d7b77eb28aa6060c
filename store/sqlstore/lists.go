package sqlstore

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/huandu/go-sqlbuilder"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
)

// listTable is the table of the elements of a list of references: a row for each of them, with
// the record that has the list, the place in it, and the record that it refers to. A list is a
// column of its record's plan all the same, whose value is the JSON of the list: whoever reads a
// record reads its lists by the same statement, so that they are of one state.
type listTable struct {
	name             string
	record           []*column // one for each part of the identifier of the record that has the list
	position, target *column   // of several columns that refer to one record, the first: see [column.whole]
	add, clear       string    // statements: of the record's identifier and a list, and of the identifier
}

// isJoined reports whether a field is kept in a table of its own: it is a list of references, and
// its keys are in JSON what they are in a column.
func (p *plan) isJoined(f *model.Field) bool {
	if p.foreign || f.Reference == nil || !f.Reference.Many {
		return false
	}
	if key := f.Type.Elem; key.Kind == model.Key {
		return !slices.ContainsFunc(key.Parts, func(part *model.Field) bool { return !p.joins(part.Type) })
	}
	return p.joins(f.Type.Elem)
}

func (p *plan) joins(t *model.Type) bool {
	typ := p.encode(t).typ
	return t.Sortable() && (typ == integer || typ == text)
}

// listColumn makes the column of a list with a table of its own.
func (p *plan) listColumn(path model.Path, f *model.Field) *column {
	kept := codec.CompileKept(f.Type)
	bind := func(v reflect.Value) (any, error) {
		if v.Len() == 0 {
			return "[]", nil // nil and empty are one, for neither has rows
		}
		text, err := kept.Append(nil, v)
		return string(text), err
	}
	encoding := encodingOf{typ: document, bind: bind, exact: true, reader: func() columnReader { return &bytesReader{read: kept.Read} }}
	c := &column{encodingOf: encoding, name: columnName(f), path: path, field: f}
	c.list = &listTable{
		name:     shortened(p.name + "_" + c.name),
		position: &column{encodingOf: encodingOf{typ: integer}, name: "position", path: path, field: f},
	}
	if key := f.Type.Elem; key.Kind == model.Key {
		c.list.target = p.targetsOf(path, f)
		c.reader = func() columnReader { return &bytesReader{read: readKeys(key)} }
	} else {
		c.list.target = &column{encodingOf: p.encode(key), name: "target", path: path, field: f}
	}
	return c
}

// prepareLists writes the statements of lists, when the identifier is known.
func (p *plan) prepareLists() {
	for _, c := range p.lists {
		l, b := c.list, p.dialect.Flavor
		remove := b.NewDeleteBuilder().DeleteFrom(quote(l.name))
		casts := make([]string, len(p.ids))
		for i, id := range p.ids {
			name := "record"
			if len(p.ids) > 1 {
				name += "_" + id.name
			}
			l.record = append(l.record, &column{encodingOf: id.encodingOf, name: name, path: c.path, field: c.field})
			remove.Where(remove.Equal(quote(name), 0))
			casts[i] = "CAST(%v AS " + p.plainType(id) + ")"
		}
		l.clear, _ = remove.Build()
		if l.target.parts != nil {
			continue
		}
		from := strings.NewReplacer("{list}", "%v", "{type}", p.plainType(l.target)).Replace(p.dialect.Elements)
		into := append(slices.Clip(l.record), l.position, l.target)
		add := "INSERT INTO " + quote(l.name) + " (" + strings.Join(names(into), ", ") + ") SELECT " + strings.Join(casts, ", ") + ", key, value FROM " + from
		l.add, _ = sqlbuilder.WithFlavor(sqlbuilder.Buildf(add, slices.Repeat([]any{0}, len(casts)+1)...), b).Build()
	}
}

// plainType returns the name of a column's type, without its collation.
func (p *plan) plainType(c *column) string {
	name, _, _ := strings.Cut(p.dialect.typeName(c.typ), " COLLATE")
	return name
}

// selected returns the expression for the list of a row of the plan's table.
func (l *listTable) selected(p *plan) string {
	of := p.dialect.ListOf
	if l.target.parts != nil {
		of = strings.ReplaceAll(p.dialect.KeysOf, "{targets}", strings.Join(names(l.target.parts), ", "))
	}
	isOf := make([]string, len(p.ids))
	for i, id := range p.ids {
		isOf[i] = quote(l.record[i].name) + " = " + quote(p.name) + "." + quote(id.name)
	}
	return strings.NewReplacer("{table}", quote(l.name), "{isOf}", strings.Join(isOf, " AND ")).Replace(of)
}

// ddl returns the statements that make the table and its index. The tables of the records are
// there before.
func (l *listTable) ddl(p *plan, c *column) []string {
	var lines []string
	for _, of := range l.columns() {
		lines = append(lines, "\t"+quote(of.name)+" "+p.dialect.typeName(of.typ)+" NOT NULL")
	}
	lines = append(lines, "\tPRIMARY KEY ("+strings.Join(names(append(slices.Clip(l.record), l.position)), ", ")+")",
		"\t"+l.recordConstraint(p))
	if target := p.target(c); target != nil {
		lines = append(lines, "\t"+l.targetConstraint(c, target))
	}
	return []string{
		"CREATE TABLE IF NOT EXISTS " + quote(l.name) + " (\n" + strings.Join(lines, ",\n") + "\n)" + p.dialect.ListSuffix,
		"CREATE INDEX IF NOT EXISTS " + quote(shortened(l.name+"_target_idx")) + " ON " + quote(l.name) +
			" (" + strings.Join(names(append(slices.Clip(l.target.whole()), l.record...)), ", ") + ")",
	}
}

// columns lists those of the table.
func (l *listTable) columns() []*column {
	return append(append(slices.Clip(l.record), l.position), l.target.whole()...)
}

// records writes the statement that finds which records have a list of which an element fulfils a condition.
func (l *listTable) records(condition string) string {
	return "SELECT " + strings.Join(names(l.record), ", ") + " FROM " + quote(l.name) + " WHERE " + condition
}

// targetKey is the name of the foreign key to what the list refers to.
func (l *listTable) targetKey() string { return shortened(l.name + "_target_fkey") }

// onDelete is what becomes of an element whose record goes: cascade and null both take it out
// of the list, which has no place for null.
func (l *listTable) onDelete(c *column) model.OnDelete {
	if c.field.Reference.OnDelete == model.Restrict {
		return model.Restrict
	}
	return model.Cascade
}

// listDDL returns the statements that make the tables of lists, which come behind all others.
func (p *plan) listDDL() (statements []string) {
	for _, c := range p.lists {
		statements = append(statements, c.list.ddl(p, c)...)
	}
	return statements
}

// saveLists writes the lists of a record that differ from those which the transaction has read.
func (t *transaction) saveLists(ctx context.Context, p *plan, record reflect.Value, read, values []any) error {
	if p.lists == nil {
		return nil
	}
	id, err := p.keyOf(record)
	if err != nil {
		return err
	}
	for i, c := range p.columns {
		if c.list == nil || len(read) > 0 && same(read[i], values[i]) {
			continue
		}
		if _, err := t.Exec(ctx, c.list.clear, id...); err != nil {
			return err
		}
		if err := t.addElements(ctx, p, c, id, record); err != nil {
			return err
		}
	}
	return nil
}

func (t *transaction) addElements(ctx context.Context, p *plan, c *column, id key, record reflect.Value) error {
	elements, err := c.elements(record)
	if err != nil || len(elements) == 0 {
		return err
	}
	if c.list.target.parts != nil {
		return t.dangling(ctx, p, record, t.addKeys(ctx, p, c, id, elements))
	}
	values := make([]any, len(elements))
	for i, element := range elements {
		values[i] = element[0]
	}
	list, err := p.listOf(values)
	if err != nil {
		return err
	}
	_, err = t.Exec(ctx, c.list.add, append(slices.Clip(id), list)...)
	return t.dangling(ctx, p, record, err)
}

// holds keeps a row from being changed by others, and reports whether it is there.
func (t *transaction) holds(ctx context.Context, p *plan, id key) (bool, error) {
	statement := p.statements.hold
	if statement == "" {
		statement = p.statements.lock
	}
	rows, err := t.Query(ctx, statement, id...)
	if err != nil {
		return false, err
	}
	there := rows.Next()
	return there, t.db.finish(ctx, rows, nil)
}

// elements returns the elements of a list as their column has them.
func (c *column) elements(record reflect.Value) ([]key, error) {
	list, _ := c.path.Value(record)
	columns := c.list.target.whole()
	elements, values := make([]key, list.Len()), make(key, list.Len()*len(columns))
	for i := range elements {
		elements[i] = values[i*len(columns) : (i+1)*len(columns)]
		for n, of := range columns {
			value := list.Index(i)
			if of.parts != nil {
				value = c.field.Type.Elem.Parts[n].Value(value)
			}
			var err error
			if elements[i][n], err = of.bound(value); err != nil {
				return nil, fmt.Errorf("sqlstore: %s %w", c.path.Name, err)
			}
		}
	}
	return elements, nil
}

// hasOneOf writes that one of the elements of a list is one of the values.
func (p *plan) hasOneOf(b *sqlbuilder.SelectBuilder, c *column, values []any) string {
	if c.list != nil {
		return tuple(p.ids) + " IN (" + c.list.records(p.isTarget(b, c.list.target, values)) + ")"
	}
	from := strings.ReplaceAll(p.dialect.ElementsOf, "{list}", quote(p.name)+"."+quote(c.name))
	return "EXISTS (SELECT 1 FROM " + from + " WHERE " + p.oneOf(b, elementText(c.field.Type.Elem), values) + ")"
}

// elementText returns a column for the texts of the elements of a list that is JSON: what they are
// there, a string without its quotes.
func elementText(elem *model.Type) *column {
	bind := bindText
	switch elem.Kind {
	case model.Int:
		bind = func(v reflect.Value) (any, error) { return strconv.FormatInt(v.Int(), 10), nil }
	case model.Uint:
		bind = func(v reflect.Value) (any, error) { return strconv.FormatUint(v.Uint(), 10), nil }
	case model.String:
		bind = func(v reflect.Value) (any, error) { return v.String(), nil }
	case model.Key:
		bind = func(v reflect.Value) (any, error) { return elem.TextOfKey(v.Interface()) }
	}
	return &column{name: "value", encodingOf: encodingOf{typ: text, bind: bind}}
}

// lacks reports whether a list of the record refers to what is not there.
func (t *transaction) lacks(ctx context.Context, target *plan, c *column, record reflect.Value) bool {
	elements, err := c.elements(record)
	return err == nil && slices.ContainsFunc(elements, func(element key) bool {
		there, failed := t.has(ctx, target.name, target.ids, element)
		return failed == nil && !there
	})
}
