package trash_test

import (
	"flag"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/access/accesstest"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

var _ = flag.Bool("update", false, "write golden files")

// guarded is rules by which owners and admins see the trash.
func guarded() access.Rules {
	rules := spec.Open()
	rules.Deleted = access.Any(spec.IsOwner, spec.IsAdmin)
	return rules
}

func config() resource.Config {
	return resource.Config{Authentication: []access.Scheme{spec.Bearer()}, CursorKey: []byte("a key for tests of the trash")}
}

// A rule of a field about the records that reference its record also holds for records in the trash.
func TestRulesOfFieldsLookBehindRecordsInTheTrash(t *testing.T) {
	t.Parallel()
	items, notes := memory.New[Item](), memory.New[Note]()
	rules := open()
	rules.Fields = map[string]access.Field{"code": {Read: access.Not(access.Related("Note.item", access.Public)), Write: access.Public}}
	c := spec.NewClient(t, resource.Config{}, resource.Of[Shelf]{Access: open()},
		resource.Of[Item]{Access: rules, Store: items}, resource.Of[Note]{Access: withoutTrash(open()), Store: notes})
	for _, code := range []string{"a", "b"} {
		c.Send("POST /api/items", `{"code":"`+code+`","place":"`+code+`"}`).HasStatus(201)
	}
	c.Send("POST /api/notes", `{"item":"/api/items/1","items":[]}`).HasStatus(201)
	c.Send("DELETE /api/items/1", "").HasStatus(204)
	c.Send("DELETE /api/items/2", "").HasStatus(204)
	c.Send("GET /api/items?deleted=only", "").HasStatus(200).Mentions(`"code":"b"`).Lacks(`"code":"a"`)
}

func TestTheTrashIsForThoseWhoMaySeeIt(t *testing.T) {
	t.Parallel()
	spec.InEachStore(t, func(t *testing.T, items store.Store[Thing]) {
		t.Helper()
		c := spec.NewClient(t, config(), resource.Of[Thing]{Access: guarded(), Store: items, Operations: operations("/things")})
		for _, body := range []string{`{"owner":1}`, `{"owner":2}`, `{"owner":1}`} {
			c.Send("POST /api/things", body).HasStatus(201)
		}
		c.Send("DELETE /api/things/1", "").HasStatus(204)
		c.Send("DELETE /api/things/2", "").HasStatus(204)
		for _, step := range []struct{ as, query, want string }{
			{"ann", "only", "1"}, {"bob", "only", "2"}, {"root", "only", "1,2"}, {"ann", "with", "1,3"}, {"bob", "with", "2,3"}, {"root", "with", "1,2,3"},
		} {
			got := c.As(step.as, "GET /api/things?deleted="+step.query, "").HasStatus(200).Has("Vary", "Accept, Authorization")
			if ids := idsOf(got.Body); ids != step.want {
				t.Errorf("%s sees %s by deleted=%s, want %s", step.as, ids, step.query, step.want)
			}
		}
		c.Send("GET /api/things?deleted=only", "").IsProblem(401)
		c.Send("GET /api/things/1?deleted=only", "").IsProblem(401)
		hidden := c.As("bob", "GET /api/things/1?deleted=only", "").IsProblem(404)
		c.As("bob", "GET /api/things/9?deleted=only", "").Is(404, spec.Incident.ReplaceAllString(hidden.Body, ""))
		c.As("bob", "POST /api/things/1/restore", "").IsProblem(404)
		c.As("bob", "DELETE /api/things/1/trash", "").IsProblem(404)
		c.Send("POST /api/things/1/restore", "").IsProblem(404)
		c.As("ann", "POST /api/things/1/restore", "", "If-Match", `"x"`).IsProblem(412)
		c.As("ann", "POST /api/things/1/restore", "").HasStatus(200)
		c.As("root", "DELETE /api/things/2/trash", "").HasStatus(204)
		c.As("ann", "GET /api/things", "").HasStatus(200).Has("X-Total-Count", "2")
	})
}

// TestHiddenFieldsDoNotHideTheTrash has rules of fields about those by which the trash is found.
func TestHiddenFieldsDoNotHideTheTrash(t *testing.T) {
	t.Parallel()
	rules := guarded()
	rules.Fields = map[string]access.Field{"owner": {Read: spec.IsAdmin}, "deletedAt": {Read: spec.IsAdmin}}
	c := spec.NewClient(t, config(), resource.Of[Thing]{Access: rules, Store: memory.New(
		Thing{Owner: 1}, Thing{Owner: 1, DeletedAt: new(time.Now())}, Thing{Owner: 2, DeletedAt: new(time.Now())},
	)})
	for query, want := range map[string]string{"": "1", "deleted=only": "2", "deleted=with": "1,2", "deleted=with&exists[deletedAt]=true": ""} {
		if got := idsOf(c.As("ann", "GET /api/things?"+query, "").HasStatus(200).Body); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}

func idsOf(body string) string {
	var ids []string
	for _, part := range strings.Split(body, `"id":`)[1:] {
		ids = append(ids, part[:strings.IndexByte(part, ',')])
	}
	return strings.Join(ids, ",")
}

// Thing has an owner.
type Thing struct {
	ID        int64      `json:"id"`
	Owner     int64      `json:"owner" api:"filter,sort,group"`
	Secret    string     `json:"secret" api:"filter,sort,search"`
	DeletedAt *time.Time `json:"deletedAt" api:"deleted,filter=exists"`
}

func TestTheTrashOfAnAPIWithoutARuleIsClosed(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Thing]{Store: memory.New(Thing{}, Thing{DeletedAt: new(time.Now())}), Operations: operations("/things")})
	for request, want := range map[string]int{
		"GET /api/things?deleted=only": 403, "GET /api/things/1?deleted=with": 403, "POST /api/things/2/restore": 404, "DELETE /api/things/2/trash": 404,
	} {
		c.Send(request, "").IsProblem(want)
	}
	c.Send("GET /api/things?exists[deletedAt]=true", "").Is(200, `[]`)
}

