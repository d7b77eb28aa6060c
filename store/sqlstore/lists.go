package sqlstore

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/txn"
)

// listTable is the table of a list of references. It has a row for each element, with the record that has the list, the
// position in the list, and the referenced record. The plan of the record still has a column for the list, whose value
// is the list as JSON, so that one statement reads a record with its lists in one state.
type listTable struct {
	name, quoted     string
	record           []*column // the identifier of the record that has the list
	position, target *column   // target is the first column of a composite reference; see [column.allParts]
	clear            string    // deletes the elements of a record, by its identifier
	selected         string    // the expression for the list of a row of the record's table
}

// isJoined reports whether a field is stored in a table of its own: it is a list of references whose keys have the same
// form in JSON as in a column.
func (p *planner) isJoined(f *model.Field) bool {
	if p.existing || f.Reference == nil || !f.Reference.Many {
		return false
	}
	if parts := f.Type.Elem.Parts; parts != nil {
		return !slices.ContainsFunc(parts, func(part *model.Field) bool { return !p.joins(part.Type) })
	}
	return p.joins(f.Type.Elem)
}

func (p *planner) joins(t *model.Type) bool {
	typ := p.encode(t).typ
	return t.Sortable() && (typ == integer || typ == text)
}

// listColumn returns the column of a list with a table of its own.
func (p *planner) listColumn(path model.Path, f *model.Field) *column {
	stored := codec.CompileStored(f.Type)
	bind := func(v reflect.Value) (any, error) {
		if v.Len() == 0 {
			return "[]", nil // nil and empty are the same, because neither has rows
		}
		text, err := stored.Append(nil, v)
		return string(text), err
	}
	c := p.column(columnName(f), path, f, encodingOf{typ: document, bind: bind, exact: true})
	l := &listTable{name: shortened(p.name + "_" + c.name), position: p.column("position", path, f, encodingOf{typ: integer})}
	l.quoted, c.list = p.dialect.table(l.name), l
	read := stored.Read
	if key := f.Type.Elem; key.Parts != nil { // a column for each part, so that they can be a foreign key
		columns := make([]*column, len(key.Parts))
		for i, part := range key.Parts {
			columns[i] = p.column("target_"+columnName(part), path, f, p.encode(part.Type))
			columns[i].parts = columns
			if !sqlName.MatchString(columns[i].name) {
				p.fail("the column of %s in %s is named %q; use up to 48 letters, digits and underscores; set the name with the tag db of the part",
					part.Name, f.Name, columns[i].name)
			}
		}
		l.target, read = columns[0], readKeys(key)
	} else {
		l.target = p.column("target", path, f, p.encode(key))
		l.target.constrained = true
	}
	c.reader = func() columnReader { return &bytesReader{read: read} }
	return c
}

