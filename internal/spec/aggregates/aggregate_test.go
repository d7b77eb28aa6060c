package aggregates_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// booking is a record of the examples.
type booking struct {
	ID     int64      `json:"id"`
	Status string     `json:"status" api:"filter,group"`
	Total  int64      `json:"total" api:"filter=range,aggregate"`
	Cost   *price     `json:"cost" api:"aggregate"`
	From   *time.Time `json:"from" api:"group,aggregate"`
	Note   string     `json:"note"`
}

func everything() []operation.Operation {
	return append(operation.Standard(), operation.Aggregate{})
}

// begin saves three bookings.
func begin(c spec.Client) spec.Client {
	for _, body := range []string{
		`{"status":"sold","total":9223372036854775807,"cost":"10.00","from":"2026-11-28T23:30:00Z","note":""}`,
		`{"status":"sold","total":9223372036854775807,"cost":"0.01","from":"2026-10-25T00:30:00Z","note":""}`,
		`{"status":"new","total":2,"cost":null,"from":null,"note":""}`,
	} {
		c.Send("POST /api/things", body).HasStatus(201)
	}
	return c
}

func TestGroupsHaveTheNamesAndValuesOfTheRequest(t *testing.T) {
	t.Parallel()
	spec.Alike(t, resource.Of[booking]{Operations: everything()}, func(c spec.Client) {
		c.Send("GET /api/things/aggregate?sum=total,cost&avg=total&min=from", "").Is(200,
			`[{"group":{},"count":0,"sum":{"total":null,"cost":null},"avg":{"total":null},"min":{"from":null}}]`)
		c.Send("GET /api/things/aggregate?group=status", "").Is(200, `[]`).Has("X-Total-Count", "0")
		begin(c)
		for query, want := range map[string]string{
			"": `[{"group":{},"count":3}]`,
			"?group=status&sum=total&sort=-sum.total": `[{"group":{"status":"sold"},"count":2,"sum":{"total":18446744073709551614}},` +
				`{"group":{"status":"new"},"count":1,"sum":{"total":2}}]`,
			"?group=status,from:month&avg=cost": `[{"group":{"status":"new","from":null},"count":1,"avg":{"cost":null}},` +
				`{"group":{"status":"sold","from":"2026-10"},"count":1,"avg":{"cost":"0.01"}},` +
				`{"group":{"status":"sold","from":"2026-11"},"count":1,"avg":{"cost":"10.00"}}]`,
			"?group=from:hour&timezone=Europe/Berlin&sort=-from": `[{"group":{"from":"2026-11-29T00:00:00+01:00"},"count":1},` +
				`{"group":{"from":"2026-10-25T02:00:00+02:00"},"count":1},{"group":{"from":null},"count":1}]`,
			"?group=from:week&total[gt]=5&sum=cost":                         `[{"group":{"from":"2026-W43"},"count":1,"sum":{"cost":"0.01"}},{"group":{"from":"2026-W48"},"count":1,"sum":{"cost":"10.00"}}]`,
			"?group=from:quarter&filter=%7B%22total%22:%7B%22lt%22:5%7D%7D": `[{"group":{"from":null},"count":1}]`,
			"?avg=cost,total&status=sold&min=from&max=cost":                 `[{"group":{},"count":2,"avg":{"cost":"5.005","total":9223372036854776000},"min":{"from":"2026-10-25T00:30:00Z"},"max":{"cost":"10.00"}}]`,
			"?group=status&sort=count&itemsPerPage=1":                       `[{"group":{"status":"new"},"count":1}]`,
			"?group=status&sort=-max.from,status&itemsPerPage=1":            `[{"group":{"status":"sold"},"count":2}]`,
		} {
			if got := c.Send("GET /api/things/aggregate"+query, "").HasStatus(200); got.Body != want { // byte by byte, because numbers are long
				t.Errorf("%s: %s\nwant %s", query, got.Body, want)
			}
		}
		c.Send("QUERY /api/things/aggregate", `{"group":["status"],"filter":{"status":"new"},"sort":["-count"]}`).Is(200, `[{"group":{"status":"new"},"count":1}]`)
		page := c.Send("GET /api/things/aggregate?group=status&itemsPerPage=1&page=2", "").Has("X-Total-Count", "2")
		page.Has("Link", `</api/things/aggregate?group=status&itemsPerPage=1&page=1>; rel="first", </api/things/aggregate?group=status&itemsPerPage=1&page=1>; rel="prev", `+
			`</api/things/aggregate?group=status&itemsPerPage=1&page=2>; rel="last"`)
		c.Send("GET /api/things/aggregate?group=status&itemsPerPage=1&page=9", "").Is(200, `[]`).Has("X-Total-Count", "2")
		c.Send("GET /api/things/aggregate?group=status&itemsPerPage=0", "").Is(200, `[]`).Has("X-Total-Count", "2")
		c.Send("GET /api/things/aggregate", "", "If-None-Match", c.Send("GET /api/things/aggregate", "").Header.Get("ETag")).HasStatus(304)
	})
}

