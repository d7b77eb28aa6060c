package openapi

import (
	"context"
	"testing"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/describe"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

type lamp struct {
	ID    int64  `json:"id"`
	Bulbs []bulb `json:"bulbs"`
}

type bulb struct {
	Watts int `json:"watts"`
}

type plug struct {
	ID int64 `json:"id"`
}

type socket struct {
	ID   int64 `json:"id"`
	Lamp lamp  `json:"lamp"`
}

// act is an operation with its own body and response.
func act[Record, In, Out any](name string) []operation.Operation {
	return []operation.Operation{operation.Get{}, operation.Post{Name: name, URITemplate: "/" + name, Handler: operation.Handle(
		func(context.Context, *Record, In) (out Out, err error) { return out, nil },
	)}}
}

func TestNamesOfSchemasAreApart(t *testing.T) {
	t.Parallel()
	type bulbPatch struct{ A int }
	type problem struct{ A int }
	tests := map[string]struct {
		declarations []resource.Declaration
		distinct     bool
	}{
		"of resources and their parts":                  {[]resource.Declaration{resource.Of[lamp]{}}, true},
		"of bodies and answers":                         {[]resource.Declaration{resource.Of[lamp]{Operations: act[lamp, bulb, []bulb]("light")}}, true},
		"of an answer that is a resource":               {[]resource.Declaration{resource.Of[lamp]{Operations: act[lamp, bulb, *lamp]("light")}}, true},
		"of resources of one struct":                    {[]resource.Declaration{resource.Of[lamp]{}, resource.Of[lamp]{ShortName: "Torch"}}, true},
		"of a body that is the resource":                {[]resource.Declaration{resource.Of[lamp]{Operations: act[lamp, lamp, bulb]("light")}}, true},
		"but not of a body that is another resource":    {[]resource.Declaration{resource.Of[lamp]{}, resource.Of[plug]{Operations: act[plug, lamp, bulb]("light")}}, false},
		"nor of a resource inside of another":           {[]resource.Declaration{resource.Of[lamp]{}, resource.Of[socket]{}}, false},
		"nor of a struct without a name":                {[]resource.Declaration{resource.Of[lamp]{Operations: act[lamp, struct{ A bulb }, bulb]("light")}}, false},
		"nor of a type called as a resource":            {[]resource.Declaration{resource.Of[lamp]{ShortName: "Bulb"}}, false},
		"nor of one called as another's part":           {[]resource.Declaration{resource.Of[lamp]{Operations: act[lamp, bulb, bulbPatch]("light")}}, false},
		"nor of a resource called as another's part":    {[]resource.Declaration{resource.Of[lamp]{}, resource.Of[lamp]{ShortName: "LampSparse"}}, false},
		"nor of a type called as one of the document's": {[]resource.Declaration{resource.Of[lamp]{Operations: act[lamp, bulb, problem]("light")}}, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api, err := resource.New(resource.Config{}, test.declarations...)
			if err != nil {
				t.Fatal(err)
			}
			names, distinct := describe.PossibleNames(compiled.Of(api))
			if distinct != test.distinct {
				t.Errorf("the names are distinct: %v, want %v", distinct, test.distinct)
			}
			b, err := newBuilder(api, Config{})
			if err != nil {
				t.Fatal(err)
			}
			doc, _, err := b.document()
			if err != nil {
				t.Fatal(err)
			}
			components := doc.get("components").(object)
			schemas := components.get("schemas").(object)
			for _, m := range schemas {
				name := m.name
				if names[name] == nil && distinct {
					t.Errorf("the schema %s is not among those that may be", name)
				}
			}
		})
	}
}
