package collections_test

import (
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

type dated struct {
	ID   int64      `json:"id"`
	At   time.Time  `json:"at" api:"filter=exact|range,sort"`
	Left *time.Time `json:"left,omitzero" api:"sort"`
	Trip struct {
		Since time.Time `json:"since" api:"filter=range,sort"`
	} `json:"trip"`
	Days []time.Time `json:"days,omitempty"`
}

func TestATimeIsCheckedAsItIsStored(t *testing.T) {
	t.Parallel()
	spec.Alike(t, resource.Of[dated]{}, func(c spec.Client) {
		const text = " must be within the years from 0000 to 9999 in UTC"
		for _, late := range []string{"9999-12-31T23:59:59-23:59", "0000-01-01T00:00:00+23:59"} {
			c.Send("POST /api/things", `{"at":"`+late+`","left":"`+late+`","trip":{"since":"`+late+`"},"days":["`+late+`"]}`).
				IsInvalid("at", "at"+text, "left", "left"+text, "trip.since", "since"+text, "days[0]", "days[0]"+text)
			for _, filter := range []string{"at", "at[gt]", "at[lte]", "trip.since[lt]"} {
				c.Send("GET /api/things?"+filter+"="+url.QueryEscape(late), "").IsProblem(400)
			}
		}
		c.Send("GET /api/things", "").Is(200, `[]`)
		for i, given := range []string{
			"9999-12-31T23:59:59.9999999Z", "0000-01-01T00:00:00Z", "0000-01-01T23:59:00.0000009+23:59", "9999-12-31T00:00:59.999-23:59", "2024-02-29T23:59:59.123456789+05:30",
		} {
			made := c.Send("POST /api/things", `{"at":"`+given+`","left":"`+given+`","trip":{"since":"`+given+`"},"days":["`+given+`"]}`).HasStatus(201)
			read := c.Send("GET /api/things/"+strconv.Itoa(i+1), "").Is(200, made.Body)
			if made.Header.Get("ETag") != read.Header.Get("ETag") {
				t.Errorf("%s: the tag of the creation is %s, that of the next Get %s", given, made.Header.Get("ETag"), read.Header.Get("ETag"))
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
func walkBack(c spec.Client, address string) string {
	c.T.Helper()
	var there, back []string
	for link, ids := "next", &there; address != ""; {
		a := c.Send("GET "+address, "").HasStatus(200)
		var page []struct {
			ID int64 `json:"id"`
		}
		if err := json.Unmarshal([]byte(a.Body), &page); err != nil || len(page) != 1 {
			c.T.Fatalf("a page of one is %s", a.Body)
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
		c.T.Errorf("there are %v, and back %v", there, back)
	}
	return strings.Join(there, " ")
}

func linkOf(a spec.Response, relation string) string {
	for link := range strings.SplitSeq(a.Header.Get("Link"), ", ") {
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
	spec.Alike(t, resource.Of[chest]{RequirePrecondition: true}, func(c spec.Client) {
		made := c.Send("POST /api/things", `{"name":"a"}`).Is(201, `{"id":1,"name":"a"}`)
		read := c.Send("GET /api/things/1", "").Is(200, made.Body).Has("ETag", made.Header.Get("ETag"))
		patched := c.Send("PATCH /api/things/1", `{"name":"b"}`, "If-Match", made.Header.Get("ETag")).Is(200, `{"id":1,"name":"b"}`)
		c.Send("PUT /api/things/1", `{"name":"c"}`, "If-Match", patched.Header.Get("ETag")).Is(200, `{"id":1,"name":"c"}`)
		c.Send("PATCH /api/things/1", `{"name":"d"}`, "If-Match", read.Header.Get("ETag")).IsProblem(412)
		for _, member := range []string{`"coins":[]`, `"seal":""`, `"marks":{}`, `"lid":{"gems":[]}`, `"lid":{"stamp":""}`} {
			c.Send("POST /api/things", `{"name":"a",`+member+`}`).HasStatus(400)
		}
	})
}

func TestValuesThatNoDatabaseCanStoreAreRejected(t *testing.T) {
	t.Parallel()
	type entry struct {
		ID    int64   `json:"id"`
		Count uint64  `json:"count" api:"filter=range"`
		Title string  `json:"title" api:"unique"`
		Alias *string `json:"alias" api:"filter=start,sort" validate:"omitempty,max=5000"`
		Key   []byte  `json:"key" api:"unique"`
		Notes string  `json:"notes" api:"filter=partial,search"`
	}
	spec.Alike(t, resource.Of[entry]{}, func(c spec.Client) {
		c.Send("POST /api/things", `{"count":9223372036854775808}`).IsInvalid("count", "count must be an integer between 0 and 9223372036854775807")
		c.Send("GET /api/things?count[gt]=9223372036854775808", "").IsProblem(400)
		c.Send("GET /api/things?count[gt]=9223372036854775807", "").Is(200, `[]`)
		long := strings.Repeat(rand.Text(), 16)
		c.Send("POST /api/things", `{"title":"`+long[:401]+`","alias":"`+long[:401]+`"}`).
			IsInvalid("title", "title must be at most 400 characters long", "alias", "alias must be at most 400 characters long")
		c.Send("POST /api/things", `{"key":"`+strings.Repeat("AAAA", 534)+`"}`).HasStatus(400)
		c.Send("POST /api/things", `{"count":9223372036854775807,"title":"`+wideText(400)+`","alias":"`+wideText(400)+`","key":"`+
			strings.Repeat("AbC9", 533)+`","notes":"`+wideText(4000)+`"}`).HasStatus(201)
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
	spec.Alike(t, resource.Of[page]{}, func(c spec.Client) {
		slug := wideText(255)
		c.Send("POST /api/things", `{"slug":"`+slug+`","title":"`+wideText(400)+`"}`).HasStatus(201)
		c.Send("GET /api/things/"+url.PathEscape(slug), "").HasStatus(200)
		c.Send("POST /api/things", `{"slug":"`+slug+`x"}`).IsInvalid("slug", "slug must be at most 255 characters long")
		c.Send("GET /api/things/"+url.PathEscape(slug+"x"), "").IsProblem(404)
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
	spec.Alike(t, resource.Of[sheet]{}, func(c spec.Client) {
		numbers := "[" + strings.Repeat("1e131071,", 300) + "1e999999999,-0,1.00]"
		made := c.Send("POST /api/things", `{"raw":`+numbers+`,"deep":{"raw":`+numbers+`}}`).HasStatus(201)
		read := c.Send("GET /api/things/1", "").HasStatus(200)
		if read.Body != made.Body || !strings.Contains(read.Body, numbers) {
			t.Errorf("%d bytes are read as %d", len(made.Body), len(read.Body))
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
	spec.Alike(t, resource.Of[outer]{}, func(c spec.Client) {
		made := c.Send("POST /api/things", `{"part":{"plain":"a","secret":"s","deep":"d"},"parts":[{"rank":"r","level":"l"}],"named":{"a":{"Omitted":[1]}}}`)
		const none = `"inner":{"note":"none"}`
		made.Is(201, `{"id":1,"part":{"plain":"a","rank":"","readOn":"","deep":"d",`+none+`},"parts":[{"plain":"","rank":"r","readOn":"","deep":"","level":"l",`+none+
			`}],"named":{"a":{"plain":"","Omitted":[1],"rank":"","readOn":"","deep":"",`+none+`}}}`)
		c.Send("GET /api/things/1", "").Is(200, made.Body).Has("ETag", made.Header.Get("ETag"))
	})
}

func TestRecordsThatAreEqualFollowTheOrdersDirection(t *testing.T) {
	t.Parallel()
	type coin struct {
		ID    int64 `json:"id"`
		Value int   `json:"value" api:"sort"`
		Year  *int  `json:"year" api:"sort"`
	}
	spec.Alike(t, resource.Of[coin]{Order: []string{"-value"}}, func(c spec.Client) {
		for i := range 6 {
			c.Send("POST /api/things", `{"value":`+strconv.Itoa(i%2)+`}`).HasStatus(201)
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

type relic struct {
	ID     int64       `json:"id"`
	Name   string      `json:"name" api:"filter=partial"`
	Mark   string      `json:"mark" api:"filter=start"`
	Tail   string      `json:"tail" api:"filter=end"`
	Word   string      `json:"word" api:"filter=word_start"`
	Case   string      `json:"case" api:"filter=iexact"`
	Labels []string    `json:"labels" api:"filter=contains"`
	Counts []int64     `json:"counts" api:"filter=contains"`
	Keys   []uuid.UUID `json:"keys" api:"filter=contains"`
	Found  time.Time   `json:"found" api:"filter=exact|range"`
	Lost   *time.Time  `json:"lost" api:"filter=range|exists"`
	Whole  bool        `json:"whole" api:"filter"`
	Real   *bool       `json:"real" api:"filter=exact|exists"`
}

func TestFiltersFindTheSameRecordsInEveryStore(t *testing.T) {
	t.Parallel()
	spec.Alike(t, resource.Of[relic]{Operations: []operation.Operation{operation.GetCollection{}, operation.Post{}}}, func(c spec.Client) {
		for _, body := range []string{
			`{"name":"Gold ring","mark":"Aa","tail":"xyz","word":"old ring","case":"One","labels":["red","hot","red"],"counts":[1,2],` +
				`"keys":["00000000-0000-4000-8000-000000000001"],"found":"2026-11-21T23:59:59Z","lost":"2026-11-22T00:00:00Z","whole":true,"real":false}`,
			`{"name":"silver","mark":"ab","tail":"ayz","word":"new cup","case":"ONE","labels":["blue"],"counts":[2,3],"keys":[],"found":"2026-11-22T00:00:00Z","whole":false,"real":true}`,
			`{"name":"copper","mark":"b","tail":"z","word":"ring","case":"two","labels":[],"counts":[],"keys":["f0000000-0000-4000-8000-000000000001"],` +
				`"found":"2026-11-22T23:59:59.999Z","lost":"2026-11-23T10:00:00Z","whole":true}`,
			`{"name":"tin","mark":"","tail":"","word":"","case":"","labels":["redder"],"counts":[10],"keys":[],"found":"2026-11-23T00:00:00+01:00","whole":false}`,
		} {
			c.Send("POST /api/things", body).HasStatus(http.StatusCreated)
		}
		for query, want := range map[string]string{
			"labels=red": "1", "labels=red&labels=blue": "1 2", "labels=Red": "", "labels=red&counts=2": "1", "counts=2": "1 2", "counts=2.0&counts=10": "1 2 4",
			"keys=f0000000-0000-4000-8000-000000000001": "3", "labels=": "",
			"name=gold&name=TIN": "1 4", "mark=a&mark=B": "1 2 3", "tail=YZ&tail=xyz": "1 2", "word=ring&word=cup": "1 2 3", "case=one&case=TWO": "1 2 3", "case=&case=two": "3 4",
			"found[gte]=2026-11-22": "2 3 4", "found[gt]=2026-11-21": "2 3 4", "found[lt]=2026-11-22": "1", "found[lte]=2026-11-22": "1 2 3 4", "found=2026-11-22": "2",
			"found[between]=2026-11-22..2026-11-22": "2 3 4", "found[gt]=2026-11-22": "", "lost[lte]=2026-11-22": "1", "lost[gt]=2026-11-22": "3", "found=2026-11-22T01:00:00%2B01:00": "2",
			"whole=true": "1 3", "whole=false": "2 4", "real=true": "2", "real=false": "1", "real=false&real=true": "1 2", "real[ne]=true": "1 3 4",
			"exists[real]=true": "1 2", "exists[lost]=false": "2 4", "exists[lost]=true": "1 3",
		} {
			if got := idsIn(c, "/api/things?"+strings.NewReplacer("[", "%5B", "]", "%5D").Replace(query)); got != want {
				t.Errorf("%s finds %q, want %q", query, got, want)
			}
		}
		for query, says := range map[string]string{
			"whole=2": "whole must be true or false", "whole=": "whole must be true or false", "real=yes": "real must be true or false", "exists[lost]=10": "must be true or false",
			"found=2026-13-01": "found must be a date and time such as", "found[gt]=2026-02-30": "or a date such as 2006-01-02", "counts=x": "counts must be", "keys=1": "keys has an invalid format",
			"itemsPerPage=-1": "itemsPerPage must be an integer between 0 and",
		} {
			c.Send("GET /api/things?"+strings.NewReplacer("[", "%5B", "]", "%5D").Replace(query), "").IsProblem(http.StatusBadRequest).Mentions(says)
		}
		for query, total := range map[string]string{"itemsPerPage=0": "4", "itemsPerPage=0&whole=true": "2", "itemsPerPage=0&page=3": "4", "itemsPerPage=0&labels=none": "0", "itemsPerPage=0.0": "4"} {
			answer := c.Send("GET /api/things?"+query, "").Is(http.StatusOK, `[]`).Has("X-Total-Count", total)
			if link := answer.Header.Get("Link"); strings.Contains(link, "next") || strings.Contains(link, "prev") || strings.Contains(link, "last") {
				t.Errorf("%s has the links %s", query, link)
			}
		}
	})
}
