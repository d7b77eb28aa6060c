package httpserve

import (
	"bytes"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/codec"
)

// item is what formats are handed to write: a record, or what a handler answers. Everything
// but the JSON is made only for those that ask, for most do not.
type item struct {
	x        *exchange
	encoder  *codec.Encoder
	value    any // pointer to a record, or whatever a handler answers
	shown    any // what is encoded of it
	isRecord bool
}

// Type returns the short name of the resource, "" for a handler's own type.
func (i *item) Type() string {
	if !i.isRecord {
		return ""
	}
	return i.x.op.Resource.ShortName
}

// ID returns the text of the record's identifier, "" for what is no record.
func (i *item) ID() string {
	id := i.id()
	if id == nil {
		return ""
	}
	text, err := i.x.op.Resource.ID.Text(id)
	if err != nil {
		return ""
	}
	return text
}

// Address returns the path of the record's Get, "" where there is none.
func (i *item) Address() string {
	if id := i.id(); id != nil {
		return i.x.location(id)
	}
	return ""
}

// id returns the record's identifier, nil for what is no record.
func (i *item) id() any {
	record := reflect.ValueOf(i.value)
	if !i.isRecord || !record.IsValid() {
		return nil
	}
	if record.Kind() != reflect.Pointer { // a handler answers it by value
		copied := reflect.New(record.Type())
		copied.Elem().Set(record)
		record = copied
	}
	if record.IsNil() {
		return nil
	}
	return i.x.op.Resource.ID.Of(record.Interface())
}

// AppendJSON appends the whole as JSON.
func (i *item) AppendJSON(b []byte) ([]byte, error) {
	b, err := i.encoder.Append(b, i.shown)
	if err != nil || i.x.result.Embedded == nil {
		return b, err
	}
	return i.x.appendEmbedded(b, i.x.result.Embedded, i.x.op.Resource, i.value)
}

// Members returns the members of an object, nil for what is none.
func (i *item) Members() ([]format.Member, error) {
	kept := &i.x.kept
	text, err := i.AppendJSON(kept.item[:0])
	if err != nil {
		return nil, err
	}
	kept.item, kept.members = text, splitMembers(kept.members, text)
	return kept.members, nil
}

// Fields returns the names of the members that the client asked for, nil for all of them.
func (i *item) Fields() []string { return i.x.call.Values.Fields }

// splitMembers splits an object into its members; nil for another value. Room are the
// members of another object, whose names are most often the same and need not be made again.
func splitMembers(room []format.Member, text []byte) []format.Member {
	at := afterSpace(text, 0)
	if at == len(text) || text[at] != '{' {
		return nil
	}
	members := room[:0]
	for at = afterSpace(text, at+1); at < len(text) && text[at] == '"'; at = afterSpace(text, at+1) {
		end := endOfString(text, at) + 1
		name := text[at:end]
		at = afterSpace(text, afterSpace(text, end)+1)
		end = endOfValue(text, at)
		members = append(members, nameMember(room, len(members), name, bytes.TrimRight(text[at:end], space)))
		at = end
	}
	return members
}

// space is what JSON has between tokens, which a type's own method may write.
const space = " \t\n\r"

func afterSpace(text []byte, i int) int {
	for i < len(text) && strings.IndexByte(space, text[i]) >= 0 {
		i++
	}
	return i
}

// nameMember makes the n-th member.
func nameMember(room []format.Member, n int, quoted, value []byte) format.Member {
	if inner := quoted[1 : len(quoted)-1]; n < cap(room) && room[:n+1][n].Name == string(inner) {
		return format.Member{Name: room[:n+1][n].Name, JSON: value}
	}
	name, err := jsontext.AppendUnquote(nil, quoted)
	if err != nil {
		name = quoted[1 : len(quoted)-1]
	}
	return format.Member{Name: string(name), JSON: value}
}

// endOfValue returns the index behind the value that begins at i: that of a comma or a
// bracket.
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
