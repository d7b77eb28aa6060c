package httpserve

import (
	"reflect"
	"slices"

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

// embed makes the item of a record that another one refers to.
func (x *exchange) embed(e *execute.Embedded, record any) (*item, error) {
	encoder, shown, err := x.call.ViewEmbedded(x.r.Context(), e, record)
	if err != nil {
		return nil, err
	}
	made := x.made()
	made.items = append(made.items, item{x: x, encoder: encoder, value: record, shown: shown, record: e.Resource, embedded: e.Inner, within: true})
	return &made.items[len(made.items)-1], nil
}

// Included returns the records that those of the page have embedded, each once, and without those of
// the page.
func (p *page) Included() ([]format.Item, error) {
	if p.result.Embedded == nil {
		return nil, nil
	}
	resource, items := p.op.Resource, p.result.Items
	made := (*exchange)(p).made()
	if made.met == nil {
		made.met = make(map[recordName]bool, items.Len())
	}
	clear(made.met)
	start := len(made.lists)
	made.lists = slices.Grow(made.lists, max(items.Len(), 1)) // none that were asked for are not nil
	found := included{x: (*exchange)(p), made: made}
	if showsAny(p.result.Embedded, resource) {
		for i := range items.Len() {
			made.met[nameOf(resource, items.At(i))] = true
		}
	}
	for i := range items.Len() {
		if err := found.add(p.result.Embedded, resource, items.At(i)); err != nil {
			return nil, err
		}
	}
	return made.lists[start:len(made.lists):len(made.lists)], nil
}

// showsAny reports whether there may be records of a resource among those that are embedded.
func showsAny(list []*execute.Embedded, of *compiled.Resource) bool {
	return slices.ContainsFunc(list, func(e *execute.Embedded) bool { return e.Resource == of || showsAny(e.Inner, of) })
}

// included gathers the records that others have embedded, and the names of those that were met, in the room of
// the exchange.
type included struct {
	x    *exchange
	made *made
}

// recordName names a record. One that is found by two ways may be at two places in memory.
type recordName struct {
	of     *compiled.Resource
	number int64  // its identifier, if that is one
	text   string // else that of its identifier
}

// nameOf names a record. Most have numbers, of which no text is made for each of a page.
func nameOf(of *compiled.Resource, record any) recordName {
	switch id := idOf(of, record); {
	case id.Kind() == reflect.Int64:
		return recordName{of: of, number: id.Int()}
	case id.IsValid() && id.Type() == reflect.TypeFor[string]():
		return recordName{of: of, text: id.String()}
	}
	return recordName{of: of, text: idText(of, record)}
}

// add adds the records that one has embedded, those apart that were met before. These may have others
// embedded all the same, if they were met by another way.
func (f *included) add(list []*execute.Embedded, of *compiled.Resource, record any) error {
	for _, e := range list {
		found, err := f.x.call.Referred(f.x.r.Context(), e, of, record)
		if err != nil {
			return err
		}
		for _, inner := range found {
			if inner == nil { // gone, or hidden
				continue
			}
			if name := nameOf(e.Resource, inner); !f.made.met[name] {
				one, err := f.x.embed(e, inner)
				if err != nil {
					return err
				}
				f.made.met[name], f.made.lists = true, append(f.made.lists, one)
			}
			if err := f.add(e.Inner, e.Resource, inner); err != nil {
				return err
			}
		}
	}
	return nil
}
