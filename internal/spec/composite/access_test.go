package composite_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// porter is a caller who sees one ledge.
type porter struct{ ledge LedgeKey }

// Load is a parcel that its porter sees, with where it has been.
type Load struct {
	ID    int64     `json:"id"`
	Ledge LedgeKey  `json:"ledge" api:"ref=Ledge,expand,filter,through=name"`
	Spare *LedgeKey `json:"spare" api:"ref=Ledge,expand"`
	Stops []stop    `json:"stops"`
}

type stop struct {
	Note  string    `json:"note"`
	Ledge LedgeKey  `json:"ledge" api:"ref=Ledge"`
	Via   *LedgeKey `json:"via" api:"ref=Ledge"`
}

// loads runs a test on loads on each sort of store: load 1 is on ledge 1;a and load 2 on 2;a.
func loads(t *testing.T, rules access.Rules, test func(t *testing.T, c spec.Client)) {
	t.Helper()
	run := func(t *testing.T, ledges store.Store[Ledge], guards store.Store[Guard], loads store.Store[Load]) {
		t.Helper()
		open := access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public}
		seen := open
		seen.Read = access.Any(access.Where("hall", int64(9)), access.Filter("its own", func(_ context.Context, p *porter) ([]store.Condition, error) {
			return []store.Condition{
				{Fields: []string{"hall"}, Operator: store.Equal, Values: []any{p.ledge.Hall}},
				{Fields: []string{"place"}, Operator: store.Equal, Values: []any{p.ledge.Place}},
			}, nil
		}))
		c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{
			access.APIKey("key", "X-API-Key", func(_ context.Context, place string) (*porter, access.Scopes, error) {
				return &porter{LedgeKey{1, place}}, nil, nil
			}),
		}}, resource.Of[Load]{Store: loads, Access: rules}, resource.Of[Ledge]{Store: ledges, Access: seen}, resource.Of[Guard]{Store: guards, Access: open})
		c.Send("POST /api/guards", `{"name":"Ann"}`).HasStatus(http.StatusCreated)
		for _, place := range []string{"a", "b"} {
			c.Send("POST /api/ledges", `{"hall":1,"place":"`+place+`","name":"n","guard":"/api/guards/1"}`).HasStatus(http.StatusCreated)
			at := `"/api/ledges/1;` + place + `"`
			c.Send("POST /api/loads", `{"ledge":`+at+`,"stops":[{"note":"x","ledge":`+at+`,"via":null},{"note":"y","ledge":`+at+`,"via":`+at+`}]}`, "X-API-Key", place).
				HasStatus(http.StatusCreated)
		}
		test(t, c)
	}
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		run(t, nil, nil, nil)
	})
	for name, open := range spec.Databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			ledges, guards, loads := sqlstore.Table[Ledge](db), sqlstore.Table[Guard](db), sqlstore.Table[Load](db)
			if err := db.Create(t.Context(), loads, ledges, guards); err != nil {
				t.Fatal(err)
			}
			run(t, ledges, guards, loads)
		})
	}
}

func TestRulesCheckAReferenceOfSeveralParts(t *testing.T) {
	t.Parallel()
	mine := access.Equal("ledge", func(p *porter) LedgeKey { return p.ledge })
	for name, read := range map[string]access.Rule{
		"equal": mine,
		"where": access.Any(access.Where("ledge", LedgeKey{7, "q"}), mine),
		"filter": access.Filter("ledge", func(_ context.Context, p *porter) ([]store.Condition, error) {
			return []store.Condition{{Fields: []string{"ledge"}, Operator: store.Equal, Values: []any{store.Key{p.ledge.Hall, p.ledge.Place}}}}, nil
		}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rules := access.Rules{Read: read, Create: access.Public, Update: mine, Delete: mine}
			loads(t, rules, func(t *testing.T, c spec.Client) {
				t.Helper()
				c.Send("GET /api/loads", "", "X-API-Key", "a").HasIDs(`[{"id":1}]`)
				c.Send("GET /api/loads", "", "X-API-Key", "b").HasIDs(`[{"id":2}]`)
				c.Send("GET /api/loads/1", "", "X-API-Key", "a").HasStatus(http.StatusOK)
				c.Send("GET /api/loads/2", "", "X-API-Key", "a").IsProblem(http.StatusNotFound)
				c.Send("PATCH /api/loads/1", `{"spare":"/api/ledges/1;a"}`, "X-API-Key", "a").HasStatus(http.StatusOK)
			})
		})
	}
	_, err := resource.New(resource.Config{}, resource.Of[Load]{Access: access.Rules{
		Read: access.Equal("ledge", func(p *porter) int64 { return p.ledge.Hall }), Create: access.Public, Update: access.Public, Delete: access.Public,
	}}, resource.Of[Ledge]{}, resource.Of[Guard]{})
	if err == nil {
		t.Error("a rule that compares a key of two parts with a number is no mistake")
	}
}

