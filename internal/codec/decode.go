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
	planned   decodePlan
	decodings sync.Pool // of *decoding
}

// decodePlan is how a decoder decodes.
type decodePlan struct {
	decoder decoder
	object  *objectPlan // nil for what is not a struct
}

// plan returns how the decoder decodes.
func (c *Decoder) plan() *decodePlan {
	// By the first use rather than by New: a plan takes some kilobytes, and many views are never sent.
	c.once.Do(func() {
		plans, at := newPlanner(c.codec.blanks), position{inner: c.view}
		if c.view != nil {
			at.patch = c.view.Patch
		}
		element := plans.element(c.codec.typ, at)
		c.planned.decoder, c.planned.object = element.decoder, plans.structOf(c.codec.typ, c.view)
	})
	return &c.planned
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
	if err := c.read(d, body, reflect.ValueOf(into)); err != nil {
		return Decoded{}, err
	}
	decoded := d.result()
	decoded.View = c.view
	d.findings = findings{}
	c.decodings.Put(d)
	return decoded, nil
}

// read decodes the body token by token.
func (c *Decoder) read(d *decoding, body []byte, into reflect.Value) error {
	d.begin(body, "the body")
	kind := jsontext.KindBeginObject
	if c.codec.typ.Kind == model.List {
		kind = jsontext.KindBeginArray
	}
	if err := d.document(kind, c.plan().decoder, into.Elem()); err != nil {
		return describe(err, body)
	}
	d.end()
	return nil
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
	d.findings, d.subject = findings{}, subject
	d.body = body
	d.source = *bytes.NewBuffer(body)
	d.json.Reset(&d.source)
}

// smallBody is the size in bytes up to which a record keeps its body for the strings in it.
const smallBody = 1 << 10

// keptRoom is how long the slices of a decoding are at most that is used again.
const keptRoom = 1 << 12

// end lets go of everything that belongs to the body, but for the report.
func (d *decoding) end() {
	d.source, d.body, d.text = bytes.Buffer{}, nil, ""
	d.json.Reset(&d.source)
	d.trail.Clear()
	// One large body must not decide what all later ones hold on to.
	if cap(d.marks) > keptRoom || cap(d.scratch) > keptRoom {
		d.marks, d.scratch = nil, nil
	}
}

// document reads the body as one object, or array, with nothing behind it.
func (d *decoding) document(kind jsontext.Kind, plan decoder, v reflect.Value) error {
	what := "object"
	if kind == jsontext.KindBeginArray {
		what = "array"
	}
	// A value of another kind is passed over first: what is no JSON at all is the clearer complaint.
	if d.json.PeekKind() != kind {
		if err := d.json.SkipValue(); err != nil {
			return err
		}
		return &SyntaxError{Detail: "the body must be a JSON " + what}
	}
	if _, err := plan.decode(d, v); err != nil {
		return err
	}
	// The library reads streams of values, and would leave a second one for the next call.
	if _, err := d.json.ReadToken(); !errors.Is(err, io.EOF) {
		return &SyntaxError{Detail: "the body goes on after its JSON " + what}
	}
	return nil
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

// unquote returns what a JSON string says. It is valid until the next read.
func (d *decoding) unquote(raw []byte) []byte {
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1]
	}
	d.scratch, _ = jsontext.AppendUnquote(d.scratch[:0], raw)
	return d.scratch
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
