package admin_test

import (
	_ "embed"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/trove-api/trove/admin"
	"github.com/trove-api/trove/date"
	"github.com/trove-api/trove/operation"
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

// Sale is the sale of a book.
type Sale struct {
	ID     int64     `json:"id"`
	Book   int64     `json:"book" api:"ref=Book,filter"`
	Day    date.Date `json:"day" api:"filter=range,sort,group"`
	Status string    `json:"status" validate:"oneof=open sent paid" api:"filter,group"`
	Total  int64     `json:"total" api:"aggregate" doc:"Cents."`
	Note   string    `json:"note"`
}

func ExampleResource() {
	api, err := resource.New(resource.Config{}, resource.Of[Book]{}, resource.Of[Sale]{Operations: append(operation.Standard(), operation.Aggregate{})})
	if err != nil {
		fmt.Println(err)
		return
	}
	sales := admin.Resource{
		Name:        "Sale",
		Help:        "Send open sales before noon.",
		RecordTitle: "{book.title}, {day}",
		Groups: []admin.Group{
			{Title: "Sale", Fields: []string{"book", "day", "status"}, Columns: 2},
			{Title: "Money", Fields: []string{"total"}},
		},
		Fields: map[string]admin.Field{
			"note":   {Label: "Remark", Widget: "markdown", Width: 40},
			"total":  {Currency: "EUR"},
			"status": {Values: map[string]string{"open": "to be sent"}},
		},
		Filter: "status=open",
		Sort:   "-day",
	}
	dashboard := []admin.Panel{
		admin.Number{Resource: "Sale", Title: "To be sent", Filter: "status=open"},
		admin.Bars{Resource: "Sale", Group: "status"},
		admin.Line{Resource: "Sale", Group: "day:month", Sum: "total", Currency: "EUR"},
		admin.Newest{Resource: "Sale", Sort: "-day"},
	}
	fmt.Println(admin.Mount(api, admin.Config{Resources: []admin.Resource{sales}, Dashboard: dashboard}))
	// Output: <nil>
}

func ExampleGerman() {
	texts := admin.German()
	texts["app.welcome"] = "Was gibt es zu tun?"
	config := admin.Config{
		Texts: texts,
		Resources: []admin.Resource{{
			Name: "Sale", Title: "Verkäufe", Singular: "Verkauf",
			Fields:     map[string]admin.Field{"day": {Label: "Tag"}, "status": {Label: "Stand", Values: map[string]string{"open": "offen", "paid": "bezahlt"}}},
			Operations: map[string]admin.Action{"deleteSale": {Title: "Verkauf löschen"}},
		}},
	}
	fmt.Println(config.Texts["lang"], config.Texts["record.save"])
	// Output: de Speichern
}

// The forms of package session in another language.
func ExampleGerman_session() {
	texts := admin.German()
	texts["field.email"], texts["field.password"] = "E-Mail", "Passwort"
	texts["field.current"], texts["field.new"] = "Jetziges Passwort", "Neues Passwort"
	account := admin.Resource{Name: "Session", Title: "Konto", Help: "Hier ändern Sie Ihr Passwort.", Operations: map[string]admin.Action{
		"loginSession": {Title: "Anmelden"}, "passwordSession": {Title: "Passwort ändern"},
	}}
	fmt.Println(account.Title, texts["field.new"])
	// Output: Konto Neues Passwort
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
