package jsonld

import (
	"net/url"
	"slices"
	"strings"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/scan"
)

// namespaces has the prefixes of contexts and of the documentation.
const namespaces = `"hydra":"http://www.w3.org/ns/hydra/core#","xsd":"http://www.w3.org/2001/XMLSchema#"`

// hydraTerms are the terms of collections. They are scoped to the type Collection, so that a record can have fields
// with the same names (JSON-LD 1.1, section 4.1.9).
const hydraTerms = `"Collection":{"@id":"hydra:Collection","@context":{` +
	`"member":{"@id":"hydra:member","@container":"@set"},"totalItems":"hydra:totalItems","view":"hydra:view","search":"hydra:search"}},` +
	`"PartialCollectionView":{"@id":"hydra:PartialCollectionView","@context":{` +
	`"first":{"@id":"hydra:first","@type":"@id"},"last":{"@id":"hydra:last","@type":"@id"},` +
	`"previous":{"@id":"hydra:previous","@type":"@id"},"next":{"@id":"hydra:next","@type":"@id"}}},` +
	`"IriTemplate":{"@id":"hydra:IriTemplate","@context":{"template":"hydra:template","mapping":{"@id":"hydra:mapping","@container":"@set"},` +
	`"BasicRepresentation":"hydra:BasicRepresentation","variableRepresentation":{"@id":"hydra:variableRepresentation","@type":"@vocab"}}},` +
	`"IriTemplateMapping":{"@id":"hydra:IriTemplateMapping","@context":{"variable":"hydra:variable","required":"hydra:required",` +
	`"property":{"@id":"hydra:property","@type":"@vocab"}}}`

// errorTerms are the terms of errors. Those of violations are in the vocabulary itself, as propertyPath, because API
// Platform's clients read them there to show messages next to fields.
const errorTerms = `"title":"hydra:title","description":"hydra:description","status":"hydra:statusCode",` +
	`"Error":"hydra:Error","parameters":{"@id":"Error/parameters","@type":"@json"},` +
	`"ConstraintViolation":"ConstraintViolation","violations":"ConstraintViolation/violations"`

// open begins a context in which unknown names are properties of the API.
func (v *vocabulary) open(b []byte) []byte {
	return append(append(v.vocabularyAlone(b), ','), namespaces...)
}

// vocabularyAlone begins a context without prefixes.
func (v *vocabulary) vocabularyAlone(b []byte) []byte {
	return scan.AppendQuoted(append(b, `{"@version":1.1,"@vocab":`...), v.base())
}

// appendContext appends the context of a resource: its fields, those of the records that it can embed, each scoped to
// its class, and the terms of collections. A field with the name of a class or prefix is scoped to the resource's
// class, so that the name keeps its meaning elsewhere. It appends nothing for an unknown resource.
func (v *vocabulary) appendContext(b []byte, name string) []byte {
	r := v.resource(name)
	if r == nil {
		return b
	}
	b = v.open(append(b, `{"@context":`...))
	b = append(append(b, ','), hydraTerms...)
	own, others := *r.Type, *r.Type
	taken, within := v.taken(r.Type), []*format.Type{r.Type}
	own.Fields = slices.DeleteFunc(slices.Clone(own.Fields), func(m format.TypeField) bool { return !slices.Contains(taken, m.Name) })
	others.Fields = slices.DeleteFunc(slices.Clone(others.Fields), func(m format.TypeField) bool { return slices.Contains(taken, m.Name) })
	b = scan.AppendName(append(b, ','), r.Name)
	if len(own.Fields) == 0 {
		b = scan.AppendQuoted(b, r.Name)
	} else {
		b = append(appendTerms(append(scan.AppendQuoted(append(b, `{"@id":`...), r.Name), `,"@context":{`...), &own, r.Name, within), "}}"...)
	}
	for _, name := range embedded(r.Type, nil) {
		if other := v.resource(name); other != nil && name != r.Name {
			b = scan.AppendName(append(b, ','), name)
			b = append(scan.AppendQuoted(append(b, `{"@id":`...), name), `,"@context":{`...)
			b = append(appendTerms(b, other.Type, name, []*format.Type{other.Type}), "}}"...)
		}
	}
	if len(others.Fields) > 0 {
		b = appendTerms(append(b, ','), &others, r.Name, within)
	}
	return append(b, "}}"...)
}

