package resource_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

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
		{"an unknown method", "BREW " + item, "", nil, 405, header("Allow", ofItem), []string{ofItem}},
		{"a method of WebDAV", "PROPFIND " + item, "", nil, 405, header("Allow", ofItem), nil},
		{"TRACE echoes nothing", "TRACE " + item, "", header("Cookie", "secret"), 405, header("Allow", ofItem), nil},
		{"methods are compared by case: get", "get " + item, "", nil, 405, header("Allow", ofItem), nil},
		{"methods are compared by case: Patch", "Patch " + item, `{"title":"b"}`, nil, 405, header("Allow", ofItem), nil},
		{"no method is taken from a field", "POST " + item, `{"title":"b"}`, header("X-HTTP-Method-Override", "PATCH"), 405, header("Allow", ofItem), nil},
		{"a range is passed over", "GET " + item, "", header("Range", "bytes=0-3"), 200, header("Content-Range", "", "Accept-Ranges", ""), []string{`"id":1`}},
		{"a range of what has changed is passed over", "GET " + item, "", header("Range", "bytes=0-3", "If-Range", `"x"`), 200, header("Content-Range", ""), nil},
		{"a range that is none is passed over", "GET " + item, "", header("Range", "bytes=9-3"), 200, header("Content-Range", ""), nil},
		{"a body of a GET is passed over", "GET " + item, `{"title":`, nil, 200, nil, nil},
		{"a condition on a stream is passed over", "GET /api/scrolls.ndjson", "", header("If-None-Match", "*"), 200, header("ETag", ""), nil},
		{"DELETE with a query that nobody knows", "DELETE " + item + "?force=1", "", nil, 400, nil, []string{"force"}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			overTheWire(t, conditionalAPI, func(w wire) { test.play(w, "/api/scrolls") })
		})
	}
}

func TestNegotiation(t *testing.T) {
	t.Parallel()
	const list, body = "/api/scrolls", `{"title":"b"}`
	for _, test := range []edge{
		{"no Accept", "GET " + list, "", nil, 200, header("Content-Type", "application/json", "Vary", "Accept"), nil},
		{"an empty Accept", "GET " + list, "", header("Accept", ""), 200, header("Content-Type", "application/json"), nil},
		{"the better of two", "GET " + list, "", header("Accept", "application/json;q=0.4, application/x-ndjson;q=0.5"), 200, header("Content-Type", "application/x-ndjson", "Vary", "Accept"), nil},
		{"several lines are one list", "GET " + list, "", header("Accept", "text/html", "Accept", "application/x-ndjson"), 200, header("Content-Type", "application/x-ndjson"), nil},
		{"the most specific range counts", "GET " + list, "", header("Accept", "application/json;q=0, */*;q=0.1"), 200, header("Content-Type", "application/x-ndjson"), nil},
		{"types are compared without case", "GET " + list, "", header("Accept", "APPLICATION/X-NDJSON"), 200, header("Content-Type", "application/x-ndjson"), nil},
		{"everything refused", "GET " + list, "", header("Accept", "*/*;q=0"), 406, header("Vary", "Accept"), []string{"supported"}},
		{"a suffix goes before Accept", "GET " + list + ".ndjson", "", header("Accept", "application/json"), 200, header("Content-Type", "application/x-ndjson"), nil},
		{"406 before a change is made", "PATCH " + list + "/1", body, header("Accept", "text/html"), 406, header("Vary", "Accept"), nil},
		{"nothing to send, nothing to accept", "DELETE " + list + "/1", "", header("Accept", "text/html"), 204, header("Vary", ""), nil},
		{"the usual charset", "POST " + list, body, header("Content-Type", "application/json; charset=UTF-8"), 201, header("Content-Type", "application/json"), nil},
		{"the charset in quotation marks", "POST " + list, body, header("Content-Type", `Application/JSON ;charset="utf-8"`), 201, nil, nil},
		{"a parameter without a meaning", "POST " + list, body, header("Content-Type", "application/json; profile=x"), 201, nil, nil},
		{"a semicolon at the end", "POST " + list, body, header("Content-Type", "application/json;"), 201, nil, nil},
		{"an unknown charset", "POST " + list, body, header("Content-Type", "application/json; charset=utf-16"), 415, header("Accept-Post", "application/json"), []string{"UTF-8"}},
		{"two charsets", "POST " + list, body, header("Content-Type", "application/json; charset=utf-8; charset=latin1"), 415, nil, nil},
		{"a parameter without a value", "POST " + list, body, header("Content-Type", "application/json; charset"), 415, nil, nil},
		{"two types in one line", "POST " + list, body, header("Content-Type", "application/json, text/plain"), 415, nil, nil},
		{"a type that only begins alike", "POST " + list, body, header("Content-Type", "application/jsonp"), 415, nil, nil},
		{"a type of another family", "POST " + list, body, header("Content-Type", "application/vnd.api+json"), 415, nil, nil},
		{"no type", "POST " + list, body, header("Content-Type", ""), 415, nil, nil},
		{"a type that is none", "POST " + list, body, header("Content-Type", "json"), 415, nil, nil},
		{"a form", "POST " + list, "title=b", header("Content-Type", "application/x-www-form-urlencoded"), 415, nil, nil},
		{"a merge patch for a Post", "POST " + list, body, header("Content-Type", "application/merge-patch+json"), 415, nil, nil},
		{"a JSON Patch", "PATCH " + list + "/1", "[]", header("Content-Type", "application/json-patch+json"), 415, header("Accept-Patch", "application/merge-patch+json, application/json"), nil},
		{"gzip", "POST " + list, body, header("Content-Encoding", "gzip"), 415, nil, []string{"Content-Encoding"}},
		{"identity", "POST " + list, body, header("Content-Encoding", "Identity"), 201, nil, nil},
		{"two codings", "POST " + list, body, header("Content-Encoding", "identity, gzip"), 415, nil, []string{"Content-Encoding"}},
		{"a text with a byte order mark", "POST " + list, "\ufeff" + body, nil, 400, nil, nil},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			overTheWire(t, conditionalAPI, func(w wire) { test.play(w, list) })
		})
	}
}

