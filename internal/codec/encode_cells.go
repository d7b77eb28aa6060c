package codec

import (
	"reflect"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/model"
)

// AppendCells appends the values of the members in the order of [Encoder.Names], without their names and a
// comma behind each, but for those that the value leaves out. A text that is never null and has nothing that JSON would escape stands
// without its quotation marks; anything else is JSON. Ends are those of [Encoder.AppendParts].
// Tables have the names once, and look at each text for commas of their own: what stands between the
// values costs as much as most of these.
func (e *Encoder) AppendCells(b []byte, value any, ends []int) (_ []byte, _ []int, err error) {
	e.plan()
	v := reflect.ValueOf(value)
	if e.members == nil || !v.IsValid() || v.Type() != e.codec.pointer || v.IsNil() {
		return b, nil, nil
	}
	at, start := addressIn(v), len(b)
	ends = append(ends, 0)
	for i := range e.members {
		m := &e.members[i]
		from := at.plus(m.offset)
		switch {
		case m.isText:
			b, err = appendBare(b, *as[string](from))
		case m.omits():
			begin := len(b)
			if b, err = m.appendUnlessOmitted(b, from, 1); err == nil {
				if len(b) == begin {
					ends = append(ends, begin-start)
					continue
				}
				b = append(b[:begin], b[begin+len(m.label):]...)
			}
		case m.isBare && len(b) > start:
			b, err = m.appendBare(b, from)
		case m.isBare:
			if b, err = m.appendBare(append(b, ','), from); err == nil {
				b = append(b[:start], b[start+1:]...)
			}
		default:
			b, err = m.encode(b, from, 1)
		}
		if err != nil {
			return b, ends, within(m.field.Name, err)
		}
		b = append(b, ',')
		ends = append(ends, len(b)-start)
	}
	return b, ends, nil
}

// isBare reports whether a member is a text that is never null, as JSON has it.
func (es *encoders) isBare(f *model.Field) bool {
	switch {
	case f.Type.Nullable:
		return false
	case es.isAddress(f):
		return !f.Reference.Many && f.Reference.Address != nil
	}
	return f.Type.Kind == model.Time || f.Type.Kind == model.Bytes || f.Type.Kind == model.Text
}

// appendBare appends a text without quotation marks, unless JSON would escape something in it.
func appendBare(b []byte, text string) ([]byte, error) {
	start := len(b)
	b = append(b, text...)
	if !isPlain(text) && !isPlainUTF8(b[start:]) {
		return jsontext.AppendQuote(b[:start], text)
	}
	return b, nil
}

// appendBare appends the member as the function does. The quotation mark that its encoder begins with stands for
// a moment where the comma of the member before does, so that nothing has to be moved.
func (m *memberEncoder) appendBare(b []byte, at address) ([]byte, error) {
	comma := len(b) - 1
	b, err := m.encode(b[:comma], at, 1)
	if err != nil {
		return b, err
	}
	if end := len(b) - 1; m.field.Type.Kind != model.Text || plainLength(b[comma+1:end]) == end-comma-1 {
		b[comma] = ','
		return b[:end], nil
	}
	return slices.Insert(b, comma, ','), nil
}
