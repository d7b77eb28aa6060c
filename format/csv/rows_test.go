package csv_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/validation"
)

// changing makes an API of gems that can be imported, with a larger limit of bodies.
func changing(t *testing.T, of resource.Of[gem]) *resource.API {
	t.Helper()
	of.Operations = append(operation.Standard(), operation.Post{
		Name: "import", URITemplate: "/gems/import",
		Handler: operation.Handle(func(_ context.Context, _ *gem, in []operation.CreateOf[gem]) (int, error) { return len(in), nil }),
	})
	api := spec.NewAPI(t, resource.Config{
		Formats: append(format.Standard(), csv.Format, jsonapi.Format), MaxBodyBytes: 4 << 20, Logger: slog.New(slog.DiscardHandler),
	}, of)
	return api
}

const stored = `{"name":"a","note":"b","carats":1,"sold":true,"from":{"city":"c","zip":"d"},"kept":{"city":"e","zip":null},"tags":["f"],"more":{"k":"v"},"any":1}`

func TestARowChangesWhatItHasColumnsOf(t *testing.T) {
	t.Parallel()
	const row = `1,a,b,1,true,c,d,e,,f,[],"{""k"":""v""}",1`
	for rule, test := range map[string]struct{ request, body, row string }{
		"columns that a Patch does not have stay":     {"PATCH", "carats\n5", `1,a,b,5,true,c,d,e,,f,[],"{""k"":""v""}",1`},
		"those that a Put does not have stay":         {"PUT", "carats\n5", `1,a,b,5,true,c,d,e,,f,[],"{""k"":""v""}",1`},
		"an empty cell is null where that is a value": {"PATCH", "note\n\"\"\n", `1,a,"",1,true,c,d,e,,f,[],"{""k"":""v""}",1`},
		"null where it is one":                        {"PATCH", "note,carats\n,1", `1,a,,1,true,c,d,e,,f,[],"{""k"":""v""}",1`},
		"an empty text where that is":                 {"PATCH", "name,carats\n,1", `1,,b,1,true,c,d,e,,f,[],"{""k"":""v""}",1`},
		"and nothing where neither is":                {"PATCH", "carats,sold,name\n,,a", row},
		"a member of an object alone":                 {"PATCH", "from.city\nx", `1,a,b,1,true,x,d,e,,f,[],"{""k"":""v""}",1`},
		"an object all of whose cells are empty":      {"PATCH", "kept.city,kept.zip,name\n,,a", `1,a,b,1,true,c,d,,,f,[],"{""k"":""v""}",1`},
		"a list is replaced":                          {"PATCH", "tags,sizes\nx y,1 2", `1,a,b,1,true,c,d,e,,x y,1 2,"{""k"":""v""}",1`},
		"JSON in a cell":                              {"PATCH", "tags,any\n\"[\"\"x y\"\"]\",\"{\"\"z\"\":1}\"", `1,a,b,1,true,c,d,e,,"[""x y""]",[],"{""k"":""v""}","{""z"":1}"`},
		"a map is merged":                             {"PATCH", "more\n\"{\"\"l\"\":\"\"w\"\"}\"", `1,a,b,1,true,c,d,e,,f,[],"{""k"":""v"",""l"":""w""}",1`},
		"truth values in capitals":                    {"PATCH", "sold\nFALSE", `1,a,b,1,false,c,d,e,,f,[],"{""k"":""v""}",1`},
		"an identifier that is the path's":            {"PATCH", "id,carats\n1,5", `1,a,b,5,true,c,d,e,,f,[],"{""k"":""v""}",1`},
	} {
		api := changing(t, resource.Of[gem]{})
		send(t, api, "POST /api/gems", stored, "Content-Type", "application/json").HasStatus(201)
		got := send(t, api, test.request+" /api/gems/1.csv", test.body)
		if got.Status != 200 || got.Body != header+test.row+"\r\n" {
			t.Errorf("%s: the answer is %d %q, want %q", rule, got.Status, got.Body, test.row)
		}
	}
	api := changing(t, resource.Of[gem]{ExtraProperties: map[string]any{"standard_put": true}})
	send(t, api, "POST /api/gems", stored, "Content-Type", "application/json").HasStatus(201)
	send(t, api, "PUT /api/gems/1.csv", "name,carats,from.city,from.zip,sold\nz,,y,,\n").Reads(200, header+"1,z,,0,false,y,,,,[],[],{},\r\n")
}

