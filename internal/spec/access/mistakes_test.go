package access_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// plainStore does not implement groups of queries.
type plainStore struct{ store.Store[spec.Hoard] }

func TestMistakesInRulesAreErrorsOfNew(t *testing.T) {
	t.Parallel()
	type robot struct{}
	ofRobots := func(context.Context, *robot) ([]store.Condition, error) { return nil, nil }
	ok := func(_ context.Context, _ string) (*spec.Captain, access.Scopes, error) { return nil, nil, nil }
	for want, test := range map[string]struct {
		rules   access.Rules
		schemes []access.Scheme
		more    func(*resource.Of[spec.Hoard])
	}{
		`the rule "ownr" has the field "ownr", which spec.Hoard does not have; allowed: id, name, published, owner, worth; did you mean "owner"?`: {
			rules: access.Rules{Read: access.Equal("ownr", func(c *spec.Captain) int64 { return c.ID })},
		},
		`Equal("owner") has a function that returns int; allowed: int64, the type of the field`: {
			rules: access.Rules{Update: access.Equal("owner", func(*spec.Captain) int { return 1 })},
		},
		`Where("worth") has a value of type string; allowed: int, the type of the field`: {rules: access.Rules{Read: access.Where("worth", "7")}},
		`Where("worth") has a value of type <nil>; allowed: int`:                         {rules: access.Rules{Read: access.Where("worth", nil)}},
		`Where("published") has no values`:                                               {rules: access.Rules{Read: access.Where("published")}},
		`Any has no rules`:                                                               {rules: access.Rules{Read: access.Any()}},
		`All has no rules`:                                                               {rules: access.Rules{Read: access.Not(access.All())}},
		`a part of the rule is nil`:                                                      {rules: access.Rules{Read: access.Any(spec.Published, nil)}},
		`If("x") has a nil function`:                                                     {rules: access.Rules{Delete: access.If[*spec.Captain]("x", nil)}},
		`If has an empty name`:                                                           {rules: access.Rules{Delete: access.If("", func(*spec.Captain) bool { return true })}},
		`Scope is "a b"; allowed`:                                                        {rules: access.Rules{Delete: access.Scope("a b")}, schemes: []access.Scheme{spec.Bearer()}},
		`Scope("a") never holds`:                                                         {rules: access.Rules{Delete: access.Scope("a")}},
		`Filter("f") is not allowed in a Not`:                                            {rules: access.Rules{Read: access.Not(access.Filter("f", ofRobots))}},
		`Check("c") is for records of type spec.Captain; this resource has records of type spec.Hoard`: {
			rules: access.Rules{Update: access.Check("c", func(context.Context, *spec.Captain) (bool, error) { return true, nil })},
		},
		`Check("c") is not allowed in a read rule`: {
			rules: access.Rules{Read: access.Check("c", func(context.Context, *spec.Hoard) (bool, error) { return true, nil })},
		},
		`the rule "f" is for principals of type *access_test.robot, which no scheme returns; allowed: *spec.Captain`: {
			rules: access.Rules{Read: access.Filter("f", ofRobots)}, schemes: []access.Scheme{spec.Bearer()},
		},
		`Hoard: no access rule for deleteHoard (Delete), which every operation needs because Config.Authentication has a scheme; set Access.Delete`: {
			rules: access.Rules{Read: access.Public, Create: access.Public, Update: access.Public}, schemes: []access.Scheme{spec.Bearer()},
		},
		`Hoard: no access rule for xHoard (Get)`: {
			schemes: []access.Scheme{spec.Bearer()}, more: func(o *resource.Of[spec.Hoard]) {
				o.Operations = []operation.Operation{operation.Get{Name: "x", Hidden: true}}
			},
		},
		`the rule "owner" needs a record, but the operation has none; set Access of the operation`: {
			rules: access.Rules{Create: spec.IsOwner}, more: func(o *resource.Of[spec.Hoard]) {
				run := func(context.Context, *spec.Hoard, struct{}) (struct{}, error) { return struct{}{}, nil }
				o.Operations = []operation.Operation{operation.Post{Name: "x", URITemplate: "/x", Handler: operation.Handle(run)}}
			},
		},
		`Access.Fields has the unknown field "nam"; did you mean "name"?`: {
			rules: access.Rules{Fields: map[string]access.Field{"nam": {Read: spec.IsAdmin}}},
		},
		`Access.Fields has the nested field "name.first"; use "name"`: {
			rules: access.Rules{Fields: map[string]access.Field{"name.first": {Read: spec.IsAdmin}}},
		},
		`Access.Fields[id]: Read has no effect on the identifier`:    {rules: access.Rules{Fields: map[string]access.Field{"id": {Read: spec.IsAdmin}}}},
		`Access.Fields[id]: Write has no effect on a readonly field`: {rules: access.Rules{Fields: map[string]access.Field{"id": {Write: spec.IsAdmin}}}},
		`Access.Fields[name]: set Read or Write, or remove the field`: {
			rules: access.Rules{Fields: map[string]access.Field{"name": {}}},
		},
		`need groups of conditions, which the store does not support`: {
			rules: access.Rules{Read: access.Any(spec.Published, spec.IsOwner)}, more: func(o *resource.Of[spec.Hoard]) { o.Store = plainStore{memory.New[spec.Hoard]()} },
		},
		`CacheControl is "public, max-age=60", but the response depends on the caller; remove public`: {
			rules: access.Rules{Read: spec.IsOwner}, more: func(o *resource.Of[spec.Hoard]) {
				o.Operations, o.CacheControl = []operation.Operation{operation.Get{}}, "public, max-age=60"
			},
		},
		`Authentication: scheme 1 is empty`:                                           {schemes: []access.Scheme{{}}, rules: readByAll()},
		`Authentication: two schemes have the name "token"`:                           {schemes: []access.Scheme{spec.Bearer(), spec.Bearer()}, rules: readByAll()},
		`Authentication: scheme "a b": the name must have`:                            {schemes: []access.Scheme{access.Bearer("a b", ok)}, rules: readByAll()},
		`Authentication: scheme "a": the function is nil`:                             {schemes: []access.Scheme{access.Bearer[*spec.Captain]("a", nil)}, rules: readByAll()},
		`Authentication: scheme "a": the header field "Authorization" is not allowed`: {schemes: []access.Scheme{access.APIKey("a", "Authorization", ok)}, rules: readByAll()},
		`Authentication: scheme "a": Flows is empty`:                                  {schemes: []access.Scheme{access.OAuth2("a", access.Flows{}, ok)}, rules: readByAll()},
		`Authentication: scheme "a": the URL "x" must be absolute`:                    {schemes: []access.Scheme{access.OpenIDConnect("a", "x", ok)}, rules: readByAll()},
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			declared := resource.Of[spec.Hoard]{Access: test.rules}
			if test.more != nil {
				test.more(&declared)
			}
			_, err := resource.New(resource.Config{Authentication: test.schemes}, declared)
			if err == nil || strings.Count(err.Error(), want) != 1 {
				t.Errorf("New returns %v", err)
			}
		})
	}
}

