package relations_test

import (
	"context"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

// Skipper is what hauls refer to. Callers other than admirals see themselves, and skippers at sea.
type Skipper struct {
	ID       int64   `json:"id"`
	Username string  `json:"username" api:"filter=exact|range,sort"`
	Nick     *string `json:"nick" api:"filter=partial|exists,sort"`
	Port     Haven   `json:"port"`
	Retired  bool    `json:"retired"`
	Boss     *int64  `json:"boss" api:"ref=Skipper,filter,through=username"`
}

type Haven struct {
	City string `json:"city" api:"filter,sort"`
}

type Haul struct {
	ID      int64  `json:"id"`
	Name    string `json:"name" api:"filter,sort"`
	Skipper *int64 `json:"skipper" api:"ref=Skipper,expand,filter,through=username|nick|port.city|boss"`
}

// hauls returns an API on each sort of store, with four skippers and six hauls.
func hauls(t *testing.T, rules access.Rules, test func(t *testing.T, c spec.Client)) {
	t.Helper()
	config := resource.Config{Authentication: []access.Scheme{
		access.APIKey("key", "X-API-Key", func(_ context.Context, key string) (string, access.Scopes, error) { return key, nil, nil }),
	}}
	open := access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public}
	run := func(t *testing.T, hauls store.Store[Haul], skippers store.Store[Skipper]) {
		t.Helper()
		cursors := append(operation.Standard(), operation.GetCollection{Name: "walk", URITemplate: "/walk", Pagination: operation.Pagination{ViaCursor: new(true)}})
		c := spec.NewClient(t, config, resource.Of[Haul]{Store: hauls, Access: open, Operations: cursors, SparseFields: true},
			resource.Of[Skipper]{Store: skippers, Access: rules})
		for _, body := range []string{
			`{"username":"bob","nick":"Big","port":{"city":"Ems"},"retired":false}`,
			`{"username":"ann","nick":null,"port":{"city":"Rye"},"retired":false,"boss":"/api/skippers/1"}`,
			`{"username":"cid","nick":"Biggest","port":{"city":"Rye"},"retired":true,"boss":"/api/skippers/2"}`,
			`{"username":"ann","nick":"Two","port":{"city":"Ems"},"retired":true}`,
		} {
			c.Send("POST /api/skippers", body).HasStatus(http.StatusCreated)
		}
		for _, skipper := range []string{"1", "2", "3", "", "2", "4"} {
			body := `{"name":"n","skipper":null}`
			if skipper != "" {
				body = `{"name":"n","skipper":"/api/skippers/` + skipper + `"}`
			}
			c.Send("POST /api/hauls", body, "X-API-Key", "admiral").HasStatus(http.StatusCreated)
		}
		test(t, c)
	}
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		run(t, nil, nil)
	})
	for name, open := range spec.Databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			hauls, skippers := sqlstore.Table[Haul](db), sqlstore.Table[Skipper](db)
			if err := db.Create(t.Context(), hauls, skippers); err != nil {
				t.Fatal(err)
			}
			run(t, hauls, skippers)
		})
	}
}

func everybodySees() access.Rules {
	return access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public}
}

func TestFiltersAndOrderGoThroughReferences(t *testing.T) {
	t.Parallel()
	hauls(t, everybodySees(), func(t *testing.T, c spec.Client) {
		t.Helper()
		for query, want := range map[string]string{
			"skipper.username=ann":                                 "2 5 6",
			"skipper.username=bob&skipper.username=cid":            "1 3",
			"skipper.username[ne]=ann":                             "1 3",
			"skipper.username[gte]=b":                              "1 3",
			"skipper.username[between]=b..bz":                      "1",
			"skipper.nick=big":                                     "1 3",
			"exists[skipper.nick]=false":                           "2 5",
			"exists[skipper.nick]=true":                            "1 3 6",
			"skipper.port.city=Rye":                                "2 3 5",
			"skipper.port.city=Rye&skipper.username=ann":           "2 5",
			"skipper.boss=/api/skippers/1":                         "2 5",
			"skipper.username=nobody":                              "",
			"skipper.username=ann&name=n&skipper=/api/skippers/2":  "2 5",
			"sort=skipper.username":                                "4 2 5 6 1 3",
			"sort=-skipper.username":                               "3 1 6 5 2 4",
			"sort=skipper.port.city,-skipper.username":             "4 1 6 3 5 2",
			"order[skipper.username]=desc":                         "3 1 6 5 2 4",
			"order[skipper.nick]=asc&order[skipper.username]=desc": "5 2 4 1 3 6",
			"sort=skipper.username&skipper.port.city=Rye":          "2 5 3",
			"sort=skipper.username&itemsPerPage=2&page=2":          "5 6",
		} {
			name, value, _ := strings.Cut(query, "=")
			if strings.Contains(value, "-id") {
				c.Send("GET /api/hauls?"+query, "").HasStatus(http.StatusBadRequest)
				continue
			}
			answer := c.Send("GET /api/hauls?"+strings.ReplaceAll(query, "+", "%2B"), "").HasStatus(http.StatusOK)
			if got := spec.NumbersIn(answer.Body); got != want {
				t.Errorf("%s (%s): found %s, want %s", query, name, got, want)
			}
		}
		for query, want := range map[string]string{"boss.username=bob": "2", "boss.username[ne]=bob": "3", "sort=-boss.username": "2 3 4 1"} {
			answer := c.Send("GET /api/skippers?"+query, "").HasStatus(http.StatusOK)
			if got := spec.NumbersIn(answer.Body); got != want {
				t.Errorf("%s: found %s, want %s", query, got, want)
			}
		}
	})
}