func TestAHiddenRecordOfTwoIdentifiersIsLikeOneThatIsMissing(t *testing.T) {
	t.Parallel()
	open := access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public}
	loads(t, open, func(t *testing.T, c spec.Client) {
		t.Helper()
		missing := c.Send("POST /api/loads", `{"ledge":"/api/ledges/1;z","stops":[]}`, "X-API-Key", "a").HasStatus(http.StatusBadRequest)
		c.Send("POST /api/loads", `{"ledge":"/api/ledges/1;b","stops":[]}`, "X-API-Key", "a").Is(missing.Status, missing.Body)
		c.Send("POST /api/loads", `{"ledge":"/api/ledges/1;a","stops":[{"note":"x","ledge":"/api/ledges/1;b","via":"/api/ledges/1;z"}]}`, "X-API-Key", "a").
			IsInvalid("stops[0].ledge", "ledge"+noLedge, "stops[0].via", "via"+noLedge+" or null")
		c.Send("GET /api/loads?ledge=/api/ledges/1%3Bb", "", "X-API-Key", "a").Is(http.StatusOK, `[]`)
		c.Send("GET /api/loads?ledge=/api/ledges/1%3Ba", "", "X-API-Key", "a").HasIDs(`[{"id":1}]`)
		c.Send("GET /api/loads?ledge[ne]=/api/ledges/1%3Bb", "", "X-API-Key", "a").HasIDs(`[{"id":1},{"id":2}]`)
		c.Send("GET /api/loads?ledge.name=n", "", "X-API-Key", "b").HasIDs(`[{"id":2}]`)
		c.Send("GET /api/loads/1?expand=ledge", "", "X-API-Key", "b").Mentions(`"_embedded":{"ledge":null}`)
		c.Send("GET /api/loads/2?expand=ledge", "", "X-API-Key", "b").Mentions(`"_embedded":{"ledge":{"hall":1,"place":"b"`)
	})
}

func TestReferencesOfSeveralPartsWithinARecord(t *testing.T) {
	t.Parallel()
	open := access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public}
	loads(t, open, func(t *testing.T, c spec.Client) {
		t.Helper()
		const stops = `"stops":[{"note":"x","ledge":"/api/ledges/1;a","via":null},{"note":"y","ledge":"/api/ledges/1;a","via":"/api/ledges/1;a"}]`
		c.Send("GET /api/loads/1", "").Is(http.StatusOK, `{"id":1,"ledge":"/api/ledges/1;a","spare":null,`+stops+`}`)
		c.Send("PATCH /api/loads/1", `{"spare":"/api/ledges/1;a"}`, "X-API-Key", "a").Mentions(stops)
		c.Send("GET /api/loads/1", "").Mentions(stops)
	})
}

// Excursion is what daytrips are parts of, and takes them along.
type Excursion struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// Daytrip is identified by two fields, one of which refers to what it is a part of.
type Daytrip struct {
	Excursion int64  `json:"excursion" api:"id,ref=Excursion,ondelete=cascade"`
	Number    int64  `json:"number" api:"id"`
	Pilot     int64  `json:"pilot" api:"ref=Inn"`
	Note      string `json:"note"`
}