// Sheet has a rule that stored records break: another program has written them, or the rule is younger.
type Sheet struct {
	ID      int64   `json:"id"`
	Name    string  `json:"name" validate:"notblank"`
	Grade   int     `json:"grade" validate:"lte=9"`
	Remark  string  `json:"remark" validate:"max=3"`
	Friends []int64 `json:"friends" validate:"max=1" api:"ref=Captain"`
}

// A violation of a stored value in a hidden field would disclose the value, and the caller could not fix it.
func TestViolationsOfHiddenFieldsAreFaults(t *testing.T) {
	t.Parallel()
	const graded, remarked = `{"grade":"grade must be at most 9"}`, `{"remark":"remark must be at most 3 characters long"}`
	sheet := func(t *testing.T) spec.Client {
		t.Helper()
		return spec.NewClient(t, resource.Config{Authentication: []access.Scheme{spec.Bearer()}, Logger: slog.New(slog.DiscardHandler)},
			resource.Of[spec.Captain]{Store: memory.New(spec.Captain{Name: "ann"}), Operations: []operation.Operation{operation.Get{}}, Access: readByAll()},
			resource.Of[Sheet]{
				Store: memory.New(Sheet{Name: "a", Grade: 10}, Sheet{Name: "b", Remark: "long"}, Sheet{Name: "c"}),
				Operations: append(operation.Standard(), operation.Put{URITemplate: "/sheets/{id}/friends/{friends}"},
					operation.Put{Name: "replace", URITemplate: "/replaced/{id}", ExtraProperties: map[string]any{"standard_put": true}}),
				Access: access.Rules{
					Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public,
					Fields: map[string]access.Field{"grade": {Write: spec.IsAdmin}, "remark": {Read: spec.IsAdmin}},
				},
			})
	}
	for _, test := range []struct {
		rule, who, request, body string
		status                   int
		told                     string // of the errors; "" for a fault
	}{
		{"one that they may not write", "ann", "PATCH /api/sheets/1", `{"name":"z"}`, 500, ""},
		{"in a Put", "ann", "PUT /api/sheets/1", `{"name":"z"}`, 500, ""},
		{"in a Put that replaces", "ann", "PUT /api/replaced/1", `{"name":"z"}`, 500, ""},
		{"one that they may", "root", "PATCH /api/sheets/1", `{"name":"z"}`, 400, graded},
		{"one that he does not see", "ann", "PATCH /api/sheets/2", `{"name":"z"}`, 500, ""},
		{"one that he does not see, but sends", "ann", "PATCH /api/sheets/2", `{"remark":"other"}`, 400, remarked},
		{"one that he sees", "root", "PATCH /api/sheets/2", `{"name":"z"}`, 400, remarked},
		{"next to what they can correct", "ann", "PATCH /api/sheets/1", `{"name":""}`, 400, `{"name":"name must not be blank"}`},
		{"of a new record nothing is kept", "ann", "POST /api/sheets", `{"name":"z","remark":"long"}`, 400, remarked},
		{"beside a membership", "root", "PUT /api/sheets/1/friends/1", "", 500, ""},
		{"a membership alone", "root", "PUT /api/sheets/3/friends/1", "", 204, ""},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			got := sheet(t).As(test.who, test.request, test.body).HasStatus(test.status)
			if test.status == 500 {
				got.IsProblem(500)
			} else if test.told != "" {
				got.Is(400, `{"type":"validation_error","title":"There was a validation error","errors":`+test.told+`}`)
			}
		})
	}
}

