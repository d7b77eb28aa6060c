package composite_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
)

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
				t.Errorf("two daytrips of one number are answered %v, want 201 and 409", got)
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
					t.Errorf("the leg is answered %d, the delete %d; want 201 and 409, or 400 and 204", got[0], got[1])
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
				t.Errorf("the leg is answered %d, the delete %d; want 201 or 400, and 204", got[0], got[1])
			}
			c.Send(fmt.Sprintf("GET /api/daytrips/%d;7", id), "").HasStatus(http.StatusNotFound)
		}
		c.Send("GET /api/daytrips", "").Is(http.StatusOK, "[]")
	})
}