// Errors name the line of malformed CSV, the column of a bad value, and the row if there are several.
func TestErrorsNameTheirPlaces(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 1<<20)
	quotes := `"` + strings.Repeat(`""`, 1<<19) + `"`
	for _, shape := range []struct {
		of     validation.Shape
		status int
		value  func(field, pointer string) string
	}{
		{validation.Map, 400, func(field, _ string) string { return `"` + field + `":"` }},
		{validation.Problem, 422, func(_, pointer string) string { return `"pointer":"` + pointer + `"` }},
	} {
		api := changing(t, resource.Of[gem]{Errors: shape.of})
		for rule, test := range map[string]struct{ path, body, field, pointer string }{
			"a value":                            {"", "name,carats\na,x", "carats", "/carats"},
			"a value in an object":               {"", "name,from.zip,from.city,kept.colour\na,b,c,d", "kept.colour", "/kept/colour"},
			"an element of a list":               {"", "name,sizes\na,1 2 x", "sizes[2]", "/sizes/2"},
			"an element of JSON in a cell":       {"", "name,sizes\na,\"[1,\"\"x\"\"]\"", "sizes[1]", "/sizes/1"},
			"a column that there is not":         {"", "name,colour\na,b", "colour", "/colour"},
			"a column without a name":            {"", "name,\na,b", "", "/"},
			"1 MiB in one cell":                  {"", "name\n" + long, "name", "/name"},
			"1 MiB of quotation marks":           {"", "name\n" + quotes, "name", "/name"},
			"1 MiB as a number":                  {"", "name,carats\na," + strings.Repeat("1", 1<<20), "carats", "/carats"},
			"1 MiB as a word":                    {"", "name,sold\na," + long, "sold", "/sold"},
			"a value in the second row":          {"/import", "name,carats\na,1\nb,x\n", "[1].carats", "/1/carats"},
			"a broken rule in the third row":     {"/import", "name\na\nb\n" + strings.Repeat("c", 101), "[2].name", "/2/name"},
			"a column of each row":               {"/import", "name,colour\na,b\nc,d\n", "[1].colour", "/1/colour"},
			"several columns that there are not": {"", "name,carats,colour,size\na,1,x,y", "size", "/size"},
		} {
			got := send(t, api, "POST /api/gems"+test.path, test.body)
			if got.Status != shape.status || !strings.Contains(got.Body, shape.value(test.field, test.pointer)) || len(got.Body) > 1500 {
				t.Errorf("%s: the answer is %d %.400s, want %s", rule, got.Status, got.Body, shape.value(test.field, test.pointer))
			}
			if asked := send(t, api, "POST /api/gems"+test.path, test.body, "Accept", jsonapi.MediaType); asked.Status != shape.status ||
				asked.Header.Get("Content-Type") != jsonapi.MediaType || !strings.Contains(asked.Body, `"errors":[{"status":`) {
				t.Errorf("%s: in JSON:API the answer is %d %.400s", rule, asked.Status, asked.Body)
			}
		}
		for rule, test := range map[string]struct {
			path, body string
			status     int
			says       string
		}{
			"NUL":                           {"", "name\na\x00b", 400, "name"},
			"NUL in the name of a column":   {"", "na\x00me\nb", 400, ""},
			"bytes that are not UTF-8":      {"", "name,note\r\na,\"b\nc\xff\"", 400, "in line 3"},
			"half a character at the end":   {"", "name\na\xc3", 400, "in line 2"},
			"UTF-16":                        {"", "\xff\xfen\x00", 400, "in line 1"},
			"an open quotation mark":        {"", "name,note\na,\"b\n\n", 400, "begins in line 2"},
			"an open one of 1 MiB":          {"", "name\n\"" + long, 400, "begins in line 2"},
			"a quotation mark in a cell":    {"/import", "name\na\nb\"\n", 400, "in line 3"},
			"text behind a quotation mark":  {"/import", "name\n\"a\"\n\"b\" \n", 400, "in line 3"},
			"too many cells":                {"/import", "name\na\nb,c\n", 400, "more cells than columns in line 3"},
			"too few cells":                 {"/import", "name,note\na,\nb\n", 400, "fewer cells than columns in line 3"},
			"a lone CR, which ends nothing": {"", "name,note\ra,b\r", 400, "a carriage return without a line feed in line 1"},
			"lines that end in CR alone":    {"/import", "name,note\ra,b\rc,d\r", 400, "a carriage return without a line feed in line 1"},
			"columns without end":           {"", strings.Repeat(",", 1<<20) + "\n", 400, "more columns than the record has in line 1"},
			"a column twice":                {"", "name,carats,carats\na,1,1", 400, `"pointer":"/carats"`},
			"an empty body":                 {"", "", 400, ""},
			"empty lines alone":             {"", "\r\n\n", 400, "The body is empty"},
			"no row":                        {"", "name", 400, "no row after the header"},
			"two rows for one record":       {"", "name\na\nb", 400, "more than one row"},
			"more than may be sent":         {"", "name\n" + strings.Repeat(long, 5), 413, ""},
		} {
			got := send(t, api, "POST /api/gems"+test.path, test.body)
			if test.body == "" {
				got = send(t, api, "POST /api/gems", "", "Content-Type", asCSV)
			}
			if got.Status != test.status && got.Status != shape.status || !strings.Contains(got.Body, test.says) || len(got.Body) > 1500 ||
				got.Header.Get("Content-Type") != "application/problem+json" {
				t.Errorf("%s: the answer is %d %.400s, want %d that says %q", rule, got.Status, got.Body, test.status, test.says)
			}
		}
		for _, mediaType := range []string{"text/csv; charset=latin1", "text/plain", "text/tab-separated-values", "application/csv"} {
			send(t, api, "POST /api/gems", "name\na", "Content-Type", mediaType).HasStatus(415).Mentions(`"text/csv"`)
		}
		for _, mediaType := range []string{"text/csv; header=absent", `text/csv; Header="Absent"; charset=utf-8`, "text/csv; charset=latin1"} {
			for _, path := range []string{"", "/import"} {
				send(t, api, "POST /api/gems"+path, "name\na", "Content-Type", mediaType).HasStatus(415).Mentions("Send text/csv; charset=utf-8; header=present.")
			}
		}
		if got := send(t, api, "GET /api/gems", ""); got.Body != "[]" {
			t.Errorf("something was saved: %s", got.Body)
		}
	}
}

