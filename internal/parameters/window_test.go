package parameters_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/trove-api/trove/internal/parameters"
)

func TestOrdersAreTotal(t *testing.T) {
	t.Parallel()
	set := compile(t, func(o *parameters.Options) { o.Order = []string{"-plain", "size"} })
	for query, want := range map[string]string{
		"":                                      "-plain +size +id",
		"sort=name":                             "+name +id",
		"sort=-name,open":                       "-name +open +id",
		"sort=open,-name":                       "+open -name -id",
		"sort=name,-name,name":                  "+name +id",
		"order[name]=desc&order[open]=asc":      "-name +open +id",
		"order[open]=asc&order[name]=desc":      "+open -name -id",
		"sort=name&order[open]=desc":            "+name +id",
		"sort=lair.region,-second.depth":        "+lair.region -second.depth -id",
		"order[lair.depth]=desc&sort=-score":    "-score -id",
		"order[lair.depth]=desc&name=x&small=1": "-lair.depth -id",
	} {
		if got := order(read(t, set, query).Query); got != want {
			t.Errorf("%s orders by %s, want %s", query, got, want)
		}
	}
	if got := order(read(t, compile(t, nil), "").Query); got != "+id" {
		t.Errorf("without an order it is %s", got)
	}
	if got := order(read(t, compile(t, func(o *parameters.Options) { o.Order = []string{"-id", "name"} }), "").Query); got != "-id" {
		t.Errorf("what comes behind the identifier is kept: %s", got)
	}
}

func TestDeclaredOrdersAreChecked(t *testing.T) {
	t.Parallel()
	paging, s := usual(), record(t)
	_, err := parameters.Compile(parameters.Options{Record: s, Paging: &paging, Order: []string{"nam", "-secret", "lair", ""}})
	for _, want := range []string{`Order has "nam"; allowed: id, name, `, `did you mean "name"?`, `Order has "-secret"`, `Order has "lair"`, `Order has ""`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("no mention of %s in: %v", want, err)
		}
	}
}

// part is what a query asks of a store, without its conditions and order.
type part struct {
	Mode                     parameters.Mode
	Offset, Limit, CountUpTo int
	Count, After             bool
}

