package declarations_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
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
