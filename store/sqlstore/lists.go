package sqlstore

import (
	"context"
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
	name                     string
	record, position, target *column
	add, clear               string // statements: of the record's identifier and a list, and of the identifier
}

// isJoined reports whether a field is kept in a table of its own: it is a list of references,
// its keys are in JSON what they are in a column, and one column identifies the record: with
// several the table of every list would repeat all of them for each element.
func (p *plan) isJoined(f *model.Field) bool {
	if p.foreign || p.key.IsComposite() || f.Reference == nil || !f.Reference.Many || !f.Type.Elem.Sortable() {
		return false
	}
	typ := p.encode(f.Type.Elem).typ
	return typ == integer || typ == text
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
		record:   &column{name: "record", path: path, field: f},
		position: &column{encodingOf: encodingOf{typ: integer}, name: "position", path: path, field: f},
		target:   &column{encodingOf: p.encode(f.Type.Elem), name: "target", path: path, field: f},
	}
	return c
}

// prepareLists writes the statements of lists, when the identifier is known.
func (p *plan) prepareLists() {
	for _, c := range p.lists {
		l, b := c.list, p.dialect.Flavor
		l.record.encodingOf = p.ids[0].encodingOf
		remove := b.NewDeleteBuilder().DeleteFrom(quote(l.name))
		l.clear, _ = remove.Where(remove.Equal(quote(l.record.name), 0)).Build()
		from := strings.NewReplacer("{list}", "%v", "{type}", p.plainType(l.target)).Replace(p.dialect.Elements)
		add := "INSERT INTO " + quote(l.name) + ` ("record", "position", "target") SELECT CAST(%v AS ` + p.plainType(l.record) + "), key, value FROM " + from
		l.add, _ = sqlbuilder.WithFlavor(sqlbuilder.Buildf(add, 0, 0), b).Build()
	}
}

// plainType returns the name of a column's type, without its collation.
func (p *plan) plainType(c *column) string {
	name, _, _ := strings.Cut(p.dialect.typeName(c.typ), " COLLATE")
	return name
}

// selected returns the expression for the list of a row of the plan's table.
func (l *listTable) selected(p *plan) string {
	return strings.NewReplacer("{table}", quote(l.name), "{record}", quote(p.name)+"."+quote(p.ids[0].name)).Replace(p.dialect.ListOf)
}

// ddl returns the statements that make the table and its index. The tables of the records are
// there before.
func (l *listTable) ddl(p *plan, c *column) []string {
	lines := []string{"\t" + quote(l.record.name) + " " + p.dialect.typeName(l.record.typ) + " NOT NULL"}
	for _, other := range []*column{l.position, l.target} {
		lines = append(lines, "\t"+quote(other.name)+" "+p.dialect.typeName(other.typ)+" NOT NULL")
	}
	lines = append(lines, "\tPRIMARY KEY ("+quote(l.record.name)+", "+quote(l.position.name)+")",
		"\t"+foreignKeyText(shortened(l.name+"_record_fkey"), l.record.whole(), p, model.Cascade))
	if target := p.target(c); target != nil {
		lines = append(lines, "\t"+foreignKeyText(l.targetKey(), l.target.whole(), target, l.onDelete(c)))
	}
	return []string{
		"CREATE TABLE IF NOT EXISTS " + quote(l.name) + " (\n" + strings.Join(lines, ",\n") + "\n)" + p.dialect.ListSuffix,
		"CREATE INDEX IF NOT EXISTS " + quote(shortened(l.name+"_target_idx")) + " ON " + quote(l.name) +
			" (" + quote(l.target.name) + ", " + quote(l.record.name) + ")",
	}
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
		if _, err := t.Exec(ctx, c.list.clear, id[0]); err != nil {
			return err
		}
		elements, err := c.elements(record)
		if err != nil {
			return err
		}
		if len(elements) == 0 {
			continue
		}
		list, err := p.listOf(elements)
		if err != nil {
			return err
		}
		if _, err := t.Exec(ctx, c.list.add, id[0], list); err != nil {
			return t.dangling(ctx, p, record, err)
		}
	}
	return nil
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
func (c *column) elements(record reflect.Value) ([]any, error) {
	list, _ := c.path.Value(record)
	elements := make([]any, list.Len())
	for i := range elements {
		var err error
		if elements[i], err = c.list.target.bound(list.Index(i)); err != nil {
			return nil, err
		}
	}
	return elements, nil
}

// hasOneOf writes that one of the elements of a list is one of the values.
func (p *plan) hasOneOf(b *sqlbuilder.SelectBuilder, c *column, values []any) string {
	if c.list != nil {
		return quote(p.ids[0].name) + " IN (SELECT " + quote(c.list.record.name) + " FROM " + quote(c.list.name) +
			" WHERE " + p.oneOf(b, c.list.target, values) + ")"
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
	}
	return &column{name: "value", encodingOf: encodingOf{typ: text, bind: bind}}
}

// lacks reports whether a list of the record refers to what is not there.
func (t *transaction) lacks(ctx context.Context, target *plan, c *column, record reflect.Value) bool {
	elements, err := c.elements(record)
	return err == nil && slices.ContainsFunc(elements, func(element any) bool {
		there, failed := t.has(ctx, target.name, target.ids, key{element})
		return failed == nil && !there
	})
}

// listed returns the list of a table, with ondelete=restrict, that has a record; nil for none.
func (t *transaction) listed(ctx context.Context, in, target *plan, id key) *column {
	for _, c := range in.lists {
		if in.target(c) != target || c.list.onDelete(c) != model.Restrict {
			continue
		}
		if there, failed := t.has(ctx, c.list.name, c.list.target.whole(), id); failed == nil && there {
			return c
		}
	}
	return nil
}
