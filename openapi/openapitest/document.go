package openapitest

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/schema"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
)

// object is a JSON object.
type object = map[string]any

// document is an OpenAPI document with its compiled schemas.
type document struct {
	root      object
	compiler  *jsonschema.Compiler
	schemas   map[string]*jsonschema.Schema // by JSON Pointer
	responses map[responseKey]string        // the JSON Pointers to response schemas
	all       []operation                   // in the order of operations
}

// responseKey identifies the schema of a response.
type responseKey struct{ method, path, status, mediaType string }

// in returns the object in a field of a value, nil for none.
func in(value any, name string) object {
	node, _ := value.(object)
	found, _ := node[name].(object)
	return found
}

const location = "https://example.com/openapi.json"

// textOf returns the OpenAPI document of an API as JSON.
func textOf(t testing.TB, api *resource.API) []byte {
	t.Helper()
	built, err := openapi.Document(api, openapi.Config{})
	if err != nil {
		t.Fatalf("openapitest: cannot build the OpenAPI document: %v", err)
	}
	text, err := built.MarshalJSON()
	if err != nil {
		t.Fatalf("openapitest: cannot encode the OpenAPI document: %v", err)
	}
	return text
}

// documentOf returns the OpenAPI document of an API.
func documentOf(t testing.TB, api *resource.API) *document {
	t.Helper()
	d, err := newDocument(textOf(t, api))
	if err != nil {
		t.Fatalf("openapitest: cannot read the OpenAPI document: %v", err)
	}
	return d
}

func newDocument(text []byte) (*document, error) {
	root, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseRegexpEngine(func(pattern string) (jsonschema.Regexp, error) { return schema.Compile(pattern) })
	compiler.AssertFormat()
	for name, limits := range widths {
		compiler.RegisterFormat(&jsonschema.Format{Name: name, Validate: func(value any) error {
			number, _ := value.(json.Number)
			if n := schema.Decimal(number); n.Compare(limits[0]) < 0 || n.Compare(limits[1]) > 0 {
				return fmt.Errorf("is not a valid %s", name)
			}
			return nil
		}})
	}
	compiler.DefaultDraft(jsonschema.Draft2020)
	if err := compiler.AddResource(location, root); err != nil {
		return nil, err
	}
	d := &document{root: root.(object), compiler: compiler, schemas: map[string]*jsonschema.Schema{}, responses: map[responseKey]string{}}
	d.all = d.inOrder()
	return d, nil
}

// schema returns the compiled schema at a JSON Pointer. It compiles each schema once.
func (d *document) schema(pointer string) (*jsonschema.Schema, error) {
	if known := d.schemas[pointer]; known != nil {
		return known, nil
	}
	compiled, err := d.compiler.Compile(location + "#" + pointer)
	if err != nil {
		return nil, fmt.Errorf("the schema at %s: %w", pointer, err)
	}
	d.schemas[pointer] = compiled
	return compiled, nil
}

