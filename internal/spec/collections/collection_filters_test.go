package collections_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/internal/spec"
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