func TestPagesGoOnInAnOrderThroughAReference(t *testing.T) {
	t.Parallel()
	hauls(t, everybodySees(), func(t *testing.T, c spec.Client) {
		t.Helper()
		for query, want := range map[string]string{
			"sort=skipper.username": "4 2 5 6 1 3", "sort=-skipper.username": "3 1 6 5 2 4", "sort=-skipper.nick,skipper.username": "6 3 1 4 2 5",
			"sort=skipper.username&fields=id,name": "4 2 5 6 1 3",
		} {
			for _, size := range []string{"1", "2", "5"} {
				var there, back []string
				var last spec.Response
				for next := "/api/walk?itemsPerPage=" + size + "&" + query; next != ""; {
					page := c.Send("GET "+next, "").HasStatus(http.StatusOK)
					there = append(there, spec.NumbersIn(page.Body))
					last, next = page, page.Link("next")
				}
				if got := strings.Join(there, " "); got != want {
					t.Errorf("%s by %s: %s, want %s", query, size, got, want)
				}
				for prev := last.Link("prev"); prev != ""; {
					page := c.Send("GET "+prev, "").HasStatus(http.StatusOK)
					back = append([]string{spec.NumbersIn(page.Body)}, back...)
					prev = page.Link("prev")
				}
				if got := strings.Join(append(back, there[len(there)-1]), " "); size != "5" && got != want {
					t.Errorf("%s by %s, back: %s, want %s", query, size, got, want)
				}
			}
			lines := strings.ReplaceAll(c.Send("GET /api/hauls.ndjson?"+query, "").HasStatus(http.StatusOK).Body, "\n", ",")
			if got := spec.NumbersIn(lines); got != want {
				t.Errorf("%s as a stream: %s, want %s", query, got, want)
			}
		}
	})
}

