package resource

import (
	"cmp"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
)

// declare takes up the declarations that there are.
func (c *compiler) declare(declarations []Declaration) {
	for i, declaration := range declarations {
		c.turn = i + 1
		if isNil(declaration) {
			c.fail(fmt.Sprintf("declaration %d", i+1), "is nil")
			continue
		}
		c.declared = append(c.declared, &declared{definition: declaration.declare(), turn: i + 1})
	}
}

// models is the first phase: it names a resource and compiles its struct.
func (c *compiler) models(d *declared) bool {
	r := &compiled.Resource{
		ShortName: d.shortName, Description: d.description, Prepare: d.prepare, Before: d.before, Errors: d.errors,
		Members: d.access.Members, Reads: d.access.Read, Answered: d.answered,
	}
	if r.ShortName == "" {
		r.ShortName = naming.TypeName(d.record)
	}
	if r.ShortName == "" && d.record.Kind() == reflect.Struct {
		r.ShortName = fmt.Sprintf("Declaration%d", d.turn) // to go on with
		c.fail(fmt.Sprintf("declaration %d", d.turn), "is of a struct without a name, %s; set ShortName, or declare a type", brief(d.record))
	}
	d.resource, d.where = r, "resource "+cmp.Or(r.ShortName, d.record.String())
	c.checkDefinition(d.where, &d.definition, r)
	if r.Errors == 0 {
		r.Errors = max(c.config.Errors, 1)
	}
	if known := d.store.Struct; known != nil && known.Go == d.record && !c.shared[known] && !isLinked(d, known) {
		enumerate(known.ID, d.values)
		r.Struct, d.isWhole, c.shared[known] = known, true, true
		return true
	}
	var err error
	r.Struct, err = model.Compile(d.record)
	c.note(d.where, err)
	d.isWhole = err == nil
	return true
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

func (c *compiler) checkDefinition(where string, d *definition, r *compiled.Resource) {
	if d.shortName != "" && !shortName.MatchString(d.shortName) {
		c.fail(where, "ShortName is %q; allowed: letters, digits and underscores, beginning with a letter", d.shortName)
		r.ShortName = naming.TypeName(d.record) // to go on with
	}
	for _, mistake := range d.mistakes {
		c.fail(where, "%s", mistake)
	}
	r.PluralName = c.plurals.Name(r.ShortName)
	if !isShape(d.errors) {
		c.fail(where, "Errors is %d; allowed: validation.Map, validation.Problem", d.errors)
	}
	if d.store.Records == nil {
		c.fail(where, "Store is a nil pointer; leave Store out to keep records in memory")
	}
	for _, mistake := range append(mistakesIn(&d.defaults.Pagination, &c.config.Pagination), mistakesInEnd(lifecycleOf(&d.defaults))...) {
		c.fail(where, "%s", mistake)
	}
	c.checkCacheControl(where, d.defaults.CacheControl)
	c.checkProcessor(where, d.defaults.Processor, d.record)
	c.checkExtraProperties(where, d.defaults.ExtraProperties)
}
