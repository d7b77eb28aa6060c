package httpserve

import (
	"slices"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/execute"
)

// embedded is the member in which answers have what a record refers to.
const embedded = `,"_embedded":{`

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
		found, err := x.call.Referred(x.r.Context(), e, of, record)
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
	encoder, shown, err := x.call.ViewEmbedded(x.r.Context(), e, record)
	if err != nil {
		return b, err
	}
	if b, err = encoder.Append(b, shown); err != nil {
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
	found, err := i.x.call.Referred(i.x.r.Context(), e, i.record, i.value)
	if err != nil {
		return nil, true, err
	}
	if e.Alone != nil { // nothing is beside them that they would be compared with
		found = slices.DeleteFunc(slices.Clone(found), func(record any) bool { return record == nil })
	}
	records = make([]format.Item, len(found))
	for at, record := range found {
		if record == nil {
			continue
		}
		encoder, shown, err := i.x.call.ViewEmbedded(i.x.r.Context(), e, record)
		if err != nil {
			return nil, true, err
		}
		records[at] = &item{x: i.x, encoder: encoder, value: record, shown: shown, record: e.Resource, embedded: e.Inner, within: true}
	}
	return records, true, nil
}

// recordName names a record. One that is found by two ways may be at two places in memory.
type recordName struct {
	of *compiled.Resource
	id string
}

// Included returns the records that those of the page have embedded, each once, and without those of
// the page.
func (p *page) Included() ([]format.Item, error) {
	if p.result.Embedded == nil {
		return nil, nil
	}
	list := []format.Item{}
	met := map[recordName]bool{}
	holder := &item{x: (*exchange)(p), record: p.op.Resource, embedded: p.result.Embedded, within: true}
	for i := range p.result.Items.Len() {
		holder.value = p.result.Items.At(i)
		met[recordName{holder.record, holder.ID()}] = true
	}
	for i := range p.result.Items.Len() {
		holder.value = p.result.Items.At(i)
		var err error
		if list, err = holder.include(list, met); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// include adds the records that are embedded in one to a list, those apart that were met before.
func (i *item) include(list []format.Item, met map[recordName]bool) ([]format.Item, error) {
	for _, e := range i.embedded {
		records, _, err := i.Embedded(e.Field.Name)
		if err != nil {
			return nil, err
		}
		for _, one := range records {
			inner, ok := one.(*item)
			if !ok {
				continue // gone, or hidden
			}
			if name := (recordName{inner.record, inner.ID()}); !met[name] {
				met[name], list = true, append(list, inner)
			}
			if list, err = inner.include(list, met); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}
