package memory

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"sync"

	"github.com/google/uuid"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// shape describes the struct of a store's records, and counts their identifiers. Its methods take a pointer to that
// struct.
type shape struct {
	name    string
	record  *model.Struct
	id      *model.Field // nil if the identifier has several fields
	key     model.Identifier
	records *codec.Records
	ids     sequence
	columns columns
}

// compile returns the shape of a struct. Its error joins all reasons why records cannot be stored.
func compile(compiled *model.Struct) (*shape, error) {
	s := &shape{name: compiled.Go.Name(), record: compiled, key: compiled.Identifier(), records: codec.CompileRecords(compiled)}
	var errs []error
	for _, field := range s.key.Fields() {
		errs = append(errs, s.checkID(field))
	}
	if s.columns = columnsOf(compiled); !s.key.IsComposite() {
		s.id, s.ids.limit = compiled.ID, limit(compiled.ID.Type)
	}
	for _, field := range compiled.Fields {
		if !field.Unique || field == s.id {
			continue
		}
		errs = append(errs, s.checkUnique(field))
	}
	return s, errors.Join(errs...)
}

// accepts returns an error if an id has another type than the identifier.
func (s *shape) accepts(id any) error {
	if !s.key.Accepts(id) {
		return fmt.Errorf("store/memory: an id of %s must be of type %s, not %T", s.name, s.key.Type(), id)
	}
	return nil
}

// normalize changes values in a record to the form in which they are stored.
func (s *shape) normalize(record any) error {
	if err := s.records.Normalize(reflect.ValueOf(record)); err != nil {
		return fmt.Errorf("store/memory: %w", err)
	}
	return nil
}

// carries reports whether a record has an identifier. Equal reports whether the two are equal in their order.
func (s *shape) carries(record, id any, equal bool) bool {
	if s.id != nil && (s.id.Type.Kind.IsInteger() || s.id.Type.Kind == model.String) { // equality is ==
		return equal
	}
	return s.idOf(record) == id
}

// idOf returns the identifier of a record.
func (s *shape) idOf(record any) any {
	return s.key.Of(record)
}

// clone returns a copy of a record.
func (s *shape) clone(record any) any { return s.records.Clone(record) }

// checkUnique returns an error for a unique field whose type has no simple equality.
func (s *shape) checkUnique(field *model.Field) error {
	if readers[field.Type.Kind] != nil {
		return nil
	}
	return fmt.Errorf("store/memory: %s.%s: is unique and has type %s; a unique field must be a bool, number, string, []byte, "+
		"time.Time or a type that marshals itself as text", s.name, field.GoPath, field.Type.Go)
}

// checkID returns an error for an identifier field that cannot be looked up or generated. A type that marshals itself
// as text must accept the text of a UUID, with the same value each time.
func (s *shape) checkID(id *model.Field) error {
	where := "store/memory: " + s.name + "." + id.GoPath
	if !id.Type.Go.Comparable() {
		return fmt.Errorf("%s: is the identifier and has type %s, which cannot be compared with ==; use an integer, a string or a UUID",
			where, id.Type.Go)
	}
	if id.Type.Kind != model.Text || !id.Generated {
		return nil
	}
	a, b := reflect.New(id.Type.Go).Elem(), reflect.New(id.Type.Go).Elem()
	text := []byte("0190b6d8-5c1f-7c3e-8f5a-3b1e5d7c9a24")
	for _, made := range []reflect.Value{a, b} {
		if err := model.UnmarshalText(made, text); err != nil {
			return fmt.Errorf("%s: is the identifier and has type %s, which does not accept a generated UUID such as %s: %w",
				where, id.Type.Go, text, err)
		}
	}
	if !a.Equal(b) {
		return fmt.Errorf("%s: is the identifier and has type %s, whose values for the same text are not ==; use a plain array or string, such as uuid.UUID",
			where, id.Type.Go)
	}
	return nil
}

// identify generates a record's identifier if it is a generated one and zero. Integers set by callers are not generated
// later.
func (s *shape) identify(record any) error {
	if s.id == nil {
		return nil
	}
	id := s.id.Value(reflect.ValueOf(record).Elem())
	if !s.id.Generated || !id.IsZero() {
		s.reserve(record)
		return nil
	}
	if s.id.Type.Kind == model.Text {
		made, err := uuid.NewV7()
		if err != nil {
			return fmt.Errorf("store/memory: generating a UUID: %w", err)
		}
		return model.UnmarshalText(id, []byte(made.String()))
	}
	n, ok := s.ids.next()
	if !ok {
		return fmt.Errorf("store/memory: %s has no identifiers left: the largest %s is in use", s.name, s.id.Type.Go)
	}
	if id.CanInt() {
		id.SetInt(int64(n)) //nolint:gosec // limit keeps n within the type
	} else {
		id.SetUint(n)
	}
	return nil
}