type mine struct {
	ID     int64  `json:"id"`
	Name   string `json:"name" api:"filter=partial,sort"`
	Depth  int    `json:"depth" api:"filter=range,sort"`
	Owner  int64  `json:"owner" api:"ref=Miner,expand,filter"`
	Secret string `json:"secret"`
}

type miner struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// A table lists the records of all JSON pages together, with the same permissions, filters, order and fields.
func TestATableContainsTheCompleteResult(t *testing.T) {
	t.Parallel()
	isChief := access.If("chief", func(m *miner) bool { return m.Name == "chief" })
	owner := access.Equal("owner", func(m *miner) int64 { return m.ID })
	api := spec.NewAPI(t, resource.Config{
		Formats: append(format.Standard(), csv.Format), Logger: slog.New(slog.DiscardHandler), References: resource.Identifiers,
		Authentication: []access.Scheme{access.Bearer("token", func(_ context.Context, token string) (*miner, access.Scopes, error) {
			return map[string]*miner{"ann": {1, "ann"}, "chief": {2, "chief"}}[token], access.Unlimited, nil
		})},
	}, resource.Of[miner]{Access: access.Rules{Read: access.Public, Create: access.Authenticated, Update: isChief, Delete: isChief}},
		resource.Of[mine]{SparseFields: true, Access: access.Rules{
			Read: access.Any(isChief, owner), Create: access.Authenticated, Update: isChief, Delete: isChief,
			Fields: map[string]access.Field{"secret": {Read: isChief}},
		}})
	as := func(who, request, body string) string {
		return send(t, api, request, body, "Authorization", "Bearer "+who).Body
	}
	as("chief", "POST /api/miners.csv", "name\nann\n")
	as("chief", "POST /api/miners.csv", "name\nchief\n")
	for i := range 70 {
		as("chief", "POST /api/mines.csv", "name,depth,owner,secret\n"+strings.Repeat("m", i%7+1)+","+strings.Repeat("1", i%3+1)+","+string("12"[i%2])+",gold\n")
	}
	for _, test := range []struct {
		who, query, columns string
		rows                int
	}{
		{"chief", "", "id,name,depth,owner,secret", 70},
		{"ann", "", "id,name,depth,owner,secret", 35},
		{"ann", "?name=mmm", "id,name,depth,owner,secret", 25},
		{"ann", "?depth[gte]=11&sort=-depth,name", "id,name,depth,owner,secret", 23},
		{"ann", "?owner=2", "id,name,depth,owner,secret", 0},
		{"chief", "?fields=depth", "id,depth", 70},
		{"chief", "?expand=owner&sort=-name", "id,name,depth,owner,secret", 70},
	} {
		separator := "&"
		if test.query == "" {
			separator = "?"
		}
		table := strings.Split(strings.TrimSuffix(as(test.who, "GET /api/mines.csv"+test.query, ""), "\r\n"), "\r\n")
		if table[0] != test.columns || len(table) != test.rows+1 {
			t.Errorf("%s %s: there are %d rows of %s", test.who, test.query, len(table)-1, table[0])
		}
		var ids []string
		for page := range 3 {
			list := as(test.who, "GET /api/mines"+test.query+separator+"itemsPerPage=30&page="+string("123"[page]), "")
			for _, part := range strings.Split(list, `{"id":`)[1:] {
				if id, rest, _ := strings.Cut(part, ","); !strings.HasPrefix(rest, `"name":"ann"}`) && !strings.HasPrefix(rest, `"name":"chief"}`) {
					ids = append(ids, id)
				}
			}
		}
		for i, id := range ids {
			if i+1 < len(table) && !strings.HasPrefix(table[i+1], id+",") {
				t.Errorf("%s %s: row %d is %s, in JSON it is %s", test.who, test.query, i, table[i+1], id)
			}
		}
		if all := strings.Join(table, "\n"); len(ids) != test.rows || strings.Contains(all, "gold") != (test.who == "chief" && strings.HasSuffix(test.columns, "secret")) {
			t.Errorf("%s %s: %d records in JSON, and the table %s", test.who, test.query, len(ids), all)
		}
	}
	send(t, api, "GET /api/mines.csv", "").HasStatus(401)
}