// TestTwoTrashesAreEqualToWhoMayNotSeeThem sends the same requests to APIs that differ in what is in the trash, or was purged.
func TestTwoTrashesAreEqualToWhoMayNotSeeThem(t *testing.T) {
	t.Parallel()
	spec.InEachStore(t, func(t *testing.T, items store.Store[Thing]) {
		t.Helper()
		var first string
		for world, secret := range []string{"one", "another", ""} {
			all := items
			if world > 0 {
				all = memory.New[Thing]()
			}
			c := spec.NewClient(t, config(), resource.Of[Thing]{Access: guarded(), Store: all, Operations: operations("/things")})
			for _, body := range []string{`{"owner":1}`, `{"owner":2,"secret":"` + secret + `"}`, `{"owner":1}`} {
				c.Send("POST /api/things", body).HasStatus(201)
			}
			c.As("bob", "DELETE /api/things/2", "").HasStatus(204)
			if secret == "" {
				c.As("bob", "DELETE /api/things/2/trash", "").HasStatus(204)
			}
			var seen strings.Builder
			for _, request := range []string{
				"GET /api/things", "GET /api/things?itemsPerPage=1&page=2", "GET /api/things?sort=-secret", "GET /api/things?secret=one", "GET /api/things?owner=2",
				"GET /api/things/2", "DELETE /api/things/2", "GET /api/things?deleted=only", "GET /api/things?deleted=with&secret=one", "GET /api/things?q=one",
				"GET /api/things/2?deleted=with", "POST /api/things/2/restore", "DELETE /api/things/2/trash", "GET /api/things?itemsPerPage=0",
				"GET /api/things?exists[deletedAt]=true", "GET /api/things?deleted=with&exists[deletedAt]=true",
			} {
				got := c.As("ann", request, "")
				seen.WriteString(request + " " + got.Header.Get("ETag") + got.Header.Get("X-Total-Count") + got.Header.Get("Link") +
					spec.Incident.ReplaceAllString(got.Body, "") + "\n")
			}
			if world == 0 {
				first = seen.String()
			} else if seen.String() != first {
				t.Errorf("ann can tell the trashes apart:\n%s\nor\n%s", first, seen.String())
			}
		}
	})
}

