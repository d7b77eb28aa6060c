package serve

import (
	"reflect"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
)

// embedded is the field of responses with the records behind references.
const (
	embeddedName = "_embedded"
	embedded     = `,"` + embeddedName + `":{`
)

// appendEmbedded appends what a record refers to, within the object that b ends with. A reference without a record is null.
func (w *work) appendEmbedded(b []byte, list []*expanded, of *compiled.Resource, record any) ([]byte, error) {
	if list == nil {
		return b, nil
	}
	b = append(b[:len(b)-1], embedded...)
	for i, e := range list {
		if i > 0 {
			b = append(b, ',')
		}
		found, err := e.recordsOf(w.ctx, w.caller, of, record)
		if err != nil {
			return b, err
		}
		b = append(b, e.Label...)
		switch {
		case found == nil:
			b = append(b, "null"...)
		case !e.Field.Reference.Many:
			b, err = w.appendRecord(b, e, found[0])
		default:
			b = append(b, '[')
			for j := 0; j < len(found) && err == nil; j++ {
				if j > 0 {
					b = append(b, ',')
				}
				b, err = w.appendRecord(b, e, found[j])
			}
			b = append(b, ']')
		}
		if err != nil {
			return b, err
		}
	}
	return append(b, '}', '}'), nil
}

// appendRecord appends an embedded record with what it refers to. A record that is gone or hidden is null, at its place in the
// list: a client compares the two lists by index.
func (w *work) appendRecord(b []byte, e *expanded, record any) ([]byte, error) {
	if record == nil {
		return append(b, "null"...), nil
	}
	encoder, shown, err := e.view(w.ctx, record)
	if err != nil {
		return b, err
	}
	before := len(b)
	if b, err = encoder.Append(b, shown); err == nil {
		err = w.embeds(len(b) - before)
	}
	if err != nil {
		return b, err
	}
	return w.appendEmbedded(b, e.Inner, e.Resource, record)
}

// Embedded returns the records behind a reference, and whether the response has them. They are the same as in JSON, loaded and
// checked in the same way; the format decides where to write them.
func (i *item) Embedded(member string) (records []format.Item, shown bool, err error) {
	beside := i.embedded
	at := slices.IndexFunc(beside, func(e *expanded) bool { return e.Field.Name == member })
	if at < 0 {
		return nil, false, nil
	}
	e := beside[at]
	found, err := e.recordsOf(i.c.work.ctx, &i.c.caller, i.record, i.value)
	if err != nil {
		return nil, true, err
	}
	if e.Alone != nil { // there is no list to compare them with by index
		found = slices.DeleteFunc(slices.Clone(found), func(record any) bool { return record == nil })
	}
	memory := i.c.itemMemory()
	start := len(memory.lists)
	memory.lists = slices.Grow(memory.lists, len(found))
	for _, record := range found {
		var one format.Item
		if record != nil {
			if one, err = i.c.embed(e, record); err != nil {
				return nil, true, err
			}
		}
		memory.lists = append(memory.lists, one)
	}
	return memory.lists[start:len(memory.lists):len(memory.lists)], true, nil
}

// embed returns the item of an embedded record. Its bytes count when a format writes them.
func (c *call) embed(e *expanded, record any) (*item, error) {
	if err := c.work.did(0); err != nil {
		return nil, err
	}
	encoder, shown, err := e.view(c.work.ctx, record)
	if err != nil {
		return nil, err
	}
	memory := c.itemMemory()
	memory.items = append(memory.items, item{c: c, encoder: encoder, value: record, shown: shown, record: e.Resource, embedded: e.Inner, within: true})
	return &memory.items[len(memory.items)-1], nil
}

