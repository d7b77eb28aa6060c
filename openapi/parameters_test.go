package openapi_test

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/validation"
)

func TestASparseAnswerRequiresTheIdentifierAlone(t *testing.T) {
	t.Parallel()
	document := documentOf(t, relics(t))
	if got := document.at(t, "components", "schemas", "RelicSparse", "required"); len(got.([]any)) != 1 || got.([]any)[0] != "id" {
		t.Errorf("RelicSparse requires %v", got)
	}
	whole := document.at(t, "components", "schemas", "Relic", "required").([]any)
	if len(whole) != 18 {
		t.Errorf("Relic, which Post answers with, requires %v", whole)
	}
}

func TestAnswersOfCollectionsAreDescribed(t *testing.T) {
	t.Parallel()
	answer := tree(documentOf(t, relics(t)).at(t, "paths", relicsPath, "get", "responses", "200").(map[string]any))
	if got := slices.Sorted(maps.Keys(answer.at(t, "content").(map[string]any))); !slices.Equal(got, []string{"application/json", "application/x-ndjson"}) {
		t.Errorf("the media types are %v", got)
	}
	text := answer.at(t, "content", "application/x-ndjson", "example").(string)
	var relic Relic
	line, behind, _ := strings.Cut(text, "\n")
	if err := json.Unmarshal([]byte(line), &relic); err != nil || relic.ID != 1 || !strings.HasPrefix(line, `{"id":`) || behind != "" {
		t.Errorf("the example of a stream is %q (%v), want one line", text, err)
	}
}

// crowd is a store that says that it has many records.
type crowd struct {
	store.Store[Category]
	total int
}

func (c *crowd) List(ctx context.Context, query store.Query) (store.Page[Category], error) {
	page, err := c.Store.List(ctx, query)
	page.Total = c.total
	return page, err
}

func (*crowd) Groups() bool { return true }

func (*crowd) Estimates() bool { return true }

func (c *crowd) Estimate(context.Context) (int, error) { return c.total, nil }

// TestHeadersOfPagesAreThoseThatAreSent compares what is documented with what the service
// sends, for each way to turn pages.
func TestHeadersOfPagesAreThoseThatAreSent(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		pagination operation.Pagination
		queries    []string
		want       []string
	}{
		"by number":                        {operation.Pagination{}, []string{""}, []string{"Accept-Query", "ETag", "Link", "X-Total-Count", "X-Total-More-Than"}},
		"counted exactly":                  {operation.Pagination{Total: operation.TotalExact}, []string{""}, []string{"Accept-Query", "ETag", "Link", "X-Total-Count"}},
		"estimated":                        {operation.Pagination{Total: operation.TotalEstimated}, []string{"", "?id=1"}, []string{"Accept-Query", "ETag", "Link", "X-Total-Count", "X-Total-Estimate", "X-Total-More-Than"}},
		"not counted":                      {operation.Pagination{Total: operation.TotalNone}, []string{""}, []string{"Accept-Query", "ETag", "Link"}},
		"partial":                          {operation.Pagination{Partial: new(true), Total: operation.TotalExact}, []string{""}, []string{"Accept-Query", "ETag", "Link"}},
		"by cursor":                        {operation.Pagination{ViaCursor: new(true)}, []string{"", "?cursor="}, []string{"Accept-Query", "ETag", "Link"}},
		"by cursor or as a whole":          {operation.Pagination{ViaCursor: new(true), ClientEnabled: new(true)}, []string{"", "?pagination=false"}, []string{"Accept-Query", "ETag", "Link", "X-Total-Count"}},
		"a collection without pages":       {operation.Pagination{Enabled: new(false)}, []string{""}, []string{"Accept-Query", "ETag", "X-Total-Count"}},
		"where clients may leave them out": {operation.Pagination{ClientPartial: new(true)}, []string{"", "?partial=true"}, []string{"Accept-Query", "ETag", "Link", "X-Total-Count", "X-Total-More-Than"}},
		"where clients may count":          {operation.Pagination{ClientPartial: new(true), Total: operation.TotalNone}, []string{"", "?partial=false"}, []string{"Accept-Query", "ETag", "Link", "X-Total-Count", "X-Total-More-Than"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			categories := &crowd{Store: memory.New[Category]()}
			api := mounted(t, resource.Of[Category]{Store: categories, Operations: []operation.Operation{operation.GetCollection{Pagination: test.pagination}}})
			answer := tree(documentOf(t, api).at(t, "paths", "/api/categories", "get", "responses", "200").(map[string]any))
			documented := slices.Sorted(maps.Keys(answer.at(t, "headers").(map[string]any)))
			if !slices.Equal(documented, test.want) {
				t.Errorf("documented are %v, want %v", documented, test.want)
			}
			var sent []string
			for _, categories.total = range []int{1, 20_000} {
				for _, query := range test.queries {
					header := get(t, api, "/api/categories"+query).Header()
					for _, field := range []string{"Accept-Query", "ETag", "Link", "X-Total-Count", "X-Total-Estimate", "X-Total-More-Than"} {
						if header.Get(field) != "" && !slices.Contains(sent, field) {
							sent = append(sent, field)
						}
					}
				}
			}
			if slices.Sort(sent); !slices.Equal(sent, test.want) {
				t.Errorf("sent are %v, want %v", sent, test.want)
			}
		})
	}
}

