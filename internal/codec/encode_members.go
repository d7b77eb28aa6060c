package codec

import (
	"reflect"

	"github.com/trove-api/trove/format"
)

// AppendParts is Append of the members alone, each with a comma before it, in the order of [Encoder.Names].
// It appends to ends where they begin, counted from the first, and where the last one ends: one that the
// value leaves out begins and ends at one place. It is not ok of what is no struct, and of a value with
// members beside the struct: nothing is appended then, and it is left to Append.
// Whoever writes members in another form would have to look for them in the text again, which costs
// as much as to write it; and numbers are kept, for pointers into the text would have to be told to the
// collector, member by member.
func (e *Encoder) AppendParts(b []byte, value any, ends []int) (_ []byte, _ []int, ok bool, err error) {
	e.plan()
	v := reflect.ValueOf(value)
	if e.members == nil || !v.IsValid() || v.Type() != e.codec.pointer || v.IsNil() {
		return b, ends, false, nil
	}
	at, start := addressIn(v), len(b)
	ends = append(ends, 0)
	for i := range e.members {
		m := &e.members[i]
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
			return b, ends, true, within(m.field.Name, err)
		}
		ends = append(ends, len(b)-start)
	}
	return b, ends, true, nil
}

// Names returns the names of the members that AppendParts writes. Nobody changes them.
func (e *Encoder) Names() []string {
	e.plan()
	e.naming.Do(func() {
		e.names = make([]string, len(e.members))
		for i := range e.members {
			e.names[i] = e.members[i].field.Name
		}
	})
	return e.names
}

// AppendMembers is Append that also appends the members of an object to a list, as parts of what it
// appends to b. The list is nil of what AppendParts is not ok of.
func (e *Encoder) AppendMembers(b []byte, value any, list []format.Member) ([]byte, []format.Member, error) {
	var room [32]int
	start := len(b)
	b, ends, ok, err := e.AppendParts(b, value, room[:0])
	switch {
	case !ok:
		return b, nil, nil
	case err != nil:
		return b, list, err
	case list == nil:
		list = []format.Member{}
	}
	for i := range e.members {
		if begin, end := ends[i], ends[i+1]; begin < end {
			m := &e.members[i]
			begin += len(m.label)
			if m.isText {
				begin-- // its quotation mark is in the label
			}
			list = append(list, format.Member{Name: m.field.Name, JSON: b[start+begin : start+end : start+end]})
		}
	}
	if len(b) == start {
		return append(b, "{}"...), list, nil
	}
	b[start] = '{'
	return append(b, '}'), list, nil
}
