package resource

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/memory"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/untyped"
	"github.com/trove-api/trove/store"
)

// models is the first phase. It names a resource and compiles its struct.
func (c *compiler) models(d *declared) bool {
	r := &compiled.Resource{
		ShortName: d.shortName, Description: d.description, Prepare: d.prepare, Before: d.before, Errors: d.errors,
		Members: d.access.Fields, Reads: d.access.Read, PageOf: d.pageOf,
	}
	if r.ShortName == "" {
		r.ShortName = naming.TypeName(d.record)
	}
	if r.ShortName == "" && d.record.Kind() == reflect.Struct {
		r.ShortName = fmt.Sprintf("Declaration%d", d.turn) // so that compilation can continue
		c.note("", fmt.Errorf("declaration %d has a struct without a name, %s; set ShortName, or declare a type", d.turn, brief(d.record)))
	}
	d.resource, d.where = r, cmp.Or(r.ShortName, d.record.String())
	c.checkDefinition(d.where, &d.definition, r)
	if r.Errors == 0 {
		r.Errors = max(c.config.Errors, 1)
	}
	// Not the struct of the store: linking changes it, and the store may have several APIs.
	var err error
	r.Struct, err = model.Compile(d.record)
	c.noteType(d.where, err)
	d.unreported(err) // the store will return the same errors
	if d.isValid = err == nil; d.isValid {
		enumerate(r.Struct.ID, d.values)
	}
	return true
}

// brief describes a struct without a name by its first fields.
func brief(t reflect.Type) string {
	var names []string
	for i := range min(t.NumField(), 3) {
		names = append(names, t.Field(i).Name)
	}
	if t.NumField() > len(names) {
		names = append(names, "…")
	}
	return "struct{" + strings.Join(names, "; ") + "}"
}

var shortName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

func (c *compiler) checkDefinition(where string, d *definition, r *compiled.Resource) {
	if d.shortName != "" && !shortName.MatchString(d.shortName) {
		c.fail(where, "ShortName is %q; use letters, digits and underscores, beginning with a letter", d.shortName)
		r.ShortName = naming.TypeName(d.record) // so that compilation can continue
	}
	for _, mistake := range d.mistakes {
		c.fail(where, "%s", mistake)
	}
	r.PluralName = c.plurals.Name(r.ShortName)
	if !isShape(d.errors) {
		c.fail(where, "Errors is %d; allowed: validation.Map, validation.Problem", d.errors)
	}
	if d.store.Records == nil {
		c.fail(where, "Store is a nil pointer; leave it out to keep records in memory")
	}
	fail := func(format string, args ...any) { c.fail(where, format, args...) }
	checkPagination(fail, &d.defaults.Pagination, &c.config.Pagination)
	for _, mistake := range mistakesInEnd(lifecycleOf(&d.defaults)) {
		fail("%s", mistake)
	}
	c.checkStamp(where, d.stamp)
	checkCacheControl(c.mistakes, where, d.defaults.CacheControl)
	checkProcessor(c.mistakes, where, d.defaults.Processor, d.record)
	checkExtraProperties(c.mistakes, where, d.defaults.ExtraProperties)
}

// values is the phase after links. It gives a resource its codec and its checker.
func (c *compiler) values(d *declared) bool {
	r := d.resource
	if checker, ok := untyped.As[store.Checker](d.store.Itself); ok && d.isValid {
		err := checker.Check(context.Background())
		c.noteStore(d.where, &d.definition, err)
		d.isBroken = err != nil
	}
	if r.Struct == nil {
		c.incomplete = true
		return false
	}
	record := &model.Type{Go: d.record, Kind: model.Object, Struct: r.Struct}
	source := c.source(d.where, record)
	c.check(d.where, source) // operations are compiled without its rules if they have mistakes
	if r.Struct.ID == nil {  // so that compilation can continue
		r.Struct.StandIn(c.namesRecord(&d.definition, r.Struct))
		source = c.source(d.where, record)
	}
	if limiter, ok := untyped.As[untyped.Limiter](d.store.Itself); ok && d.isValid {
		checkLimits(c.mistakes, d.where, r.Struct, limiter.Limits())
	}
	_, inMemory := d.store.Records.(*memory.Store)
	r.Store, r.ReadsRequest = d.store.Records, !inMemory
	if stale, ok := untyped.As[interface{ Staleness() time.Duration }](d.store.Itself); ok {
		r.Staleness = stale.Staleness()
	}
	if pinger, ok := untyped.As[store.Pinger](d.store.Itself); ok {
		r.Ping = pinger.Ping
	}
	d.store.Complete(r.Struct)
	r.ID = r.Struct.Identifier()
	r.Source, r.Codec, r.Checker = source, source.Codec, source.Checker
	r.Hides = !source.Response.View.IsComplete()
	c.computed(d.where, d.computed, r)
	c.embedded(d.where, &d.definition, r)
	c.model.Resources = append(c.model.Resources, r)
	return true
}

