package openapi_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
)

// TestWhatOperationsDoAtTheEdgesIsDescribed reads the configuration in which everything is
// set, and one in which nothing is.
func TestWhatOperationsDoAtTheEdgesIsDescribed(t *testing.T) {
	t.Parallel()
	everything, nothing := configurations()["http"], configurations()["default"]
	documents := map[string]tree{}
	for name, c := range map[string]configuration{"everything": everything, "nothing": nothing} {
		api := newAPI(t, c)
		c.document.EveryStatus = true
		if err := openapi.Mount(api, c.document); err != nil {
			t.Fatal(err)
		}
		documents[name] = documentOf(t, api)
	}
	const (
		programmers, programmer = "/api/programmers", "/api/programmers/{nickname}"
		counted, bump           = "/api/counteds/{id}", "/api/counteds/{id}/bump"
	)
	for _, row := range []struct {
		document, path, method string
		statuses               string // documented, "!" before those that must be absent
		parameters             string
		headers                string // of success
		deprecated             bool
	}{
		{"everything", programmer, "get", "200 304 412 !428", "If-None-Match !If-Match", "ETag Deprecation Sunset Link !Last-Modified", true},
		{"everything", programmers, "get", "200 304", "If-None-Match", "ETag Deprecation Sunset Link", true},
		{"everything", programmers, "post", "201 408 412 422 !428", "Idempotency-Key !If-Match", "ETag Location Deprecation", true},
		{"everything", programmer, "patch", "200 408 412 428 422 !304", "If-Match !Idempotency-Key", "ETag Sunset", true},
		{"everything", programmer, "delete", "204 412 428 !408", "If-Match", "Deprecation !ETag", true},
		{"everything", counted, "get", "200 304", "If-None-Match", "ETag Last-Modified !Deprecation", false},
		{"everything", bump, "post", "200 408 412 413 422", "Idempotency-Key If-Match", "!Location", false},
		{"nothing", "/api/dragon_treasures", "post", "201 !408 !422 !428", "!Idempotency-Key", "ETag Location !Deprecation", false},
		{"nothing", "/api/dragon_treasures/{id}", "put", "200 412 !428", "If-Match", "ETag !Last-Modified", false},
	} {
		op := tree(documents[row.document].at(t, "paths", row.path, row.method).(map[string]any))
		where := row.method + " " + row.path
		responses := sortedKeys(op.at(t, "responses").(map[string]any))
		assertListed(t, where+": the statuses", responses, row.statuses)
		var names []string
		parameters, _ := op["parameters"].([]any)
		for _, p := range parameters {
			names = append(names, p.(map[string]any)["name"].(string))
		}
		assertListed(t, where+": the parameters", names, row.parameters)
		success := strings.Fields(row.statuses)[0]
		headers, _ := tree(op.at(t, "responses", success).(map[string]any))["headers"].(map[string]any)
		assertListed(t, where+": the header", sortedKeys(headers), row.headers)
		if got, _ := op["deprecated"].(bool); got != row.deprecated {
			t.Errorf("%s: deprecated is %v", where, got)
		}
	}
}

// assertListed compares a list with the names that it must have, and with those after a
// "!" that it must not have.
func assertListed(t *testing.T, what string, list []string, want string) {
	t.Helper()
	for name := range strings.FieldsSeq(want) {
		plain, not := strings.CutPrefix(name, "!")
		if slices.Contains(list, plain) == not {
			t.Errorf("%s are %v, want %s", what, list, want)
		}
	}
}

func TestTheDocumentComesWholeWithItsLength(t *testing.T) {
	t.Parallel()
	api := mounted(t, resource.Of[Category]{})
	for _, path := range []string{"/api/docs", "/api/docs.json", "/api/docs.yaml"} {
		plain, part := get(t, api, path), get(t, api, path, "Range", "bytes=2-5")
		body := plain.Body.String()
		if plain.Code != 200 || plain.Header().Get("Content-Length") != strconv.Itoa(len(body)) || plain.Header().Get("Accept-Ranges") != "bytes" {
			t.Errorf("GET %s is %d with %d bytes, and the header %v", path, plain.Code, len(body), plain.Header())
		}
		if part.Code != 206 || part.Body.String() != body[2:6] {
			t.Errorf("a part of %s is %d: %q, want %q", path, part.Code, part.Body, body[2:6])
		}
	}
}
