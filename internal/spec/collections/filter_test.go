package collections_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// Relic is a resource in which many fields can be null.
type Relic struct {
	ID      int64     `json:"id"`
	Title   *string   `json:"title" api:"filter=iexact|range|exists,sort,search"`
	Motto   string    `json:"motto" api:"filter=start,search"`
	Origin  string    `json:"origin" api:"filter=end"`
	Cursed  bool      `json:"cursed" api:"filter,sort"`
	Blessed *bool     `json:"blessed" api:"filter=exact|exists,sort"`
	Weight  *float64  `json:"weight" api:"filter=exact|range|exists,sort"`
	Rank    string    `json:"rank" validate:"oneof=low 'very high'" api:"filter"`
	FoundAt time.Time `json:"foundAt" api:"filter=exact|range,sort"`
	Shelf   *Shelf    `json:"shelf"`
}

// Shelf is within a Relic, or is not.
type Shelf struct {
	Room  string `json:"room" api:"filter=word_start,sort,search"`
	Level *int   `json:"level" api:"filter=exact|range|exists,sort"`
}

// relics are numbered from 1.
func relics() *memory.Store[Relic] {
	day := func(n int) time.Time { return time.Date(2024, 2, n, 12, 0, 0, 0, time.UTC) }
	return memory.New(
		Relic{Title: new("Crown"), Motto: "100% gold", Origin: "Old Ὀδυσσεύς", Blessed: new(true), Weight: new(1.5), Rank: "low", FoundAt: day(1), Shelf: &Shelf{"Great Hall", new(2)}},
		Relic{Title: new("cROWN"), Motto: "100 x gold", Origin: "Ithaca", Cursed: true, Weight: new(-2.0), Rank: "very high", FoundAt: day(2), Shelf: &Shelf{"great library", nil}},
		Relic{Motto: "", Origin: "", Blessed: new(false), Rank: "low", FoundAt: day(3)},
		Relic{Title: new(""), Motto: "Gold_", Origin: "ITHACA", Cursed: true, Weight: new(0.0), Rank: "low", FoundAt: day(4), Shelf: &Shelf{"Hall of Mirrors", new(-1)}},
		Relic{Title: new("Éclat"), Motto: "go", Origin: "ὈΔΥΣΣΕΎΣ", Blessed: new(true), Weight: new(1e3), Rank: "very high", FoundAt: day(5), Shelf: &Shelf{"", new(2)}},
	)
}

