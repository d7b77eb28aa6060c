package access_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
)

// A vessel has a crew, which sees and writes its entries.
type (
	vessel struct {
		ID   int64  `json:"id"`
		Name string `json:"name" validate:"notblank" api:"filter"`
		Plan string `json:"plan"`
	}
	berth struct {
		ID      int64  `json:"id"`
		Vessel  int64  `json:"vessel" api:"ref=Vessel"`
		Captain int64  `json:"captain"`
		Role    string `json:"role"`
	}
	entry struct {
		ID     int64  `json:"id"`
		Vessel int64  `json:"vessel" api:"ref=Vessel,filter,expand,through=name"`
		Text   string `json:"text" api:"filter,sort"`
		Secret string `json:"secret" api:"filter"`
		State  string `json:"state" api:"readonly"`
	}
)

// The rules of the crew.
var (
	aboard = access.Named("member", access.Related("Berth.vessel", access.Equal("captain", func(c *spec.Captain) int64 { return c.ID })))
	leads  = access.Related("Berth.vessel", access.All(access.Equal("captain", func(c *spec.Captain) int64 { return c.ID }), access.Where("role", "lead")))
	member = access.Through("vessel", aboard)
)

// fleet is an API of vessels with their crew.
type fleet struct {
	spec.Client

	Log *bytes.Buffer
}

// eachFleet runs a test in all stores. Ann leads vessel 1 and helps on vessel 2, bob helps on vessel 1.
func eachFleet(t *testing.T, run func(t *testing.T, f fleet)) {
	t.Helper()
	start := func(t *testing.T, vessels store.Store[vessel], berths store.Store[berth], entries store.Store[entry]) {
		t.Helper()
		var log bytes.Buffer
		touch := func(_ context.Context, e *entry, _ struct{}) (*entry, error) { e.State = "touched"; return e, nil }
		api, err := resource.New(resource.Config{Authentication: []access.Scheme{spec.Bearer()}, Logger: slog.New(slog.NewTextHandler(&log, nil))},
			resource.Of[vessel]{Store: vessels, ShortName: "Vessel", Access: access.Rules{
				Read: access.Any(aboard, spec.IsAdmin), Create: spec.IsAdmin, Update: leads, Delete: spec.IsAdmin,
				Fields: map[string]access.Field{"plan": {Read: leads, Write: leads}},
			}},
			resource.Of[berth]{Store: berths, ShortName: "Berth", Access: access.Only(spec.IsAdmin)},
			resource.Of[entry]{Store: entries, ShortName: "Entry", Idempotency: time.Hour, Access: access.Rules{
				Read: member, Create: member, Update: member, Delete: access.Through("vessel", leads),
				Fields: map[string]access.Field{"secret": {Read: access.Through("vessel", leads)}},
			}, Operations: append(operation.Standard(), operation.Post{Name: "touch", URITemplate: "/entries/{id}/touch", Handler: operation.Handle(touch), Access: access.Through("vessel", leads)})},
		)
		if err == nil {
			err = openapi.Mount(api, openapi.Config{Title: "Fleet"})
		}
		if err != nil {
			t.Fatal(err)
		}
		f := fleet{spec.Client{T: t, Handler: api}, &log}
		for _, each := range [][2]string{
			{"POST /api/vessels", `{"name":"one"}`},
			{"POST /api/vessels", `{"name":"two"}`},
			{"POST /api/berths", `{"vessel":"/api/vessels/1","captain":1,"role":"lead"}`},
			{"POST /api/berths", `{"vessel":"/api/vessels/2","captain":1,"role":"help"}`},
			{"POST /api/berths", `{"vessel":"/api/vessels/1","captain":2,"role":"help"}`},
		} {
			f.As("root", each[0], each[1]).HasStatus(http.StatusCreated)
		}
		for _, each := range []string{
			`{"vessel":"/api/vessels/1","text":"a","secret":"x"}`, `{"vessel":"/api/vessels/2","text":"b","secret":"y"}`, `{"vessel":"/api/vessels/1","text":"c","secret":"z"}`,
		} {
			f.As("ann", "POST /api/entries", each).HasStatus(http.StatusCreated)
		}
		run(t, f)
	}
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		start(t, memory.New[vessel](), memory.New[berth](), memory.New[entry]())
	})
	for name, open := range spec.Databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			vessels, berths, entries := sqlstore.Table[vessel](db), sqlstore.Table[berth](db), sqlstore.Table[entry](db)
			if err := db.Create(t.Context(), vessels, berths, entries); err != nil {
				t.Fatal(err)
			}
			start(t, vessels, berths, entries)
		})
	}
}

