package jsonld

import (
	"encoding/json"
	"slices"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/scan"
)

// described is a type whose schema is needed.
type described struct {
	*vocabulary

	typ *format.Type
}

// Go generators would use the same name for @id and id: x-go-name distinguishes them.
const (
	recordRef   = `{"$ref":"#/record"}`
	contextPart = `"@context":{"type":"string","format":"uri-reference","description":"The URL of the context, which defines the fields.",` + goContext + `}`
	idPart      = `"@id":{"type":"string","format":"uri-reference","description":"The path of the record.",` + goID + `}`
	goContext   = `"x-go-name":"NodeContext"`
	goID        = `"x-go-name":"NodeID"`
	goType      = `"x-go-name":"NodeType"`
	linkPart    = `{"type":"string","format":"uri-reference"}`
)

// body returns the schema of a body: that of the record with optional keywords. A list has none.
func (d described) body(json.RawMessage, bool) json.RawMessage {
	if d.typ.Kind != format.Object {
		return json.RawMessage(recordRef)
	}
	b := []byte(`{"$ref":"#/record","properties":{"@context":`)
	if d.typ.Name == "" {
		return append(b, "{}}}"...)
	}
	b = d.constant(b, d.context(d.typ.Name), goContext)
	b = d.constant(append(b, `,"@type":`...), d.typ.Name, goType)
	if d.typ.Stored {
		b = append(b, `,"@id":{"type":"string","format":"path-identifier","description":"The path of the record in the URL.",`+goID+`}`...)
	}
	return append(b, "}}"...)
}

func (d described) constant(b []byte, text, more string) []byte {
	b = scan.AppendQuoted(append(b, `{"type":"string","const":`...), text)
	return append(append(append(b, ','), more...), '}')
}

// response returns the schema of a response: of a node, or of a collection.
func (d described) response(_ json.RawMessage, collection bool) json.RawMessage {
	switch {
	case d.typ.Name == "":
		return d.other()
	case !collection:
		return d.node(nil, d.typ, "#/record")
	case d.typ.NoPath:
		b := d.constant(append([]byte(`{"type":"object","properties":{`), contextPart+`,"@type":`...), "Collection", goType)
		return append(b, `,"member":{"type":"array","items":{"$ref":"#/item"}}},"required":["@context","@type","member"]}`...)
	}
	b := append([]byte(`{"type":"object","properties":{`), contextPart+","+idPart+`,"@type":`...)
	b = d.constant(b, "Collection", goType)
	return append(b, `,"totalItems":{"type":"integer","minimum":0,"description":"The number of records on all pages."},`+
		`"member":{"type":"array","items":{"$ref":"#/item"}},`+
		`"view":{"type":"object","description":"The URLs of this page and others.","properties":{`+idPart+
		`,"@type":{"type":"string","const":"PartialCollectionView",`+goType+`},"first":`+linkPart+`,"last":`+linkPart+`,"previous":`+linkPart+`,"next":`+linkPart+
		`},"required":["@id","@type"]},"search":{"type":"object","description":"The query parameters of the collection.","properties":{`+
		`"@type":{"type":"string","const":"IriTemplate",`+goType+`},"template":{"type":"string"},"variableRepresentation":{"type":"string"},`+
		`"mapping":{"type":"array","items":{"type":"object","properties":{"@type":{"type":"string","const":"IriTemplateMapping",`+goType+`},`+
		`"variable":{"type":"string"},"property":{"type":"string"},"required":{"type":"boolean"}},"required":["@type","variable","required"]}}},`+
		`"required":["@type","template","variableRepresentation","mapping"]}},`+
		`"required":["@context","@id","@type","member","view"]}`...)
}

// node appends the schema of a node. Pointer leads to the schema of its fields. Fields with embedded nodes replace those
// of the record.
func (d described) node(b []byte, t *format.Type, pointer string) []byte {
	embeds := slices.ContainsFunc(t.Fields, func(m format.TypeField) bool { return m.Embedded != nil })
	if embeds {
		b = append(append(append(b, `{"$ref":"`...), pointer...), `","properties":{`...)
	} else {
		b = append(append(append(b, `{"allOf":[{"$ref":"`...), pointer...), `"},{"type":"object","properties":{`...)
	}
	b = append(b, contextPart+`,"@type":`...)
	b = d.constant(b, t.Name, goType)
	required := `"@type"`
	if r := d.resource(t.Name); r != nil && r.Path != "" {
		b = append(b, ","+idPart...)
		required = `"@id",` + required
	}
	for i := range t.Fields {
		if m := &t.Fields[i]; m.Embedded != nil {
			b = scan.AppendName(append(b, ','), m.Name)
			b = d.reference(b, m, pointer)
		}
		if m := &t.Fields[i]; m.OnlyEmbedded {
			required = required + "," + string(scan.AppendQuoted(nil, m.Name))
		}
	}
	b = append(append(append(b, `},"required":[`...), required...), ']')
	if !embeds {
		b = append(b, "}]"...)
	}
	return append(b, '}')
}

// reference appends the schema of a field that is a path, or the node instead; or the node alone, null if it does not
// exist.
func (d described) reference(b []byte, m *format.TypeField, pointer string) []byte {
	field, end := "/properties/"+scan.Escape(m.Name), ""
	if m.Reference.Many {
		b, field, end = append(b, `{"type":"array","items":`...), field+"/items", "}"
	}
	inner := pointer + "/properties/_embedded" + field + "/anyOf/0"
	switch {
	case !m.OnlyEmbedded && !m.Reference.Inverse:
		b = append(append(append(b, `{"anyOf":[{"$ref":"`...), pointer+field...), `"},`...)
		b = append(d.node(b, m.Embedded, inner), "]}"...)
	case m.Reference.Many:
		b = d.node(b, m.Embedded, inner)
	default:
		b = append(d.node(append(b, `{"anyOf":[`...), m.Embedded, inner), `,{"type":"null"}]}`...)
	}
	return append(b, end...)
}

// other returns the schema of a value that is not a record: an object with its context, or a node with a value.
func (d described) other() json.RawMessage {
	if d.typ.Kind == format.Object && !d.typ.Nullable {
		return json.RawMessage(`{"allOf":[` + recordRef + `,{"type":"object","properties":{"@context":{"type":"object"}},"required":["@context"]}]}`)
	}
	required := `"@context"`
	if d.typ.Kind != format.Object { // it can only be null
		required += `,"value"`
	}
	return json.RawMessage(`{"type":"object","properties":{"@context":{"type":"object"},"value":` + recordRef + `},"required":[` + required + `]}`)
}