func TestEachFilterFindsWhatItSays(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Relic]{Store: relics()})
	for _, row := range []struct {
		found string
		asked []string // name, value, name, value
	}{
		{"12", []string{"title", "CROWN"}},
		{"5", []string{"title", "éCLAT"}},
		{"4", []string{"title", ""}},
		{"", []string{"title", "crow"}},
		{"1", []string{"title[gte]", "Crown", "title[lt]", "cROWN"}}, // by bytes É comes last
		{"3", []string{"exists[title]", "false"}},
		{"1245", []string{"exists[title]", "true"}},
		{"12", []string{"motto", "100"}},
		{"124", []string{"motto", "100", "motto", "gold"}},
		{"125", []string{"title", "crown", "title", "éclat"}},
		{"1245", []string{"origin", "ithaca", "origin", "σ"}},
		{"", []string{"motto", "x", "motto", "y"}},
		{"1", []string{"motto", "100%"}},
		{"4", []string{"motto", "GOLD"}},
		{"4", []string{"motto", "gold_"}},
		{"24", []string{"origin", "ithaca"}},
		{"15", []string{"origin", "δυσσεύσ"}},
		{"24", []string{"cursed", "true"}},
		{"135", []string{"cursed", "false"}},
		{"15", []string{"blessed", "true"}},
		{"135", []string{"blessed", "true", "blessed", "false"}},
		{"234", []string{"blessed[ne]", "true"}},
		{"24", []string{"blessed[ne]", "true", "blessed[ne]", "false"}},
		{"24", []string{"exists[blessed]", "false"}},
		{"1", []string{"weight", "15e-1"}},
		{"24", []string{"weight", "-2", "weight", "-0"}},
		{"135", []string{"weight[ne]", "-2", "weight[ne]", "0.0"}},
		{"15", []string{"weight[gt]", "0"}},
		{"145", []string{"weight[gte]", "0"}},
		{"24", []string{"weight[lte]", "0"}},
		{"14", []string{"weight[between]", "0..1.5"}},
		{"", []string{"weight[between]", "2..1"}},
		{"3", []string{"exists[weight]", "false"}},
		{"25", []string{"rank", "very high"}},
		{"12345", []string{"rank", "very high", "rank", "low"}},
		{"", []string{"rank[ne]", "very high", "rank[ne]", "low"}},
		{"3", []string{"foundAt", "2024-02-03T14:00:00+02:00"}},
		{"45", []string{"foundAt[gt]", "2024-02-03T12:00:00Z"}},
		{"234", []string{"foundAt[between]", "2024-02-02T00:00:00Z..2024-02-04T23:00:00Z"}},
		{"3", []string{"foundAt[gte]", "2024-02-03", "foundAt[lt]", "2024-02-04"}},
		{"45", []string{"foundAt[gt]", "2024-02-03"}},
		{"123", []string{"foundAt[lte]", "2024-02-03"}},
		{"12", []string{"foundAt[lt]", "2024-02-03"}},
		{"234", []string{"foundAt[between]", "2024-02-02..2024-02-04"}},
		{"34", []string{"foundAt[between]", "2024-02-02T12:00:01Z..2024-02-04"}},
		{"", []string{"foundAt", "2024-02-03"}}, // the instant at which the day begins
		{"3", []string{"exists[weight]", "false"}},
		{"12", []string{"shelf.room", "GREAT"}},
		{"124", []string{"shelf.room", "GREAT", "shelf.room", "hall"}},
		{"14", []string{"shelf.room", "hall"}},
		{"", []string{"shelf.room", "rrors"}},
		{"15", []string{"shelf.level", "2"}},
		{"234", []string{"shelf.level[ne]", "2"}},
		{"4", []string{"shelf.level[lt]", "2"}},
		{"23", []string{"exists[shelf.level]", "false"}},
		{"2", []string{"q", "crown library"}},
		{"2", []string{"q", " library\tcrown library "}},
		{"1", []string{"q", "GREAT 100%"}},
		{"", []string{"q", "crown mirrors"}},
		{"1", []string{"title", "crown", "cursed", "false", "shelf.level[gte]", "2", "q", "hall"}},
		{"", []string{"cursed", "false", "exists[shelf.level]", "false", "exists[title]", "true"}},
	} {
		query := url.Values{}
		for i := 0; i+1 < len(row.asked); i += 2 {
			query.Add(row.asked[i], row.asked[i+1])
		}
		got := c.Send("GET /api/relics?"+query.Encode(), "").HasStatus(200)
		if found := digits(t, got.Body); found != row.found {
			t.Errorf("%v finds %q, want %q", row.asked, found, row.found)
		}
		got.Has("X-Total-Count", fmt.Sprint(len(row.found)))
	}
}

// digits joins the identifiers in an array, each of one digit.
func digits(t testing.TB, body string) string {
	t.Helper()
	var b strings.Builder
	for _, id := range spec.IDsOf(t, body) {
		fmt.Fprint(&b, id)
	}
	return b.String()
}

func TestEachOrderPutsNullFirst(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Relic]{Store: relics()})
	for query, want := range map[string]string{
		"":                         "12345",
		"sort=title":               "34125",
		"sort=-title":              "52143",
		"sort=cursed":              "13524",
		"sort=-cursed":             "42531", // equal ones follow the direction
		"sort=blessed":             "24315",
		"sort=blessed,-weight":     "42351",
		"sort=weight":              "32415",
		"sort=-foundAt":            "54321",
		"sort=shelf.level":         "23415",
		"sort=-shelf.level,title":  "15432",
		"sort=shelf.room":          "35142",
		"sort=-weight,weight":      "51423", // repeated fields do not matter
		"order[weight]=desc":       "51423",
		"order[weight]=DESC":       "51423",
		"order[cursed]=asc&q=gold": "124",
		"order[shelf.level]=desc&order[title]=asc":          "15432",
		"order[title]=asc&order[shelf.level]=desc":          "34125",
		"sort=-foundAt&order[title]=asc":                    "54321",
		"sort=-foundAt&cursed=true":                         "42",
		"sort=shelf.level&exists[shelf.level]=true":         "415",
		"sort=weight,title&weight[lte]=1.5&exists[title]=2": "", // rejected
	} {
		got := c.Send("GET /api/relics?"+query, "")
		if want == "" {
			got.IsProblem(400).Mentions(`"name":"exists[title]"`)
			continue
		}
		if ids := digits(t, got.HasStatus(200).Body); ids != want {
			t.Errorf("%q is in the order %s, want %s", query, ids, want)
		}
	}
}

