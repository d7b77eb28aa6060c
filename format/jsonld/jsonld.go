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

// Format is JSON-LD, with the suffix ".jsonld". Do not change it; a copy can have another suffix.
var Format = format.Format{ //nolint:gochecknoglobals // a value, as all formats are
	MediaType: MediaType,
	Suffix:    ".jsonld",
	ForAPI: func(api *format.API) (format.Format, error) {
		a := &vocabulary{api}
		return format.Format{
			Linked:      true,
			For:         a.plan,
			WriteError:  a.writeError,
			Index:       a.entrypoint,
			Documents:   a.documents,
			SchemaName:  "jsonld",
			ErrorSchema: json.RawMessage(errorSchema),
		}, nil
	},
}

// vocabulary describes one API: the classes of its resources, their properties, and the paths of their contexts.
type vocabulary struct{ api *format.API }

// Paths of documents below the API's prefix.
const (
	documentationPath = "/docs.jsonld"
	contextsPath      = "/contexts/"
)

// Classes of the format, which no resource can have as its name.
const (
	entrypointClass = "Entrypoint"
	errorClass      = "Error"
	violationClass  = "ConstraintViolation"
)

var reserved = []string{
	entrypointClass, errorClass, violationClass, "Collection", "PartialCollectionView", "IriTemplate", "IriTemplateMapping", "BasicRepresentation",
	hydraPrefix, datatypePrefix,
}

// context returns the path of the context of a class.
func (v *vocabulary) context(class string) string { return v.api.Prefix + contextsPath + class }

// base is the beginning of the IRIs of classes and properties. It has no host, because that is unknown when contexts
// are written; it is resolved like any other URL (JSON-LD 1.1, section 4.1.2).
func (v *vocabulary) base() string { return v.api.Prefix + documentationPath + "#" }

// plan returns the format for one type.
func (v *vocabulary) plan(t *format.Type) (format.Format, error) {
	if slices.Contains(reserved, t.Name) {
		return format.Format{}, fmt.Errorf("Hydra has a class with the name %s; give the resource another ShortName", t.Name)
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
	made := format.Format{Item: w.appendItem, Schema: d.response}
	if t.Name != "" {
		made.Collection = format.Collection{Begin: w.begin, Item: w.appendRecord, Separator: ",", End: w.end}
	}
	return made, nil
}

// checkNames returns an error if a field of a type has a name with a meaning in JSON-LD.
func checkNames(t *format.Type, where string, within []*format.Type) error {
	if t == nil || slices.Contains(within, t) {
		return nil
	}
	within = append(within, t)
	for _, m := range t.Fields {
		name := strings.TrimPrefix(where+"."+m.Name, ".")
		if strings.HasPrefix(m.Name, "@") || strings.ContainsAny(m.Name, ":/") || m.Name == "" {
			return fmt.Errorf("the field name %q of %s has another meaning in JSON-LD; use a name without @, colons and slashes", m.Name, where)
		}
		for _, inner := range []*format.Type{m.Type, m.Embedded} {
			if err := checkNames(inner, name, within); err != nil {
				return err
			}
		}
	}
	return checkNames(t.Elem, where, within)
}