func TestWrongParametersOfAggregates(t *testing.T) {
	t.Parallel()
	c := begin(spec.NewClient(t, resource.Config{}, resource.Of[booking]{ShortName: "Thing", Operations: everything()}))
	for query, want := range map[string]string{
		"group=statu":            `group must be a comma-separated list of: status, from, from:year, from:quarter, from:month, from:week, from:day, from:hour`,
		"group=from:month,from":  `group must have each field only once`,
		"sum=from":               `sum must be a comma-separated list of: total, cost`,
		"sort=sum.from":          `sort must be a comma-separated list of: count, -count, status`,
		"group=":                 `group must be a comma-separated list`,
		"timezone=Europe/Berlni": `timezone must be the name of a time zone such as Europe/Berlin; did you mean \"Europe/Berlin\"?`,
		"timezone=Local":         `timezone must be the name of a time zone`,
		"timezone=../etc/passwd": `timezone must be the name of a time zone`,
		"cursor=":                `Unknown parameter \"cursor\"`,
		"order[status]=asc":      `Unknown parameter`,
	} {
		c.Send("GET /api/things/aggregate?"+query, "").IsProblem(400).Mentions(want)
	}
	c.Send("POST /api/things/aggregate", "{}").IsProblem(405)
	c.Send("GET /api/things/aggregate?group=status,status&sum=total,total&sort=from", "").HasStatus(200)
}

func TestFormatsOfAggregates(t *testing.T) {
	t.Parallel()
	config := resource.Config{Formats: append(format.Standard(), csv.Format, hal.Format)}
	c := begin(spec.NewClient(t, config, resource.Of[booking]{ShortName: "Thing", Operations: everything()}))
	if got := c.Send("GET /api/things/aggregate.csv?group=status,from:day&sum=total,cost&sort=sum.total", "").HasStatus(200); got.Body !=
		"group.status,group.from,count,sum.total,sum.cost\r\nnew,,1,2,\r\nsold,2026-10-25,1,9223372036854775807,0.01\r\nsold,2026-11-28,1,9223372036854775807,10.00\r\n" {
		t.Errorf("as CSV: %s", got.Body)
	}
	if got := c.Send("GET /api/things/aggregate?group=status&itemsPerPage=1", "", "Accept", "application/x-ndjson").HasStatus(200); got.Body !=
		`{"group":{"status":"new"},"count":1}`+"\n"+`{"group":{"status":"sold"},"count":2}`+"\n" {
		t.Errorf("as NDJSON: %s", got.Body)
	}
	c.Send("GET /api/things/aggregate", "", "Accept", "application/hal+json").IsProblem(406)
}