// A filter does not match hidden values of a skipper, and a sort treats them as null. No page, total or cursor
// discloses them.
func TestOnlyWhatMayBeSeenIsFoundThroughAReference(t *testing.T) {
	t.Parallel()
	admiral := access.If("admiral", func(key string) bool { return key == "admiral" })
	rules := everybodySees()
	rules.Read = access.Any(access.Where("retired", false), admiral)
	rules.Fields = map[string]access.Field{
		"nick": {Read: access.If("friend", func(key string) bool { return key == "friend" || key == "admiral" })},
		"port": {Read: access.Any(access.Where("username", "bob"), admiral)},
	}
	hauls(t, rules, func(t *testing.T, c spec.Client) {
		t.Helper()
		for _, ask := range []struct{ key, query, want string }{
			{"admiral", "skipper.username=ann", "2 5 6"},
			{"friend", "skipper.username=ann", "2 5"},
			{"friend", "skipper.username[ne]=bob", "2 5"},
			{"friend", "skipper.username=cid", ""},
			{"admiral", "skipper.nick=big", "1 3"},
			{"friend", "skipper.nick=big", "1"},
			{"other", "skipper.nick=big", ""},
			{"other", "exists[skipper.nick]=false", ""},
			{"friend", "exists[skipper.nick]=false", "2 5"},
			{"friend", "skipper.port.city=Rye", ""},
			{"friend", "skipper.port.city=Ems", "1"},
			{"admiral", "sort=skipper.username", "4 2 5 6 1 3"},
			{"friend", "sort=skipper.username", "3 4 6 2 5 1"},
			{"friend", "sort=-skipper.username", "1 5 2 6 4 3"},
			{"friend", "sort=skipper.nick", "2 3 4 5 6 1"},
			{"other", "sort=skipper.nick", "1 2 3 4 5 6"},
			{"friend", "sort=-skipper.port.city", "1 6 5 4 3 2"},
		} {
			answer := c.Send("GET /api/hauls?"+ask.query, "", "X-API-Key", ask.key).HasStatus(http.StatusOK)
			if got := spec.NumbersIn(answer.Body); got != ask.want {
				t.Errorf("%s asks %s: found %s, want %s", ask.key, ask.query, got, ask.want)
			}
			answer.Has("Cache-Control", "private, no-cache")
			var walked []string
			for next := "/api/walk?itemsPerPage=2&" + ask.query; next != ""; {
				page := c.Send("GET "+next, "", "X-API-Key", ask.key).HasStatus(http.StatusOK)
				walked = append(walked, spec.NumbersIn(page.Body))
				next = page.Link("next")
				if cursor, err := url.Parse(next); err != nil || holdsText(cursor.Query().Get("cursor"), "cid") && ask.key != "admiral" {
					t.Errorf("%s asks %s: the cursor tells what is hidden", ask.key, ask.query)
				}
			}
			if got := strings.Join(walked, " "); got != ask.want {
				t.Errorf("%s walks %s: found %s, want %s", ask.key, ask.query, got, ask.want)
			}
		}
		// Nor does a filter by what that record refers to name a third one that is hidden.
		c.Send("PATCH /api/skippers/1", `{"boss":"/api/skippers/3"}`, "X-API-Key", "admiral").HasStatus(http.StatusOK)
		for _, ask := range []struct{ key, query, want string }{
			{"admiral", "skipper.boss=/api/skippers/3", "1"},
			{"friend", "skipper.boss=/api/skippers/3", ""},
			{"admiral", "skipper.boss[ne]=/api/skippers/3", "2 3 5 6"},
			{"friend", "skipper.boss[ne]=/api/skippers/3", "1 2 5"},
			{"friend", "skipper.boss=/api/skippers/3&skipper.boss=/api/skippers/1", "2 5"},
		} {
			if got := spec.NumbersIn(c.Send("GET /api/hauls?"+ask.query, "", "X-API-Key", ask.key).HasStatus(http.StatusOK).Body); got != ask.want {
				t.Errorf("%s asks %s: found %s, want %s", ask.key, ask.query, got, ask.want)
			}
		}
	})
}

func TestErrorsListParametersThroughReferences(t *testing.T) {
	t.Parallel()
	hauls(t, everybodySees(), func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("GET /api/hauls?skipper.retired=true", "").HasStatus(http.StatusBadRequest).Mentions(`Unknown parameter \"skipper.retired\"`, "skipper.username[ne]", "exists[skipper.nick]")
		c.Send("GET /api/hauls?skipper.usernam=x", "").HasStatus(http.StatusBadRequest).Mentions(`did you mean \"skipper.username\"?`)
		c.Send("GET /api/hauls?sort=skipper.retired", "").HasStatus(http.StatusBadRequest).Mentions("sort must be a comma-separated list", "-skipper.username")
		c.Send("GET /api/hauls?sort=username", "").HasStatus(http.StatusBadRequest)
		c.Send("GET /api/hauls?skipper.boss=/api/hauls/1", "").HasStatus(http.StatusBadRequest).Mentions("skipper.boss")
		c.Send("GET /api/hauls?exists[skipper.nick]=perhaps", "").HasStatus(http.StatusBadRequest).Mentions("true or false")
		c.Send("GET /api/hauls?order[skipper.username]=up", "").HasStatus(http.StatusBadRequest)
		c.Send("GET /api/hauls?skipper.username=a&skipper.username=a%00", "").HasStatus(http.StatusBadRequest)
	})
}

// Structs whose references go through to what they cannot.
type (
	throughMany struct {
		ID   int64   `json:"id"`
		Crew []int64 `json:"crew" validate:"max=3" api:"ref=Skipper,through=username|retired"`
	}
	throughNothing struct {
		ID      int64 `json:"id"`
		Skipper int64 `json:"skipper" api:"ref=Skipper,through=usernam|retired"`
	}
	throughPlain struct {
		ID      int64 `json:"id"`
		Skipper int64 `json:"skipper" api:"filter,through=username"`
	}
	throughPart struct {
		ID    int64       `json:"id"`
		Parts []partOfOne `json:"parts"`
	}
	partOfOne struct {
		Skipper int64 `json:"skipper" api:"ref=Skipper,through=username"`
	}
)

