package parameters

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"math"
	"reflect"
	"slices"
	"time"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// sealingKey returns the key that seals the cursors of a collection. A client without it cannot create or change a
// cursor. The server stores nothing, so every process with the same key accepts the same cursors. Each collection has its
// own key, derived from the program's, so that the seal already rejects cursors of other collections, and cursors become
// invalid if the type of a field changes.
func (s *Set) sealingKey(key []byte, scope string, record *model.Struct) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(scope))
	for _, path := range s.queryable(record) {
		mac.Write([]byte("\x00" + path.Name + " " + path.Leaf().Type.Go.String()))
	}
	return mac.Sum(nil)
}

// sealSize is the number of bytes that authenticate a cursor. 128 bits are enough, and more would lengthen every
// URL.
const sealSize = 16

// seal returns the message authentication code of a cursor. It keeps clients from sorting by other fields, and from
// sending values that no record can have.
func (s *Set) seal(payload []byte) []byte {
	mac := hmac.New(sha256.New, s.key)
	mac.Write(payload)
	return mac.Sum(nil)[:sealSize]
}

// mark is a position in a sort order, after or before a record. It has values instead of an identifier, so that
// paging continues after the record is deleted.
type mark struct {
	backward bool
	order    []store.Order
	values   []any // as in store.Query.After
}

// What a cursor contains for a field, before its name.
const (
	ascending  = '+'
	descending = '-'
)

// cursor returns the cursor for the position of a record: the direction, then for each field of the order its own
// direction, its name and its value as JSON, which is exact for every type that has such a form, each text with its length in
// front. At is the position that the store returned, nil to take it from the record. The form is shorter than JSON and needs
// no escapes, because it becomes a part of a URL.
func (s *Set) cursor(order []store.Order, record any, at []any, backward bool, masked func(record any, field string) bool) (string, error) {
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
		name := o.Field
		if o.Through != "" {
			name = o.Through + "." + name
		}
		payload = appendText(append(payload, sign), []byte(name))
		var value any
		switch {
		case at != nil:
			value = at[i]
		case masked == nil || !masked(record, name):
			value = s.fields[name].value(v)
		}
		literal := []byte("null")
		if value != nil {
			var err error
			if literal, err = s.fields[name].scalar.Append(nil, value); err != nil {
				special, ok := appendSpecial(value)
				if !ok {
					return "", err
				}
				literal = special
			}
		}
		payload = appendText(payload, literal)
	}
	seal := s.seal(payload)
	s.encrypt(seal, payload)
	return base64.RawURLEncoding.EncodeToString(append(seal, payload...)), nil
}

// encrypt encrypts or decrypts the payload of an opaque cursor: with a stream that depends on its seal, so that only equal
// positions have equal cursors.
func (s *Set) encrypt(seal, payload []byte) {
	if !s.opaque {
		return
	}
	block, _ := aes.NewCipher(s.seal([]byte("encryption"))) // 128 bits are a valid length
	cipher.NewCTR(block, seal).XORKeyStream(payload, payload)
}

// Position returns the position of a record in an order without references, as in store.Query.After. A field for which
// masked returns true is sorted as null, because it is hidden from the caller; nil hides nothing. Hidden values must not
// be in a position: it becomes a part of URLs, and cursors are signed but not encrypted.
func (s *Set) Position(order []store.Order, record any, masked func(record any, field string) bool) []any {
	v := reflect.ValueOf(record).Elem()
	values := make([]any, len(order))
	for i, o := range order {
		if masked == nil || !masked(record, o.Field) {
			values[i] = s.fields[o.Field].value(v)
		}
	}
	return values
}

// appendText appends a text with its length in front, so that nothing in it needs to be escaped.
func appendText(b, text []byte) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// open reads a cursor, and reports whether it belongs to this collection. An earlier version of the program with
// other fields may have sealed it, so it is read as carefully as client input.
func (s *Set) open(text string) (*mark, bool) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(raw) <= sealSize {
		return nil, false
	}
	payload := raw[sealSize:]
	s.encrypt(raw[:sealSize], payload)
	// In constant time, because otherwise a client could find the seal byte by byte.
	if !hmac.Equal(raw[:sealSize], s.seal(payload)) {
		return nil, false
	}
	at := &mark{backward: payload[0] == descending}
	for rest := payload[1:]; len(rest) > 0; {
		isDescending := rest[0] == descending
		name, behind, _ := cutText(rest[1:])
		literal, behind, ok := cutText(behind)
		// If a field can no longer be sorted by, the client has to start again.
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
		at.order, at.values = append(at.order, orderBy(position.path, isDescending)), append(at.values, value)
		rest = behind
	}
	// Without the identifier at the end, records that are otherwise equal could be left out or repeated.
	for _, id := range s.id {
		if !slices.ContainsFunc(at.order, func(o store.Order) bool { return o.Field == id && o.Through == "" }) {
			return nil, false
		}
	}
	last := at.order[len(at.order)-1]
	return at, last.Through == "" && slices.Contains(s.id, last.Field)
}

// cutText cuts off a text of appendText, and reports whether there was one.
func cutText(b []byte) (text, rest []byte, ok bool) {
	n, size := binary.Uvarint(b)
	if size <= 0 {
		return nil, nil, false
	}
	// Compared before cutting: the length is a 64-bit number and would overflow an int.
	if b = b[size:]; n > uint64(len(b)) {
		return nil, nil, false
	}
	return b[:n], b[n:], true
}

// special marks a value that has no JSON form in a cursor: a time after the year 9999, a number that is not finite,
// a string that is not UTF-8. Clients cannot send such a value, but other programs may store it.
const special = '~'

// appendSpecial appends a value that has no JSON form, if it is of a known type. It uses bytes instead of
// text, so that exactly the same value is read.
func appendSpecial(value any) ([]byte, bool) {
	b, v := []byte{special}, reflect.ValueOf(value)
	switch {
	case v.Type().ConvertibleTo(reflect.TypeFor[time.Time]()):
		at := v.Convert(reflect.TypeFor[time.Time]()).Interface().(time.Time)
		b, err := at.UTC().AppendBinary(b)
		return b, err == nil
	case v.CanFloat():
		return binary.BigEndian.AppendUint64(b, math.Float64bits(v.Float())), true
	case v.Kind() == reflect.String:
		return append(b, v.String()...), true
	}
	return nil, false
}

// read reads a value of a cursor, and reports whether it is one of the field's.
func (p position) read(literal []byte) (any, bool) {
	if len(literal) == 0 || literal[0] != special {
		value, err := p.scalar.Decode(literal)
		return value, err == nil
	}
	literal = literal[1:]
	made := reflect.New(p.path.Leaf().Type.Base()).Elem()
	switch {
	case reflect.TypeFor[time.Time]().ConvertibleTo(made.Type()):
		var at time.Time
		if at.UnmarshalBinary(literal) != nil {
			return nil, false
		}
		made.Set(reflect.ValueOf(at).Convert(made.Type()))
	case made.CanFloat():
		if len(literal) != 8 {
			return nil, false
		}
		made.SetFloat(math.Float64frombits(binary.BigEndian.Uint64(literal)))
	case made.Kind() == reflect.String:
		made.SetString(string(literal))
	default:
		return nil, false
	}
	return made.Interface(), true
}
