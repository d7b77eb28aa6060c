package format_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/openapi"
)

// described is what a documentation says of a field.
type described struct {
	Range                        string // as Hydra calls it
	Required, Readable, Writable bool
}

// class is a class of Hydra's documentation.
type class struct {
	ID         string `json:"@id"`
	Properties []struct {
		Property struct {
			Range      any              `json:"range"`
			Operations []hydraOperation `json:"supportedOperation"`
		} `json:"property"`
		Title     string `json:"title"`
		Required  bool   `json:"required"`
		Readable  bool   `json:"readable"`
		Writeable bool   `json:"writeable"`
	} `json:"supportedProperty"`
	Operations []hydraOperation `json:"supportedOperation"`
}

type hydraOperation struct {
	Title   string `json:"title"`
	Method  string `json:"method"`
	Expects string `json:"expects"`
	Returns string `json:"returns"`
}

// hydraSays reads a Hydra documentation: the fields of each class, and the operations on its records. The operations on
// a collection are those of the class that the entry point links to.
func hydraSays(t *testing.T, text string) (classes map[string]map[string]described, operations map[string][]hydraOperation) {
	t.Helper()
	var read struct {
		Classes []class `json:"supportedClass"`
	}
	if err := json.Unmarshal([]byte(text), &read); err != nil {
		t.Fatal(err)
	}
	classes, operations = map[string]map[string]described{}, map[string][]hydraOperation{}
	for _, of := range read.Classes {
		members := map[string]described{}
		for _, p := range of.Properties {
			members[p.Title] = described{fmt.Sprint(p.Property.Range), p.Required, p.Readable, p.Writeable}
			if p.Property.Operations != nil {
				operations[of.ID+"/"+p.Title] = p.Property.Operations
			}
		}
		classes[of.ID], operations[of.ID] = members, of.Operations
	}
	return classes, operations
}

// document is an OpenAPI document, as data.
type document struct {
	t     *testing.T
	whole map[string]any
}

func (d document) resolve(schema any) map[string]any {
	object, _ := schema.(map[string]any)
	if ref, is := object["$ref"].(string); is {
		schema = d.whole
		for step := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
			within, _ := schema.(map[string]any)
			schema = within[step]
		}
		return d.resolve(schema)
	}
	return object
}

// at follows names into a value.
func (d document) at(value any, names ...string) any {
	for _, name := range names {
		value = d.resolve(value)[name]
	}
	return value
}

// examples are paths of records, by the class that Hydra declares for a field.
var examples = map[string]string{
	"/api/halls/x": "#Hall", "/api/keepers/1": "#Keeper", "/api/cases/x;1": "#Case", "/api/stages/shown": "#Stage", "/api/exhibits/1": "#Exhibit",
	"/api/honours/medals/x": "#Medal", "/api/keepers/1/exhibits": "hydra:Collection", "/api/cases/x/exhibits": "hydra:Collection",
}

// rangeOf returns Hydra's name for the values of a schema; "" for an object with fields.
func (d document) rangeOf(value any) string {
	schema := d.resolve(value)
	names, isList := schema["type"].([]any)
	if !isList {
		names = []any{schema["type"]}
	}
	names = slices.DeleteFunc(slices.Clone(names), func(name any) bool { return name == "null" })
	if schema["format"] == "iri-reference" {
		pattern, _ := schema["pattern"].(string)
		enumerated, _ := schema["enum"].([]any)
		for address, of := range examples {
			if slices.Contains(enumerated, any(address)) || pattern != "" && regexp.MustCompile(pattern).MatchString(address) {
				return of
			}
		}
	}
	switch {
	case schema["properties"] != nil, schema["anyOf"] != nil: // which is an object or null
		return ""
	case names[0] == "array":
		if of := d.rangeOf(schema["items"]); strings.HasPrefix(of, "#") {
			return of
		}
		return "rdf:List"
	case schema["format"] == "date-time":
		return "xsd:dateTime"
	case schema["contentEncoding"] == "base64":
		return "xsd:base64Binary"
	}
	named := map[any]string{"string": "xsd:string", "integer": "xsd:integer", "number": "xsd:double", "boolean": "xsd:boolean"}
	if of := named[names[0]]; of != "" {
		return of
	}
	return "rdf:JSON"
}

func (d document) isReadOnly(schema any) bool {
	is, _ := d.resolve(schema)["readOnly"].(bool)
	return is
}

// This merges the schemas of responses and bodies of a class, and of the classes in it.
func (d document) members(class string, answer, made, changed any, into map[string]map[string]described) {
	members := map[string]described{}
	into["#"+class] = members
	shown, given := d.resolve(answer), d.resolve(made)
	if given == nil {
		given = d.resolve(changed)
	}
	bodies := []map[string]any{d.resolve(made), d.resolve(changed)}
	for _, schema := range append(bodies, shown) {
		properties, _ := schema["properties"].(map[string]any)
		for name, of := range properties {
			passedOver := d.isReadOnly(of) && d.resolve(of)["type"] == nil // by a body, which says no more of it
			if known := members[name]; name != "_embedded" && !passedOver && (known.Range == "" || known.Range == "rdf:JSON") {
				members[name] = described{Range: d.rangeOf(of)}
			}
		}
	}
	for name := range members {
		member := members[name]
		if member.Range == "" {
			member.Range = "#" + class + "." + name
		}
		shownAs := d.at(shown, "properties", name)
		member.Readable = shownAs != nil
		for _, schema := range bodies {
			of := d.at(schema, "properties", name)
			member.Writable = member.Writable || of != nil && !d.isReadOnly(of)
		}
		required, _ := given["required"].([]any)
		member.Required = slices.Contains(required, any(name))
		members[name] = member
	}
}

