package jsonld

import (
	"net/url"
	"slices"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/scan"
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
	return append(append(v.vocabularyAlone(b), ','), namespaces...)
}

// vocabularyAlone begins one without prefixes.
func (v *vocabulary) vocabularyAlone(b []byte) []byte {
	return appendText(append(b, `{"@version":1.1,"@vocab":`...), v.base())
}

// appendContext appends the context of a resource: its members, those of the records that it may
// have embedded, each scoped to its class, and what collections have. Members that are called as a
// class or a prefix is are scoped to the resource's own class, which leaves the others their names.
func (v *vocabulary) appendContext(b []byte, r *format.Resource) []byte {
	b = v.open(append(b, `{"@context":`...))
	b = append(append(b, ','), hydraTerms...)
	names, own, others := termsOf(r.Type), *r.Type, *r.Type
	taken, within := v.taken(r.Type), []*format.Type{r.Type}
	own.Fields, others.Fields = nil, nil
	for _, m := range r.Type.Fields {
		if slices.Contains(taken, m.Name) {
			own.Fields = append(own.Fields, m)
		} else {
			others.Fields = append(others.Fields, m)
		}
	}
	b = scan.AppendName(append(b, ','), r.Name)
	if own.Fields == nil {
		b = appendText(b, r.Name)
	} else {
		b = append(names.append(append(appendText(append(b, `{"@id":`...), r.Name), `,"@context":{`...), &own, r.Name, within), "}}"...)
	}
	for _, name := range embedded(r.Type, nil) {
		if other := v.resource(name); other != nil && name != r.Name {
			b = scan.AppendName(append(b, ','), name)
			b = append(appendText(append(b, `{"@id":`...), name), `,"@context":{`...)
			b = append(names.appendAll(b, other.Type, name), "}}"...)
		}
	}
	if others.Fields != nil {
		b = names.append(append(b, ','), &others, r.Name, within)
	}
	return append(b, "}}"...)
}

// taken lists the names that mean something else in the context of a resource.
func (v *vocabulary) taken(t *format.Type) []string {
	return append(append(embedded(t, nil), reserved...), t.Name)
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

// ownContext returns the context of what is no record of a resource, which stands in the answer
// itself.
func (v *vocabulary) ownContext(t *format.Type) []byte {
	b := v.open(nil)
	names := termsOf(t)
	if slices.ContainsFunc(t.Fields, func(m format.TypeField) bool { return m.Name == hydraPrefix || m.Name == datatypePrefix }) {
		b = v.vocabularyAlone(nil)
	}
	if len(t.Fields) > 0 {
		b = names.appendAll(append(b, ','), t, "")
	}
	return append(b, '}')
}

// The prefixes of contexts.
const (
	hydraPrefix    = "hydra"
	datatypePrefix = "xsd"
)

// terms writes members as terms of one context.
type terms struct {
	datatypes string // what stands before the name of a datatype
}

// termsOf returns how members are written of a type and of all within it. One of them that is called as
// the prefix of datatypes hides it.
func termsOf(t *format.Type) terms {
	if hasMember(t, datatypePrefix, nil) {
		return terms{"http://www.w3.org/2001/XMLSchema#"}
	}
	return terms{datatypePrefix + ":"}
}

func hasMember(t *format.Type, name string, within []*format.Type) bool {
	if t == nil || slices.Contains(within, t) {
		return false
	}
	within = append(within, t)
	return hasMember(t.Elem, name, within) || slices.ContainsFunc(t.Fields, func(m format.TypeField) bool {
		return m.Name == name || hasMember(m.Type, name, within) || hasMember(m.Embedded, name, within)
	})
}

// appendAll appends the members of a class.
func (n terms) appendAll(b []byte, t *format.Type, class string) []byte {
	return n.append(b, t, class, []*format.Type{t})
}

// append appends the members of a class. A type that is around itself would have no end of them.
func (n terms) append(b []byte, t *format.Type, class string, within []*format.Type) []byte {
	for i, m := range t.Fields {
		if i > 0 {
			b = append(b, ',')
		}
		b = scan.AppendName(b, m.Name)
		b = n.appendTerm(b, m, class, within)
	}
	return b
}

// appendTerm appends what a member is.
func (n terms) appendTerm(b []byte, m format.TypeField, class string, within []*format.Type) []byte {
	property := propertyOf(class, m.Name)
	if m.Reference != nil && !m.Reference.Identifiers {
		b = append(appendText(append(b, `{"@id":`...), property), `,"@type":"@id"`...)
		if m.Reference.Many && !m.Reference.Inverse {
			b = append(b, `,"@container":"@set"`...)
		}
		return append(b, '}')
	}
	t, list := m.Type, false
	for t.Kind == format.List { // lists may have lists in them (JSON-LD 1.1, section 4.3.1)
		t, list = t.Elem, true
	}
	b = appendText(append(b, `{"@id":`...), property)
	switch {
	case isOpaque(t, within):
		return append(b, `,"@type":"@json"}`...)
	case t.Kind == format.Object:
		b = append(b, `,"@context":{`...)
		b = append(n.append(b, t, classOf(class, m.Name), append(slices.Clone(within), t)), '}')
	case t.Format == "date-time":
		b = append(append(append(b, `,"@type":"`...), n.datatypes...), `dateTime"`...)
	case t.Format == "byte":
		b = append(append(append(b, `,"@type":"`...), n.datatypes...), `base64Binary"`...)
	}
	if list {
		b = append(b, `,"@container":"@list"`...)
	}
	return append(b, '}')
}

// isOpaque reports whether nothing of a value is said but that it is JSON.
func isOpaque(t *format.Type, within []*format.Type) bool {
	return t.Kind == format.Any || t.Kind == format.Map ||
		t.Kind == format.Object && (len(t.Fields) == 0 || slices.Contains(within, t) || len(within) > maxNested)
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
