package spec

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

// IDsOf returns the identifiers in an array.
func IDsOf(t testing.TB, body string) []int64 {
	t.Helper()
	var all []struct {
		ID int64 `json:"id"`
	}
	if err := json.Unmarshal([]byte(body), &all); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	ids := []int64{}
	for _, each := range all {
		ids = append(ids, each.ID)
	}
	return ids
}

// LinkTo matches a link of the header field Link.
var LinkTo = regexp.MustCompile(`<([^<>]+)>; rel="([a-z]+)"`)

// Link returns the URL of a relation, "" for none.
func (a Response) Link(rel string) string {
	for _, m := range LinkTo.FindAllStringSubmatch(a.Header.Get("Link"), -1) {
		if m[2] == rel {
			return m[1]
		}
	}
	return ""
}

// Next returns the cursor of the next page, "" for none.
func (a Response) Next() string {
	a.T.Helper()
	target, err := url.Parse(a.Link("next"))
	if err != nil {
		a.T.Fatal(err)
	}
	return target.Query().Get("cursor")
}

// LastPage follows next to the last page that has records.
func (c Client) LastPage(from string) (address string, page Response) {
	c.T.Helper()
	for range 1000 {
		got := c.Send("GET "+from, "").HasStatus(200)
		if got.Body == "[]" {
			return address, page
		}
		address, page = from, got
		if from = got.Link("next"); from == "" {
			return address, page
		}
	}
	c.T.Fatal("there is no last page")
	return "", page
}

// Turns returns a summary of the links to pages: "first=1 next=2". An ellipsis represents a cursor.
func (a Response) Turns() string {
	var turns []string
	for _, m := range LinkTo.FindAllStringSubmatch(a.Header.Get("Link"), -1) {
		target, err := url.Parse(m[1])
		if err != nil {
			a.T.Fatal(err)
		}
		to := target.Query().Get("page")
		if target.Query().Get("cursor") != "" {
			to = "…"
		}
		turns = append(turns, m[2]+"="+to)
	}
	return strings.Join(turns, " ")
}

// Walk follows the links to next pages from a URL, and returns the identifiers of all records.
func (c Client) Walk(from string) (ids []int64, last string) {
	c.T.Helper()
	for range 1000 {
		page := c.Send("GET "+from, "").HasStatus(200)
		ids = append(ids, IDsOf(c.T, page.Body)...)
		next := page.Link("next")
		if next == "" {
			return ids, from
		}
		from = next
	}
	c.T.Fatalf("the links never end: %s", from)
	return nil, ""
}

// Sailor is another resource, with the same identifier.
type Sailor struct {
	ID int64 `json:"id"`
}

// SendCounting sends a request, and returns the response and how many bytes were allocated for it. It is for tests that
// do not run in parallel with others. A response that is broken off has its status and what was sent of it.
func (c Client) SendCounting(request string) (response Response, allocated uint64, aborted bool) {
	c.T.Helper()
	method, target, _ := strings.Cut(request, " ")
	r := httptest.NewRequestWithContext(c.T.Context(), method, target, http.NoBody)
	w := httptest.NewRecorder()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	func() {
		defer func() { aborted = recover() != nil }()
		c.Handler.ServeHTTP(w, r)
	}()
	runtime.ReadMemStats(&after)
	return Response{c.T, w.Code, w.Header(), w.Body.String()}, after.TotalAlloc - before.TotalAlloc, aborted
}