// operations returns what Hydra should declare for the operations at a path. A Post expects and returns the record.
func (d document) operations(path any, class string) []hydraOperation {
	var all []hydraOperation
	for _, method := range []string{"get", "post", "put", "patch", "delete"} {
		id, is := d.at(path, method, "operationId").(string)
		if !is {
			continue
		}
		op := hydraOperation{Title: id, Method: strings.ToUpper(method), Returns: "#" + class}
		if d.at(path, method, "requestBody") != nil {
			op.Expects = "#" + class
		}
		switch content := d.at(path, method, "responses", "200", "content", "application/json", "schema"); {
		case method == "delete":
			op.Returns = "owl:Nothing"
		case d.at(content, "type") == "array":
			op.Returns = "hydra:Collection"
		}
		all = append(all, op)
	}
	return all
}

// Both documentations describe the same fields of each resource: types, references, readable, writable, required. They
// also describe the same operations, where Hydra can express them.
func TestHydraSaysWhatOpenAPISays(t *testing.T) {
	t.Parallel()
	c, api := newMuseum(t)
	built, err := openapi.Document(api, openapi.Config{Title: "Museum", Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	text, err := built.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	d := document{t: t}
	if err := json.Unmarshal(text, &d.whole); err != nil {
		t.Fatal(err)
	}
	said, operations := hydraSays(t, c.Send("GET /api/docs.jsonld", "").Body)
	paths := d.whole["paths"].(map[string]any) //nolint:forcetypeassert // a document has some
	const media = "application/json"
	want := map[string]map[string]described{}
	operated := map[string][]hydraOperation{}
	for name, at := range map[string][2]string{
		"Hall": {"/api/halls", "/{name}"}, "Case": {"/api/cases", "/{hall};{place}"}, "Keeper": {"/api/keepers", "/{ID}"}, "Stage": {"/api/stages", "/{id}"},
		"Exhibit": {"/api/exhibits", "/{id}"}, "Review": {"/api/exhibits/{exhibit}/reviews", "/{id}"}, "Medal": {"/api/honours/medals", "/{name}"},
		"Stamp": {"/api/stamps", "/{id}"}, "Visit": {"/api/visits", "/{id}"}, "Ticket": {"/api/tickets", "/{id}"},
	} {
		collection, item := d.resolve(paths[at[0]]), d.resolve(paths[at[0]+at[1]])
		answer := d.at(item, "get", "responses", "200", "content", media, "schema")
		if answer == nil {
			answer = d.at(collection, "get", "responses", "200", "content", media, "schema", "items")
		}
		whole := d.resolve(answer)
		if parts, is := whole["allOf"].([]any); is { // next to _embedded
			answer = parts[0]
		}
		made := d.at(collection, "post", "requestBody", "content", media, "schema")
		changed := d.at(item, "put", "requestBody", "content", media, "schema")
		d.members(name, answer, made, changed, want)
		operated["#"+name] = d.operations(item, name)
		if at := "#Entrypoint/" + strings.ToLower(name); operations[at] != nil || !slices.Contains([]string{"Review", "Stamp"}, name) {
			operated[at] = d.operations(collection, name) // those below others, and in other formats, are led to by no entry point
		}
	}
	for _, inner := range [][2]string{{"Exhibit.body", "Piece"}, {"Exhibit.notes", "Note"}, {"Exhibit.body.parts", "Piece"}} {
		schemas := d.at(d.whole, "components", "schemas")
		d.members(inner[0], d.at(schemas, inner[1]), d.at(schemas, inner[1]+"Create"), d.at(schemas, inner[1]+"Create"), want)
	}
	for name, members := range want {
		if diff := cmp.Diff(members, said[name]); diff != "" {
			t.Errorf("%s: OpenAPI (-) and Hydra (+) differ:\n%s", name, diff)
		}
	}
	for name := range operations {
		if _, known := operated[name]; !known && strings.HasPrefix(name, "#Entrypoint/") {
			t.Errorf("%s leads to no collection", name)
		}
	}
	for name, want := range operated {
		if diff := cmp.Diff(want, operations[name]); diff != "" {
			t.Errorf("%s: OpenAPI (-) and Hydra (+) differ:\n%s", name, diff)
		}
	}
	for name := range maps.Keys(said) {
		if want[name] == nil && !strings.Contains(name, ".") && !slices.Contains([]string{"#Entrypoint", "hydra:Error", "#ConstraintViolation"}, name) {
			t.Errorf("%s is no resource", name)
		}
	}
}