func TestMembersOfARelatedRecordSeeAndChangeWhatIsTheirs(t *testing.T) {
	t.Parallel()
	eachFleet(t, func(t *testing.T, f fleet) {
		t.Helper()
		for who, want := range map[string]string{"ann": "[1 2 3]", "bob": "[1 3]"} {
			list := f.As(who, "GET /api/entries", "").HasStatus(http.StatusOK)
			if got := fmt.Sprint(spec.IDsOf(t, list.Body)); got != want {
				t.Errorf("%s sees the entries %s, want %s", who, got, want)
			}
		}
		f.As("ann", "GET /api/vessels", "").HasStatus(http.StatusOK).Has("X-Total-Count", "2")
		f.As("bob", "GET /api/vessels/2", "").HasStatus(http.StatusNotFound)
		f.As("bob", "GET /api/entries/2", "").HasStatus(http.StatusNotFound)
		f.As("", "GET /api/entries/2", "").HasStatus(http.StatusUnauthorized)
		f.As("", "GET /api/entries", "").HasStatus(http.StatusUnauthorized)
		// Fields, of one record and of a page, and filters by them.
		f.As("ann", "GET /api/entries", "").HasStatus(http.StatusOK).Mentions(`"secret":"x"`, `"secret":"z"`).Lacks(`"secret":"y"`)
		f.As("bob", "GET /api/entries", "").HasStatus(http.StatusOK).Lacks("secret")
		f.As("ann", "GET /api/entries/2", "").Lacks("secret")
		f.As("ann", "GET /api/entries?secret=y", "").HasIDs("[]")
		f.As("ann", "GET /api/entries?secret=x", "").HasIDs(`[{"id":1}]`)
		f.As("bob", "GET /api/vessels", "").Lacks("plan")
		f.As("ann", "GET /api/entries?expand=vessel", "").Mentions(`"name":"two"`, `"name":"one","plan":""`).Lacks(`"name":"two","plan"`)
		f.As("bob", "GET /api/entries?vessel.name=two", "").HasIDs("[]")
		f.As("ann", "GET /api/entries?vessel.name=two", "").HasIDs(`[{"id":2}]`)
		// Changes.
		f.As("bob", "PATCH /api/entries/1", `{"text":"changed"}`).HasStatus(http.StatusOK)
		f.As("bob", "DELETE /api/entries/1", "").HasStatus(http.StatusForbidden)
		f.As("bob", "POST /api/entries/1/touch", "").HasStatus(http.StatusForbidden)
		f.As("ann", "POST /api/entries/2/touch", "").HasStatus(http.StatusForbidden)
		f.As("ann", "POST /api/entries/1/touch", "").HasStatus(http.StatusOK).Mentions("touched")
		f.As("ann", "DELETE /api/entries/1", "").HasStatus(http.StatusNoContent)
		f.As("ann", "PATCH /api/vessels/2", `{"name":"taken"}`).HasStatus(http.StatusForbidden)
		f.As("ann", "PATCH /api/vessels/1", `{"name":"uno","plan":"west"}`).HasStatus(http.StatusOK)
		// A vessel that bob does not see is one that does not exist.
		hidden := f.As("bob", "POST /api/entries", `{"vessel":"/api/vessels/2","text":"no"}`).HasStatus(http.StatusBadRequest)
		missing := f.As("bob", "POST /api/entries", `{"vessel":"/api/vessels/9","text":"no"}`).HasStatus(http.StatusBadRequest)
		if hidden.Body != missing.Body {
			t.Errorf("%s differs from %s", hidden.Body, missing.Body)
		}
	})
}