// reserve keeps the record's integer identifier from being generated.
func (s *shape) reserve(record any) {
	if s.id == nil {
		return
	}
	id := s.id.Value(reflect.ValueOf(record).Elem())
	switch {
	case id.CanInt() && id.Int() > 0:
		s.ids.pass(uint64(id.Int())) //nolint:gosec // positive
	case id.CanUint():
		s.ids.pass(id.Uint())
	}
}

// limit returns the largest identifier of an integer type, 0 for other types.
func limit(t *model.Type) uint64 {
	switch bits := t.Bits; {
	case !t.Kind.IsInteger():
		return 0
	case t.Kind == model.Int:
		return math.MaxUint64 >> (65 - bits)
	default:
		return math.MaxUint64 >> (64 - bits)
	}
}

// sequence generates integer identifiers from 1, each once. It is safe for concurrent use.
type sequence struct {
	limit uint64
	mu    sync.Mutex
	last  uint64
}

// next returns a number that was neither returned nor passed, or false beyond the limit.
func (s *sequence) next() (uint64, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last >= s.limit {
		return 0, false
	}
	s.last++
	return s.last, true
}

// pass continues after n.
func (s *sequence) pass(n uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = max(s.last, n)
}

// keyColumn returns the column of a composite identifier. Its values are strings in the order of the parts, so that a
// composite identifier has one value to compare, as any other.
func keyColumn(name string, parts []*column) *column {
	key := &column{name: name, field: &model.Field{Name: name, Type: &model.Type{Kind: model.String}}, parts: parts, tree: noTree}
	for _, part := range parts {
		// Two values with the same text would give two records the same URL.
		key.unique = key.unique || part.field.Type.Kind == model.Text
	}
	key.read = key.readParts
	return key
}

// readParts reads the parts of a key as one value. They are fields of the given value.
func (c *column) readParts(in reflect.Value) (value, error) {
	var text []byte
	for _, part := range c.parts {
		found, err := part.readIn(in)
		if err != nil {
			return value{}, err
		}
		text = part.appendPart(text, &found)
	}
	return ofText(string(text)), nil
}

// partsOf returns the columns of the parts of a key.
func partsOf(path model.Path, key *model.Type) []*column {
	parts := make([]*column, len(key.Parts))
	for i, part := range key.Parts {
		parts[i] = newColumn(model.Path{Name: path.Name, Fields: []*model.Field{part}})
	}
	return parts
}

// appendPart appends a value so that the bytes have its order, and no value is a prefix of another.
func (c *column) appendPart(b []byte, of *value) []byte {
	const (
		sign   = 1 << 63
		zero   = 0x00
		end    = 0x01 // after a zero: the string ends, which sorts before a longer one
		escape = 0xff // after a zero: the zero is part of the string
	)
	if c.field.Type.Kind.IsInteger() {
		return binary.BigEndian.AppendUint64(b, uint64(of.integer)^sign) //nolint:gosec // keeps all bits
	}
	for i := range len(of.text) {
		if b = append(b, of.text[i]); of.text[i] == zero {
			b = append(b, escape)
		}
	}
	return append(b, zero, end)
}

// position returns the value of a key from its parts in a query.
func (c *column) position(after []any) (value, error) {
	var text []byte
	for i, part := range c.parts {
		found, err := part.value(after[i])
		if err != nil {
			return value{}, err
		}
		text = part.appendPart(text, &found)
	}
	return ofText(string(text)), nil
}

// width returns the number of sort fields that the column represents.
func (c *column) width() int { return max(len(c.parts), 1) }

// isKey reports whether an order continues with all parts of the identifier, in sequence and in one direction, so that
// the identifier's tree has it.
func (c *columns) isKey(rest []store.Order) bool {
	parts := c.trees[0].parts
	if parts == nil || len(rest) < len(parts) {
		return false
	}
	for i, part := range parts {
		if rest[i].Field != part.name || rest[i].Through != "" || rest[i].Descending != rest[0].Descending || len(rest[i].NullUnless) > 0 {
			return false
		}
	}
	return true
}

// isTotal reports whether an order contains all parts of the identifier.
func (c *columns) isTotal(of order) bool {
	parts := c.trees[0].parts
	for _, part := range parts {
		named := false
		for i := range of {
			named = named || of[i].column == part && of[i].reach == nil && of[i].nullUnless == nil
		}
		if !named {
			return false
		}
	}
	return parts != nil
}
