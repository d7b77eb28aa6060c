package jsonld

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/trove-api/trove/format"
)

// MediaType is the registered media type of JSON-LD.
const MediaType = "application/ld+json"

// Format is JSON-LD, with the suffix ".jsonld". Nobody should change it; a copy may get another
// suffix.
var Format = format.Format{ //nolint:gochecknoglobals // a value, as all formats are
	MediaType: MediaType,
	Suffix:    ".jsonld",
	ForAPI: func(api *format.API) (format.Format, error) {
		a := &vocabulary{api}
		return format.Format{
			Linked:      true,
			For:         a.plan,
			WriteError:  a.refuse,
			Index:       a.entrypoint,
			Documents:   a.documents,
			SchemaName:  "jsonld",
			ErrorSchema: json.RawMessage(refusalSchema),
		}, nil
	},
}

// vocabulary is what the format says of one API: the classes of its resources, their properties,
// and where their contexts are.
type vocabulary struct{ api *format.API }

// Where documents are, below the API's prefix.
const (
	documentationPath = "/docs.jsonld"
	contextsPath      = "/contexts/"
)

// Classes of the format's own, which no resource can be called.
const (
	entrypointClass = "Entrypoint"
	errorClass      = "Error"
	violationClass  = "ConstraintViolation"
)

var reserved = []string{
	entrypointClass, errorClass, violationClass, "Collection", "PartialCollectionView", "IriTemplate", "IriTemplateMapping", "BasicRepresentation",
	hydraPrefix, datatypePrefix,
}

// context returns the address of the context of a class.
func (v *vocabulary) context(class string) string { return v.api.Prefix + contextsPath + class }

// base is what the names of classes and properties begin with. It has no host, for nobody knows it
// when contexts are written: it is resolved like any other address (JSON-LD 1.1, section 4.1.2).
func (v *vocabulary) base() string { return v.api.Prefix + documentationPath + "#" }

// plan makes the format for one type.
func (v *vocabulary) plan(t *format.Type) (format.Format, error) {
	if slices.Contains(reserved, t.Name) {
		return format.Format{}, fmt.Errorf("the resource %s has the name of a class of Hydra; give it another ShortName", t.Name)
	}
	if err := checkNames(t, t.Name, nil); err != nil {
		return format.Format{}, err
	}
	d := described{v, t}
	if t.Request {
		r := &reader{typ: t, context: v.context(t.Name)}
		return format.Format{Read: r.read, Schema: d.body}, nil
	}
	w := newWriter(v, t)
	made := format.Format{Item: w.appendItem, Schema: d.answer}
	if t.Name != "" {
		made.Collection = format.Collection{Begin: w.begin, Item: w.appendMember, Separator: ",", End: w.end}
	}
	return made, nil
}

// checkNames checks that no member of a type has a name that means something else in JSON-LD.
func checkNames(t *format.Type, where string, within []*format.Type) error {
	if t == nil || slices.Contains(within, t) {
		return nil
	}
	within = append(within, t)
	for _, m := range t.Fields {
		name := strings.TrimPrefix(where+"."+m.Name, ".")
		if strings.HasPrefix(m.Name, "@") || strings.ContainsAny(m.Name, ":/") || m.Name == "" {
			return fmt.Errorf("the member %q of %s means something else in JSON-LD; give it a name without @, colons and slashes", m.Name, where)
		}
		for _, inner := range []*format.Type{m.Type, m.Embedded} {
			if err := checkNames(inner, name, within); err != nil {
				return err
			}
		}
	}
	return checkNames(t.Elem, where, within)
}