// Two APIs can have the same stores, and rules about other records in both.
func TestTwoAPIsWithTheSameStores(t *testing.T) {
	t.Parallel()
	eachRealm(t, 0, func(_ string, stores questStores) {
		in, rules := &realm{guilds: []*guild{{ID: 1}, {ID: 2}}, quests: []*quest{{ID: 1, Guild: new(int64(2))}}}, access.Only(access.Public)
		first := in.serve(t, stores, rules)
		in.guilds, in.quests = nil, nil
		rules.Read = access.Through("guild", access.Related("Quest.guild", access.Where("state", "")))
		second := in.serve(t, stores, rules)
		for _, c := range []spec.Client{first, second} {
			c.Send("GET /api/quests", "").HasStatus(http.StatusOK).HasIDs(`[{"id":1}]`)
		}
	})
}

// A rule looks at all records at each request, so a change of another record takes effect at once.
func TestAMembershipTakesEffectAtOnce(t *testing.T) {
	t.Parallel()
	eachFleet(t, func(t *testing.T, f fleet) {
		t.Helper()
		f.As("bob", "GET /api/entries/2", "").HasStatus(http.StatusNotFound)
		f.As("root", "POST /api/berths", `{"vessel":"/api/vessels/2","captain":2,"role":"help"}`).HasStatus(http.StatusCreated)
		f.As("bob", "GET /api/entries/2", "").HasStatus(http.StatusOK)
		f.As("root", "PATCH /api/berths/3", `{"captain":9}`).HasStatus(http.StatusOK)
		f.As("bob", "GET /api/entries", "").HasIDs(`[{"id":2}]`)
		f.As("root", "DELETE /api/berths/4", "").HasStatus(http.StatusNoContent)
		f.As("bob", "GET /api/entries", "").HasIDs(`[]`)
	})
}

// The new state counts: the reference that a body sets, and its name is in the error.
func TestTheReferenceInABodyDecides(t *testing.T) {
	t.Parallel()
	type memo struct {
		ID     int64 `json:"id"`
		Vessel int64 `json:"vessel" api:"ref=Vessel"`
	}
	vessels, berths := memory.New(vessel{Name: "one"}, vessel{Name: "two"}), memory.New(berth{Vessel: 1, Captain: 1})
	c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{spec.Bearer()}},
		resource.Of[vessel]{Store: vessels, ShortName: "Vessel", Access: access.Only(access.Public)},
		resource.Of[berth]{Store: berths, ShortName: "Berth", Access: access.Only(access.Public)},
		resource.Of[memo]{Access: access.Rules{Read: access.Public, Create: member, Update: member, Delete: member}},
	)
	c.As("ann", "POST /api/memos", `{"vessel":"/api/vessels/2"}`).IsProblem(http.StatusForbidden).Mentions("vessel")
	c.As("", "POST /api/memos", `{"vessel":"/api/vessels/2"}`).IsProblem(http.StatusUnauthorized)
	c.As("ann", "POST /api/memos", `{"vessel":"/api/vessels/1"}`).HasStatus(http.StatusCreated)
	c.As("ann", "PATCH /api/memos/1", `{"vessel":"/api/vessels/2"}`).IsProblem(http.StatusForbidden).Mentions("vessel")
	c.As("bob", "PATCH /api/memos/1", `{"vessel":"/api/vessels/1"}`).IsProblem(http.StatusForbidden)
}

// A stored response is for those who still have the permissions of that time.
func TestAResponseIsNotReplayedAfterAMembershipEnds(t *testing.T) {
	t.Parallel()
	eachFleet(t, func(t *testing.T, f fleet) {
		t.Helper()
		post := func() spec.Response {
			return f.As("bob", "POST /api/entries", `{"vessel":"/api/vessels/1","text":"d"}`, spec.KeyField, "k")
		}
		first := post().HasStatus(http.StatusCreated)
		if again := post().HasStatus(http.StatusCreated); again.Body != first.Body || again.Header.Get("Idempotent-Replayed") == "" {
			t.Errorf("the second response is %s, want %s", again.Body, first.Body)
		}
		f.As("root", "DELETE /api/berths/3", "").HasStatus(http.StatusNoContent)
		post().IsProblem(http.StatusForbidden).Mentions("permissions have changed").Lacks(`"text"`)
		f.As("root", "POST /api/berths", `{"vessel":"/api/vessels/1","captain":2,"role":"help"}`).HasStatus(http.StatusCreated)
		if again := post().HasStatus(http.StatusCreated); again.Body != first.Body {
			t.Errorf("a member again gets %s, want %s", again.Body, first.Body)
		}
	})
}

