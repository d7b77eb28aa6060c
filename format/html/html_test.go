package html_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/html"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

type Author struct {
	ID   int64  `json:"id"`
	Name string `json:"name" validate:"notblank,max=50" api:"filter=partial,sort"`
}

type Address struct {
	Street string  `json:"street"`
	City   *string `json:"city"`
}

type Book struct {
	ID          int64      `json:"id"`
	Title       string     `json:"title" validate:"notblank,max=200" api:"filter=partial,sort,search,unique" doc:"As printed on the cover."`
	Year        int        `json:"year" validate:"gte=1450,lte=2100" api:"filter=range,sort"`
	Price       *float64   `json:"price" validate:"omitempty,gte=0"`
	Genre       string     `json:"genre" validate:"omitempty,oneof=novel poem" api:"filter"`
	InPrint     bool       `json:"inPrint" api:"filter"`
	Tags        []string   `json:"tags" validate:"max=5"`
	Colours     []string   `json:"colours" validate:"max=3,dive,oneof=red green"`
	Author      *int64     `json:"author" api:"ref=Author,expand,filter"`
	Home        string     `json:"home" validate:"omitempty,url"`
	Printer     Address    `json:"printer"`
	Published   *time.Time `json:"published" api:"filter=range,sort"`
	Description string     `json:"description"`
	Extra       any        `json:"extra"`
}

func newShop(t *testing.T) client {
	t.Helper()
	c := newClient(t, resource.Config{}, resource.Of[Author]{}, resource.Of[Book]{Description: "A book on sale.", SparseFields: true})
	c.json("POST /api/authors", `{"name":"Frank Herbert"}`).Mentions(201)
	c.json("POST /api/books", `{"title":"Dune","year":1965,"tags":["sand","worms"],"author":"/api/authors/1","home":"https://example.com/dune",
		"printer":{"street":"Main Street"},"published":"1965-08-01T10:00:00Z","description":"Long."}`).Mentions(201)
	c.json("POST /api/books", `{"title":"Emma","year":1815,"price":9.5,"genre":"novel","printer":{"street":""}}`).Mentions(201)
	return c
}

func TestACollectionIsATableWithLinks(t *testing.T) {
	t.Parallel()
	c := newShop(t)
	c.get("/api/books?expand=author&fields=title,author,home,published,tags,printer,year").Mentions(200,
		"<h1><bdi>Books</bdi></h1>", "A book on sale.", `<a href="/api/books/1"><bdi>Dune</bdi></a>`, `<a href="/api/authors/1"><bdi>Frank Herbert</bdi></a>`,
		`<time datetime="1965-08-01T10:00:00Z">1 Aug 1965 10:00:00 UTC</time>`, `<a href="https://example.com/dune" rel="noopener noreferrer nofollow">`,
		`<li class="tag"><bdi>sand</bdi></li>`, "street: Main Street", "2 records", "&#34;title&#34;: &#34;Emma&#34;", "/api/books.json?expand=author&amp;fields=",
	).Has("Content-Type", "text/html; charset=utf-8")
	c.get("/api/books").Mentions(200, `<a href="/api/authors/1"><bdi>/api/authors/1</bdi></a>`)
	c.get("/api/books?title=zzz").Mentions(200, "No record matches.")
}

func TestACollectionIsSearchedFilteredSortedAndPaged(t *testing.T) {
	t.Parallel()
	c := newShop(t)
	// A form sends all its inputs, also the empty ones.
	page := c.get("/api/books?q=&title=dun&year%5Bgte%5D=1900&year%5Blte%5D=&genre=&published%5Bgte%5D=1965-01-01T00%3A00&inPrint=").Mentions(200,
		"Dune", "Filters (3)", `name="title" type="text" value="dun"`, `name="published[gte]" type="datetime-local" step="1" value="1965-01-01T00:00"`)
	if strings.Contains(page.Body, "Emma") {
		t.Error("the filter has no effect")
	}
	c.get("/api/books").Mentions(200, `<a href="/api/books?sort=title">`, `<option value="novel">novel</option>`)
	c.get("/api/books?sort=title").Mentions(200, `aria-sort="ascending"`, `<a href="/api/books?sort=-title">Title ↑</a>`, `<input type="hidden" name="sort" value="title">`)
	first := c.get("/api/books?itemsPerPage=1&sort=title").Mentions(200, `rel="next" href="/api/books?itemsPerPage=1&amp;sort=title&amp;page=2"`, "1 of 2 records", ">Last</a>")
	if strings.Contains(first.Body, ">First</a>") {
		t.Error("the first page has a link to itself")
	}
	c.get("/api/books?itemsPerPage=1&page=2").Mentions(200, `<a href="/api/books?itemsPerPage=1&amp;sort=title">`, `rel="prev"`, ">First</a>")
	c.get("/api/books?nonsense=1").Mentions(400, "Unknown parameter", `<a href="/api/books">Back to the books</a>`)
}

