package openapi_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json"
	gocmp "github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/validation"
)

type Member struct {
	ID    int64  `json:"id"`
	Email string `json:"email" validate:"required" api:"unique"`
}

func admit(_ context.Context, _ *operation.Request, m *Member) error {
	switch m.Email {
	case "poor":
		return operation.Error{Status: http.StatusPaymentRequired, Detail: "Pay first."}
	case "broken":
		return errors.New("the database is on fire")
	case "odd":
		return validation.Fail("email", "looks odd")
	}
	return nil
}

// TestErrorsAreAsDocumented causes every kind of error, and compares the responses with the document.
func TestErrorsAreAsDocumented(t *testing.T) {
	t.Parallel()
	large := `{"email":"` + strings.Repeat("x", 200) + `"}`
	tests := map[string]struct {
		method, path, body string
		header             []string
		status             int // 0 for that of the shape
	}{
		"a parameter that is not known":   {"GET", "/members", "", []string{"?", "colour=red"}, 400},
		"one of an operation with a body": {"POST", "/members", `{"email":"a"}`, []string{"?", "colour=red"}, 400},
		"a body that is no JSON":          {"POST", "/members", `{"email":`, nil, 400},
		"a body that breaks a rule":       {"POST", "/members", `{"email":""}`, nil, 0},
		"a body with unknown members":     {"POST", "/members", `{"email":"a","mail":"b"}`, nil, 0},
		"a value that a hook refuses":     {"POST", "/members", `{"email":"odd"}`, nil, 0},
		"a record that is not there":      {"GET", "/members/99", "", nil, 404},
		"an identifier that is none":      {"DELETE", "/members/x", "", nil, 404},
		"a media type that is not sent":   {"GET", "/members", "", []string{"Accept", "text/csv"}, 406},
		"a value that is taken":           {"POST", "/members", `{"email":"taken"}`, nil, 409},
		"a value that is taken by a put":  {"PUT", "/members/2", `{"email":"taken"}`, nil, 409},
		"a body that is too large":        {"POST", "/members", large, nil, 413},
		"a body of another type":          {"POST", "/members", `{"email":"a"}`, []string{"Content-Type", "text/plain"}, 415},
		"a patch of another type":         {"PATCH", "/members/1", `[]`, []string{"Content-Type", "application/json-patch+json"}, 415},
		"a failure of the service":        {"POST", "/members", `{"email":"broken"}`, nil, 500},
		"a refusal of a hook's own":       {"POST", "/members", `{"email":"poor"}`, nil, 402},
	}
	for _, shape := range []validation.Shape{validation.Map, validation.Problem} {
		api := newAPI(t, configuration{
			config:       resource.Config{MaxBodyBytes: 100, Errors: shape, Logger: slog.New(slog.DiscardHandler)},
			declarations: []resource.Declaration{resource.Of[Member]{Prepare: admit}},
		})
		if err := openapi.Mount(api, openapi.Config{}); err != nil {
			t.Fatal(err)
		}
		document := documentOf(t, api)
		for _, email := range []string{"taken", "other"} {
			send(t, api, http.MethodPost, "/api/members", `{"email":"`+email+`"}`)
		}
		for name, test := range tests {
			t.Run(name+" in shape "+strconv.Itoa(int(shape)), func(t *testing.T) {
				t.Parallel()
				path := "/api" + test.path
				if len(test.header) > 0 && test.header[0] == "?" {
					path += "?" + test.header[1]
				}
				status := cmp.Or(test.status, shape.Status())
				w := send(t, api, test.method, path, test.body, test.header...)
				if w.Code != status {
					t.Fatalf("the status is %d, want %d: %s", w.Code, status, w.Body)
				}
				checkRefusal(t, document, test.method, test.path, w.Result())
			})
		}
	}
}

