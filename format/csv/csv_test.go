package csv_test

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

const asCSV = "text/csv"

const (
	full = `{"name":"=1+1","note":"","carats":-1.5,"sold":true,"from":{"city":"A, B","zip":null},"kept":{"city":"\"x\"","zip":"1"},` +
		`"tags":["a","b"],"sizes":[-1,2],"more":{"k":"v"},"any":[1,"x"]}`
	fullRow = `1,'=1+1,"",-1.5,true,"A, B",,"""x""",1,a b,-1 2,"{""k"":""v""}","[1,""x""]"` + "\r\n"
	bare    = `{"name":"b","note":null,"carats":0,"sold":false,"from":{"city":"","zip":""},"kept":null,"tags":[],"sizes":[],"more":{},"any":null}`
	bareRow = `2,b,,0,false,,"",,,[],[],{},` + "\r\n"
)

func TestRecordsAreRows(t *testing.T) {
	t.Parallel()
	api := newAPI(t)
	send(t, api, "POST /api/gems", full, "Content-Type", "application/json", "Accept", asCSV).Reads(201, header+fullRow).
		Has("Content-Type", "text/csv; charset=utf-8; header=present").Has("Location", "/api/gems/1")
	send(t, api, "POST /api/gems.csv", bare, "Content-Type", "application/json").Reads(201, header+bareRow)
	send(t, api, "GET /api/gems/1.csv", "").Reads(200, header+fullRow)
	send(t, api, "GET /api/gems", "", "Accept", asCSV).Reads(200, header+fullRow+bareRow)
	send(t, api, "GET /api/gems.csv?fields=name,from", "").Reads(200, "id,name,from.city,from.zip\r\n1,'=1+1,\"A, B\",\r\n2,b,,\"\"\r\n")
	send(t, api, "GET /api/gems/2.csv?fields=name", "").Reads(200, "id,name\r\n2,b\r\n")
	send(t, api, "GET /api/gems", "", "Accept", "image/png").Has("Content-Type", "application/problem+json")
	send(t, api, "GET /api", "", "Accept", asCSV).Reads(200, "type,address\r\nGem,/api/gems\r\n")
}

func TestARowIsABody(t *testing.T) {
	t.Parallel()
	api := newAPI(t)
	send(t, api, "POST /api/gems.csv", header+fullRow).Reads(201, header+fullRow)
	send(t, api, "POST /api/gems.csv", "\ufeff"+strings.ReplaceAll(header+bareRow, "\r\n", "\n")).Reads(201, header+bareRow)
	send(t, api, "PATCH /api/gems/1.csv", "carats,sold\n2,FALSE").Reads(200, header+strings.Replace(fullRow, "-1.5,true", "2,false", 1))
	send(t, api, "PUT /api/gems/2.csv", "name,hidden\r\n\"x\r\ny\",s\r\n").Reads(200, header+strings.Replace(bareRow, ",b,", ",\"x\r\ny\",", 1))
}

func TestTextsComeBackAsTheyWere(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"=1", "'=1", "''=1", "'", "''", "'a", "+1", "-1", "@x", "\t=", "\r", "\n", `"`, `""`, ",", " a ", "a b", "\ufeff", "null", "é😀", `\n`, "[", "{}", "1"} {
		checkText(t, text)
	}
}

func TestATagGuardsARecordInCSVToo(t *testing.T) {
	t.Parallel()
	api := newAPI(t)
	send(t, api, "POST /api/gems", full, "Content-Type", "application/json")
	plain := send(t, api, "GET /api/gems/1", "").Header.Get("ETag")
	tag := send(t, api, "GET /api/gems/1.csv", "").Header.Get("ETag")
	if plain == tag || tag == "" {
		t.Errorf("the tags are %s and %s", plain, tag)
	}
	if got := send(t, api, "GET /api/gems/1.csv", "", "If-None-Match", tag); got.Status != 304 {
		t.Errorf("the status is %d, want 304", got.Status)
	}
	if got := send(t, api, "PATCH /api/gems/1.csv", "carats\n5", "If-Match", plain); got.Status != 200 {
		t.Errorf("the status is %d, want 200", got.Status)
	}
	if got := send(t, api, "PATCH /api/gems/1.csv", "carats\n6", "If-Match", tag); got.Status != 412 {
		t.Errorf("the status is %d, want 412", got.Status)
	}
}