func TestAResponseIsNotReplayedAfterItsEmbeddedRecordsAreHidden(t *testing.T) {
	t.Parallel()
	type entry struct {
		ID     int64 `json:"id"`
		Vessel int64 `json:"vessel" api:"ref=Vessel,expand"`
	}
	c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{spec.Bearer()}},
		resource.Of[vessel]{ShortName: "Vessel", Access: access.Rules{
			Read: access.Public, Create: spec.IsAdmin, Update: spec.IsAdmin, Delete: spec.IsAdmin,
			Fields: map[string]access.Field{"plan": {Read: aboard}},
		}},
		resource.Of[berth]{ShortName: "Berth", Access: access.Only(spec.IsAdmin)},
		resource.Of[entry]{
			ShortName: "Entry", Idempotency: time.Hour, Access: access.Only(access.Authenticated),
			View: &operation.View{Name: "EntryCard", Fields: []string{"id", "vessel.plan"}}, Operations: []operation.Operation{operation.Get{}, operation.Post{}},
		})
	c.As("root", "POST /api/vessels", `{"name":"one","plan":"north"}`).HasStatus(http.StatusCreated)
	c.As("root", "POST /api/berths", `{"vessel":"/api/vessels/1","captain":2,"role":"help"}`).HasStatus(http.StatusCreated)
	post := func() spec.Response {
		return c.As("bob", "POST /api/entries", `{"vessel":"/api/vessels/1"}`, spec.KeyField, "k")
	}
	first := post().HasStatus(http.StatusCreated).Mentions("north")
	post().Is(http.StatusCreated, first.Body).Has("Idempotent-Replayed", "true")
	c.As("root", "DELETE /api/berths/1", "").HasStatus(http.StatusNoContent)
	post().IsProblem(http.StatusForbidden).Mentions("permissions have changed").Lacks("north")
}

func TestDocumentsAndLogsNameRulesAboutOtherRecords(t *testing.T) {
	t.Parallel()
	eachFleet(t, func(t *testing.T, f fleet) {
		t.Helper()
		f.As("bob", "DELETE /api/entries/1", "").HasStatus(http.StatusForbidden)
		if want := "(related Berth with (captain and role is lead)) of the vessel: no"; !strings.Contains(f.Log.String(), want) {
			t.Errorf("the log is %s, want %s", f.Log, want)
		}
		f.Send("GET /api/docs.json", "").HasStatus(http.StatusOK).Mentions("Access: member of the vessel", "Access: member or admin", "Access: (related Berth with (captain and role is lead)) of the vessel")
	})
}

// folder leads to other folders, and a rule may lead back to the folder itself.
type folder struct {
	ID     int64   `json:"id"`
	Parent *int64  `json:"parent" api:"ref=Folder"`
	Links  []int64 `json:"links" validate:"max=5" api:"ref=Folder"`
	State  string  `json:"state"`
}