// checkRefusal checks a response against the documented one.
func checkRefusal(t *testing.T, document tree, method, path string, answer *http.Response) {
	t.Helper()
	template := "/api/members"
	if path != "/members" {
		template += "/{id}"
	}
	responses := document.at(t, "paths", template, strings.ToLower(method), "responses").(map[string]any)
	response, ok := responses[strconv.Itoa(answer.StatusCode)].(map[string]any)
	if !ok {
		response, ok = responses["default"].(map[string]any)
	}
	if !ok {
		t.Fatalf("%s %s does not document %d", method, template, answer.StatusCode)
	}
	where := strings.Split(strings.TrimPrefix(response["$ref"].(string), "#/"), "/")
	schema := document.schemaAt(t, pointer(append(where, "content", answer.Header.Get("Content-Type"), "schema")...))
	body, err := jsonschema.UnmarshalJSON(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(body); err != nil {
		t.Errorf("the body %v breaks its schema: %v", body, err)
	}
}

func TestExamplesOfErrorsAreThoseOfTheService(t *testing.T) {
	t.Parallel()
	api := newAPI(t, configuration{declarations: []resource.Declaration{resource.Of[Member]{}}})
	if err := openapi.Mount(api, openapi.Config{}); err != nil {
		t.Fatal(err)
	}
	document := documentOf(t, api)
	tests := map[string]struct {
		answer  func() *httptest.ResponseRecorder
		changed []string // fields that depend on the request
	}{
		"BadRequest": {func() *httptest.ResponseRecorder { return get(t, api, "/api/members/1?colour=red") }, nil},
		"NotFound":   {func() *httptest.ResponseRecorder { return get(t, api, "/api/members/9") }, []string{"detail"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			example := document.at(t, "components", "responses", name, "content", "application/problem+json", "example").(map[string]any)
			body, err := jsonschema.UnmarshalJSON(test.answer().Body)
			if err != nil {
				t.Fatal(err)
			}
			got := body.(map[string]any)
			for _, member := range test.changed {
				delete(got, member)
				if member == "detail" {
					delete(example, member)
				}
			}
			got["status"] = example["status"]
			if diff := gocmp.Diff(example, got); diff != "" {
				t.Errorf("the service says something else (-example +service):\n%s", diff)
			}
		})
	}
}

func TestErrorsBeginWithTheProblem(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"BadRequest", "Invalid", "NotFound", "Conflict", "Error"} {
		text := get(t, newHarbour(t), "/api/docs.json").Body.Bytes()
		at := bytes.Index(text, []byte(`"`+name+`": {`))
		if at < 0 {
			t.Fatalf("there is no response %s", name)
		}
		_, content, _ := bytes.Cut(text[at:], []byte(`"content": {`))
		if first := strings.TrimSpace(string(content[:200])); !strings.HasPrefix(first, `"application/problem+json"`) {
			t.Errorf("the first media type of %s is at %s", name, first)
		}
	}
}

// Each format of each error has an example, which its schema allows.
func TestErrorsHaveExamplesInEachFormat(t *testing.T) {
	t.Parallel()
	for name, shape := range map[string]validation.Shape{"map": validation.Map, "problem": validation.Problem} {
		api, err := resource.New(resource.Config{Formats: append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format), Errors: shape},
			resource.Of[Boat]{}, resource.Of[Pier]{})
		if err == nil {
			err = openapi.Mount(api, openapi.Config{Title: "Fleet", Version: "1"})
		}
		if err != nil {
			t.Fatal(err)
		}
		document := documentOf(t, api)
		all := document.at(t, "components", "responses").(map[string]any)
		for _, response := range slices.Sorted(maps.Keys(all)) {
			if strings.HasSuffix(response, "Response") || response == "NotModified" {
				continue
			}
			for mediaType, media := range tree(all[response].(map[string]any)).at(t, "content").(map[string]any) {
				assertExample(t, document, media.(map[string]any)["example"], name, response, mediaType)
			}
		}
	}
}

func assertExample(t *testing.T, document tree, example any, shape, response, mediaType string) {
	t.Helper()
	text, err := json.Marshal(example)
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if example == nil || bytes.Contains(text, []byte("path/index")) {
		t.Errorf("%s, %s in %s has the example %s", shape, response, mediaType, text)
	}
	schema := document.schemaAt(t, pointer("components", "responses", response, "content", mediaType, "schema"))
	if err := schema.Validate(value); err != nil {
		t.Errorf("%s, the example %s of %s in %s is not valid: %v", shape, text, response, mediaType, err)
	}
}

// TestEachErrorShowsItsOwnStatus reads the examples of all errors of all operations.
func TestEachErrorShowsItsOwnStatus(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{Formats: append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format)},
		resource.Of[Boat]{}, resource.Of[Pier]{Operations: []operation.Operation{operation.Get{}, operation.Post{}, operation.Patch{}}})
	if err == nil {
		err = openapi.Mount(api, openapi.Config{Title: "Fleet", Version: "1"})
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, version := range []string{"3.1", "3.0"} {
		var doc openapi3.T
		if err := doc.UnmarshalJSON(get(t, api, "/api/docs.json?version="+version).Body.Bytes()); err != nil {
			t.Fatal(err)
		}
		if err := openapi3.NewLoader().ResolveRefsIn(&doc, nil); err != nil {
			t.Fatal(err)
		}
		seen := 0
		for path, item := range doc.Paths.Map() {
			for method, op := range item.Operations() {
				for status, response := range op.Responses.Map() {
					code, err := strconv.Atoi(status)
					if err != nil || code < 400 {
						continue
					}
					for mediaType, media := range response.Value.Content {
						seen++
						assertOwnStatus(t, strings.Join([]string{version, method, path, mediaType}, " "), code, media.Example)
					}
				}
			}
		}
		if seen < 60 {
			t.Errorf("%d examples in version %s", seen, version)
		}
	}
}