// TestARecordInTheTrashPermitsNothing has a rule that leads from a record to its parent and back.
func TestARecordInTheTrashPermitsNothing(t *testing.T) {
	t.Parallel()
	type Seat struct {
		ID        int64      `json:"id"`
		Thing     int64      `json:"thing" api:"ref=Thing"`
		Owner     int64      `json:"owner"`
		DeletedAt *time.Time `json:"deletedAt" api:"deleted"`
	}
	rules, seated := spec.Open(), access.Through("thing", access.Related("Seat.thing", spec.IsOwner))
	rules.Update, rules.Deleted = seated, access.Any(seated, spec.IsAdmin)
	c := spec.NewClient(t, config(), resource.Of[Thing]{Access: spec.Open()}, resource.Of[Seat]{Access: rules, Operations: operations("/seats")})
	c.Send("POST /api/things", `{}`).HasStatus(201)
	c.Send("POST /api/seats", `{"thing":"/api/things/1","owner":1}`).HasStatus(201)
	c.Send("DELETE /api/seats/1", "").HasStatus(204)
	c.As("ann", "GET /api/seats/1?deleted=only", "").IsProblem(404)
	c.As("ann", "POST /api/seats/1/restore", "").IsProblem(404)
	c.As("root", "POST /api/seats/1/restore", "").IsProblem(403)
}

func TestTheMatrixHasTheTrash(t *testing.T) {
	t.Parallel()
	api, err := resource.New(config(), resource.Of[Thing]{Access: guarded(), Store: memory.New(Thing{Owner: 1}, Thing{Owner: 2}), Operations: operations("/things")})
	if err != nil {
		t.Fatal(err)
	}
	accesstest.Matrix(t, api, "testdata/access.golden", accesstest.Callers{
		{Name: "anonymous"}, {Name: "ann", Header: http.Header{"Authorization": {"Bearer ann"}}}, {Name: "root", Header: http.Header{"Authorization": {"Bearer root"}}},
	}, accesstest.Records{"Thing": {"anns": "1", "bobs": "2"}})
}

func TestMistakesAboutTheTrashAreReported(t *testing.T) {
	t.Parallel()
	type Plain struct {
		ID    int64  `json:"id"`
		Thing *int64 `json:"thing" api:"ref=Thing,ondelete=cascade"`
	}
	type Odd struct {
		ID int64     `json:"id" api:"id"`
		At time.Time `json:"at" api:"deleted"`
		In struct {
			At *time.Time `json:"at" api:"deleted"`
		} `json:"in"`
	}
	rules := guarded()
	_, err := resource.New(config(),
		resource.Of[Plain]{Access: rules, Operations: operations("/plains")},
		resource.Of[Thing]{Access: spec.Open(), Store: struct{ store.Store[Thing] }{}, Operations: []operation.Operation{
			operation.Get{},
			operation.Get{Name: "restore", URITemplate: "/restored/{id}", Handler: operation.Restore()},
			operation.Post{Name: "purge", URITemplate: "/purged", Handler: operation.Purge()},
		}},
		resource.Of[Odd]{Access: spec.Open()})
	if err == nil {
		t.Fatal("New accepts everything")
	}
	for _, want := range []string{
		"Plain.Thing: ondelete=cascade does not work, because deleted records of Thing go to the trash, and Plain has none",
		"Plain: Access.Deleted needs a trash", `Plain: operation 7 (Post "restore"): operation.Restore needs a trash`,
		"operation.Restore changes the record, but a Get changes nothing", "operation.Purge needs a record, but the path names none",
		"Odd.At: deleted does not support the type time.Time; allowed: *time.Time",
		"Odd.In.At: the word deleted is only allowed on fields of the record itself", "Thing: DeletedAt has the word deleted, but the store",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("New does not report %q in\n%v", want, err)
		}
	}
}
