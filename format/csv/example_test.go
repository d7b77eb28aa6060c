package csv_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/resource"
)

// An API whose responses and bodies can also be CSV.
func Example() {
	type Book struct {
		ID    int64  `json:"id"`
		Title string `json:"title"`
	}
	api, err := resource.New(resource.Config{Formats: append(format.Standard(), csv.Format)}, resource.Of[Book]{})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := httptest.NewRequestWithContext(context.Background(), http.MethodPost, "/api/books.csv", strings.NewReader("title\r\n\"Dune, again\"\r\n"))
	r.Header.Set("Content-Type", csv.MediaType)
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	fmt.Println(w.Code, strings.ReplaceAll(w.Body.String(), "\r\n", "|"))
	// Output: 201 id,title|1,"Dune, again"|
}