// hidden has a field that only the owner may read, and whose name no one else learns.
func TestNamesOfHiddenFieldsOfAggregatesStayHidden(t *testing.T) {
	t.Parallel()
	key := access.APIKey("key", "X-API-Key", func(_ context.Context, key string) (string, access.Scopes, error) { return key, nil, nil })
	owner := access.If("owners", func(who string) bool { return who == "owner" })
	c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{key}}, resource.Of[booking]{
		ShortName: "Thing", Operations: everything(), Access: spec.OpenBut(map[string]access.Field{"total": {Read: owner, Write: access.Public}}),
	})
	c.Send("POST /api/things", `{"status":"new","total":7,"cost":null,"from":null,"note":""}`, "X-API-Key", "owner").HasStatus(201)
	c.Send("GET /api/things/aggregate?sum=x", "", "X-API-Key", "owner").IsProblem(400).Mentions("total")
	c.Send("GET /api/things/aggregate?sum=x", "").IsProblem(400).Lacks("total")
	c.Send("GET /api/things/aggregate?sort=x", "").IsProblem(400).Lacks("total")
	c.Send("GET /api/things/aggregate?sum=total", "", "X-API-Key", "owner").Is(200, `[{"group":{},"count":1,"sum":{"total":7}}]`)
	c.Send("GET /api/things/aggregate?sum=total", "").Is(200, `[{"group":{},"count":1,"sum":{"total":null}}]`)
}

type page struct {
	Slug string `json:"slug" api:"id"`
}

type badWords struct {
	ID     int64           `json:"id"`
	List   []string        `json:"list" api:"group"`
	Text   string          `json:"text" api:"aggregate"`
	Owner  *int64          `json:"owner" api:"ref=Shop,aggregate"`
	Secret string          `json:"secret" api:"writeonly,group"`
	Any    any             `json:"any" api:"group"`
	Map    map[string]int  `json:"map" api:"aggregate"`
	Fine   *time.Time      `json:"fine" api:"group,aggregate,hidden"`
	Times  []time.Duration `json:"-"`
}

// plainStore does not compute groups, although the store in it does.
type plainStore struct{ store.Store[booking] }

// TestAGroupNamedCountIsSortedByTheCount has a field with the name of a key to sort by.
func TestAGroupNamedCountIsSortedByTheCount(t *testing.T) {
	t.Parallel()
	type Box struct {
		ID    int64 `json:"id"`
		Count int   `json:"count" api:"group,aggregate"`
	}
	c := spec.NewClient(t, resource.Config{}, resource.Of[Box]{Operations: everything(), Store: memory.New(Box{Count: 5}, Box{Count: 7}, Box{Count: 5})})
	c.Send("GET /api/boxes/aggregate?group=count&sort=count", "").Is(200, `[{"group":{"count":7},"count":1},{"group":{"count":5},"count":2}]`)
	c.Send("GET /api/boxes/aggregate?sort=x", "").IsProblem(400).Mentions("list of: count, -count, sum.count, -sum.count, avg")
}

func TestDeclarationsOfAggregatesAreChecked(t *testing.T) {
	t.Parallel()
	_, err := resource.New(resource.Config{},
		resource.Of[page]{Operations: everything()}, resource.Of[badWords]{}, resource.Of[shop]{ShortName: "Shop"},
		resource.Of[booking]{Store: plainStore{memory.New[booking]()}, Operations: []operation.Operation{operation.Aggregate{
			Order: []string{"id"}, View: &operation.View{Name: "A", Fields: []string{"id"}}, SparseFields: true, Status: 204,
		}}})
	if err == nil {
		t.Fatal("there is no error")
	}
	for _, want := range []string{
		`the path /api/pages/aggregate of aggregatePages could also be that of a record, because clients choose "slug"; set URITemplate of the Aggregate, such as "/pages-aggregate"`,
		`List: group does not support the type []string; allowed: a bool, number, string, time.Time or a type that marshals itself as text, and a reference to one record`,
		`Text: aggregate does not support the type string; allowed: a number that is not a reference, a store.Decimal, time.Time or date.Date`,
		`Owner: aggregate does not support the type *int64`, `Secret: a writeonly field cannot have filter, sort, search, group or aggregate`,
		`Any: group does not support`, `Map: aggregate does not support`, `Fine: a hidden field cannot have the word "group"`,
		`the store (aggregates_test.plainStore) does not compute values of groups; implement store.Aggregator, or remove the operation`,
		`(Aggregate): Order is only for a GetCollection`, `View is only for`, `SparseFields is only for`, `Status is 204, but the operation returns a body`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks %q:\n%v", want, err)
		}
	}
}

