package jsonld

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
)

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

// node is an object of the documentation, with its fields in order. Fields that are "" are omitted.
type node []entry

type entry struct {
	name  string
	value any
}

// MarshalJSONTo writes the object.
func (n node) MarshalJSONTo(to *jsontext.Encoder) error {
	err := to.WriteToken(jsontext.BeginObject)
	for _, e := range n {
		if e.value == "" || err != nil {
			continue
		}
		if err = to.WriteToken(jsontext.String(e.name)); err == nil {
			err = json.MarshalEncode(to, e.value)
		}
	}
	return cmp.Or(err, to.WriteToken(jsontext.EndObject))
}

// appendDocumentation appends the description of all classes.
func (v *vocabulary) appendDocumentation(b []byte) ([]byte, error) {
	classes := []node{v.entrypointNode()}
	for i := range v.api.Resources {
		if r := &v.api.Resources[i]; r.Operations != nil {
			classes = append(classes, v.resourceNodes(r)...)
		}
	}
	text, err := json.Marshal(node{
		{"@context", jsontext.Value(documentationContext)},
		{"@id", v.api.Prefix + documentationPath},
		{"@type", "ApiDocumentation"},
		{"title", cmp.Or(v.api.Title, "API")},
		{"description", v.api.Description},
		{"entrypoint", cmp.Or(v.api.Prefix, "/")},
		{"supportedClass", append(classes,
			classNode("hydra:Error", "Error", "An error (RFC 9457).", errorNodes(errorProperties)),
			classNode("#ConstraintViolation", "ConstraintViolation", "The errors in a body.", errorNodes(violationProperties)))},
	}, jsontext.AllowInvalidUTF8(true))
	return append(b, text...), err
}

// classNode returns a class.
func classNode(id, title, description string, properties []node) node {
	return node{{"@id", id}, {"@type", "Class"}, {"title", title}, {"description", description}, {"supportedProperty", properties}}
}