func TestWindows(t *testing.T) {
	t.Parallel()
	all := func(o *parameters.Options) { o.Paging.ClientEnabled, o.Paging.ClientPartial = true, true }
	by := func(change func(*parameters.Paging)) func(*parameters.Options) {
		return func(o *parameters.Options) { change(o.Paging) }
	}
	for name, test := range map[string]struct {
		change func(*parameters.Options)
		query  string
		want   part
	}{
		"the first page is counted":              {nil, "", part{Mode: parameters.ByPage, Limit: 30, Count: true, CountUpTo: 10_000}},
		"a page is an offset":                    {nil, "page=3&itemsPerPage=7", part{Mode: parameters.ByPage, Offset: 14, Limit: 7, Count: true, CountUpTo: 10_000}},
		"a partial page looks one further":       {all, "partial=true&page=2", part{Mode: parameters.ByPage, Offset: 30, Limit: 31}},
		"the last page that is counted":          {nil, "page=100&itemsPerPage=100", part{Mode: parameters.ByPage, Offset: 9_900, Limit: 100, Count: true, CountUpTo: 10_000}},
		"behind it, a page looks one further":    {nil, "page=101&itemsPerPage=100", part{Mode: parameters.ByPage, Offset: 10_000, Limit: 101, Count: true, CountUpTo: 10_000}},
		"exact totals count all":                 {by(func(p *parameters.Paging) { p.Total = "exact" }), "page=400", part{Mode: parameters.ByPage, Offset: 11_970, Limit: 30, Count: true}},
		"the total alone is counted":             {nil, "itemsPerPage=0", part{Mode: parameters.NoItems, Limit: 1, Count: true, CountUpTo: 10_000}},
		"partial=false counts":                   {by(func(p *parameters.Paging) { p.Partial, p.ClientPartial = true, true }), "partial=false", part{Mode: parameters.ByPage, Limit: 30, Count: true, CountUpTo: 10_000}},
		"partial is as declared":                 {by(func(p *parameters.Paging) { p.Partial = true }), "", part{Mode: parameters.ByPage, Limit: 31}},
		"pagination=false asks for all":          {all, "pagination=false", part{Mode: parameters.Whole}},
		"pagination=true asks for a page":        {all, "pagination=true", part{Mode: parameters.ByPage, Limit: 30, Count: true, CountUpTo: 10_000}},
		"an empty cursor begins":                 {nil, "cursor=", part{Mode: parameters.ByCursor, Limit: 31}},
		"a cursor goes before a page":            {nil, "page=7&cursor=&itemsPerPage=2", part{Mode: parameters.ByCursor, Limit: 3}},
		"pagination=false goes before both":      {all, "page=7&cursor=&pagination=false&itemsPerPage=2", part{Mode: parameters.Whole}},
		"a collection by cursor begins with one": {by(func(p *parameters.Paging) { p.ViaCursor = true }), "", part{Mode: parameters.ByCursor, Limit: 31}},
		"a collection without pages is whole":    {by(func(p *parameters.Paging) { p.Enabled = false }), "", part{Mode: parameters.Whole}},
		"the length is as declared":              {by(func(p *parameters.Paging) { p.ItemsPerPage = 5 }), "page=2", part{Mode: parameters.ByPage, Offset: 5, Limit: 5, Count: true, CountUpTo: 10_000}},
	} {
		set := compile(t, test.change)
		values := read(t, set, test.query)
		got := part{
			values.Window.Mode, values.Query.Offset, values.Query.Limit, values.Query.CountUpTo, values.Query.Count, values.Query.After != nil,
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestParametersThatAreNotOffered(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(*parameters.Paging)
		absent string
	}{
		"pagination needs leave":          {func(*parameters.Paging) {}, "pagination=false"},
		"partial needs leave":             {func(*parameters.Paging) {}, "partial=true"},
		"fields needs leave":              {func(*parameters.Paging) {}, "fields=id"},
		"the length can be fixed":         {func(p *parameters.Paging) { p.ClientItemsPerPage = false }, "itemsPerPage=5"},
		"cursors take no page numbers":    {func(p *parameters.Paging) { p.ViaCursor = true }, "page=1"},
		"cursors have no total to leave":  {func(p *parameters.Paging) { p.ViaCursor, p.ClientPartial = true, true }, "partial=true"},
		"without pages there is no page":  {func(p *parameters.Paging) { p.Enabled = false }, "page=1"},
		"without pages there's no cursor": {func(p *parameters.Paging) { p.Enabled = false }, "cursor="},
	} {
		set := compile(t, func(o *parameters.Options) { test.change(o.Paging) })
		if _, err := set.Read(t.Context(), test.absent, http.Header{}, none, nil); !strings.Contains(explain(err), "Unknown parameter") {
			t.Errorf("%s: %s returns %v", name, test.absent, explain(err))
		}
	}
}

func TestFieldsAreInTheOrderOfTheStruct(t *testing.T) {
	t.Parallel()
	set := compile(t, func(o *parameters.Options) { o.Sparse = answerOf(o) })
	for query, want := range map[string][]string{
		"":                      nil,
		"fields=score,name":     {"id", "name", "score"},
		"fields=id":             {"id"},
		"fields=lair,name,name": {"id", "name", "lair"},
		"fields=name%2Cscore":   {"id", "name", "score"},
	} {
		values := read(t, set, query)
		if diff := cmp.Diff(want, values.Fields); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
		if diff := cmp.Diff(want, values.Query.Fields); diff != "" {
			t.Errorf("%s asks the store for others (-want +got):\n%s", query, diff)
		}
	}
}

func TestStoresGetTheCompleteQuery(t *testing.T) {
	t.Parallel()
	query := compile(t, func(o *parameters.Options) { o.Order = []string{"-plain"} }).Query()
	text := conditions(query)
	for _, want := range []string{"name contains", "alias exists", "score less or equal", "lair.region has word prefix", "name|lair.region|second.region contains"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	if got := order(query); !strings.HasPrefix(got, "-plain -id") || !strings.Contains(got, "+second.depth") {
		t.Errorf("the orders are %s", got)
	}
	if item, err := parameters.Compile(parameters.Options{Record: record(t)}); err != nil || len(item.Query().Where) > 0 || len(item.List) > 0 {
		t.Errorf("an item has parameters: %v", err)
	}
}

func TestNamesThatAreTaken(t *testing.T) {
	t.Parallel()
	paging, s := usual(), record(t)
	type taken struct {
		Page int    `json:"page"`
		Name string `json:"name"`
	}
	_, err := parameters.Compile(parameters.Options{Record: s, Paging: &paging, Own: own[taken](t)})
	for _, want := range []string{
		`two parameters have the name "page", of the kinds page and own; rename a field by its json tag`,
		`two parameters have the name "name", of the kinds filter and own`,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("no mention of %s in: %v", want, err)
		}
	}
}

func TestNumbersOfPagesAreReadInEveryFormOfJSON(t *testing.T) {
	t.Parallel()
	set := compile(t, nil)
	for text, want := range map[string]int{"1": 1, "9": 9, "10": 10, "1000": 1000, "2.0": 2, "1e2": 100} {
		if got := read(t, set, "page="+text).Window.Page; got != want {
			t.Errorf("page=%s is page %d", text, got)
		}
	}
	for _, text := range []string{"", "0", "01", "-1", "%2B1", "1_0", "1a", "/1", ":", "1.5", "1001", "4294967297", "18446744073709551617"} {
		_, err := set.Read(t.Context(), "page="+text, http.Header{}, none, nil)
		if got := explain(err); got != "page must be an integer between 1 and 1000" {
			t.Errorf("page=%s returns %q", text, got)
		}
	}
}

func TestARequestLeavesNothingToTheNext(t *testing.T) {
	t.Parallel()
	set := compile(t, nil)
	var room parameters.Values
	for range 3 {
		for _, query := range []string{"page=x&colour=red", "exact=a&exact=b&sort=-name&page=2", "cursor=&itemsPerPage=5&sort=name"} {
			_, _ = set.Read(t.Context(), query, http.Header{}, none, &room)
		}
		values, err := set.Read(t.Context(), "exact=c", http.Header{}, none, &room)
		if err != nil {
			t.Fatal(explain(err))
		}
		if diff := cmp.Diff(*read(t, compile(t, nil), "exact=c"), *values, cmpopts.IgnoreUnexported(parameters.Window{})); diff != "" {
			t.Errorf("another request left (-want +got):\n%s", diff)
		}
	}
}
