package resource_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/postgres"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

// stores opens a new store of each sort, that of PostgreSQL where there is a server.
func stores[T any](t *testing.T) map[string]store.Store[T] {
	t.Helper()
	light, err := sqlite.Open(filepath.Join(t.TempDir(), "alike.db"))
	if err != nil {
		t.Fatal(err)
	}
	opened := map[string]*sqlstore.DB{"SQLite": light}
	if dsn := os.Getenv("TROVE_TEST_POSTGRES"); dsn != "" {
		if opened["PostgreSQL"], err = postgres.Open(t.Context(), dsn); err != nil {
			t.Fatal(err)
		}
	}
	all := map[string]store.Store[T]{"memory": memory.New[T]()}
	for name, db := range opened {
		table := "alike_" + strings.ToLower(rand.Text())
		made := sqlstore.Table[T](db, sqlstore.Named(table))
		if err := db.Create(t.Context(), made); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_, err := db.Exec(context.Background(), "DROP TABLE "+table)
			if err := errors.Join(err, db.Close()); err != nil {
				t.Error(err)
			}
		})
		all[name] = made
	}
	return all
}

// alike runs a test on a resource of T in each store.
func alike[T any](t *testing.T, declared resource.Of[T], check func(c client)) {
	t.Helper()
	declared.ShortName = "Thing"
	for name, s := range stores[T](t) {
		t.Run(name, func(t *testing.T) {
			declared.Store = s
			check(newClient(t, resource.Config{}, declared))
		})
	}
}

type dated struct {
	ID   int64      `json:"id"`
	At   time.Time  `json:"at" api:"filter=exact|range,sort"`
	Left *time.Time `json:"left,omitzero" api:"sort"`
	Trip struct {
		Since time.Time `json:"since" api:"filter=range,sort"`
	} `json:"trip"`
	Days []time.Time `json:"days,omitempty"`
}

func TestATimeIsCheckedAsItIsKept(t *testing.T) {
	t.Parallel()
	alike(t, resource.Of[dated]{}, func(c client) {
		const text = " must be within the years from 0000 to 9999 in UTC"
		for _, late := range []string{"9999-12-31T23:59:59-23:59", "0000-01-01T00:00:00+23:59"} {
			c.send("POST /api/things", `{"at":"`+late+`","left":"`+late+`","trip":{"since":"`+late+`"},"days":["`+late+`"]}`).
				isInvalid("at", "at"+text, "left", "left"+text, "trip.since", "since"+text, "days[0]", "days[0]"+text)
			for _, filter := range []string{"at", "at[gt]", "at[lte]", "trip.since[lt]"} {
				c.send("GET /api/things?"+filter+"="+url.QueryEscape(late), "").isProblem(400)
			}
		}
		c.send("GET /api/things", "").is(200, `[]`)
		for i, given := range []string{
			"9999-12-31T23:59:59.9999999Z", "0000-01-01T00:00:00Z", "0000-01-01T23:59:00.0000009+23:59", "9999-12-31T00:00:59.999-23:59", "2024-02-29T23:59:59.123456789+05:30",
		} {
			made := c.send("POST /api/things", `{"at":"`+given+`","left":"`+given+`","trip":{"since":"`+given+`"},"days":["`+given+`"]}`).hasStatus(201)
			read := c.send("GET /api/things/"+strconv.Itoa(i+1), "").is(200, made.body)
			if made.header.Get("ETag") != read.header.Get("ETag") {
				t.Errorf("%s: the tag of the creation is %s, that of the next Get %s", given, made.header.Get("ETag"), read.header.Get("ETag"))
			}
		}
		for sort, want := range map[string]string{"at": "2 3 5 4 1", "-at": "1 4 5 3 2", "-trip.since": "1 4 5 3 2", "left": "2 3 5 4 1"} {
			if got := walkBack(c, "/api/things?itemsPerPage=1&cursor=&sort="+sort); got != want {
				t.Errorf("sorted by %s and walked to the end and back are %s, want %s", sort, got, want)
			}
		}
	})
}

// walkBack goes through pages by cursors to the end and back, and returns the identifiers.
func walkBack(c client, address string) string {
	c.t.Helper()
	var there, back []string
	for link, ids := "next", &there; address != ""; {
		a := c.send("GET "+address, "").hasStatus(200)
		var page []struct {
			ID int64 `json:"id"`
		}
		if err := json.Unmarshal([]byte(a.body), &page); err != nil || len(page) != 1 {
			c.t.Fatalf("a page of one is %s", a.body)
		}
		*ids = append(*ids, strconv.FormatInt(page[0].ID, 10))
		address = linkOf(a, link)
		if address == "" && link == "next" {
			link, ids = "prev", &back
			back = append(back, (*ids)...)
			address = linkOf(a, link)
		}
	}
	if len(there) != len(back)+1 {
		c.t.Errorf("there are %v, and back %v", there, back)
	}
	return strings.Join(there, " ")
}