// TestDescriptionsSayWhatTakesPrecedence reads the sentences on parameters that say
// different things.
func TestDescriptionsSayWhatTakesPrecedence(t *testing.T) {
	t.Parallel()
	described := map[string]string{}
	for _, p := range list(documentOf(t, relics(t)).at(t, "paths", relicsPath, "get", "parameters")) {
		described[p["name"].(string)], _ = p["description"].(string)
	}
	for name, want := range map[string]string{
		"page":          "Ignored with `cursor` and by streams.",
		"itemsPerPage":  "Ignored by streams.",
		"pagination":    "takes precedence over all paging parameters",
		"partial":       "Ignored with `cursor` and by streams.",
		"cursor":        "Takes precedence over `page`. Unless empty, it includes the sort order: `sort` and `order[…]` are ignored.",
		"sort":          "Takes precedence over `order[…]`.",
		"order[name]":   "Ignored with `sort`.",
		"open":          "`open` equals the value.",
		"metal":         "`metal` equals one of the values.",
		"metal[ne]":     "`metal` equals none of the values.",
		"ref[ne]":       "Null matches, too.",
		"size[between]": "written `low..high`",
		"limit":         "How many wishes.",
		"unit":          "Unit.",
	} {
		if !strings.Contains(described[name], want) {
			t.Errorf("%s is described as %q, want %q in it", name, described[name], want)
		}
	}
	for name, text := range described {
		if !strings.HasSuffix(text, ".") {
			t.Errorf("%s is described as %q, want sentences", name, text)
		}
	}
}

// Span are parameters with rules over several of them.
type Span struct {
	From  time.Time `json:"from" validate:"required"`
	Until time.Time `json:"until" validate:"omitempty,gtfield=From"`
	Depth int       `json:"depth" default:"2" example:"7" doc:"How deep to look"`
	Trace string    `json:"X-Trace" api:"header" validate:"required_with=Depth"`
}

// Walk are parameters with a rule over all of them.
type Walk struct {
	Steps int `json:"steps"`
}