func TestAFilterRejectsValuesThatItsFieldCannotHave(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Relic]{Store: relics()})
	for query, message := range map[string]string{
		"cursed=2":                              "cursed must be true or false",
		"cursed=true&cursed=false":              "cursed must be given only once",
		"cursed[ne]=true":                       `Unknown parameter \"cursed[ne]\"`,
		"blessed=null":                          "blessed must be true or false",
		"exists[weight]=":                       "exists[weight] must be true or false",
		"exists[motto]=true":                    `Unknown parameter \"exists[motto]\"`,
		"weight=heavy":                          "weight must be a number",
		"weight[between]=1":                     "weight[between] must have the form lower..upper",
		"weight[between]=x..1":                  "weight[between] has an invalid value before the ..: it must be a number",
		"weight[between]=1..":                   "weight[between] has an invalid value after the ..: it must be a number",
		"weight[gt]=1&weight[gt]=2":             "weight[gt] must be given only once",
		"rank=high":                             "rank must be one of: low, very high",
		"rank[ne]=":                             "rank[ne] must be one of: low, very high",
		"foundAt=yesterday":                     "foundAt must be a date and time",
		"foundAt[gt]=2024-02-03T14:00:00+02:00": "encode + as %2B in the URL",
		"shelf.level=2.5":                       "shelf.level must be an integer",
		"shelf=x":                               `Unknown parameter \"shelf\"`,
		"shelf.room=":                           "shelf.room must not be empty",
		"q=":                                    "q must be 1 to 200 characters long",
		"q=" + strings.Repeat("x", 201):         "q must be 1 to 200 characters long",
		"q=%FF":                                 "q must be UTF-8",
		"motto=a%00":                            "motto must not contain the character U+0000",
		"sort=motto":                            "sort must be a comma-separated list of: title, -title, cursed",
		"sort=title,+weight":                    "sort must be",
		"order[title]=up":                       "order[title] must be asc or desc",
		"order[motto]=asc":                      `Unknown parameter \"order[motto]\"`,
		"titel=x":                               `did you mean \"title\"?`,
		strings.Repeat("rank=low&", 100) + "rank=low": "rank must be given at most 100 times",
	} {
		c.Send("GET /api/relics?"+query, "").IsProblem(400).Mentions(message)
		c.Send("GET /api/relics.ndjson?"+query, "").IsProblem(400).Mentions(message)
	}
	c.Send("GET /api/relics?q="+strings.Repeat("%C3%A9", 200), "").Is(200, "[]")
	c.Send("GET /api/relics?"+strings.Repeat("rank=low&", 100), "").HasStatus(200)
}

func TestAllErrorsAreReportedTogether(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Relic]{Store: relics()})
	query := "weight=x&page=0&colour=red&blessed=maybe&sort=motto&weight=y&shape=round"
	got := c.Send("GET /api/relics?"+query, "").IsProblem(400)
	var told []string
	for _, name := range []string{"weight", "page", "blessed", "sort", "colour", "shape"} {
		if strings.Count(got.Body, `"name":"`+name+`"`) == 1 {
			told = append(told, name)
		}
	}
	if !slices.Equal(told, []string{"weight", "page", "blessed", "sort", "colour", "shape"}) {
		t.Errorf("want only %v, once each: %s", told, got.Body)
	}
}

// Stay has dates as strings.
type Stay struct {
	ID   int64     `json:"id"`
	From string    `json:"from" validate:"datetime=2006-01-02" api:"filter=exact|range"`
	To   string    `json:"to" validate:"omitempty,datetime=02.01.2006" api:"filter"`
	Note string    `json:"note" validate:"omitempty,datetime=15:04" api:"filter=partial"`
	Made time.Time `json:"made" api:"filter=range"`
}

