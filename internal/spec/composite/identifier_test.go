package composite_test

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
)

// Hold and Ballast are a ship's hold and what is in it: its place there names a ballast.
type Hold struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

type Ballast struct {
	HoldID int64  `json:"hold" api:"id,ref=Hold,expand,filter"`
	Place  string `json:"place" api:"id" validate:"max=20"`
	Ware   string `json:"ware" validate:"notblank" api:"filter,sort"`
	Weight int    `json:"weight" api:"sort"`
}

var ballasts = resource.Of[Ballast]{
	ShortName:   "Ballast",
	Idempotency: time.Hour,
	Operations: []operation.Operation{
		operation.Get{},
		operation.GetCollection{},
		operation.Post{},
		operation.Put{AllowCreate: true},
		operation.Patch{},
		operation.Delete{},
		operation.GetCollection{URITemplate: "/holds/{hold}/ballasts"},
		operation.Post{URITemplate: "/holds/{hold}/ballasts"},
		operation.Get{Name: "stowed", URITemplate: "/holds/{hold}/ballasts/{place}"},
		operation.Post{Name: "weigh", URITemplate: "/ballasts/{hold};{place}/weigh", Handler: operation.Handle(weigh)},
	},
}

func weigh(_ context.Context, c *Ballast, _ struct{}) (struct{}, error) {
	c.Weight++
	return struct{}{}, nil
}

// stowages runs a test on an API of ballasts on each sort of store, with the holds 1 and 2.
func stowages(t *testing.T, config resource.Config, test func(t *testing.T, c spec.Client)) {
	t.Helper()
	run := func(t *testing.T, holds resource.Of[Hold], ballasts resource.Of[Ballast]) {
		t.Helper()
		holds.Inverse = map[string]string{"ballasts": "Ballast.hold"}
		c := spec.NewClient(t, config, ballasts, holds)
		c.Send("POST /api/holds", `{"name":"fore"}`).HasStatus(http.StatusCreated)
		c.Send("POST /api/holds", `{"name":"aft"}`).HasStatus(http.StatusCreated)
		test(t, c)
	}
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		run(t, resource.Of[Hold]{}, ballasts)
	})
	for name, open := range spec.Databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			holds, kept := sqlstore.Table[Hold](db), sqlstore.Table[Ballast](db)
			if err := db.Create(t.Context(), holds, kept); err != nil {
				t.Fatal(err)
			}
			stored := ballasts
			stored.Store = kept
			run(t, resource.Of[Hold]{Store: holds}, stored)
		})
	}
}

const tar = `{"hold":"/api/holds/1","place":"a;b","ware":"tar","weight":3}`

func TestARecordOfTwoIdentifiers(t *testing.T) {
	t.Parallel()
	stowages(t, resource.Config{}, func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("POST /api/ballasts", tar).Is(http.StatusCreated, tar).Has("Location", "/api/ballasts/1;a%3Bb")
		c.Send("POST /api/ballasts", tar).Is(http.StatusConflict,
			`{"type":"about:blank","title":"Conflict","status":409,"detail":"The combination of hold and place is already in use.","field":"hold,place"}`)
		c.Send("POST /api/ballasts", `{"hold":"/api/holds/2","place":"a;b","ware":"rum"}`).
			HasStatus(http.StatusCreated).Has("Location", "/api/ballasts/2;a%3Bb")
		read := c.Send("GET /api/ballasts/1;a%3Bb", "").Is(http.StatusOK, tar)
		c.Send("GET /api/ballasts/1;a%3Bb.json", "").Is(http.StatusOK, tar)
		c.Send("GET /api/holds/1/ballasts/a%3Bb", "").Is(http.StatusOK, tar)
		c.Send("GET /api/ballasts/1;a%3Bb", "", "If-None-Match", read.Header.Get("ETag")).HasStatus(http.StatusNotModified)
		c.Send("PATCH /api/ballasts/1;a%3Bb", `{"weight":4}`, "If-Match", read.Header.Get("ETag")).
			HasStatus(http.StatusOK).Has("Content-Location", "/api/ballasts/1;a%3Bb").Mentions(`"weight":4`)
		c.Send("PATCH /api/ballasts/1;a%3Bb", `{"weight":5}`, "If-Match", read.Header.Get("ETag")).HasStatus(http.StatusPreconditionFailed)
		c.Send("PATCH /api/ballasts/1;a%3Bb", `{"place":"z","weight":5}`).HasStatus(http.StatusBadRequest).
			Mentions(`"place":"place must be the one in the path"`)
		c.Send("PATCH /api/ballasts/1;a%3Bb", `{"hold":"/api/holds/2","place":"z"}`).HasStatus(http.StatusBadRequest).
			Mentions(`"hold":"hold must be the one in the path"`, `"place":"place must be the one in the path"`)
		c.Send("POST /api/ballasts/1;a%3Bb/weigh", "").HasStatus(http.StatusNoContent)
		c.Send("GET /api/ballasts/1;a%3Bb?expand=hold", "").Mentions(`"weight":5`, `"_embedded":{"hold":{"id":1,"name":"fore"`)
		c.Send("DELETE /api/ballasts/1;a%3Bb", "").HasStatus(http.StatusNoContent)
		c.Send("DELETE /api/ballasts/1;a%3Bb", "").HasStatus(http.StatusNotFound)
		c.Send("GET /api/ballasts/2;a%3Bb", "").HasStatus(http.StatusOK)
		c.Send("DELETE /api/holds/2", "").HasStatus(http.StatusConflict)
	})
}