// assertOwnStatus checks the status, title and detail of the example of an error.
func assertOwnStatus(t *testing.T, where string, code int, example any) {
	t.Helper()
	body, _ := example.(map[string]any)
	if errors, ok := body["errors"].([]any); ok && len(errors) > 0 { // JSON:API
		first, _ := errors[0].(map[string]any)
		body = maps.Clone(first)
		if number, err := strconv.Atoi(fmt.Sprint(body["status"])); err == nil {
			body["status"] = float64(number)
		}
	}
	if body["errors"] != nil && code == 400 {
		return // the errors of validation.Map have no status
	}
	if body["status"] != float64(code) {
		t.Errorf("%s: the example of %d has the status %v: %v", where, code, body["status"], example)
	}
	if title := http.StatusText(code); body["type"] == "about:blank" && body["title"] != title {
		t.Errorf("%s: the example of %d has the title %v, want %s", where, code, body["title"], title)
	}
	for detail, of := range map[string]int{"The record does not exist.": 404, "Authentication required.": 401} {
		if body["detail"] == detail && code != of {
			t.Errorf("%s: the example of %d has the detail of %d", where, code, of)
		}
	}
}

// TestExamplesObeyTheirSchemas finds every example and default of the golden documents.
func TestExamplesObeyTheirSchemas(t *testing.T) {
	t.Parallel()
	for name := range configurations() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(filepath.Join("testdata", name+".json"))
			if err != nil {
				t.Fatal(err)
			}
			var document tree
			if err := json.Unmarshal(text, &document); err != nil {
				t.Fatal(err)
			}
			if checkExamples(t, document, map[string]any(document), nil) == 0 {
				t.Error("found no example")
			}
		})
	}
}

// checkExamples checks the examples in a node of a document, and counts them.
func checkExamples(t *testing.T, document tree, node any, path []string) int {
	t.Helper()
	count := 0
	check := func(schema []string, example any) {
		count++
		if err := document.schemaAt(t, pointer(schema...)).Validate(example); err != nil {
			t.Errorf("the example %v at %v breaks its schema: %v", example, path, err)
		}
	}
	switch value := node.(type) {
	case []any:
		for i, element := range value {
			count += checkExamples(t, document, element, append(slices.Clip(path), strconv.Itoa(i)))
		}
	case map[string]any:
		isProperties := len(path) > 0 && path[len(path)-1] == "properties"
		if example, ok := value["example"]; ok && value["schema"] != nil {
			check(append(slices.Clip(path), "schema"), example)
		}
		if examples, ok := value["examples"].([]any); ok && !isProperties {
			for _, example := range examples {
				check(path, example)
			}
		}
		if fallback, ok := value["default"]; ok && value["type"] != nil && !isProperties {
			check(path, fallback)
		}
		for name, inner := range value {
			if name != "example" {
				count += checkExamples(t, document, inner, append(slices.Clip(path), name))
			}
		}
	}
	return count
}

func TestExamplesOfRequestsHaveNoReadOnlyMembers(t *testing.T) {
	t.Parallel()
	for name, c := range configurations() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.config.Prefix = ""
			api := newAPI(t, c)
			if err := openapi.Mount(api, openapi.Config{}); err != nil {
				t.Fatal(err)
			}
			for _, op := range operations(t, documentOf(t, api)) {
				body, ok := op.tree["requestBody"].(map[string]any)
				if !ok {
					continue
				}
				for _, media := range body["content"].(map[string]any) {
					example := media.(map[string]any)["example"].(map[string]any)
					for _, readOnly := range []string{"id", "plunderedAt", "userId", "placedAt"} {
						if _, found := example[readOnly]; found {
							t.Errorf("the example of %s %s has %s", op.method, op.path, readOnly)
						}
					}
				}
			}
		})
	}
}

// Seat is a record with a constraint.
type Seat struct {
	ID    int64  `json:"id"`
	Row   string `json:"row"`
	Place int    `json:"place"`
}

func (Seat) Constraints() []store.Constraint { return []store.Constraint{store.Unique("row", "place")} }

func TestConflictsOfConditionsDocumentTheFieldsOfConstraints(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{}, resource.Of[Seat]{Operations: []operation.Operation{
		operation.Post{},
		operation.Patch{When: access.Where("row", "A")},
		operation.Post{Name: "swap", URITemplate: "/seats/swap", Handler: operation.Handle(
			func(context.Context, *Seat, []operation.PatchOf[Seat]) (struct{}, error) { return struct{}{}, nil })},
	}})
	if err != nil {
		t.Fatal(err)
	}
	doc := documented(t, api, openapi.Config{Title: "Seats"})
	for path, op := range map[string]*openapi3.Operation{
		"PATCH": doc.Paths.Value("/api/seats/{id}").Patch, "swap": doc.Paths.Value("/api/seats/swap").Post, "POST": doc.Paths.Value("/api/seats").Post,
	} {
		response := op.Responses.Status(http.StatusConflict).Value
		if got := response.Content["application/problem+json"].Schema.Ref; got != "#/components/schemas/ConstraintProblem" {
			t.Errorf("%s: the schema is %s", path, got)
		}
		if !strings.Contains(*response.Description, "`fields` names") {
			t.Errorf("%s: the description is %s", path, *response.Description)
		}
	}
}