func TestAFilterByADateRequiresADate(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Stay]{})
	c.Send("POST /api/stays", `{"from":"2026-05-01","made":"2026-01-01T00:00:00Z"}`).HasStatus(201)
	const form = "a date or time in the format 2006-01-02"
	for query, want := range map[string]string{
		"from[gte]=2026-13-45":                 "from[gte] must be " + form,
		"from=soon":                            "from must be " + form,
		"from=":                                "from must be " + form,
		"from[ne]=2026-5-1":                    "from[ne] must be " + form,
		"from[between]=2026-01-01..2026-02-30": "from[between] has an invalid value after the ..: it must be " + form,
		"from[between]=x..2026-02-28":          "from[between] has an invalid value before the ..: it must be " + form,
		"to=2026-05-01":                        "to must be a date or time in the format 02.01.2006",
		"made[gte]=2026-13-45":                 "made[gte] must be a date and time such as 2006-01-02T15:04:05Z, or a date such as 2006-01-02",
	} {
		name, value, _ := strings.Cut(query, "=")
		c.Send("GET /api/stays?"+url.QueryEscape(name)+"="+url.QueryEscape(value), "").IsProblem(400).Mentions(want).Lacks("soon")
	}
	for query, found := range map[string]int{
		"from=2026-05-01": 1, "from[gte]=2026-05-02": 0, "from[between]=2026-01-01..2026-12-31": 1, "to=": 1, "to=01.05.2026": 0, "note=1": 0,
	} {
		name, value, _ := strings.Cut(query, "=")
		a := c.Send("GET /api/stays?"+url.QueryEscape(name)+"="+url.QueryEscape(value), "").HasStatus(200)
		if ids := spec.IDsOf(t, a.Body); len(ids) != found {
			t.Errorf("%s finds %v, want %d records", query, ids, found)
		}
	}
}

func TestTheDocumentStatesTheFormOfDatesInFilters(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{}, resource.Of[Stay]{})
	if err != nil {
		t.Fatal(err)
	}
	document, err := openapi.Document(api, openapi.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"from[gte]":     `{"examples":["2026-01-15"],"format":"date","type":"string"}`,
		"from":          `{"examples":[["2026-01-15"]],"items":{"type":"string","format":"date"},"maxItems":100,"type":"array"}`,
		"to":            `{"examples":[["02.01.2006"]],"items":{"anyOf":[{"format":"layout","type":"string"},{"maxLength":0,"type":"string"}],"type":"string"},"maxItems":100,"type":"array"}`,
		"from[between]": `{"examples":["2026-01-15..2026-01-16"],"type":"string","format":"range"}`,
		"note":          `{"examples":[["15:04"]],"items":{"minLength":1,"type":"string"},"maxItems":100,"type":"array"}`,
	} {
		p := document.Paths.Value("/api/stays").Get.Parameters.GetByInAndName("query", name)
		got, err := json.Marshal(p.Schema)
		if err != nil || spec.Canonical(t, string(got)) != spec.Canonical(t, want) {
			t.Errorf("%s has the schema %s, want %s; %v", name, got, want, err)
		}
	}
}

func TestATimeIsFoundByTheValueThatWasSent(t *testing.T) {
	t.Parallel()
	type moment struct {
		ID int64      `json:"id"`
		At time.Time  `json:"at" api:"filter=exact|range,sort"`
		To *time.Time `json:"to" api:"filter=exact|range,sort"`
	}
	spec.Alike(t, resource.Of[moment]{}, func(c spec.Client) {
		for _, sent := range []string{
			"2026-11-22T09:30:00.123456789Z", "2026-11-22T11:30:00.1234569+02:00", "1969-12-31T23:59:59.999999999Z", "0001-01-01T00:00:00.000000001Z",
		} {
			made := c.Send("POST /api/things", `{"at":"`+sent+`","to":"`+sent+`"}`).HasStatus(201)
			at := url.QueryEscape(sent)
			for query, want := range map[string]int{
				"at=" + at: 1, "at[gte]=" + at + "&at[lte]=" + at: 1, "at[between]=" + at + ".." + at: 1,
				"at[gt]=" + at + "&at[lt]=2030-01-01": 0, "at[lt]=" + at + "&at[gte]=" + at: 0, "at=" + at + "&at=2030-01-01T00:00:00Z": 1,
				"to=" + at: 1, "to[gte]=" + at + "&to[lte]=" + at: 1, "to[between]=" + at + ".." + at: 1,
			} {
				found := c.Send("GET /api/things?"+query, "").HasStatus(200)
				if body := "[" + made.Body + "]"; want == 1 && found.Body != body || want == 0 && found.Body != "[]" {
					c.T.Errorf("%s finds %s", query, found.Body)
				}
			}
			c.Send("DELETE "+made.Header.Get("Location"), "").HasStatus(204)
		}
	})
}

// Berthing is identified by two fields.
type Berthing struct {
	Pier string `json:"pier" api:"id"`
	Slot int64  `json:"slot" api:"id"`
	Ship string `json:"ship"`
}

