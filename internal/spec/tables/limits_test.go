package tables_test

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// Part is a record in a table with columns that are narrower than the types of Go.
type Part struct {
	ID     int64   `json:"id"`
	Count  int64   `json:"count" api:"filter=exact|range,sort"`
	Small  *int    `json:"small" api:"filter=exact|range"`
	Tiny   int16   `json:"tiny"`
	Code   string  `json:"code" api:"filter=exact|range"`
	Flag   *string `json:"flag"`
	Price  float64 `json:"price" api:"filter=exact|range"`
	Weight float64 `json:"weight" api:"filter=exact|range"`
	Strict int     `json:"strict" validate:"gte=1,lte=5"`
}

const parts = `CREATE TABLE parts (
	id serial PRIMARY KEY, count integer NOT NULL, small smallint, tiny smallint NOT NULL, code varchar(5) NOT NULL, flag char(2),
	price numeric(6,2) NOT NULL, weight real NOT NULL, strict integer NOT NULL
)`

func TestAValueThatDoesNotFitItsColumnIsAnErrorOfTheBody(t *testing.T) {
	t.Parallel()
	inTables(t, map[string][]string{"PostgreSQL": {parts}}, func(t *testing.T, db *sqlstore.DB) {
		t.Helper()
		c := spec.NewClient(t, resource.Config{}, resource.Of[Part]{Store: sqlstore.Table[Part](db, sqlstore.Existing())})
		body := func(field, value string) string {
			fields := map[string]string{"count": "1", "small": "null", "tiny": "1", "code": `"a"`, "flag": "null", "price": "1", "weight": "1", "strict": "1"}
			fields[field] = value
			var list []string
			for name, value := range fields {
				list = append(list, fmt.Sprintf("%q:%s", name, value))
			}
			return "{" + strings.Join(list, ",") + "}"
		}
		for _, test := range []struct{ field, fits, exceeds, message string }{
			{"count", "2147483647", "2147483648", "must be at most 2147483647"},
			{"count", "-2147483648", "-2147483649", "must be at least -2147483648"},
			{"small", "32767", "32768", "must be at most 32767"},
			{"small", "null", "-32769", "must be at least -32768"},
			{"code", `"ééééé"`, `"abcdef"`, "must be at most 5 characters long"},
			{"flag", `"ab"`, `"abc"`, "must be at most 2 characters long"},
			{"price", "9999.99", "10000", "must be at most 9999.99"},
			{"price", "-9999.99", "-10000", "must be at least -9999.99"},
			{"weight", "3e38", "1e300", "must be at most 340282346638528859811704183484516925440"},
			{"strict", "5", "6", "must be at most 5"},
		} {
			made := c.Send("POST /api/parts", body(test.field, test.fits)).HasStatus(201)
			want := fmt.Sprintf(`{"type":"validation_error","title":"There was a validation error","errors":{"%[1]s":"%[1]s %[2]s"}}`, test.field, test.message)
			c.Send("POST /api/parts", body(test.field, test.exceeds)).Is(400, want)
			c.Send("PATCH "+made.Header.Get("Location"), fmt.Sprintf(`{%q:%s}`, test.field, test.exceeds)).Is(400, want)
		}
		c.Send("GET /api/parts/3000000000", "").IsProblem(404)
	})
}

func TestAFilterBeyondItsColumnMatchesWhatItSays(t *testing.T) {
	t.Parallel()
	insert := `INSERT INTO parts (count, small, tiny, code, price, weight, strict) VALUES (1, 1, 1, 'a', 1, 1, 1), (-1, NULL, 1, 'b', -1, -1, 1)`
	inTables(t, map[string][]string{"PostgreSQL": {parts, insert}}, func(t *testing.T, db *sqlstore.DB) {
		t.Helper()
		c := spec.NewClient(t, resource.Config{}, resource.Of[Part]{Store: sqlstore.Table[Part](db, sqlstore.Existing())})
		for query, want := range map[string]string{
			"id=3000000000": "0", "id=1&id=3000000000": "1", "count=3000000000": "0", "count=1&count=3000000000&count=-3000000000": "1",
			"count[lt]=3000000000": "2", "count[gte]=3000000000": "0", "count[gt]=-3000000000": "2", "count[lte]=-3000000000": "0",
			"small=40000": "0", "small[lt]=40000": "1", "small[gt]=-40000": "1", "count[between]=-3000000000..3000000000": "2",
			"code=" + strings.Repeat("a", 100): "0", "code[lt]=" + strings.Repeat("z", 100): "2",
			"price=1e300": "0", "price[lt]=1e300": "2", "price=1&price=12345": "1", "weight=1e300": "0", "weight[lt]=1e300": "2", "weight[gt]=-1e300": "2",
			"weight=1&weight=1e300": "1", "price[gt]=0.999": "1",
		} {
			if found := c.Send("GET /api/parts?"+query, ""); found.Status != 200 || found.Header.Get("X-Total-Count") != want {
				t.Errorf("%s: %d, %s records, want %s", query, found.Status, found.Header.Get("X-Total-Count"), want)
			}
		}
	})
}

