package httpserve

import (
	"bytes"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/execute"
	"github.com/trove-api/trove/internal/uritemplate"
)

// item is what formats are handed to write: a record, or what a handler answers. Everything
// but the JSON is made only for those that ask, for most do not.
type item struct {
	x        *exchange
	encoder  *codec.Encoder
	value    any                 // pointer to a record, or whatever a handler answers
	shown    any                 // what is encoded of it
	record   *compiled.Resource  // that it is a record of; nil for what is none
	embedded []*execute.Embedded // what it refers to itself, of one that is embedded
	within   bool                // it is embedded in another one
}

// references returns what the answer shows beside the record. What a stream shows changes with
// its batches.
func (i *item) references() []*execute.Embedded {
	if i.within {
		return i.embedded
	}
	return i.x.result.Embedded
}

// Type returns the short name of the resource, "" for a handler's own type.
// A handler's answer has no resource whose name it could bear.
func (i *item) Type() string {
	if i.record == nil {
		return ""
	}
	return i.record.ShortName
}

// ID returns the text of the record's identifier, "" for what is no record.
func (i *item) ID() string { return idText(i.record, i.value) }

// idText returns the text of the identifier of a resource's record, "" for what is none.
func idText(of *compiled.Resource, record any) string {
	id := idOf(of, record)
	if !id.IsValid() {
		return ""
	}
	text, err := of.ID.Text(id.Interface())
	if err != nil {
		return ""
	}
	return text
}

// Address returns the path of the record's Get, "" where there is none.
func (i *item) Address() string {
	var room [128]byte
	return string(i.AppendAddress(room[:0]))
}

// AppendAddress appends Address.
func (i *item) AppendAddress(b []byte) []byte {
	switch {
	case i.record == nil:
		return b
	case i.record.Home == nil:
		return i.appendAt(b, i.record.Address)
	case !idOf(i.record, i.value).IsValid():
		return b
	}
	return i.record.Home.Append(b, reflect.Indirect(reflect.ValueOf(i.value)))
}

// AppendRelationship appends the path that a reference has of its own, nothing where it has none.
func (i *item) AppendRelationship(b []byte, member string) []byte {
	if i.record == nil || i.record.Relationships == nil {
		return b
	}
	return i.appendAt(b, i.record.Relationships[member])
}

// appendAt appends the address of the record among those of its resource, nil for none.
func (i *item) appendAt(b []byte, at *uritemplate.Address) []byte {
	if at == nil {
		return b
	}
	if id, ok := i.record.Integer.In(i.value); ok {
		return at.AppendInt(b, id)
	}
	id := idOf(i.record, i.value)
	switch {
	case !id.IsValid():
		return b
	case id.Type() == reflect.TypeFor[int64](): // without boxing it, which allocates for each record of a page
		return at.AppendInt(b, id.Int())
	case id.Type() == reflect.TypeFor[string]():
		return at.Append(b, id.String())
	}
	return at.Append(b, i.ID())
}

// idOf returns the identifier of a resource's record, the zero Value for what is none.
func idOf(of *compiled.Resource, value any) reflect.Value {
	record := reflect.ValueOf(value)
	if of == nil || !record.IsValid() {
		return reflect.Value{}
	}
	if record.Kind() == reflect.Pointer { // a handler may answer it by value
		record = record.Elem()
	}
	if !record.IsValid() {
		return reflect.Value{}
	}
	return of.ID.ValueIn(record)
}

// AppendJSON appends the whole as JSON.
// A format that links to what is referred to has no room for it within the record.
func (i *item) AppendJSON(b []byte) ([]byte, error) {
	before := len(b)
	b, err := i.encoder.Append(b, i.shown)
	if err == nil {
		err = i.wrote(len(b) - before)
	}
	if err != nil || i.x.format.Linked {
		return b, err
	}
	if beside := i.references(); beside != nil {
		return i.x.appendEmbedded(b, beside, i.record, i.value)
	}
	return b, nil
}

// Members returns the members of an object, nil for what is none.
func (i *item) Members() ([]format.Member, error) {
	made := i.x.made()
	start := len(made.members)
	members, err := i.membersOf(made)
	if err != nil || members == nil {
		return nil, err
	}
	if i.addsAlone() {
		if members, err = i.appendAlone(members); err != nil {
			return nil, err
		}
	}
	made.members = members
	return members[start:], nil
}

// membersOf appends the members of the JSON to those that are kept already; nil for what is no object.
func (i *item) membersOf(made *made) ([]format.Member, error) {
	begin := len(made.text)
	if i.x.format.Linked || i.references() == nil {
		text, members, err := i.encoder.AppendMembers(made.text, i.shown, made.members)
		if members != nil {
			if err == nil {
				err = i.wrote(len(text) - begin)
			}
			made.text = text
			return members, err
		}
	}
	text, err := i.AppendJSON(made.text)
	if err != nil {
		return nil, err
	}
	made.text = text
	return splitMembers(made.members, text[begin:]), nil
}

