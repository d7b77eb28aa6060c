package httpserve

import (
	"reflect"
	"slices"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/execute"
)

// Included returns the records that those of the page have embedded, each once, and without those of
// the page.
func (p *page) Included() ([]format.Item, error) {
	return (*exchange)(p).included(p.result.Embedded, p.op.Resource, p.result.Items.Len(), p.result.Items.At)
}

// Included returns the records that the record has embedded, each once, and without itself.
func (i *item) Included() ([]format.Item, error) {
	return i.x.included(i.references(), i.record, 1, func(int) any { return i.value })
}

// included returns the records that n records of a resource have embedded, without these; nil if none were requested.
func (x *exchange) included(list []*execute.Embedded, of *compiled.Resource, n int, at func(int) any) ([]format.Item, error) {
	if list == nil {
		return nil, nil
	}
	made := x.made()
	if made.met == nil {
		made.met = make(map[recordName]bool, n)
	}
	clear(made.met)
	start := len(made.lists)
	made.lists = slices.Grow(made.lists, max(n, 1)) // none that were asked for are not nil
	found := included{x: x, made: made}
	if showsAny(list, of) {
		for i := range n {
			made.met[nameOf(of, at(i))] = true
		}
	}
	for i := range n {
		if err := found.add(list, of, at(i)); err != nil {
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
	x      *exchange
	made   *made
	walked map[walked]bool // nil until a record has others embedded
}

// walked is a record that was met by a reference. What it has embedded itself depends on the reference.
type walked struct {
	by     *execute.Embedded
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
func (f *included) add(list []*execute.Embedded, of *compiled.Resource, record any) error {
	for _, e := range list {
		found, err := f.x.call.Referred(f.x.work.ctx, e, of, record)
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
			if err := f.walk(e, inner); err != nil {
				return err
			}
		}
	}
	return nil
}

// walk adds the records that an embedded one has embedded, the first time that it is met by its reference.
func (f *included) walk(e *execute.Embedded, record any) error {
	way := walked{e, record}
	if e.Inner == nil || f.walked[way] {
		return nil
	}
	if f.walked == nil {
		f.walked = map[walked]bool{}
	}
	f.walked[way] = true
	if err := f.x.work.did(0); err != nil {
		return err
	}
	return f.add(e.Inner, e.Resource, record)
}