func TestOwnParametersAreDescribedAsMembersAre(t *testing.T) {
	t.Parallel()
	api := newAPI(t, configuration{
		config: resource.Config{Rules: []validation.Rule{validation.Struct(func(context.Context, *Walk) error { return nil })}},
		declarations: []resource.Declaration{resource.Of[Category]{Operations: []operation.Operation{
			operation.Get{Parameters: operation.Parameters[Span]{}},
			operation.Delete{Parameters: operation.Parameters[Walk]{}},
		}}},
	})
	if err := openapi.Mount(api, openapi.Config{}); err != nil {
		t.Fatal(err)
	}
	got := list(documentOf(t, api).at(t, "paths", "/api/categories/{id}", "get", "parameters"))[1:5]
	want := []map[string]any{
		{"name": "from", "in": "query", "description": "From.", "required": true, "example": "2026-01-15T09:30:00Z", "schema": map[string]any{"type": "string", "format": "date-time"}},
		{"name": "until", "in": "query", "description": "Must be after from.", "schema": map[string]any{
			"type": "string", "format": "date-time", "allOf": []any{map[string]any{"type": "string", "format": "compared"}},
		}},
		{"name": "depth", "in": "query", "description": "How deep to look", "example": 7.0, "schema": map[string]any{"type": "integer", "format": "int64", "default": 2.0}},
		{"name": "X-Trace", "in": "header", "description": "Required if depth is present.", "example": "X- trace", "schema": map[string]any{"type": "string", "format": "conditional"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the parameters differ (-want +got):\n%s", diff)
	}
	steps := list(documentOf(t, api).at(t, "paths", "/api/categories/{id}", "delete", "parameters"))[1]
	if got := steps["schema"].(map[string]any)["format"]; got != "conditions" {
		t.Errorf("a parameter of a struct with a rule over it has the format %v", got)
	}
}

// TestUnknownParametersAreRejectedWithTheDocumentedOnes compares the allowed parameters that an error lists.
func TestUnknownParametersAreRejectedWithTheDocumentedOnes(t *testing.T) {
	t.Parallel()
	api := relics(t)
	var documented []string
	for _, p := range list(documentOf(t, api).at(t, "paths", relicsPath, "get", "parameters")) {
		if p["in"] == "query" {
			documented = append(documented, p["name"].(string))
		}
	}
	var problem struct {
		Allowed []string `json:"allowed"`
	}
	w := get(t, api, relicsPath+"?colour=red")
	if err := json.Unmarshal(w.Body.Bytes(), &problem); err != nil || w.Code != http.StatusBadRequest {
		t.Fatalf("%d %s (%v)", w.Code, w.Body, err)
	}
	if diff := cmp.Diff(documented, problem.Allowed); diff != "" {
		t.Errorf("the service allows other parameters than the document has, or in another order (-document +service):\n%s", diff)
	}
}

// Rower is a record by whose fields skiffs are filtered.
type Rower struct {
	ID    int64     `json:"id"`
	Name  string    `json:"name" validate:"max=40" api:"filter=partial,sort"`
	Rank  int       `json:"rank" validate:"gte=1,lte=9" api:"filter=exact|range,sort"`
	Side  string    `json:"side" validate:"oneof=port starboard" api:"filter"`
	Nick  *string   `json:"nick" api:"filter=exact|exists,sort"`
	Since time.Time `json:"since" api:"filter=range"`
	Coach *int64    `json:"coach" api:"ref=Rower,filter,through=rank"`
}

type Skiff struct {
	ID     int64  `json:"id"`
	Name   string `json:"name" validate:"max=40" api:"sort"`
	Stroke int64  `json:"stroke" api:"ref=Rower,expand,filter,through=name|rank|side|nick|coach"`
	Bow    *int64 `json:"bow" api:"ref=Rower,through=since|name"`
}

// The parameters through a reference are those that the other collection has itself, and the order
// names both.
func TestParametersThroughReferencesAreThoseOfTheOtherCollection(t *testing.T) {
	t.Parallel()
	doc := documented(t, newAPI(t, configuration{declarations: []resource.Declaration{resource.Of[Skiff]{}, resource.Of[Rower]{}}}), openapi.Config{Title: "Regatta", Version: "1"})
	schemas := map[string]map[string]string{}
	for _, path := range []string{"/api/skiffs", "/api/rowers"} {
		schemas[path] = map[string]string{}
		for _, parameter := range doc.Paths.Value(path).Get.Parameters {
			text, err := json.Marshal(parameter.Value.Schema)
			if err != nil {
				t.Fatal(err)
			}
			schemas[path][parameter.Value.Name] = string(text)
			if strings.Contains(parameter.Value.Name, ".") && !strings.Contains(parameter.Value.Description, "the caller can see") {
				t.Errorf("%s does not say by which records: %s", parameter.Value.Name, parameter.Value.Description)
			}
		}
	}
	var through []string
	for name, schema := range schemas["/api/skiffs"] {
		if !strings.Contains(name, ".") {
			continue
		}
		through = append(through, name)
		if own := schemas["/api/rowers"][strings.NewReplacer("stroke.", "", "bow.", "").Replace(name)]; own != schema {
			t.Errorf("%s is %s, but that of the other collection %s", name, schema, own)
		}
	}
	slices.Sort(through)
	want := []string{
		"bow.name", "bow.since[between]", "bow.since[gt]", "bow.since[gte]", "bow.since[lt]", "bow.since[lte]",
		"exists[stroke.nick]", "order[bow.name]", "order[stroke.name]", "order[stroke.nick]", "order[stroke.rank]",
		"stroke.coach", "stroke.coach[ne]", "stroke.name", "stroke.nick", "stroke.nick[ne]",
		"stroke.rank", "stroke.rank[between]", "stroke.rank[gt]", "stroke.rank[gte]", "stroke.rank[lt]", "stroke.rank[lte]", "stroke.rank[ne]",
		"stroke.side", "stroke.side[ne]",
	}
	if diff := cmp.Diff(want, through); diff != "" {
		t.Errorf("parameters through references (-want +got):\n%s", diff)
	}
	for _, name := range []string{`"stroke.name"`, `"-stroke.nick"`, `"bow.name"`, `"-name"`} {
		if !strings.Contains(schemas["/api/skiffs"]["sort"], name) {
			t.Errorf("sort lacks %s: %s", name, schemas["/api/skiffs"]["sort"])
		}
	}
}

// Galley has several rowers.
type Galley struct {
	ID   int64   `json:"id"`
	Crew []int64 `json:"crew" validate:"max=4" api:"ref=Rower,filter,through=name|rank|side|nick|since|coach"`
}

func TestFiltersThroughAListSayThatOneRecordMatchesAll(t *testing.T) {
	t.Parallel()
	api := declared(t, resource.Config{}, resource.Of[Galley]{}, resource.Of[Rower]{})
	doc := documented(t, api, openapi.Config{Title: "Galleys", Version: "1"})
	said := false
	for _, parameter := range doc.Paths.Value("/api/galleys").Get.Parameters {
		name := parameter.Value.Name
		if name == "crew.rank" {
			said = strings.Contains(parameter.Value.Description, "One record in `crew` that the caller can see must match all such filters.")
		}
		if name == "sort" || strings.HasPrefix(name, "order[") {
			t.Errorf("there is the parameter %s, but no order goes through a list", name)
		}
	}
	if !said {
		t.Error("the document does not say that one record fulfils what is asked through a list")
	}
}

func TestTheDocumentHasTheOffsetOfCollectionsThatTakeIt(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		pagination operation.Pagination
		most       float64 // -1 for none
	}{
		"by default there is none":        {operation.Pagination{}, -1},
		"the greatest is that of pages":   {operation.Pagination{ClientOffset: new(true), MaxPage: 3, MaxItemsPerPage: 50}, 100},
		"a fixed length is the length":    {operation.Pagination{ClientOffset: new(true), MaxPage: 3, ItemsPerPage: 7, ClientItemsPerPage: new(false)}, 14},
		"pages by cursor alone have none": {operation.Pagination{ClientOffset: new(true), ViaCursor: new(true)}, -1},
	} {
		api := newAPI(t, configuration{declarations: []resource.Declaration{resource.Of[Jewel]{Pagination: test.pagination}}})
		doc := documented(t, api, openapi.Config{})
		p := doc.Paths.Value("/api/jewels").Get.Parameters.GetByInAndName("query", "offset")
		switch {
		case p == nil && test.most < 0:
		case p == nil || test.most < 0:
			t.Errorf("%s: %v", name, p)
		case *p.Schema.Value.Min != 0 || *p.Schema.Value.Max != test.most:
			t.Errorf("%s: from %v to %v", name, *p.Schema.Value.Min, *p.Schema.Value.Max)
		}
	}
}

// Relic is a resource whose collection has every sort of parameter.
type Relic struct {
	ID    int64      `json:"id"`
	Name  string     `json:"name" api:"filter=partial|range,sort,search" example:"Golden goblet"`
	Motto *string    `json:"motto" api:"filter=iexact|exists,sort"`
	Start string     `json:"start" api:"filter=start"`
	End   string     `json:"end" api:"filter=end"`
	Word  string     `json:"word" api:"filter=word_start"`
	Metal string     `json:"metal" validate:"oneof=gold silver 'white gold'" api:"filter"`
	Stars int        `json:"stars" validate:"oneof=1 2 3" api:"filter"`
	Small int8       `json:"small" api:"filter=exact|range,sort" example:"127"`
	Size  uint16     `json:"size" api:"filter=range"`
	Large int64      `json:"large" api:"filter=exact|range"`
	Score *float64   `json:"score" api:"filter=exact|range|exists,sort"`
	Open  bool       `json:"open" api:"filter,sort"`
	Known *bool      `json:"known" api:"filter"`
	At    time.Time  `json:"at" api:"filter=exact|range,sort"`
	Key   uuid.UUID  `json:"key" api:"filter"`
	Ref   *uuid.UUID `json:"ref" api:"filter=exact|exists"`
	Lair  struct {
		Depth *int `json:"depth" api:"filter=exact|range|exists,sort"`
	} `json:"lair"`
}

// Wishes are parameters of the operation's own.
type Wishes struct {
	Limit  int       `json:"limit" validate:"gte=1,lte=9" default:"3" doc:"How many wishes."`
	Ratio  *float64  `json:"ratio" validate:"omitempty,gt=0"`
	Unit   string    `json:"unit" validate:"omitempty,oneof=metric imperial"`
	Code   string    `json:"code" validate:"omitempty,len=2"`
	Since  time.Time `json:"since"`
	IDs    []int16   `json:"ids" validate:"max=2"`
	Names  []string  `json:"names"`
	Wanted bool      `json:"wanted"`
	Agent  string    `json:"X-Agent" api:"header" validate:"max=3"`
	Marks  []string  `json:"X-Marks" api:"header" validate:"dive,min=2"`
}

// relicsPath is the path of the collection in the document, too.
const relicsPath = "/api/relics"

func relicsOf(records ...Relic) resource.Declaration {
	return resource.Of[Relic]{Store: memory.New(records...), Operations: []operation.Operation{
		operation.GetCollection{
			SparseFields: true, Parameters: operation.Parameters[Wishes]{},
			Pagination: operation.Pagination{ClientEnabled: new(true), ClientPartial: new(true), MaxPage: 50},
		},
		operation.Post{},
	}}
}

// relics is an API with some records.
func relics(t *testing.T) *resource.API {
	t.Helper()
	records := make([]Relic, 5)
	for i := range records {
		records[i] = Relic{ID: int64(i + 1), Name: "a", Start: "a", Metal: "gold", Stars: 1 + i%3, Small: int8(i), Open: i%2 == 0}
	}
	records[0].Motto, records[0].Score, records[0].Lair.Depth = new("a"), new(0.5), new(1)
	return mounted(t, relicsOf(records...))
}
