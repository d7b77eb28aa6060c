package wire_test

import (
	"bufio"
	"context"
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
	"github.com/trove-api/trove/mcp"
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
	for _, test := range []edge{
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
			spec.OverTheWire(t, conditionalAPI, func(w spec.Wire) { test.play(w, "/api/scrolls") })
		})
	}
}

func TestNegotiation(t *testing.T) {
	t.Parallel()
	const list, body = "/api/scrolls", `{"title":"b"}`
	for _, test := range []edge{
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
			spec.OverTheWire(t, conditionalAPI, func(w spec.Wire) { test.play(w, list) })
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
				if got := w.Send("DELETE "+target, ""); got.Status != 404 && got.Status != 405 {
					t.Errorf("the status of DELETE is %d, want 404 or 405", got.Status)
				}
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

// Tome is a record as other libraries are tried with.
type Tome struct {
	ID    int64  `json:"id"`
	Title string `json:"title" validate:"notblank" api:"filter"`
	Stars int    `json:"stars" default:"3"`
	Lent  bool   `json:"lent" default:"true"`
}

// tomes serves two records, without a Delete of the collection or of the records.
func tomes(t testing.TB) spec.Client {
	t.Helper()
	return spec.NewClient(t, resource.Config{}, resource.Of[Tome]{
		Store: memory.New(Tome{Title: "Dune"}, Tome{Title: "Emma"}),
		Operations: []operation.Operation{
			operation.Get{}, operation.GetCollection{}, operation.Post{}, operation.Put{}, operation.Patch{},
		},
	})
}

// What other libraries for Go were seen to get wrong.
func TestEdgesAtWhichOthersFail(t *testing.T) {
	t.Parallel()
	const list, item = "/api/tomes", "/api/tomes/1"
	const ofList, ofItem = "GET, HEAD, QUERY, POST, OPTIONS", "GET, HEAD, PUT, PATCH, OPTIONS"
	for _, test := range []edge{
		{Rule: "an unknown route is a problem", Request: "GET /nowhere", Body: "", Header: nil, Status: 404, Fields: spec.Header("Allow", ""), Mentions: nil},
		{Rule: "an unknown route below the prefix is a problem", Request: "GET /api/nowhere", Body: "", Header: nil, Status: 404, Fields: spec.Header("Allow", ""), Mentions: nil},
		{Rule: "an unknown route with an unknown method is 404", Request: "BREW /api/nowhere", Body: "", Header: nil, Status: 404, Fields: spec.Header("Allow", ""), Mentions: nil},
		{Rule: "DELETE of a collection is 405 with one Allow", Request: "DELETE " + list, Body: "", Header: nil, Status: 405, Fields: spec.Header("Allow", ofList), Mentions: []string{ofList}},
		{Rule: "a removed operation is 405 with one Allow", Request: "DELETE " + item, Body: "", Header: nil, Status: 405, Fields: spec.Header("Allow", ofItem), Mentions: nil},
		{Rule: "PUT of a collection is 405 with one Allow", Request: "PUT " + list, Body: "{}", Header: nil, Status: 405, Fields: spec.Header("Allow", ofList), Mentions: nil},
		{Rule: "HEAD goes with every GET", Request: "HEAD " + item, Body: "", Header: nil, Status: 200, Fields: nil, Mentions: nil},
		{Rule: "HEAD of what is not there has no body", Request: "HEAD /api/tomes/9", Body: "", Header: nil, Status: 404, Fields: nil, Mentions: nil},
		{Rule: "OPTIONS of a record says what it takes", Request: "OPTIONS " + item, Body: "", Header: nil, Status: 204, Fields: spec.Header("Allow", ofItem, "Accept-Patch", "application/merge-patch+json, application/json", "Accept-Post", "", "Content-Type", ""), Mentions: nil},
		{Rule: "OPTIONS of a collection says what it takes", Request: "OPTIONS " + list, Body: "", Header: nil, Status: 204, Fields: spec.Header("Allow", ofList, "Accept-Post", "application/json", "Accept-Patch", ""), Mentions: nil},
		{Rule: "OPTIONS of the index", Request: "OPTIONS /api", Body: "", Header: nil, Status: 204, Fields: spec.Header("Allow", "GET, HEAD, OPTIONS", "Accept-Post", ""), Mentions: nil},
		{Rule: "OPTIONS of what is not there is 404", Request: "OPTIONS /api/nowhere", Body: "", Header: nil, Status: 404, Fields: nil, Mentions: nil},
		{Rule: "a text is 415 with what is supported", Request: "POST " + list, Body: `{"title":"x"}`, Header: spec.Header("Content-Type", "text/plain"), Status: 415, Fields: spec.Header("Accept-Post", "application/json"), Mentions: []string{"application/json"}},
		{Rule: "a patch in a text is 415 with what is supported", Request: "PATCH " + item, Body: `{"title":"x"}`, Header: spec.Header("Content-Type", "text/plain"), Status: 415, Fields: spec.Header("Accept-Patch", "application/merge-patch+json, application/json"), Mentions: []string{"merge-patch"}},
		{Rule: "Accept: text/csv is 406 with what is supported", Request: "GET " + list, Body: "", Header: spec.Header("Accept", "text/csv"), Status: 406, Fields: spec.Header("Vary", "Accept"), Mentions: []string{`"supported":["application/json","application/x-ndjson"]`}},
		{Rule: "Accept: text/csv is 406 before anything is saved", Request: "POST " + list, Body: `{"title":"x"}`, Header: spec.Header("Accept", "text/csv"), Status: 406, Fields: spec.Header("Vary", "Accept"), Mentions: []string{`"supported":["application/json"]`}},
		{Rule: "2 MiB are too much", Request: "POST " + list, Body: `{"title":"` + strings.Repeat("x", 2<<20) + `"}`, Header: nil, Status: 413, Fields: nil, Mentions: []string{"1048576"}},
		{Rule: "a second JSON value behind the first", Request: "POST " + list, Body: `{"title":"x"}{"x":1}`, Header: nil, Status: 400, Fields: nil, Mentions: nil},
		{Rule: "a field twice", Request: "POST " + list, Body: `{"title":"x","title":"y"}`, Header: nil, Status: 400, Fields: nil, Mentions: []string{"title"}},
		{Rule: "a field that nobody knows", Request: "POST " + list, Body: `{"title":"x","isbn":"y"}`, Header: nil, Status: 400, Fields: nil, Mentions: []string{"isbn"}},
		{Rule: "an unknown parameter lists the known ones", Request: "GET " + list + "?titel=x", Body: "", Header: nil, Status: 400, Fields: nil, Mentions: []string{`did you mean \"title\"?`, `"allowed":[`}},
		{Rule: "a parameter of the wrong type is reported by name", Request: "GET " + list + "?itemsPerPage=abc", Body: "", Header: nil, Status: 400, Fields: nil, Mentions: []string{`"name":"itemsPerPage"`}},
		{Rule: "a default is no reason to drop false and 0", Request: "POST " + list, Body: `{"title":"x","stars":0,"lent":false}`, Header: nil, Status: 201, Fields: spec.Header("Content-Type", "application/json"), Mentions: []string{`"stars":0`, `"lent":false`}},
		{Rule: "a field that is left out has its default", Request: "POST " + list, Body: `{"title":"x"}`, Header: nil, Status: 201, Fields: spec.Header("Content-Type", "application/json", "Location", "/api/tomes/3"), Mentions: []string{`"stars":3`, `"lent":true`}},
	} {
		t.Run(test.Rule, func(t *testing.T) {
			t.Parallel()
			spec.OverTheWire(t, tomes, func(w spec.Wire) { test.play(w, list) })
		})
	}
}

// Chest is a record with a field that no response shows.
type Chest struct {
	ID    int64    `json:"id"`
	Title string   `json:"title" validate:"notblank" api:"filter,sort"`
	Lines []string `json:"lines"`
	Code  string   `json:"code" api:"writeonly"`
}

// changed is the time of the last change of the first Scroll.
const (
	changed       = "Fri, 02 Jan 2026 15:04:05 GMT"
	beforeChanged = "Fri, 02 Jan 2026 15:04:04 GMT"
	afterChanged  = "Fri, 02 Jan 2026 15:04:06 GMT"
)

// conditionalAPI serves one record of each kind.
func conditionalAPI(t testing.TB) spec.Client {
	t.Helper()
	at := time.Date(2026, 1, 2, 15, 4, 5, 600e6, time.UTC)
	creating := []operation.Operation{
		operation.Get{}, operation.GetCollection{}, operation.Post{}, operation.Put{AllowCreate: true}, operation.Patch{}, operation.Delete{},
	}
	// The tag of a handler's response is that of the record that it changed.
	retitle := operation.Post{Name: "retitle", URITemplate: "/scrolls/{id}/retitle", Handler: operation.Handle(
		func(_ context.Context, s *spec.Scroll, in struct {
			Title string `json:"title"`
		},
		) (*spec.Scroll, error) {
			s.Title = in.Title
			return s, nil
		})}
	return spec.NewClient(
		t, resource.Config{},
		resource.Of[spec.Scroll]{SparseFields: true, Store: memory.New(spec.Scroll{Title: "a", Version: 3, ChangedAt: at}), Operations: append(operation.Standard(), retitle)},
		resource.Of[spec.Goblet]{SparseFields: true, Store: memory.New(spec.Goblet{Title: "a"})},
		resource.Of[Chest]{SparseFields: true, Store: memory.New(Chest{Title: "a", Code: "1"})},
		resource.Of[spec.Keeper]{SparseFields: true, Store: memory.New(spec.Keeper{Name: "1", Title: "a"}), Operations: creating},
	)
}

// conditionalItems are the records of that API.
var conditionalItems = []string{"/api/scrolls/1", "/api/goblets/1", "/api/chests/1", "/api/keepers/1"}

// tagOf returns the entity tag for a path.
func tagOf(w spec.Wire, path string) string {
	w.T.Helper()
	tag := w.Send("GET "+path, "").HasStatus(200).Header.Get("ETag")
	if len(tag) < 3 || tag[0] != '"' || tag[len(tag)-1] != '"' {
		w.T.Fatalf("%s has the ETag %s", path, tag)
	}
	return tag
}

// post sends a change with a Host to a program, and returns the status.
func post(t *testing.T, address, host, path, body string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Host = host
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if got := response.Header.Get("Content-Type"); response.StatusCode == http.StatusMisdirectedRequest && got != "application/problem+json" {
		t.Errorf("the error has the type %s", got)
	}
	return response.StatusCode
}

// A page can let its own name resolve to a loopback address. Its requests then come from the same origin.
func TestAProgramOnLoopbackAcceptsOnlyItsOwnNames(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		listen   string
		hosts    []string
		accepted string
		rejected string
	}{
		{
			"127.0.0.1:0", nil, "localhost localhost:1 LOCALHOST. shop.localhost:80 127.0.0.1 127.8.9.10:80 [::1]:80 [::1]",
			"evil.example evil.example:80 localhost.evil.example notlocalhost 127.0.0.1.evil.example 192.0.2.1 0.0.0.0 shop.example",
		},
		{"[::1]:0", []string{"shop.example"}, "localhost shop.example SHOP.example:443", "evil.example www.shop.example"},
		{"127.0.0.1:0", []string{"*"}, "localhost evil.example", ""},
		{"0.0.0.0:0", nil, "localhost evil.example 192.0.2.1:80", ""},
	} {
		listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", test.listen)
		if err != nil {
			t.Skipf("the machine has no address such as %s: %v", test.listen, err)
		}
		api, err := resource.New(resource.Config{}, resource.Of[spec.Vessel]{})
		if err == nil {
			err = mcp.Mount(api, mcp.Config{})
		}
		if err != nil {
			t.Fatal(err)
		}
		ctx, end := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- resource.Serve(ctx, listener, api, test.hosts...) }()
		_, port, _ := net.SplitHostPort(listener.Addr().String())
		address := net.JoinHostPort(strings.Trim(strings.TrimSuffix(strings.Replace(test.listen, "0.0.0.0", "127.0.0.1", 1), ":0"), "[]"), port)
		for want, names := range map[int]string{http.StatusCreated: test.accepted, http.StatusMisdirectedRequest: test.rejected} {
			for host := range strings.FieldsSeq(names) {
				if got := post(t, address, host, "/api/vessels", `{"name":"Argo"}`); got != want {
					t.Errorf("%s with %q: the host %s gets %d, want %d", test.listen, test.hosts, host, got, want)
				}
			}
		}
		if len(test.hosts) > 0 { // it is a name for agents too
			if got := post(t, address, "shop.example", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`); got != http.StatusOK {
				t.Errorf("%s with %q: an agent gets %d", test.listen, test.hosts, got)
			}
		}
		end()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}