func TestWrongBodies(t *testing.T) {
	t.Parallel()
	api := newAPI(t)
	for rule, test := range map[string]struct{ body, says string }{
		"a header alone":               {"name\r\n", "no row after the header"},
		"two rows":                     {"name\na\nb\n", "more than one row"},
		"nothing but a mark":           {"\ufeff", "The body is empty"},
		"an unknown column":            {"name,colour\na,secret", `colour`},
		"an unknown nested column":     {"name,from.contry\na,secret", `from.contry`},
		"a column twice":               {"name,name\na,b", `name`},
		"a nested column twice":        {"name,from.city,from.city\na,b,c", `"pointer":"/from/city"`},
		"a number that is none":        {"name,carats\na,secret", `carats`},
		"a number of another country":  {"name,carats\na,\"1,5\"", `carats`},
		"a word that is no boolean":    {"name,sold\na,yes", `sold`},
		"a list with a wrong element":  {"name,sizes\na,1 x", `sizes[1]`},
		"a map that is none":           {"name,more\na,secret", `more`},
		"more cells than columns":      {"name\na,b", "more cells than columns in line 2"},
		"fewer cells than columns":     {"name,note\na", "fewer cells than columns in line 2"},
		"a quotation mark in a cell":   {"name\n\na\"b", "in a cell without quotation marks in line 3"},
		"an open quotation mark":       {"name\n\"a", "no closing quotation mark for the cell that begins in line 2"},
		"text behind a quotation mark": {"name\n\"a\nb\"c", "after a closing quotation mark in line 3"},
		"bytes that are not UTF-8":     {"name\n\xff", "invalid UTF-8 in line 2"},
		"too many columns":             {strings.Repeat("x,", 5000) + "\n", "more columns than the record has in line 1"},
		"a cell that is too long":      {"name\n" + strings.Repeat("a", 1<<19), `name`},
	} {
		got := send(t, api, "POST /api/gems", test.body)
		if got.Status != 400 || !strings.Contains(got.Body, test.says) || strings.Contains(got.Body, "secret") || len(got.Body) > 1000 {
			t.Errorf("%s: the answer is %d %s, want 400 that says %q", rule, got.Status, got.Body, test.says)
		}
	}
	if got := send(t, api, "POST /api/gems", "name\n"+strings.Repeat("a", 2<<20)); got.Status != 413 {
		t.Errorf("a large body: the status is %d", got.Status)
	}
	if got := send(t, api, "POST /api/gems", "name\na", "Content-Type", "text/csv; charset=latin1"); got.Status != 415 {
		t.Errorf("another charset: the status is %d", got.Status)
	}
	if got := send(t, api, "GET /api/gems", ""); got.Body != "[]" {
		t.Errorf("something was saved: %s", got.Body)
	}
}

type crew struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

type captain struct {
	ID       int64  `json:"id"`
	Username string `json:"username"`
	Home     place  `json:"home"`
	Crew     int64  `json:"crew" api:"ref=Crew"`
	Open     bool   `json:"open"`
}

type boat struct {
	ID    int64   `json:"id"`
	Name  string  `json:"name"`
	Owner int64   `json:"owner" api:"ref=Captain,expand"`
	Heir  *int64  `json:"heir" api:"ref=Captain"`
	Marks []int64 `json:"marks" validate:"max=9" api:"ref=Crew"`
}

