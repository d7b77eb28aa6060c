package html_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"net/url"
	"strings"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/html"
	"github.com/trove-api/trove/resource"
)

func ExampleFormat() {
	type Book struct {
		ID    int64  `json:"id"`
		Title string `json:"title" validate:"notblank,max=200" api:"filter=partial,sort,title"`
	}
	api, err := resource.New(
		resource.Config{Formats: append(format.Standard(), html.Format)},
		resource.Of[Book]{Description: "A book on sale."},
	)
	if err != nil {
		fmt.Println(err)
		return
	}

	// A browser sends the form of the page, and is led to the new record.
	r := httptest.NewRequestWithContext(context.Background(), "POST", "/api/books", strings.NewReader(url.Values{"title": {"Dune"}}.Encode()))
	r.Header.Set("Accept", "text/html")
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	fmt.Println(w.Code, w.Header().Get("Location"))
	// Output: 303 /api/books/1#saved
}