func linkOf(a answer, relation string) string {
	for link := range strings.SplitSeq(a.header.Get("Link"), ", ") {
		if target, ok := strings.CutSuffix(link, `>; rel="`+relation+`"`); ok {
			return strings.TrimPrefix(target, "<")
		}
	}
	return ""
}

type chest struct {
	ID    int64             `json:"id"`
	Name  string            `json:"name"`
	Coins []string          `json:"coins,omitzero" validate:"omitempty,min=1"`
	Seal  []byte            `json:"seal,omitzero" validate:"omitempty,min=1"`
	Marks map[string]string `json:"marks,omitempty" validate:"omitempty,min=1"`
	Lid   struct {
		Gems  []string `json:"gems,omitzero" validate:"omitempty,min=1"`
		Stamp []byte   `json:"stamp,omitzero" validate:"omitempty,min=1"`
	} `json:"lid,omitzero"`
	Plan json.RawMessage `json:"plan,omitzero"`
}

func TestAMinimalCreationDoesNotLockItsRecord(t *testing.T) {
	t.Parallel()
	alike(t, resource.Of[chest]{RequirePrecondition: true}, func(c client) {
		made := c.send("POST /api/things", `{"name":"a"}`).is(201, `{"id":1,"name":"a"}`)
		read := c.send("GET /api/things/1", "").is(200, made.body).has("ETag", made.header.Get("ETag"))
		patched := c.send("PATCH /api/things/1", `{"name":"b"}`, "If-Match", made.header.Get("ETag")).is(200, `{"id":1,"name":"b"}`)
		c.send("PUT /api/things/1", `{"name":"c"}`, "If-Match", patched.header.Get("ETag")).is(200, `{"id":1,"name":"c"}`)
		c.send("PATCH /api/things/1", `{"name":"d"}`, "If-Match", read.header.Get("ETag")).isProblem(412)
		for _, member := range []string{`"coins":[]`, `"seal":""`, `"marks":{}`, `"lid":{"gems":[]}`, `"lid":{"stamp":""}`} {
			c.send("POST /api/things", `{"name":"a",`+member+`}`).hasStatus(400)
		}
	})
}

func TestValuesThatNoDatabaseHoldsAreRefused(t *testing.T) {
	t.Parallel()
	type entry struct {
		ID    int64   `json:"id"`
		Count uint64  `json:"count" api:"filter=range"`
		Title string  `json:"title" api:"unique"`
		Alias *string `json:"alias" api:"filter=start,sort" validate:"omitempty,max=5000"`
		Key   []byte  `json:"key" api:"unique"`
		Notes string  `json:"notes" api:"filter=partial,search"`
	}
	alike(t, resource.Of[entry]{}, func(c client) {
		c.send("POST /api/things", `{"count":9223372036854775808}`).isInvalid("count", "count must be an integer between 0 and 9223372036854775807")
		c.send("GET /api/things?count[gt]=9223372036854775808", "").isProblem(400)
		c.send("GET /api/things?count[gt]=9223372036854775807", "").is(200, `[]`)
		long := strings.Repeat(rand.Text(), 16)
		c.send("POST /api/things", `{"title":"`+long[:401]+`","alias":"`+long[:401]+`"}`).
			isInvalid("title", "title must be at most 400 characters long", "alias", "alias must be at most 400 characters long")
		c.send("POST /api/things", `{"key":"`+strings.Repeat("AAAA", 534)+`"}`).hasStatus(400)
		c.send("POST /api/things", `{"count":9223372036854775807,"title":"`+wideText(400)+`","alias":"`+wideText(400)+`","key":"`+
			strings.Repeat("AbC9", 533)+`","notes":"`+wideText(4000)+`"}`).hasStatus(201)
	})
}

// wideText returns characters of four bytes by chance, which no index can compress.
func wideText(n int) string {
	random := make([]byte, 2*n)
	_, _ = rand.Read(random) // it never fails
	var text strings.Builder
	for i := range n {
		text.WriteRune(0x10000 + rune(random[2*i])<<8 | rune(random[2*i+1]))
	}
	return text.String()
}

