package openapi_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/trove-api/trove/openapi"
)

// TestBodiesAreTakenAsDocumented sends the example of each body with fields removed, added, set to null or to another
// type, at any depth. The service must accept what the schema allows, reject the rest, and respond as documented.
func TestBodiesAreTakenAsDocumented(t *testing.T) {
	t.Parallel()
	for name, resourceName := range map[string]string{
		"default": "DragonTreasure", "standard_put": "DragonTreasure", "client_ids": "Programmer",
		"nested": "Order", "recursive": "Category", "problem": "Category", "nested_put": "Order",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && resourceName == "Order" {
				t.Skip("sends thousands of bodies")
			}
			c := configurations()[strings.TrimSuffix(name, "_put")]
			if name == "standard_put" || name == "nested_put" {
				c = configurations()[map[string]string{"standard_put": name, "nested_put": "nested_replaced"}[name]]
			}
			api := newAPI(t, c)
			if err := openapi.Mount(api, c.document); err != nil {
				t.Fatal(err)
			}
			document := documentOf(t, api)
			location := create(t, api, document, resourceName)
			for _, op := range operations(t, document) {
				op.location = location
				op.sendBodies(t, api, document)
			}
		})
	}
}

// described is an operation of a document.
type described struct {
	method, path, location string
	tree                   tree
	schemas                map[string]*jsonschema.Schema // of its responses, by their pointers
}

// operations lists the operations of a document, the ones that delete left out.
func operations(t *testing.T, document tree) []described {
	t.Helper()
	var found []described
	for path, item := range document.at(t, "paths").(map[string]any) {
		for method, op := range item.(map[string]any) {
			if method != "delete" {
				found = append(found, described{method: strings.ToUpper(method), path: path, tree: op.(map[string]any), schemas: map[string]*jsonschema.Schema{}})
			}
		}
	}
	return found
}

func (op described) sendBodies(t *testing.T, api http.Handler, document tree) {
	t.Helper()
	path := op.path
	if strings.HasSuffix(path, "}") {
		path = op.location
	}
	if op.tree["requestBody"] == nil {
		op.checkAnswer(t, document, send(t, api, op.method, path, "").Result(), "")
		return
	}
	for mediaType, media := range op.tree.at(t, "requestBody", "content").(map[string]any) {
		content := tree(media.(map[string]any))
		schema := document.schemaAt(t, pointer("paths", op.path, strings.ToLower(op.method), "requestBody", "content", mediaType, "schema"))
		exact := isExact(resolved(document, content["schema"]))
		for _, body := range variants(content["example"]) {
			text, err := json.Marshal(body)
			if err != nil {
				t.Fatal(err)
			}
			w := send(t, api, op.method, path, string(text), "Content-Type", mediaType)
			op.checkAnswer(t, document, w.Result(), string(text))
			op.checkVerdict(t, w.Code, schema, string(text), exact)
		}
	}
}

// checkVerdict compares what the service does with a body with what the schema says.
func (op described) checkVerdict(t *testing.T, status int, schema *jsonschema.Schema, body string, exact bool) {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	allowed := schema.Validate(value)
	refused := status == http.StatusBadRequest || status == http.StatusUnprocessableEntity
	switch {
	case !refused && allowed != nil:
		t.Errorf("%s %s accepts %s with %d, but its schema refuses it: %v", op.method, op.path, body, status, allowed)
	case refused && allowed == nil && exact:
		t.Errorf("%s %s refuses %s with %d, but its schema allows it", op.method, op.path, body, status)
	}
}

// checkAnswer checks that the document knows status, media type, headers and body.
func (op described) checkAnswer(t *testing.T, document tree, answer *http.Response, sent string) {
	t.Helper()
	status := strconv.Itoa(answer.StatusCode)
	where := []string{"paths", op.path, strings.ToLower(op.method), "responses", status}
	responses := op.tree.at(t, "responses").(map[string]any)
	response, ok := responses[status].(map[string]any)
	if !ok && answer.StatusCode >= http.StatusBadRequest {
		response, ok = responses["default"].(map[string]any)
	}
	if !ok {
		t.Errorf("%s %s answers %s to %s, which is not documented", op.method, op.path, status, sent)
		return
	}
	if ref, ok := response["$ref"].(string); ok {
		where = strings.Split(strings.TrimPrefix(ref, "#/"), "/")
		response = document.at(t, where...).(map[string]any)
	}
	if headers, ok := response["headers"].(map[string]any); ok && headers["Location"] != nil && answer.Header.Get("Location") == "" {
		t.Errorf("%s %s has no Location in its answer %s", op.method, op.path, status)
	}
	value, err := jsonschema.UnmarshalJSON(answer.Body)
	if err != nil && response["content"] != nil {
		t.Errorf("%s %s answers %s without the documented body", op.method, op.path, status)
		return
	}
	if err == nil {
		at := pointer(append(where, "content", answer.Header.Get("Content-Type"), "schema")...)
		if op.schemas[at] == nil {
			op.schemas[at] = document.schemaAt(t, at)
		}
		if err := op.schemas[at].Validate(value); err != nil {
			t.Errorf("%s %s answers %s to %s with a body that breaks its schema: %v", op.method, op.path, status, sent, err)
		}
	}
}

// pointer returns the JSON Pointer of names, as a URI's fragment has it.
func pointer(names ...string) string {
	escape := strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D")
	var b strings.Builder
	for _, name := range names {
		b.WriteString("/" + escape.Replace(name))
	}
	return b.String()
}

// resolved returns a schema with all that it refers to, but for what it is inside of.
func resolved(document tree, schema any, inside ...string) any {
	switch node := schema.(type) {
	case []any:
		list := make([]any, len(node))
		for i, element := range node {
			list[i] = resolved(document, element, inside...)
		}
		return list
	case map[string]any:
		whole := map[string]any{}
		for name, inner := range node {
			whole[name] = resolved(document, inner, inside...)
		}
		ref, ok := node["$ref"].(string)
		if name := ref[strings.LastIndex(ref, "/")+1:]; ok && !slices.Contains(inside, name) {
			component := document["components"].(map[string]any)["schemas"].(map[string]any)[name]
			whole["$ref"] = resolved(document, component, append(slices.Clip(inside), name)...)
		}
		return whole
	}
	return schema
}

// variants returns an example, and others made of it by one change each.
func variants(example any) []any {
	found := []any{example}
	switch value := example.(type) {
	case map[string]any:
		extended := maps.Clone(value)
		extended["unknownMember"] = 1
		found = append(found, extended, map[string]any{})
		for name := range value {
			dropped := maps.Clone(value)
			delete(dropped, name)
			found = append(found, dropped)
			for _, other := range append(variants(value[name])[1:], nil, "", true, []any{}, map[string]any{}, 1.5) {
				changed := maps.Clone(value)
				changed[name] = other
				found = append(found, changed)
			}
		}
	case []any:
		for i := range value {
			for _, other := range append(variants(value[i])[1:], nil, "text") {
				changed := slices.Clone(value)
				changed[i] = other
				found = append(found, changed)
			}
		}
		found = append(found, append(slices.Clone(value), value...))
	}
	return found
}

func TestVariantsChangeOneThing(t *testing.T) {
	t.Parallel()
	example := map[string]any{"a": map[string]any{"b": 1.0}}
	for i, variant := range variants(example)[1:] {
		if fmt.Sprint(variant) == fmt.Sprint(example) {
			t.Errorf("variant %d is the example", i+1)
		}
	}
}