// mismatch returns why a JSON text does not match the schema at a JSON Pointer, "" if it does.
func (d *document) mismatch(pointer string, text []byte) string {
	schema, err := d.schema(pointer)
	if err != nil {
		return err.Error()
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err == nil {
		err = schema.Validate(value)
	}
	if err == nil {
		return ""
	}
	location, reasons, ok := strings.Cut(err.Error(), "\n- ")
	if !ok {
		return "not valid JSON: " + location
	}
	return shortened(strings.ReplaceAll(reasons, "\n- ", "; "))
}

// valid reports whether a JSON text matches the schema at a JSON Pointer.
func (d *document) valid(pointer string, text []byte) (bool, error) {
	schema, err := d.schema(pointer)
	if err != nil {
		return false, err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	return err == nil && schema.Validate(value) == nil, nil
}

// pointer writes names as a JSON Pointer in the fragment of a URI.
func pointer(names ...string) string {
	var b strings.Builder
	for _, name := range names {
		b.WriteByte('/')
		if strings.ContainsAny(name, "~/{}[]") {
			name = strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D", "[", "%5B", "]", "%5D").Replace(name)
		}
		b.WriteString(name)
	}
	return b.String()
}

// resolve follows references, and returns the object that they lead to.
func (d *document) resolve(value any) object {
	for {
		found, _ := value.(object)
		ref, ok := found["$ref"].(string)
		if !ok {
			return found
		}
		value = d.root
		for _, name := range namesIn(ref) {
			parent, _ := value.(object)
			value = parent[name]
		}
	}
}

// namesIn returns the names in a reference.
func namesIn(ref string) []string {
	names := strings.Split(strings.TrimPrefix(ref, "#/"), "/")
	for i, name := range names {
		names[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
	}
	return names
}

// pointerIn returns the JSON Pointer to names within a part of the document at a place. If the part is a reference, it
// returns the pointer within the target.
func (d *document) pointerIn(part any, at []string, names ...string) string {
	for {
		found, _ := part.(object)
		ref, ok := found["$ref"].(string)
		if !ok {
			return pointer(append(slices.Clone(at), names...)...)
		}
		at, part = namesIn(ref), d.resolve(part)
	}
}

// exactFormats are the formats that are validated. Any other format represents a rule that keywords cannot express.
var exactFormats = [...]string{
	"", "int32", "int64", "uint64", "float", "double", "date", "date-time", "email", "ipv4", "ipv6", "uri", "uri-reference", "uuid",
}

// expresses reports whether the keywords of a schema express all rules for a value. The format of a rule that they
// cannot express applies to the value at its place.
func (d *document) expresses(schema, value any) bool {
	node := d.resolve(schema)
	if node == nil || value == nil {
		return true
	}
	if format, _ := node["format"].(string); !slices.Contains(exactFormats[:], format) {
		return false
	}
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		list, _ := node[keyword].([]any)
		if slices.ContainsFunc(list, func(each any) bool { return !d.expresses(each, value) }) {
			return false
		}
	}
	switch v := value.(type) {
	case []any:
		return !slices.ContainsFunc(v, func(each any) bool { return !d.expresses(node["items"], each) })
	case object:
		properties, _ := node["properties"].(object)
		for name, each := range v {
			property, ok := properties[name]
			if !ok {
				property = node["additionalProperties"]
			}
			if !d.expresses(property, each) || !d.expresses(node["propertyNames"], name) {
				return false
			}
		}
	}
	return true
}

// operation is one operation of a document.
type operation struct {
	path, method string // the method in lower case
	object       object
	document     *document
}

// operations returns all operations. Do not change the list.
func (d *document) operations() []operation { return d.all }

// inOrder lists the operations by path, Posts first. Deletes come later, with the deepest paths first, because deleting
// a record can delete the records below it. What sets a cookie comes last, because it can end a session.
func (d *document) inOrder() []operation {
	var list []operation
	paths, _ := d.root["paths"].(object)
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		item := d.resolve(paths[path])
		for _, method := range []string{"post", "get", "put", "patch", "delete"} {
			if op, ok := item[method].(object); ok {
				list = append(list, operation{path, method, op, d})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b operation) int { return a.removal() - b.removal() })
	return list
}

// removal returns the place in the order of an operation that ends something, and 0 for others.
func (o operation) removal() int {
	const deepest = 1000
	switch {
	case o.setsCookie():
		return deepest
	case o.method == "delete":
		return deepest - strings.Count(o.path, "/")
	}
	return 0
}

func (o operation) name() string {
	id, _ := o.object["operationId"].(string)
	return strings.ToUpper(o.method) + " " + o.path + " (" + id + ")"
}

// isItem reports whether the path has variables.
func (o operation) isItem() bool { return strings.Contains(o.path, "{") }

// at returns the names that lead from the root of the document to a part of the operation.
func (o operation) at(names ...string) []string {
	return append([]string{"paths", o.path, o.method}, names...)
}

// content returns the media types of the request body.
func (o operation) content() object {
	return in(o.document.resolve(o.object["requestBody"]), "content")
}

// schemaOf returns the schema of the request body in a media type.
func (o operation) schemaOf(mediaType string) any { return in(o.content(), mediaType)["schema"] }

// bodySchema returns the JSON Pointer to the schema of the request body in a media type.
func (o operation) bodySchema(mediaType string) string {
	return o.document.pointerIn(o.object["requestBody"], o.at("requestBody"), "content", mediaType, "schema")
}

// body returns the main media type of the request body, "" if the operation has none. JSON comes first, because its
// schema and example are complete.
func (o operation) body() string {
	types := slices.Sorted(maps.Keys(o.content()))
	if slices.Contains(types, "application/json") {
		return "application/json"
	}
	if len(types) == 0 {
		return ""
	}
	return types[0]
}

// example returns the example of the request body, and whether there is one.
func (o operation) example() (any, bool) {
	example, ok := in(o.content(), o.body())["example"]
	return example, ok
}

// written returns a value as JSON, or null if it cannot be encoded.
func written(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		return []byte("null")
	}
	return text
}

// widths are the limits of OpenAPI's formats of numbers.
var widths = map[string][2]schema.Decimal{
	"int32":  {"-2147483648", "2147483647"},
	"int64":  {"-9223372036854775808", "9223372036854775807"},
	"uint64": {"0", "18446744073709551615"},
	"float":  {schema.Float(-math.MaxFloat32), schema.Float(math.MaxFloat32)},
	"double": {schema.Float(-math.MaxFloat64), schema.Float(math.MaxFloat64)},
}

// decoded converts a response body to JSON, and returns the media type whose schema describes it. NDJSON becomes a
// list, which the schema of JSON describes. The value is nil if the media type is unknown; ok is false if the body is
// malformed.
func decoded(mediaType string, body []byte) (value []byte, of string, ok bool) {
	switch {
	case strings.HasSuffix(mediaType, "ndjson"):
		lines := bytes.Split(body, []byte("\n"))
		last := len(lines) - 1 // the body ends with a line break
		list := append(append([]byte{'['}, bytes.Join(lines[:last], []byte(","))...), ']')
		return list, format.JSON, len(lines[last]) == 0
	case strings.HasSuffix(mediaType, "json"):
		return append(body, '\n'), mediaType, true // not nil, so that an empty body is invalid
	case mediaType == "text/csv": // a string in the schema; all rows must be as long as the header
		if rows, err := csv.NewReader(bytes.NewReader(body)).ReadAll(); err != nil || len(rows) == 0 {
			return nil, mediaType, false
		}
		text, err := json.Marshal(string(body))
		return text, mediaType, err == nil
	}
	return nil, mediaType, true
}
