package resource

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/internal/uritemplate"
)

// compiler makes an API of declarations and gathers every mistake on the way.
type compiler struct {
	config  Config
	model   *compiled.API
	checks  *check.Compiler // nil where the config's rules are mistaken
	plurals *naming.Plurals
	errs    []error

	templates    map[string]*uritemplate.Template  // by their text
	noParameters map[*model.Struct]*parameters.Set // of operations without any
}

func newCompiler(config Config, api *compiled.API) *compiler {
	return &compiler{
		config: config, model: api,
		templates: map[string]*uritemplate.Template{}, noParameters: map[*model.Struct]*parameters.Set{},
	}
}

// note keeps the mistakes that err is or joins, each with where it was made.
func (c *compiler) note(where string, err error) {
	joined, ok := err.(interface{ Unwrap() []error })
	switch {
	case err == nil:
	case ok:
		for _, each := range joined.Unwrap() {
			c.note(where, each)
		}
	default:
		c.errs = append(c.errs, fmt.Errorf("%s: %w", where, err))
	}
}

func (c *compiler) fail(where, format string, args ...any) {
	c.note(where, fmt.Errorf(format, args...))
}

// noteStore keeps the mistakes that a store tells of itself, each once: some tell the same
// one to every question.
func (c *compiler) noteStore(where string, d definition, err error) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, each := range joined.Unwrap() {
			c.noteStore(where, d, each)
		}
		return
	}
	if err != nil && !d.storeMistakes[err.Error()] {
		d.storeMistakes[err.Error()] = true
		c.note(where+": store", err)
	}
}

func (c *compiler) prepareRules(config Config) {
	var err error
	c.plurals = naming.NewPlurals()
	if c.checks, err = check.New(config.Rules); err != nil {
		c.note("config: Rules", err)
		c.checks = nil
	}
}

// checkStructRules checks that rules over structs are over some that bodies or parameters
// hold. Where there are mistakes not all of these are known.
func (c *compiler) checkStructRules() {
	if c.checks == nil || len(c.errs) > 0 {
		return
	}
	for _, t := range c.checks.Unheld() {
		c.fail("config: Rules", "validation.Struct is for %s, which nothing holds; "+
			"allowed: the struct of a resource, of a handler's In or of Parameters, or one within", t)
	}
}

// declaration compiles one resource.
func (c *compiler) declaration(i int, declaration Declaration, config Config) {
	if isNil(declaration) {
		c.fail(fmt.Sprintf("declaration %d", i+1), "is nil")
		return
	}
	d := declaration.declare()
	r := &compiled.Resource{Description: d.description, Prepare: d.prepare, Errors: d.errors}
	r.ShortName = d.shortName
	if r.ShortName == "" {
		r.ShortName = naming.TypeName(d.record)
	}
	if r.ShortName == "" && d.record.Kind() == reflect.Struct {
		r.ShortName = fmt.Sprintf("Declaration%d", i+1) // to go on with
		c.fail(fmt.Sprintf("declaration %d", i+1), "is of a struct without a name, %s; set ShortName, or declare a type", brief(d.record))
	}
	where := "resource " + cmp.Or(r.ShortName, d.record.String())
	c.checkDefinition(where, d, r)
	if r.Errors == 0 {
		r.Errors = max(config.Errors, 1)
	}
	if c.record(where, &d, r) {
		c.model.Resources = append(c.model.Resources, r)
		c.operations(where, d, r)
	}
}

// brief describes a struct without a name by the names of its fields.
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

func (c *compiler) checkDefinition(where string, d definition, r *compiled.Resource) {
	if d.shortName != "" && !shortName.MatchString(d.shortName) {
		c.fail(where, "ShortName is %q; allowed: letters, digits and underscores, beginning with a letter", d.shortName)
		r.ShortName = naming.TypeName(d.record) // to go on with
	}
	r.PluralName = c.plurals.Name(r.ShortName)
	if !isShape(d.errors) {
		c.fail(where, "Errors is %d; allowed: validation.Map, validation.Problem", d.errors)
	}
	if d.store.Records == nil && d.inMemory == nil {
		c.fail(where, "Store is a nil pointer; leave Store out to keep records in memory")
	}
	for _, mistake := range append(mistakesIn(d.defaults.Pagination, c.config.Pagination), mistakesInEnd(lifecycleOf(d.defaults))...) {
		c.fail(where, "%s", mistake)
	}
	c.checkCacheControl(where, d.defaults.CacheControl)
	c.checkProcessor(where, d.defaults.Processor, d.record)
	c.checkExtraProperties(where, d.defaults.ExtraProperties)
}

// record compiles the struct of a resource, and reports whether its operations can be
// compiled too.
func (c *compiler) record(where string, d *definition, r *compiled.Resource) bool {
	var err error
	r.Struct, err = model.Compile(d.record)
	c.note(where, err)
	if d.inMemory != nil && err == nil {
		d.inMemory(d, r.Struct)
	} else if d.inMemory != nil {
		d.inMemory(d, nil)
	}
	if err == nil && d.store.Checker != nil {
		c.noteStore(where, *d, d.store.Checker.Check(context.Background()))
	}
	if r.Struct == nil || r.Struct.ID == nil {
		return false
	}
	r.Store, r.Ping, r.AsksRequest = d.store.Records, d.store.Ping, d.asksRequest
	d.store.Stamp(r.Struct)
	r.ID = r.Struct.Identifier()
	value, ok := c.value(where, d.record, r.Struct)
	if !ok {
		return false
	}
	r.Codec, r.Checker = value.Codec, value.Checker
	return true
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
