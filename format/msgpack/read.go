package msgpack

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
)

// reader converts MessagePack to JSON. It never allocates by a length in the body, only by what it has read.
type reader struct {
	text    []byte
	at      int
	depth   int // of the current value
	deepest int // the maximum
	members int // how many more values are allowed
}

// Limits of a body without limits from its API.
const (
	usualDepth  = 64
	usualValues = 100_000
)

// read converts a body to JSON.
func read(body *format.Body) ([]byte, error) {
	r := &reader{text: body.Bytes, deepest: cmp.Or(body.MaxDepth, usualDepth), members: cmp.Or(body.MaxValues, usualValues)}
	b, err := r.value(make([]byte, 0, 2*len(body.Bytes)))
	if err != nil {
		return nil, r.complete(err, body)
	}
	if r.at < len(r.text) {
		return nil, &format.Error{Detail: "The body is not well-formed MessagePack: data follows the value."}
	}
	return b, nil
}

// fault is an error in a body. Each enclosing value adds its name on the way out.
type fault struct {
	what   string
	status int
	path   []string // from the innermost value outwards
}

// Error returns the text.
func (f *fault) Error() string { return f.what }

func wrong(what string) error { return &fault{what: what} }

// inside adds the name of the field or element that contains an error.
func inside(err error, name string) error {
	if f, ok := errors.AsType[*fault](err); ok && name != "" {
		f.path = append(f.path, name)
	}
	return err
}

// complete returns the error for the client.
func (r *reader) complete(err error, body *format.Body) error {
	f, ok := errors.AsType[*fault](err)
	switch {
	case !ok:
		return err
	case f.status == http.StatusRequestEntityTooLarge && r.members < 0:
		most := cmp.Or(body.MaxValues, usualValues)
		return &format.Error{Status: f.status, Detail: fmt.Sprintf("The body must not have more than %d fields and elements.", most)}
	case f.status == http.StatusRequestEntityTooLarge:
		return &format.Error{Status: f.status, Detail: fmt.Sprintf("The body must not be nested more than %d levels deep.", r.deepest)}
	}
	var pointer strings.Builder
	for i := len(f.path) - 1; i >= 0 && pointer.Len() < longestPointer; i-- {
		pointer.WriteByte('/')
		pointer.WriteString(strings.NewReplacer("~", "~0", "/", "~1").Replace(f.path[i]))
	}
	if pointer.Len() == 0 { // the error is in no value: give the position of the byte
		f.what += " (at byte " + strconv.Itoa(r.at) + ")"
	}
	return &format.Error{Detail: "The body is not well-formed MessagePack: " + f.what + ".", Pointer: pointer.String()}
}

// longestPointer and longestName limit what an error repeats of names that the client chose.
const (
	longestPointer = 200
	longestName    = 64
)

// take returns the next n bytes.
func (r *reader) take(n uint64) ([]byte, error) {
	if n > uint64(len(r.text)-r.at) {
		return nil, wrong("it ends before it is complete")
	}
	taken := r.text[r.at : r.at+int(n)]
	r.at += len(taken)
	return taken, nil
}

// number reads an unsigned number of some bytes.
func (r *reader) number(bytes uint64) (uint64, error) {
	taken, err := r.take(bytes)
	var n uint64
	for _, c := range taken {
		n = n<<8 | uint64(c)
	}
	return n, err
}

// value appends the JSON of the next value.
func (r *reader) value(b []byte) ([]byte, error) {
	first, err := r.number(1)
	if err != nil {
		return b, err
	}
	switch c := byte(first); {
	case c < fixmap:
		return strconv.AppendUint(b, first, 10), nil
	case c >= negative:
		return strconv.AppendInt(b, int64(int8(c)), 10), nil
	case c < fixarray:
		return r.object(b, first&0xf)
	case c < fixstr:
		return r.array(b, first&0xf)
	case c < codeNil:
		return r.string(b, first&0x1f)
	case c >= str8:
		return r.sized(b, c)
	case c >= codeUint8 && c <= codeInt64, c == codeFloat32, c == codeFloat64:
		return r.scalar(b, c)
	case c == codeNil:
		return append(b, "null"...), nil
	case c == isFalse:
		return append(b, "false"...), nil
	case c == isTrue:
		return append(b, "true"...), nil
	case c == unused:
		return b, wrong("the byte 0xc1 is not a value")
	case c <= bin32:
		return b, wrong("binary values are not supported; send bytes as a base64 string")
	}
	return b, wrong("extension types are not supported; send times as strings")
}

// sized appends a value that begins with its length.
func (r *reader) sized(b []byte, c byte) ([]byte, error) {
	var bytes uint64
	switch c {
	case str8:
		bytes = 1
	case str16, array16, map16:
		bytes = 2
	default:
		bytes = 4
	}
	n, err := r.number(bytes)
	switch {
	case err != nil:
		return b, err
	case c <= str32:
		return r.string(b, n)
	case c <= array32:
		return r.array(b, n)
	}
	return r.object(b, n)
}

