package jsonapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/validation"
)

func TestABodyMayBeWhatWasRead(t *testing.T) {
	t.Parallel()
	for _, references := range []resource.References{resource.Paths, resource.Identifiers} {
		c := newHoard(t, resource.Config{References: references})
		for _, record := range []string{"/api/treasures/1", "/api/treasures/2", "/api/users/2", "/api/tags/a%2Fb"} {
			was := c.Send("GET "+record+".jsonapi", "").HasStatus(200).Body
			c.Send("PUT "+record+".jsonapi", was).Reads(200, was)
			c.Send("PATCH "+record+".jsonapi", was).Reads(200, was)
		}
		c.Send("PATCH /api/treasures/2.jsonapi", ` { "data" : { "type":"treasures", "@a":1, "relationships" : { "heir" : {"data": null} , "tags":{"data":[ {"id":"old","type":"tags"} ]} } } } `).
			HasStatus(200).Mentions(`"heir":{"data":null}`, `"tags":{"data":[{"type":"tags","id":"old"}]}`)
		c.Send("PATCH /api/treasures/2.jsonapi", `{"data":{"type":"treasures","attributes":{"@x":1,"worth":7},"relationships":{"@x":1,"tags":{"data":[]},"owner":{"links":{}}}}}`).
			HasStatus(200).Mentions(`"worth":7`, `"tags":{"data":[]}`, `"owner":{"data":{"type":"users","id":"2"}`)
	}
}

func TestABodyThatIsNotADocumentIsRejected(t *testing.T) {
	t.Parallel()
	for _, references := range []resource.References{resource.Paths, resource.Identifiers} {
		c := newHoard(t, resource.Config{References: references})
		was := c.Send("GET /api/treasures/1.jsonapi", "").Body
		for body, told := range map[string]struct {
			status  int
			pointer string
		}{
			`{}`:                                   {400, ""},
			`[]`:                                   {400, ""},
			`null`:                                 {400, ""},
			` `:                                    {400, ""},
			`{"data":`:                             {400, ""},
			`{"data":null}`:                        {400, "/data"},
			`{"data":[]}`:                          {400, "/data"},
			`{"data":{}}`:                          {400, "/data"},
			`{"data":{"type":7}}`:                  {400, "/data/type"},
			`{"data":{"type":"users"}}`:            {409, "/data/type"},
			`{"data":{"type":"a","type":"b"}}`:     {400, "/data/type"},
			of(`"id":"2"`):                         {409, "/data/id"},
			of(`"id":1`):                           {400, "/data/id"},
			of(`"lid":"x"`):                        {400, "/data/lid"},
			of(`"attributes":7`):                   {400, "/data/attributes"},
			of(`"attributes":{"id":1}`):            {400, "/data/attributes/id"},
			of(`"attributes":{"owner":1}`):         {400, "/data/attributes/owner"},
			of(`"attributes":{"nmae":1}`):          {400, "/data/attributes/nmae"},
			of(`"attributes":{"name":1}`):          {400, "/data/attributes/name"},
			of(`"attributes":{"name":"x"}`):        {400, "/data/attributes/name"},
			of(`"attributes":{"a":{"b":1,"b":2}}`): {400, "/data/attributes/a/b"},
			of(`"relationships":[]`):               {400, "/data/relationships"},
			of(`"relationships":{"wood":{"data":null}}`):                                                  {400, "/data/relationships/wood"},
			of(`"relationships":{"name":{"data":null}}`):                                                  {400, "/data/relationships/name"},
			of(`"relationships":{"owner":null}`):                                                          {400, "/data/relationships/owner"},
			of(`"relationships":{"owner":{}}`):                                                            {400, "/data/relationships/owner"},
			of(`"relationships":{"owner":{"data":null}}`):                                                 {400, "/data/relationships/owner"},
			of(`"relationships":{"owner":{"data":[]}}`):                                                   {400, "/data/relationships/owner/data"},
			of(`"relationships":{"owner":{"data":{"type":"tags","id":"1"}}}`):                             {400, "/data/relationships/owner/data/type"},
			of(`"relationships":{"owner":{"data":{"type":"users","id":1}}}`):                              {400, "/data/relationships/owner/data/id"},
			of(`"relationships":{"owner":{"data":{"type":"users","id":"x"}}}`):                            {400, "/data/relationships/owner/data/id"},
			of(`"relationships":{"owner":{"data":{"type":"users","lid":"x"}}}`):                           {400, "/data/relationships/owner/data/lid"},
			of(`"relationships":{"owner":{"data":{"type":"users","id":"7"}}}`):                            {400, "/data/relationships/owner"},
			of(`"relationships":{"tags":{"data":null}}`):                                                  {400, "/data/relationships/tags/data"},
			of(`"relationships":{"tags":{"data":["old"]}}`):                                               {400, "/data/relationships/tags/data/0"},
			of(`"relationships":{"tags":{"data":[{"type":"tags","id":"old"},{"type":"tags","id":"x"}]}}`): {400, "/data/relationships/tags/data/1"},
		} {
			answer := c.Send("PATCH /api/treasures/1.jsonapi", body).HasStatus(told.status).Mentions(`"errors":[{"status":"4`)
			if told.pointer != "" {
				answer.HasStatus(told.status).Mentions(`"source":{"pointer":"` + told.pointer + `"}`)
			}
		}
		c.Send("GET /api/treasures/1.jsonapi", "").Reads(200, was)
		isGolden(t, c.Send("PATCH /api/treasures/1.jsonapi", of(`"attributes":{"name":"x","nmae":3,"worth":"s"},"relationships":{"owner":{"data":{"type":"users","id":"7"}}}`)), 400, "violations")
		isGolden(t, c.Send("GET /api/treasures/9.jsonapi", ""), 404, "missing")
	}
}

