package html_test

import (
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/trove-api/trove/format/internal/formattest"
	"github.com/trove-api/trove/resource"
)

// linkIn returns the path of the link with a text.
func linkIn(t testing.TB, page formattest.Response, text string) string {
	t.Helper()
	m := regexp.MustCompile(`<a [^>]*href="([^"]*)"[^>]*>` + regexp.QuoteMeta(text) + `</a>`).FindStringSubmatch(page.Body)
	if m == nil {
		t.Fatalf("no link %q in %s", text, page.Body)
	}
	return html.UnescapeString(m[1])
}

// columnsOf returns the heads of the columns.
func columnsOf(page formattest.Response) (heads []string) {
	for _, m := range regexp.MustCompile(`<th scope="col"[^>]*>(?:<a [^>]*>)?([^<]*)`).FindAllStringSubmatch(page.Body, -1) {
		heads = append(heads, strings.TrimRight(m[1], " ↑↓"))
	}
	return heads
}

func TestATableShowsTheTitleFirstThenShortValues(t *testing.T) {
	t.Parallel()
	c := newShop(t)
	for path, want := range map[string]string{
		"/api/authors":                          "Name ID",
		"/api/books":                            "Title Year Price Genre In print Author Home",
		"/api/books?sort=-published":            "Title Year Price Genre In print Author Published",
		"/api/books?fields=id,description,tags": "ID Tags Description",
	} {
		if got := strings.Join(columnsOf(c.get(path).Mentions(200)), " "); got != want {
			t.Errorf("%s has the columns %s, want %s", path, got, want)
		}
	}
	c.get("/api/books").Mentions(200, "2 records · 7 of 14 fields")
}

func TestATableLinksToAllItsFields(t *testing.T) {
	t.Parallel()
	c := newShop(t)
	all := linkIn(t, c.get("/api/books?title=e&sort=-year"), "Show all fields")
	page := c.get(all).Mentions(200, "Emma", "Dune", `aria-sort="descending"`)
	if got := columnsOf(page); len(got) != 14 {
		t.Errorf("%s has the columns %q", all, got)
	}
	if strings.Contains(page.Body, "Show all fields") {
		t.Error("the page with all fields has a link to itself")
	}
	club := newClub(t)
	if page := club.as("ann").get("/api/diaries"); strings.Contains(page.Body, "ushword") {
		t.Error("a link names a hidden field")
	}
}

func TestAPageLinksToTheTitlesOfItsReferences(t *testing.T) {
	t.Parallel()
	c := newShop(t)
	for _, path := range []string{"/api/books?sort=title", "/api/books/1"} {
		page := c.get(path).Mentions(200, `<bdi>/api/authors/1</bdi>`)
		page = c.get(linkIn(t, page, "Show titles of references")).Mentions(200, `<a href="/api/authors/1"><bdi>Frank Herbert</bdi></a>`)
		if strings.Contains(page.Body, "Show titles of references") {
			t.Errorf("%s has the titles, and a link to them", path)
		}
	}
	for _, path := range []string{"/api/books/2", "/api/books?title=emma", "/api/authors"} { // without references
		if page := c.get(path).Mentions(200); strings.Contains(page.Body, "Show titles of references") {
			t.Errorf("%s links to titles", path)
		}
	}
}

// Columns do not depend on the records, so that all pages of a collection have the same.
func TestAllPagesHaveTheSameColumns(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{}, resource.Of[Author]{}, resource.Of[Book]{})
	c.json("POST /api/books", `{"title":"`+strings.Repeat("long ", 30)+`","year":1965,"printer":{"street":""}}`).Mentions(201)
	c.json("POST /api/books", `{"title":"Emma","year":1815,"price":9.5,"genre":"novel","tags":["a"],"printer":{"street":"Main Street"}}`).Mentions(201)
	first, second := columnsOf(c.get("/api/books?itemsPerPage=1")), columnsOf(c.get("/api/books?itemsPerPage=1&page=2"))
	if len(first) == 0 || !slices.Equal(first, second) {
		t.Errorf("the columns are %q, then %q", first, second)
	}
}