// part holds itself.
type part struct {
	Name string `json:"name"`
	Of   *part  `json:"of"`
}

type thing struct {
	ID    int64  `json:"id"`
	Whole *part  `json:"whole"`
	Parts []part `json:"parts"`
}

func TestTypesOfHandlers(t *testing.T) {
	t.Parallel()
	get := func(name, path string, h operation.Handler) operation.Operation {
		return operation.GetCollection{Name: name, URITemplate: path, Handler: h}
	}
	list := func(context.Context, *thing, struct{}) ([]place, error) {
		return []place{{City: "a"}, {City: "=b"}}, nil
	}
	count := func(context.Context, *thing, struct{}) (int, error) { return -3, nil }
	words := func(context.Context, *thing, struct{}) ([]string, error) { return []string{"-a", "b"}, nil }
	api := spec.NewAPI(t, resource.Config{Formats: append(format.Standard(), csv.Format)}, resource.Of[thing]{
		Operations: append(operation.Standard(), get("places", "/places", operation.Handle(list)),
			get("count", "/count", operation.Handle(count)), get("words", "/words", operation.Handle(words))),
	})
	send(t, api, "GET /api/places", "", "Accept", asCSV).Reads(200, "city,zip\r\na,\r\n'=b,\r\n")
	send(t, api, "GET /api/count", "", "Accept", asCSV).Reads(200, "value\r\n-3\r\n")
	send(t, api, "GET /api/words", "", "Accept", asCSV).Reads(200, "value\r\n'-a b\r\n")
	const row = "id,whole.name,whole.of,parts\r\n1,a,\"{\"\"name\"\":\"\"b\"\",\"\"of\"\":null}\",\"[{\"\"name\"\":\"\"c\"\",\"\"of\"\":null}]\"\r\n"
	send(t, api, "POST /api/things.csv", row).Reads(201, row)
}

