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

// shape is what a store knows of the struct of its records, and the counter of their
// identifiers. Its methods take a pointer to that struct.
type shape struct {
	name    string
	record  *model.Struct
	id      *model.Field // nil where several fields make the identifier
	key     model.Identifier
	records *codec.Records
	ids     sequence
	columns columns
}

// compile makes the shape of a struct. Its error joins all that keeps its records from
// being stored.
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

// accepts returns the error of an id that is not of the identifier's type.
func (s *shape) accepts(id any) error {
	if !s.key.Accepts(id) {
		return fmt.Errorf("store/memory: an id of %s is of the type %s, not %T", s.name, s.key.Type(), id)
	}
	return nil
}

// normalize sets in a record what is kept of it.
func (s *shape) normalize(record any) error {
	if err := s.records.Normalize(reflect.ValueOf(record)); err != nil {
		return fmt.Errorf("store/memory: %w", err)
	}
	return nil
}

// carries reports whether a record has an identifier, of which is known whether the two
// are equal in their order.
func (s *shape) carries(record, id any, equal bool) bool {
	if s.id != nil && (s.id.Type.Kind.IsInteger() || s.id.Type.Kind == model.String) { // where that is ==
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

// checkUnique reports a unique field of a type whose values have no simple equality.
func (s *shape) checkUnique(field *model.Field) error {
	if readers[field.Type.Kind] != nil {
		return nil
	}
	return fmt.Errorf("store/memory: %s.%s: is unique and has the type %s: a unique field is a bool, number, string, []byte, "+
		"time.Time or a type that marshals itself as text", s.name, field.GoPath, field.Type.Go)
}

// checkID reports a field of an identifier that cannot find records or cannot be generated. A
// type that is text must take the text of a UUID, to the same value each time.
func (s *shape) checkID(id *model.Field) error {
	where := "store/memory: " + s.name + "." + id.GoPath
	if !id.Type.Go.Comparable() {
		return fmt.Errorf("%s: is the identifier and has the type %s: an identifier is found with ==, which this type does not have",
			where, id.Type.Go)
	}
	if id.Type.Kind != model.Text || !id.Generated {
		return nil
	}
	a, b := reflect.New(id.Type.Go).Elem(), reflect.New(id.Type.Go).Elem()
	text := []byte("0190b6d8-5c1f-7c3e-8f5a-3b1e5d7c9a24")
	for _, made := range []reflect.Value{a, b} {
		if err := model.UnmarshalText(made, text); err != nil {
			return fmt.Errorf("%s: is the identifier and has the type %s, which does not take a generated UUID such as %s: %w",
				where, id.Type.Go, text, err)
		}
	}
	if !a.Equal(b) {
		return fmt.Errorf("%s: is the identifier and has the type %s, whose values for one text are not ==: use a plain array or string, such as uuid.UUID",
			where, id.Type.Go)
	}
	return nil
}

// identify generates the identifier of a record, if it is one that is generated and
// is zero. An integer that is given is not generated later.
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
		return fmt.Errorf("store/memory: %s has no identifiers left: the largest %s is taken", s.name, s.id.Type.Go)
	}
	if id.CanInt() {
		id.SetInt(int64(n)) //nolint:gosec // limit keeps n within the type
	} else {
		id.SetUint(n)
	}
	return nil
}

// reserve keeps the integer identifier that a record has from being generated.
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

// sequence counts integer identifiers up from 1, each once. It is safe for use by many
// goroutines.
type sequence struct {
	limit uint64
	mu    sync.Mutex
	last  uint64
}

// next returns a number that it has neither returned nor passed, or false where there
// is none up to the limit.
func (s *sequence) next() (uint64, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last >= s.limit {
		return 0, false
	}
	s.last++
	return s.last, true
}

// pass goes on after n.
func (s *sequence) pass(n uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = max(s.last, n)
}

// keyColumn returns the column of an identifier that several columns make. Its values are texts
// in the order of the parts, the first one weighing most, so that everything else has one value to
// compare, as of any other identifier.
func keyColumn(name string, parts []*column) *column {
	key := &column{name: name, field: &model.Field{Name: name, Type: &model.Type{Kind: model.String}}, parts: parts, tree: noTree}
	for _, part := range parts {
		// Two values of one text would be two records of one address.
		key.unique = key.unique || part.field.Type.Kind == model.Text
	}
	key.read = key.readParts
	return key
}

// readParts reads the parts of a key as one value. They are fields of the value that it is given.
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

// appendPart appends a value so that the bytes have its order, and none is the beginning of
// another.
func (c *column) appendPart(b []byte, of *value) []byte {
	const (
		sign   = 1 << 63
		zero   = 0x00
		end    = 0x01 // behind a zero: the text ends, which comes before whatever goes on
		escape = 0xff // behind a zero: it is one of the text
	)
	if c.field.Type.Kind.IsInteger() {
		return binary.BigEndian.AppendUint64(b, uint64(of.integer)^sign) //nolint:gosec // all its bits are kept
	}
	for i := range len(of.text) {
		if b = append(b, of.text[i]); of.text[i] == zero {
			b = append(b, escape)
		}
	}
	return append(b, zero, end)
}

// position returns the value of a key whose parts a query has.
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

// width returns how many fields of an order the column stands for.
func (c *column) width() int { return max(len(c.parts), 1) }

// isKey reports whether an order goes on with all parts of the identifier in their order, all in
// one direction: then it is that of the tree.
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

// isTotal reports whether an order has all parts of the identifier in it, wherever they are.
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
