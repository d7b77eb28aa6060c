package declarations_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// routesOf makes an API and lists its routes as "METHOD path id status".
func routesOf(t *testing.T, declarations ...resource.Declaration) [][4]any {
	t.Helper()
	api, err := resource.New(resource.Config{}, declarations...)
	if err != nil {
		t.Fatal(err)
	}
	var routes [][4]any
	for _, r := range api.Routes() {
		routes = append(routes, [4]any{r.Method, r.Path, r.Operation, r.Status})
	}
	return routes
}

func TestRoutesFollowTheDeclaration(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule        string
		declaration resource.Declaration
		want        [][4]any
	}{
		{"six operations by default", resource.Of[spec.DragonTreasure]{}, [][4]any{
			{"GET", "/api/dragon_treasures/{id}", "getDragonTreasure", 200},
			{"GET", "/api/dragon_treasures", "listDragonTreasures", 200},
			{"POST", "/api/dragon_treasures", "createDragonTreasure", 201},
			{"PUT", "/api/dragon_treasures/{id}", "updateDragonTreasure", 200},
			{"PATCH", "/api/dragon_treasures/{id}", "patchDragonTreasure", 200},
			{"DELETE", "/api/dragon_treasures/{id}", "deleteDragonTreasure", 204},
		}},
		{"the short name moves every default path and name", resource.Of[spec.DragonTreasure]{
			ShortName:       "Treasure",
			ExtraProperties: map[string]any{"standard_put": true},
		}, [][4]any{
			{"GET", "/api/treasures/{id}", "getTreasure", 200},
			{"GET", "/api/treasures", "listTreasures", 200},
			{"POST", "/api/treasures", "createTreasure", 201},
			{"PUT", "/api/treasures/{id}", "replaceTreasure", 200},
			{"PATCH", "/api/treasures/{id}", "patchTreasure", 200},
			{"DELETE", "/api/treasures/{id}", "deleteTreasure", 204},
		}},
		{"a template moves its operation alone", resource.Of[spec.DragonTreasure]{
			ShortName: "Treasure",
			Operations: []operation.Operation{
				operation.Get{URITemplate: "/dragon-plunder/{id}"},
				operation.GetCollection{URITemplate: "/dragon-plunder"},
				operation.Post{},
			},
		}, [][4]any{
			{"GET", "/api/dragon-plunder/{id}", "getTreasure", 200},
			{"GET", "/api/dragon-plunder", "listTreasures", 200},
			{"POST", "/api/treasures", "createTreasure", 201},
		}},
		{"several of one kind, and custom ones", resource.Of[spec.DragonTreasure]{
			Operations: append(operation.Standard()[:1],
				operation.Get{Name: "peek", URITemplate: "/peek/{id}{._format}"},
				operation.Post{Name: "import", URITemplate: "/imports", Status: 202},
				spec.DiscountTreasure()),
		}, [][4]any{
			{"GET", "/api/dragon_treasures/{id}", "getDragonTreasure", 200},
			{"GET", "/api/peek/{id}", "peekDragonTreasure", 200},
			{"POST", "/api/imports", "importDragonTreasure", 202},
			{"POST", "/api/treasures/{id}/discount", "discountDragonTreasure", 200},
		}},
		{"an identifier of the client's", resource.Of[spec.Programmer]{
			Operations: []operation.Operation{operation.Get{}, &operation.Put{}},
		}, [][4]any{
			{"GET", "/api/programmers/{nickname}", "getProgrammer", 200},
			{"PUT", "/api/programmers/{nickname}", "updateProgrammer", 200},
		}},
		{"a pointer to a declaration", &resource.Of[spec.DragonTreasure]{
			Operations: []operation.Operation{operation.GetCollection{}},
		}, [][4]any{{"GET", "/api/dragon_treasures", "listDragonTreasures", 200}}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, routesOf(t, test.declaration)); diff != "" {
				t.Errorf("the routes differ (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLinksFollowTheFirstGet(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.DragonTreasure]{
		Operations: []operation.Operation{
			operation.Post{}, operation.Get{URITemplate: "/dragon-plunder/{id}"}, operation.Get{Name: "other"},
		},
	})
	c.Send("POST /api/dragon_treasures", spec.Slinky).HasStatus(201).Has("Location", "/api/dragon-plunder/1")
	c.Send("GET /api/dragon-plunder/1", "").HasStatus(200)
	c.Send("GET /api/dragon_treasures/1", "").HasStatus(200)
}

