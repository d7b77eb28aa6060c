package parameters

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// Cursors seals the cursors of one collection: nobody can make one, or change one, who does not know the key, and those
// of another collection do not fit. Cursors are sealed rather than kept by the server, so that any process with the
// same key takes them, and none has to remember them.
type Cursors struct{ key []byte }

// NewCursors makes the cursors of a collection, the same ones wherever key, scope and struct are the same. The fields
// are a part of the scope, so that a cursor does not outlive a change of the type of a field.
func NewCursors(key []byte, scope string, record *model.Struct) *Cursors {
	// A key for each collection, made of the one that the program has: a cursor of another collection
	// fails by its seal, before anything in it is looked at.
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(scope))
	for _, path := range record.Paths() {
		mac.Write([]byte("\x00" + path.Name + " " + path.Leaf().Type.Go.String()))
		if len(path.Fields) > 1 {
			continue
		}
		for _, path := range throughPaths(path.Leaf()) {
			mac.Write([]byte("\x00" + path.Name + " " + path.Leaf().Type.Go.String()))
		}
	}
	return &Cursors{mac.Sum(nil)}
}

// sealSize is how many bytes of a cursor prove it: 128 bits are more than anybody guesses, and
// the rest of the hash would only make addresses longer.
const sealSize = 16

// seal returns the proof of a cursor. It keeps clients from asking for what they may not order
// by, and from giving values that no record has.
func (c *Cursors) seal(payload []byte) []byte {
	mac := hmac.New(sha256.New, c.key)
	mac.Write(payload)
	return mac.Sum(nil)[:sealSize]
}

// mark is a position in an order: after a record, or before it. It holds values rather than an identifier: the record
// may be gone when the next page is asked for, and the page goes on all the same.
type mark struct {
	backward bool
	order    []store.Order
	values   []any // as store.Query.After has them
}

// What a cursor says of a field, before its name.
const (
	ascending  = '+'
	descending = '-'
)

// cursor writes the position of a record. It is the direction, then for each field of the order its own direction, its
// name and its value as JSON, each text after its length. At is the position that the store has told, nil where the
// record tells it. In a form of its own, shorter than JSON and without anything to escape: it becomes a part of an
// address.
func (s *Set) cursor(order []store.Order, record any, at []any, backward bool, masked Masks) (string, error) {
	payload := []byte{ascending}
	if backward {
		payload[0] = descending
	}
	v := reflect.ValueOf(record).Elem()
	for i, o := range order {
		sign := byte(ascending)
		if o.Descending {
			sign = descending
		}
		name := nameOf(o)
		payload = appendText(append(payload, sign), []byte(name))
		var value any
		switch {
		case at != nil:
			value = at[i]
		case masked == nil || !masked(record, name):
			value = s.fields[name].value(v)
		}
		literal, err := s.fields[name].appendValue(value)
		if err != nil {
			return "", err
		}
		payload = appendText(payload, literal)
	}
	return base64.RawURLEncoding.EncodeToString(append(s.cursors.seal(payload), payload...)), nil
}

// Masks reports whether a field of a record counts as null in an order, for it is hidden from
// the client. Nil is for a client who may see all.
type Masks func(record any, field string) bool

// Position returns the position of a record in an order, as store.Query.After has it: of an order
// that goes through no reference. The value of a hidden field must not be in it, for it gets into
// addresses, and cursors are signed, not encrypted.
func (s *Set) Position(order []store.Order, record any, masked Masks) []any {
	v := reflect.ValueOf(record).Elem()
	values := make([]any, len(order))
	for i, o := range order {
		if masked == nil || !masked(record, o.Field) {
			values[i] = s.fields[o.Field].value(v)
		}
	}
	return values
}

// appendValue writes a value of the field, as [position.read] reads it: JSON where there is a
// form, since that is exact for every type.
func (p position) appendValue(value any) ([]byte, error) {
	if value == nil {
		return []byte("null"), nil
	}
	literal, err := p.scalar.Append(nil, value)
	if err == nil {
		return literal, nil
	}
	if unsayable, ok := appendUnsayable(value); ok {
		return unsayable, nil
	}
	return nil, err
}

