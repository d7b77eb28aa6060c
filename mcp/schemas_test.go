package mcp_test

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/trove-api/trove/internal/schema"
	"github.com/trove-api/trove/mcp"
)

// outputsOf reads the schemas of structured content from a list of tools, nil of tools that have none.
func outputsOf(t testing.TB, body io.Reader) map[string]*jsonschema.Schema {
	t.Helper()
	var list struct {
		Result struct {
			Tools []struct {
				Name         string          `json:"name"`
				InputSchema  json.RawMessage `json:"inputSchema"`
				OutputSchema json.RawMessage `json:"outputSchema"`
			} `json:"tools"`
		} `json:"result"`
	}
	if err := json.NewDecoder(body).Decode(&list); err != nil {
		t.Fatal(err)
	}
	schemas := map[string]*jsonschema.Schema{}
	for _, tool := range list.Result.Tools {
		compile(t, tool.InputSchema)
		schemas[tool.Name] = nil
		if tool.OutputSchema != nil {
			schemas[tool.Name] = compile(t, tool.OutputSchema)
		}
	}
	return schemas
}

// compile compiles a schema, which is one of an object.
func compile(t testing.TB, text json.RawMessage) *jsonschema.Schema {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseRegexpEngine(func(pattern string) (jsonschema.Regexp, error) { return schema.Compile(pattern) })
	compiler.DefaultDraft(jsonschema.Draft2020)
	if err := compiler.AddResource("tool.json", value); err != nil {
		t.Fatal(err)
	}
	made, err := compiler.Compile("tool.json")
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if root, _ := value.(map[string]any); root["type"] != "object" {
		t.Errorf("not of an object at its root: %s", text)
	}
	return made
}

func TestArgumentsAreThoseOfTheOperation(t *testing.T) {
	t.Parallel()
	s := newService(t, mcp.Config{})
	want := map[string]struct{ arguments, required string }{
		"listGems":     {"itemsPerPage cursor id name value_between value_lt value_lte value_gt value_gte published owner owner_ne q sort fields expand", ""},
		"getGem":       {"id fields expand", "id"},
		"createGem":    {"name value published note tags owner Idempotency-Key", "name owner"},
		"patchGem":     {"id name value published note tags owner", "id"},
		"deleteGem":    {"id", "id"},
		"appraiseGem":  {"id factor Idempotency-Key", "id factor"},
		"replaceShelf": {"code title If-Match If-None-Match", "code title"},
		"deleteShelf":  {"code If-Match", "code"},
		"namesGem":     {"", ""},
	}
	for tool, err := range s.agent("root").Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		expected, known := want[tool.Name]
		if !known {
			continue
		}
		delete(want, tool.Name)
		input := tool.InputSchema.(map[string]any)
		properties, _ := input["properties"].(map[string]any)
		for name := range strings.FieldsSeq(expected.arguments) {
			if properties[name] == nil {
				t.Errorf("%s has no argument %s", tool.Name, name)
			}
			delete(properties, name)
		}
		var required []string
		list, _ := input["required"].([]any)
		for _, name := range list {
			required = append(required, name.(string))
		}
		if got := strings.Join(required, " "); len(properties) > 0 || got != expected.required || input["additionalProperties"] == nil {
			t.Errorf("%s: more arguments %v, required %q, want %q", tool.Name, properties, got, expected.required)
		}
	}
	if len(want) > 0 {
		t.Errorf("no tools: %v", want)
	}
}

func TestFormatsAreThoseThatClientsKnow(t *testing.T) {
	t.Parallel()
	s := newService(t, mcp.Config{})
	_, body, _ := s.post("root", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	for _, match := range regexp.MustCompile(`"format":"([^"]*)"`).FindAllStringSubmatch(body, -1) {
		if match[1] != "int64" && match[1] != "email" {
			t.Errorf("the format %s", match[1])
		}
	}
	if !strings.Contains(body, "Must be the path of an existing keeper") {
		t.Error("what the format says is not described")
	}
}