func TestARecordHasOneAddress(t *testing.T) {
	t.Parallel()
	const id = "018f4ec8-9d2b-7c1a-8c1e-0a1b2c3d4e5f"
	api := func(t testing.TB) client {
		t.Helper()
		return newClient(
			t, resource.Config{},
			resource.Of[Goblet]{Store: memory.New(Goblet{Title: "only"})},
			resource.Of[Seal]{Store: memory.New(Seal{ID: uuid.MustParse(id), Title: "only"})},
			resource.Of[Keeper]{Store: memory.New(Keeper{Name: "a", Title: "only"}), Operations: []operation.Operation{
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
			overTheWire(t, api, func(w wire) {
				w.send("GET "+target, "").isProblem(404)
				w.send("DELETE "+target, "").hasStatusOf(404, 405)
				for _, there := range []string{"/api/goblets/1", "/api/seals/" + id, "/api/keepers/a"} {
					w.send("GET "+there, "").hasStatus(200)
				}
			})
		})
	}
	overTheWire(t, api, func(w wire) {
		for _, same := range []string{"/api/goblets/1.json", "/api/goblets/%31", "/api/goblets/1?", "/api/keepers/%61", "/api/seals/" + id + ".json"} {
			w.send("GET "+same, "").hasStatus(200).mentions(`"title":"only"`)
		}
	})
}

// hasStatusOf asserts one of the statuses.
func (a answer) hasStatusOf(statuses ...int) {
	a.t.Helper()
	if !slices.Contains(statuses, a.status) {
		a.t.Errorf("the status is %d, want one of %d; the body is %s", a.status, statuses, a.body)
	}
}

func TestContinueIsSaidOnlyWhereTheBodyIsWanted(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule, request string
		header        []string
		status        int
		continues     bool
	}{
		{"a body that is taken", "POST /api/scrolls", nil, 201, true},
		{"a type that is not taken", "POST /api/scrolls", header("Content-Type", "text/plain"), 415, false},
		{"a parameter that nobody knows", "POST /api/scrolls?x=1", nil, 400, false},
		{"a condition that is none", "PATCH /api/scrolls/1", header("If-Match", "x"), 400, false},
		{"a method that is not taken", "PUT /api/scrolls", nil, 405, false},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			overTheWire(t, conditionalAPI, func(w wire) {
				var continued atomic.Bool
				w.client.Transport.(*http.Transport).ExpectContinueTimeout = time.Minute
				r := w.request(test.request, `{"title":"b"}`, append(test.header, "Expect", "100-continue")...)
				trace := &httptrace.ClientTrace{Got100Continue: func() { continued.Store(true) }}
				w.do(r.WithContext(httptrace.WithClientTrace(r.Context(), trace))).hasStatus(test.status)
				if continued.Load() != test.continues {
					w.t.Errorf("100 Continue: %v, want %v", continued.Load(), test.continues)
				}
			})
		})
	}
}

// sendRaw sends a text to an API that speaks HTTP/1.1, and returns the answer to it.
func sendRaw(t *testing.T, text string) answer {
	t.Helper()
	w := newWire(t, conditionalAPI(t).handler, 1)
	var dialer net.Dialer
	connection, err := dialer.DialContext(t.Context(), "tcp", w.host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	_ = connection.SetDeadline(time.Now().Add(time.Minute))
	if _, err = io.WriteString(connection, strings.ReplaceAll(text, "HOST", w.host)); err != nil {
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
	return answer{t, response.StatusCode, response.Header, string(body)}
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
		{"a fragment is part of no identifier", "GET /api/scrolls/1#x HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n", 404, "There is no such Scroll"},
		{"a tunnel", "CONNECT HOST HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n", 404, ""},
		{"two lengths that differ", body("Content-Length: 13", "Content-Length: 12"), 400, ""},
		{"an unknown transfer coding", body("Transfer-Encoding: gzip"), 501, ""},
		{"an expectation that is not known", body("Content-Length: 13", "Expect: 200-ok"), 417, ""},
		{"a body that ends early", "POST /api/scrolls HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", 400, "before it was complete"},
		{"a header of more than a mebibyte", "GET /api/scrolls HTTP/1.1\r\nHost: HOST\r\nX-Long: " + strings.Repeat("a", 1<<20+1<<13) + "\r\n\r\n", 431, ""},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			a := sendRaw(t, test.text).hasStatus(test.status)
			if test.mentions != "" {
				a.mentions(test.mentions)
			}
			a.has("Server", "").has("X-Powered-By", "")
		})
	}
}
