package openapi_test

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// generatedViews returns an API with generated views, many of which have the same fields.
func generatedViews(random *rand.Rand) configuration {
	made := viewed()
	names := []string{"id", "name", "serial", "quay", "tags", "worth"}
	var operations []operation.Operation
	views := map[string]*operation.View{}
	for i := range 12 {
		var members []string
		for _, name := range names {
			if random.IntN(2) == 0 {
				members = append(members, name)
			}
		}
		if members == nil {
			members = []string{"id"}
		}
		view := &operation.View{Name: "Barge" + string(rune('A'+i)), Fields: members}
		if i > 0 && random.IntN(3) == 0 { // the view of another operation, by name or by the same pointer
			other := views["Barge"+string(rune('A'+random.IntN(i)))]
			if view = other; random.IntN(2) == 0 {
				view = &operation.View{Name: other.Name, Fields: slices.Clone(other.Fields)}
			}
		}
		views["Barge"+string(rune('A'+i))] = view
		name := "view" + string(rune('A'+i))
		operations = append(operations, operation.Get{Name: name, URITemplate: "/" + name + "/{id}", View: view, SparseFields: random.IntN(2) == 0})
	}
	for i, declared := range made.declarations {
		if barges, ok := declared.(resource.Of[Barge]); ok {
			barges.Operations = append(slices.Clone(barges.Operations), operations...)
			made.declarations[i] = barges
		}
	}
	return made
}

// ownName is the name of a view of the user's, who may call equal views by two names.
var ownName = regexp.MustCompile(`^Barge([A-L]|Card)(Sparse)?(\..*)?$`)

// schemasOf returns the components of a document, in either form.
func schemasOf(t *testing.T, c configuration, form string) map[string]any {
	t.Helper()
	api := newAPI(t, c)
	if err := openapi.Mount(api, openapi.Config{}); err != nil {
		t.Fatal(err)
	}
	var read struct {
		Components struct {
			Schemas map[string]any `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(get(t, api, "/api/docs.json"+form).Body.Bytes(), &read); err != nil {
		t.Fatal(err)
	}
	return read.Components.Schemas
}

func TestEqualViewsHaveOneSchemaOfAStableName(t *testing.T) {
	t.Parallel()
	seeds := uint64(8)
	if testing.Short() {
		seeds = 2
	}
	for seed := range seeds {
		generate := func() configuration { return generatedViews(rand.New(rand.NewPCG(seed, 1))) }
		for _, form := range []string{"", "?version=3.0"} {
			schemas := schemasOf(t, generate(), form)
			names := slices.Sorted(maps.Keys(schemas))
			again := generate()
			slices.Reverse(again.declarations)
			if diff := cmp.Diff(names, slices.Sorted(maps.Keys(schemasOf(t, again, form)))); diff != "" {
				t.Errorf("%d%s: the names depend on the order of the declarations:\n%s", seed, form, diff)
			}
			for i, one := range names {
				for _, other := range names[i+1:] {
					if (!ownName.MatchString(one) || !ownName.MatchString(other)) && cmp.Equal(schemas[one], schemas[other]) {
						t.Errorf("%d%s: %s and %s are one schema twice", seed, form, one, other)
					}
				}
			}
		}
	}
}
