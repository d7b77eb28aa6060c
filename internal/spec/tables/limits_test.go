package tables_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
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

// inTables runs a test with tables of another program, in a new database of each sort.
func inTables(t *testing.T, tables map[string][]string, run func(t *testing.T, db *sqlstore.DB)) {
	t.Helper()
	for name, open := range spec.Databases(t) {
		if tables[name] == nil {
			continue
		}
		t.Run(name, func(t *testing.T) {
			db := open(t)
			execute(t, db, tables[name]...)
			run(t, db)
		})
	}
}

// Seat is a record whose table has constraints that the struct does not declare.
type Seat struct {
	ID   int64  `json:"id"`
	Hall string `json:"hall"`
	Row  int    `json:"row"`
	Code string `json:"code"`
	Tag  string `json:"tag"`
	Show *int64 `json:"show"`
}

func TestARuleThatOnlyTheDatabaseKnowsIsAConflictWithoutAdvice(t *testing.T) {
	t.Parallel()
	const columns = `hall TEXT NOT NULL, row INTEGER NOT NULL CONSTRAINT secret_row CHECK (row < 100), code TEXT NOT NULL UNIQUE, ` +
		`tag TEXT NOT NULL, show INTEGER REFERENCES shows (id), CONSTRAINT secret_pair UNIQUE (hall, row))`
	partial := `CREATE UNIQUE INDEX secret_tag ON seats (tag) WHERE tag <> ''`
	inTables(t, map[string][]string{
		"SQLite": {`CREATE TABLE shows (id INTEGER PRIMARY KEY)`, `CREATE TABLE seats (id INTEGER PRIMARY KEY, ` + columns, partial},
		"PostgreSQL": {
			`CREATE TABLE shows (id INTEGER PRIMARY KEY)`,
			`CREATE TABLE seats (id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, ` + columns, partial,
			`ALTER TABLE seats ADD CONSTRAINT secret_hall EXCLUDE USING btree (lower(hall) WITH =) WHERE (hall LIKE 'x%')`,
		},
	}, func(t *testing.T, db *sqlstore.DB) {
		t.Helper()
		log := &spec.Journal{}
		config := resource.Config{Logger: slog.New(slog.NewJSONHandler(log, nil))}
		c := spec.NewClient(t, config, resource.Of[Seat]{Store: sqlstore.Table[Seat](db, sqlstore.Existing())})
		c.Send("POST /api/seats", `{"hall":"A","row":1,"code":"a","tag":"t"}`).HasStatus(201)
		c.Send("POST /api/seats", `{"hall":"X","row":1,"code":"x","tag":""}`).HasStatus(201)
		const rule = `{"type":"about:blank","title":"Conflict","status":409,"detail":"The change conflicts with a rule of the database."}`
		for name, test := range map[string]struct{ body, logged string }{
			"a check":                         {`{"hall":"B","row":100,"code":"b","tag":""}`, "secret_row"},
			"a unique index over two columns": {`{"hall":"A","row":1,"code":"b","tag":""}`, ""},
			"a partial unique index":          {`{"hall":"B","row":1,"code":"b","tag":"t"}`, "tag"},
			"a foreign key":                   {`{"hall":"B","row":1,"code":"b","tag":"","show":7}`, ""},
		} {
			before := len(log.String())
			c.Send("POST /api/seats", test.body).Is(409, rule)
			c.Send("PATCH /api/seats/2", test.body).Is(409, rule)
			lines := log.String()[before:]
			if strings.Count(lines, `"msg":"constraint violated"`) != 2 || strings.Count(lines, test.logged) < 2 {
				t.Errorf("%s: the log is %s", name, lines)
			}
		}
		c.Send("POST /api/seats", `{"hall":"B","row":1,"code":"a","tag":""}`).
			Is(409, `{"type":"about:blank","title":"Conflict","status":409,"detail":"code is already in use.","field":"code"}`)
		if db.Dialect().Name() == "postgres" {
			execute(t, db, `INSERT INTO seats (hall, row, code, tag) VALUES ('xy', 9, 'y', '')`)
			c.Send("POST /api/seats", `{"hall":"xy","row":2,"code":"b","tag":""}`).Is(409, rule)
		}
	})
}

// Writer and Work are records in tables with names that need quotes.
type Writer struct {
	ID   int64  `json:"id" db:"Writer ID"`
	Name string `json:"name" db:"first name" api:"unique,filter=partial,sort"`
}

type Work struct {
	ID     int64    `json:"id"`
	Title  string   `json:"title" db:"the title's text" api:"filter,sort"`
	Order  *int     `json:"order" db:"order 0" api:"filter=exact|range|exists,sort"`
	Price  float64  `json:"price" db:"price (in %)" api:"filter=range,sort"`
	Writer int64    `json:"writer" db:"written.by" api:"ref=Writer,filter,expand,through=name"`
	Others []int64  `json:"others" validate:"max=9" api:"ref=Writer,filter,through=name"`
	Tags   []string `json:"tags" db:"all tags" api:"filter=contains"`
}