// A 403 names the reference that the caller may not choose, if the rule is about one field that they may know.
func TestA403NamesTheValueThatTheCallerMayNotChoose(t *testing.T) {
	t.Parallel()
	member := access.Filter("member", func(_ context.Context, c *spec.Captain) ([]store.Condition, error) {
		own := store.Condition{Fields: []string{"id"}, Operator: store.Equal, Values: []any{c.ID}}
		return []store.Condition{{Through: "depot", Any: [][]store.Condition{{own}}}}, nil
	})
	everyone := access.Rules{Read: access.Public, Create: access.Authenticated, Update: access.Authenticated, Delete: access.Authenticated}
	hiding := everyone
	hiding.Create = member
	hiding.Fields = map[string]access.Field{"depot": {Read: spec.IsAdmin}}
	showing := hiding
	showing.Fields = nil
	showing.Update = access.Any(member, access.Where("id", int64(99)))
	for name, test := range map[string]struct {
		rules access.Rules
		named bool
	}{"a field that the caller sees": {showing, true}, "a field that is hidden from them": {hiding, false}} {
		t.Run(name, func(t *testing.T) {
			c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{spec.Bearer()}},
				resource.Of[depot]{Access: everyone}, resource.Of[crate]{Access: test.rules})
			c.As("root", "POST /api/depots", `{"owner":"ann"}`).HasStatus(http.StatusCreated)
			c.As("root", "POST /api/depots", `{"owner":"bob"}`).HasStatus(http.StatusCreated)
			denied := c.As("ann", "POST /api/crates", `{"depot":"/api/depots/2"}`).IsProblem(http.StatusForbidden)
			if test.named {
				denied.Mentions(`"field":"depot"`, `set depot`)
			} else {
				denied.Lacks("depot")
			}
			c.As("ann", "POST /api/crates", `{"depot":"/api/depots/1"}`).HasStatus(http.StatusCreated)
			if test.named { // one of two fields, so neither is named
				c.As("ann", "PATCH /api/crates/1", `{"depot":"/api/depots/2"}`).IsProblem(http.StatusForbidden).Lacks(`"field"`)
			}
		})
	}
	f := spec.NewCrew(t, resource.Of[spec.Hoard]{}, resource.Of[spec.Captain]{})
	f.As("ann", "POST /api/hoards", `{"name":"x","owner":2}`).IsProblem(http.StatusForbidden).Mentions(`"field":"owner"`)
}

