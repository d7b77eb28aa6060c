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
	"github.com/trove-api/trove/internal/naming"
)

// namer gives definitions their names in the document.
//
// The name of a schema is that of its resource or Go type, followed by the suffix of its role. A type that is only the
// body of operations has no suffix. Names of resources take precedence, then the document's own. If other types would
// share a name, each gets more of its Go name: see [spelling].
type namer struct {
	taken map[string]*Definition
	types []*Definition // those of types that are not resources
}

// nameDefinitions names all definitions. Its error joins the names that two resources would have: with an appended number,
// adding a resource could rename other schemas and break generated clients. All definitions must be known, because names
// of types depend on one another.
func nameDefinitions(definitions []*Definition) error {
	n := namer{taken: map[string]*Definition{}}
	var fixed, derived []*Definition
	var errs []error
	for _, d := range definitions {
		switch subject := d.subject.(type) {
		case *compiled.Resource:
			name := d.base + d.role.suffix()
			if other := n.taken[name]; other != nil {
				errs = append(errs, fmt.Errorf("resource %s and resource %s would have the same schema name %s; set ShortName of one",
					other.Resource().ShortName, subject.ShortName, name))
			}
			n.name(d, name)
		case reflect.Type:
			n.types = append(n.types, d)
		case derivation:
			derived = append(derived, d)
		default:
			fixed = append(fixed, d)
		}
	}
	for _, d := range fixed {
		n.name(d, n.free(d.base))
	}
	// Names of resources and of the document are promised, so those of types give way. They get the shortest spelling with
	// which no two types share a name. Types with the same plain name are spelled alike. Of two types with different ones, as
	// Meta in requests and MetaCreate, the longer one gives way.
	spelled := map[string]spelling{}
	for name := n.clash(spelled); name != ""; name = n.clash(spelled) {
		spelled[name]++
	}
	for _, d := range n.types {
		n.name(d, n.free(d.typeName(spelled[d.base])+n.suffix(d)))
	}
	for _, d := range derived {
		from := d.subject.(derivation) //nolint:forcetypeassert // as it was found
		n.name(d, n.free(from.of.Name+"."+from.suffix))
	}
	return errors.Join(errs...)
}

func (n *namer) name(d *Definition, name string) { d.Name, n.taken[name] = name, d }

// free returns a name that no other schema has. It has a number if it is that of a schema of the document, or of a type
// that even its package does not distinguish, such as one declared in a function.
func (n *namer) free(base string) string {
	name := base
	for i := 2; n.taken[name] != nil; i++ {
		name = base + strconv.Itoa(i)
	}
	return name
}

// spelling is how much of its Go name the name of a type has.
type spelling int

const (
	plain     spelling = iota // "MetaPage" for shop.Page[model.Meta] and shop.Page[*model.Meta]
	qualified                 // "ShopModelMetaPage" and "ShopPointerModelMetaPage"
	full                      // the same with the whole paths of packages
)

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

var (
	folders     = regexp.MustCompile(`[^\[\]*,]*/`) // of a package
	markedWords = strings.NewReplacer("*", " Pointer ", "[]", " List ", "map[", " Map ")
)

// typeName returns the name of the definition's type in a spelling.
func (d *Definition) typeName(how spelling) string {
	if how == plain {
		return d.base
	}
	name, arguments, isGeneric := strings.Cut(d.goType.Name(), "[")
	folder := d.goType.PkgPath()
	if how == qualified {
		folder, arguments = path.Base(folder), folders.ReplaceAllString(arguments, "")
	}
	if isGeneric && d.base == ComponentName(naming.TypeName(d.goType)) { // and not the title of a view
		return ComponentName(capitals(folder + " " + markedWords.Replace(arguments) + " " + name))
	}
	return ComponentName(capitals(folder) + d.base)
}

// capitals joins the words of a text, each with a capital first letter.
func capitals(text string) string {
	var b strings.Builder
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '·' }) {
		b.WriteString(naming.Capital(word))
	}
	return b.String()
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
