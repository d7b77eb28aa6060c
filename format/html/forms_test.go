package html_test

import (
	"context"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/trove-api/trove/format/internal/formattest"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// lines replaces line breaks as browsers do when they send a form.
var lines = strings.NewReplacer("\n", "\r\n")

// formIn returns the fields of the form in a page whose action has a text, and the action.
func formIn(t testing.TB, page formattest.Response, in string) (action string, fields []string) {
	t.Helper()
	for _, form := range regexp.MustCompile(`(?s)<form method="post" action="([^"]*)".*?</form>`).FindAllStringSubmatch(page.Body, -1) {
		if action = html.UnescapeString(form[1]); !strings.Contains(action, in) {
			continue
		}
		for _, m := range regexp.MustCompile(`<input ([^>]*)>`).FindAllStringSubmatch(form[0], -1) {
			attributes := map[string]string{}
			for _, a := range regexp.MustCompile(`([a-z-]+)="([^"]*)"`).FindAllStringSubmatch(m[1], -1) {
				attributes[a[1]] = html.UnescapeString(a[2])
			}
			if attributes["type"] != "checkbox" || strings.HasSuffix(m[1], " checked") {
				fields = append(fields, attributes["name"], attributes["value"])
			}
		}
		for _, m := range regexp.MustCompile(`(?s)<textarea [^>]*name="([^"]*)"[^>]*>\n(.*?)</textarea>`).FindAllStringSubmatch(form[0], -1) {
			fields = append(fields, html.UnescapeString(m[1]), lines.Replace(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(html.UnescapeString(m[2]))))
		}
		for _, m := range regexp.MustCompile(`(?s)<select [^>]*name="([^"]*)".*?</select>`).FindAllStringSubmatch(form[0], -1) {
			chosen := regexp.MustCompile(`<option value="([^"]*)" selected`).FindStringSubmatch(m[0])
			if chosen == nil {
				chosen = regexp.MustCompile(`<option value="([^"]*)"`).FindStringSubmatch(m[0])
			}
			fields = append(fields, html.UnescapeString(m[1]), html.UnescapeString(chosen[1]))
		}
		return action, fields
	}
	t.Fatalf("no form has %q in its action: %s", in, page.Body)
	return "", nil
}

// filled returns fields with other values for some of them.
func filled(fields []string, pairs ...string) []string {
	made := append([]string(nil), fields...)
	for i := 0; i < len(pairs); i += 2 {
		for j := 0; j < len(made); j += 2 {
			if made[j] == pairs[i] {
				made[j+1] = pairs[i+1]
			}
		}
	}
	return made
}

func TestAFormCreatesARecordAndLeadsToIt(t *testing.T) {
	t.Parallel()
	c := newShop(t)
	action, fields := formIn(t, c.get("/api/books"), "/api/books")
	c.post(action, filled(fields, "title", "Ulysses", "year", "1922", "tags", "a\r\nb", "author", "1", "price", "12.50",
		"published", "1922-02-02T08:30", "inPrint", "true", "printer.street", "Rue", "extra", `{"a":[1]}`)...).
		Mentions(303).Has("Location", "/api/books/3#saved").Has("Content-Type", "")
	c.send("GET /api/books/3", "").Is(200, `{"id":3,"title":"Ulysses","year":1922,"price":12.5,"genre":"","inPrint":true,"tags":["a","b"],"colours":[],`+
		`"author":"/api/authors/1","home":"","printer":{"street":"Rue","city":null},"published":"1922-02-02T08:30:00Z","description":"","extra":{"a":[1]}}`)
}

func TestAnInvalidFormIsShownAgainWithItsErrors(t *testing.T) {
	t.Parallel()
	c := newShop(t)
	_, fields := formIn(t, c.get("/api/books"), "/api/books")
	page := c.post("/api/books", filled(fields, "title", " ", "year", "<b>1</b>", "tags", "a\nb\nc\nd\ne\nf", "description", "Kept & escaped</textarea>", "genre", "novel")...).
		Mentions(400, `href="#run-createBook-title"`, "title must not be blank", "year must be an integer", "tags must have at most 5", `aria-invalid="true"`,
			`value="&lt;b&gt;1&lt;/b&gt;"`, "Kept &amp; escaped&lt;/textarea&gt;", `<option value="novel" selected>`)
	_, again := formIn(t, page, "/api/books")
	c.post("/api/books", filled(again, "title", "Emma", "year", "1999", "tags", "")...).
		Mentions(409, "title is already in use", `value="Emma"`, "<h1><bdi>Conflict</bdi></h1>")
	c.post("/api/books", filled(again, "title", "Fine", "year", "1999", "tags", "")...).Mentions(303)
	c.post("/api/books", "title", "x", "year", "1999", "titel", "y").Mentions(400, "titel")
	c.send("POST /api/books", "title=%zz", "Accept", browser, "Content-Type", "application/x-www-form-urlencoded").Mentions(400, "malformed")
}

func TestAFormChangesOnlyWhatThePersonHasChanged(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{}, resource.Of[Author]{}, resource.Of[Book]{})
	const before = `{"id":1,"title":"a\r\nb","year":1999,"price":0.1234567890123,"genre":"poem","inPrint":false,"tags":["x\ny"," z "],"colours":["red"],` +
		`"author":null,"home":"https://a.example","printer":{"street":"S","city":""},"published":"1999-01-02T03:04:05.678Z","description":"1\r2","extra":[1,{"b":null}]}`
	c.json("POST /api/books", before).Mentions(201)
	if got := c.send("GET /api/books/1", ""); got.Body != before {
		t.Fatalf("the record is %s", got.Body)
	}
	action, fields := formIn(t, c.get("/api/books/1"), "_method=PATCH")
	c.post(action, fields...).Mentions(303)
	c.send("GET /api/books/1", "").Is(200, before)
	action, fields = formIn(t, c.get("/api/books/1"), "_method=PATCH")
	c.post(action, filled(fields, "year", "2000", "printer.city", "C")...).Mentions(303).Has("Location", "/api/books/1#saved")
	c.send("GET /api/books/1", "").Is(200, strings.NewReplacer("1999,", "2000,", `"city":""`, `"city":"C"`).Replace(before))
}

