package codec

import "reflect"

// Span is where the value of a member stands in what was encoded.
type Span struct {
	Name     string
	From, To int
}

// AppendMembers is Append that also appends where the members of an object stand to spans. They
// are nil of a value of another kind, and of one with members beside the struct: nothing is appended
// then, and it is left to Append.
// Whoever writes members in another form would have to look for them in the text again, which costs
// as much as to write it.
func (e *Encoder) AppendMembers(b []byte, value any, spans []Span) ([]byte, []Span, error) {
	e.plan()
	v := reflect.ValueOf(value)
	if e.members == nil || !v.IsValid() || v.Type() != e.codec.pointer || v.IsNil() {
		return b, nil, nil
	}
	if spans == nil {
		spans = make([]Span, 0, len(e.members))
	}
	at, start := addressIn(v), len(b)
	var err error
	for i := range e.members {
		m, before := &e.members[i], len(b)
		from := at.plus(m.offset)
		switch {
		case m.isText:
			b, err = appendText(append(b, m.label...), *as[string](from))
		case m.omits():
			b, err = m.appendUnlessOmitted(b, from, 1)
		default:
			b, err = m.encode(append(b, m.label...), from, 1)
		}
		if err != nil {
			return b, spans, within(m.field.Name, err)
		}
		if begin := before + len(m.label); len(b) > before {
			if m.isText {
				begin-- // its quotation mark is in the label
			}
			spans = append(spans, Span{m.field.Name, begin, len(b)})
		}
	}
	if len(b) == start {
		return append(b, "{}"...), spans, nil
	}
	b[start] = '{'
	return append(b, '}'), spans, nil
}