func TestNewCopiesTheDeclaration(t *testing.T) {
	t.Parallel()
	declaration := resource.Of[spec.DragonTreasure]{Operations: operation.Standard()}
	c := spec.NewClient(t, resource.Config{}, &declaration)
	declaration.Operations[0], declaration.ShortName = nil, "Other"
	c.Send("POST /api/dragon_treasures", spec.Slinky).HasStatus(201).Has("Location", "/api/dragon_treasures/1")
}

func TestTwoAPIsShareNothing(t *testing.T) {
	t.Parallel()
	declaration := resource.Of[spec.DragonTreasure]{}
	one, two := spec.NewClient(t, resource.Config{}, declaration), spec.NewClient(t, resource.Config{}, declaration)
	one.Send("POST /api/dragon_treasures", spec.Slinky).HasStatus(201)
	two.Send("GET /api/dragon_treasures", "").Is(200, `[]`)
}

func TestOperationsInheritWhatTheyDoNotSet(t *testing.T) {
	t.Parallel()
	gone := time.Date(2030, time.January, 1, 0, 0, 0, 0, time.UTC)
	count := 0
	counted := operation.Process(func(ctx context.Context, _ *operation.Request, p *spec.Programmer, save operation.Save[spec.Programmer]) error {
		count++
		return save(ctx, p)
	})
	declared := resource.Of[spec.Programmer]{
		Store:               memory.New(spec.Programmer{Nickname: "ada"}, spec.Programmer{Nickname: "grace"}),
		RequirePrecondition: true, SparseFields: true, CacheControl: "no-store", Sunset: gone, Processor: counted,
		Order: []string{"-nickname"}, Pagination: operation.Pagination{ItemsPerPage: 1},
		Operations: []operation.Operation{
			operation.Get{},
			operation.GetCollection{},
			operation.Put{},
			operation.Get{Name: "plain", URITemplate: "/plain/{nickname}", CacheControl: "private"},
			operation.GetCollection{Name: "plainList", URITemplate: "/plain", Order: []string{"nickname"}},
		},
	}
	c := spec.NewClient(t, resource.Config{}, declared)
	c.Send("GET /api/programmers/ada?fields=nickname", "").Is(200, `{"nickname":"ada"}`).Has("Cache-Control", "no-store").Has("Sunset", "Tue, 01 Jan 2030 00:00:00 GMT")
	c.Send("GET /api/plain/ada?fields=nickname", "").HasStatus(200).Has("Cache-Control", "private").Has("Sunset", "Tue, 01 Jan 2030 00:00:00 GMT")
	c.Send("GET /api/programmers?fields=nickname", "").Is(200, `[{"nickname":"grace"}]`)
	c.Send("GET /api/plain?fields=nickname", "").Is(200, `[{"nickname":"ada"}]`)
	c.Send("PUT /api/programmers/ada", `{"nickname":"ada","avatarNumber":5}`).IsProblem(428)
	c.Send("PUT /api/programmers/ada", `{"nickname":"ada","avatarNumber":6}`, "If-Match", "*").HasStatus(200)
	if count != 1 {
		t.Errorf("the Processor ran %d times, want 1", count)
	}
}

