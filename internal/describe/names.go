package describe

import (
	"errors"
	"fmt"
	"path"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
)

// namer gives definitions their names in the document.
//
// The name of a schema is that of its resource or Go type, then the suffix of its role. A type that is nothing but the
// body of operations has no suffix. Names of resources come first, then the document's own. Where other types would
// share a name, each has the name of its package before it.
type namer struct {
	taken map[string]*Definition
	types []*Definition // those of types that are no resources
	errs  []error
}

// nameDefinitions names all definitions. Its error joins the names that two would have. It runs when all definitions
// are known, and not as each is made: which names are free for types, and which types share one, is not known before.
func nameDefinitions(definitions []*Definition) error {
	n := namer{taken: map[string]*Definition{}}
	var fixed, derived []*Definition
	for _, d := range definitions {
		switch d.subject.(type) {
		case *compiled.Resource:
			n.take(d, d.base+d.role.suffix())
		case reflect.Type:
			n.types = append(n.types, d)
		case derivation:
			derived = append(derived, d)
		default:
			fixed = append(fixed, d)
		}
	}
	for _, d := range fixed {
		n.take(d, n.free(d.base))
	}
	// After all names of resources and of the document are taken, for these are promised: a type's is what gives way.
	ambiguous := n.ambiguous()
	for _, d := range n.types {
		n.take(d, d.typeName(ambiguous[d.base])+n.suffix(d))
	}
	for _, d := range derived {
		from := d.subject.(derivation) //nolint:forcetypeassert // as it was found
		n.take(d, from.of.Name+"."+from.suffix)
	}
	return errors.Join(n.errs...)
}

// take gives a definition a name, unless another one has it. A clash is an error rather than a number behind the name:
// with it, to add a type would rename the schemas of others, and break clients made from them.
func (n *namer) take(d *Definition, name string) {
	if other, taken := n.taken[name]; taken {
		n.errs = append(n.errs, fmt.Errorf("two schemas would be called %s, of %s and of %s: rename a type, or set ShortName on a resource",
			name, other.of(), d.of()))
		return
	}
	d.Name, n.taken[name] = name, d
}

// free returns a name that no resource has. Only the document's own schemas give way like this. Their names are of no
// use to clients, while that of a resource is its author's choice.
func (n *namer) free(name string) string {
	for n.taken[name] != nil {
		name += "Body"
	}
	return name
}

// ambiguous finds the names of types that are not theirs alone.
func (n *namer) ambiguous() map[string]bool {
	found, first := map[string]bool{}, map[string]reflect.Type{}
	for _, d := range n.types {
		if first[d.base] == nil {
			first[d.base] = d.goType
		}
		if first[d.base] != d.goType || n.taken[d.base+n.suffix(d)] != nil {
			found[d.base] = true
		}
	}
	return found
}

// suffix returns the suffix of a type's definition.
// A type that is only ever sent needs no word that says so. One that appears in two roles does.
func (n *namer) suffix(d *Definition) string {
	alone := true
	for _, other := range n.types {
		alone = alone && (other == d || other.goType != d.goType)
	}
	if d.isBody && alone {
		return ""
	}
	return d.role.suffix()
}

// typeName returns the name of the definition's type, with that of its package before it if asked.
func (d *Definition) typeName(qualified bool) string {
	if qualified {
		return ComponentName(path.Base(d.goType.PkgPath())) + d.base
	}
	return d.base
}

// of says what a definition is made of.
func (d *Definition) of() string {
	switch subject := d.subject.(type) {
	case *compiled.Resource:
		return "resource " + subject.ShortName
	case reflect.Type:
		return subject.PkgPath() + "." + subject.Name()
	}
	return "the document"
}

// localType is what reflection adds to the name of a type declared in a function.
var localType = regexp.MustCompile(`·\d+`)

// ComponentName makes a name of what a component may be called: the first letter is a capital, and letters beyond ASCII
// are written as their code. OpenAPI allows only letters of ASCII, digits and a few signs in names of components (3.1,
// section 4.8.7.1). Codes keep two names apart that would lose the same letters.
func ComponentName(name string) string {
	var b strings.Builder
	for i, r := range localType.ReplaceAllString(name, "") {
		switch {
		case r > unicode.MaxASCII:
			b.WriteString("U" + strings.ToUpper(strconv.FormatInt(int64(r), 16)))
		case i == 0:
			b.WriteRune(unicode.ToUpper(r))
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(r)
		}
	}
	return b.String()
}

// PossibleNames returns the names that schemas of an API may have, and reports whether they are distinct: no two
// schemas can want the same one then. It is known without building any of them. The names of all schemas depend on one
// another, so that a clash shows only when a whole document is made. New would have to make one, just to find what
// hardly any API has.
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
			c.takeName(r.Source.Response.View.Title, r)
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

// claims are the names that are taken, and what each is the name of. Names are promised to resources first, then to the
// document's own schemas; see [nameDefinitions], which gives them.
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
