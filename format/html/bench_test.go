package html_test

import (
	"fmt"
	"net/http/httptest"
	"testing"

	"github.com/trove-api/trove/resource"
)

func BenchmarkPage(b *testing.B) {
	c := newClient(b, resource.Config{}, resource.Of[Author]{}, resource.Of[Book]{})
	for i := range 30 {
		c.json("POST /api/books", fmt.Sprintf(`{"title":"Book %d","year":1965,"tags":["sand","worms"],"printer":{"street":"Main Street"}}`, i)).Mentions(201)
	}
	for _, path := range []string{"/api/books", "/api/books/1"} {
		b.Run(path, func(b *testing.B) {
			for range b.N {
				r := httptest.NewRequestWithContext(b.Context(), "GET", path, nil)
				r.Header.Set("Accept", browser)
				c.api.ServeHTTP(httptest.NewRecorder(), r)
			}
		})
	}
}