// scalar appends a number.
func (r *reader) scalar(b []byte, c byte) ([]byte, error) {
	switch {
	case c == codeFloat32:
		n, err := r.number(4)
		if err != nil {
			return b, err
		}
		return appendFloat(b, float64(math.Float32frombits(uint32(n))), 32)
	case c == codeFloat64:
		n, err := r.number(8)
		if err != nil {
			return b, err
		}
		return appendFloat(b, math.Float64frombits(n), 64)
	case c <= codeUint64:
		n, err := r.number(1 << (c - codeUint8))
		return strconv.AppendUint(b, n, 10), err
	}
	taken, err := r.take(1 << (c - codeInt8))
	if err != nil {
		return b, err
	}
	var n int64
	switch len(taken) {
	case 1:
		n = int64(int8(taken[0]))
	case 2:
		n = int64(int16(binary.BigEndian.Uint16(taken)))
	case 4:
		n = int64(int32(binary.BigEndian.Uint32(taken)))
	default:
		n = int64(binary.BigEndian.Uint64(taken))
	}
	return strconv.AppendInt(b, n, 10), nil
}

// Integers up to exact are the same in the floats of all clients. No integer reaches widest.
const (
	exact  = 1 << 53
	widest = 1 << 64
)

// appendFloat appends a float. A whole float is an integer, because clients whose numbers are all floats send integers
// so. Its shortest digits as a float can be those of another integer.
func appendFloat(b []byte, f float64, bits int) ([]byte, error) {
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return b, wrong("a number is not finite")
	case f == math.Trunc(f) && math.Abs(f) < exact:
		return strconv.AppendInt(b, int64(f), 10), nil
	case f == math.Trunc(f) && math.Abs(f) < widest:
		return strconv.AppendFloat(b, f, 'f', 0, bits), nil
	}
	// As ECMAScript writes numbers, because a number in a value of type any keeps its text.
	if size := math.Abs(f); 1e-6 <= size && size < 1e21 {
		return strconv.AppendFloat(b, f, 'f', -1, bits), nil
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, bits), "e")
	return append(append(b, mantissa...), "e"+strings.NewReplacer("+", "", "-0", "-").Replace(exponent)...), nil
}

// string appends a string of n bytes.
func (r *reader) string(b []byte, n uint64) ([]byte, error) {
	text, err := r.take(n)
	switch {
	case err != nil:
		return b, err
	case !utf8.Valid(text):
		return b, wrong("a string is not valid UTF-8")
	}
	return jsontext.AppendQuote(b, text)
}

// enter begins a list or an object. Each element has at least one byte, so a count beyond the rest of the body is
// rejected before reading.
func (r *reader) enter(n, each uint64) error {
	switch {
	case n > uint64(len(r.text)-r.at)/each:
		return wrong("it ends before it is complete")
	case r.depth >= r.deepest:
		return &fault{status: http.StatusRequestEntityTooLarge}
	}
	r.depth++
	if r.members -= int(n); r.members < 0 {
		return &fault{status: http.StatusRequestEntityTooLarge}
	}
	return nil
}

func (r *reader) array(b []byte, n uint64) (_ []byte, err error) {
	if err = r.enter(n, 1); err != nil {
		return b, err
	}
	b = append(b, '[')
	for i := range n {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = r.value(b); err != nil {
			return b, inside(err, strconv.FormatUint(i, 10))
		}
	}
	r.depth--
	return append(b, ']'), nil
}

func (r *reader) object(b []byte, n uint64) (_ []byte, err error) {
	if err = r.enter(n, 2); err != nil {
		return b, err
	}
	b = append(b, '{')
	for i := range n {
		if i > 0 {
			b = append(b, ',')
		}
		begin := len(b)
		if r.at < len(r.text) && !isText(r.text[r.at]) {
			return b, wrong("the name of a field is not a string")
		}
		if b, err = r.value(b); err != nil {
			return b, err
		}
		name := b[begin:]
		if b, err = r.value(append(b, ':')); err != nil {
			return b, inside(err, nameOf(name))
		}
	}
	r.depth--
	return append(b, '}'), nil
}

// isText reports whether a value that begins with the byte is a string.
func isText(c byte) bool { return c >= fixstr && c < codeNil || c >= str8 && c <= str32 }

// nameOf returns the name of a field for the pointer of an error, "" if it is too long to repeat.
func nameOf(quoted []byte) string {
	if len(quoted) > longestName {
		return ""
	}
	name, err := jsontext.AppendUnquote(nil, quoted)
	if err != nil {
		return ""
	}
	return string(name)
}