func TestAListOfRecordsIsReadAsRows(t *testing.T) {
	t.Parallel()
	row := &format.Type{Kind: format.Object, Fields: []format.TypeField{
		{Name: "a", Type: &format.Type{Kind: format.Integer}, Writable: true},
		{Name: "b", Type: &format.Type{Kind: format.Text, Nullable: true}, Writable: true},
	}}
	made, err := csv.Format.For(&format.Type{Kind: format.List, Elem: row, Request: true})
	if err != nil {
		t.Fatal(err)
	}
	for body, want := range map[string]string{
		"a,b\n1,x\n\n2,\n3,\"\"": `[{"a":1,"b":"x"},{"a":2,"b":null},{"a":3,"b":""}]`,
		"a,b\n":                  `[]`,
		"b,a\n\"x\ny\",":         `[{"b":"x\ny"}]`,
	} {
		if got, err := made.Read(&format.Body{Bytes: []byte(body)}); err != nil || string(got) != want {
			t.Errorf("%q is %s, %v, want %s", body, got, err, want)
		}
	}
	long := strings.Repeat("n", 2000)
	row.Fields[0].Name = long
	if made, err = csv.Format.For(&format.Type{Kind: format.List, Elem: row, Request: true}); err != nil {
		t.Fatal(err)
	}
	if _, err = made.Read(&format.Body{Bytes: []byte(long + "\n" + strings.Repeat("1\n", 100_000))}); err == nil || !strings.Contains(err.Error(), "too many rows") {
		t.Errorf("the error is %v", err)
	}
}

type coin struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// mint is a store that counts the records which were taken out of it.
type mint struct {
	*memory.Store[coin]

	read, largest int
}

func (m *mint) List(ctx context.Context, query store.Query) (store.Page[coin], error) {
	page, err := m.Store.List(ctx, query)
	m.read, m.largest = m.read+len(page.Items), max(m.largest, len(page.Items))
	return page, err
}

// client reads a response as it arrives, and records how much of it was held back.
type client struct {
	*httptest.ResponseRecorder

	from          *mint
	rows, longest int
	held          int // the most records that were read and not yet written
}

func (c *client) Write(b []byte) (int, error) {
	c.rows += strings.Count(string(b), "\r\n")
	c.longest, c.held = max(c.longest, len(b)), max(c.held, c.from.read-c.rows)
	return len(b), nil
}

// A table is written while it is read: what is kept of it does not grow with it.
func TestATableTakesConstantRoom(t *testing.T) {
	t.Parallel()
	var first client
	for _, rows := range []int{2000, 8000} {
		coins := make([]coin, rows)
		for i := range coins {
			coins[i] = coin{int64(i + 1), fmt.Sprintf("coin %d, %s", i, strings.Repeat("x", 50))}
		}
		from := &mint{Store: memory.New(coins...)}
		api := spec.NewAPI(t, resource.Config{Formats: append(format.Standard(), csv.Format)}, resource.Of[coin]{Store: from})
		c := client{ResponseRecorder: httptest.NewRecorder(), from: from}
		api.ServeHTTP(&c, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/coins.csv", http.NoBody))
		if c.rows != rows+1 {
			t.Errorf("the table has %d rows, want %d and a header", c.rows, rows)
		}
		if first.from == nil {
			first = c
		}
		if from.largest > 256 || c.held > from.largest || c.longest > 64<<10 || c.longest > first.longest+1<<10 {
			t.Errorf("of %d rows %d were read at once, %d held back, and %d bytes written at once", rows, from.largest, c.held, c.longest)
		}
	}
}
