package formats_test

import (
	"errors"
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

func TestAFormatChecksTypes(t *testing.T) {
	t.Parallel()
	var told []*format.Type
	planned := format.Format{MediaType: asCard, For: func(of *format.Type) (format.Format, error) {
		told = append(told, of)
		f := card()
		return f, nil
	}}
	c := spec.NewClient(t, resource.Config{Formats: append(format.Standard(), planned)}, resource.Of[spec.DragonTreasure]{})
	c.Send("POST /api/dragon_treasures", "name: \"ring\"\n", "Content-Type", asCard, "Accept", asCard).HasStatus(201).Mentions("# DragonTreasure 1")
	c.Send("GET /api/dragon_treasures", "", "Accept", asCard).HasStatus(200).Mentions("== 1 of")
	answers := 0
	for _, of := range told {
		if of.Name != "DragonTreasure" || of.Kind != format.Object || len(of.Fields) != 7 {
			t.Fatalf("the type is %+v", of)
		}
		if !of.Request {
			answers++
		}
		for i, want := range []format.TypeField{
			{Name: "id", Type: &format.Type{Kind: format.Integer}, Readable: true},
			{Name: "name", Type: &format.Type{Kind: format.Text}, Readable: true, Writable: true},
			{Name: "description", Type: &format.Type{Kind: format.Text, Nullable: true}, Readable: true, Writable: true},
		} {
			got := of.Fields[i]
			if got.Name != want.Name || got.Type.Kind != want.Type.Kind || got.Type.Nullable != want.Type.Nullable || got.Readable != want.Readable || got.Writable != want.Writable {
				t.Errorf("a member is %+v, want %+v", got, want)
			}
		}
	}
	if answers != 1 {
		t.Errorf("%d of %d types are of answers, want one for all operations", answers, len(told))
	}
}

func TestAFormatRejectsAType(t *testing.T) {
	t.Parallel()
	planned := format.Format{MediaType: asCard, For: func(*format.Type) (format.Format, error) { return format.Format{}, errors.New("it is too wide") }}
	_, err := resource.New(resource.Config{Formats: append(format.Standard(), planned)}, resource.Of[spec.DragonTreasure]{})
	spec.WantLine(t, err, "DragonTreasure: format text/x-card: it is too wide") // and not a line for each operation
}

func TestAFormatRejectsTheTypeOfOneOperation(t *testing.T) {
	t.Parallel()
	planned := format.Format{MediaType: asCard, For: func(*format.Type) (format.Format, error) { return format.Format{}, errors.New("it is too wide") }}
	_, err := resource.New(resource.Config{Formats: append(format.Standard(), planned)}, resource.Of[spec.DragonTreasure]{
		Operations: []operation.Operation{operation.Get{}},
	})
	spec.WantLine(t, err, "DragonTreasure: operation 1 (Get): format text/x-card: it is too wide")
}
