package codec

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// SyntaxError reports a body that is not exactly one well-formed JSON object.
type SyntaxError struct {
	// Detail says what is wrong with the body.
	Detail string
	// Pointer is the place as a JSON Pointer (RFC 6901); "" if it is unknown or too long to help.
	Pointer string
}

// Error returns the detail.
func (e *SyntaxError) Error() string { return e.Detail }

const (
	// maxDepth is the maximum nesting of JSON, the limit of jsontext.
	maxDepth = 10_000
	// maxShownName is the length, in bytes, to which messages cut a client's name.
	maxShownName = 64
	// maxShownPointer is the maximum length of a pointer in a response, in bytes.
	maxShownPointer = 1 << 10
)

// Describe turns an error of jsontext into one for the client.
func Describe(err error, body []byte) error {
	// The body ended before any value. Within a value it would be ErrUnexpectedEOF.
	if errors.Is(err, io.EOF) {
		return &SyntaxError{Detail: "the body is empty"}
	}
	found, ok := errors.AsType[*jsontext.SyntacticError](err)
	if !ok {
		return &SyntaxError{Detail: "the body is not valid JSON"}
	}
	described := &SyntaxError{}
	if len(found.JSONPointer) <= maxShownPointer {
		described.Pointer = string(found.JSONPointer)
	}
	switch name := found.JSONPointer.LastToken(); {
	// The order of cases matters: some errors match two of them, and a field's name helps more than a byte.
	case errors.Is(found, jsontext.ErrDuplicateName) && len(name) <= maxShownName:
		described.Detail = `the field "` + name + `" appears twice`
	case errors.Is(found, jsontext.ErrDuplicateName):
		described.Detail = "a field appears twice"
	case strings.Count(string(found.JSONPointer), "/") >= maxDepth:
		described.Detail = "the body is nested too deeply"
	case errors.Is(found, io.ErrUnexpectedEOF):
		described.Detail = "the body ends before its JSON object is complete"
	default:
		what := "JSON"
		if r, size := utf8.DecodeRune(body[min(int(found.ByteOffset), len(body)):]); r == utf8.RuneError && size == 1 {
			what = "UTF-8"
		}
		described.Detail = "the body is not valid " + what + " at byte " + strconv.FormatInt(found.ByteOffset+1, 10) // counted from 1
	}
	return described
}

// EachField reads an object, and calls a function with the name of each field, which reads the value.
func EachField(from *jsontext.Decoder, read func(name string) error) error {
	return each(from, jsontext.KindEndObject, func() error {
		name, err := from.ReadToken()
		if err != nil {
			return err //nolint:wrapcheck // the decoder says what is wrong
		}
		return read(name.String())
	})
}

// EachElement reads an array, and calls a function for each element, which reads it.
func EachElement(from *jsontext.Decoder, read func() error) error {
	return each(from, jsontext.KindEndArray, read)
}

func each(from *jsontext.Decoder, end jsontext.Kind, read func() error) error {
	_, err := from.ReadToken()
	for err == nil && from.PeekKind() != end {
		err = read()
	}
	if err == nil {
		_, err = from.ReadToken()
	}
	return err //nolint:wrapcheck // the decoder says what is wrong
}