// namesRecord returns the name of the identifier that a struct without one probably means: that of a field in the paths
// of the operations, else "id".
func (c *compiler) namesRecord(d *definition, s *model.Struct) string {
	for _, o := range d.operations {
		if isNil(o) {
			continue
		}
		parsed, err := c.parse(o.Metadata().URITemplate)
		if err != nil {
			continue
		}
		for _, variable := range slices.Backward(parsed.Variables()) {
			if f := s.Field(variable); f != nil && f.Reference == nil {
				return variable
			}
		}
	}
	return "id"
}

// together lets hooks change records of several resources in one transaction: it connects the in-memory stores. Tables
// of a database need no connection.
func (c *compiler) together() {
	var first model.Linker
	for _, d := range c.declared {
		switch {
		case first == nil:
			first = d.store.Linker
		case d.store.Linker != nil:
			first.Join(d.store.Linker)
		}
	}
	c.visit(func(d *declared) {
		if d.isValid { // other errors are already reported
			checkReferences(c.mistakes, c.declared, d)
		}
	})
	c.visit(func(d *declared) {
		if d.isValid {
			findJoined(c.mistakes, c.declared, d)
		}
		if c.ruledBy != "" {
			joinStores(c.declared, d)
		}
	})
}

// checkReferences declares references to the in-memory stores, which then enforce them. Tables know their references already.
func checkReferences(errs *mistakes, all []*declared, d *declared) {
	if d.store.Linker == nil {
		return
	}
	for _, f := range d.resource.Struct.Fields {
		if f.Reference == nil {
			continue
		}
		switch other := find(all, f.Reference.Target); {
		case other == nil, !other.isValid, !f.Reference.Target.Identifier().Accords(f.Reference.Key): // already reported
		case other.store.Linker != nil:
			if err := d.store.Linker.Refer(f.Name, other.store.Linker); err != nil {
				errs.note(d.where, err)
			}
		case f.Reference.OnDelete != model.Restrict:
			errs.failAt(fieldAt(d.record, f), "ondelete=%s does not work because %s is in another store; "+
				"keep both in one database, or remove ondelete", f.Reference.OnDelete, f.Reference.Name)
		}
	}
}

// fieldAt returns where errors about a field are.
func fieldAt(t reflect.Type, f *model.Field) model.Declaration {
	return model.Declaration{Type: t, Field: f.GoPath}
}

// source makes the codec and the views of a type. It reports defaults that do not fit.
func (c *compiler) source(where string, t *model.Type) *compiled.Source {
	records, err := codec.Compile(t)
	c.noteType(where, err)
	source := &compiled.Source{Type: t, Codec: records, Views: model.ViewsOf(t, nil)}
	source.Response = source.Value(source.Views.View(model.Response))
	return source
}

// check makes the checker of a struct that bodies contain, once. It reports errors and returns false.
func (c *compiler) check(where string, of *compiled.Source) bool {
	if c.checks == nil || of.Checker != nil {
		return true
	}
	checker, err := c.checks.Compile(of.Type.Struct, of.Codec)
	if err != nil {
		c.noteType(where, err)
		return false
	}
	of.Checker, of.Views = checker, checker.Views()
	return true
}

// sourceOf compiles the type of a handler's body or response, once for an API.
func (c *compiler) sourceOf(where string, t reflect.Type) (*compiled.Source, bool) {
	if known := c.sources[t]; known != nil {
		return known, true
	}
	typ, err := model.CompileType(t)
	c.noteType(where, err)
	if typ == nil {
		c.incomplete = true
		return nil, false
	}
	for t := typ; t != nil; t = t.Elem {
		if t.Struct != nil {
			c.linkStruct(t.Struct, ofHandler, true)
		}
	}
	source := c.source(where, typ)
	c.sources[t] = source
	return source, true
}