func boatsSeen(t *testing.T, view ...string) *resource.API {
	t.Helper()
	api := spec.NewAPI(t, resource.Config{Formats: append(format.Standard(), csv.Format)},
		resource.Of[crew]{ShortName: "Crew", Store: memory.New(crew{1, "Reds"}, crew{2, "Blue, big"}), Access: access.Rules{
			Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public,
		}},
		resource.Of[captain]{
			ShortName: "Captain", Store: memory.New(captain{1, "ann", place{City: "Rome, old"}, 1, true}, captain{2, "=bob", place{City: "Oslo"}, 2, false}),
			Access: access.Rules{Read: access.Where("open", true), Create: access.Public, Update: access.Public, Delete: access.Public},
		},
		resource.Of[boat]{
			ShortName: "Boat", Store: memory.New(boat{1, "Gull", 1, new(int64(1)), []int64{1, 2}}, boat{2, "Tern", 2, nil, nil}),
			Access: access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public},
			Operations: append(operation.Standard(), operation.GetCollection{
				Name: "card", URITemplate: "/cards{._format}", View: &operation.View{Name: "Card", Fields: view},
			}, operation.Get{Name: "one", URITemplate: "/cards/{id}{._format}", View: &operation.View{Name: "Card", Fields: view}}),
		})
	return api
}

func TestAViewsEmbeddedFieldsAreDottedColumns(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		view []string
		want string
	}{
		{[]string{"id", "owner.username"}, "id,owner.username\r\n1,ann\r\n2,\r\n"},
		{[]string{"id", "owner", "owner.username", "name"}, "id,owner,owner.username,name\r\n1,/api/captains/1,ann,Gull\r\n2,/api/captains/2,,Tern\r\n"},
		{[]string{"id", "owner.username", "owner.home"}, "id,owner.username,owner.home.city,owner.home.zip\r\n1,ann,\"Rome, old\",\r\n2,,,\r\n"},
		{[]string{"id", "heir.username"}, "id,heir.username\r\n1,ann\r\n2,\r\n"},
		{[]string{"id", "marks.id"}, "id,marks.id\r\n1,1 2\r\n2,[]\r\n"},
		{[]string{"id", "marks.name"}, "id,marks.name\r\n1,\"[\"\"Reds\"\",\"\"Blue, big\"\"]\"\r\n2,[]\r\n"},
	} {
		api := boatsSeen(t, test.view...)
		send(t, api, "GET /api/cards.csv", "").Reads(200, test.want)
	}
	send(t, boatsSeen(t, "id", "owner.username"), "GET /api/cards/1.csv", "").Reads(200, "id,owner.username\r\n1,ann\r\n")
}

func TestWhatAClientExpandsHasNoColumns(t *testing.T) {
	t.Parallel()
	send(t, boatsSeen(t, "id"), "GET /api/boats.csv?expand=owner", "").
		Reads(200, "id,name,owner,heir,marks\r\n1,Gull,/api/captains/1,/api/captains/1,/api/crews/1 /api/crews/2\r\n2,Tern,/api/captains/2,,[]\r\n")
}