func TestARuleThatLeadsBackSeesTheRecordAsItWillBe(t *testing.T) {
	t.Parallel()
	open, shut := access.Where("state", "open"), access.Where("state", "shut")
	for name, test := range map[string]struct {
		update           access.Rule
		allowed, refused string // of folder 1, whose parent and link is 2; 2 has the parent 1
	}{
		"its own parent":               {access.Through("parent", open), `{"parent":"/api/folders/1","state":"open"}`, `{"parent":"/api/folders/1","state":"shut"}`},
		"a link to itself":             {access.Through("links", open), `{"links":["/api/folders/1"],"state":"open"}`, `{"links":["/api/folders/1"]}`},
		"the parent of its parent":     {access.Any(access.Through("parent", access.Through("parent", open)), access.Where("state", "new")), `{"state":"open"}`, `{"state":"shut"}`},
		"a child of its parent":        {access.Any(access.Through("parent", access.Related("Folder.parent", open)), access.Where("state", "new")), `{"state":"open"}`, `{"state":"shut"}`},
		"the parent of a child":        {access.Any(access.Related("Folder.parent", access.Through("parent", open)), access.Where("state", "new")), `{"state":"open"}`, `{"state":"shut"}`},
		"no child of its own":          {access.Not(access.Related("Folder.parent", shut)), `{"parent":"/api/folders/1"}`, `{"parent":"/api/folders/1","state":"shut"}`},
		"a child that links to itself": {access.Any(access.Related("Folder.links", access.Through("links", open)), access.Where("state", "new")), `{"links":["/api/folders/1"],"state":"open"}`, `{"links":["/api/folders/1"],"state":"shut"}`},
	} {
		run := func(t *testing.T, folders store.Store[folder]) {
			t.Helper()
			c := spec.NewClient(t, resource.Config{}, resource.Of[folder]{Store: folders, ShortName: "Folder", Access: access.Rules{
				Read: access.Public, Create: access.Public, Update: access.Any(test.update, access.Where("state", "setup")), Delete: access.Public,
			}})
			c.Send("POST /api/folders", `{"state":"setup"}`).HasStatus(http.StatusCreated)
			c.Send("POST /api/folders", `{"state":"setup","parent":"/api/folders/1"}`).HasStatus(http.StatusCreated)
			for i, body := range []string{`{"parent":"/api/folders/2","links":["/api/folders/2"]}`, `{}`} {
				c.Send(fmt.Sprintf("PATCH /api/folders/%d", i+1), body).HasStatus(http.StatusOK)
			}
			set(t, folders, int64(2), func(f *folder) { f.State = "open" })
			set(t, folders, int64(1), func(f *folder) { f.State = "new" })
			c.Send("PATCH /api/folders/1", test.refused).HasStatus(http.StatusForbidden)
			c.Send("PATCH /api/folders/1", test.allowed).HasStatus(http.StatusOK)
		}
		t.Run(name+" in memory", func(t *testing.T) { t.Parallel(); run(t, memory.New[folder]()) })
		for database, open := range spec.Databases(t) {
			t.Run(name+" in "+database, func(t *testing.T) {
				t.Parallel()
				db := open(t)
				folders := sqlstore.Table[folder](db)
				if err := db.Create(t.Context(), folders); err != nil {
					t.Fatal(err)
				}
				run(t, folders)
			})
		}
	}
}

// TestAWrongTagIsReportedWithoutTheRulesThatLeadToIt has rules to and from an invalid struct.
func TestAWrongTagIsReportedWithoutTheRulesThatLeadToIt(t *testing.T) {
	t.Parallel()
	type Ship struct {
		ID   int64  `json:"id"`
		Name string `json:"name" api:"fliter"`
	}
	type Log struct {
		ID   int64 `json:"id"`
		Ship int64 `json:"ship" api:"ref=Ship"`
	}
	_, err := resource.New(resource.Config{},
		resource.Of[Ship]{Access: access.Only(access.Related("Log.ship", access.Public))},
		resource.Of[Log]{Access: access.Only(access.Through("ship", access.Where("name", "Dawn")))},
		resource.Of[int]{Access: access.Only(access.Public), ShortName: "Number"})
	if err == nil || strings.Count(err.Error(), "\n") != 2 || !strings.Contains(err.Error(), `did you mean "filter"`) {
		t.Errorf("the error is %v", err)
	}
}

