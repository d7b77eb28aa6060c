package hal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/relation"
)

// MediaType is the media type of HAL.
const MediaType = "application/hal+json"

// Format is HAL with the relations' plain names, and the suffix ".jsonhal". Nobody should change
// it; a copy may get another suffix.
var Format = WithCurie("", "") //nolint:gochecknoglobals // a value, as all formats are

// WithCurie returns HAL whose own relations (references, and the collections of the entry point)
// have a prefix, "acme:owner", and a template of where they are documented,
// "https://docs.example.com/rels/{rel}", in the curies of each answer. Relations that are
// registered with the IANA, such as next, have none. Without a prefix it is [Format].
func WithCurie(prefix, template string) format.Format {
	r := relations{}
	if prefix != "" {
		r.prefix = prefix + ":"
		r.curies = `"curies":[{"name":` + quote(prefix) + `,"href":` + quote(template) + `,"templated":true}]`
	}
	return format.Format{
		MediaType: MediaType,
		Suffix:    ".jsonhal",
		ForAPI: func(api *format.API) (format.Format, error) {
			if prefix != "" && (strings.ContainsAny(prefix, ":/ ") || !strings.Contains(template, "{rel}")) {
				return format.Format{}, fmt.Errorf("the curie %q has the template %q; a prefix has no colon, slash or space, a template has {rel}", prefix, template)
			}
			r := relations{r.prefix, r.curies, api}
			return format.Format{
				Linked:     true,
				SchemaName: "jsonhal",
				For:        r.planned,
				Documents:  func() []format.Document { return nil }, // has the API told, which schemas ask
				Index: func(b []byte, entries []format.Entry) ([]byte, error) {
					return r.appendIndex(b, api.Prefix, entries), nil
				},
			}, nil
		},
	}
}

// relations are how own relations are called.
type relations struct {
	prefix string // "acme:", "" for none
	curies string // the member of _links that explains it, "" for none

	api *format.API
}

// hasAddress reports whether records of a resource have one, which is known once the API is made.
func (r relations) hasAddress(resource string) bool {
	return slices.ContainsFunc(r.api.Resources, func(of format.Resource) bool { return of.Name == resource && of.Path != "" })
}

// planned makes the functions for a type.
func (r relations) planned(t *format.Type) (format.Format, error) {
	record := t
	if t.Kind == format.List && t.Elem.Kind == format.Object {
		record = t.Elem
	}
	for _, m := range record.Fields {
		if m.Name == "_links" || m.Name == "_embedded" {
			return format.Format{}, fmt.Errorf("the member %s is HAL's own; rename it by its json tag, or leave the resource out of the format by Formats", m.Name)
		}
		if r.prefix == "" && m.Reference != nil && (m.Name == "self" || m.Name == "curies") {
			return format.Format{}, fmt.Errorf("the reference %s is a relation of HAL's own; rename it by its json tag, or give the format a curie", m.Name)
		}
	}
	if name := relation.Name(record.Name, nil); r.prefix == "" && (name == "self" || name == "curies") {
		return format.Format{}, fmt.Errorf("the entry point would have the relation %s, which is HAL's own; give the resource another ShortName, "+
			"or the format a curie", name)
	}
	w := r.newWriter(t, map[*format.Type]*writer{})
	return format.Format{
		Read: newReader(r, t).read,
		Item: w.appendItem,
		Collection: format.Collection{
			Begin:     func(b []byte, _ format.Page) ([]byte, error) { return append(b, `{"_embedded":{"item":[`...), nil },
			Item:      w.appendItem,
			Separator: ",",
			End:       r.appendPage,
		},
		Schema: newSchemas(r, t).of,
	}, nil
}

// appendIndex appends the entry point: where the collections are.
func (r relations) appendIndex(b []byte, prefix string, entries []format.Entry) []byte {
	b = append(b, `{"_links":{"self":`...)
	b = appendLink(b, root(prefix))
	names := make([]string, len(entries))
	for i := range entries {
		names[i] = entries[i].Type
	}
	for _, e := range entries {
		b = append(append(b, ','), quote(r.prefix+relation.Name(e.Type, names))...)
		b = appendLink(append(b, ':'), e.Path)
	}
	return append(r.appendCuries(b), "}}"...)
}