// readKeys returns a function that reads the JSON that [Dialect].ListOf returns for a list of composite keys.
func readKeys(key *model.Type) func(text []byte, into reflect.Value) error {
	stored := make([]*codec.Stored, len(key.Parts))
	for n, part := range key.Parts {
		stored[n] = codec.CompileStored(part.Type)
	}
	return func(text []byte, into reflect.Value) error {
		var list [][]jsontext.Value
		if err := json.Unmarshal(text, &list); err != nil {
			return fmt.Errorf("sqlstore: a list of keys: %w", err)
		}
		into.Set(reflect.MakeSlice(into.Type(), len(list), len(list)))
		for i, element := range list {
			for n, text := range element {
				if err := stored[n].Read(text, key.Parts[n].Value(into.Index(i))); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

// prepareLists writes the statements of lists, once the identifier is known.
func (p *planner) prepareLists() {
	d := p.dialect
	for _, c := range p.lists {
		l := c.list
		isOf := make([]string, len(p.ids))
		for i, id := range p.ids {
			name := "record"
			if len(p.ids) > 1 {
				name += "_" + id.name
			}
			record := p.column(name, c.path, c.field, id.encodingOf)
			record.constrained = true
			l.record = append(l.record, record)
			isOf[i] = record.quoted + " = " + p.alias + "." + id.quoted
		}
		l.selected = d.ListOf(l.quoted, strings.Join(isOf, " AND "), l.position.quoted, names(l.target.allParts()))
		l.clear = d.text(func(b *builder) string {
			return "DELETE FROM " + l.quoted + " WHERE " + hasKey(b, l.record)
		})
	}
}

// ddl returns the statements that create the table and its index. The tables of the records must exist.
func (l *listTable) ddl(p *plan, c *column) []definition {
	var lines []string
	for _, column := range l.columns() {
		lines = append(lines, "	"+column.quoted+" "+p.typeOf(column)+" NOT NULL")
	}
	lines = append(lines, "\tPRIMARY KEY ("+list(append(slices.Clip(l.record), l.position))+")", "\t"+l.recordConstraint(p))
	for _, link := range p.linksOf([]*column{c}) {
		lines = append(lines, "\t"+p.constraint(link))
	}
	return []definition{
		{text: "CREATE TABLE IF NOT EXISTS " + l.quoted + " (\n" + strings.Join(lines, ",\n") + "\n)" + p.dialect.facts.ListSuffix},
		l.index().create(p, l.name),
	}
}

// index returns the index by which the records are found that reference another one.
func (l *listTable) index() index {
	return index{name: shortened(base(l.name) + "_target_idx"), columns: append(slices.Clip(l.target.allParts()), l.record...)}
}

// columns returns the columns of the table.
func (l *listTable) columns() []*column {
	return append(append(slices.Clip(l.record), l.position), l.target.allParts()...)
}

// inList writes that an element of a list matches a condition.
func (p *plan) inList(c *column, condition string) string {
	return tuple(p.ids) + " IN (" + selectWhere(c.list.record, c.list.quoted, condition) + ")"
}

// targetKey returns the name of the foreign key to the referenced record.
func (l *listTable) targetKey() string { return shortened(base(l.name) + "_target_fkey") }

// recordConstraint writes the foreign key to the record that has the list.
func (l *listTable) recordConstraint(p *plan) string {
	return p.foreignKeyText(shortened(base(l.name)+"_record_fkey"), l.record, p, model.Cascade)
}

// onDelete returns what happens to an element when its record is deleted. Cascade and null both remove it, because a
// list cannot have null.
func (l *listTable) onDelete(c *column) model.OnDelete {
	if c.field.Reference.OnDelete == model.Restrict {
		return model.Restrict
	}
	return model.Cascade
}

// saveLists writes the lists of a record that differ from those the transaction has read.
func (t *tx) saveLists(ctx context.Context, record reflect.Value, id key, read, values []any) error {
	p := t.store.plan()
	for i, c := range p.columns[len(p.own):] {
		if at := len(p.own) + i; len(read) > 0 && same(read[at], values[at]) {
			continue
		}
		if _, err := t.t.Exec(ctx, c.list.clear, id...); err != nil {
			return err
		}
		elements, err := c.elements(record)
		if err != nil {
			return err
		}
		if err := t.t.asMissingReference(ctx, p, record, t.t.addElements(ctx, p, c, id, elements)); err != nil {
			return err
		}
	}
	return nil
}

// addElements inserts rows for the elements of a list. Databases differ in how they unnest a list, so the keys are
// arguments of the statement, in batches.
func (t *transaction) addElements(ctx context.Context, p *plan, c *column, id key, elements []key) error {
	for first := 0; first < len(elements); first += manyKeys {
		var rows [][]any
		for i, element := range elements[first:min(first+manyKeys, len(elements))] {
			rows = append(rows, slices.Concat(id, key{int64(first + i)}, element))
		}
		b := new(builder)
		statement, args := p.dialect.statement(b, p.dialect.insertInto(b, c.list.quoted, c.list.columns(), rows...))
		if _, err := t.Exec(ctx, statement, args...); err != nil {
			return err
		}
	}
	return nil
}

// lockRow locks a row against changes by others, and reports whether it exists.
func (t *transaction) lockRow(ctx context.Context, p *plan, id key) (bool, error) {
	return t.db.first(ctx, t.locking(p, txn.Exclusive), p.statements.get, id)
}

// elements returns the elements of a list as their column stores them.
func (c *column) elements(record reflect.Value) ([]key, error) {
	list, _ := c.path.Value(record)
	columns := c.list.target.allParts()
	elements, values := make([]key, list.Len()), make(key, list.Len()*len(columns))
	for i := range elements {
		elements[i] = values[i*len(columns) : (i+1)*len(columns)]
		for n, column := range columns {
			value := list.Index(i)
			if column.parts != nil {
				value = c.field.Type.Elem.Parts[n].Value(value)
			}
			var err error
			if elements[i][n], err = column.bind(value); err != nil {
				return nil, fmt.Errorf("sqlstore: %s %w", c.path.Name, err)
			}
		}
	}
	return elements, nil
}

// elementText returns a column for the elements of a JSON list as strings, without JSON's quotes.
func (p *plan) elementText(c *column) *column {
	elem, bind := c.field.Type.Elem, bindText
	switch {
	case elem.Parts != nil:
		bind = func(v reflect.Value) (any, error) { return elem.Identifier().Text(v.Interface()) }
	case elem.Kind == model.String:
		bind = scalars[model.String].bind
	case elem.Kind.IsInteger() && reflect.Zero(elem.Base()).CanUint(): // also larger ones than columns can hold
		bind = func(v reflect.Value) (any, error) { return strconv.FormatUint(v.Uint(), 10), nil }
	case elem.Kind.IsInteger():
		bind = func(v reflect.Value) (any, error) { return strconv.FormatInt(v.Int(), 10), nil }
	}
	return &column{quoted: p.dialect.Quote("value"), field: &model.Field{Type: elem}, encodingOf: encodingOf{typ: text, bind: bind}}
}
