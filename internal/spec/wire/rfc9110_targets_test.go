package wire_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// Seal is a record with a generated UUID.
type Seal struct {
	ID    uuid.UUID `json:"id" api:"id"`
	Title string    `json:"title"`
}

func TestMethodsAndTargets(t *testing.T) {
	t.Parallel()
	const item = "/api/scrolls/1"
	const ofItem = "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"
	for _, test := range []spec.Edge{
		{Rule: "an unknown method", Request: "BREW " + item, Body: "", Header: nil, Status: 405, Fields: spec.Header("Allow", ofItem), Mentions: []string{ofItem}},
		{Rule: "a method of WebDAV", Request: "PROPFIND " + item, Body: "", Header: nil, Status: 405, Fields: spec.Header("Allow", ofItem), Mentions: nil},
		{Rule: "TRACE echoes nothing", Request: "TRACE " + item, Body: "", Header: spec.Header("Cookie", "secret"), Status: 405, Fields: spec.Header("Allow", ofItem), Mentions: nil},
		{Rule: "methods are compared by case: get", Request: "get " + item, Body: "", Header: nil, Status: 405, Fields: spec.Header("Allow", ofItem), Mentions: nil},
		{Rule: "methods are compared by case: Patch", Request: "Patch " + item, Body: `{"title":"b"}`, Header: nil, Status: 405, Fields: spec.Header("Allow", ofItem), Mentions: nil},
		{Rule: "no method is taken from a field", Request: "POST " + item, Body: `{"title":"b"}`, Header: spec.Header("X-HTTP-Method-Override", "PATCH"), Status: 405, Fields: spec.Header("Allow", ofItem), Mentions: nil},
		{Rule: "a range is passed over", Request: "GET " + item, Body: "", Header: spec.Header("Range", "bytes=0-3"), Status: 200, Fields: spec.Header("Content-Range", "", "Accept-Ranges", ""), Mentions: []string{`"id":1`}},
		{Rule: "a range of what has changed is passed over", Request: "GET " + item, Body: "", Header: spec.Header("Range", "bytes=0-3", "If-Range", `"x"`), Status: 200, Fields: spec.Header("Content-Range", ""), Mentions: nil},
		{Rule: "a range that is none is passed over", Request: "GET " + item, Body: "", Header: spec.Header("Range", "bytes=9-3"), Status: 200, Fields: spec.Header("Content-Range", ""), Mentions: nil},
		{Rule: "a body of a GET is passed over", Request: "GET " + item, Body: `{"title":`, Header: nil, Status: 200, Fields: nil, Mentions: nil},
		{Rule: "a condition on a stream is passed over", Request: "GET /api/scrolls.ndjson", Body: "", Header: spec.Header("If-None-Match", "*"), Status: 200, Fields: spec.Header("ETag", ""), Mentions: nil},
		{Rule: "DELETE with a query that nobody knows", Request: "DELETE " + item + "?force=1", Body: "", Header: nil, Status: 400, Fields: nil, Mentions: []string{"force"}},
	} {
		t.Run(test.Rule, func(t *testing.T) {
			t.Parallel()
			spec.OverTheWire(t, conditionalAPI, func(w spec.Wire) { test.Play(w, "/api/scrolls") })
		})
	}
}