func TestColumnsFollowTheOrderOfTheView(t *testing.T) {
	t.Parallel()
	for rule, test := range map[string]struct {
		view []string
		want string
	}{
		"own fields":                   {[]string{"name", "id"}, "name,id\r\nGull,1\r\nTern,2\r\n"},
		"embedded before own":          {[]string{"owner.username", "name", "id"}, "owner.username,name,id\r\nann,Gull,1\r\n,Tern,2\r\n"},
		"embedded next to a reference": {[]string{"owner.username", "id", "owner"}, "owner.username,id,owner\r\nann,1,/api/captains/1\r\n,2,/api/captains/2\r\n"},
		"objects of embedded records":  {[]string{"owner.home", "owner.username", "id"}, "owner.home.city,owner.home.zip,owner.username,id\r\n\"Rome, old\",,ann,1\r\n,,,2\r\n"},
		"one record at several places": {[]string{"owner.home", "id", "owner.username"}, "owner.home.city,owner.home.zip,id,owner.username\r\n\"Rome, old\",,1,ann\r\n,,2,\r\n"},
		"two records":                  {[]string{"heir.username", "id", "owner.username"}, "heir.username,id,owner.username\r\nann,1,ann\r\n,2,\r\n"},
		"lists of records":             {[]string{"marks.name", "id", "marks.id"}, "marks.name,id,marks.id\r\n\"[\"\"Reds\"\",\"\"Blue, big\"\"]\",1,1 2\r\n[],2,[]\r\n"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			api := boatsSeen(t, test.view...)
			send(t, api, "GET /api/cards.csv", "").Reads(200, test.want)
			first, _, _ := strings.Cut(test.want, "2,")
			if got := send(t, api, "GET /api/cards/1.csv", ""); !strings.HasPrefix(first, strings.TrimSuffix(got.Body, "\r\n")) {
				t.Errorf("one record is %q, want the start of %q", got.Body, test.want)
			}
			doc, err := openapi.Document(api, openapi.Config{Title: "Boats", Version: "1"})
			if err != nil {
				t.Fatal(err)
			}
			header, _, _ := strings.Cut(test.want, "\r\n")
			described := doc.Paths.Value("/api/cards").Get.Responses.Value("200").Value.Content[asCSV].Schema.Value.Description
			if want := "Columns: " + strings.ReplaceAll(header, ",", ", ") + "."; !strings.HasSuffix(described, want) {
				t.Errorf("the document says %q, want %q", described, want)
			}
		})
	}
}

// gemsSeen is an API of gems whose view lists the fields in another order than the struct.
func gemsSeen(t *testing.T) *resource.API {
	t.Helper()
	type ring struct {
		ID  int64 `json:"id"`
		Gem int64 `json:"gem" api:"ref=Gem"`
	}
	one := gem{ID: 1, Name: "a", Carats: 2, From: place{City: "Oslo"}}
	everyone := access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public}
	api := spec.NewAPI(t, resource.Config{Formats: append(format.Standard(), csv.Format)},
		resource.Of[gem]{
			ShortName: "Gem", SparseFields: true, Store: memory.New(one), Access: everyone,
			View: &operation.View{Name: "Cut", Fields: []string{"from", "twice", "name", "id"}},
			Computed: []operation.Computed{operation.Compute("twice", "Twice the carats.", func(_ context.Context, g *gem) (float64, error) {
				return 2 * g.Carats, nil
			})},
			Operations: append(operation.Standard(),
				operation.Post{Name: "all", URITemplate: "/gems/all{._format}", Handler: operation.Handle(
					func(context.Context, *gem, struct{}) ([]*gem, error) { return []*gem{&one, &one}, nil })},
				operation.Post{Name: "best", URITemplate: "/gems/best{._format}", Handler: operation.Handle(
					func(context.Context, *gem, struct{}) (*gem, error) { return &one, nil })},
				operation.GetCollection{
					Name: "backwards", URITemplate: "/gems/backwards{._format}",
					View: &operation.View{Name: "Cut", Fields: []string{"id", "name", "twice", "from"}},
				}),
		},
		resource.Of[ring]{
			ShortName: "Ring", Store: memory.New(ring{1, 1}), Access: everyone,
			Operations: []operation.Operation{operation.GetCollection{Expand: []string{"gem"}}},
		})
	return api
}