func TestARecordIsAPageWithFormsForItsOperations(t *testing.T) {
	t.Parallel()
	c := newShop(t)
	tag := c.send("GET /api/books/1", "").Header.Get("ETag")
	c.get("/api/books/1").Mentions(200, "<h1><bdi>Dune</bdi></h1>", "Edit book", "Delete book", `<a href="/api/books"><bdi>Books</bdi></a>`,
		`action="/api/books/1?_if_match=`+strings.ReplaceAll(tag, `"`, "%22")+`&amp;_method=PATCH"`, `value="1965-08-01T10:00"`, "sand\nworms</textarea>",
		`name="printer.street" type="text" value="Main Street"`, `<a href="/api/books/1.json">Only the JSON</a>`)
	c.get("/api/books/1.html").Mentions(200, "<h1><bdi>Dune</bdi></h1>")
	c.get("/api/books/9").Mentions(404, "<h1><bdi>Not Found</bdi></h1>", `<a href="/api/books">Back to the books</a>`)
	c.get("/api/nothing").Mentions(404, "<h1><bdi>Not Found</bdi></h1>", `<a href="/api">Home</a>`)
	c.send("PUT /api/books", "", "Accept", browser).Mentions(405, "<h1><bdi>Method Not Allowed</bdi></h1>")
}

func TestProgramsNeverGetAPageUnlessTheyPreferOne(t *testing.T) {
	t.Parallel()
	for _, formats := range [][]format.Format{
		append([]format.Format{html.Format}, format.Standard()...),
		append(format.Standard(), html.Format),
	} {
		c := newClient(t, resource.Config{Formats: formats}, resource.Of[Author]{})
		c.json("POST /api/authors", `{"name":"Ann"}`).Mentions(201).Has("Content-Type", "application/json")
		for _, accept := range []string{"", "*/*", "application/json", "application/json, text/html", "text/html, application/json", "text/html;q=0.9, */*", "application/*"} {
			for _, path := range []string{"/api/authors", "/api/authors/1", "/api"} {
				c.send("GET "+path, "", "Accept", accept).Mentions(200).Has("Content-Type", "application/json")
			}
			for _, path := range []string{"/api/authors/9", "/api/none"} {
				c.send("GET "+path, "", "Accept", accept).Mentions(404).Has("Content-Type", "application/problem+json")
			}
		}
		for _, accept := range []string{browser, "text/html", "text/html, application/json;q=0.9"} {
			for _, path := range []string{"/api/authors", "/api/authors/1", "/api"} {
				c.send("GET "+path, "", "Accept", accept).Mentions(200).Has("Content-Type", "text/html; charset=utf-8")
			}
		}
	}
}

func TestTheDocumentDoesNotChange(t *testing.T) {
	t.Parallel()
	document := func(formats ...format.Format) string {
		formats = append(formats, format.Standard()...)
		api, err := resource.New(resource.Config{Formats: append(formats, jsonld.Format)}, resource.Of[Author]{}, resource.Of[Book]{})
		if err != nil {
			t.Fatal(err)
		}
		made, err := openapi.Document(api, openapi.Config{Title: "Shop", Version: "1"})
		if err != nil {
			t.Fatal(err)
		}
		text, err := made.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if with, without := document(html.Format), document(); with != without {
		t.Error("the document has something of the pages")
	}
}

func TestStandardFormatsHaveNoPages(t *testing.T) {
	t.Parallel()
	if slices.ContainsFunc(format.Standard(), func(f format.Format) bool { return f.ForBrowsers }) {
		t.Error("format.Standard has a format for browsers")
	}
	c := newClient(t, resource.Config{Formats: format.Standard()}, resource.Of[Author]{})
	c.get("/api/authors").Mentions(200).Has("Content-Type", "application/json")
	c.post("/api/authors", "name", "Ann").Mentions(415)
	c.post("/api/authors?_method=DELETE", "name", "Ann").Mentions(400, "_method")
}

func TestNoCacheKeepsAPage(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{}, resource.Of[Author]{Operations: operation.Standard(), CacheControl: "public, max-age=60"})
	c.json("POST /api/authors", `{"name":"Ann"}`)
	for _, path := range []string{"/api/authors", "/api/authors/1"} {
		c.get(path).Mentions(200).Has("Cache-Control", "private, no-store").Has("X-Frame-Options", "DENY").Has("Vary", "Accept")
		c.send("GET "+path, "").Has("Cache-Control", "public, max-age=60")
	}
	c.get("/api/authors/9").Mentions(404).Has("Cache-Control", "no-store")
}