func TestNegotiation(t *testing.T) {
	t.Parallel()
	const list, body = "/api/scrolls", `{"title":"b"}`
	for _, test := range []spec.Edge{
		{Rule: "no Accept", Request: "GET " + list, Body: "", Header: nil, Status: 200, Fields: spec.Header("Content-Type", "application/json", "Vary", "Accept"), Mentions: nil},
		{Rule: "an empty Accept", Request: "GET " + list, Body: "", Header: spec.Header("Accept", ""), Status: 200, Fields: spec.Header("Content-Type", "application/json"), Mentions: nil},
		{Rule: "the better of two", Request: "GET " + list, Body: "", Header: spec.Header("Accept", "application/json;q=0.4, application/x-ndjson;q=0.5"), Status: 200, Fields: spec.Header("Content-Type", "application/x-ndjson", "Vary", "Accept"), Mentions: nil},
		{Rule: "several lines are one list", Request: "GET " + list, Body: "", Header: spec.Header("Accept", "text/html", "Accept", "application/x-ndjson"), Status: 200, Fields: spec.Header("Content-Type", "application/x-ndjson"), Mentions: nil},
		{Rule: "the most specific range counts", Request: "GET " + list, Body: "", Header: spec.Header("Accept", "application/json;q=0, */*;q=0.1"), Status: 200, Fields: spec.Header("Content-Type", "application/x-ndjson"), Mentions: nil},
		{Rule: "types are compared without case", Request: "GET " + list, Body: "", Header: spec.Header("Accept", "APPLICATION/X-NDJSON"), Status: 200, Fields: spec.Header("Content-Type", "application/x-ndjson"), Mentions: nil},
		{Rule: "everything rejected", Request: "GET " + list, Body: "", Header: spec.Header("Accept", "*/*;q=0"), Status: 406, Fields: spec.Header("Vary", "Accept"), Mentions: []string{"supported"}},
		{Rule: "a suffix goes before Accept", Request: "GET " + list + ".ndjson", Body: "", Header: spec.Header("Accept", "application/json"), Status: 200, Fields: spec.Header("Content-Type", "application/x-ndjson"), Mentions: nil},
		{Rule: "406 before a change is made", Request: "PATCH " + list + "/1", Body: body, Header: spec.Header("Accept", "text/html"), Status: 406, Fields: spec.Header("Vary", "Accept"), Mentions: nil},
		{Rule: "nothing to send, nothing to accept", Request: "DELETE " + list + "/1", Body: "", Header: spec.Header("Accept", "text/html"), Status: 204, Fields: spec.Header("Vary", ""), Mentions: nil},
		{Rule: "the usual charset", Request: "POST " + list, Body: body, Header: spec.Header("Content-Type", "application/json; charset=UTF-8"), Status: 201, Fields: spec.Header("Content-Type", "application/json"), Mentions: nil},
		{Rule: "the charset in quotation marks", Request: "POST " + list, Body: body, Header: spec.Header("Content-Type", `Application/JSON ;charset="utf-8"`), Status: 201, Fields: nil, Mentions: nil},
		{Rule: "a parameter without a meaning", Request: "POST " + list, Body: body, Header: spec.Header("Content-Type", "application/json; profile=x"), Status: 201, Fields: nil, Mentions: nil},
		{Rule: "a semicolon at the end", Request: "POST " + list, Body: body, Header: spec.Header("Content-Type", "application/json;"), Status: 201, Fields: nil, Mentions: nil},
		{Rule: "an unknown charset", Request: "POST " + list, Body: body, Header: spec.Header("Content-Type", "application/json; charset=utf-16"), Status: 415, Fields: spec.Header("Accept-Post", "application/json"), Mentions: []string{"UTF-8"}},
		{Rule: "two charsets", Request: "POST " + list, Body: body, Header: spec.Header("Content-Type", "application/json; charset=utf-8; charset=latin1"), Status: 415, Fields: nil, Mentions: nil},
		{Rule: "a parameter without a value", Request: "POST " + list, Body: body, Header: spec.Header("Content-Type", "application/json; charset"), Status: 415, Fields: nil, Mentions: nil},
		{Rule: "two types in one line", Request: "POST " + list, Body: body, Header: spec.Header("Content-Type", "application/json, text/plain"), Status: 415, Fields: nil, Mentions: nil},
		{Rule: "a type that only begins alike", Request: "POST " + list, Body: body, Header: spec.Header("Content-Type", "application/jsonp"), Status: 415, Fields: nil, Mentions: nil},
		{Rule: "a type of another family", Request: "POST " + list, Body: body, Header: spec.Header("Content-Type", "application/vnd.api+json"), Status: 415, Fields: nil, Mentions: nil},
		{Rule: "no type", Request: "POST " + list, Body: body, Header: spec.Header("Content-Type", ""), Status: 415, Fields: nil, Mentions: nil},
		{Rule: "a type that is none", Request: "POST " + list, Body: body, Header: spec.Header("Content-Type", "json"), Status: 415, Fields: nil, Mentions: nil},
		{Rule: "a form", Request: "POST " + list, Body: "title=b", Header: spec.Header("Content-Type", "application/x-www-form-urlencoded"), Status: 415, Fields: nil, Mentions: nil},
		{Rule: "a merge patch for a Post", Request: "POST " + list, Body: body, Header: spec.Header("Content-Type", "application/merge-patch+json"), Status: 415, Fields: nil, Mentions: nil},
		{Rule: "a JSON Patch", Request: "PATCH " + list + "/1", Body: "[]", Header: spec.Header("Content-Type", "application/json-patch+json"), Status: 415, Fields: spec.Header("Accept-Patch", "application/merge-patch+json, application/json"), Mentions: nil},
		{Rule: "gzip", Request: "POST " + list, Body: body, Header: spec.Header("Content-Encoding", "gzip"), Status: 415, Fields: nil, Mentions: []string{"Content-Encoding"}},
		{Rule: "identity", Request: "POST " + list, Body: body, Header: spec.Header("Content-Encoding", "Identity"), Status: 201, Fields: nil, Mentions: nil},
		{Rule: "two codings", Request: "POST " + list, Body: body, Header: spec.Header("Content-Encoding", "identity, gzip"), Status: 415, Fields: nil, Mentions: []string{"Content-Encoding"}},
		{Rule: "a text with a byte order mark", Request: "POST " + list, Body: "\ufeff" + body, Header: nil, Status: 400, Fields: nil, Mentions: nil},
	} {
		t.Run(test.Rule, func(t *testing.T) {
			t.Parallel()
			spec.OverTheWire(t, conditionalAPI, func(w spec.Wire) { test.Play(w, list) })
		})
	}
}