func TestAnEmptyInputIsNullWhereThatIsAValue(t *testing.T) {
	t.Parallel()
	c := newShop(t)
	action, fields := formIn(t, c.get("/api/books/2"), "_method=PATCH")
	c.post(action, filled(fields, "price", "", "description", "")...).Mentions(303)
	c.send("GET /api/books/2", "").Mentions(200, `"price":null`, `"description":""`)
	action, fields = formIn(t, c.get("/api/books/2"), "_method=PATCH")
	c.post(action, filled(fields, "year", "")...).Mentions(400, "year is required")
	c.post("/api/authors", "name", "").Mentions(400, "name must not be blank")
}

func TestNumbersKeepTheirDigits(t *testing.T) {
	t.Parallel()
	type Coin struct {
		ID    int64   `json:"id"`
		Worth int64   `json:"worth"`
		Ratio float64 `json:"ratio"`
	}
	c := newClient(t, resource.Config{}, resource.Of[Coin]{})
	c.post("/api/coins", "worth", "9007199254740993", "ratio", "1e-7").Mentions(303)
	c.send("GET /api/coins/1", "").Is(200, `{"id":1,"worth":9007199254740993,"ratio":1e-7}`)
	for _, number := range []string{"1e1000000000", "0x10", "1_000", "NaN", "1,5", "9223372036854775808", "+1"} {
		c.post("/api/coins", "worth", number, "ratio", "1").Mentions(400, "worth")
	}
}

func TestAChangeOfAnotherVersionShowsWhatIsSavedNow(t *testing.T) {
	t.Parallel()
	c := newShop(t)
	action, fields := formIn(t, c.get("/api/books/2"), "_method=PATCH")
	c.send("PATCH /api/books/2", `{"title":"Emma II","year":1816}`, "Content-Type", "application/json").Mentions(200)
	page := c.post(action, filled(fields, "title", "Mine")...).
		Mentions(412, `value="Mine"`, "Saved meanwhile: <bdi>Emma II</bdi>", `name="year" type="text" inputmode="decimal" autocomplete="off" value="1816"`)
	action, fields = formIn(t, page, "_method=PATCH")
	c.post(action, fields...).Mentions(303)
	c.send("GET /api/books/2", "").Mentions(200, `"title":"Mine","year":1816`)
}