func TestTheDocumentHasTheLimitsOfColumns(t *testing.T) {
	t.Parallel()
	inTables(t, map[string][]string{"PostgreSQL": {parts}}, func(t *testing.T, db *sqlstore.DB) {
		t.Helper()
		api, err := resource.New(resource.Config{}, resource.Of[Part]{Store: sqlstore.Table[Part](db, sqlstore.Existing())})
		if err != nil {
			t.Fatal(err)
		}
		document, err := openapi.Document(api, openapi.Config{Title: "Parts", Version: "1"})
		if err != nil {
			t.Fatal(err)
		}
		text, err := document.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{`"maximum":2147483647`, `"minimum":-2147483648`, `"maximum":32767`, `"maxLength":5`, `"maxLength":2`, `"maximum":9999.99`, `"maximum":5`} {
			if !strings.Contains(string(text), want) {
				t.Errorf("the document has no %s", want)
			}
		}
		if strings.Contains(string(text), `"title":"Part","properties":{"id":{"type":"integer","maximum"`) {
			t.Error("a generated identifier has a limit")
		}
	})
}

func TestAValueOfTheProgramThatDoesNotFitItsColumnIsNamed(t *testing.T) {
	t.Parallel()
	inTables(t, map[string][]string{"PostgreSQL": {parts}}, func(t *testing.T, db *sqlstore.DB) {
		t.Helper()
		records := sqlstore.Table[Part](db, sqlstore.Existing())
		fill := func(ctx context.Context, _ *Part, in struct {
			Count int64 `json:"count"`
		},
		) (struct{}, error) {
			return struct{}{}, store.Insert(ctx, records, &Part{Count: in.Count})
		}
		c := spec.NewClient(t, resource.Config{}, resource.Of[Part]{Store: records, Operations: []operation.Operation{
			operation.Get{}, operation.Post{Name: "fill", URITemplate: "/fill", Handler: operation.Handle(fill)},
		}})
		c.Send("POST /api/fill", `{"count":7}`).HasStatus(204)
		c.Send("POST /api/fill", `{"count":3000000000}`).
			Is(400, `{"type":"validation_error","title":"There was a validation error","errors":{"count":"count must be at most 2147483647"}}`)
	})
}

type (
	// Rung is a record with a composite identifier.
	Rung struct {
		Ladder int64 `json:"ladder" api:"id"`
		Number int64 `json:"number" api:"id"`
	}
	// RungKey references a rung.
	RungKey struct {
		Ladder int64 `json:"ladder"`
		Number int64 `json:"number"`
	}
	// Climb references a rung, in columns that are narrower than those of its key.
	Climb struct {
		ID   int64   `json:"id"`
		Rung RungKey `json:"rung" api:"ref=Rung,filter"`
	}
)

func TestACompositeReferenceThatDoesNotFitItsColumnsIsAnErrorOfTheBody(t *testing.T) {
	t.Parallel()
	tables := []string{
		`CREATE TABLE rungs (ladder bigint, number bigint, PRIMARY KEY (ladder, number))`,
		`CREATE TABLE climbs (id bigserial PRIMARY KEY, rung_ladder bigint NOT NULL, rung_number integer NOT NULL)`,
	}
	inTables(t, map[string][]string{"PostgreSQL": tables}, func(t *testing.T, db *sqlstore.DB) {
		t.Helper()
		c := spec.NewClient(t, resource.Config{},
			resource.Of[Rung]{Store: sqlstore.Table[Rung](db, sqlstore.Existing())},
			resource.Of[Climb]{Store: sqlstore.Table[Climb](db, sqlstore.Existing())})
		near := c.Send("POST /api/rungs", `{"ladder":1,"number":1}`).HasStatus(201).Header.Get("Location")
		far := c.Send("POST /api/rungs", `{"ladder":1,"number":3000000000}`).HasStatus(201).Header.Get("Location")
		c.Send("POST /api/climbs", fmt.Sprintf(`{"rung":%q}`, near)).HasStatus(201)
		c.Send("POST /api/climbs", fmt.Sprintf(`{"rung":%q}`, far)).
			Is(400, `{"type":"validation_error","title":"There was a validation error","errors":{"rung":"rung must be at most 2147483647"}}`)
		near, far = url.QueryEscape(near), url.QueryEscape(far)
		for query, want := range map[string]string{"rung=" + far: "0", "rung=" + near + "&rung=" + far: "1"} {
			if found := c.Send("GET /api/climbs?"+query, ""); found.Status != 200 || found.Header.Get("X-Total-Count") != want {
				t.Errorf("%s: %d, %s records, want %s", query, found.Status, found.Header.Get("X-Total-Count"), want)
			}
		}
	})
}