func TestTheViewOfAResourceOrdersTheColumnsOfAllItsResponses(t *testing.T) {
	t.Parallel()
	api := gemsSeen(t)
	const header, row = "from.city,from.zip,twice,name,id\r\n", "Oslo,,4,a,1\r\n"
	send(t, api, "GET /api/gems.csv", "").Reads(200, header+row)
	send(t, api, "GET /api/gems/1.csv", "").Reads(200, header+row)
	send(t, api, "POST /api/gems/all.csv", "").Reads(200, header+row+row)
	send(t, api, "POST /api/gems/best.csv", "").Reads(200, header+row)
	send(t, api, "GET /api/gems/backwards.csv", "").Reads(200, "id,name,twice,from.city,from.zip\r\n1,a,4,Oslo,\r\n")
	send(t, api, "GET /api/gems.csv?fields=id,name,from", "").Reads(200, "from.city,from.zip,name,id\r\nOslo,,a,1\r\n")
	send(t, api, "GET /api/rings.csv", "").Reads(200, "id,gem,gem.from.city,gem.from.zip,gem.twice,gem.name,gem.id\r\n1,/api/gems/1,Oslo,,4,a,1\r\n")
	send(t, api, "GET /api/gems/1", "").Reads(200, `{"id":1,"name":"a","from":{"city":"Oslo","zip":null},"twice":4}`)
}

func TestABodyHasColumnsInAnyOrder(t *testing.T) {
	t.Parallel()
	api := gemsSeen(t)
	for i, body := range []string{"name,carats,from.city\nb,3,Rome", "from.city,carats,name\nRome,3,b", "carats,from.city,twice,id,name\n3,Rome,9,,b"} {
		want := "from.city,from.zip,twice,name,id\r\nRome,,6,b," + string(rune('2'+i)) + "\r\n"
		send(t, api, "POST /api/gems.csv", body).Reads(201, want)
	}
}

type place struct {
	City string  `json:"city"`
	Zip  *string `json:"zip"`
}

// gem has a field for each kind of column.
type gem struct {
	ID     int64             `json:"id"`
	Name   string            `json:"name" validate:"max=100"`
	Note   *string           `json:"note"`
	Carats float64           `json:"carats"`
	Sold   bool              `json:"sold"`
	From   place             `json:"from"`
	Kept   *place            `json:"kept"`
	Tags   []string          `json:"tags"`
	Sizes  []int             `json:"sizes"`
	More   map[string]string `json:"more"`
	Any    any               `json:"any"`
	Hidden string            `json:"hidden" api:"writeonly"`
}

const header = "id,name,note,carats,sold,from.city,from.zip,kept.city,kept.zip,tags,sizes,more,any\r\n"

// send sends a request; a body is CSV unless Content-Type is given.
func send(t testing.TB, api http.Handler, request, body string, fields ...string) spec.Response {
	t.Helper()
	return spec.Client{T: t, Handler: api, MediaType: csv.MediaType}.Send(request, body, fields...)
}

func newAPI(t testing.TB) *resource.API {
	t.Helper()
	api := spec.NewAPI(t, resource.Config{Formats: append(format.Standard(), csv.Format), Logger: slog.New(slog.DiscardHandler)},
		resource.Of[gem]{SparseFields: true, Operations: operation.Standard()})
	return api
}

func TestTheDocumentNamesTheColumns(t *testing.T) {
	t.Parallel()
	api := newAPI(t)
	doc, err := openapi.Document(api, openapi.Config{Title: "Gems", Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Error(err)
	}
	path := doc.Paths.Value("/api/gems")
	answered, taken := path.Get.Responses.Value("200").Value.Content[asCSV], path.Post.RequestBody.Value.Content[asCSV]
	if answered == nil || !answered.Schema.Value.Type.Is("string") || !strings.HasSuffix(answered.Schema.Value.Description, "Columns: "+strings.ReplaceAll(strings.TrimSpace(header), ",", ", ")+".") {
		t.Errorf("a collection is described as %+v", answered)
	}
	if taken == nil || !strings.Contains(taken.Schema.Value.Description, "any, hidden.") || strings.Contains(taken.Schema.Value.Description, ": id,") {
		t.Errorf("a body is described as %+v", taken)
	}
	if other := path.Post.RequestBody.Value.Content[format.JSON]; other == nil || other.Schema.Ref == "" {
		t.Errorf("JSON is described as %+v", other)
	}
}

func TestTheAPIIsAsDocumented(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a test of package format conforms in each format")
	}
	openapitest.Conform(t, newAPI(t), openapitest.Requests(60))
}
