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

// Decoder decodes bodies by a view. It is safe for use by many goroutines; it is planned by
// its first use.
type Decoder struct {
	codec     *Codec
	view      *model.View
	once      sync.Once
	planned   plan
	decodings sync.Pool // of *decoding
}

// plan returns how the decoder decodes.
func (c *Decoder) plan() plan {
	// By the first use rather than by New: a plan takes some kilobytes, and many views are never sent.
	c.once.Do(func() {
		at := position{inner: c.view}
		if c.view != nil {
			at.merges, at.removes = c.view.Merges, c.view.Removes
		}
		c.planned = newPlanner(c.codec.blanks).Of(c.codec.typ, at)
	})
	return c.planned
}

// Decoded is what decoding a body found besides the values. It is for one check: what that
// finds is remembered at the same places.
type Decoded struct {
	// Report has all wrong types, unknown members and missing required members, in the
	// order of the body, the missing ones last. It remembers the fields with rules that
	// the body has with an empty value, 0, false, "", or a list or map without elements,
	// which rules may take for absent.
	model.Report
	// Mistyped says that a value had the wrong type or a member was unknown, so that
	// the record is not what the client meant.
	Mistyped bool
	// View is what the body was read by; nil where there was none.
	View *model.View
}

// Decode reads one JSON object, an array where the type is a list, from body onto the record that into points to. What is
// wrong with its values is in the result, all of it; a value of the wrong type leaves
// its field as it was. Members that the view does not let clients set are passed over.
//
// The error is a *[SyntaxError]: a body that is not exactly one well-formed JSON
// object. The record is then half done and to be dropped.
func (c *Decoder) Decode(body []byte, into any) (Decoded, error) {
	// The pool belongs to the decoder, not to the package: what a decoding keeps (a copy of the record)
	// fits one type only.
	d, ok := c.decodings.Get().(*decoding)
	if !ok {
		d = new(decoding)
	}
	d.begin(body, "the body")
	kind, what := jsontext.KindBeginObject, "object"
	if c.codec.typ.Kind == model.List {
		kind, what = jsontext.KindBeginArray, "array"
	}
	var err error
	// A value of another kind is passed over first: that the body is not JSON at all is the clearer error.
	if d.json.PeekKind() != kind {
		if err = d.json.SkipValue(); err == nil {
			err = &SyntaxError{Detail: "the body must be a JSON " + what}
		}
	} else if _, err = c.plan().decode(d, reflect.ValueOf(into).UnsafePointer()); err == nil {
		// The library reads streams of values, and would leave a second one for the next call.
		if _, next := d.json.ReadToken(); !errors.Is(next, io.EOF) {
			err = &SyntaxError{Detail: "the body has more data after its JSON " + what}
		}
	}
	if err != nil {
		return Decoded{}, describe(err, body)
	}
	decoded := d.end()
	decoded.View = c.view
	c.decodings.Put(d)
	return decoded, nil
}

// ResetClone returns a pointer to a copy of the stored record whose members that the view lets
// clients set, and see, have their defaults again. All others stay, those of nested structs
// too, members that are set at creation alone, and fields that are no JSON members. An identifier that clients choose is a
// member like any other: it is zero.
func (c *Decoder) ResetClone(stored any) any {
	made := c.codec.Clone(stored)
	if object := c.plan().object; object != nil {
		object.reset(reflect.ValueOf(made).UnsafePointer(), object.blank.value)
	}
	return made
}

// Elements returns the elements of a body that is one JSON array, as they are in it. The error is a
// *[SyntaxError], as that of [Decoder.Decode].
func Elements(body []byte) (list []jsontext.Value, err error) {
	d := jsontext.NewDecoder(bytes.NewReader(body))
	if d.PeekKind() != jsontext.KindBeginArray { // passed over first, as in Decode
		if err = d.SkipValue(); err == nil {
			err = &SyntaxError{Detail: "the body must be a JSON array"}
		}
		return nil, describe(err, body)
	}
	for _, err = d.ReadToken(); err == nil && d.PeekKind() != jsontext.KindEndArray; {
		var value jsontext.Value
		value, err = d.ReadValue()
		list = append(list, value.Clone())
	}
	if err == nil {
		_, err = d.ReadToken()
	}
	if err != nil {
		return nil, describe(err, body)
	}
	if _, err = d.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, &SyntaxError{Detail: "the body has more data after its JSON array"}
	}
	return list, nil
}

