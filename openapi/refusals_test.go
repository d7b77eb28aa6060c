package openapi_test

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
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
	if err := openapi.Mount(api, openapi.Config{EveryStatus: true}); err != nil {
		t.Fatal(err)
	}
	document := documentOf(t, api)
	tests := map[string]struct {
		answer  func() *httptest.ResponseRecorder
		changed []string // fields that depend on the request
	}{
		"BadRequest": {func() *httptest.ResponseRecorder { return get(t, api, "/api/members/1?colour=red") }, nil},
		"NotFound":   {func() *httptest.ResponseRecorder { return get(t, api, "/api/members/9") }, []string{"detail"}},
		"NotAcceptable": {
			func() *httptest.ResponseRecorder { return get(t, api, "/api/members/1", "Accept", "a/b") },
			nil,
		},
		"UnsupportedMediaType": {
			func() *httptest.ResponseRecorder {
				return send(t, api, http.MethodPost, "/api/members", "{}", "Content-Type", "text/plain")
			},
			nil,
		},
		"ContentTooLarge": {
			func() *httptest.ResponseRecorder {
				return send(t, api, http.MethodPost, "/api/members", `{"email":"`+strings.Repeat("x", 1<<20)+`"}`)
			},
			nil,
		},
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