// Parts returns the members of an object as one text, nil names for what is none.
// Most are parts of it from the encoder on; others are put together again.
func (i *item) Parts() (names []string, ends []int, text []byte, err error) { //nolint:revive // a struct would be one more exported name
	x, made := i.x, i.x.made()
	begin, first := len(made.text), len(made.ends)
	var encoded []byte
	var found []int
	if !i.addsAlone() {
		encoded, found, err = i.encoder.AppendParts(made.text, i.shown, made.ends)
	}
	switch {
	case err != nil:
		return nil, nil, nil, err
	case found == nil:
		names, err = i.split(false)
	default:
		names, made.text, made.ends = i.encoder.Names(), encoded, found
		if err = i.wrote(len(encoded) - begin); err != nil {
			return nil, nil, nil, err
		}
		if beside := i.references(); beside != nil && !x.format.Linked {
			names = i.encoder.NamesBeside(embeddedName)
			made.text, err = x.appendEmbedded(append(made.text, '}'), beside, i.record, i.value)
			made.text = made.text[:len(made.text)-1]
			made.ends = append(made.ends, len(made.text)-begin)
		}
	}
	return made.since(first, names, err)
}

// Cells returns the values of an object's members as one text, nil names for what is none.
func (i *item) Cells() (names []string, ends []int, text []byte, err error) { //nolint:revive // as Parts
	made := i.x.made()
	begin, first := len(made.text), len(made.ends)
	encoded, found, err := i.encoder.AppendCells(made.text, i.shown, made.ends)
	switch {
	case err != nil:
		return nil, nil, nil, err
	case found == nil:
		names, err = i.split(true)
	default:
		names, made.text, made.ends = i.encoder.Names(), encoded, found
		err = i.wrote(len(encoded) - begin)
	}
	return made.since(first, names, err)
}

// since returns what was made of a record: names, and a text whose ends begin with the first.
func (m *made) since(first int, names []string, err error) ([]string, []int, []byte, error) { //nolint:revive // as Parts
	if err != nil || names == nil {
		return nil, nil, nil, err
	}
	ends := m.ends[first:]
	return names, ends, m.text[len(m.text)-ends[len(ends)-1]:], nil
}

// split appends the parts of what no encoder knows the members of, or its cells, and returns their names.
func (i *item) split(cells bool) ([]string, error) {
	members, err := i.Members()
	if err != nil || members == nil {
		return nil, err
	}
	made := i.x.made()
	begin := len(made.text)
	made.ends = append(made.ends, 0)
	for at := range members {
		if cells {
			made.text = append(append(made.text, members[at].JSON...), ',')
		} else {
			made.text, _ = jsontext.AppendQuote(append(made.text, ','), members[at].Name) // names are UTF-8
			made.text = append(append(made.text, ':'), members[at].JSON...)
		}
		made.ends = append(made.ends, len(made.text)-begin)
	}
	return made.nameAll(members), nil
}

// nameAll returns the names of members: those of the record before, if they are the same.
func (m *made) nameAll(members []format.Member) []string {
	if m.names == nil || !slices.EqualFunc(m.names, members, func(name string, of format.Member) bool { return name == of.Name }) {
		m.names = make([]string, len(members))
		for i := range members {
			m.names[i] = members[i].Name
		}
	}
	return m.names
}

// Fields returns the names of the members that the client asked for, nil for all of them.
func (i *item) Fields() []string {
	if i.within {
		return nil
	}
	return i.x.call.Values.Fields
}

// splitMembers appends the members of an object to a list; it returns nil for another value. Behind the
// list there are most often members that had the same names, which need not be made again.
func splitMembers(list []format.Member, text []byte) []format.Member {
	at := afterSpace(text, 0)
	if at == len(text) || text[at] != '{' {
		return nil
	}
	if list == nil {
		list = []format.Member{}
	}
	for at = afterSpace(text, at+1); at < len(text) && text[at] == '"'; at = afterSpace(text, at+1) {
		end := endOfString(text, at) + 1
		name := text[at:end]
		at = afterSpace(text, afterSpace(text, end)+1)
		end = endOfValue(text, at)
		list = append(list, nameMember(list, name, bytes.TrimRight(text[at:end], space)))
		at = end
	}
	return list
}

// space is what JSON has between tokens, which a type's own method may write.
const space = " \t\n\r"

// Trove writes none itself, but a type's own MarshalJSON may.
func afterSpace(text []byte, i int) int {
	for i < len(text) && strings.IndexByte(space, text[i]) >= 0 {
		i++
	}
	return i
}

// nameMember makes the member that comes behind a list.
func nameMember(list []format.Member, quoted, value []byte) format.Member {
	n := len(list)
	if inner := quoted[1 : len(quoted)-1]; n < cap(list) && list[:n+1][n].Name == string(inner) {
		return format.Member{Name: list[:n+1][n].Name, JSON: value}
	}
	name, err := jsontext.AppendUnquote(nil, quoted)
	if err != nil {
		name = quoted[1 : len(quoted)-1]
	}
	return format.Member{Name: string(name), JSON: value}
}

// endOfValue returns the index behind the value that begins at i: that of a comma or a
// bracket.
// No parser is needed, as the text was written by an encoder and is well-formed.
func endOfValue(text []byte, i int) int {
	for depth := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = endOfString(text, i)
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
	return len(text)
}
