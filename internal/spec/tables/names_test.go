package tables_test

import (
	"crypto/rand"
	"fmt"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
)

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