func TestAUniqueValueOfAHiddenRecordRevealsOnlyTheField(t *testing.T) {
	t.Parallel()
	type ticket struct {
		ID    int64  `json:"id"`
		Code  string `json:"code" api:"unique,filter"`
		Owner string `json:"owner"`
	}
	type caller struct{ Name string }
	owner := access.Equal("owner", func(c *caller) string { return c.Name })
	authenticate := func(_ context.Context, token string) (*caller, access.Scopes, error) {
		return &caller{token}, access.Unlimited, nil
	}
	for name, records := range spec.Stores[ticket](t) {
		t.Run(name, func(t *testing.T) {
			config := resource.Config{Authentication: []access.Scheme{access.Bearer("token", authenticate)}}
			c := spec.NewClient(t, config, resource.Of[ticket]{
				ShortName: "Ticket", Store: records,
				Access: access.Rules{Read: owner, Create: owner, Update: owner, Delete: owner},
			})
			c.Send("POST /api/tickets", `{"code":"a","owner":"ann"}`, "Authorization", "Bearer ann").HasStatus(201)
			c.Send("POST /api/tickets", `{"code":"b","owner":"bob"}`, "Authorization", "Bearer bob").HasStatus(201)
			c.Send("GET /api/tickets?code=a", "", "Authorization", "Bearer bob").Is(200, "[]").Has("X-Total-Count", "0")
			const taken = `{"type":"about:blank","title":"Conflict","status":409,"detail":"code is already in use.","field":"code"}`
			c.Send("POST /api/tickets", `{"code":"a","owner":"bob"}`, "Authorization", "Bearer bob").Is(409, taken).Has("Location", "").Has("ETag", "")
			c.Send("PATCH /api/tickets/2", `{"code":"a"}`, "Authorization", "Bearer bob").Is(409, taken).Has("ETag", "")
			c.Send("POST /api/tickets", `{"code":"a","owner":"ann"}`, "Authorization", "Bearer bob").IsProblem(403) // rules come first
		})
	}
}

// Berth is a record that everyone may change, and only signed-in callers create.
type Berth struct {
	Name  string `json:"name" api:"id"`
	Depth int    `json:"depth" validate:"gte=1"`
}

func TestAPutThatMayNotCreateIsForbiddenBeforeItsBodyIsJudged(t *testing.T) {
	t.Parallel()
	token := access.Bearer("token", func(context.Context, string) (*spec.Captain, access.Scopes, error) {
		return &spec.Captain{ID: 1}, access.Unlimited, nil
	})
	c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{token}}, resource.Of[Berth]{
		Access: access.Rules{Read: access.Public, Create: access.Authenticated, Update: access.Public, Delete: access.Public},
		Operations: []operation.Operation{
			operation.Get{}, operation.Put{AllowCreate: true},
		},
	})
	c.Send("PUT /api/berths/north", `{"depth":0}`).IsProblem(401)
	c.Send("PUT /api/berths/north", `{"depth":7}`).IsProblem(401)
	c.Send("PUT /api/berths/north", `{"depth":0}`, "Authorization", "Bearer x").HasStatus(400)
	c.Send("PUT /api/berths/north", `{"depth":7}`, "Authorization", "Bearer x").HasStatus(201)
	c.Send("PUT /api/berths/north", `{"depth":8}`).HasStatus(200)
}