// Names returns the names of the records of a collection, in its order.
func (c Client) Names(path string) string {
	c.T.Helper()
	var names []string
	for part := range strings.SplitSeq(c.Send("GET "+path, "").HasStatus(http.StatusOK).Body, `"name":"`) {
		if name, _, found := strings.Cut(part, `"`); found && len(name) == 1 {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}

// Leads returns a summary of the links to pages, each by its own parameter: "first offset=0".
func (a Response) Leads() string {
	var leads []string
	for _, m := range LinkTo.FindAllStringSubmatch(a.Header.Get("Link"), -1) {
		target, err := url.Parse(m[1])
		if err != nil {
			a.T.Fatal(err)
		}
		parts := []string{m[2]}
		for _, name := range []string{"page", "offset", "cursor"} {
			if values, has := target.Query()[name]; has && name == "cursor" {
				parts = append(parts, "cursor")
			} else if has {
				parts = append(parts, name+"="+strings.Join(values, ","))
			}
		}
		leads = append(leads, strings.Join(parts, " "))
	}
	return strings.Join(leads, "; ")
}

// Settle creates the records that the tests of references refer to.
func (c Client) Settle() {
	c.T.Helper()
	c.Send("POST /api/pirates", `{"name":"Ann"}`).HasStatus(http.StatusCreated)
	c.Send("POST /api/pirates", `{"name":"Bob"}`).HasStatus(http.StatusCreated)
	c.Send("POST /api/medals", `{"name":"gold","worth":9}`).HasStatus(http.StatusCreated)
	c.Send("POST /api/medals", `{"name":"tin/old","worth":1}`).HasStatus(http.StatusCreated)
}

// HasIDs asserts which records a collection has: a list of objects with their id alone.
func (a Response) HasIDs(want string) {
	a.T.Helper()
	var got []struct {
		ID int64 `json:"id"`
	}
	if err := json.Unmarshal([]byte(a.Body), &got); err != nil {
		a.T.Fatal(err)
	}
	if text, _ := json.Marshal(got); string(text) != want && (len(got) != 0 || want != "[]") {
		a.T.Errorf("the collection has %s, want %s", text, want)
	}
}

// IDMember matches the identifier of a record in a body.
var IDMember = regexp.MustCompile(`"id":[0-9]+`)

// Lacks asserts that the body has a text nowhere in it.
func (a Response) Lacks(text string) {
	a.T.Helper()
	if strings.Contains(a.Body, text) {
		a.T.Errorf("the body mentions %q: %s", text, a.Body)
	}
}

// IsJSON compares a response in any format that is JSON.
func (a Response) IsJSON(want string) {
	a.T.Helper()
	var got, wanted any
	if err := json.Unmarshal([]byte(a.Body), &got); err != nil || json.Unmarshal([]byte(want), &wanted) != nil {
		a.T.Fatalf("%s: %v\nwant %s", a.Body, err, want)
	}
	if diff := cmp.Diff(wanted, got); diff != "" {
		a.T.Errorf("the response is\n%s (-want +got):\n%s", a.Body, diff)
	}
}

// AddressIn returns the URL in a Link field, "" for none.
func AddressIn(rel, link string) string {
	for part := range strings.SplitSeq(link, ", ") {
		if address, ok := strings.CutSuffix(part, `>; rel="`+rel+`"`); ok {
			return strings.TrimPrefix(address, "<")
		}
	}
	return ""
}

// SameHeader reports whether two headers differ in nothing but what differs each time.
func SameHeader(a, b http.Header) bool {
	if len(a) != len(b) {
		return false
	}
	for name := range a {
		if strings.Join(a[name], "\n") != strings.Join(b[name], "\n") {
			return false
		}
	}
	return true
}

// Compare sends a request about abbot 2 and abbot 99. It asserts that the responses are the same, with a status.
func (c Client) Compare(who, request, body string, status int) Response {
	c.T.Helper()
	hidden := c.As(who, strings.ReplaceAll(request, "%", "2"), body)
	missing := c.As(who, strings.ReplaceAll(request, "%", "99"), body)
	if hidden.Status != status || hidden.Status != missing.Status || hidden.Body != missing.Body || !SameHeader(hidden.Header, missing.Header) {
		c.T.Errorf("%s as %q returns %d %s %v, want %d; for a missing record %d %s %v",
			request, who, hidden.Status, hidden.Body, hidden.Header, status, missing.Status, missing.Body, missing.Header)
	}
	return hidden
}

// Get sends a GET request to a server.
func Get(ctx context.Context, t *testing.T, address string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	return response
}

// NumbersIn returns the numbers in a body, in order.
func NumbersIn(body string) string {
	var found []string
	for part := range strings.SplitSeq(body, `{"id":`) {
		if number, _, ok := strings.Cut(part, ","); ok && number != "[" && number != "" {
			found = append(found, number)
		}
	}
	return strings.Join(found, " ")
}

// Itoa returns a digit.
func Itoa(n int) string { return string(rune('0' + n)) }
