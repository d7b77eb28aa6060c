package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
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
		"listGems":     {"itemsPerPage cursor id name value_between value_lt value_lte value_gt value_gte published owner owner_ne filter q sort fields expand", ""},
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

// fault is in the text of a result that no client can have caused.
var fault = regexp.MustCompile(`\\"status\\":5\d\d`)

// With any arguments, a call returns a result that obeys its schema, or an error that the caller can fix.
func FuzzCall(f *testing.F) {
	log := &lines{}
	api := newAPI(f, log)
	if err := mcp.Mount(api, mcp.Config{}); err != nil {
		f.Fatal(err)
	}
	send := func(ctx context.Context, who, message string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/mcp", strings.NewReader(message))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", accept)
		if who != "" {
			r.Header.Set("Authorization", "Bearer "+who)
		}
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		return w
	}
	schemas := outputsOf(f, send(f.Context(), "root", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`).Body)
	var names []string
	for name := range schemas {
		names = append(names, name)
	}
	slices.Sort(names)
	callers := []string{"", "ann", "bob", "root"}
	for _, name := range []string{"ann", "bob", "root"} {
		send(f.Context(), "root", calls("createKeeper", `{"name":"`+name+`"}`))
	}
	for i, arguments := range []string{
		`{"name":"ruby","value":1,"published":true,"owner":"/api/keepers/2","tags":["a"]}`, `{"id":1}`, `{"id":1,"value":2,"note":null}`, `{"id":1,"factor":3}`,
		`{"code":"a","title":"A","If-Match":"*"}`, `{"cursor":"","value_gte":1,"sort":["-name"],"fields":["name"],"expand":["owner"]}`, `{"cursor":"Y3Vyc29yPSZwYWdlPTI"}`,
		`{"id":1e400}`, `{"id":"\u0000/../%2e"}`, `{"":{}}`, `[]`, `null`, `{"owner":[[]]}`, `{"itemsPerPage":0}`, `{"pagination":false}`, `{"page":1000000}`,
		`{"id":1,"name":"x","owner":"/api/keepers/2","Idempotency-Key":"k"}`, `{"id":18446744073709551616}`, `{"tags":[` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `]}`,
	} {
		for tool := range names {
			f.Add(uint8(tool), uint8(i), arguments)
		}
	}
	f.Fuzz(func(t *testing.T, tool, who uint8, arguments string) {
		if strings.Contains(arguments, "cursed") || strings.Contains(arguments, "broken") || !json.Valid([]byte(arguments)) {
			return // a handler of the sample fails for these names
		}
		name := names[int(tool)%len(names)]
		w := send(t.Context(), callers[int(who)%len(callers)], calls(name, arguments))
		body := w.Body.String()
		if w.Code >= http.StatusInternalServerError || fault.MatchString(body) || strings.Contains(body, "Internal Server Error") {
			t.Fatalf("%s(%s): %d %s\n%s", name, arguments, w.Code, body, log)
		}
		if w.Code != http.StatusOK {
			return
		}
		var answered struct {
			Result struct {
				IsError           bool `json:"isError"`
				StructuredContent any  `json:"structuredContent"`
			} `json:"result"`
		}
		if err := json.Unmarshal(w.Body.Bytes(), &answered); err != nil {
			t.Fatalf("%s(%s): %v: %s", name, arguments, err, body)
		}
		if content := answered.Result.StructuredContent; content != nil {
			if err := schemas[name].Validate(content); err != nil || answered.Result.IsError {
				t.Errorf("%s(%s): %s: %v", name, arguments, body, err)
			}
		}
	})
}

// A message, too, may be anything.
func FuzzMessage(f *testing.F) {
	api := newAPI(f, io.Discard)
	if err := mcp.Mount(api, mcp.Config{}); err != nil {
		f.Fatal(err)
	}
	for _, message := range []string{
		calls("getGem", `{"id":1}`), `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}`, `{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":"x","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
		`{"jsonrpc":"2.0","id":null,"method":"resources/read","params":{"uri":"/api/gems/1?x"}}`, `{"jsonrpc":"2.0","id":1,"result":{}}`, `{"id":{}}`, `[{}]`, `{`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"createGem"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/templates/list"}`, `{"jsonrpc":"2.0","id":1,"method":"completion/complete"}`,
	} {
		f.Add(message)
	}
	f.Fuzz(func(t *testing.T, message string) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/mcp", strings.NewReader(message))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", accept)
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		if w.Code >= http.StatusInternalServerError {
			t.Errorf("%s: %d %s", message, w.Code, w.Body)
		}
	})
}
