package openapi_test

import (
	"context"
	"encoding/json"
	"image"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/mcp"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// schemaNames returns the names of a document's schemas, the document's own left out.
func schemaNames(t *testing.T, declarations ...resource.Declaration) []string {
	t.Helper()
	schemas := documentOf(t, mounted(t, declarations...)).at(t, "components", "schemas").(map[string]any)
	own := []string{"Problem", "ParameterProblem", "ConflictProblem", "ValidationError", "ValidationProblem"}
	return slices.DeleteFunc(slices.Sorted(maps.Keys(schemas)), func(name string) bool {
		return slices.Contains(own, name) || strings.HasSuffix(name, "Filter") // of trees of conditions
	})
}

// Point has the name of a type of package image.
type Point struct {
	Label string `json:"label"`
}

// Map has both.
type Map struct {
	ID     int64       `json:"id"`
	Own    Point       `json:"own"`
	Theirs image.Point `json:"theirs"`
}

// Pin holds a resource's struct.
type Pin struct {
	ID int64    `json:"id"`
	At Category `json:"at"`
}

// Meta is a body and a response.
type Meta struct {
	Text string `json:"text" validate:"required"`
}

// MetaCreate has the name that the schema of Meta in requests has.
type MetaCreate struct {
	Count int `json:"count"`
}

// Größe has a name beyond ASCII.
type Größe struct { //nolint:asciicheck // users may
	Meter float64 `json:"meter"`
}

func only(operations ...operation.Operation) []operation.Operation { return operations }

func body[In, Out any](name string) operation.Operation {
	return operation.Post{Name: name, URITemplate: "/" + name, Handler: operation.Handle(
		func(context.Context, *Category, In) (out Out, err error) { return out, nil },
	)}
}

func TestSchemaNames(t *testing.T) {
	t.Parallel()
	type none = struct{}
	tests := map[string]struct {
		declarations []resource.Declaration
		want         []string
	}{
		"the parts that a resource plays": {
			[]resource.Declaration{resource.Of[DragonTreasure]{}},
			[]string{"DragonTreasure", "DragonTreasureCreate", "DragonTreasurePatch"},
		},
		"a replacement has a schema where it differs": {
			[]resource.Declaration{resource.Of[Programmer]{ExtraProperties: map[string]any{"standard_put": true}}},
			[]string{"Programmer", "ProgrammerCreate", "ProgrammerPatch", "ProgrammerUpdate"},
		},
		"names follow the short name": {
			[]resource.Declaration{resource.Of[DragonTreasure]{ShortName: "Treasure", Operations: only(operation.Post{})}},
			[]string{"Treasure", "TreasureCreate"},
		},
		"two resources of one struct have their own": {
			[]resource.Declaration{
				resource.Of[DragonTreasure]{Operations: only(operation.Get{})},
				resource.Of[DragonTreasure]{ShortName: "Hoard", Operations: only(operation.Get{})},
			},
			[]string{"DragonTreasure", "Hoard"},
		},
		"types of one name have their packages before it": {
			[]resource.Declaration{resource.Of[Map]{Operations: only(operation.Post{})}},
			[]string{"ImagePoint", "ImagePointCreate", "Map", "MapCreate", "OpenapiTestPoint", "OpenapiTestPointCreate"},
		},
		"a resource inside of a body is a type of its own there": {
			[]resource.Declaration{resource.Of[Category]{Operations: only(operation.Post{})}, resource.Of[Pin]{Operations: only(operation.Post{})}},
			[]string{"Category", "CategoryCreate", "OpenapiTestCategoryCreate", "Pin", "PinCreate"},
		},
		"the body of an operation has no suffix": {
			[]resource.Declaration{resource.Of[Category]{Operations: only(body[Discount, none]("a"))}},
			[]string{"Discount"},
		},
		"unless its type is an answer too": {
			[]resource.Declaration{resource.Of[Category]{Operations: only(body[Discount, Discount]("a"))}},
			[]string{"Discount", "DiscountCreate"},
		},
		"generic types read from the inside out": {
			[]resource.Declaration{resource.Of[Category]{Operations: only(
				body[none, Page[Discount]]("a"), body[none, Page[string]]("b"), body[none, Page[Page[*Receipt]]]("c"),
			)}},
			[]string{"Discount", "DiscountPage", "Receipt", "ReceiptPage", "ReceiptPagePage", "StringPage"},
		},
		"packages, pointers and lists are words where the plain name is taken": {
			[]resource.Declaration{resource.Of[Category]{Operations: only(
				body[none, Page[Discount]]("a"), body[none, Page[*Discount]]("b"), body[none, Page[[]Discount]]("c"), body[none, Page[map[string]*Discount]]("d"),
			)}},
			[]string{
				"Discount", "DiscountMapPage", "OpenapiTestListOpenapiTestDiscountPage", "OpenapiTestOpenapiTestDiscountPage",
				"OpenapiTestPointerOpenapiTestDiscountPage",
			},
		},
		"a pointer alone is no word": {
			[]resource.Declaration{resource.Of[Category]{Operations: only(body[none, Page[*Discount]]("b"))}},
			[]string{"Discount", "DiscountPage"},
		},
		"arguments of two packages have the names of both": {
			[]resource.Declaration{resource.Of[Category]{Operations: only(
				body[none, Page[Point]]("a"), body[none, Page[image.Point]]("b"), body[none, Page[*Point]]("c"),
			)}},
			[]string{
				"ImagePoint", "OpenapiTestImagePointPage", "OpenapiTestOpenapiTestPointPage", "OpenapiTestPoint", "OpenapiTestPointerOpenapiTestPointPage",
			},
		},
		"a type with the name of another one's request gives way": {
			[]resource.Declaration{resource.Of[Category]{Operations: only(body[Meta, Meta]("a"), body[none, MetaCreate]("b"))}},
			[]string{"Meta", "MetaCreate", "OpenapiTestMetaCreate"},
		},
		"a type with the name of a resource's request gives way": {
			[]resource.Declaration{resource.Of[Category]{ShortName: "Meta", Operations: only(operation.Post{}, body[none, MetaCreate]("b"))}},
			[]string{"Meta", "MetaCreate", "OpenapiTestMetaCreate"},
		},
		"types without a name are called by the operation": {
			[]resource.Declaration{resource.Of[Category]{Operations: only(body[struct{ A int }, struct{ B []struct{ C int } }]("do"))}},
			[]string{"DoCategoryRequest", "DoCategoryResponse", "DoCategoryResponseB"},
		},
		"letters beyond ASCII are written as their code": {
			[]resource.Declaration{resource.Of[Category]{Operations: only(body[none, Größe]("a"))}},
			[]string{"GrUF6UDFe"},
		},
		"a resource keeps its name from the document's own": {
			[]resource.Declaration{resource.Of[Category]{ShortName: "Problem", Operations: only(operation.Get{})}},
			[]string{"Problem2"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, schemaNames(t, test.declarations...)); diff != "" {
				t.Errorf("names differ (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLocalTypesHaveTheirPlainName(t *testing.T) {
	t.Parallel()
	type Local struct{ A int }
	names := schemaNames(t, resource.Of[Category]{Operations: only(body[struct{}, Page[Local]]("a"))})
	if diff := cmp.Diff([]string{"Local", "LocalPage"}, names); diff != "" {
		t.Errorf("names differ (-want +got):\n%s", diff)
	}
}

func TestTypesThatEvenTheirPackagesDoNotDistinguishHaveNumbers(t *testing.T) {
	t.Parallel()
	type Spot struct{ A int }
	names := schemaNames(t, resource.Of[Category]{Operations: only(body[struct{}, []Spot]("first"), otherSpot())})
	want := []string{"GithubComTroveApiTroveOpenapiTestSpot", "GithubComTroveApiTroveOpenapiTestSpot2"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("names differ (-want +got):\n%s", diff)
	}
}

func TestNamesThatTwoSchemasWouldHaveAreErrors(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		declarations []resource.Declaration
		want         string
	}{
		"of two resources": {
			[]resource.Declaration{
				resource.Of[Category]{ShortName: "Book", Operations: only(operation.Post{})},
				resource.Of[Category]{ShortName: "BookCreate", Operations: only(operation.Get{})},
			},
			"openapi: resource Book and resource BookCreate would have the same schema name BookCreate; set ShortName of one",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := openapi.Document(newAPI(t, configuration{declarations: test.declarations}), openapi.Config{})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("the error is %v, want %s", err, test.want)
			}
		})
	}
}

func otherSpot() operation.Operation {
	type Spot struct{ B int }
	return body[struct{}, Spot]("second")
}

func sortedKeys(object map[string]any) []string { return slices.Sorted(maps.Keys(object)) }

func TestNamesAreDistinctForAgentsAndLinkedDataToo(t *testing.T) {
	t.Parallel()
	api := declared(t, resource.Config{Formats: append(format.Standard(), jsonld.Format)}, resource.Of[Category]{Operations: only(
		body[Meta, Meta]("a"), body[struct{}, MetaCreate]("b"), body[struct{}, Page[Meta]]("c"), body[struct{}, Page[*Meta]]("d"),
	)})
	if err := mcp.Mount(api, mcp.Config{}); err != nil {
		t.Error(err)
	}
	document := documented(t, api, openapi.Config{})
	for _, name := range []string{"Meta", "MetaCreate", "OpenapiTestOpenapiTestMetaPage", "OpenapiTestPointerOpenapiTestMetaPage", "OpenapiTestMetaCreate"} {
		if document.Components.Schemas[name] == nil || document.Components.Schemas[name+".jsonld"] == nil && name != "MetaCreate" {
			t.Errorf("%s or its form in JSON-LD is missing in %v", name, slices.Sorted(maps.Keys(document.Components.Schemas)))
		}
	}
}

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
