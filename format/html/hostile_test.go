package html_test

import (
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/trove-api/trove/resource"
)

// hostile are values that break out of a page which does not escape them.
var hostile = []string{
	`<script>alert(1)</script>`, `"'><img src=x onerror=alert(1)>`, `javascript:alert(1)`, `JaVaScRiPt:alert(1)//https://x`, `</textarea><script>alert(1)</script>`,
	`</title><svg onload=alert(1)>`, `</style><script>`, `]]>`, `<!--`, `-->`, `<![CDATA[`, "\u2028\u2029", "\u202Eevil\u202C", "\u2066x", "`${alert(1)}`", `{{.}}`, `{{template "page"}}`,
	`\u003cscript\u003e`, `&lt;script&gt;`, `&#60;b&#62;`, "a\x00b", "\x01\x1f", "\ufeff", "\ufffd", `https://x/"onmouseover="alert(1)`, `https://x/'><script>`, `data:text/html,<script>alert(1)</script>`,
	`//evil.example/x`, `/\evil.example`, `vbscript:x`, ` onfocus=alert(1) autofocus `, "<a href=\"x\">\n\r\n</a>", `https://user:pw@evil.example/`, strings.Repeat("🜁", 5000), strings.Repeat("<b>", 5000),
	`</option></select><script>`, `'`, `"`, `=`, `>`, `<`, "\n", "",
}

// tag is a tag as our templates write it: lowercase names, and values in double quotes.
var tag = regexp.MustCompile(`^<(/?)([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"<>]*")?)*)\s*>`)

var attribute = regexp.MustCompile(`([a-z-]+)(?:="([^"]*)")?`)

// elements are the elements of our templates, and attributes their attributes. Anything else comes from a value.
var (
	elements = strings.Fields(`html head meta title link style body a header div nav ul ol li main p h1 h2 h3 strong code pre span bdi time abbr dl dt dd
		table thead tbody tr th td section details summary form input textarea select option fieldset legend label button`)
	attributes = strings.Fields(`lang charset name content href rel class id tabindex role dir datetime title scope colspan open method action novalidate type value
		for placeholder autocomplete inputmode step rows checked selected aria-label aria-labelledby aria-describedby aria-current aria-sort aria-invalid`)
)

// check fails the test if a page has an element, attribute or URL that is not of our templates.
func check(t *testing.T, page string) {
	t.Helper()
	for rest := strings.TrimPrefix(page, "<!DOCTYPE html>"); ; {
		at := strings.IndexByte(rest, '<')
		if at < 0 {
			return
		}
		rest = rest[at:]
		m := tag.FindStringSubmatch(rest)
		if m == nil || !slices.Contains(elements, m[2]) {
			t.Fatalf("the page has %.200q", rest)
		}
		for _, a := range attribute.FindAllStringSubmatch(m[3], -1) {
			value := html.UnescapeString(a[2])
			u, err := url.Parse(value)
			switch isLink := a[1] == "href" || a[1] == "action"; {
			case !slices.Contains(attributes, a[1]):
				t.Fatalf("the page has %.200q", m[0])
			case isLink && (err != nil || u.Scheme != "" && u.Scheme != "https" && u.Scheme != "http"), isLink && u.Scheme == "" && u.Host != "", isLink && u.User != nil:
				t.Fatalf("the page links to %q", value)
			case isLink && m[2] != "a" && !strings.HasPrefix(value, "/api"):
				t.Fatalf("a form goes to %q", value)
			}
		}
		rest = rest[len(m[0]):]
	}
}

// Shelf has values of each kind, and names that must be escaped.
type Shelf struct {
	ID       int64             `json:"id"`
	Title    string            `json:"title" api:"filter=partial,sort,search" doc:"A \"<b>description</b>\" of 'it'."`
	Web      string            `json:"web"`
	Odd      string            `json:"<i>odd</i> & name"`
	Long     string            `json:"description"`
	Texts    []string          `json:"texts"`
	Choice   string            `json:"choice" validate:"omitempty,oneof='<b>' '\"x\"'"`
	Null     *string           `json:"null"`
	Map      map[string]string `json:"map"`
	Inner    Inside            `json:"inner"`
	Inners   []Inside          `json:"inners"`
	Any      any               `json:"any"`
	Self     *int64            `json:"self" api:"ref=Shelf,expand"`
	Password string            `json:"password"`
}

type Inside struct {
	Text string    `json:"text"`
	More []*Inside `json:"more"`
}

// Named is identified by a text.
type Named struct {
	Name string  `json:"name" api:"id,filter=partial,sort"`
	Next *string `json:"next" api:"ref=Named,expand"`
}

