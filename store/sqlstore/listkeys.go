package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/huandu/go-sqlbuilder"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
)

// targetsOf returns the first of the columns of a list's table that refer to records of several
// fields: one for each part, so that they can be a foreign key.
func (p *plan) targetsOf(path model.Path, f *model.Field) *column {
	parts := f.Type.Elem.Parts
	columns := make([]*column, len(parts))
	for i, part := range parts {
		columns[i] = &column{encodingOf: p.encode(part.Type), name: "target_" + columnName(part), path: path, field: f, parts: columns}
		if !sqlName.MatchString(columns[i].name) {
			p.fail("the column of %s in %s is %q; allowed: up to 48 letters, digits and underscores; set another by the tag db of the part",
				part.Name, f.Name, columns[i].name)
		}
	}
	if p.dialect.KeysOf == "" {
		p.fail("the list %s refers to records that several fields identify, which the driver of the database has no KeysOf for", f.Name)
	}
	return columns[0]
}

// readKeys returns what reads the JSON that [Dialect].KeysOf writes of a list.
func readKeys(of *model.Type) func(text []byte, into reflect.Value) error {
	kept := make([]*codec.Kept, len(of.Parts))
	for n, part := range of.Parts {
		kept[n] = codec.CompileKept(part.Type)
	}
	return func(text []byte, into reflect.Value) error {
		var list [][]jsontext.Value
		if err := json.Unmarshal(text, &list); err != nil {
			return fmt.Errorf("sqlstore: a list of keys: %w", err)
		}
		into.Set(reflect.MakeSlice(into.Type(), len(list), len(list)))
		for i, element := range list {
			if len(element) != len(of.Parts) {
				return errors.New("is a list of keys of other parts")
			}
			for n, part := range of.Parts {
				if err := kept[n].Read(element[n], part.Value(into.Index(i))); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

// addKeys adds rows for keys of several parts. Databases differ in how they take lists of rows apart,
// so that each value is one of the statement; there is room for so many.
func (t *transaction) addKeys(ctx context.Context, p *plan, c *column, id key, elements []key) error {
	l := c.list
	for first := 0; first < len(elements); first += manyKeys {
		insert := p.dialect.Flavor.NewInsertBuilder().InsertInto(quote(l.name)).Cols(names(l.columns())...)
		for i, element := range elements[first:min(first+manyKeys, len(elements))] {
			insert.Values(append(append(slices.Clip(id), int64(first+i)), element...)...)
		}
		statement, args := insert.Build()
		if _, err := t.Exec(ctx, statement, args...); err != nil {
			return err
		}
	}
	return nil
}

// isTarget writes that the elements of a row refer to one of some records.
func (p *plan) isTarget(b *sqlbuilder.SelectBuilder, target *column, values []any) string {
	if target.parts != nil {
		return p.isOneOfKeys(b, target.parts, values)
	}
	return p.oneOf(b, target, values)
}
