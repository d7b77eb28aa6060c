package codec

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/model"
)

// Decoder decodes bodies by a view. It is safe for concurrent use. Its first use makes the plan.
type Decoder struct {
	codec     *Codec
	view      *model.View
	once      sync.Once
	planned   plan
	decodings sync.Pool // of *decoding
}

// plan returns the plan of the decoder.
func (c *Decoder) plan() plan {
	// Made on first use, because a plan takes some kilobytes and many views are never sent.
	c.once.Do(func() {
		at := position{inner: c.view}
		if c.view != nil {
			at.merges, at.removes = c.view.Merges, c.view.Removes
		}
		c.planned = newPlanner(c.codec.blanks).Of(c.codec.typ, at)
	})
	return c.planned
}

// Decoded is what decoding a body found, apart from the values. It is for one check, which adds to it.
type Decoded struct {
	// Report has all wrong types, unknown fields and missing required fields, in the order of the body, with missing
	// fields last. It also remembers which fields with rules are in the body with an empty value: 0, false, "", or an
	// empty list or map.
	model.Report
	// Mistyped is set if a value had the wrong type or a field was unknown, so the record is not what the client
	// meant.
	Mistyped bool
	// View is the view that decoded the body; nil for none.
	View *model.View
}

// Decode decodes one JSON object, or an array for a list type, into the record that into points to. The result has
// everything that is wrong with its values. A value of the wrong type leaves its field unchanged. Fields that the
// view does not let clients set are ignored.
//
// The error is a *[SyntaxError] if the body is not exactly one well-formed JSON value of that kind. The record is
// then incomplete and must be dropped.
func (c *Decoder) Decode(body []byte, into any) (Decoded, error) {
	// The pool belongs to the decoder, because a decoding has memory that fits one type only.
	d, ok := c.decodings.Get().(*decoding)
	if !ok {
		d = new(decoding)
	}
	d.begin(body, "the body")
	kind := jsontext.KindBeginObject
	if c.codec.typ.Kind == model.List {
		kind = jsontext.KindBeginArray
	}
	err := Whole(&d.json, body, kind, func() error {
		_, err := c.plan().decode(d, reflect.ValueOf(into).UnsafePointer())
		return err
	})
	if err != nil {
		return Decoded{}, err
	}
	decoded := d.end()
	decoded.View = c.view
	c.decodings.Put(d)
	return decoded, nil
}

// ResetClone returns a pointer to a copy of the stored record in which the fields that the view lets clients read
// and set have their defaults again. Other fields keep their values: those of nested structs, create-only fields,
// and fields that are not JSON fields. An identifier that clients choose becomes zero.
func (c *Decoder) ResetClone(stored any) any {
	made := c.codec.Clone(stored)
	if object := c.plan().object; object != nil {
		object.reset(reflect.ValueOf(made).UnsafePointer(), object.blank.value)
	}
	return made
}

// Whole reads a body that is exactly one object or array, which read reads. The error is a *[SyntaxError].
func Whole(d *jsontext.Decoder, body []byte, kind jsontext.Kind, read func() error) (err error) {
	what := "object"
	if kind == jsontext.KindBeginArray {
		what = "array"
	}
	// A value of another kind is skipped first: if the body is not JSON at all, that is the clearer error.
	if d.PeekKind() != kind {
		if err = d.SkipValue(); err == nil {
			return &SyntaxError{Detail: "the body must be a JSON " + what}
		}
	} else if err = read(); err == nil {
		// The library reads streams of values, so it would not report a second one.
		if _, next := d.ReadToken(); !errors.Is(next, io.EOF) {
			return &SyntaxError{Detail: "the body has more data after its JSON " + what}
		}
		return nil
	}
	return Describe(err, body)
}

