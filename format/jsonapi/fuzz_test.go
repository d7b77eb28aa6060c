package jsonapi_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trove-api/trove/resource"
)

// FuzzABodyIsRejectedOrChangesTheRecord holds the reader to its word for any bytes: it is 200 and
// the record is one still, or 4xx with errors and nothing has changed.
func FuzzABodyIsRejectedOrChangesTheRecord(f *testing.F) {
	for _, body := range []string{
		of(`"id":"1","attributes":{"name":"Iron"}`), of(`"relationships":{"tags":{"data":[{"type":"tags","id":"old"},{}]}}`),
		of(`"relationships":{"heir":{"data":null}},"included":[]`), "{", `{"data":[1,{"b":"\u0000"}]}`, `{"data":{"type":"users"}}`,
		of(`"lid":"x"`), of(`"id":"\ud800"`), "\xff", `{"data":{"type":"treasures","type":7}}`, of(`"attributes":{"@a":{},"name":null}`),
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		c := newHoard(t, resource.Config{})
		was := c.Send("GET /api/treasures/1.jsonapi", "").Body
		answered := c.Send("PATCH /api/treasures/1.jsonapi", body)
		now := c.Send("GET /api/treasures/1.jsonapi", "")
		switch {
		case answered.Status == 200 && json.Valid([]byte(now.Body)):
			c.Send("PUT /api/treasures/1.jsonapi", now.Body).Is(200, now.Body)
		case answered.Status < 400 || answered.Status > 499 || now.Body != was:
			t.Errorf("%q is %d, and the record %s", body, answered.Status, now.Body)
		}
	})
}

// FuzzAQueryIsRejectedOrReturnsAPage holds the same of queries: never a failure, and pages lead to pages.
func FuzzAQueryIsRejectedOrReturnsAPage(f *testing.F) {
	for _, query := range []string{
		"page[number]=1&page[size]=1", "filter[owner]=1&include=owner", "fields[treasures]=", "sort=-worth", "filter[", "%5B=]", "include=;", "filter[worth][gte]=%zz",
	} {
		f.Add(query)
	}
	c := newHoard(f, resource.Config{})
	f.Fuzz(func(t *testing.T, query string) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost/api/treasures.jsonapi", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		r.URL.RawQuery = query
		w := httptest.NewRecorder()
		c.api.ServeHTTP(w, r)
		if w.Code != http.StatusOK && w.Code != http.StatusBadRequest {
			t.Errorf("%q is %d: %s", query, w.Code, w.Body)
		}
		if len(mistakesIn(w.Body.String())) > 0 && !strings.Contains(query, "fields") {
			t.Errorf("%q: %v", query, mistakesIn(w.Body.String()))
		}
		var page struct {
			Links map[string]*string `json:"links"`
		}
		if w.Code != http.StatusOK || json.Unmarshal(w.Body.Bytes(), &page) != nil {
			return
		}
		for name, link := range page.Links {
			if link == nil {
				continue
			}
			w := httptest.NewRecorder()
			c.api.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, *link, http.NoBody))
			if w.Code != http.StatusOK {
				t.Errorf("%q leads %s to %s, which is %d", query, name, *link, w.Code)
			}
		}
	})
}
