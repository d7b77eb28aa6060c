package codec

import (
	"reflect"

	"github.com/trove-api/trove/format"
)

// AppendMembers is Append that also returns the members of an object, as parts of what it appends,
// in the memory of others whose names are most often the same. They
// are nil of a value of another kind, and of one with members beside the struct: nothing is appended
// then, and it is left to Append.
// Whoever writes members in another form would have to look for them in the text again, which costs
// as much as to write it.
func (e *Encoder) AppendMembers(b []byte, value any, room []format.Member) ([]byte, []format.Member, error) {
	e.plan()
	v := reflect.ValueOf(value)
	if e.members == nil || !v.IsValid() || v.Type() != e.codec.pointer || v.IsNil() {
		return b, nil, nil
	}
	if cap(room) < len(e.members) {
		room = make([]format.Member, len(e.members))
	}
	members, n := room[:len(e.members)], 0
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
			return b, members[:n], within(m.field.Name, err)
		}
		if begin := before + len(m.label); len(b) > before {
			if m.isText {
				begin-- // its quotation mark is in the label
			}
			members[n].JSON = b[begin:len(b):len(b)]
			if members[n].Name != m.field.Name {
				members[n].Name = m.field.Name
			}
			n++
		}
	}
	if len(b) == start {
		return append(b, "{}"...), members[:n], nil
	}
	b[start] = '{'
	return append(b, '}'), members[:n], nil
}
