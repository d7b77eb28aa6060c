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
// The name of a schema is that of its resource or Go type, followed by the suffix of its role. A type that is only the
// body of operations has no suffix. Names of resources take precedence, then the document's own. If other types would
// share a name, each gets more of its Go name: see [spellings].
type namer struct {
	taken map[string]*Definition
	types []*Definition // those of types that are not resources
	errs  []error
}

// nameDefinitions names all definitions. Its error joins the names that two would have. All definitions must be known,
// because names of types depend on one another.
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
	// Names of resources and of the document are promised, so those of types give way.
	spelled := n.spellings()
	for _, d := range n.types {
		n.take(d, d.typeName(spelled[d.base])+n.suffix(d))
	}
	for _, d := range derived {
		from := d.subject.(derivation) //nolint:forcetypeassert // as it was found
		n.take(d, from.of.Name+"."+from.suffix)
	}
	return errors.Join(n.errs...)
}

// take gives a definition a name, unless another one has it. A clash is an error: with an appended number, adding a type
// could rename other schemas and break generated clients.
func (n *namer) take(d *Definition, name string) {
	if other, taken := n.taken[name]; taken {
		n.errs = append(n.errs, fmt.Errorf("%s and %s would have the same schema name %s; rename a type, or set ShortName of a resource",
			other.of(), d.of(), name))
		return
	}
	d.Name, n.taken[name] = name, d
}

// free returns a name that no resource has. Only the document's own schemas give way like this, because their names do
// not matter to clients.
func (n *namer) free(name string) string {
	for n.taken[name] != nil {
		name += "Body"
	}
	return name
}

// spelling is how much of its Go name the name of a type has.
type spelling int

const (
	plain     spelling = iota // "MetaPage" for shop.Page[model.Meta] and shop.Page[*model.Meta]
	marked                    // "MetaPage" and "PointerMetaPage"
	qualified                 // "ShopMetaPage" for both
	exact                     // "ShopModelMetaPage" and "ShopPointerModelMetaPage"
	full                      // the same with the whole paths of packages
)

// spellings returns the shortest spelling of each name with which no two types share one. Types with the same plain name
// are spelled alike. Of two types with different ones, as Meta in requests and MetaCreate, the longer one gives way.
func (n *namer) spellings() map[string]spelling {
	spelled := map[string]spelling{}
	for {
		name := n.clash(spelled)
		if name == "" {
			return spelled
		}
		spelled[name]++
	}
}

// clash returns the plain name of a type that shares its name with another schema and can be spelled longer; "" for none.
func (n *namer) clash(spelled map[string]spelling) string {
	types, schemas := map[string]*Definition{}, map[string]*Definition{}
	for _, d := range n.types {
		own := d.typeName(spelled[d.base])
		name := own + n.suffix(d)
		for _, other := range []*Definition{types[own], schemas[name]} {
			longer := d.base
			if other != nil && len(other.base) > len(longer) {
				longer = other.base
			}
			clashes := other != nil && other.goType != d.goType || n.taken[name] != nil
			if clashes && spelled[longer] < full {
				return longer
			}
		}
		types[own], schemas[name] = d, d
	}
	return ""
}

// suffix returns the suffix of a type's definition, which a type that is only sent does not need.
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

// typeName returns the name of the definition's type in a spelling.
func (d *Definition) typeName(how spelling) string {
	name, arguments, isGeneric := strings.Cut(d.goType.Name(), "[")
	isNamed := isGeneric && d.base == ComponentName(naming.TypeName(d.goType)) // and not the title of a view
	switch {
	case how == marked && isNamed:
		return ComponentName(marks(arguments)) + d.base
	case how >= exact && isNamed:
		return d.packageName(how) + ComponentName(argumentWords(arguments, how == full)) + ComponentName(name)
	case how >= qualified:
		return d.packageName(how) + d.base
	}
	return d.base
}

// packageName returns the name of the package of the definition's type, or its whole path.
func (d *Definition) packageName(how spelling) string {
	if how == full {
		return ComponentName(capitals(d.goType.PkgPath()))
	}
	return ComponentName(path.Base(d.goType.PkgPath()))
}

// marks returns words for what type arguments have around their names, "Pointer" for *shop.Book; "" for nothing.
func marks(arguments string) string {
	var b strings.Builder
	for i := range len(arguments) {
		switch rest := arguments[i:]; {
		case rest[0] == '*':
			b.WriteString("Pointer")
		case strings.HasPrefix(rest, "[]"):
			b.WriteString("List")
		}
	}
	return b.String()
}

var (
	folders     = regexp.MustCompile(`[^\[\]*,]*/`) // of a package
	markedWords = strings.NewReplacer("*", " Pointer ", "[]", " List ", "map[", " Map ")
)

// argumentWords returns all words of type arguments, without the folders of packages unless they are wanted.
func argumentWords(arguments string, withFolders bool) string {
	if !withFolders {
		arguments = folders.ReplaceAllString(arguments, "")
	}
	return capitals(markedWords.Replace(arguments))
}

// capitals joins the words of a text, each with a capital first letter.
func capitals(text string) string {
	var b strings.Builder
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '·' }) {
		b.WriteString(naming.Capital(word))
	}
	return b.String()
}

// of returns the source of a definition, for errors.
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

// ComponentName makes a valid name of a component (OpenAPI 3.1, section 4.8.7.1): the first letter is a capital, and
// letters beyond ASCII are written as their code, which keeps names distinct.
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

// PossibleNames returns the names that schemas of an API may have, and reports whether they are distinct, so that no two
// schemas can clash. It builds no schema, which would make every start slow to find a rare error.
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
		c.fields(claim{of: r.Struct})
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

// fixedNames are the names of schemas that are not of a Go type.
var fixedNames = [...]string{"Problem", "ParameterProblem", "MediaTypeProblem", "ConflictProblem", "ValidationError", "ValidationProblem"}

// claims are the names that schemas may take, with their subjects.
type claims struct {
	names    map[string]any
	distinct bool
	// A response with such a struct has the resource's schema, so it claims no name.
	records map[reflect.Type]bool // structs of resources
	seen    map[claim]bool
}

// claim is a struct that wants names.
type claim struct {
	of       *model.Struct
	isAnswer bool // in responses, a resource's struct is that resource
}

// take takes the names that a subject has in its roles.
func (c *claims) take(base string, subject any) {
	// All names, used or not: a false alarm only costs building the document.
	for _, suffix := range model.ViewNames() {
		c.takeName(base+suffix, subject)
	}
}

// takeName takes a name. The document, which is made next, reports clashes.
func (c *claims) takeName(name string, subject any) {
	owner, taken := c.names[name]
	c.distinct = c.distinct && (!taken || owner == subject)
	c.names[name] = subject
}

// operation takes the names of an operation's requests and responses.
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
		c.fields(claim{of: own.View.Struct})
	}
}

// structs takes the names of all structs that values of a type consist of. An anonymous struct is named after its place,
// which may clash with any name.
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
	c.fields(one)
}

// fields takes the names of a struct's fields. The struct is marked first, because it may be recursive.
func (c *claims) fields(one claim) {
	c.seen[one] = true
	for _, f := range one.of.Fields {
		c.structs(f.Type, one.isAnswer)
	}
}
