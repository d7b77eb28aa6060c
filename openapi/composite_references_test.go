package openapi_test

import (
	"testing"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// BerthKey refers to a berth.
type BerthKey struct {
	PortID int64  `json:"port"`
	Label  string `json:"label"`
}

// Mooring is a ship's at a berth, and where it goes next.
type Mooring struct {
	ID    int64      `json:"id"`
	Ship  string     `json:"ship" validate:"notblank,max=20" api:"filter"`
	Berth BerthKey   `json:"berth" api:"ref=Berth,expand,filter,through=depth"`
	Next  *BerthKey  `json:"next" api:"ref=Berth,expand,filter=exact|exists,ondelete=null"`
	Log   []BerthKey `json:"log" validate:"max=5" api:"ref=Berth,expand,filter,through=port"`
}

// newMoorings returns declarations with references to berths of each form.
func newMoorings() []resource.Declaration {
	deep := berths
	deep.Inverse = map[string]string{"moorings": "Mooring.berth"}
	return []resource.Declaration{deep, resource.Of[Port]{}, resource.Of[Mooring]{Operations: append(operation.Standard(),
		operation.GetCollection{URITemplate: "/berths/{berth}/moorings"}, operation.Post{URITemplate: "/berths/{berth}/moorings"},
		operation.Get{Name: "whole", URITemplate: "/whole/{id}", Expand: []string{"berth", "log"}},
		operation.Put{URITemplate: "/moorings/{id}/log/{log}"}, operation.Delete{URITemplate: "/moorings/{id}/log/{log}"},
		operation.GetCollection{Name: "visitors", URITemplate: "/berths/{log}/visitors"},
	)}}
}

func TestTheSchemaOfAReferenceOfSeveralParts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		config          resource.Config
		format, pattern string
	}{
		{resource.Config{}, "iri-reference", `^/api/berths/(0|-?[1-9][0-9]*);[^/?#;]+$`},
		{resource.Config{References: resource.Identifiers}, "", `^(0|-?[1-9][0-9]*);[^/?#;]+$`},
	} {
		doc, err := openapi.Document(newAPI(t, configuration{config: test.config, declarations: newMoorings()}), openapi.Config{Title: "Port", Version: "1"})
		if err != nil {
			t.Fatal(err)
		}
		of := doc.Components.Schemas["Mooring"].Value.Properties["berth"].Value
		if !of.Type.Is("string") || of.Format != test.format || of.Pattern != test.pattern {
			t.Errorf("the schema is %v, %q, %q", of.Type, of.Format, of.Pattern)
		}
		list := doc.Components.Schemas["Mooring"].Value.Properties["log"].Value
		if one := list.Items.Value; !list.Type.Is("array") || !list.UniqueItems || *list.MaxItems != 5 || one.Format != test.format || one.Pattern != test.pattern {
			t.Errorf("the schema of the list is %+v of %+v", list, one)
		}
		filter := doc.Paths.Value("/api/moorings").Get.Parameters.GetByInAndName("query", "log").Schema.Value.Items.Value
		if filter.Format != test.format || filter.Pattern != test.pattern {
			t.Errorf("the filter is %+v", filter)
		}
		parent := doc.Paths.Value("/api/berths/{berth}/moorings").Get.Parameters[0].Value
		if !parent.Schema.Value.Type.Is("string") || parent.Example == nil {
			t.Errorf("the variable is %v with the example %v", parent.Schema.Value.Type, parent.Example)
		}
	}
}