type team struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

type ledger struct {
	ID    int64  `json:"id"`
	Title string `json:"title" validate:"max=20"`
	Cost  int64  `json:"cost" validate:"gte=0"`
	Plan  struct {
		Goal string `json:"goal" validate:"max=3"`
	} `json:"plan"`
	Team *int64 `json:"team" api:"ref=Team"`
}

func TestABodyDescribesNoFieldThatItsCallerMayNotSet(t *testing.T) {
	t.Parallel()
	secret := access.Field{Read: spec.IsAdmin, Write: spec.IsAdmin}
	rules := access.Rules{
		Read: access.Public, Create: access.Authenticated, Update: access.Authenticated, Delete: access.Authenticated,
		Fields: map[string]access.Field{"cost": secret, "plan": secret, "team": secret},
	}
	c := spec.NewClient(t, resource.Config{
		Authentication: []access.Scheme{spec.Bearer()}, Formats: append(format.Standard(), csv.Format, hal.Format),
	}, resource.Of[team]{Access: access.Only(spec.IsAdmin)}, resource.Of[ledger]{
		Access: rules,
		Operations: append(operation.Standard(),
			operation.Put{ExtraProperties: map[string]any{"standard_put": true}, Name: "replace", URITemplate: "/ledgers/{id}/all"},
			operation.Post{Name: "import", URITemplate: "/ledgers/import", Access: access.Authenticated, Handler: operation.Handle(
				func(context.Context, *ledger, []operation.CreateOf[ledger]) (struct{}, error) { return struct{}{}, nil })},
			operation.Post{Name: "change", URITemplate: "/ledgers/change", Access: access.Authenticated, Handler: operation.Handle(
				func(context.Context, *ledger, []operation.PatchOf[ledger]) (struct{}, error) { return struct{}{}, nil })}),
	})
	c.As("root", "POST /api/ledgers", `{"title":"x","cost":1,"plan":{"goal":"a"},"team":null}`).HasStatus(http.StatusCreated)
	isSilent := func(denied spec.Response) {
		t.Helper()
		denied.IsProblem(http.StatusForbidden)
		for _, told := range []string{"goal", "teams", "number", "must be"} {
			denied.Lacks(told)
		}
	}
	for field, values := range map[string][]string{
		"cost": {`"a"`, `-1`, `null`, `[]`}, "plan": {`5`, `{"nope":1}`, `{"goal":1}`, `{"goal":"long"}`}, "team": {`7`, `"x"`, `"/api/teams/9"`},
	} {
		for _, value := range values {
			body := fmt.Sprintf(`{"title":"x","cost":0,"plan":{"goal":""},%q:%s}`, field, value)
			if field != "team" {
				body = fmt.Sprintf(`{"title":"x",%q:%s}`, field, value)
			}
			for _, request := range []string{"POST /api/ledgers", "PATCH /api/ledgers/1", "PUT /api/ledgers/1", "PUT /api/ledgers/1/all"} {
				isSilent(c.As("bob", request, body))
			}
			isSilent(c.As("bob", "POST /api/ledgers/import", "["+body+"]"))
			isSilent(c.As("bob", "POST /api/ledgers/change", `[{"id":1,`+body[1:]+"]"))
			isSilent(c.As("bob", "POST /api/ledgers", body, "Content-Type", "application/hal+json"))
		}
	}
	isSilent(c.As("bob", "POST /api/ledgers", "title,cost\r\nx,a\r\n", "Content-Type", "text/csv"))
	c.As("bob", "POST /api/ledgers", `{"title":5}`).HasStatus(http.StatusBadRequest)
	c.As("root", "POST /api/ledgers", `{"title":"x","cost":"a"}`).HasStatus(http.StatusBadRequest)
}