func TestAggregatesBelowARecordAndOfAView(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[shop]{ShortName: "Shop"},
		resource.Of[sale]{ShortName: "Sale", View: &operation.View{Name: "Card", Fields: []string{"id", "shop", "status"}}, Operations: append(operation.Standard(), operation.Aggregate{URITemplate: "/shops/{shop}/sales/aggregate"})})
	for _, city := range []string{"Ulm", "Bonn"} {
		c.Send("POST /api/shops", `{"owner":1,"open":true,"city":"`+city+`","rank":null}`).HasStatus(201)
	}
	for _, shop := range []string{`"/api/shops/1"`, `"/api/shops/2"`, `"/api/shops/1"`, "null"} {
		c.Send("POST /api/sales", `{"owner":1,"open":true,"status":"new","shop":`+shop+`,"total":1,"price":null,"weight":null,"at":null,"day":null,"size":null}`).HasStatus(201)
	}
	c.Send("GET /api/shops/1/sales/aggregate?group=status", "").Is(200, `[{"group":{"status":"new"},"count":2}]`)
	c.Send("GET /api/shops/9/sales/aggregate", "").IsProblem(404)
	c.Send("GET /api/shops/1/sales/aggregate?sum=total", "").IsProblem(400).Lacks("price")
}

func TestTheDocumentOfAggregatesIsTrue(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{Formats: append(format.Standard(), csv.Format, hal.Format)},
		resource.Of[sale]{ShortName: "Sale", Operations: everything()}, resource.Of[shop]{ShortName: "Shop", Operations: everything()})
	if err == nil {
		err = openapi.Mount(api, openapi.Config{Title: "Sales", Version: "1"})
	}
	if err != nil {
		t.Fatal(err)
	}
	c := spec.Client{T: t, Handler: api}
	c.Send("GET /api/docs.json", "").HasStatus(200).Mentions(`"operationId": "aggregateSales"`, `"AggregateSalesRow"`, `"at:quarter"`, `"-sum.total"`,
		`"format":"decimal","pattern":"^-?(0|[1-9][0-9]*)(\\.[0-9]+)?$"`, `"pattern":"^-?[0-9]+(-(Q[1-4]`)
	openapitest.Conform(t, api, openapitest.Requests(200))
}

type reading struct {
	ID    int64   `json:"id"`
	Place string  `json:"place" api:"group"`
	Value float64 `json:"value" api:"aggregate"`
}

func TestASumOfFloatsThatIsNotFiniteIsNull(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[reading]{Operations: everything()})
	for range 2 {
		c.Send("POST /api/readings", `{"place":"a","value":1.5e308}`).HasStatus(201)
	}
	c.Send("GET /api/readings/aggregate?sum=value&max=value", "").Is(200, `[{"group":{},"count":2,"sum":{"value":null},"max":{"value":1.5e+308}}]`)
}

func TestAKeyThatIsRepeatedSortsOnce(t *testing.T) {
	t.Parallel()
	spec.Alike(t, resource.Of[reading]{Operations: everything()}, func(c spec.Client) {
		c.Send("POST /api/things", `{"place":"a","value":1}`).HasStatus(201)
		keys := strings.Repeat(`"count","-sum.value","place",`, 3000)
		c.Send("QUERY /api/things/aggregate", `{"group":["place"],"sort":[`+keys+`"count"]}`).Is(200, `[{"group":{"place":"a"},"count":1}]`)
	})
}

func TestOnlyZonesThatAllStoresReadAlikeAreAllowed(t *testing.T) {
	t.Parallel()
	c := begin(spec.NewClient(t, resource.Config{}, resource.Of[booking]{ShortName: "Thing", Operations: everything()}))
	for zone, want := range map[string]int{"UTC": 200, "Europe/Berlin": 200, "America/Argentina/Ushuaia": 200, "CET": 400, "EST5EDT": 400, "Local": 400, "Factory": 400, "": 400} {
		c.Send("GET /api/things/aggregate?group=from:hour&timezone="+zone, "").HasStatus(want)
	}
}