func TestARecordHasOnePath(t *testing.T) {
	t.Parallel()
	const id = "018f4ec8-9d2b-7c1a-8c1e-0a1b2c3d4e5f"
	api := func(t testing.TB) spec.Client {
		t.Helper()
		return spec.NewClient(
			t, resource.Config{},
			resource.Of[spec.Goblet]{Store: memory.New(spec.Goblet{Title: "only"})},
			resource.Of[Seal]{Store: memory.New(Seal{ID: uuid.MustParse(id), Title: "only"})},
			resource.Of[spec.Keeper]{Store: memory.New(spec.Keeper{Name: "a", Title: "only"}), Operations: []operation.Operation{
				operation.Get{}, operation.GetCollection{}, operation.Put{AllowCreate: true}, operation.Delete{},
			}},
		)
	}
	for _, target := range []string{
		"/api/goblets/01", "/api/goblets/+1", "/api/goblets/-1", "/api/goblets/1e0", "/api/goblets/1.0", "/api/goblets/0x1", "/api/goblets/1_", "/api/goblets/%201", "/api/goblets/1%20",
		"/api/goblets/1%00", "/api/goblets/%001", "/api/goblets/%EF%BC%91", "/api/goblets/%D9%A1", "/api/goblets/1/", "/api/goblets//1", "/api//goblets/1", "//api/goblets/1", "/api/goblets/./1",
		"/api/goblets/x/../1", "/api/../api/goblets/1", "/api/goblets/%2e/1", "/api/goblets/%2E%2E/goblets/1", "/api/goblets/1%2F", "/api/goblets/%2F1", "/api/goblets/1;v=1", "/api/goblets/1.xml",
		"/api/goblets/1.ndjson", "/api/goblets/1.json.json", "/api/goblets/1.JSON", "/api/goblets/1.json/", "/api/goblets/1.", "/api/goblets/.json", "/api/goblets/", "/api/goblets/99999999999999999999",
		"/API/goblets/1", "/api/Goblets/1", "/api/goblets/1%2Ejson%2Ejson", "/api/goblets/1,2", "/api/goblets/*", "/api/goblets/1%0A", "/api/goblets/%FF", "/api/goblets/{id}",
		"/api/seals/" + strings.ToUpper(id), "/api/seals/{" + id + "}", "/api/seals/urn:uuid:" + id, "/api/seals/" + strings.ReplaceAll(id, "-", ""), "/api/seals/" + id + "%20",
		"/api/keepers/A", "/api/keepers/a%20", "/api/keepers/%20a", "/api/keepers/a%00", "/api/keepers/a/", "/api/keepers/%61%CC%81", "/api/keepers/a%2F", "/api/keepers/%EF%BD%81", "/api/keepers/%C1%A1",
	} {
		t.Run(target, func(t *testing.T) {
			t.Parallel()
			spec.OverTheWire(t, api, func(w spec.Wire) {
				w.Send("GET "+target, "").IsProblem(404)
				w.Send("DELETE "+target, "").HasStatusOf(404, 405)
				for _, there := range []string{"/api/goblets/1", "/api/seals/" + id, "/api/keepers/a"} {
					w.Send("GET "+there, "").HasStatus(200)
				}
			})
		})
	}
	spec.OverTheWire(t, api, func(w spec.Wire) {
		for _, same := range []string{"/api/goblets/1.json", "/api/goblets/%31", "/api/goblets/1?", "/api/keepers/%61", "/api/seals/" + id + ".json"} {
			w.Send("GET "+same, "").HasStatus(200).Mentions(`"title":"only"`)
		}
	})
}