// appendAlone adds the references that the response shows only as embedded records: null for none, and in lists only those
// whose record exists. In linked formats the record replaces the reference.
func (i *item) appendAlone(fields []format.Field) ([]format.Field, error) {
	for _, e := range i.embedded {
		if e.Alone == nil {
			continue
		}
		found, err := e.recordsOf(i.c.work.ctx, &i.c.caller, i.record, i.value)
		if err != nil {
			return fields, err
		}
		_, alone, err := e.Alone.AppendMembers(nil, i.value, nil)
		if err != nil || len(alone) == 0 {
			return fields, err
		}
		reference := alone[0]
		switch {
		case e.Field.Reference.Many:
			reference.JSON, err = withoutGone(reference.JSON, found)
		case len(found) == 0 || found[0] == nil:
			reference.JSON = []byte("null")
		}
		if err != nil {
			return fields, err
		}
		fields = append(fields, reference)
	}
	return fields, nil
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

// Included returns the records that those of the page have embedded, each once, and without those of the page.
func (p *page) Included() ([]format.Item, error) {
	return (*call)(p).included(p.embedded, p.op.Resource, p.items.Len(), p.items.At)
}

// Included returns the records that the record has embedded, each once, and without itself.
func (i *item) Included() ([]format.Item, error) {
	return i.c.included(i.embedded, i.record, 1, func(int) any { return i.value })
}

// included returns the records that n records of a resource have embedded, without these; nil if none were requested.
func (c *call) included(list []*expanded, of *compiled.Resource, n int, at func(int) any) ([]format.Item, error) {
	if list == nil {
		return nil, nil
	}
	memory := c.itemMemory()
	if memory.met == nil {
		memory.met = make(map[recordName]bool, n)
	}
	clear(memory.met)
	start := len(memory.lists)
	memory.lists = slices.Grow(memory.lists, max(n, 1)) // an empty list of requested records is not nil
	found := included{c: c, memory: memory}
	if showsAny(list, of) {
		for i := range n {
			memory.met[nameOf(of, at(i))] = true
		}
	}
	for i := range n {
		if err := found.add(list, of, at(i)); err != nil {
			return nil, err
		}
	}
	return memory.lists[start:len(memory.lists):len(memory.lists)], nil
}

// showsAny reports whether there may be records of a resource among those that are embedded.
func showsAny(list []*expanded, of *compiled.Resource) bool {
	return slices.ContainsFunc(list, func(e *expanded) bool { return e.Resource == of || showsAny(e.Inner, of) })
}

// included gathers the records that others have embedded, and the names of those that were met, in the memory
// of the call.
type included struct {
	c      *call
	memory *itemMemory
	walked map[walked]bool // nil until a record has others embedded
}

// walked is a record that was met by a reference. What it has embedded itself depends on the reference.
type walked struct {
	by     *expanded
	record any
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

// add adds the records that one has embedded, except those that were met before. What such a record has embedded
// itself is added only if it was met by another reference, and once for each of these: records that list one another
// would be walked thousands of times.
func (i *included) add(list []*expanded, of *compiled.Resource, record any) error {
	for _, e := range list {
		found, err := e.recordsOf(i.c.work.ctx, &i.c.caller, of, record)
		if err != nil {
			return err
		}
		for _, inner := range found {
			if inner == nil { // gone, or hidden
				continue
			}
			if name := nameOf(e.Resource, inner); !i.memory.met[name] {
				one, err := i.c.embed(e, inner)
				if err != nil {
					return err
				}
				i.memory.met[name], i.memory.lists = true, append(i.memory.lists, one)
			}
			if err := i.walk(e, inner); err != nil {
				return err
			}
		}
	}
	return nil
}

// walk adds the records that an embedded one has embedded, the first time that it is met by its reference.
func (i *included) walk(e *expanded, record any) error {
	way := walked{e, record}
	if e.Inner == nil || i.walked[way] {
		return nil
	}
	if i.walked == nil {
		i.walked = map[walked]bool{}
	}
	i.walked[way] = true
	if err := i.c.work.did(0); err != nil {
		return err
	}
	return i.add(e.Inner, e.Resource, record)
}
