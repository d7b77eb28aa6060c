package describe

import (
	"reflect"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
)

// PossibleNames returns the names that schemas of an API may have, and reports whether
// they are distinct: no two schemas can want the same one then. It is known without building
// any of them.
// The names of all schemas depend on one another, so that a clash shows only when a whole document
// is made. New would have to make one, just to find what hardly any API has.
func PossibleNames(api *compiled.API) (names map[string]any, distinct bool) {
	c := claims{names: map[string]any{}, distinct: true, records: map[reflect.Type]bool{}, seen: map[claim]bool{}}
	for _, name := range fixedNames {
		c.take(name, name)
	}
	for _, r := range api.Resources {
		c.take(r.ShortName, r)
		c.records[r.Struct.Go] = true
	}
	for _, r := range api.Resources {
		c.members(claim{of: r.Struct})
		if r.Embedded != nil && r.Embedded.View.Title != "" {
			c.takeName(r.Embedded.View.Title, r.Embedded.View)
		}
		for _, computed := range r.Computed {
			c.takeName(r.Source.Answer.View.Title, r)
			c.structs(computed.Field.Type, true)
		}
		for _, op := range r.Operations {
			c.operation(op)
		}
	}
	return c.names, c.distinct
}

// fixedNames are those of schemas that are not made of a Go type.
var fixedNames = [...]string{"Problem", "ParameterProblem", "MediaTypeProblem", "ConflictProblem", "ValidationError", "ValidationProblem"}

// claims are the names that are taken, and what each is the name of.
// Names are promised to resources first, then to the document's own schemas; see [nameDefinitions],
// which gives them.
type claims struct {
	names    map[string]any
	distinct bool
	// An answer with such a struct is described by the resource's own schema, so it claims no name.
	records map[reflect.Type]bool // structs of resources
	seen    map[claim]bool
}

// claim is a struct that wants names.
type claim struct {
	of       *model.Struct
	isAnswer bool // in answers, a resource's struct is that resource
}

// take takes the names that a subject has in its roles.
func (c *claims) take(base string, subject any) {
	// All that it may have, whether they are used or not: it is asked so that nothing needs to be built,
	// and a false alarm only costs the build.
	for _, suffix := range model.ViewNames() {
		c.takeName(base+suffix, subject)
	}
}

// It is noted and not told: the document, which is made next, knows the better words for it.
func (c *claims) takeName(name string, subject any) {
	owner, taken := c.names[name]
	c.distinct = c.distinct && (!taken || owner == subject)
	c.names[name] = subject
}

// operation takes the names of what one operation is sent and answers.
func (c *claims) operation(op *compiled.Operation) {
	if op.In != nil {
		c.structs(op.In.Type, false)
	}
	if op.Out != nil && op.Out.View != nil && op.Out.View.Title != "" {
		c.takeName(op.Out.View.Title, op.Out.View)
		c.takeName(op.Out.View.Title+op.Out.View.Sparse.Name, op.Out.View)
	}
	for _, e := range op.Expansions {
		if e.Shown != e.Resource.Embedded {
			c.takeName(e.Shown.View.Title, e.Shown.View)
		}
	}
	if op.Out != nil {
		c.structs(op.Out.Type, true)
	}
	if own := op.Parameters.Own; own != nil {
		c.members(claim{of: own.View.Struct})
	}
}

// structs takes the names of all structs that values of a type consist of. One that has
// no name of its own is called by its place, which may be like any other name.
func (c *claims) structs(t *model.Type, isAnswer bool) {
	for t.Elem != nil {
		t = t.Elem
	}
	one := claim{t.Struct, isAnswer}
	if t.Struct == nil || c.seen[one] || isAnswer && c.records[t.Struct.Go] {
		return
	}
	if t.Struct.Go.Name() == "" {
		c.distinct = false
	} else {
		c.take(ComponentName(naming.TypeName(t.Struct.Go)), t.Struct.Go)
	}
	c.members(one)
}

// A struct is marked before its members are looked at, as it may hold itself.
func (c *claims) members(one claim) {
	c.seen[one] = true
	for _, f := range one.of.Fields {
		c.structs(f.Type, one.isAnswer)
	}
}