// excursions returns an API of daytrips on each sort of store.
func excursions(t *testing.T, test func(t *testing.T, c spec.Client)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		test(t, spec.NewClient(t, resource.Config{}, resource.Of[Daytrip]{}, resource.Of[Excursion]{}, resource.Of[spec.Inn]{}))
	})
	for name, open := range spec.Databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			daytrips, excursions, inns := sqlstore.Table[Daytrip](db), sqlstore.Table[Excursion](db), sqlstore.Table[spec.Inn](db)
			if err := db.Create(t.Context(), daytrips, excursions, inns); err != nil {
				t.Fatal(err)
			}
			test(t, spec.NewClient(t, resource.Config{}, resource.Of[Daytrip]{Store: daytrips}, resource.Of[Excursion]{Store: excursions}, resource.Of[spec.Inn]{Store: inns}))
		})
	}
}

const races = 15

func TestOfTwoRecordsWithOneIdentifierOfSeveralFieldsOneIsMade(t *testing.T) {
	t.Parallel()
	excursions(t, func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("POST /api/inns", `{"name":"Anchor"}`).HasStatus(http.StatusCreated)
		c.Send("POST /api/excursions", `{"name":"Out"}`).HasStatus(http.StatusCreated)
		for n := range races {
			leg := func(note string) [2]string {
				return [2]string{"POST /api/daytrips", fmt.Sprintf(`{"excursion":"/api/excursions/1","number":%d,"pilot":"/api/inns/1","note":%q}`, n, note)}
			}
			got := c.AtOnce(leg("a"), leg("b"))
			if got[0]+got[1] != http.StatusCreated+http.StatusConflict {
				t.Errorf("two Posts of daytrips of one number return %v, want 201 and 409", got)
			}
			note := map[bool]string{true: "a", false: "b"}[got[0] == http.StatusCreated]
			c.Send(fmt.Sprintf("GET /api/daytrips/1;%d", n), "").HasStatus(http.StatusOK).Mentions(`"note":"` + note + `"`)
		}
	})
}

func TestARecordOfSeveralFieldsRefersToWhatIsThere(t *testing.T) {
	t.Parallel()
	excursions(t, func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("POST /api/excursions", `{"name":"Out"}`).HasStatus(http.StatusCreated)
		for n := range races {
			id := n + 1
			c.Send("POST /api/inns", `{"name":"Anchor"}`).HasStatus(http.StatusCreated)
			got := c.AtOnce(
				[2]string{"POST /api/daytrips", fmt.Sprintf(`{"excursion":"/api/excursions/1","number":%d,"pilot":"/api/inns/%d","note":""}`, n, id)},
				[2]string{fmt.Sprintf("DELETE /api/inns/%d", id), ""})
			if got[0] != http.StatusCreated || got[1] != http.StatusConflict {
				if got[0] != http.StatusBadRequest || got[1] != http.StatusNoContent {
					t.Errorf("the Post of the leg returns %d, the delete %d; want 201 and 409, or 400 and 204", got[0], got[1])
				}
			}
		}
	})
}

// A part of its identifier refers to what takes the record along.
func TestARecordOfSeveralFieldsGoesWithWhatItIsAPartOf(t *testing.T) {
	t.Parallel()
	excursions(t, func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("POST /api/inns", `{"name":"Anchor"}`).HasStatus(http.StatusCreated)
		for n := range races {
			id := n + 1
			c.Send("POST /api/excursions", `{"name":"Out"}`).HasStatus(http.StatusCreated)
			got := c.AtOnce(
				[2]string{"POST /api/daytrips", fmt.Sprintf(`{"excursion":"/api/excursions/%d","number":7,"pilot":"/api/inns/1","note":""}`, id)},
				[2]string{fmt.Sprintf("DELETE /api/excursions/%d", id), ""})
			if got[0] != http.StatusCreated && got[0] != http.StatusBadRequest || got[1] != http.StatusNoContent {
				t.Errorf("the Post of the leg returns %d, the delete %d; want 201 or 400, and 204", got[0], got[1])
			}
			c.Send(fmt.Sprintf("GET /api/daytrips/%d;7", id), "").HasStatus(http.StatusNotFound)
		}
		c.Send("GET /api/daytrips", "").Is(http.StatusOK, "[]")
	})
}
