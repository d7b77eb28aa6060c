package resource

import (
	"context"
	"reflect"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store/memory"
)

// values is the phase after links: it gives a resource its store, its codec and its checker.
func (c *compiler) values(d *declared) bool {
	r := d.resource
	if d.inMemory != nil && d.isWhole {
		d.inMemory(&d.definition, r.Struct)
	} else if d.inMemory != nil {
		d.inMemory(&d.definition, nil)
	}
	if d.isWhole && d.store.Checker != nil {
		c.noteStore(d.where, d.definition, d.store.Checker.Check(context.Background()))
	}
	if r.Struct == nil || r.Struct.ID == nil {
		return false
	}
	r.Store, r.Ping, r.AsksRequest = d.store.Records, d.store.Ping, d.asksRequest
	d.store.Stamp(r.Struct)
	r.ID = r.Struct.Identifier()
	value, ok := c.value(d.where, d.record, r.Struct)
	if !ok {
		return false
	}
	r.Codec, r.Checker = value.Codec, value.Checker
	c.model.Resources = append(c.model.Resources, r)
	return true
}

// together lets hooks change records of several resources in one transaction: those in memory,
// which know nothing of each other before. Those of a database do it by themselves.
func (c *compiler) together() {
	var inMemory []memory.Joinable
	for _, d := range c.declared {
		inMemory = append(inMemory, d.joinable)
	}
	memory.Together(inMemory...)
}

// value makes the codec and the checker of a struct, and reports whether it could.
func (c *compiler) value(where string, t reflect.Type, s *model.Struct) (*compiled.Value, bool) {
	value := &compiled.Value{Type: &model.Type{Go: t, Kind: model.Object, Struct: s}}
	var err error
	if value.Codec, err = codec.Compile(value.Type); err != nil {
		c.note(where, err)
		return nil, false
	}
	if c.checks == nil {
		return value, true
	}
	if value.Checker, err = c.checks.Compile(s, value.Codec); err != nil {
		c.note(where, err)
		return nil, false
	}
	return value, true
}