func TestHooksAndHandlersReadExtraProperties(t *testing.T) {
	t.Parallel()
	extra := map[string]any{"tier": "gold", "limit": 7}
	var read []any
	note := func(req *operation.Request) {
		read = append(read, req.ExtraProperties["tier"], req.ExtraProperties["limit"])
	}
	handler := func(ctx context.Context, _ *spec.Programmer, _ struct{}) (struct{}, error) {
		req, _ := operation.RequestFrom(ctx)
		note(req)
		return struct{}{}, nil
	}
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.Programmer]{
		ExtraProperties: extra,
		Prepare: func(_ context.Context, req *operation.Request, _ *spec.Programmer) error {
			note(req)
			return nil
		},
		Operations: []operation.Operation{
			operation.Post{ExtraProperties: map[string]any{"limit": 9}},
			operation.Post{Name: "ring", URITemplate: "/ring", Handler: operation.Handle(handler)},
			operation.Get{},
		},
	})
	extra["tier"] = "changed later" // by the program, which New does not see
	c.Send("POST /api/programmers", `{"nickname":"ada"}`).HasStatus(201)
	c.Send("POST /api/ring", "").HasStatus(204)
	if want := []any{"gold", 9, "gold", 7}; len(read) != len(want) || read[0] != want[0] || read[1] != want[1] || read[2] != want[2] || read[3] != want[3] {
		t.Errorf("hooks read %v, want %v", read, want)
	}
}

type (
	refit struct {
		Reason string `json:"reason" validate:"notblank"`
	}
	fitted struct {
		Done bool `json:"done"`
	}
)

func TestHandlersOfOneTypeShareWhatIsCompiledOfIt(t *testing.T) {
	t.Parallel()
	handle := operation.Handle(func(context.Context, *spec.Vessel, refit) (fitted, error) { return fitted{true}, nil })
	back := operation.Handle(func(context.Context, *spec.Vessel, fitted) (refit, error) { return refit{}, nil })
	declare := func(name string) resource.Declaration {
		return resource.Of[spec.Vessel]{ShortName: name, Operations: []operation.Operation{
			operation.Post{Name: "refit", URITemplate: "/" + name + "/{id}/refit", Handler: handle},
			operation.Post{Name: "undo", URITemplate: "/" + name + "/{id}/undo", Handler: back},
		}}
	}
	api, err := resource.New(resource.Config{}, declare("Ship"), declare("Boat"))
	if err != nil {
		t.Fatal(err)
	}
	ship, boat := compiled.Of(api).Resources[0].Operations, compiled.Of(api).Resources[1].Operations
	for i := range ship {
		if ship[i].In != boat[i].In || ship[i].Out != boat[i].Out {
			t.Errorf("%s compiles its types anew", boat[i].ID)
		}
	}
	if !ship[0].In.View.Fields[0].Needed || ship[1].Out.View.Fields[0].Needed || ship[0].In.Codec != ship[1].Out.Codec {
		t.Error("an answer is marked by the rules of a body of its type")
	}
}

// Links change structs, so resources do not share them, even if they share a store.
func TestResourcesHaveStructsOfTheirOwn(t *testing.T) {
	t.Parallel()
	records := memory.New[spec.Vessel]()
	api, err := resource.New(resource.Config{},
		resource.Of[spec.Vessel]{ShortName: "Ship", Store: records},
		resource.Of[spec.Vessel]{ShortName: "Raft", Store: records},
	)
	if err != nil {
		t.Fatal(err)
	}
	again, err := resource.New(resource.Config{}, resource.Of[spec.Vessel]{ShortName: "Ship", Store: records})
	if err != nil {
		t.Fatal(err)
	}
	list := compiled.Of(api).Resources
	if list[0].Struct == list[1].Struct || list[0].Struct == compiled.Of(again).Resources[0].Struct {
		t.Error("two resources have one struct")
	}
}

type (
	// clerk signs files, and robot is another principal.
	clerk struct{ Name string }
	robot struct{ Model string }
	file  struct {
		ID    int64  `json:"id"`
		Owner string `json:"owner" api:"readonly"`
		Note  string `json:"note" api:"readonly"`
	}
)

func (c *clerk) String() string { return c.Name }

// bearer returns a scheme whose token is the name of the principal.
func bearer[P any](name string, of func(token string) P) access.Scheme {
	return access.Bearer(name, func(_ context.Context, token string) (P, access.Scopes, error) {
		return of(token), access.Unlimited, nil
	})
}