func TestContinueIsSentOnlyIfTheBodyIsRead(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule, request string
		header        []string
		status        int
		continues     bool
	}{
		{"a body that is taken", "POST /api/scrolls", nil, 201, true},
		{"a type that is not taken", "POST /api/scrolls", spec.Header("Content-Type", "text/plain"), 415, false},
		{"a parameter that nobody knows", "POST /api/scrolls?x=1", nil, 400, false},
		{"a condition that is none", "PATCH /api/scrolls/1", spec.Header("If-Match", "x"), 400, false},
		{"a method that is not taken", "PUT /api/scrolls", nil, 405, false},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			spec.OverTheWire(t, conditionalAPI, func(w spec.Wire) {
				var continued atomic.Bool
				w.Client.Transport.(*http.Transport).ExpectContinueTimeout = time.Minute
				r := w.Request(test.request, `{"title":"b"}`, append(test.header, "Expect", "100-continue")...)
				trace := &httptrace.ClientTrace{Got100Continue: func() { continued.Store(true) }}
				w.Do(r.WithContext(httptrace.WithClientTrace(r.Context(), trace))).HasStatus(test.status)
				if continued.Load() != test.continues {
					w.T.Errorf("100 Continue: %v, want %v", continued.Load(), test.continues)
				}
			})
		})
	}
}

// sendRaw sends a text to an API over HTTP/1.1, and returns the response.
func sendRaw(t *testing.T, text string) spec.Response {
	t.Helper()
	w := spec.NewWire(t, conditionalAPI(t).Handler, 1)
	var dialer net.Dialer
	connection, err := dialer.DialContext(t.Context(), "tcp", w.Host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	_ = connection.SetDeadline(time.Now().Add(time.Minute))
	if _, err = io.WriteString(connection, strings.ReplaceAll(text, "HOST", w.Host)); err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return spec.Response{T: t, Status: response.StatusCode, Header: response.Header, Body: string(body)}
}

func TestRequestsThatClientsOfGoDoNotSend(t *testing.T) {
	t.Parallel()
	body := func(lines ...string) string {
		return fmt.Sprintf("POST /api/scrolls HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\nContent-Type: application/json\r\n%s\r\n\r\n{\"title\":\"b\"}", strings.Join(lines, "\r\n"))
	}
	for _, test := range []struct {
		rule, text string
		status     int
		mentions   string
	}{
		{"an absolute target", "GET http://HOST/api/scrolls/1 HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n", 200, `"id":1`},
		{"an absolute target of another host", "GET http://elsewhere.example/api/scrolls/1 HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n", 200, `"id":1`},
		{"OPTIONS of the server", "OPTIONS * HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n", 200, ""},
		{"no Host", "GET /api/scrolls/1 HTTP/1.1\r\nConnection: close\r\n\r\n", 400, "Host"},
		{"two Hosts", "GET /api/scrolls/1 HTTP/1.1\r\nHost: HOST\r\nHost: b\r\nConnection: close\r\n\r\n", 400, ""},
		{"HTTP/1.0 needs no Host", "GET /api/scrolls/1 HTTP/1.0\r\n\r\n", 200, `"id":1`},
		{"a space in the target", "GET /api/scrolls/ 1 HTTP/1.1\r\nHost: HOST\r\n\r\n", 400, ""},
		{"half an escape in the target", "GET /api/scrolls/1% HTTP/1.1\r\nHost: HOST\r\n\r\n", 400, ""},
		{"a fragment is part of no identifier", "GET /api/scrolls/1#x HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n", 404, "The scroll does not exist"},
		{"a tunnel", "CONNECT HOST HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n", 404, ""},
		{"two lengths that differ", body("Content-Length: 13", "Content-Length: 12"), 400, ""},
		{"an unknown transfer coding", body("Transfer-Encoding: gzip"), 501, ""},
		{"an expectation that is not known", body("Content-Length: 13", "Expect: 200-ok"), 417, ""},
		{"a body that ends early", "POST /api/scrolls HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", 400, "incomplete"},
		{"a header of more than a mebibyte", "GET /api/scrolls HTTP/1.1\r\nHost: HOST\r\nX-Long: " + strings.Repeat("a", 1<<20+1<<13) + "\r\n\r\n", 431, ""},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			a := sendRaw(t, test.text).HasStatus(test.status)
			if test.mentions != "" {
				a.Mentions(test.mentions)
			}
			a.Has("Server", "").Has("X-Powered-By", "")
		})
	}
}