func TestTheIdentifierIsAlwaysAnExactFilter(t *testing.T) {
	t.Parallel()
	for name, pennants := range spec.Stores[spec.Pennant](t) {
		t.Run(name, func(t *testing.T) {
			c := spec.NewClient(t, resource.Config{}, resource.Of[spec.Pennant]{Store: pennants})
			for _, color := range []string{"red", "blue", "green"} {
				c.Send("POST /api/pennants", `{"color":"`+color+`"}`).HasStatus(201)
			}
			c.Send("GET /api/pennants?id=1&id=3&id=9", "").Is(200, `[{"id":1,"color":"red"},{"id":3,"color":"green"}]`)
			c.Send("GET /api/pennants?id=9", "").Is(200, `[]`)
			c.Send("GET /api/pennants?id=x", "").HasStatus(400)
		})
	}
}

func TestEachFieldOfACompositeIdentifierIsAnExactFilter(t *testing.T) {
	t.Parallel()
	for name, berths := range spec.Stores[Berthing](t) {
		t.Run(name, func(t *testing.T) {
			c := spec.NewClient(t, resource.Config{}, resource.Of[Berthing]{Store: berths})
			for _, body := range []string{`{"pier":"a","slot":1,"ship":"x"}`, `{"pier":"a","slot":2,"ship":"y"}`, `{"pier":"b","slot":2,"ship":"z"}`} {
				c.Send("POST /api/berthings", body).HasStatus(201)
			}
			c.Send("GET /api/berthings?slot=2&pier=b", "").Is(200, `[{"pier":"b","slot":2,"ship":"z"}]`)
			c.Send("GET /api/berthings?pier=a&pier=b&slot=1", "").Is(200, `[{"pier":"a","slot":1,"ship":"x"}]`)
		})
	}
}

func TestTheIdentifierFilterFindsOnlyReadableRecords(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.Hoard]{Access: access.Rules{
		Read: spec.Published, Create: access.Public, Update: access.Public, Delete: access.Public,
	}})
	c.Send("POST /api/hoards", `{"name":"a","published":true,"owner":1}`).HasStatus(201)
	c.Send("POST /api/hoards", `{"name":"b","published":false,"owner":1}`).HasStatus(201)
	got := c.Send("GET /api/hoards?id=2", "")
	if got.Status != 200 || got.Body != "[]" || got.Header.Get("X-Total-Count") != "0" {
		t.Errorf("a hidden record: %d %s, total %s", got.Status, got.Body, got.Header.Get("X-Total-Count"))
	}
}

func TestAViewWithoutTheIdentifierHasNoFilterByIt(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.Pennant]{Operations: []operation.Operation{
		operation.GetCollection{View: &operation.View{Name: "Color", Fields: []string{"color"}}},
	}})
	c.Send("GET /api/pennants?id=1", "").HasStatus(400)
}

func TestAnOwnParameterTakesPrecedenceOverTheIdentifierFilter(t *testing.T) {
	t.Parallel()
	type own struct {
		ID int64 `json:"id"`
	}
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.Pennant]{Operations: []operation.Operation{operation.GetCollection{Parameters: operation.Parameters[own]{}}}})
	c.Send("GET /api/pennants?id=1", "").HasStatus(200)
}

// Atlas has objects that may be missing.
type Atlas struct {
	ID     int64             `json:"id"`
	Shelf  *Shelf            `json:"shelf" api:"filter=exists"`
	Rooms  *[]Shelf          `json:"rooms" api:"filter=exists"`
	ByName *map[string]Shelf `json:"byName" api:"filter=exists"`
}

func TestAFilterAsksWhetherAnObjectExists(t *testing.T) {
	t.Parallel()
	spec.Alike(t, resource.Of[Atlas]{}, func(c spec.Client) {
		c.Send("POST /api/things", `{"shelf":{"room":"a"}}`).HasStatus(201)
		c.Send("POST /api/things", `{"rooms":[{"room":"a"}]}`).HasStatus(201)
		c.Send("POST /api/things", `{"byName":{"a":{"room":"a"}}}`).HasStatus(201)
		for query, found := range map[string]string{"exists[shelf]=true": `[{"id":1}]`, "exists[shelf]=false": `[{"id":2},{"id":3}]`, "exists[rooms]=true": `[{"id":2}]`, "exists[byName]=true": `[{"id":3}]`} {
			c.Send("GET /api/things?"+query, "").HasIDs(found)
		}
	})
	type wrong struct {
		ID int64             `json:"id"`
		A  *map[string]Shelf `json:"a" api:"filter=exists|end"`
	}
	if _, err := resource.New(resource.Config{}, resource.Of[wrong]{}); err == nil {
		t.Error("the end of a map can be filtered by")
	}
}