func TestADeletionLeadsToTheCollection(t *testing.T) {
	t.Parallel()
	c := newShop(t)
	action, _ := formIn(t, c.get("/api/books/1"), "_method=DELETE")
	c.json("PATCH /api/books/1", `{"year":1966}`).Mentions(200)
	c.post(action).Mentions(412, "Back to the book")
	action, _ = formIn(t, c.get("/api/books/1"), "_method=DELETE")
	c.post(action).Mentions(303).Has("Location", "/api/books#deleted")
	c.get("/api/books/1").Mentions(404)
}

type rename struct {
	Name string `json:"name" validate:"min=2"`
}

type receipt struct {
	Text string `json:"text"`
}

func TestCustomOperationsAreForms(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{}, resource.Of[Author]{Operations: append(operation.Standard(),
		operation.Post{Name: "rename", URITemplate: "/authors/{id}/rename", Summary: "Rename", Handler: operation.Handle(
			func(_ context.Context, a *Author, in rename) (receipt, error) {
				a.Name = in.Name
				return receipt{"It is " + in.Name}, nil
			})},
		operation.Post{Name: "touch", URITemplate: "/authors/{id}/touch", Handler: operation.Handle(
			func(context.Context, *Author, struct{}) (struct{}, error) { return struct{}{}, nil })},
		operation.Post{Name: "greet", URITemplate: "/authors/greet", Handler: operation.Handle(
			func(_ context.Context, _ *Author, in rename) (receipt, error) {
				return receipt{"Hello " + in.Name}, nil
			})},
	)})
	c.json("POST /api/authors", `{"name":"Ann"}`)
	page := c.get("/api/authors/1").Mentions(200, "<summary>Rename</summary>")
	action, _ := formIn(t, page, "/rename")
	c.post(action, "name", "x").Mentions(400, "name must be at least 2", `value="x"`)
	c.post(action, "name", "Bob").Mentions(200, "It is Bob")
	action, _ = formIn(t, c.get("/api/authors/1"), "/touch")
	c.post(action).Mentions(303).Has("Location", "/api/authors/1#done")
	action, _ = formIn(t, c.get("/api/authors"), "/greet")
	c.post(action, "name", "Eve").Mentions(200, "Hello Eve")
}

func TestFormsMustComeFromAPageOfTheSameOrigin(t *testing.T) {
	t.Parallel()
	c := newShop(t)
	form := url.Values{"name": {"Eve"}}.Encode()
	for _, test := range []struct {
		rule   string
		fields []string
		status int
	}{
		{"a page of the same origin", []string{"Sec-Fetch-Site", "same-origin"}, 303},
		{"a person who typed it", []string{"Sec-Fetch-Site", "none"}, 303},
		{"another site", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"another subdomain", []string{"Sec-Fetch-Site", "same-site"}, 403},
		{"the same origin in an old browser", []string{"Origin", "http://example.com"}, 303},
		{"another origin in an old browser", []string{"Origin", "http://evil.example"}, 403},
		{"an opaque origin", []string{"Origin", "null"}, 403},
		{"a program", nil, 303},
	} {
		for _, target := range []string{"/api/authors", "/api/authors/1?_method=PATCH"} {
			fields := append([]string{"Accept", browser, "Content-Type", "application/x-www-form-urlencoded; charset=utf-8"}, test.fields...)
			if got := c.send("POST "+target, form, fields...); got.Status != test.status {
				t.Errorf("%s: POST %s returns %d, want %d", test.rule, target, got.Status, test.status)
			}
		}
	}
	for _, mediaType := range []string{"", "text/plain", "multipart/form-data; boundary=x"} {
		c.send("POST /api/authors", form, "Content-Type", mediaType, "Sec-Fetch-Site", "cross-site", "Authorization", "Basic YTpi").Mentions(403)
	}
	c.send("POST /api/authors", `{"name":"Eve"}`, "Content-Type", "application/json", "Sec-Fetch-Site", "cross-site").Mentions(201)
}