func TestNamesThatNeedQuotesWorkEverywhere(t *testing.T) {
	t.Parallel()
	for database, open := range spec.Databases(t) {
		for _, schema := range []string{"", "app_" + strings.ToLower(rand.Text())} {
			if schema != "" && database != "PostgreSQL" {
				continue
			}
			t.Run(fmt.Sprintf("%s, in a schema: %t", database, schema != ""), func(t *testing.T) {
				t.Parallel()
				db := open(t)
				if schema != "" {
					execute(t, db, "CREATE SCHEMA "+schema)
					defer execute(t, db, "DROP SCHEMA "+schema+" CASCADE")
					schema += "."
				}
				writers := sqlstore.Table[Writer](db, sqlstore.Named(schema+"writers"))
				works := sqlstore.Table[Work](db, sqlstore.Named(schema+"works"))
				for range 2 { // the second time they exist
					if err := db.Create(t.Context(), works, writers); err != nil {
						t.Fatal(err)
					}
				}
				checkNamed(t, resource.Of[Writer]{Store: writers}, resource.Of[Work]{Store: works})
			})
		}
	}
}

func checkNamed(t *testing.T, writers resource.Of[Writer], works resource.Of[Work]) {
	t.Helper()
	c := spec.NewClient(t, resource.Config{References: resource.Identifiers}, writers, works)
	c.Send("POST /api/writers", `{"name":"Ann"}`).HasStatus(201)
	c.Send("POST /api/writers", `{"name":"Bob"}`).HasStatus(201)
	c.Send("POST /api/writers", `{"name":"Bob"}`).IsProblem(409).Mentions("name is already in use")
	c.Send("POST /api/works", `{"title":"a","order":1,"price":2,"writer":2,"others":[1],"tags":["x"]}`).HasStatus(201)
	c.Send("POST /api/works", `{"title":"b","order":null,"price":1,"writer":1,"others":[1,2],"tags":["x","y"]}`).HasStatus(201)
	c.Send("POST /api/works", `{"title":"c","order":null,"price":1,"writer":1,"others":[],"tags":[]}`).HasStatus(201)
	c.Send("POST /api/works", `{"title":"c","order":null,"price":1,"writer":9,"others":[],"tags":[]}`).HasStatus(400)
	c.Send("PATCH /api/works/3", `{"title":"d","order":3}`).HasStatus(200)
	c.Send("PATCH /api/works/3", `{"title":"e","price":4}`).HasStatus(200)
	for query, want := range map[string]string{
		"sort=order": "2 1 3", "sort=-order": "3 1 2", "sort=price,title": "2 1 3", "sort=writer.name": "2 3 1", "sort=-writer.name,title": "1 2 3",
		"title=a": "1", "order[gte]=2": "3", "exists[order]=false": "2", "writer=1": "2 3", "writer.name=o": "1", "others=2": "2",
		"others.name=Ann": "1 2", "tags=y": "2", "price[between]=1..3": "1 2",
	} {
		if got := walk(c, "/api/works?itemsPerPage=1&cursor=&"+query); got != want {
			t.Errorf("%s finds %s, want %s", query, got, want)
		}
	}
	c.Send("GET /api/works/1?expand=writer", "").HasStatus(200).Mentions(`"name":"Bob"`)
	c.Send("DELETE /api/writers/1", "").IsProblem(409)
	c.Send("DELETE /api/works/1", "").HasStatus(204)
	c.Send("GET /api/works", "").Has("X-Total-Count", "2")
}

func TestTablesOfOtherProgramsMayBeInSchemas(t *testing.T) {
	t.Parallel()
	schema := "shop_" + strings.ToLower(rand.Text())
	inTables(t, map[string][]string{"PostgreSQL": {
		"CREATE SCHEMA " + schema, "CREATE TABLE " + schema + `.items (id serial PRIMARY KEY, "first name" varchar(5) NOT NULL UNIQUE)`,
	}}, func(t *testing.T, db *sqlstore.DB) {
		t.Helper()
		defer execute(t, db, "DROP SCHEMA "+schema+" CASCADE")
		type item struct {
			ID   int64  `json:"id"`
			Name string `json:"name" db:"first name" api:"unique,sort,filter"`
		}
		c := spec.NewClient(t, resource.Config{}, resource.Of[item]{
			ShortName: "Item", Store: sqlstore.Table[item](db, sqlstore.Existing(), sqlstore.Named(schema+".items")),
		})
		c.Send("POST /api/items", `{"name":"a"}`).Is(201, `{"id":1,"name":"a"}`)
		c.Send("POST /api/items", `{"name":"a"}`).IsProblem(409).Mentions("name is already in use")
		c.Send("POST /api/items", `{"name":"abcdef"}`).HasStatus(400)
		c.Send("GET /api/items?sort=-name&name=a", "").Is(200, `[{"id":1,"name":"a"}]`)
	})
}

// walk returns the identifiers of the records on all pages.
func walk(c spec.Client, target string) string {
	c.T.Helper()
	var ids []string
	for target != "" {
		page := c.Send("GET "+target, "").HasStatus(200)
		for _, part := range strings.Split(page.Body, `{"id":`)[1:] {
			id, _, _ := strings.Cut(part, ",")
			ids = append(ids, id)
		}
		target = nextOf(page)
	}
	return strings.Join(ids, " ")
}