// appendText appends a text after its length, so that no byte in it needs to be escaped.
func appendText(b, text []byte) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// open reads a cursor, and reports whether it is one of this collection. What is sealed was written here, but perhaps
// by an earlier version of the program, with other fields: it is read as carefully as if a client had made it.
func (s *Set) open(text string) (*mark, bool) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(raw) <= sealSize {
		return nil, false
	}
	payload := raw[sealSize:]
	// In constant time, or the seal could be guessed byte by byte.
	if !hmac.Equal(raw[:sealSize], s.cursors.seal(payload)) {
		return nil, false
	}
	at := &mark{backward: payload[0] == descending}
	for rest := payload[1:]; len(rest) > 0; {
		var ok bool
		if rest, ok = s.openField(at, rest); !ok {
			return nil, false
		}
	}
	// Without the identifier at the end, records that are alike in all else would be left out or come twice.
	for _, id := range s.id {
		if !slices.ContainsFunc(at.order, func(o store.Order) bool { return o.Field == id && o.Through == "" }) {
			return nil, false
		}
	}
	last := at.order[len(at.order)-1]
	return at, last.Through == "" && slices.Contains(s.id, last.Field)
}

// openField reads one field of a cursor, and returns what follows it. A field that can no longer be ordered by makes
// the cursor one of another program: it is refused, and the client begins anew.
func (s *Set) openField(at *mark, b []byte) ([]byte, bool) {
	sign := b[0]
	name, b, ok := cutText(b[1:])
	if !ok {
		return nil, false
	}
	literal, b, ok := cutText(b)
	position := s.fields[string(name)]
	if !ok || position == nil {
		return nil, false
	}
	var value any
	if string(literal) != "null" {
		if value, ok = position.read(literal); !ok {
			return nil, false
		}
	}
	at.order = append(at.order, orderBy(position.path, sign == descending))
	at.values = append(at.values, value)
	return b, true
}

// cutText cuts off what appendText has appended, and reports whether there is such a text.
func cutText(b []byte) (text, rest []byte, ok bool) {
	n, size := binary.Uvarint(b)
	if size <= 0 {
		return nil, nil, false
	}
	// Compared before anything is cut: the length is a number of 64 bits, and would overflow an int.
	if b = b[size:]; n > uint64(len(b)) {
		return nil, nil, false
	}
	return b[:n], b[n:], true
}

// unsayable stands in a cursor before a value that JSON has no form for: a time behind the
// year 9999, a number that is not finite, text that is not UTF-8. No client writes such a
// one, but another program may have, and pages go on behind its record as behind any other.
const unsayable = '~'

// appendUnsayable writes a value that JSON has no form for, if there is a form here.
// Bits and seconds rather than a text in decimal, so that the very same value is read.
func appendUnsayable(value any) ([]byte, bool) {
	b, v := []byte{unsayable}, reflect.ValueOf(value)
	switch {
	case v.Type().ConvertibleTo(reflect.TypeFor[time.Time]()):
		at := v.Convert(reflect.TypeFor[time.Time]()).Interface().(time.Time)
		b = strconv.AppendInt(b, at.Unix(), 10)
		return strconv.AppendInt(append(b, '.'), int64(at.Nanosecond()), 10), true
	case v.CanFloat():
		return strconv.AppendUint(b, math.Float64bits(v.Float()), 16), true
	case v.Kind() == reflect.String:
		return append(b, v.String()...), true
	}
	return nil, false
}

// read reads a value of a cursor, and reports whether it is one of the field's.
func (p position) read(literal []byte) (any, bool) {
	if len(literal) == 0 || literal[0] != unsayable {
		value, err := p.scalar.Decode(literal)
		return value, err == nil
	}
	text := string(literal[1:])
	made := reflect.New(p.path.Leaf().Type.Base()).Elem()
	switch {
	case reflect.TypeFor[time.Time]().ConvertibleTo(made.Type()):
		at, ok := unsayableTime(text)
		if !ok {
			return nil, false
		}
		made.Set(reflect.ValueOf(at).Convert(made.Type()))
	case made.CanFloat():
		bits, err := strconv.ParseUint(text, 16, 64)
		if err != nil {
			return nil, false
		}
		made.SetFloat(math.Float64frombits(bits))
	case made.Kind() == reflect.String:
		made.SetString(text)
	default:
		return nil, false
	}
	return made.Interface(), true
}

// unsayableTime reads the seconds and nanoseconds of a time.
func unsayableTime(text string) (time.Time, bool) {
	seconds, nanoseconds, ok := strings.Cut(text, ".")
	s, err := strconv.ParseInt(seconds, 10, 64)
	n, fault := strconv.ParseInt(nanoseconds, 10, 64)
	return time.Unix(s, n).UTC(), ok && err == nil && fault == nil
}