// of returns a document of a treasure.
func of(members string) string { return `{"data":{"type":"treasures",` + members + `}}` }

func TestWhoChoosesTheID(t *testing.T) {
	t.Parallel()
	c := newHoard(t, resource.Config{})
	c.Send("POST /api/users.jsonapi", `{"data":{"type":"users","id":"7","attributes":{"name":"Cid"}}}`).HasStatus(403).Mentions(`"source":{"pointer":"/data/id"}`)
	c.Send("POST /api/tags.jsonapi", `{"data":{"type":"tags","id":"new","attributes":{"color":"red"}}}`).HasStatus(201).Mentions(`"id":"new"`).Has("Location", "/api/tags/new")
	c.Send("POST /api/tags.jsonapi", `{"data":{"type":"tags","id":"new","attributes":{"color":"red"}}}`).HasStatus(409).Mentions(`"source":{"pointer":"/data/id"}`)
	// The status of a body that is not valid is that of the resource's Errors.
	c.Send("POST /api/tags.jsonapi", `{"data":{"type":"tags","attributes":{"color":"red"}}}`).HasStatus(422).Mentions(`"status":"422"`, `"source":{"pointer":"/data/id"}`)
	c.Send("POST /api/tags.jsonapi", `{"data":{"type":"tags","id":"x","attributes":{"name":"y","color":"red"}}}`).HasStatus(400).Mentions(`"source":{"pointer":"/data/attributes/name"}`)
}

// FuzzABodyIsRejectedOrChangesTheRecord holds the reader to its word for any bytes: it is 200 and
// the record is one still, or 4xx with errors and nothing has changed.
func FuzzABodyIsRejectedOrChangesTheRecord(f *testing.F) {
	for _, body := range []string{
		of(`"id":"1","attributes":{"name":"Iron"}`), of(`"relationships":{"tags":{"data":[{"type":"tags","id":"old"},{}]}}`),
		of(`"relationships":{"heir":{"data":null}},"included":[]`), "{", `{"data":[1,{"b":"\u0000"}]}`, `{"data":{"type":"users"}}`,
		of(`"lid":"x"`), of(`"id":"\ud800"`), "\xff", `{"data":{"type":"treasures","type":7}}`, of(`"attributes":{"@a":{},"name":null}`),
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		c := newHoard(t, resource.Config{})
		was := c.Send("GET /api/treasures/1.jsonapi", "").Body
		answered := c.Send("PATCH /api/treasures/1.jsonapi", body)
		now := c.Send("GET /api/treasures/1.jsonapi", "")
		switch {
		case answered.Status == 200 && json.Valid([]byte(now.Body)):
			c.Send("PUT /api/treasures/1.jsonapi", now.Body).Reads(200, now.Body)
		case answered.Status < 400 || answered.Status > 499 || now.Body != was:
			t.Errorf("%q is %d, and the record %s", body, answered.Status, now.Body)
		}
	})
}