func TestNoOneLetsThemselvesIn(t *testing.T) {
	t.Parallel()
	run := func(t *testing.T, vessels store.Store[vessel], berths store.Store[berth]) {
		t.Helper()
		rules := access.Only(access.Any(spec.IsAdmin, access.Through("vessel", leads)))
		rules.Fields = map[string]access.Field{"captain": {Write: access.Any(spec.IsAdmin, access.Through("vessel", leads))}}
		c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{spec.Bearer()}},
			resource.Of[vessel]{Store: vessels, ShortName: "Vessel", Access: spec.Open()},
			resource.Of[berth]{Store: berths, ShortName: "Berth", Access: rules})
		for _, step := range []struct {
			who, request, body string
			status             int
		}{
			{"root", "POST /api/vessels", `{"name":"one"}`, 201},
			{"root", "POST /api/vessels", `{"name":"two"}`, 201},
			{"ann", "POST /api/berths", `{"vessel":"/api/vessels/1","captain":1,"role":"lead"}`, 403},
			{"root", "POST /api/berths", `{"vessel":"/api/vessels/1","captain":1,"role":"lead"}`, 201},
			{"ann", "POST /api/berths", `{"vessel":"/api/vessels/1","captain":2,"role":"help"}`, 201},
			{"bob", "POST /api/berths", `{"vessel":"/api/vessels/1","captain":2,"role":"lead"}`, 403},
			{"ann", "PATCH /api/berths/1", `{"vessel":"/api/vessels/2"}`, 403},
			{"ann", "PATCH /api/berths/1", `{"role":"help"}`, 403},
			{"ann", "PATCH /api/berths/1", `{"role":"lead"}`, 200},
		} {
			c.As(step.who, step.request, step.body).HasStatus(step.status)
		}
	}
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		run(t, memory.New[vessel](), memory.New[berth]())
	})
	for name, open := range spec.Databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			vessels, berths := sqlstore.Table[vessel](db), sqlstore.Table[berth](db)
			if err := db.Create(t.Context(), vessels, berths); err != nil {
				t.Fatal(err)
			}
			run(t, vessels, berths)
		})
	}
}

