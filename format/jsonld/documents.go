package jsonld

import (
	"cmp"
	"slices"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/relation"
	"github.com/trove-api/trove/format/internal/scan"
)

// apiDocumentation is the relation of the Link from each response to the documentation (Hydra core).
const apiDocumentation = "http://www.w3.org/ns/hydra/core#apiDocumentation"

// documents lists the documents of the format: the documentation, and a context for each class.
func (v *vocabulary) documents() []format.Document {
	list := []format.Document{
		{Path: documentationPath, Rel: apiDocumentation, Describes: true, Write: v.appendDocumentation},
		{Path: contextsPath + entrypointClass, WriteFor: func(b []byte, api *format.API) ([]byte, error) {
			return v.appendEntrypointContext(b, api), nil
		}},
	}
	for _, class := range []string{errorClass, violationClass} {
		list = append(list, format.Document{Path: contextsPath + class, Write: func(b []byte) ([]byte, error) { return v.appendErrorContext(b), nil }})
	}
	for i := range v.api.Resources {
		name := v.api.Resources[i].Name
		list = append(list, format.Document{Path: contextsPath + name, WriteFor: func(b []byte, api *format.API) ([]byte, error) {
			return (&vocabulary{api}).appendContext(b, name), nil
		}})
	}
	return list
}

func (v *vocabulary) appendErrorContext(b []byte) []byte {
	b = v.open(append(b, `{"@context":`...))
	b = append(append(b, ','), errorTerms...)
	return append(b, "}}"...)
}

// entrypoint appends the list of collections, where clients start.
func (v *vocabulary) entrypoint(b []byte, entries []format.Entry) ([]byte, error) {
	b = append(b, `{"@context":`...)
	b = scan.AppendQuoted(b, v.context(entrypointClass))
	b = scan.AppendQuoted(append(b, `,"@id":`...), cmp.Or(v.api.Prefix, "/"))
	b = append(b, `,"@type":"`+entrypointClass+`"`...)
	for _, entry := range entries {
		b = scan.AppendName(append(b, ','), v.key(entry.Type))
		b = scan.AppendQuoted(b, entry.Path)
	}
	return append(b, '}'), nil
}

// key returns the name of a resource's collection in the entry point: a relation, unless that is a prefix.
func (v *vocabulary) key(name string) string {
	names := make([]string, len(v.api.Resources))
	for i := range v.api.Resources {
		names[i] = v.api.Resources[i].Name
	}
	small := relation.Name(name, names)
	if small == hydraPrefix || small == datatypePrefix {
		return name
	}
	return small
}

// appendEntrypointContext appends the context of the list of collections, as a caller may see it. Keys depend on all
// resources, so that they are those of the list.
func (v *vocabulary) appendEntrypointContext(b []byte, shown *format.API) []byte {
	b = v.open(append(b, `{"@context":`...))
	b = append(b, `,"Entrypoint":"Entrypoint"`...)
	for i := range shown.Resources {
		if r := &shown.Resources[i]; slices.Contains(r.CollectionTypes, MediaType) {
			b = scan.AppendName(append(b, ','), v.key(r.Name))
			b = append(scan.AppendQuoted(append(b, `{"@id":`...), propertyOf(entrypointClass, v.key(r.Name))), `,"@type":"@id"}`...)
		}
	}
	return append(b, "}}"...)
}
