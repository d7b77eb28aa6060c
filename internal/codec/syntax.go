package codec

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// SyntaxError is a body that is not exactly one well-formed JSON object.
type SyntaxError struct {
	// Detail tells the client what is wrong with the body, in plain English.
	Detail string
	// Pointer is where, as a JSON Pointer (RFC 6901); "" where that is not known or
	// too long to help.
	Pointer string
}

// Error returns the detail.
func (e *SyntaxError) Error() string { return e.Detail }

const (
	// maxDepth is how deep JSON may be nested: jsontext has this limit.
	maxDepth = 10_000
	// maxShownName is how long a member's name may be to stand in a message.
	maxShownName = 64
	// maxShownPointer is how long a pointer may be to stand in an answer.
	maxShownPointer = 1 << 10
)

// describe makes the error for the client of what jsontext says of a body.
func describe(err error, body []byte) error {
	if own, ok := errors.AsType[*SyntaxError](err); ok {
		return own
	}
	// The end before any value. Within one it is ErrUnexpectedEOF, which says something else.
	if errors.Is(err, io.EOF) {
		return &SyntaxError{Detail: "the body is empty"}
	}
	found, ok := errors.AsType[*jsontext.SyntacticError](err)
	if !ok {
		return &SyntaxError{Detail: "the body is not valid JSON"}
	}
	described := &SyntaxError{Detail: detail(found, body)}
	if len(found.JSONPointer) <= maxShownPointer {
		described.Pointer = string(found.JSONPointer)
	}
	return described
}

// detail says what is wrong. Bytes are counted from 1.
func detail(found *jsontext.SyntacticError, body []byte) string {
	switch {
	// The order counts: jsontext reports the first fault that it meets, but some of its errors fit two
	// of these, and the name of the member helps more than a byte does.
	case errors.Is(found, jsontext.ErrDuplicateName):
		return duplicate(found.JSONPointer.LastToken())
	case strings.Count(string(found.JSONPointer), "/") >= maxDepth:
		return "the body is nested too deeply"
	case errors.Is(found, io.ErrUnexpectedEOF):
		return "the body ends before its JSON object is complete"
	case !utf8.Valid(body):
		return "the body is not valid UTF-8 at byte " + strconv.Itoa(validUTF8(body)+1)
	}
	return "the body is not valid JSON at byte " + strconv.FormatInt(found.ByteOffset+1, 10)
}

func duplicate(name string) string {
	if len(name) > maxShownName {
		return "a field appears twice"
	}
	return `the field "` + name + `" appears twice`
}

// validUTF8 returns how many bytes text has before the first that is not UTF-8.
func validUTF8(text []byte) int {
	n := 0
	for n < len(text) {
		r, size := utf8.DecodeRune(text[n:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		n += size
	}
	return n
}