// set changes a record without rules.
func set[T any](t *testing.T, in store.Store[T], id any, change func(*T)) {
	t.Helper()
	if err := in.Transact(t.Context(), func(ctx context.Context, tx store.Tx[T]) error {
		record, err := tx.Get(ctx, id)
		if err == nil {
			change(record)
			err = tx.Update(ctx, id, record)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// keptApart is a store that queries cannot go to.
type keptApart[T any] struct{ store.Store[T] }

func TestMistakesInRulesAboutOtherRecordsAreErrorsOfNew(t *testing.T) {
	t.Parallel()
	owned := access.Equal("captain", func(c *spec.Captain) int64 { return c.ID })
	for want, test := range map[string]struct {
		rule   access.Rule
		berths store.Store[berth]
		vessel access.Rule
	}{
		`Through("vesel") is not a reference of access_test.berth; did you mean "vessel"?`:                                                      {rule: access.Through("vesel", access.Public)},
		`Through("role") is not a reference of access_test.berth; allowed: vessel`:                                                              {rule: access.Through("role", access.Public)},
		`Through("vessel"): the rule "nme is x" has the field "nme", which access_test.vessel does not have`:                                    {rule: access.Through("vessel", access.Where("nme", "x"))},
		`the rule "vessel.nme is x" has the field "nme", which access_test.vessel does not have; allowed: id, name, plan; did you mean "name"?`: {rule: access.Where("vessel.nme", "x")},
		`Where("name") has a value of type int; allowed: string, the type of the field`:                                                         {rule: access.Where("vessel.name", 7)},
		`Equal("name") has a function that returns int; allowed: string, the type of the field`:                                                 {rule: access.Equal("vessel.name", func(*spec.Captain) int { return 1 })},
		`Through("vessel"): a part of the rule is nil`:                                                                                          {rule: access.Through("vessel", nil)},
		`Through("vessel"): Check("c") is not allowed in Through and Related`:                                                                   {rule: access.Through("vessel", access.Check("c", func(context.Context, *vessel) (bool, error) { return true, nil }))},
		`Through("vessel"): Filter("f") is not allowed in Through and Related`:                                                                  {rule: access.Through("vessel", access.Filter("f", func(context.Context, *spec.Captain) ([]store.Condition, error) { return nil, nil }))},
		`goes through more than 3 references; allowed: 3`:                                                                                       {rule: access.Through("vessel", access.Related("Berth.vessel", access.Through("vessel", access.Related("Berth.vessel", owned))))},
		`Related("Berth.captain") is not a reference to access_test.vessel; allowed: Berth.vessel`:                                              {vessel: access.Related("Berth.captain", owned)},
		`Related("Birth.vessel") is not a reference to access_test.vessel; did you mean "Berth.vessel"?`:                                        {vessel: access.Related("Birth.vessel", owned)},
		`Related("Berth.vessel"): Equal("captain") has a function that returns string`:                                                          {vessel: access.Related("Berth.vessel", access.Equal("captain", func(c *spec.Captain) string { return c.Name }))},
		`the rule "vessel.name is x" does not work, because the store of access_test.berth cannot query the records of Vessel; keep both in memory or in one database`: {
			rule: access.Where("vessel.name", "x"), berths: keptApart[berth]{memory.New[berth]()},
		},
		`Related("Berth.vessel") does not work, because the store of access_test.vessel cannot query the records of Berth; keep both in memory or in one database`: {
			vessel: access.Related("Berth.vessel", owned), berths: keptApart[berth]{memory.New[berth]()},
		},
		`is for principals of type *access_test.robot, which no scheme returns; allowed: *spec.Captain`: {rule: access.Equal("vessel.id", func(r *robot) int64 { return r.Serial })},
	} {
		for _, place := range []string{"Read", "Update"} {
			of, on := access.Only(access.Public), access.Only(access.Public)
			if test.rule != nil {
				of.Update = test.rule
				if place == "Read" {
					of = access.Only(access.Public)
					of.Read = test.rule
				}
			}
			if test.vessel != nil {
				on.Fields = map[string]access.Field{"plan": {Read: test.vessel}}
				if place == "Update" {
					on.Fields = map[string]access.Field{"plan": {Write: test.vessel}}
				}
			}
			_, err := resource.New(resource.Config{Authentication: []access.Scheme{spec.Bearer()}},
				resource.Of[vessel]{ShortName: "Vessel", Access: on}, resource.Of[berth]{ShortName: "Berth", Store: test.berths, Access: of})
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: the error is %v, want %s", place, err, want)
			} else if n := strings.Count(err.Error(), "\n"); n > 0 {
				t.Errorf("%s: the error has more lines than one:\n%v", place, err)
			}
		}
	}
	api, err := resource.New(resource.Config{Authentication: []access.Scheme{spec.Bearer()}}, resource.Of[berth]{ShortName: "Berth", Access: access.Only(access.Public)}, resource.Of[vessel]{ShortName: "Vessel", Access: access.Only(access.Public)})
	if err == nil {
		err = openapi.Mount(api, openapi.Config{Access: aboard})
	}
	if err == nil || !strings.Contains(err.Error(), `rule "member" needs a record, which the documentation does not have`) {
		t.Errorf("the documentation: %v", err)
	}
}

// A rule about other records never holds for those whom a part of it does not ask, nor does its opposite.
func TestTheOppositeOfARuleAboutOtherRecordsHoldsForItsPrincipals(t *testing.T) {
	t.Parallel()
	vessels := memory.New(vessel{Name: "one"}, vessel{Name: "two"}, vessel{Name: "three"})
	berths := memory.New(berth{Vessel: 1, Captain: 1, Role: "lead"}, berth{Vessel: 2, Captain: 2})
	c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{spec.Bearer()}},
		resource.Of[vessel]{Store: vessels, ShortName: "Vessel", Access: access.Rules{Read: access.Not(aboard), Create: access.Public, Update: access.Public, Delete: access.Public}},
		resource.Of[berth]{Store: berths, ShortName: "Berth", Access: access.Rules{
			Read: access.Not(access.Where("vessel.name", "one")), Create: access.Public, Update: access.Public, Delete: access.Public,
		}})
	c.As("ann", "GET /api/vessels", "").HasIDs(`[{"id":2},{"id":3}]`)
	c.As("ann", "GET /api/vessels/1", "").HasStatus(http.StatusNotFound)
	c.As("ann", "GET /api/vessels/3", "").HasStatus(http.StatusOK)
	c.As("", "GET /api/vessels", "").HasStatus(http.StatusUnauthorized)
	c.As("", "GET /api/vessels/3", "").HasStatus(http.StatusUnauthorized)
	c.As("", "GET /api/berths", "").HasIDs(`[{"id":2}]`)
}
