package msgpack_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/msgpack"
	"github.com/trove-api/trove/resource"
)

// An API whose responses and bodies can also be MessagePack.
func Example() {
	type Book struct {
		ID    int64  `json:"id"`
		Title string `json:"title"`
	}
	api, err := resource.New(resource.Config{Formats: append(format.Standard(), msgpack.Format)}, resource.Of[Book]{})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := httptest.NewRequestWithContext(context.Background(), http.MethodPost, "/api/books.msgpack", strings.NewReader("\x81\xa5title\xa4Dune"))
	r.Header.Set("Content-Type", msgpack.MediaType)
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	fmt.Printf("%d %q", w.Code, w.Body)
	// Output: 201 "\x82\xa2id\x01\xa5title\xa4Dune"
}
