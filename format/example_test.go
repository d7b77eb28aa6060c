package format_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/resource"
)

// A format of your own is a value of Format. This one writes a line for each field.
func ExampleFormat() {
	type Book struct {
		ID    int64  `json:"id"`
		Title string `json:"title"`
	}
	lines := format.Format{
		MediaType: "text/x-lines",
		Suffix:    ".lines",
		Item: func(b []byte, item format.Item) ([]byte, error) {
			members, err := item.Fields()
			for _, m := range members {
				b = fmt.Appendf(b, "%s: %s\n", m.Name, m.JSON)
			}
			return b, err
		},
		Read: func(body *format.Body) ([]byte, error) {
			title, ok := strings.CutPrefix(string(body.Bytes), "title: ")
			if !ok {
				return nil, &format.Error{Detail: "The title is missing."}
			}
			return fmt.Appendf(nil, `{"title":%s}`, title), nil
		},
	}
	api, err := resource.New(resource.Config{Formats: append(format.Standard(), lines)}, resource.Of[Book]{})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := httptest.NewRequestWithContext(context.Background(), http.MethodPost, "/api/books.lines", strings.NewReader(`title: "Dune"`))
	r.Header.Set("Content-Type", "text/x-lines")
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	fmt.Print(w.Code, " ", w.Header().Get("Content-Type"), "\n", w.Body)
	// Output:
	// 201 text/x-lines
	// id: 1
	// title: "Dune"
}