func clerks() access.Scheme {
	return bearer("clerks", func(token string) *clerk { return &clerk{token} })
}

func TestAStampForPrincipalsThatNoSchemeProvidesIsAnErrorOfNew(t *testing.T) {
	t.Parallel()
	robots := access.APIKey("robots", "X-Robot", func(context.Context, string) (robot, access.Scopes, error) { return robot{}, nil, nil })
	try := func(stamp operation.Stamper[file], schemes ...access.Scheme) error {
		_, err := resource.New(resource.Config{Authentication: schemes}, resource.Of[file]{Stamp: stamp, Access: spec.Open()})
		return err
	}
	byValue := operation.Stamp(func(c clerk, f *file) { f.Owner = c.Name })
	spec.WantLine(t, try(byValue, clerks()), `File: Stamp is for principals of type declarations_test.clerk, which no scheme returns; `+
		`allowed: *declarations_test.clerk; did you mean "*declarations_test.clerk"?`)
	spec.WantLine(t, try(operation.Stamp(func(string, *file) {}), clerks(), robots), `allowed: *declarations_test.clerk, declarations_test.robot`)
	spec.WantLine(t, try(operation.Stamp[*clerk, file](nil), clerks()), "File: the function of Stamp is nil")
	for name, err := range map[string]error{
		"the type of the scheme":          try(operation.Stamp(func(*clerk, *file) {}), clerks()),
		"the type of another scheme":      try(operation.Stamp(func(robot, *file) {}), clerks(), robots),
		"an interface of the principals":  try(operation.Stamp(func(fmt.Stringer, *file) {}), clerks()),
		"a scheme of any principal":       try(byValue, bearer("any", func(token string) any { return token })),
		"principals that middleware sets": try(byValue),
		"no stamp":                        try(nil, clerks()),
	} {
		if err != nil {
			t.Errorf("%s: New returns %v", name, err)
		}
	}
}

func TestARuleForAnotherPrincipalSuggestsTheTypeOfTheScheme(t *testing.T) {
	t.Parallel()
	rule := access.If("clerk", func(clerk) bool { return true })
	_, err := resource.New(resource.Config{Authentication: []access.Scheme{clerks()}},
		resource.Of[file]{Access: access.Rules{Read: rule, Create: access.Public, Update: access.Public, Delete: access.Public}})
	spec.WantLine(t, err, `the rule "clerk" is for principals of type declarations_test.clerk`, `did you mean "*declarations_test.clerk"?`)
}

func TestAStampRunsBeforePrepareAndOnlyForNewRecords(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{clerks()}}, resource.Of[file]{
		Access: spec.Open(),
		Stamp:  operation.Stamp(func(c *clerk, f *file) { f.Owner = c.Name }),
		Prepare: func(_ context.Context, _ *operation.Request, f *file) error {
			f.Note = "of " + f.Owner
			return nil
		},
	})
	c.Send("POST /api/files", "{}", "Authorization", "Bearer ann").Is(http.StatusCreated, `{"id":1,"owner":"ann","note":"of ann"}`)
	c.Send("PATCH /api/files/1", "{}", "Authorization", "Bearer bob").Is(http.StatusOK, `{"id":1,"owner":"ann","note":"of ann"}`)
	c.Send("POST /api/files", "{}").Is(http.StatusCreated, `{"id":2,"owner":"","note":"of "}`)
}

// Mood is an enumeration of tests about missing rules.
type Mood string

func TestOneRuleWithoutASchemeNeedsARuleForEveryOperation(t *testing.T) {
	t.Parallel()
	_, err := resource.New(resource.Config{}, resource.Of[spec.Pennant]{Access: access.Rules{Read: access.Authenticated}})
	spec.WantLine(t, err, "Pennant: no access rule for createPennant (Post), updatePennant (Put), patchPennant (Patch), deletePennant (Delete), which every operation needs because resource Pennant has an access rule; set Access.Create, Access.Update, Access.Delete of the resource, or Access of the operation; access.Public allows everyone",
		"no access rule for createPennant (Post), updatePennant (Put), patchPennant (Patch), deletePennant (Delete), which every operation needs because resource Pennant has an access rule; set Access.Create, Access.Update, Access.Delete of the resource, or Access of the operation; access.Public allows everyone")
}