// fill sets all texts of a value to hostile ones.
func fill(random *rand.Rand, v reflect.Value, depth int) {
	text := func() string { return strings.ReplaceAll(hostile[random.IntN(len(hostile))], "\x00", "") } // stores reject it
	switch v.Kind() {
	case reflect.String:
		v.SetString(text())
	case reflect.Pointer:
		if v.Type().Elem().Kind() == reflect.String || v.Type().Elem().Kind() == reflect.Struct && depth > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(random, v.Elem(), depth-1)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 0, 4))
		for range random.IntN(4) * min(depth, 1) {
			e := reflect.New(v.Type().Elem()).Elem()
			fill(random, e, depth-1)
			if e.Kind() != reflect.Pointer || !e.IsNil() {
				v.Set(reflect.Append(v, e))
			}
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range random.IntN(4) {
			v.SetMapIndex(reflect.ValueOf(text()), reflect.ValueOf(text()))
		}
	case reflect.Interface:
		v.Set(reflect.ValueOf(map[string]any{text(): []any{text(), map[string]any{text(): nil}, 1.5, true}}))
	case reflect.Struct:
		for _, field := range v.Fields() {
			fill(random, field, depth)
		}
	}
}

func TestHostileValuesAreOnlyText(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{}, resource.Of[Shelf]{SparseFields: true, Description: `A <script>shelf</script> & "more"`}, resource.Of[Named]{})
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 150 {
		var shelf Shelf
		fill(random, reflect.ValueOf(&shelf).Elem(), 3)
		shelf.Title, _, _ = strings.Cut(shelf.Title, "<b><b>") // what is sorted is short
		shelf.Title = strings.ReplaceAll(shelf.Title, "🜁🜁", "")
		text, err := json.Marshal(shelf)
		if err != nil {
			t.Fatal(err)
		}
		var fields map[string]any
		if err := json.Unmarshal(text, &fields); err != nil {
			t.Fatal(err)
		}
		delete(fields, "id")
		delete(fields, "choice")
		if i > 0 {
			fields["self"] = fmt.Sprintf("/api/shelves/%d", i)
		}
		if text, err = json.Marshal(fields); err != nil {
			t.Fatal(err)
		}
		c.json("POST /api/shelves", string(text)).Mentions(201)
		path := fmt.Sprintf("/api/shelves/%d", i+1)
		check(t, c.get(path+"?expand=self").Mentions(200).Body)
		pairs := []string{"web", hostile[i%len(hostile)], "choice", hostile[i%len(hostile)], "inner.text", hostile[(i+7)%len(hostile)], hostile[i%len(hostile)], "x", "_was", hostile[(i+3)%len(hostile)]}
		check(t, c.post(path+"?_method=PATCH", pairs...).Mentions(400).Body)
		check(t, c.post(path+"?_method=PATCH&_if_match=%22old%22", pairs[:6]...).Mentions(412).Body)
		check(t, c.get("/api/shelves/"+url.PathEscape(hostile[i%len(hostile)])).Body)
		check(t, c.get("/api/shelves?title="+url.QueryEscape(hostile[i%len(hostile)])+"&q="+url.QueryEscape(hostile[(i+5)%len(hostile)])).Body)
		check(t, c.get("/api/shelves?"+url.QueryEscape(hostile[i%len(hostile)])+"=x").Body)
	}
	page := c.get("/api/shelves?itemsPerPage=100&expand=self").Mentions(200)
	check(t, page.Body)
	check(t, c.get(linkIn(t, page, "Show all fields")).Mentions(200, "odd&lt;/i&gt; &amp; name</th>").Body)
	previous := ""
	for _, name := range hostile {
		fields := map[string]any{"name": name}
		if previous != "" {
			fields["next"] = previous
		}
		text, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.json("POST /api/nameds", string(text)); got.Status == 201 {
			previous = got.Header.Get("Location")
			check(t, c.get(previous).Mentions(200).Body)
		}
	}
	check(t, c.get("/api/nameds?expand=next").Mentions(200).Body)
	if previous == "" {
		t.Error("no record has a hostile identifier")
	}
}

func TestLongTextsAreCut(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{MaxBodyBytes: 8 << 20}, resource.Of[Shelf]{SparseFields: true})
	long := strings.Repeat("ä", 1<<20)
	c.json("POST /api/shelves", `{"title":"x","description":"`+long+`","map":{},"any":["`+long+`"],"inner":{"text":"`+long+`"}}`).Mentions(201)
	for _, path := range []string{"/api/shelves", "/api/shelves?fields=title,description,any,inner", "/api/shelves/1"} {
		if page := c.get(path).Mentions(200).Body; len(page) > 300_000 {
			t.Errorf("%s has %d bytes", path, len(page))
		}
	}
	c.get("/api/shelves?fields=title,description").Mentions(200, "more characters")
	c.get("/api/shelves/1").Mentions(200, "more characters")
	c.get("/api/shelves/1").Mentions(200, "Too long to edit here: Description", "/api/shelves/1.json")
	action, fields := formIn(t, c.get("/api/shelves/1"), "_method=PATCH")
	c.post(action, filled(fields, "title", "y")...).Mentions(303)
	c.send("GET /api/shelves/1", "").Mentions(200, `"title":"y"`, long)
}