// FuzzAQueryIsRejectedOrReturnsAPage holds the same of queries: never a failure, and pages lead to pages.
func FuzzAQueryIsRejectedOrReturnsAPage(f *testing.F) {
	for _, query := range []string{
		"page[number]=1&page[size]=1", "filter[owner]=1&include=owner", "fields[treasures]=", "sort=-worth", "filter[", "%5B=]", "include=;", "filter[worth][gte]=%zz",
	} {
		f.Add(query)
	}
	c := newHoard(f, resource.Config{})
	f.Fuzz(func(t *testing.T, query string) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost/api/treasures.jsonapi", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		r.URL.RawQuery = query
		w := httptest.NewRecorder()
		c.api.ServeHTTP(w, r)
		if w.Code != http.StatusOK && w.Code != http.StatusBadRequest {
			t.Errorf("%q is %d: %s", query, w.Code, w.Body)
		}
		if len(mistakesIn(w.Body.String())) > 0 && !strings.Contains(query, "fields") {
			t.Errorf("%q: %v", query, mistakesIn(w.Body.String()))
		}
		var page struct {
			Links map[string]*string `json:"links"`
		}
		if w.Code != http.StatusOK || json.Unmarshal(w.Body.Bytes(), &page) != nil {
			return
		}
		for name, link := range page.Links {
			if link == nil {
				continue
			}
			w := httptest.NewRecorder()
			c.api.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, *link, http.NoBody))
			if w.Code != http.StatusOK {
				t.Errorf("%q leads %s to %s, which is %d", query, name, *link, w.Code)
			}
		}
	})
}

// Errors point to places in the request, or to where a missing value would be.
func TestPointersLeadIntoTheDocumentThatWasSent(t *testing.T) {
	t.Parallel()
	for _, references := range []resource.References{resource.Paths, resource.Identifiers} {
		c := newHoard(t, resource.Config{References: references})
		for _, body := range []string{
			`{"data":null}`, `{"data":[]}`, `{"data":[{"type":"treasures"}]}`, `{"data":7}`, `{"data":{}}`, `{"data":{"type":null}}`, `{"data":{"type":"wood"}}`,
			of(`"id":"9"`), of(`"id":null`), of(`"lid":"x"`), of(`"attributes":null`), of(`"attributes":[]`), of(`"attributes":"x"`),
			of(`"attributes":{"name":null}`), of(`"attributes":{"name":7,"worth":"x"}`), of(`"attributes":{"name":{"a":1}}`), of(`"attributes":{"n/a~":1}`),
			of(`"attributes":{"id":"1"}`), of(`"attributes":{"owner":"1"}`), of(`"relationships":null`), of(`"relationships":[]`),
			of(`"relationships":{"wood":{}}`), of(`"relationships":{"n/a~":{"data":null}}`), of(`"relationships":{"name":{"data":null}}`), of(`"relationships":{"owner":[]}`),
			of(`"relationships":{"owner":{}}`), of(`"relationships":{"owner":{"data":null}}`), of(`"relationships":{"owner":{"data":7}}`), of(`"relationships":{"owner":{"data":[{"type":"users","id":"1"}]}}`),
			of(`"relationships":{"owner":{"data":{"type":"users","id":"77"}}}`), of(`"relationships":{"owner":{"data":{"type":"users","id":7}}}`),
			of(`"relationships":{"owner":{"data":{"type":"tags","id":"1"}}}`), of(`"relationships":{"tags":{"data":{"type":"tags","id":"old"}}}`),
			of(`"relationships":{"tags":{"data":[{"type":"tags","id":"old"},{"type":"tags","id":"old"}]}}`),
			of(`"relationships":{"tags":{"data":[{"type":"tags","id":"old"},7]}}`), of(`"relationships":{"tags":{"data":[{"type":"tags","id":"none"}]}}`),
		} {
			for _, request := range []string{"POST /api/treasures.jsonapi", "PATCH /api/treasures/1.jsonapi", "PUT /api/treasures/1.jsonapi"} {
				pointsInto(t, request, body, c.Send(request, body).Body)
			}
		}
	}
}

func pointsInto(t *testing.T, request, body, answer string) {
	t.Helper()
	var refused struct {
		Errors []struct {
			Status string `json:"status"`
			Code   string `json:"code"`
			Title  string `json:"title"`
			Detail string `json:"detail"`
			Source struct {
				Pointer *string `json:"pointer"`
			} `json:"source"`
		} `json:"errors"`
	}
	if err := json.Unmarshal([]byte(answer), &refused); err != nil || len(refused.Errors) == 0 {
		t.Fatalf("%s of %s gets %s", request, body, answer)
	}
	for _, e := range refused.Errors {
		if e.Source.Pointer == nil || e.Title == "" || e.Detail == "" || !slices.Contains([]string{"400", "403", "409"}, e.Status) {
			t.Errorf("%s of %s is refused by %+v", request, body, e)
			continue
		}
		var at any
		if err := json.Unmarshal([]byte(body), &at); err != nil {
			t.Fatal(err)
		}
		there := true
		for _, step := range strings.Split(*e.Source.Pointer, "/")[1:] {
			step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
			switch in := at.(type) {
			case map[string]any:
				at, there = in[step], there && hasKey(in, step)
			case []any:
				i, err := strconv.Atoi(step)
				if there = there && err == nil && i < len(in); there {
					at = in[i]
				}
			default:
				there = false
			}
		}
		if !there && e.Code != "required" {
			t.Errorf("%s of %s points at %s, where nothing is: %+v", request, body, *e.Source.Pointer, e)
		}
	}
}