func TestARuleAnywhereNeedsARuleForEveryOtherResource(t *testing.T) {
	t.Parallel()
	all := access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public}
	members := access.Rules{Fields: map[string]access.Field{"name": {Write: spec.IsAdmin}}}
	run := func(context.Context, *spec.Hoard, struct{}) (struct{}, error) { return struct{}{}, nil }
	for name, test := range map[string]struct {
		declared resource.Declaration
		lines    int
	}{
		"a rule of a resource":             {resource.Of[spec.Hoard]{Access: all}, 1},
		"a rule of a single field":         {resource.Of[spec.Hoard]{Access: members}, 2},
		"a rule of an operation":           {resource.Of[spec.Hoard]{Operations: []operation.Operation{operation.Get{Access: spec.IsAdmin}}}, 1},
		"a rule of a handler":              {resource.Of[spec.Hoard]{Operations: []operation.Operation{operation.Post{Name: "x", URITemplate: "/x", Handler: operation.Handle(run), Access: access.Public}}}, 1},
		"a rule of an enumeration":         {resource.Enum[Mood]{Values: []Mood{"calm"}, Access: access.Rules{Read: access.Public}}, 1},
		"a rule of a resource with errors": {resource.Of[spec.Hoard]{Path: "no slash", Access: all}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, order := range [][]resource.Declaration{{test.declared, resource.Of[spec.Pennant]{}}, {resource.Of[spec.Pennant]{}, test.declared}} {
				_, err := resource.New(resource.Config{}, order...)
				if err == nil || !strings.Contains(err.Error(), "Pennant: no access rule for getPennant (Get), listPennants (GetCollection), createPennant (Post)") {
					t.Fatalf("New returns %v, want an error about Pennant", err)
				}
				if lines := strings.Count(err.Error(), "\n") + 1; lines != test.lines+min(test.lines-1, 1) {
					t.Errorf("New returns %d lines, want %d: %v", lines, test.lines, err)
				}
			}
		})
	}
}

func TestAnEnumerationNeedsARuleLikeEveryResource(t *testing.T) {
	t.Parallel()
	open := access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public}
	moods := resource.Enum[Mood]{Values: []Mood{"calm"}}
	_, err := resource.New(resource.Config{}, resource.Of[spec.Pennant]{Access: open}, moods)
	spec.WantLine(t, err, "Mood: no access rule for getMood (Get), listMoods (GetCollection), which every operation needs because resource Pennant has an access rule; set Access.Read of the resource, or Access of the operation; access.Public allows everyone", "set Access.Read of the resource")
	moods.Access.Read = access.Public
	if _, err := resource.New(resource.Config{}, resource.Of[spec.Pennant]{Access: open}, moods); err != nil {
		t.Error(err)
	}
}

func TestAnAPIWithoutRulesAndSchemesIsOpen(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.Pennant]{})
	if got := c.Send("POST /api/pennants", `{"color":"red"}`); got.Status != 201 {
		t.Errorf("a Post returns %d, want 201", got.Status)
	}
}

func TestSaveOfACreateOfNeedsARuleWithoutASchemeToo(t *testing.T) {
	t.Parallel()
	run := func(_ context.Context, _ *spec.Hoard, _ []operation.PatchOf[spec.Pennant]) (struct{}, error) {
		return struct{}{}, nil
	}
	_, err := resource.New(resource.Config{},
		resource.Of[spec.Pennant]{Access: access.Rules{Read: access.Public}, Operations: []operation.Operation{operation.Get{}}},
		resource.Of[spec.Hoard]{Operations: []operation.Operation{
			operation.Post{Name: "x", URITemplate: "/x", Handler: operation.Handle(run), Access: access.Public},
		}})
	spec.WantLine(t, err, "xHoard: operation.PatchOf needs an access rule to change records of Pennant, because resource Pennant has an access rule; set Access.Update of that resource", "set Access.Update of that resource")
}