// taken lists the names that have another meaning in the context of a resource.
func (v *vocabulary) taken(t *format.Type) []string {
	return append(append(embedded(t, nil), reserved...), t.Name)
}

// resource returns the resource with a name, nil for none.
func (v *vocabulary) resource(name string) *format.Resource {
	i := slices.IndexFunc(v.api.Resources, func(r format.Resource) bool { return r.Name == name })
	if i < 0 {
		return nil
	}
	return &v.api.Resources[i]
}

// embedded lists the resources whose records a type can embed.
func embedded(t *format.Type, list []string) []string {
	for _, m := range t.Fields {
		if m.Embedded == nil {
			continue
		}
		if !slices.Contains(list, m.Embedded.Name) {
			list = append(list, m.Embedded.Name)
		}
		list = embedded(m.Embedded, list)
	}
	return list
}

// ownContext returns the context of a value that is not a record. It is part of the response.
func (v *vocabulary) ownContext(t *format.Type) []byte {
	b := v.open(nil)
	if slices.ContainsFunc(t.Fields, func(m format.TypeField) bool { return m.Name == hydraPrefix || m.Name == datatypePrefix }) {
		b = v.vocabularyAlone(nil)
	}
	if len(t.Fields) > 0 {
		b = appendTerms(append(b, ','), t, "", []*format.Type{t})
	}
	return append(b, '}')
}

// The prefixes of contexts.
const (
	hydraPrefix    = "hydra"
	datatypePrefix = "xsd"
)

// appendTerms appends the fields of a class. It stops at a type that contains itself.
func appendTerms(b []byte, t *format.Type, class string, within []*format.Type) []byte {
	for i, m := range t.Fields {
		if i > 0 {
			b = append(b, ',')
		}
		b = scan.AppendName(b, m.Name)
		b = appendTerm(b, m, class, within)
	}
	return b
}

// appendTerm appends the definition of a field.
func appendTerm(b []byte, m format.TypeField, class string, within []*format.Type) []byte {
	property := propertyOf(class, m.Name)
	if m.Reference != nil && !m.Reference.Identifiers {
		b = append(scan.AppendQuoted(append(b, `{"@id":`...), property), `,"@type":"@id"`...)
		if m.Reference.Many && !m.Reference.Inverse {
			b = append(b, `,"@container":"@set"`...)
		}
		return append(b, '}')
	}
	t, list := m.Type, false
	for t.Kind == format.List { // lists can contain lists (JSON-LD 1.1, section 4.3.1)
		t, list = t.Elem, true
	}
	b = scan.AppendQuoted(append(b, `{"@id":`...), property)
	switch {
	case isOpaque(t, within):
		return append(b, `,"@type":"@json"}`...)
	case t.Kind == format.Object:
		b = append(b, `,"@context":{`...)
		b = append(appendTerms(b, t, classOf(class, m.Name), append(slices.Clone(within), t)), '}')
	case datatypeOf(t) != "": // without a prefix, because a field can have its name
		b = append(append(append(b, `,"@type":"http://www.w3.org/2001/XMLSchema#`...), datatypeOf(t)...), '"')
	}
	if list {
		b = append(b, `,"@container":"@list"`...)
	}
	return append(b, '}')
}

// datatypeOf returns the datatype of XML Schema for a type of string, "" for a plain one.
func datatypeOf(t *format.Type) string {
	switch t.Format {
	case "date-time":
		return "dateTime"
	case "byte":
		return "base64Binary"
	case "date", "decimal":
		return t.Format
	}
	return ""
}

// isOpaque reports whether a value is described as JSON and nothing more.
func isOpaque(t *format.Type, within []*format.Type) bool {
	return t.Kind == format.Any || t.Kind == format.Map ||
		t.Kind == format.Object && (len(t.Fields) == 0 || slices.Contains(within, t) || len(within) > maxNested)
}

// maxNested is the maximum depth of fields in contexts. A deeper object is JSON.
const maxNested = 8

// propertyOf returns the name of a property, relative to the documentation.
func propertyOf(class, member string) string {
	return strings.TrimPrefix(class+"/"+url.PathEscape(member), "/")
}

// classOf returns the class of the objects in a field of another class.
func classOf(class, member string) string {
	return strings.TrimPrefix(class+"."+url.PathEscape(member), ".")
}
