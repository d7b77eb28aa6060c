package hal

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/relation"
)

// MediaType is the media type of HAL.
const MediaType = "application/hal+json"

// Format is HAL with plain relation names and the suffix ".jsonhal". Do not change it; a copy can have another suffix.
var Format = WithCurie("", "") //nolint:gochecknoglobals // a value, as all formats are

// WithCurie returns HAL with a prefix for your own relations (references, and the collections of the entry point):
// "acme:owner". The template is the URL of their documentation, "https://docs.example.com/rels/{rel}", in the curies
// of each response. Relations registered with the IANA, such as next, have no prefix. Without a prefix it returns
// [Format].
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
				return format.Format{}, fmt.Errorf("the curie %q has the template %q; a prefix must not contain a colon, slash or space, "+
					"and a template must contain {rel}", prefix, template)
			}
			r := relations{r.prefix, r.curies, api}
			return format.Format{
				Linked:     true,
				SchemaName: "jsonhal",
				For:        r.planned,
				Documents:  func() []format.Document { return nil }, // makes New pass the API, which schemas use
				Index: func(b []byte, entries []format.Entry) ([]byte, error) {
					return r.appendIndex(b, api.Prefix, entries), nil
				},
			}, nil
		},
	}
}

// relations has the names of a service's own relations.
type relations struct {
	prefix string // "acme:", "" for none
	curies string // the field of _links that explains it, "" for none

	api *format.API
}

// hasPath reports whether records of a resource have a path. It can be called once New has returned.
func (r relations) hasPath(resource string) bool {
	return slices.ContainsFunc(r.api.Resources, func(of format.Resource) bool { return of.Name == resource && of.Path != "" })
}

// planned returns the functions for a type.
func (r relations) planned(t *format.Type) (format.Format, error) {
	record := t
	if t.Kind == format.List && t.Elem.Kind == format.Object {
		record = t.Elem
	}
	for _, m := range record.Fields {
		if m.Name == "_links" || m.Name == "_embedded" {
			return format.Format{}, fmt.Errorf("HAL reserves the field name %s; rename it with its json tag, or set Formats of the resource without HAL", m.Name)
		}
		if r.prefix == "" && m.Reference != nil && (m.Name == "self" || m.Name == "curies") {
			return format.Format{}, fmt.Errorf("HAL reserves the relation %s; rename the reference with its json tag, or use WithCurie", m.Name)
		}
	}
	if name := relation.Name(record.Name, nil); r.prefix == "" && (name == "self" || name == "curies") {
		return format.Format{}, fmt.Errorf("the entry point would have the relation %s, which HAL reserves; give the resource another ShortName "+
			"or use WithCurie", name)
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
		Schema: schemas{r, t}.of,
	}, nil
}

// appendIndex appends the entry point: links to the collections.
func (r relations) appendIndex(b []byte, prefix string, entries []format.Entry) []byte {
	b = append(b, `{"_links":{"self":`...)
	b = appendLink(b, cmp.Or(prefix, "/"))
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
