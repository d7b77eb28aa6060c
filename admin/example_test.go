package admin_test

import (
	_ "embed"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/trove-api/trove/admin"
	"github.com/trove-api/trove/resource"
)

// Book is a book on sale.
type Book struct {
	ID    int64  `json:"id"`
	Title string `json:"title" validate:"notblank,max=200" api:"title,filter=partial,sort,search"`
	Year  int    `json:"year" validate:"gte=1450,lte=2100" api:"filter=range,sort"`
}

func ExampleMount() {
	api, err := resource.New(resource.Config{}, resource.Of[Book]{Description: "A book on sale."})
	if err == nil {
		err = admin.Mount(api, admin.Config{Title: "Bookshop"})
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	server := httptest.NewServer(api) // a program calls resource.Serve
	defer server.Close()
	response, err := http.Get(server.URL + "/admin") //nolint:noctx // an example
	if err != nil {
		fmt.Println(err)
		return
	}
	defer response.Body.Close()
	page, err := io.ReadAll(response.Body)
	fmt.Println(response.StatusCode, strings.Contains(string(page), "<title>Bookshop</title>"), err)
	// Output: 200 true <nil>
}

//go:embed testdata/logo.svg
var logo []byte

func ExampleConfig() {
	config := admin.Config{
		Title: "Bookshop",
		Logo:  logo,
		Color: "#7c3aed",
		Resources: []admin.Resource{
			{Name: "Book", Columns: []string{"title", "year"}},
			{Name: "Author", Title: "Writers"},
			{Name: "AuditEntry", Hidden: true},
		},
		Texts: map[string]string{"lang": "de", "sign.in": "Anmelden", "list.search": "Suchen"},
	}
	fmt.Println(config.Title, len(config.Resources))
	// Output: Bookshop 3
}