// Elements returns the elements of a body that is one JSON array, unchanged. The error is a *[SyntaxError], as for
// [Decoder.Decode].
func Elements(body []byte) (list []jsontext.Value, err error) {
	d := jsontext.NewDecoder(bytes.NewReader(body))
	err = Whole(d, body, jsontext.KindBeginArray, func() error {
		return EachElement(d, func() error {
			value, err := d.ReadValue()
			list = append(list, value.Clone())
			return err //nolint:wrapcheck // described by Whole
		})
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

// decoding is the state of decoding one body. It is reused for later bodies.
type decoding struct {
	findings

	subject  string // what messages call the whole value; "" for nothing
	json     jsontext.Decoder
	source   bytes.Buffer
	body     []byte // all of it
	location model.Location
	marks    []mark // of the fields of all structs on the location
	scratch  []byte // the last string with escapes
	stored   bool   // the body comes from a store, see [Stored]
}

func (d *decoding) begin(body []byte, subject string) {
	d.findings, d.subject, d.marks = findings{}, subject, d.marks[:0]
	d.source, d.body = *bytes.NewBuffer(body), body
	d.json.Reset(&d.source)
}

// maxReused is the length up to which a decoding keeps its slices for the next body.
const maxReused = 1 << 12

// end returns what was found, and releases everything that belongs to the body.
func (d *decoding) end() Decoded {
	// Missing fields come last, because they have no place in the order of the body.
	if d.missing != nil {
		d.AddAll(d.missing)
	}
	found := Decoded{Report: d.Report, Mistyped: d.mistyped}
	d.findings = findings{}
	d.source, d.body = bytes.Buffer{}, nil
	d.json.Reset(&d.source)
	d.location.Clear()
	// One large body must not make all later ones keep its memory.
	if cap(d.marks) > maxReused || cap(d.scratch) > maxReused {
		d.marks, d.scratch = nil, nil
	}
	return found
}

// open reads the beginning of an object or array. It skips a value of another kind and reports what it must be.
func (d *decoding) open(kind jsontext.Kind, want string) (ok bool, err error) {
	if d.json.PeekKind() != kind {
		return false, d.skipWrong(want)
	}
	_, err = d.json.ReadToken()
	return err == nil, err
}

// null skips the next value if it is null, and reports whether it was.
func (d *decoding) null() (bool, error) {
	if d.json.PeekKind() != jsontext.KindNull {
		return false, nil
	}
	return true, d.json.SkipValue()
}

// number reads the next value as a number, or skips it and reports what it must be. The number is valid until the
// next read.
func (d *decoding) number(want string) (number []byte, ok bool, err error) {
	if d.json.PeekKind() != jsontext.KindNumber {
		return nil, false, d.skipWrong(want)
	}
	number, err = d.json.ReadValue()
	return number, err == nil, err
}

// string reads the next value as a string, or skips it and reports what it must be. The text is valid until the
// next read.
func (d *decoding) string(want string) (text []byte, ok bool, err error) {
	if d.json.PeekKind() != jsontext.KindString {
		return nil, false, d.skipWrong(want)
	}
	raw, err := d.json.ReadValue()
	if err != nil {
		return nil, false, err
	}
	text = d.unquote(raw)
	return text, len(text) == len(raw)-2 || !d.rejectNUL(raw), nil
}

// unquote returns the contents of a JSON string. They are valid until the next read.
func (d *decoding) unquote(raw []byte) []byte {
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1]
	}
	d.scratch, _ = jsontext.AppendUnquote(d.scratch[:0], raw)
	return d.scratch
}

// rejectNUL reports the character U+0000 in a JSON value as a violation, and returns whether there is one.
// Databases cannot store it in text, and all stores must respond alike.
func (d *decoding) rejectNUL(raw []byte) bool {
	found := !d.stored && hasNUL(raw)
	if found {
		d.wrong(codeNUL, "must not contain the character U+0000")
	}
	return found
}

// hasNUL reports whether a string in a JSON value contains U+0000, which JSON can only write as an escape.
func hasNUL(raw []byte) bool {
	for {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 {
			return false
		}
		if bytes.HasPrefix(raw[i:], []byte(`\u0000`)) {
			return true
		}
		// Two bytes, so that an escaped backslash does not start another escape.
		raw = raw[i+2:]
	}
}