func hasKey(in map[string]any, name string) bool { _, has := in[name]; return has }

// One thing that is wrong is enough for nothing to be saved.
func TestNothingIsSavedByHalf(t *testing.T) {
	t.Parallel()
	c := newHoard(t, resource.Config{})
	was := c.Send("GET /api/treasures.jsonapi", "").Body
	for _, wrong := range []string{
		`"attributes":{"name":"Better","worth":"x"}`, `"attributes":{"name":"Better","wood":1}`,
		`"attributes":{"name":"Better"},"relationships":{"wood":{"data":null}}`,
		`"attributes":{"name":"Better"},"relationships":{"owner":{"data":{"type":"users","id":"77"}}}`,
		`"attributes":{"name":"Better"},"relationships":{"tags":{"data":[]},"owner":{"data":{"type":"users","id":"77"}}}`,
		`"attributes":{"name":"Better"},"relationships":{"owner":{"data":{"type":"users","id":"2"}},"tags":{"data":[{"type":"tags","id":"a/b"},{"type":"tags","id":"none"}]}}`,
	} {
		for _, request := range []string{"POST /api/treasures.jsonapi", "PATCH /api/treasures/1.jsonapi", "PUT /api/treasures/1.jsonapi"} {
			c.Send(request, of(wrong)).HasStatus(400).Mentions(`"errors":[`)
			c.Send("GET /api/treasures.jsonapi", "").Reads(200, was)
		}
	}
}

// The specification's rules for responses to creations, changes and deletions.
func TestStatusesOfWriting(t *testing.T) {
	t.Parallel()
	c := newHoard(t, resource.Config{})
	bodies := map[string]string{
		"/api/users":     `{"data":{"type":"users","attributes":{"name":"Cid"}}}`,
		"/api/tags":      `{"data":{"type":"tags","id":"x y/z.v2","attributes":{"color":"red"}}}`,
		"/api/treasures": of(`"attributes":{"name":"Iron"},"relationships":{"owner":{"data":{"type":"users","id":"1"}}}`),
	}
	for at, body := range bodies {
		for _, suffix := range []string{"", ".jsonapi"} {
			made := c.Send("POST "+at+suffix, body, "Accept", jsonapi.MediaType)
			made.HasStatus(201)
			var d struct {
				Data object `json:"data"`
			}
			if err := json.Unmarshal([]byte(made.Body), &d); err != nil || made.Header.Get("Location") != d.Data.Links["self"] {
				t.Errorf("the Location is %s of %s", made.Header.Get("Location"), made.Body)
			}
			self := d.Data.Links["self"]
			accept := []string{"Accept", jsonapi.MediaType}
			c.Send("GET "+self, "", accept...).Reads(200, made.Body)
			whole := fmt.Sprintf(`{"data":{"type":%q,"id":%q}}`, d.Data.Type, d.Data.ID)
			c.Send("PATCH "+self, whole, accept...).Reads(200, made.Body)
			c.Send("PATCH "+self, strings.Replace(whole, `"id":"`, `"id":"0`, 1), accept...).HasStatus(409).Mentions(`"pointer":"/data/id"`)
			c.Send("PATCH "+self, `{"data":{"type":"wood"}}`, accept...).HasStatus(409).Mentions(`"pointer":"/data/type"`)
			c.Send("POST "+at, `{"data":{"type":"wood"}}`, accept...).HasStatus(409).Mentions(`"pointer":"/data/type"`)
			c.Send("DELETE "+self, "", accept...).Reads(204, "").Has("Content-Type", "")
			for _, method := range []string{"GET ", "PATCH ", "DELETE "} {
				sent := ""
				if method == "PATCH " {
					sent = whole
				}
				c.Send(method+self, sent, accept...).HasStatus(404).Mentions(`"errors":[{"status":"404"`)
			}
		}
	}
}