func TestMiddlewareSeesTheMethodThatAFormMeans(t *testing.T) {
	t.Parallel()
	keep := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodDelete {
				w.WriteHeader(http.StatusTeapot)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
	c := newClient(t, resource.Config{Middleware: []func(http.Handler) http.Handler{keep}}, resource.Of[Author]{})
	c.json("POST /api/authors", `{"name":"Ann"}`)
	c.post("/api/authors/1?_method=DELETE").Mentions(http.StatusTeapot)
	c.post("/api/authors/1?_method=PATCH", "name", "Eve").Mentions(303).Has("Location", "/api/authors/1#saved")
	const mediaType = "application/x-www-form-urlencoded"
	c.send("POST /api/authors/1?_method=DELETE", "", "Content-Type", mediaType, "Sec-Fetch-Site", "cross-site").Mentions(403)
	c.get("/api/authors/1").Mentions(200, "Eve")
}

func TestAFormLeadsOnlyToPathsOfTheSameOrigin(t *testing.T) {
	t.Parallel()
	c := newShop(t)
	for next, want := range map[string]string{
		"/api/books?page=2": "/api/books?page=2", "/": "/", "": "/api/authors/", "//evil.example": "/api/authors/", `/\evil.example`: "/api/authors/",
		"https://evil.example": "/api/authors/", "javascript:alert(1)": "/api/authors/", "evil": "/api/authors/", "/\t/evil.example": "/api/authors/",
		"/\n/evil": "/api/authors/", "%20//evil": "/api/authors/", "/ä": "/api/authors/", "\\\\evil": "/api/authors/",
	} {
		got := c.post("/api/authors?_next="+url.QueryEscape(next), "name", "Ann").Mentions(303).Header.Get("Location")
		if want == "/api/authors/" && !strings.HasPrefix(got, want) || want != "/api/authors/" && got != want {
			t.Errorf("_next=%q leads to %q, want %q", next, got, want)
		}
	}
}

func TestProgramsCanSendFormsToo(t *testing.T) {
	t.Parallel()
	c := newShop(t)
	const mediaType = "application/x-www-form-urlencoded"
	c.send("POST /api/authors", "name=Ann", "Content-Type", mediaType).Is(201, `{"id":2,"name":"Ann"}`).Has("Location", "/api/authors/2")
	c.send("PATCH /api/authors/2", "name=Bob", "Content-Type", mediaType).Is(200, `{"id":2,"name":"Bob"}`)
	c.send("PUT /api/authors/2", "name=Eve", "Content-Type", mediaType).Is(200, `{"id":2,"name":"Eve"}`)
	c.send("POST /api/authors/2?_method=DELETE", "", "Content-Type", mediaType).Mentions(204)
	for _, method := range []string{"GET", "delete", "TRACE", "HEAD"} {
		c.send("POST /api/authors?_method="+method, "", "Content-Type", mediaType).Mentions(400, "_method must be")
	}
	c.send("POST /api/authors/1?_method=DELETE", "{}", "Content-Type", "application/json").Mentions(405)
	c.send("GET /api/authors/1?_method=DELETE", "").Mentions(400)
}

func TestTheBodyOfAFormHasTheLimitsOfTheOperation(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{MaxBodyBytes: 1800, MaxBodyDepth: 5, MaxBodyValues: 50}, resource.Of[Author]{}, resource.Of[Book]{})
	c.post("/api/authors", "name", strings.Repeat("x", 2000)).Mentions(413)
	c.post("/api/authors?_method=PATCH", "name", strings.Repeat("x", 2000)).Mentions(405)
	c.post("/api/authors", "name", "Ann", strings.Repeat("a.", 100)+"a", "x").Mentions(400, "nested too deeply")
	c.post("/api/books", "tags", strings.Repeat("\n", 90)+strings.Repeat("x\n", 90)).Mentions(413, "50")
}

func TestAResponseNeverHasTheFormOfAnotherRequest(t *testing.T) {
	t.Parallel()
	c := newShop(t)
	for range 50 {
		c.post("/api/authors", "name", "secret-of-another")
		got := c.send("POST /api/authors", "x", "Accept", browser, "Content-Type", "text/csv").Mentions(415)
		if strings.Contains(got.Body, "secret-of-another") {
			t.Fatal("the page has the form of another request")
		}
	}
}

// The path of the statistics also matches that of a record.
func TestAnErrorLeadsBackToThePageItself(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{}, resource.Of[Author]{Operations: append(operation.Standard(),
		operation.Get{Name: "statistics", URITemplate: "/authors/statistics", Handler: operation.Handle(
			func(context.Context, *Author, struct{}) (receipt, error) { return receipt{"Two."}, nil })},
	)})
	c.get("/api/authors/statistics").Mentions(200, "Two.")
	c.get("/api/authors/statistics?nonsense=1").Mentions(400, `<a href="/api/authors/statistics">Back</a>`)
	c.get("/api/authors/1?nonsense=1").Mentions(400, `<a href="/api/authors/1">Back to the author</a>`)
}
