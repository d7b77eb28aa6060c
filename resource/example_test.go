package resource_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/validation"
)

type Book struct {
	ID    int64    `json:"id"`
	Title string   `json:"title" validate:"notblank,max=200"`
	Year  int      `json:"year" validate:"gte=1450,lte=2100"`
	Price *float64 `json:"price" validate:"omitempty,gte=0"`
}

// send sends a request to an API and prints the response.
func send(api http.Handler, method, path, body string) {
	r := httptest.NewRequestWithContext(context.Background(), method, path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	fmt.Println(w.Code, w.Body)
}

// One struct becomes a resource with six operations.
func ExampleNew() {
	api, err := resource.New(resource.Config{}, resource.Of[Book]{Description: "A book on sale."})
	if err != nil {
		fmt.Println(err)
		return
	}
	send(api, "POST", "/api/books", `{"title":"Dune","year":1965}`)
	send(api, "PATCH", "/api/books/1", `{"price":9.5}`)
	send(api, "GET", "/api/books", "")
	send(api, "POST", "/api/books", `{"title":" ","year":"1965"}`)
	send(api, "DELETE", "/api/books/1", "")
	// Output:
	// 201 {"id":1,"title":"Dune","year":1965,"price":null}
	// 200 {"id":1,"title":"Dune","year":1965,"price":9.5}
	// 200 [{"id":1,"title":"Dune","year":1965,"price":9.5}]
	// 400 {"type":"validation_error","title":"There was a validation error","errors":{"year":"year must be an integer","title":"title must not be blank"}}
	// 204
}

// Guard protects a route that is not an operation.
func ExampleAPI_Guard() {
	type User struct{ Name string }
	token := access.Bearer("token", func(_ context.Context, token string) (*User, access.Scopes, error) {
		if token != "secret" {
			return nil, nil, access.ErrCredentials
		}
		return &User{"ann"}, access.Unlimited, nil
	})
	api, err := resource.New(resource.Config{Authentication: []access.Scheme{token}})
	if err != nil {
		fmt.Println(err)
		return
	}
	report := func(w http.ResponseWriter, r *http.Request) {
		user, _ := operation.PrincipalAs[*User](r.Context())
		_, _ = fmt.Fprintf(w, "The report of %s.", user.Name)
	}
	api.Router().With(api.Guard(access.Authenticated)).Get("/report", report)

	r := httptest.NewRequestWithContext(context.Background(), http.MethodGet, "/report", http.NoBody)
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	fmt.Println(w.Code, w.Header().Get("WWW-Authenticate"))
	r.Header.Set("Authorization", "Bearer secret")
	w = httptest.NewRecorder()
	api.ServeHTTP(w, r)
	fmt.Println(w.Code, w.Body)
	// Output:
	// 401 Bearer realm="token"
	// 200 The report of ann.
}

// New reports all errors in the declarations at once.
func ExampleNew_mistakes() {
	type Film struct {
		ID    int64
		Title string `validate:"notblak" api:"sorted"`
	}
	_, err := resource.New(resource.Config{Prefix: "api"}, resource.Of[Film]{
		Operations: []operation.Operation{operation.Get{URITemplate: "/films/{isbn}"}},
	})
	fmt.Println(err)
	// Output:
	// 4 errors in resource declarations:
	// Config: Prefix is "api"; write it as "/api"
	// Film.Title: unknown word "sorted" in the api tag; did you mean "sort"?
	// Film.Title: unknown rule "notblak" in the validate tag; did you mean "notblank"?
	// Film: operation 1 (Get): URITemplate has the variable {isbn}; it needs the identifier {ID}
}

// Each operation can have its own path and settings.
func ExampleOf() {
	api, err := resource.New(resource.Config{}, resource.Of[Book]{
		ShortName: "Novel",
		Operations: []operation.Operation{
			operation.GetCollection{},
			operation.Get{URITemplate: "/shelf/{id}"},
			operation.Put{ExtraProperties: map[string]any{"standard_put": true}},
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, route := range api.Routes() {
		fmt.Println(route.Method, route.Path, route.Operation)
	}
	// Output:
	// GET /api/novels listNovels
	// GET /api/shelf/{id} getNovel
	// PUT /api/novels/{id} replaceNovel
}

// Put updates by default, and replaces with standard_put.
func ExampleOf_standardPut() {
	api, err := resource.New(resource.Config{}, resource.Of[Book]{
		ExtraProperties: map[string]any{"standard_put": true},
		Store:           memory.New(Book{Title: "Dune", Year: 1965, Price: new(9.5)}),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	send(api, "PUT", "/api/books/1", `{"title":"Dune Messiah","year":1969}`)
	// Output:
	// 200 {"id":1,"title":"Dune Messiah","year":1969,"price":null}
}

// Prepare sets server-controlled fields, and rejects what no rule can express.
func ExampleOf_prepare() {
	api, err := resource.New(resource.Config{}, resource.Of[Book]{
		Prepare: func(_ context.Context, _ *operation.Request, book *Book) error {
			if book.Price == nil {
				book.Price = new(5.0)
			}
			if book.Title == "Necronomicon" {
				return validation.Fail("title", "That one is not for sale")
			}
			return nil
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	send(api, "POST", "/api/books", `{"title":"Dune","year":1965}`)
	send(api, "POST", "/api/books", `{"title":"Necronomicon","year":1200}`)
	// Output:
	// 201 {"id":1,"title":"Dune","year":1965,"price":5}
	// 400 {"type":"validation_error","title":"There was a validation error","errors":{"year":"year must be at least 1450","title":"That one is not for sale"}}
}

// With validation.Problem, errors in a body are a problem (RFC 9457).
func ExampleConfig_problem() {
	api, err := resource.New(resource.Config{Errors: validation.Problem}, resource.Of[Book]{})
	if err != nil {
		fmt.Println(err)
		return
	}
	send(api, "POST", "/api/books", `{"title":"Dune","year":1}`)
	// Output:
	// 422 {"type":"validation_error","title":"There was a validation error","status":422,"violations":[{"pointer":"/year","code":"gte","message":"year must be at least 1450","params":{"gte":1450}}]}
}

// Router adds your own routes to those of the resources.
func ExampleAPI_Router() {
	api, err := resource.New(resource.Config{}, resource.Of[Book]{})
	if err != nil {
		fmt.Println(err)
		return
	}
	api.Router().Get("/health", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("well")) })
	send(api, "GET", "/health", "")
	// Output:
	// 200 well
}

type Film struct {
	ID    int64  `json:"id"`
	Title string `json:"title" api:"filter=partial,sort,search"`
	Year  int    `json:"year" api:"filter=exact|range,sort"`
}

// Tags declare how clients can filter, sort and search a collection.
func ExampleNew_collection() {
	films := resource.Of[Film]{
		Store:        memory.New(Film{Title: "Alien", Year: 1979}, Film{Title: "Stalker", Year: 1979}, Film{Title: "Solaris", Year: 1972}),
		Pagination:   operation.Pagination{ItemsPerPage: 2},
		Order:        []string{"-year", "title"},
		SparseFields: true,
	}
	api, err := resource.New(resource.Config{}, films)
	if err != nil {
		fmt.Println(err)
		return
	}
	send(api, "GET", "/api/films", "")
	send(api, "GET", "/api/films?title=SOL&fields=title", "")
	send(api, "GET", "/api/films?year[lt]=1979&year=1972&q=sol", "")
	send(api, "GET", "/api/films?yaer=1972", "")
	// Output:
	// 200 [{"id":1,"title":"Alien","year":1979},{"id":2,"title":"Stalker","year":1979}]
	// 200 [{"id":3,"title":"Solaris"}]
	// 200 [{"id":3,"title":"Solaris","year":1972}]
	// 400 {"type":"about:blank","title":"Bad Request","status":400,"detail":"Unknown parameter \"yaer\"; did you mean \"year\"?","parameters":[{"name":"yaer","in":"query","message":"Unknown parameter \"yaer\"; did you mean \"year\"?"}],"allowed":["page","itemsPerPage","cursor","title","year","year[ne]","year[gt]","year[gte]","year[lt]","year[lte]","year[between]","filter","q","sort","order[title]","order[year]","fields","id"]}
}