// supported returns what a class says about a property.
func supported(property any, m *format.TypeField) node {
	return node{
		{"@type", "SupportedProperty"},
		{"property", property},
		{"title", m.Name},
		{"description", m.Description},
		{"required", m.Required},
		{"readable", m.Readable},
		{"writeable", m.Writable},
	}
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

func errorNodes(list []property) (properties []node) {
	for _, m := range list {
		is := node{{"@id", "#" + m.property}, {"@type", "Property"}, {"domain", m.domain}, {"label", m.label}, {"range", m.datatype}}
		properties = append(properties, supported(is, &format.TypeField{
			Name: m.label, Description: m.description, Required: m.label == "violations", Readable: true,
		}))
	}
	return properties
}

// entrypointNode returns the class of the entry point: a link for each collection in JSON-LD, with its operations.
func (v *vocabulary) entrypointNode() node {
	var properties []node
	for i := range v.api.Resources {
		r := &v.api.Resources[i]
		if !slices.Contains(r.CollectionTypes, MediaType) || r.Operations == nil {
			continue
		}
		key := v.key(r.Name)
		records := node{{"owl:equivalentClass", node{{"onProperty", "hydra:member"}, {"allValuesFrom", "#" + r.Name}}}}
		link := node{
			{"@id", "#" + propertyOf(entrypointClass, key)},
			{"@type", "Link"},
			{"domain", "#" + entrypointClass},
			{"label", key},
			{"range", []any{"hydra:Collection", records}},
			{"supportedOperation", v.operationNodes(r, r.Collection)},
		}
		properties = append(properties, supported(link, &format.TypeField{
			Name: key, Description: "The collection of " + r.Plural + ".", Required: true, Readable: true,
		}))
	}
	return classNode("#"+entrypointClass, entrypointClass, "The collections of the API.", properties)
}

// resourceNodes returns the class of a resource, those of the objects in its records, and those of bodies.
func (v *vocabulary) resourceNodes(r *format.Resource) []node {
	classes := classNodes(r.Name, r.Description, r.Type, []*format.Type{r.Type})
	if r.Path != "" {
		classes[0] = append(classes[0], entry{"supportedOperation", v.operationNodes(r, r.Path)})
	}
	for i := range r.Operations {
		op := &r.Operations[i]
		if op.Expects == nil || v.expected(r, op) == r.Name {
			continue
		}
		var properties []node
		for _, m := range alsoRequired(r, op) {
			properties = append(properties, supported("#"+propertyOf(r.Name, m.Name), &format.TypeField{Name: m.Name, Required: true, Writable: true}))
		}
		classes = append(classes, slices.Insert(classNode("#"+op.ID, op.ID, "The body of "+op.ID+".", properties), 2, entry{"subClassOf", "#" + r.Name}))
	}
	return classes
}

// classNodes returns a class, and then those of its fields that are objects.
func classNodes(name, description string, t *format.Type, within []*format.Type) []node {
	var properties, inners []node
	for i := range t.Fields {
		m := &t.Fields[i]
		properties = append(properties, propertyNode(name, m, within))
		if inner := objectIn(m.Type); m.Reference == nil && inner != nil && !isOpaque(inner, within) {
			inners = append(inners, classNodes(classOf(name, m.Name), m.Description, inner, append(slices.Clone(within), inner))...)
		}
	}
	return append([]node{classNode("#"+name, name, description, properties)}, inners...)
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

// propertyNode returns the property of a field.
func propertyNode(class string, m *format.TypeField, within []*format.Type) node {
	kind := "Property"
	if m.Reference != nil && !m.Reference.Identifiers {
		kind = "Link"
	}
	property := node{
		{"@id", "#" + propertyOf(class, m.Name)}, {"@type", kind}, {"domain", "#" + class}, {"label", m.Name}, {"range", rangeOf(class, m, within)},
	}
	if kind == "Link" && !m.Reference.Many {
		property = append(property, entry{"owl:maxCardinality", 1})
	}
	return supported(property, m)
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
		return "xsd:" + cmp.Or(datatypeOf(m.Type), "string")
	}
	return "rdf:JSON"
}

// operationNodes returns the operations at one path of a resource. Hydra cannot describe those at other paths for a node.
func (v *vocabulary) operationNodes(r *format.Resource, path string) (list []node) {
	for i := range r.Operations {
		if op := &r.Operations[i]; op.Path == path {
			list = append(list, v.operationNode(r, op))
		}
	}
	return list
}

// actions are the actions of schema.org for the methods.
var actions = map[string]string{"GET": "FindAction", "POST": "CreateAction", "PUT": "ReplaceAction", "PATCH": "UpdateAction", "DELETE": "DeleteAction"}

func (v *vocabulary) operationNode(r *format.Resource, op *format.Operation) node {
	var kind any = "Operation"
	if !op.Custom {
		kind = []string{"Operation", "schema:" + actions[op.Method]}
	}
	expects, returns := "", "owl:Thing"
	if op.Expects != nil && op.Expects.Name == r.Name {
		expects = "#" + v.expected(r, op)
	}
	switch {
	case op.Collection:
		returns = "hydra:Collection"
	case op.Returns == nil:
		returns = "owl:Nothing"
	case op.Returns.Name == r.Name:
		returns = "#" + r.Name
	}
	return node{
		{"@type", kind},
		{"title", op.ID},
		{"description", strings.TrimSpace(op.Summary + " " + op.Description)},
		{"method", op.Method},
		{"expects", expects},
		{"returns", returns},
	}
}

// expected returns the class of an operation's body: that of the resource, or its own if it requires more.
//
// A class of Hydra applies to all operations of a record. A password can be required when a user is created and
// optional afterwards. The class then does not require it, because forms that change a user would require it, and the
// body that creates the user has a class of its own.
func (v *vocabulary) expected(r *format.Resource, op *format.Operation) string {
	if len(alsoRequired(r, op)) == 0 || v.resource(op.ID) != nil {
		return r.Name
	}
	return op.ID
}

// alsoRequired lists the fields that a body must have although the class of its record does not require them.
func alsoRequired(r *format.Resource, op *format.Operation) []format.TypeField {
	if op.Custom || op.Expects == nil || op.Expects.Name != r.Name {
		return nil
	}
	var list []format.TypeField
	for _, m := range op.Expects.Fields {
		for _, known := range r.Type.Fields {
			if m.Required && m.Name == known.Name && !known.Required {
				list = append(list, m)
			}
		}
	}
	return list
}
