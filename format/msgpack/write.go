package msgpack

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strconv"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/scan"
)

// The first bytes of values, named as in the specification.
const (
	fixmap      = 0x80
	fixarray    = 0x90
	fixstr      = 0xa0
	codeNil     = 0xc0
	unused      = 0xc1
	isFalse     = 0xc2
	isTrue      = 0xc3
	bin8        = 0xc4
	bin32       = 0xc6
	ext8        = 0xc7
	ext32       = 0xc9
	codeFloat32 = 0xca
	codeFloat64 = 0xcb
	codeUint8   = 0xcc
	codeUint16  = 0xcd
	codeUint32  = 0xce
	codeUint64  = 0xcf
	codeInt8    = 0xd0
	codeInt16   = 0xd1
	codeInt32   = 0xd2
	codeInt64   = 0xd3
	fixext1     = 0xd4
	fixext16    = 0xd8
	str8        = 0xd9
	str16       = 0xda
	str32       = 0xdb
	array16     = 0xdc
	array32     = 0xdd
	map16       = 0xde
	map32       = 0xdf
	negative    = 0xe0 // and above: -32 to -1
)

// appendItem appends a record, or the result of a handler.
func appendItem(b []byte, item format.Item) ([]byte, error) {
	fields, err := item.Fields()
	if err != nil {
		return b, err
	}
	if fields == nil {
		return appendOther(b, item)
	}
	begin := len(b)
	b = append(b, 0)
	for i := range fields {
		b = appendText(b, fields[i].Name)
		if value := fields[i].JSON; value[0] == '"' && bytes.IndexByte(value, '\\') < 0 {
			b = append(appendLength(b, len(value)-2), value[1:len(value)-1]...)
		} else {
			b, _ = appendValue(b, value, 0)
		}
	}
	return endContainer(b, begin, len(fields), fixmap, map16), nil
}

// appendOther appends a value that is not an object. It writes the JSON after the place of the response and removes it
// afterwards, so it needs no memory of its own.
func appendOther(b []byte, item format.Item) ([]byte, error) {
	begin := len(b)
	b, err := item.AppendJSON(b)
	if err != nil {
		return b, err
	}
	end := len(b)
	b = appendJSON(b, b[begin:end])
	return append(b[:begin], b[end:]...), nil
}

// appendJSON converts JSON, which must be well-formed.
func appendJSON(b, text []byte) []byte {
	b, _ = appendValue(b, text, scan.Space(text, 0))
	return b
}

// appendValue converts the value that begins at i, and returns the index after it.
func appendValue(b, text []byte, i int) ([]byte, int) {
	if i >= len(text) {
		return append(b, codeNil), i
	}
	switch text[i] {
	case '{':
		return appendContainer(b, text, i, '}')
	case '[':
		return appendContainer(b, text, i, ']')
	case '"':
		end, escaped := scan.String(text, i)
		if !escaped {
			return append(appendLength(b, end-i-2), text[i+1:end-1]...), end
		}
		begin := len(b)
		b = scan.AppendText(b, text[i:end])
		return insertLength(b, begin), end
	}
	end := scan.Value(text, i)
	switch text[i] {
	case 't':
		return append(b, isTrue), end
	case 'f':
		return append(b, isFalse), end
	case 'n':
		return append(b, codeNil), end
	}
	return appendNumber(b, text[i:end]), end
}

// appendContainer converts an object or an array up to its closing bracket. Its length is known only at the end; one
// byte is reserved, because most have few elements.
func appendContainer(b, text []byte, i int, closing byte) ([]byte, int) {
	begin, n := len(b), 0
	b = append(b, 0)
	for i = scan.Space(text, i+1); i < len(text) && text[i] != closing; i = scan.Space(text, i) {
		if text[i] == ',' || text[i] == ':' {
			i++
			continue
		}
		b, i = appendValue(b, text, i)
		n++
	}
	if closing == '}' {
		return endContainer(b, begin, n/2, fixmap, map16), i + 1
	}
	return endContainer(b, begin, n, fixarray, array16), i + 1
}

// endContainer writes the number of elements to the byte reserved at begin.
func endContainer(b []byte, begin, n int, short, long byte) []byte {
	switch {
	case n < 16:
		b[begin] = short | byte(n)
	case n <= math.MaxUint16:
		b[begin] = long
		b = slices.Insert(b, begin+1, byte(n>>8), byte(n))
	default:
		b[begin] = long + 1
		b = slices.Insert(b, begin+1, byte(n>>24), byte(n>>16), byte(n>>8), byte(n))
	}
	return b
}

func appendText(b []byte, text string) []byte { return append(appendLength(b, len(text)), text...) }

// insertLength inserts the length of a string, which is everything from begin on.
func insertLength(b []byte, begin int) []byte {
	var room [5]byte
	return slices.Insert(b, begin, appendLength(room[:0], len(b)-begin)...)
}

// appendLength appends the length of a string.
func appendLength(b []byte, n int) []byte {
	switch {
	case n < 32:
		return append(b, fixstr|byte(n))
	case n <= math.MaxUint8:
		return append(b, str8, byte(n))
	case n <= math.MaxUint16:
		return append(b, str16, byte(n>>8), byte(n))
	}
	return append(b, str32, byte(n>>24), byte(n>>16), byte(n>>8), byte(n))
}

// appendNumber appends a number: an integer of up to 64 bits as an integer, all others as a float.
func appendNumber(b, text []byte) []byte {
	if n, ok := smallNumber(text); ok {
		return appendPositive(b, n)
	}
	if !bytes.ContainsAny(text, ".eE") { // trying to parse those as integers would allocate errors
		if n, err := strconv.ParseInt(string(text), 10, 64); err == nil && n < 0 {
			return appendNegative(b, n)
		}
		if n, err := strconv.ParseUint(string(text), 10, 64); err == nil {
			return appendPositive(b, n)
		}
	}
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil { // beyond the range of floats, which must be finite
		return appendText(b, string(text))
	}
	return binary.BigEndian.AppendUint64(append(b, codeFloat64), math.Float64bits(f))
}

// smallNumber returns a number of a few digits, as most are.
func smallNumber(text []byte) (n uint64, ok bool) {
	if len(text) > 9 {
		return 0, false
	}
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + uint64(c-'0')
	}
	return n, true
}

func appendPositive(b []byte, n uint64) []byte {
	switch {
	case n < 0x80:
		return append(b, byte(n))
	case n <= math.MaxUint8:
		return append(b, codeUint8, byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(b, codeUint16), uint16(n))
	case n <= math.MaxUint32:
		return binary.BigEndian.AppendUint32(append(b, codeUint32), uint32(n))
	}
	return binary.BigEndian.AppendUint64(append(b, codeUint64), n)
}

func appendNegative(b []byte, n int64) []byte {
	switch {
	case n >= -32:
		return append(b, byte(n))
	case n >= math.MinInt8:
		return append(b, codeInt8, byte(n))
	case n >= math.MinInt16:
		return binary.BigEndian.AppendUint16(append(b, codeInt16), uint16(n))
	case n >= math.MinInt32:
		return binary.BigEndian.AppendUint32(append(b, codeInt32), uint32(n))
	}
	return binary.BigEndian.AppendUint64(append(b, codeInt64), uint64(n))
}