func TestAnIdentifierAndATextInOneIndexFit(t *testing.T) {
	t.Parallel()
	type page struct {
		Slug  string `json:"slug" api:"id"`
		Title string `json:"title" api:"filter=iexact,sort"`
	}
	alike(t, resource.Of[page]{}, func(c client) {
		slug := wideText(255)
		c.send("POST /api/things", `{"slug":"`+slug+`","title":"`+wideText(400)+`"}`).hasStatus(201)
		c.send("GET /api/things/"+url.PathEscape(slug), "").hasStatus(200)
		c.send("POST /api/things", `{"slug":"`+slug+`x"}`).isInvalid("slug", "slug must be at most 255 characters long")
		c.send("GET /api/things/"+url.PathEscape(slug+"x"), "").isProblem(404)
	})
}

func TestNumbersOfRawJSONTakeTheirLength(t *testing.T) {
	t.Parallel()
	type sheet struct {
		ID   int64           `json:"id"`
		Raw  json.RawMessage `json:"raw"`
		Deep struct {
			Raw json.RawMessage `json:"raw"`
		} `json:"deep"`
	}
	alike(t, resource.Of[sheet]{}, func(c client) {
		numbers := "[" + strings.Repeat("1e131071,", 300) + "1e999999999,-0,1.00]"
		made := c.send("POST /api/things", `{"raw":`+numbers+`,"deep":{"raw":`+numbers+`}}`).hasStatus(201)
		read := c.send("GET /api/things/1", "").hasStatus(200)
		if read.body != made.body || !strings.Contains(read.body, numbers) {
			t.Errorf("%d bytes are read as %d", len(made.body), len(read.body))
		}
	})
}

// level is a text of a type that does not read what it writes of its zero value.
type rank string

func (r rank) MarshalText() ([]byte, error) { return []byte(r), nil }
func (r *rank) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		return operation.Error{Status: 400}
	}
	*r = rank(text)
	return nil
}

type part struct {
	Plain   string `json:"plain,"`
	Omitted []int  `json:",omitempty,"`
	Rank    rank   `json:"rank"`
	Secret  string `json:"secret" api:"writeonly"`
	ReadOn  string `json:"readOn" api:"readonly"`
	rank2
	Level `json:"level,omitzero"`
	Inner struct {
		Note string `json:"note," default:"none"`
	} `json:"inner"`
}

type rank2 struct {
	Deep string `json:"deep,"`
}

// Level is embedded, and no struct.
type Level string

func TestTagsMeanTheSameInAnObjectAsInARecord(t *testing.T) {
	t.Parallel()
	type outer struct {
		ID    int64           `json:"id"`
		Part  part            `json:"part,"`
		Parts []part          `json:"parts"`
		Named map[string]part `json:"named"`
	}
	alike(t, resource.Of[outer]{}, func(c client) {
		made := c.send("POST /api/things", `{"part":{"plain":"a","secret":"s","deep":"d"},"parts":[{"rank":"r","level":"l"}],"named":{"a":{"Omitted":[1]}}}`)
		const none = `"inner":{"note":"none"}`
		made.is(201, `{"id":1,"part":{"plain":"a","rank":"","readOn":"","deep":"d",`+none+`},"parts":[{"plain":"","rank":"r","readOn":"","deep":"","level":"l",`+none+
			`}],"named":{"a":{"plain":"","Omitted":[1],"rank":"","readOn":"","deep":"",`+none+`}}}`)
		c.send("GET /api/things/1", "").is(200, made.body).has("ETag", made.header.Get("ETag"))
	})
}

func TestRecordsThatAreEqualFollowTheOrdersDirection(t *testing.T) {
	t.Parallel()
	type coin struct {
		ID    int64 `json:"id"`
		Value int   `json:"value" api:"sort"`
		Year  *int  `json:"year" api:"sort"`
	}
	alike(t, resource.Of[coin]{Order: []string{"-value"}}, func(c client) {
		for i := range 6 {
			c.send("POST /api/things", `{"value":`+strconv.Itoa(i%2)+`}`).hasStatus(201)
		}
		for query, want := range map[string]string{
			"": "6 4 2 5 3 1", "&sort=-value": "6 4 2 5 3 1", "&sort=value": "1 3 5 2 4 6", "&sort=-value,year": "2 4 6 1 3 5", "&sort=value,-year": "5 3 1 6 4 2",
		} {
			if got := walkBack(c, "/api/things?itemsPerPage=1&cursor="+query); got != want {
				t.Errorf("by %q come %s, want %s", query, got, want)
			}
		}
	})
}