func TestMistakesInWhatReferencesGoThrough(t *testing.T) {
	t.Parallel()
	_, err := resource.New(resource.Config{}, resource.Of[throughMany]{}, resource.Of[throughNothing]{}, resource.Of[throughPlain]{},
		resource.Of[throughPart]{}, resource.Of[Skipper]{})
	for _, want := range []string{
		"throughMany.Crew: through=retired needs a field of Skipper with filter; allowed: username, nick, port.city, boss",
		`throughNothing.Skipper: through=usernam needs a field of Skipper with filter, sort, group or aggregate; did you mean "username"?`,
		"throughNothing.Skipper: through=retired needs a field of Skipper with filter, sort, group or aggregate",
		"throughPlain.Skipper: through needs ref, such as ref=User",
		"partOfOne.Skipper: expand, through and ondelete are only for references of the record itself",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks\n\t%s\nin\n%v", want, err)
		}
	}
}

// auditedSkippers is a store of a user's around another one, and plainHauls one that says nothing.
type (
	auditedSkippers struct{ store.Store[Skipper] }
	plainHauls      struct{ store.Store[Haul] }
	ownSkippers     struct{ *memory.Store[Skipper] }
)

func TestStoresThatCannotGoThroughReferences(t *testing.T) {
	t.Parallel()
	open := func() *sqlstore.DB {
		db, err := sqlite.Open(":memory:")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		return db
	}
	one, other := open(), open()
	tables, elsewhere := sqlstore.Table[Haul](one), sqlstore.Table[Skipper](other)
	here, twin := sqlstore.Table[Skipper](one), sqlstore.Table[Skipper](one, sqlstore.Named("twins"))
	for _, made := range []struct {
		db     *sqlstore.DB
		tables []sqlstore.TableDefiner
	}{{one, []sqlstore.TableDefiner{tables, here, twin}}, {other, []sqlstore.TableDefiner{elsewhere}}} {
		if err := made.db.Create(t.Context(), made.tables...); err != nil {
			t.Fatal(err)
		}
	}
	for name, stores := range map[string]struct {
		hauls    store.Store[Haul]
		skippers store.Store[Skipper]
		want     string
	}{
		"tables of two databases":            {tables, elsewhere, "the table skippers is in another database"},
		"a table and memory":                 {tables, nil, "the store of the referenced records is not a table"},
		"memory and a table":                 {nil, here, "the store of the referenced records is not in memory"},
		"a store that does not say":          {&plainHauls{tables}, here, "the store does not support through"},
		"a wrapper of what is referred to":   {tables, &auditedSkippers{here}, "the store of the referenced records is not a table"},
		"a wrapper in memory":                {nil, &ownSkippers{memory.New[Skipper]()}, "the store of the referenced records is not in memory"},
		"one of two tables of the same type": {tables, here, "set the table with sqlstore.References"},
	} {
		_, err := resource.New(resource.Config{}, resource.Of[Haul]{Store: stores.hauls}, resource.Of[Skipper]{Store: stores.skippers})
		if err == nil || !strings.Contains(err.Error(), stores.want) || !strings.Contains(err.Error(), "through=username|nick|port.city|boss") {
			t.Errorf("%s: the error is %v, want one with %s", name, err, stores.want)
		}
	}
}

// Muted shows skippers without their names.
type Muted struct {
	ID   int64  `json:"id"`
	Name string `json:"name" api:"filter,sort"`
	Size int    `json:"size" api:"filter"`
}

type OfMuted struct {
	ID    int64 `json:"id"`
	Muted int64 `json:"muted" api:"ref=Muted,through=name|size"`
}

func TestThroughReachesNoFieldThatAViewOmits(t *testing.T) {
	t.Parallel()
	_, err := resource.New(resource.Config{}, resource.Of[OfMuted]{},
		resource.Of[Muted]{View: &operation.View{Name: "Silence", Fields: []string{"id", "size"}}})
	if want := "OfMuted.Muted: through=name would reveal a field that the view Silence of the Get of Muted omits"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the error is %v, want one with %s", err, want)
	}
}

// holdsText reports whether a cursor has a text in it, which is signed and not encrypted.
func holdsText(cursor, text string) bool {
	raw, _ := base64.RawURLEncoding.DecodeString(cursor)
	return strings.Contains(string(raw), text)
}
