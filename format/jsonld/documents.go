package jsonld

import (
	"slices"
	"strings"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/relation"
	"github.com/trove-api/trove/format/internal/scan"
)

// apiDocumentation is the relation of the Link from each response to the documentation (Hydra core).
const apiDocumentation = "http://www.w3.org/ns/hydra/core#apiDocumentation"

// documents lists the documents of the format: the documentation, and a context for each class.
func (v *vocabulary) documents() []format.Document {
	list := []format.Document{
		{Path: documentationPath, Rel: apiDocumentation, Describes: true, Write: func(b []byte) ([]byte, error) { return v.appendDocumentation(b), nil }},
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
	b = appendText(b, v.context(entrypointClass))
	b = appendText(append(b, `,"@id":`...), v.root())
	b = append(b, `,"@type":"`+entrypointClass+`"`...)
	for _, entry := range entries {
		b = scan.AppendName(append(b, ','), v.key(entry.Type))
		b = appendText(b, entry.Path)
	}
	return append(b, '}'), nil
}

// root returns the URL of the entry point.
func (v *vocabulary) root() string {
	if v.api.Prefix == "" {
		return "/"
	}
	return v.api.Prefix
}

// key returns the name of a resource's collection in the entry point: a relation, unless that is a prefix.
func (v *vocabulary) key(name string) string {
	small := relation.Name(name, v.names())
	if small == hydraPrefix || small == datatypePrefix {
		return name
	}
	return small
}

// names lists the names of all resources.
func (v *vocabulary) names() []string {
	names := make([]string, len(v.api.Resources))
	for i := range v.api.Resources {
		names[i] = v.api.Resources[i].Name
	}
	return names
}

// appendEntrypointContext appends the context of the list of collections, as a caller may see it. Keys depend on all
// resources, so that they are those of the list.
func (v *vocabulary) appendEntrypointContext(b []byte, shown *format.API) []byte {
	b = v.open(append(b, `{"@context":`...))
	b = append(b, `,"Entrypoint":"Entrypoint"`...)
	for i := range shown.Resources {
		if r := &shown.Resources[i]; slices.Contains(r.CollectionTypes, MediaType) {
			b = scan.AppendName(append(b, ','), v.key(r.Name))
			b = append(appendText(append(b, `{"@id":`...), propertyOf(entrypointClass, v.key(r.Name))), `,"@type":"@id"}`...)
		}
	}
	return append(b, "}}"...)
}

// documentationContext is the context of the documentation, which contains it.
const documentationContext = `{"@version":1.1,` + namespaces + `,"rdf":"http://www.w3.org/1999/02/22-rdf-syntax-ns#",` +
	`"rdfs":"http://www.w3.org/2000/01/rdf-schema#","owl":"http://www.w3.org/2002/07/owl#","schema":"https://schema.org/",` +
	`"ApiDocumentation":"hydra:ApiDocumentation","Class":"hydra:Class","SupportedProperty":"hydra:SupportedProperty",` +
	`"Property":"rdf:Property","Link":"hydra:Link","Operation":"hydra:Operation",` +
	`"title":"hydra:title","description":"hydra:description","entrypoint":{"@id":"hydra:entrypoint","@type":"@id"},` +
	`"supportedClass":{"@id":"hydra:supportedClass","@container":"@set"},` +
	`"supportedProperty":{"@id":"hydra:supportedProperty","@container":"@set"},"property":{"@id":"hydra:property","@type":"@id"},` +
	`"supportedOperation":{"@id":"hydra:supportedOperation","@container":"@set"},"method":"hydra:method",` +
	`"expects":{"@id":"hydra:expects","@type":"@id"},"returns":{"@id":"hydra:returns","@type":"@id"},` +
	`"required":"hydra:required","readable":"hydra:readable","writeable":"hydra:writeable","label":"rdfs:label",` +
	`"subClassOf":{"@id":"rdfs:subClassOf","@type":"@id"},"domain":{"@id":"rdfs:domain","@type":"@id"},"range":{"@id":"rdfs:range","@type":"@id"},` +
	`"onProperty":{"@id":"owl:onProperty","@type":"@id"},"allValuesFrom":{"@id":"owl:allValuesFrom","@type":"@id"}}`

// appendDocumentation appends the description of all classes.
func (v *vocabulary) appendDocumentation(b []byte) []byte {
	title := v.api.Title
	if title == "" {
		title = "API"
	}
	d := &documentation{vocabulary: v, b: append(b, `{"@context":`+documentationContext...)}
	d.text(`,"@id":`, v.api.Prefix+documentationPath)
	d.text(`,"@type":"ApiDocumentation","title":`, title)
	d.describe(v.api.Description)
	d.text(`,"entrypoint":`, v.root())
	d.raw(`,"supportedClass":[`)
	d.entrypoint()
	for i := range v.api.Resources {
		if r := &v.api.Resources[i]; r.Operations != nil {
			d.resource(r)
		}
	}
	d.errors()
	d.raw("]}")
	return d.b
}

// property is a field of an error that Hydra does not define, or of a violation, which has no class.
type property struct{ property, domain, label, datatype, description string }

// errorMembers are the fields of errors, violationMembers those of errors in a body, which have violations.
var (
	errorProperties = []property{
		{"type", "hydra:Error", "type", "xsd:string", "The kind of problem, a URI reference (RFC 9457)."},
		{"detail", "hydra:Error", "detail", "xsd:string", "What is wrong with this request."},
		{"instance", "hydra:Error", "instance", "xsd:string", "The id of the incident in the log."},
		{"Error/parameters", "hydra:Error", "parameters", "rdf:JSON", "The invalid parameters, with their messages."},
		{"allowed", "hydra:Error", "allowed", "xsd:string", "The allowed parameters."},
		{"supported", "hydra:Error", "supported", "xsd:string", "The supported media types."},
		{"field", "hydra:Error", "field", "xsd:string", "The field with the error."},
		{"pointer", "hydra:Error", "pointer", "xsd:string", "The place in the body, a JSON Pointer."},
	}
	violationProperties = []property{
		{"ConstraintViolation/violations", "#ConstraintViolation", "violations", "rdfs:Resource", "The errors, each with propertyPath, message and code."},
		{"propertyPath", "", "propertyPath", "xsd:string", "The field, such as address.city or tags[1]."},
		{"message", "", "message", "xsd:string", "What the value must be."},
		{"code", "", "code", "xsd:string", "The rule that the value breaks."},
		{"more", "#ConstraintViolation", "more", "xsd:integer", "The number of further violations."},
	}
)

// errors appends the classes of errors.
func (d *documentation) errors() {
	d.raw(`,{"@id":"hydra:Error","@type":"Class","title":"Error","description":"An error (RFC 9457).","supportedProperty":[`)
	d.properties(errorProperties)
	d.raw(`]},{"@id":"#ConstraintViolation","@type":"Class","title":"ConstraintViolation","description":"The errors in a body.","supportedProperty":[`)
	d.properties(violationProperties)
	d.raw("]}")
}

func (d *documentation) properties(list []property) {
	for i, m := range list {
		if i > 0 {
			d.raw(",")
		}
		d.text(`{"@type":"SupportedProperty","property":{"@id":`, "#"+m.property)
		d.raw(`,"@type":"Property"`)
		if m.domain != "" {
			d.text(`,"domain":`, m.domain)
		}
		d.text(`,"label":`, m.label)
		d.text(`,"range":`, m.datatype)
		d.text(`},"title":`, m.label)
		d.describe(m.description)
		d.flag(`,"required":`, m.label == "violations")
		d.raw(`,"readable":true,"writeable":false}`)
	}
}

// documentation is a documentation in progress.
type documentation struct {
	*vocabulary

	b []byte
}

func (d *documentation) raw(text string) { d.b = append(d.b, text...) }

// text appends a prefix and a string.
func (d *documentation) text(before, text string) { d.b = appendText(append(d.b, before...), text) }

// describe appends a description, if there is one.
func (d *documentation) describe(text string) {
	if text != "" {
		d.text(`,"description":`, text)
	}
}

func (d *documentation) flag(before string, is bool) {
	if is {
		d.raw(before + "true")
	} else {
		d.raw(before + "false")
	}
}

// entrypoint appends the class of the entry point: a link for each collection in JSON-LD, with its operations.
func (d *documentation) entrypoint() {
	d.raw(`{"@id":"#Entrypoint","@type":"Class","title":"Entrypoint","description":"The collections of the API.","supportedProperty":[`)
	first := true
	for i := range d.api.Resources {
		r := &d.api.Resources[i]
		if !slices.Contains(r.CollectionTypes, MediaType) || r.Operations == nil {
			continue
		}
		if !first {
			d.raw(",")
		}
		first = false
		key := d.key(r.Name)
		d.text(`{"@type":"SupportedProperty","property":{"@id":`, "#"+propertyOf(entrypointClass, key))
		d.text(`,"@type":"Link","domain":"#Entrypoint","label":`, key)
		d.text(`,"range":["hydra:Collection",{"owl:equivalentClass":{"onProperty":"hydra:member","allValuesFrom":`, "#"+r.Name)
		d.raw(`}}]`)
		d.operations(r, r.Collection)
		d.text(`},"title":`, key)
		d.text(`,"description":`, "The collection of "+r.Plural+".")
		d.raw(`,"required":true,"readable":true,"writeable":false}`)
	}
	d.raw("]}")
}

// resource appends the class of a resource, and those of the objects in its records.
func (d *documentation) resource(r *format.Resource) {
	d.class(r.Name, r.Description, r.Type, []*format.Type{r.Type}, func() {
		if r.Path != "" {
			d.operations(r, r.Path)
		}
	})
	for i := range r.Operations {
		d.body(r, &r.Operations[i])
	}
}

// class appends a class, and then those of its fields that are objects.
func (d *documentation) class(name, description string, t *format.Type, within []*format.Type, more func()) {
	d.text(`,{"@id":`, "#"+name)
	d.text(`,"@type":"Class","title":`, name)
	d.describe(description)
	d.raw(`,"supportedProperty":[`)
	for i, m := range t.Fields {
		if i > 0 {
			d.raw(",")
		}
		d.property(name, &m, within)
	}
	d.raw("]")
	if more != nil {
		more()
	}
	d.raw("}")
	for _, m := range t.Fields {
		if inner := objectIn(m.Type); m.Reference == nil && inner != nil && !isOpaque(inner, within) {
			d.class(classOf(name, m.Name), m.Description, inner, append(slices.Clone(within), inner), nil)
		}
	}
}

// objectIn returns the object that a type is or lists, nil for none.
func objectIn(t *format.Type) *format.Type {
	for t.Kind == format.List {
		t = t.Elem
	}
	if t.Kind == format.Object {
		return t
	}
	return nil
}

func (d *documentation) property(class string, m *format.TypeField, within []*format.Type) {
	d.text(`{"@type":"SupportedProperty","property":{"@id":`, "#"+propertyOf(class, m.Name))
	kind := "Property"
	if m.Reference != nil && !m.Reference.Identifiers {
		kind = "Link"
	}
	d.text(`,"@type":`, kind)
	d.text(`,"domain":`, "#"+class)
	d.text(`,"label":`, m.Name)
	d.text(`,"range":`, rangeOf(class, m, within))
	if kind == "Link" && !m.Reference.Many {
		d.raw(`,"owl:maxCardinality":1`)
	}
	d.text(`},"title":`, m.Name)
	d.describe(m.Description)
	d.flag(`,"required":`, m.Required)
	d.flag(`,"readable":`, m.Readable)
	d.flag(`,"writeable":`, m.Writable)
	d.raw("}")
}

// rangeOf returns the class, or the datatype, of a field's values.
func rangeOf(class string, m *format.TypeField, within []*format.Type) string {
	switch r := m.Reference; {
	case r == nil || r.Identifiers && !r.Inverse:
	case r.Inverse:
		return "hydra:Collection"
	default:
		return "#" + r.To
	}
	if inner := objectIn(m.Type); inner != nil && m.Type.Kind == format.Object && !isOpaque(inner, within) {
		return "#" + classOf(class, m.Name)
	}
	switch m.Type.Kind {
	case format.List:
		return "rdf:List"
	case format.Boolean:
		return "xsd:boolean"
	case format.Integer:
		return "xsd:integer"
	case format.Number:
		return "xsd:double"
	case format.Text:
		switch m.Type.Format {
		case "date-time":
			return "xsd:dateTime"
		case "byte":
			return "xsd:base64Binary"
		}
		return "xsd:string"
	}
	return "rdf:JSON"
}

// operations appends the operations at one path of a resource. Hydra cannot describe those at other paths for a node.
func (d *documentation) operations(r *format.Resource, path string) {
	d.raw(`,"supportedOperation":[`)
	first := true
	for i := range r.Operations {
		op := &r.Operations[i]
		if op.Path != path {
			continue
		}
		if !first {
			d.raw(",")
		}
		first = false
		d.operation(r, op)
	}
	d.raw("]")
}

// actions are the actions of schema.org for the methods.
var actions = map[string]string{"GET": "FindAction", "POST": "CreateAction", "PUT": "ReplaceAction", "PATCH": "UpdateAction", "DELETE": "DeleteAction"}

func (d *documentation) operation(r *format.Resource, op *format.Operation) {
	d.raw(`{"@type":"Operation"`)
	if !op.Custom {
		d.b = d.b[:len(d.b)-len(`"Operation"`)]
		d.raw(`["Operation","schema:` + actions[op.Method] + `"]`)
	}
	d.text(`,"title":`, op.ID)
	d.describe(strings.TrimSpace(op.Summary + " " + op.Description))
	d.text(`,"method":`, op.Method)
	if op.Expects != nil && op.Expects.Name == r.Name {
		d.text(`,"expects":`, "#"+d.expected(r, op))
	}
	switch {
	case op.Collection:
		d.raw(`,"returns":"hydra:Collection"`)
	case op.Returns == nil:
		d.raw(`,"returns":"owl:Nothing"`)
	case op.Returns.Name == r.Name:
		d.text(`,"returns":`, "#"+r.Name)
	default:
		d.raw(`,"returns":"owl:Thing"`)
	}
	d.raw("}")
}
