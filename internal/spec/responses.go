package spec

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
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

// HasIDs asserts which records a collection has: a list of objects with their id alone.
func (a Response) HasIDs(want string) {
	a.T.Helper()
	if got := IDsOf(a.T, a.Body); !slices.Equal(got, IDsOf(a.T, want)) {
		a.T.Errorf("the collection has %d, want %s", got, want)
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

// Compare sends a request about abbot 2 and abbot 99. It asserts that the responses are the same, with a status.
func (c Client) Compare(who, request, body string, status int) Response {
	c.T.Helper()
	hidden := c.As(who, strings.ReplaceAll(request, "%", "2"), body)
	missing := c.As(who, strings.ReplaceAll(request, "%", "99"), body)
	if hidden.Status != status || hidden.Status != missing.Status || hidden.Body != missing.Body || !maps.EqualFunc(hidden.Header, missing.Header, slices.Equal) {
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
