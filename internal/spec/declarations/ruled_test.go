package declarations_test

import (
	"context"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

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
