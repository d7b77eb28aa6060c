package check

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
)

// findNeeds finds the fields that records of the structs cannot do without: those with the
// rule required, and those whose default or zero value would break their rules. Records is
// the codec of the first.
// A document could not say which members a body must have by reading tags alone: see below.
func (c *Compiler) findNeeds(checkers []*Checker, records *codec.Codec) error {
	c.needs = model.Needs{}
	for _, k := range checkers {
		if records == nil || k != checkers[0] {
			var err error
			if records, err = codec.Compile(typeOf(k.root)); err != nil {
				return err
			}
		}
		if err := k.findNeeds(records.New()); err != nil {
			return err
		}
	}
	return nil
}

// findNeeds judges a new record, and tells of a user's rule that panics at one. A body
// without a member leaves there what a new record has: where that breaks a rule, the document
// has to say that the member is required, for the service refuses to do without.
func (k *Checker) findNeeds(blank any) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%s: a rule panics when it judges a new record, with the defaults of the tags: %v", k.root.Go.Name(), cause)
		}
	}()
	for _, f := range k.root.Fields {
		_, required := f.Rules.Find("required")
		if f.Writable() && (required && f.Default == nil || f.Identifier || f.Reference != nil && f.Reference.Required) {
			k.compiler.needs[f] = true
		}
	}
	// The rules themselves are asked rather than their names: min=1 on an int requires the member as
	// much as required does, and a default may fulfil it.
	record := reflect.ValueOf(blank)
	for i := range k.plan.members {
		m := &k.plan.members[i]
		p := pass{scope: scope{top: record, owner: record.Elem()}, trying: true, blank: true}
		var at model.Trail
		at.ToMember(m.field)
		if p.value(m.value, m.field.Value(record.Elem()), false, &at); p.broken && m.field.Writable() {
			k.compiler.needs[m.field] = true
		}
	}
	return nil
}

// findWithin finds the fields that are structs with members that they need: left out, they
// would lack them.
func (c *Compiler) findWithin(structs []*model.Struct) {
	// Until nothing changes, since structs may hold each other in a circle.
	for changed := true; changed; {
		changed = false
		for _, s := range structs {
			for _, f := range s.Fields {
				if !c.needs[f] && c.lacks(f) {
					c.needs[f], changed = true, true
				}
			}
		}
	}
}

// lacks reports whether a field that is left out is a struct without a member that it must
// have.
// A pointer can be left out as a whole, and a default has what is needed.
func (c *Compiler) lacks(f *model.Field) bool {
	if f.Type.Kind != model.Object || f.Type.Nullable || !f.Writable() || f.Default != nil || f.Rules.OmitEmpty || f.Rules.Skip {
		return false
	}
	return slices.ContainsFunc(f.Type.Struct.Fields, func(inner *model.Field) bool { return c.needs[inner] })
}