func TestPathsThatNameNoRecordOfTwoIdentifiers(t *testing.T) {
	t.Parallel()
	stowages(t, resource.Config{}, func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("POST /api/ballasts", tar).HasStatus(http.StatusCreated)
		for _, path := range []string{
			"1", "1;", ";a%3Bb", ";", "1;a;b", "1;a%3Bb;", "1;a%3Bb;c", "01;a%3Bb", "+1;a%3Bb", "1%3Ba%3Bb", "x;a%3Bb", "1;a", "2;a%3Bb",
			"9223372036854775808;a", "1;%00", "1;%FF", "a%3Bb;1", "1;a%3Bb/", "1,a%3Bb",
		} {
			for _, method := range []string{"GET", "DELETE"} {
				if status := c.Send(method+" /api/ballasts/"+path, "").Status; status != http.StatusNotFound {
					t.Errorf("%s %s gets %d", method, path, status)
				}
			}
		}
		c.Send("GET /api/ballasts/1;a%3Bb", "").HasStatus(http.StatusOK)
	})
}

func TestAPutCreatesARecordOfTwoIdentifiers(t *testing.T) {
	t.Parallel()
	stowages(t, resource.Config{}, func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("PUT /api/ballasts/1;x%2Fy", `{"hold":"/api/holds/1","ware":"tea"}`).
			Is(http.StatusCreated, `{"hold":"/api/holds/1","place":"x/y","ware":"tea","weight":0}`).Has("Location", "/api/ballasts/1;x%2Fy")
		c.Send("PUT /api/ballasts/1;x%2Fy", `{"weight":7}`).
			Is(http.StatusOK, `{"hold":"/api/holds/1","place":"x/y","ware":"tea","weight":7}`)
		c.Send("PUT /api/ballasts/1;z", `{"ware":"tea"}`).HasStatus(http.StatusCreated) // the path says it
		c.Send("PUT /api/ballasts/2;z", `{"hold":"/api/holds/1","ware":"tea"}`).HasStatus(http.StatusBadRequest)
		c.Send("PUT /api/ballasts/7;z", `{"ware":"tea"}`).HasStatus(http.StatusBadRequest).Mentions(`"hold"`)
	})
}

func TestACollectionBelowAPartOfTheIdentifier(t *testing.T) {
	t.Parallel()
	stowages(t, resource.Config{}, func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("POST /api/holds/2/ballasts", `{"place":"b","ware":"rum"}`).
			Is(http.StatusCreated, `{"hold":"/api/holds/2","place":"b","ware":"rum","weight":0}`).Has("Location", "/api/ballasts/2;b")
		c.Send("POST /api/holds/2/ballasts", `{"place":"b","ware":"rum"}`).HasStatus(http.StatusConflict)
		c.Send("POST /api/holds/9/ballasts", `{"place":"b","ware":"rum"}`).HasStatus(http.StatusNotFound)
		c.Send("POST /api/holds/1/ballasts", `{"hold":"/api/holds/2","place":"c","ware":"rum"}`).HasStatus(http.StatusBadRequest)
		c.Send("POST /api/holds/1/ballasts", `{"ware":"rum"}`).HasStatus(http.StatusBadRequest).Mentions(`"place"`)
		c.Send("POST /api/holds/1/ballasts", `{"place":"  ","ware":"rum"}`).HasStatus(http.StatusBadRequest).Mentions(`"place"`)
		c.Send("GET /api/holds/2/ballasts", "").Is(http.StatusOK, `[{"hold":"/api/holds/2","place":"b","ware":"rum","weight":0}]`)
		c.Send("GET /api/holds/1/ballasts", "").Is(http.StatusOK, `[]`)
		c.Send("GET /api/holds/2", "").Mentions(`"ballasts":"/api/holds/2/ballasts"`)
		c.Send("GET /api/ballasts?hold=/api/holds/2", "").Mentions(`"place":"b"`)
	})
}

func TestARequestSentTwiceMakesOneRecordOfTwoIdentifiers(t *testing.T) {
	t.Parallel()
	stowages(t, resource.Config{}, func(t *testing.T, c spec.Client) {
		t.Helper()
		for range 2 {
			c.Send("POST /api/ballasts", tar, "Idempotency-Key", `"k"`).Is(http.StatusCreated, tar).Has("Location", "/api/ballasts/1;a%3Bb")
		}
	})
}