// Orders are lists, each name with a minus or without.
func TestSortOrdersOfSeveralFields(t *testing.T) {
	t.Parallel()
	c := newHoard(t, resource.Config{})
	c.Send("POST /api/treasures.jsonapi", of(`"attributes":{"name":"Aluminium","worth":5},"relationships":{"owner":{"data":{"type":"users","id":"1"}}}`)).HasStatus(201)
	for sort, want := range map[string]string{
		"name": "312", "-name": "213", "worth": "213", "-worth": "312", "worth,-name": "213", "-worth,name": "312", "-worth,-name": "132", "worth,name": "231",
	} {
		var got string
		for _, one := range many[object](t, read(t, c, "/api/treasures.jsonapi?sort="+sort).Data) {
			got += one.ID
		}
		if got != want {
			t.Errorf("by %s the order is %s, want %s", sort, got, want)
		}
	}
	for _, sort := range []string{"", ",", "wood", "name,wood", "-WORTH", "--name", "+name", "owner.name", "name,", "desc"} {
		c.Send("GET /api/treasures.jsonapi?sort="+url.QueryEscape(sort), "").HasStatus(400).Mentions(`"source":{"parameter":"sort"}`)
	}
	for _, include := range []string{",", "owner,", "owner,wood", "owner.wood", "owner.", ".", "Owner", "owner.boss.boss", "name", "id"} {
		c.Send("GET /api/treasures.jsonapi?include="+include, "").HasStatus(400).Mentions(`"source":{"parameter":"include"}`)
	}
	c.Send("GET /api/tags.jsonapi?include=wood", "").HasStatus(400).Mentions(`"source":{"parameter":"include"}`)
	c.Send("POST /api/users.jsonapi?include=boss", `{"data":{"type":"users","attributes":{"name":"x"}}}`).HasStatus(400).Mentions(`"source":{"parameter":"include"}`)
}

// Large, deep and duplicate values are rejected with their places, and not repeated.
func TestBodiesThatAreTooMuch(t *testing.T) {
	t.Parallel()
	type Note struct {
		ID   int64          `json:"id"`
		Text string         `json:"text" validate:"max=20"`
		Any  map[string]any `json:"any"`
	}
	c := newClient(t, resource.Config{MaxBodyBytes: 4 << 20, Errors: validation.Problem}, resource.Of[Note]{})
	large := strings.Repeat("a", 1<<20)
	for name, row := range map[string]struct {
		data   string
		status int
		says   string
	}{
		"a text of a megabyte":             {`{"type":"notes","attributes":{"text":"` + large + `"}}`, 422, `"pointer":"/data/attributes/text"`},
		"an unknown name of a megabyte":    {`{"type":"notes","attributes":{"text":"x","` + large + `":1}}`, 422, `"errors":[`},
		"a type of a megabyte":             {`{"type":"` + large + `"}`, 409, `"pointer":"/data/type"`},
		"an id of a megabyte":              {`{"type":"notes","id":"` + large + `"}`, 403, `"pointer":"/data/id"`},
		"a relationship of a megabyte":     {`{"type":"notes","relationships":{"x":{"data":"` + large + `"}}}`, 400, `"pointer":"/data/relationships/x"`},
		"a body of more than is taken":     {`{"type":"notes","attributes":{"text":"` + strings.Repeat(large, 4) + `"}}`, 413, `"errors":[`},
		"a value that is nested deep":      {`{"type":"notes","attributes":{"text":"x","any":{"a":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}}}`, 413, `"errors":[`},
		"data that is nested deep":         {strings.Repeat(`{"data":`, 5000) + "1" + strings.Repeat("}", 5000), 413, `"errors":[`},
		"a name that is there twice":       {`{"type":"notes","attributes":{"text":"x","text":"y"}}`, 400, `"pointer":"/data/attributes/text"`},
		"attributes that are there twice":  {`{"type":"notes","attributes":{},"attributes":{}}`, 400, `"pointer":"/data/attributes"`},
		"a relationship that is not there": {`{"type":"notes","relationships":{"any":{"data":null}}}`, 400, `"pointer":"/data/relationships/any"`},
	} {
		answer := c.Send("POST /api/notes.jsonapi", `{"data":`+row.data+`}`)
		if answer.Status != row.status || !strings.Contains(answer.Body, row.says) || len(answer.Body) > 2000 {
			t.Errorf("%s: the answer is %d %.500s", name, answer.Status, answer.Body)
		}
	}
	c.Send("GET /api/notes.jsonapi", "").HasStatus(200).Mentions(`"data":[]`)
}
