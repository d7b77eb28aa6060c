package openapitest

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/describe"
	"github.com/trove-api/trove/internal/schema"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
)

// object is a JSON object.
type object = map[string]any

// document is an OpenAPI document with its compiled schemas.
type document struct {
	root     object
	compiler *jsonschema.Compiler
	pointers map[uintptr]string // the JSON Pointers of all objects, by their identity
	// operations are sorted: Posts of each path first. Deletes come later, with the deepest paths first, because deleting a
	// record can delete the records below it. What sets a cookie comes last, because it can end a session.
	operations []*operation
}

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
	for _, r := range compiled.Of(api).Resources {
		for _, declared := range r.Operations {
			i := slices.IndexFunc(d.operations, func(op *operation) bool {
				return strings.EqualFold(op.method, declared.Method) && op.path == declared.Path()
			})
			if i >= 0 { // it is not hidden
				d.operations[i].declared = declared
			}
		}
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
	d := &document{root: root.(object), compiler: compiler, pointers: map[uintptr]string{}}
	d.locate(root, "")
	paths, _ := d.root["paths"].(object)
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		item := d.resolve(paths[path])
		for _, method := range []string{"post", "get", "put", "patch", "delete"} {
			if op, ok := item[method].(object); ok {
				d.operations = append(d.operations, &operation{path: path, method: method, object: op, document: d})
			}
		}
	}
	slices.SortStableFunc(d.operations, func(a, b *operation) int { return a.removal() - b.removal() })
	return d, nil
}

// locate notes the JSON Pointers of the objects in a part of the document.
func (d *document) locate(part any, pointer string) {
	switch part := part.(type) {
	case object:
		d.pointers[identity(part)] = pointer
		for name, each := range part {
			d.locate(each, pointer+"/"+url.PathEscape(jsonPointer.Replace(name)))
		}
	case []any:
		for i, each := range part {
			d.locate(each, pointer+"/"+strconv.Itoa(i))
		}
	}
}

// jsonPointer escapes a name in a JSON Pointer (RFC 6901).
var jsonPointer = strings.NewReplacer("~", "~0", "/", "~1")

// identity identifies an object, of which there may be equal ones.
func identity(o object) uintptr { return reflect.ValueOf(o).Pointer() }

// validate returns an error if a JSON text does not match a schema of the document. The compiler keeps the schemas.
func (c *conformity) validate(schema any, text []byte) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return fmt.Errorf("not valid JSON: %w", err)
	}
	node, ok := schema.(object)
	if !ok {
		return nil // it allows everything
	}
	pointer := c.document.pointers[identity(node)]
	compiled, err := c.document.compiler.Compile(location + "#" + pointer)
	if err != nil {
		c.t.Fatalf("openapitest: cannot compile the schema of the OpenAPI document at %s: %v", pointer, err)
	}
	return compiled.Validate(value)
}

// isValid reports whether a JSON text matches a schema.
func (c *conformity) isValid(schema any, text []byte) bool { return c.validate(schema, text) == nil }

// mismatch returns why a JSON text does not match a schema, "" if it does.
func (c *conformity) mismatch(schema any, text []byte) string {
	err := c.validate(schema, text)
	if err == nil {
		return ""
	}
	_, reasons, ok := strings.Cut(err.Error(), "\n- ")
	if !ok {
		return err.Error()
	}
	return shortened(strings.ReplaceAll(reasons, "\n- ", "; "))
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
		for name := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
			parent, _ := value.(object)
			value = parent[strings.NewReplacer("~1", "/", "~0", "~").Replace(name)]
		}
	}
}

// exactFormats are the formats that are validated. Any other format represents a rule that keywords cannot express.
var exactFormats = [...]string{
	"", describe.FormatTree, "int32", "int64", "uint64", "float", "double", "date", "date-time", "email", "ipv4", "ipv6", "uri", "uri-reference", "uuid",
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
	declared     *compiled.Operation // nil if the document was read from a file

	// What Conform finds out.
	tested, succeeded bool
	rejected          string         // the first valid request that did not succeed, with its response; if possible, no 401
	isUnauthorized    bool           // rejected shows a 401
	replacements      []*replacement // in bodies
	isGenerated       bool           // generated has been set
	generated         any            // a body, for an operation without an example; nil if none is valid
}

// removal returns the place in the order of an operation that ends something, and 0 for others.
func (o *operation) removal() int {
	const deepest = 1000
	switch {
	case o.setsCookie():
		return deepest
	case o.method == "delete":
		return deepest - strings.Count(o.path, "/")
	}
	return 0
}

func (o *operation) id() string {
	id, _ := o.object["operationId"].(string)
	return id
}

func (o *operation) name() string {
	return strings.ToUpper(o.method) + " " + o.path + " (" + o.id() + ")"
}

// isItem reports whether the path has variables.
func (o *operation) isItem() bool { return strings.Contains(o.path, "{") }

// content returns the media types of the request body.
func (o *operation) content() object {
	return in(o.document.resolve(o.object["requestBody"]), "content")
}

// schemaOf returns the schema of the request body in a media type.
func (o *operation) schemaOf(mediaType string) any { return in(o.content(), mediaType)["schema"] }

// body returns the main media type of the request body, "" if the operation has none. JSON comes first, because its
// schema and example are complete.
func (o *operation) body() string {
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
func (o *operation) example() (any, bool) {
	example, ok := in(o.content(), o.body())["example"]
	return example, ok
}

// toJSON returns a value as JSON, or null if it cannot be encoded.
func toJSON(value any) []byte {
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
