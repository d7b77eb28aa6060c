package filter

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// Constraint reads what a constraint compares in records. It is safe for concurrent use.
type Constraint struct {
	*model.RecordConstraint

	fields   []*Field
	from, to *Field // nil without a period
	where    Match  // nil for all records
}

// ConstraintOf returns a constraint of a struct.
func ConstraintOf(record *model.Struct, of *model.RecordConstraint) (*Constraint, error) {
	c := &Constraint{RecordConstraint: of}
	for _, f := range of.Fields {
		c.fields = append(c.fields, ownField(f))
	}
	if of.From != nil {
		c.from, c.to = ownField(of.From), ownField(of.To)
	}
	var err error
	if c.where, err = Compile(alone{record}, of.Where); err != nil {
		return nil, fmt.Errorf("the constraint on %s: %w", of.Broken.Fields, err)
	}
	return c, nil
}

// ownField returns the reader of a field of the record itself.
func ownField(f *model.Field) *Field {
	return fieldAt(model.Path{Name: f.Name, Fields: []*model.Field{f}})
}

// alone is the source of conditions on a record without references to others.
type alone struct{ record *model.Struct }

func (a alone) Field(name string) (*Field, error) { return FieldOf(a.record, name) }
func (alone) Through(*store.Condition) (Match, error) {
	return nil, errors.New("a constraint has a condition through a reference")
}

// Period is a part of an order, such as of time. It begins with From and ends before To. Null is an open end.
type Period struct{ From, To Value }

// Read returns what must not be in two records: the values of the fields, and the period if there is one. The key is null
// if the record cannot break the constraint: it is not about the record, a field is null, or the period is empty. A
// period that ends before it begins is an error, regardless of all that.
func (c *Constraint) Read(record reflect.Value) (key Value, period Period, err error) {
	if c.from != nil {
		if period.From, err = c.from.Of(record); err == nil {
			period.To, err = c.to.Of(record)
		}
		isOpen := period.From.IsNull() || period.To.IsNull()
		switch {
		case err != nil:
			return Value{}, period, err
		case !isOpen && isBefore(period.To, period.From):
			return Value{}, period, fmt.Errorf("%w: %s is after %s", store.ErrConstraint, c.from.Name, c.to.Name)
		case !isBefore(period.From, period.To):
			return Value{}, period, nil
		}
	}
	if c.where != nil {
		if is, err := c.where(context.Background(), record); !is || err != nil { // the conditions read only the record
			return Value{}, period, err
		}
	}
	var text []byte
	for _, f := range c.fields {
		value, err := f.Of(record)
		if value.IsNull() || err != nil {
			return Value{}, period, err
		}
		text = appendPart(text, f.kind(), value)
	}
	return Text(string(text)), period, nil
}

// isBefore reports whether a beginning comes before an end.
func isBefore(from, to Value) bool { return from.IsNull() || to.IsNull() || from.Compare(to) < 0 }

// Overlaps reports whether two periods share a moment. Neither is empty.
func (p Period) Overlaps(other Period) bool {
	return isBefore(p.From, other.To) && isBefore(other.From, p.To)
}

// Start returns the position of a record in an index: records with one key are sorted by their beginnings.
func (c *Constraint) Start(key Value, p Period) Value { return c.position(key, p.From, 0) }

// End returns the position behind the records with the key that begin before the period ends.
func (c *Constraint) End(key Value, p Period) Value { return c.position(key, p.To, 2) }

// position returns the position of a moment behind a key. Null is before or behind all moments.
func (c *Constraint) position(key, at Value, open byte) Value {
	if c.from == nil {
		return key
	}
	const moment = 1
	text := append([]byte(nil), key.text...)
	if at.IsNull() {
		return Text(string(append(text, open)))
	}
	return Text(string(appendPart(append(text, moment), c.from.kind(), at)))
}

// kind returns the kind of the field's values. An identifier of several fields is one text.
func (f *Field) kind() model.Kind {
	if f.parts != nil {
		return model.String
	}
	return f.typ.Kind
}