// decoding is one body on its way into a record. It is used again for the next one.
type decoding struct {
	findings

	subject string // what messages call the whole value, "" for nothing
	json    jsontext.Decoder
	source  bytes.Buffer
	trail   model.Trail
	marks   []mark // of the members of all structs that the trail leads through
	scratch []byte // the last string with escapes
	kept    bool   // the body is a store's own, see [Kept]
	body    []byte
	text    string // a small body, of which the strings of the record are parts; "" until there is one
}

func (d *decoding) begin(body []byte, subject string) {
	d.findings, d.subject, d.marks = findings{}, subject, d.marks[:0]
	d.body = body
	d.source = *bytes.NewBuffer(body)
	d.json.Reset(&d.source)
}

// smallBody is the size in bytes up to which a record keeps its body for the strings in it.
const smallBody = 1 << 10

// keptRoom is how long the slices of a decoding are at most that is used again.
const keptRoom = 1 << 12

// end returns what was found, and lets go of everything that belongs to the body.
func (d *decoding) end() Decoded {
	// Behind all others: what the body has is reported in its order, and what it does not have is in none.
	if d.missing != nil {
		d.AddAll(d.missing)
	}
	found := Decoded{Report: d.Report, Mistyped: d.mistyped}
	d.findings = findings{}
	d.source, d.body, d.text = bytes.Buffer{}, nil, ""
	d.json.Reset(&d.source)
	d.trail.Clear()
	// One large body must not decide what all later ones hold on to.
	if cap(d.marks) > keptRoom || cap(d.scratch) > keptRoom {
		d.marks, d.scratch = nil, nil
	}
	return found
}

// open reads the beginning of an object or array, or passes over a value of another
// kind and notes what it must be.
func (d *decoding) open(kind jsontext.Kind, want string) (ok bool, err error) {
	if d.json.PeekKind() != kind {
		return false, d.skipWrong(want)
	}
	_, err = d.json.ReadToken()
	return err == nil, err
}

// null passes over the next value if it is null, and reports whether it was.
func (d *decoding) null() (bool, error) {
	if d.json.PeekKind() != jsontext.KindNull {
		return false, nil
	}
	return true, d.json.SkipValue()
}

// keptNil reads the null that is kept of a nil list, map or bytes, if it is next.
func (d *decoding) keptNil(v reflect.Value) (bool, error) {
	if !d.kept || d.json.PeekKind() != jsontext.KindNull {
		return false, nil
	}
	v.SetZero()
	return true, d.json.SkipValue()
}

// number reads the next value as a number, or passes over it and notes what it must be.
// The number is valid until the next read.
func (d *decoding) number(want string) (number []byte, ok bool, err error) {
	if d.json.PeekKind() != jsontext.KindNumber {
		return nil, false, d.skipWrong(want)
	}
	number, err = d.json.ReadValue()
	return number, err == nil, err
}

// string reads the next value as a string, or passes over it and notes what it must be.
// The text is valid until the next read.
func (d *decoding) string(want string) (text []byte, ok bool, err error) {
	if d.json.PeekKind() != jsontext.KindString {
		return nil, false, d.skipWrong(want)
	}
	raw, err := d.json.ReadValue()
	if err != nil {
		return nil, false, err
	}
	text = d.unquote(raw)
	return text, len(text) == len(raw)-2 || !d.refuseNUL(raw), nil
}

// unquote returns what a JSON string says. It is valid until the next read.
func (d *decoding) unquote(raw []byte) []byte {
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1]
	}
	d.scratch, _ = jsontext.AppendUnquote(d.scratch[:0], raw)
	return d.scratch
}

// refuseNUL notes the character U+0000 in a JSON value, and reports whether it has it.
// Databases keep no U+0000 in text, and a store in memory that did would answer otherwise than they
// do.
func (d *decoding) refuseNUL(raw []byte) bool {
	found := !d.kept && hasNUL(raw)
	if found {
		d.wrong(codeNUL, "must not contain the character U+0000")
	}
	return found
}

// hasNUL reports whether a string in a JSON value has the character U+0000, which JSON
// writes as an escape only. Many databases cannot store it.
func hasNUL(raw []byte) bool {
	for {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 {
			return false
		}
		if bytes.HasPrefix(raw[i:], []byte(`\u0000`)) {
			return true
		}
		// Two bytes, so that an escaped backslash does not begin another escape.
		raw = raw[i+2:]
	}
}
