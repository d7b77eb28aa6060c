package jsonld

import (
	"net/url"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
)

// namespaces are the prefixes of contexts and of the documentation.
const namespaces = `"hydra":"http://www.w3.org/ns/hydra/core#","xsd":"http://www.w3.org/2001/XMLSchema#"`

// hydraTerms are what collections have. They are scoped to its types, so that a record may have
// members of the same names (JSON-LD 1.1, section 4.1.9).
const hydraTerms = `"Collection":{"@id":"hydra:Collection","@context":{` +
	`"member":{"@id":"hydra:member","@container":"@set"},"totalItems":"hydra:totalItems","view":"hydra:view","search":"hydra:search"}},` +
	`"PartialCollectionView":{"@id":"hydra:PartialCollectionView","@context":{` +
	`"first":{"@id":"hydra:first","@type":"@id"},"last":{"@id":"hydra:last","@type":"@id"},` +
	`"previous":{"@id":"hydra:previous","@type":"@id"},"next":{"@id":"hydra:next","@type":"@id"}}},` +
	`"IriTemplate":{"@id":"hydra:IriTemplate","@context":{"template":"hydra:template","mapping":{"@id":"hydra:mapping","@container":"@set"},` +
	`"BasicRepresentation":"hydra:BasicRepresentation","variableRepresentation":{"@id":"hydra:variableRepresentation","@type":"@vocab"}}},` +
	`"IriTemplateMapping":{"@id":"hydra:IriTemplateMapping","@context":{"variable":"hydra:variable","required":"hydra:required",` +
	`"property":{"@id":"hydra:property","@type":"@vocab"}}}`

// errorTerms are what refusals have. What violations have is in the vocabulary itself, as propertyPath: there
// API Platform's clients look for it, to show messages where they belong.
const errorTerms = `"title":"hydra:title","description":"hydra:description","status":"hydra:statusCode",` +
	`"Error":"hydra:Error","parameters":{"@id":"Error/parameters","@type":"@json"},` +
	`"ConstraintViolation":"ConstraintViolation","violations":"ConstraintViolation/violations"`

// open begins a context in which names that it does not have are properties of the API's own.
func (v *vocabulary) open(b []byte) []byte {
	b = append(b, `{"@version":1.1,"@vocab":`...)
	b = appendText(b, v.base())
	return append(append(b, ','), namespaces...)
}

// appendContext appends the context of a resource: its members, those of the records that it may
// have embedded, each scoped to its class, and what collections have.
func (v *vocabulary) appendContext(b []byte, r *format.Resource) []byte {
	b = v.open(append(b, `{"@context":`...))
	b = append(append(b, ','), hydraTerms...)
	b = appendName(append(b, ','), r.Name)
	b = appendText(b, r.Name)
	for _, name := range embedded(r.Type, nil) {
		if other := v.resource(name); other != nil && name != r.Name {
			b = appendName(append(b, ','), name)
			b = append(appendText(append(b, `{"@id":`...), name), `,"@context":{`...)
			b = append(bytesOfTerms(b, other.Type, name), "}}"...)
		}
	}
	b = append(b, ',')
	b = bytesOfTerms(b, r.Type, r.Name)
	return append(b, "}}"...)
}

// resource returns the resource of a name, nil for none.
func (v *vocabulary) resource(name string) *format.Resource {
	i := slices.IndexFunc(v.api.Resources, func(r format.Resource) bool { return r.Name == name })
	if i < 0 {
		return nil
	}
	return &v.api.Resources[i]
}

// embedded lists the resources whose records a type may have embedded.
func embedded(t *format.Type, list []string) []string {
	for _, m := range t.Members {
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

// ownContext returns the context of what is no record of a resource, which stands in the answer
// itself.
func (v *vocabulary) ownContext(t *format.Type) []byte {
	b := v.open(nil)
	if len(t.Members) > 0 {
		b = bytesOfTerms(append(b, ','), t, "")
	}
	return append(b, '}')
}

// bytesOfTerms appends the members of a class as terms.
func bytesOfTerms(b []byte, t *format.Type, class string) []byte {
	return appendTerms(b, t, class, []*format.Type{t})
}

// appendTerms appends the members of a class as terms. A type that is around itself would have no
// end of them.
func appendTerms(b []byte, t *format.Type, class string, within []*format.Type) []byte {
	for i, m := range t.Members {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendName(b, m.Name)
		b = appendTerm(b, m, class, within)
	}
	return b
}

// appendTerm appends what a member is.
func appendTerm(b []byte, m format.TypeMember, class string, within []*format.Type) []byte {
	property := propertyOf(class, m.Name)
	if m.Reference != nil && !m.Reference.Identifiers {
		b = append(appendText(append(b, `{"@id":`...), property), `,"@type":"@id"`...)
		if m.Reference.Many && !m.Reference.Inverse {
			b = append(b, `,"@container":"@set"`...)
		}
		return append(b, '}')
	}
	t, list := m.Type, false
	if t.Kind == format.List {
		t, list = t.Elem, true
	}
	b = appendText(append(b, `{"@id":`...), property)
	switch {
	case isOpaque(t, within):
		return append(b, `,"@type":"@json"}`...)
	case t.Kind == format.Object:
		b = append(b, `,"@context":{`...)
		b = append(appendTerms(b, t, classOf(class, m.Name), append(slices.Clone(within), t)), '}')
	case t.Format == "date-time":
		b = append(b, `,"@type":"xsd:dateTime"`...)
	case t.Format == "byte":
		b = append(b, `,"@type":"xsd:base64Binary"`...)
	}
	if list {
		b = append(b, `,"@container":"@list"`...)
	}
	return append(b, '}')
}

// isOpaque reports whether nothing of a value is said but that it is JSON.
func isOpaque(t *format.Type, within []*format.Type) bool {
	return t.Kind == format.Any || t.Kind == format.Map || t.Kind == format.List ||
		t.Kind == format.Object && (len(t.Members) == 0 || slices.Contains(within, t) || len(within) > maxNested)
}

// maxNested is how deep contexts tell members apart: an object within as many others is JSON.
const maxNested = 8

// propertyOf returns the name of a property, below that of the documentation.
func propertyOf(class, member string) string {
	if class == "" {
		return url.PathEscape(member)
	}
	return class + "/" + url.PathEscape(member)
}

// classOf returns the name of the class of what a member of another one is.
func classOf(class, member string) string {
	if class == "" {
		return url.PathEscape(member)
	}
	return class + "." + url.PathEscape(member)
}

// appendName appends a name and the colon behind it.
func appendName(b []byte, name string) []byte {
	b, _ = jsontext.AppendQuote(b, name) // what is not UTF-8 is replaced
	return append(b, ':')
}
