package httpserve

import (
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/execute"
)

// embedded is the member in which answers have what a record refers to.
const (
	embeddedName = "_embedded"
	embedded     = `,"` + embeddedName + `":{`
)

// appendEmbedded appends what a record refers to, within the object that b ends with.
func (x *exchange) appendEmbedded(b []byte, list []*execute.Embedded, of *compiled.Resource, record any) ([]byte, error) {
	if list == nil {
		return b, nil
	}
	b = append(b[:len(b)-1], embedded...)
	for i, e := range list {
		if i > 0 {
			b = append(b, ',')
		}
		found, err := x.call.Referred(x.work.ctx, e, of, record)
		if err == nil {
			b, err = x.appendReferred(append(b, e.Label()...), e, found)
		}
		if err != nil {
			return b, err
		}
	}
	return append(b, '}', '}'), nil
}

// appendReferred appends what a record refers to by one reference: null where there is nothing.
func (x *exchange) appendReferred(b []byte, e *execute.Embedded, found []any) (_ []byte, err error) {
	switch {
	case found == nil:
		return append(b, "null"...), nil
	case !e.Field.Reference.Many:
		return x.appendOne(b, e, found[0])
	}
	b = append(b, '[')
	for i, one := range found {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = x.appendOne(b, e, one); err != nil {
			return b, err
		}
	}
	return append(b, ']'), nil
}

// A record that is gone or hidden is null, at its place in the list: a client compares the two
// lists by index.
func (x *exchange) appendOne(b []byte, e *execute.Embedded, record any) ([]byte, error) {
	if record == nil {
		return append(b, "null"...), nil
	}
	encoder, shown, err := x.call.ViewEmbedded(x.work.ctx, e, record)
	if err != nil {
		return b, err
	}
	before := len(b)
	if b, err = encoder.Append(b, shown); err == nil {
		err = x.embeds(len(b) - before)
	}
	if err != nil {
		return b, err
	}
	return x.appendEmbedded(b, e.Inner, e.Resource, record)
}

// Embedded returns the records that a member refers to, and whether the answer has them. They are
// those that JSON embeds, found by the same look-up and seen by the same rules: a format decides
// where they stand, and never which they are.
func (i *item) Embedded(member string) (records []format.Item, shown bool, err error) {
	beside := i.references()
	at := slices.IndexFunc(beside, func(e *execute.Embedded) bool { return e.Field.Name == member })
	if at < 0 {
		return nil, false, nil
	}
	e := beside[at]
	found, err := i.x.call.Referred(i.x.work.ctx, e, i.record, i.value)
	if err != nil {
		return nil, true, err
	}
	if e.Alone != nil { // nothing is beside them that they would be compared with
		found = slices.DeleteFunc(slices.Clone(found), func(record any) bool { return record == nil })
	}
	made := i.x.made()
	start := len(made.lists)
	made.lists = slices.Grow(made.lists, len(found))
	for _, record := range found {
		var one format.Item
		if record != nil {
			if one, err = i.x.embed(e, record); err != nil {
				return nil, true, err
			}
		}
		made.lists = append(made.lists, one)
	}
	return made.lists[start:len(made.lists):len(made.lists)], true, nil
}

// embed makes the item of a record that another one refers to. Its bytes are counted when a format asks for them.
func (x *exchange) embed(e *execute.Embedded, record any) (*item, error) {
	if err := x.work.did(0); err != nil {
		return nil, err
	}
	encoder, shown, err := x.call.ViewEmbedded(x.work.ctx, e, record)
	if err != nil {
		return nil, err
	}
	made := x.made()
	made.items = append(made.items, item{x: x, encoder: encoder, value: record, shown: shown, record: e.Resource, embedded: e.Inner, within: true})
	return &made.items[len(made.items)-1], nil
}

// appendAlone adds the references of which the response shows the record alone: null if there is none, and in
// lists only those whose record is there. In linked formats the record stands in place of the reference.
func (i *item) appendAlone(members []format.Member) ([]format.Member, error) {
	for _, e := range i.references() {
		if e.Alone == nil {
			continue
		}
		found, err := i.x.call.Referred(i.x.work.ctx, e, i.record, i.value)
		if err != nil {
			return members, err
		}
		_, alone, err := e.Alone.AppendMembers(nil, i.value, nil)
		if err != nil || len(alone) == 0 {
			return members, err
		}
		reference := alone[0]
		switch {
		case e.Field.Reference.Many:
			reference.JSON, err = withoutGone(reference.JSON, found)
		case len(found) == 0 || found[0] == nil:
			reference.JSON = []byte("null")
		}
		if err != nil {
			return members, err
		}
		members = append(members, reference)
	}
	return members, nil
}

// withoutGone leaves out of a list of references those whose record is gone or hidden.
func withoutGone(list []byte, found []any) ([]byte, error) {
	var references []jsontext.Value
	if err := json.Unmarshal(list, &references); err != nil {
		return nil, err //nolint:wrapcheck // it was written by an encoder
	}
	b := []byte{'['}
	for at, reference := range references {
		if at >= len(found) || found[at] == nil {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(b, reference...)
	}
	return append(b, ']'), nil
}