func TestPagesOfRecordsOfTwoIdentifiers(t *testing.T) {
	t.Parallel()
	stowages(t, resource.Config{References: resource.Identifiers}, func(t *testing.T, c spec.Client) {
		t.Helper()
		var all []string
		for _, hold := range []int{2, 1} {
			for i := 9; i > 0; i-- {
				c.Send("POST /api/ballasts", `{"hold":`+strconv.Itoa(hold)+`,"place":"p`+strconv.Itoa(i)+`","ware":"w`+strconv.Itoa(i%2)+`","weight":`+
					strconv.Itoa(i%3)+`}`).HasStatus(http.StatusCreated)
			}
		}
		c.Send("GET /api/ballasts/2;p9", "").Is(http.StatusOK, `{"hold":2,"place":"p9","ware":"w1","weight":0}`)
		for _, query := range []string{
			"", "&sort=weight", "&sort=-weight", "&sort=-ware,weight", "&sort=ware&ware=w1", "&hold=2", "&hold=2&sort=-weight",
		} {
			whole := c.Send("GET /api/ballasts?itemsPerPage=100"+query, "").HasStatus(http.StatusOK)
			records := strings.Split(strings.Trim(whole.Body, "[]\n"), "},{")
			var walked []string
			for next := "/api/ballasts?itemsPerPage=4&cursor=" + query; next != ""; {
				page := c.Send("GET "+next, "").HasStatus(http.StatusOK)
				if text := strings.Trim(page.Body, "[]\n"); text != "" {
					walked = append(walked, strings.Split(text, "},{")...)
				}
				next = page.Link("next")
			}
			if len(walked) != len(records) {
				t.Errorf("%q: %d records of %d by cursors", query, len(walked), len(records))
				continue
			}
			for i := range walked {
				if strings.Trim(walked[i], "{}") != strings.Trim(records[i], "{}") {
					t.Errorf("%q: number %d is %s by cursors, %s on the whole page", query, i, walked[i], records[i])
				}
			}
			all = append(all, whole.Body)
		}
		if !strings.HasPrefix(all[0], `[{"hold":1,"place":"p1",`) || !strings.HasPrefix(all[2], `[{"hold":2,"place":"p8","ware":"w0","weight":2}`) {
			t.Errorf("the orders are\n%s\n%s", all[0], all[2])
		}
		backward := c.Send("GET /api/ballasts?itemsPerPage=4&page=2", "")
		previous := c.Send("GET "+backward.Link("prev"), "").HasStatus(http.StatusOK)
		first := c.Send("GET /api/ballasts?itemsPerPage=4", "")
		if previous.Body != first.Body {
			t.Errorf("the page before is %s, want %s", previous.Body, first.Body)
		}
		c.Send("GET /api/ballasts?itemsPerPage=4&page=2", "").Has("X-Total-Count", "18")
	})
}

func TestAUsersCodeNamesARecordByAKey(t *testing.T) {
	t.Parallel()
	kept := memory.New(Ballast{HoldID: 1, Place: "a", Ware: "tar"}, Ballast{HoldID: 1, Place: "b", Ware: "rum"})
	if record, err := kept.Get(t.Context(), store.Key{int64(1), "b"}); err != nil || record.Ware != "rum" {
		t.Errorf("found %v (%v)", record, err)
	}
	for _, id := range []any{int64(1), store.Key{int64(1)}, store.Key{1, "b"}, store.Key{int64(1), "b", 1}, "1;b"} {
		if _, err := kept.Get(t.Context(), id); err == nil || !strings.Contains(err.Error(), "store.Key{int64, string}") {
			t.Errorf("an id %v gives %v", id, err)
		}
	}
}

type (
	voucher struct {
		ID      int64 `json:"id"`
		Ballast int64 `json:"ballast" api:"ref=Ballast"`
	}
)

func TestMistakesAboutSeveralIdentifiers(t *testing.T) {
	t.Parallel()
	wrong := resource.Of[Ballast]{Operations: []operation.Operation{
		operation.Get{URITemplate: "/a/{place}"},
		operation.Get{URITemplate: "/b/{hold};{Place}"},
		operation.Get{URITemplate: "/c/{hold};{place};{x}"},
		operation.Get{URITemplate: "/d/{hold};x;{place}"},
		operation.Post{URITemplate: "/e/{hold};{place}"},
		operation.Put{URITemplate: "/f/{hold};{place}", AllowCreate: true},
	}}
	_, err := resource.New(resource.Config{}, wrong, resource.Of[Hold]{}, resource.Of[voucher]{})
	if err == nil {
		t.Fatal("no mistake is told")
	}
	for _, want := range []string{
		"operation 1 (Get): URITemplate has the unknown variable {place}",
		"operation 2 (Get): URITemplate has the unknown variable {Place}",
		"operation 3 (Get): URITemplate has the unknown variable {x}; allowed: ",
		`operation 4 (Get): URITemplate "/d/{hold};x;{place}" has the segment`,
		"operation 5 (Post): URITemplate has {hold} and {place}, but a Post creates a record",
		"voucher.Ballast: references Ballast by its composite identifier hold, place",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not told", want)
		}
	}
	if t.Failed() {
		t.Log(err)
	}
}
