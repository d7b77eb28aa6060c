package relations_test

import (
	"context"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// Spy is a record that is hidden unless open.
type Spy struct {
	ID   int64 `json:"id"`
	Open bool  `json:"open"`
}

type Dossier struct {
	Spy *int64 `json:"spy" api:"ref=Spy"`
}

// Codebook refers to spies in fields that its writers cannot see.
type Codebook struct {
	ID      int64   `json:"id"`
	Auditor *int64  `json:"auditor" api:"ref=Spy"`
	Spies   []int64 `json:"spies" validate:"max=5" api:"ref=Spy"`
	Dossier Dossier `json:"dossier"`
	Handler *int64  `json:"handler" api:"writeonly,ref=Spy"`
	Known   *int64  `json:"known" api:"ref=Spy"`
}

// saveEach saves the codebooks of a bulk update.
func saveEach(ctx context.Context, _ *Codebook, in []operation.PatchOf[Codebook]) (struct{}, error) {
	for _, each := range in {
		if _, err := each.Save(ctx); err != nil {
			return struct{}{}, err
		}
	}
	return struct{}{}, nil
}

// newCodebook returns an API with a codebook all of whose hidden fields refer to a spy. Spies 1 and 2 are hidden, spy 3
// is not.
func newCodebook(t *testing.T, spy int64) spec.Client {
	t.Helper()
	hidden := access.Field{Read: spec.IsAdmin}
	api := func(operations []operation.Operation, kept Codebook) resource.Of[Codebook] {
		return resource.Of[Codebook]{Store: memory.New(kept), Operations: operations, Access: access.Rules{
			Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public,
			Fields: map[string]access.Field{"auditor": hidden, "spies": hidden, "dossier": hidden},
		}}
	}
	return spec.NewClient(t, resource.Config{Authentication: []access.Scheme{spec.Bearer()}, Formats: append(format.Standard(), jsonapi.Format)},
		resource.Of[Spy]{
			Store: memory.New(Spy{}, Spy{}, Spy{Open: true}), Operations: []operation.Operation{operation.Get{}},
			Access: access.Rules{Read: access.Any(access.Where("open", true), spec.IsAdmin)},
		},
		api(append(operation.Standard(),
			operation.Put{URITemplate: "/codebooks/{id}/spies/{spies}"}, operation.Delete{URITemplate: "/codebooks/{id}/spies/{spies}"},
			operation.Patch{Name: "change", URITemplate: "/codebooks", Handler: operation.Handle(saveEach), Access: access.Public},
		), Codebook{Auditor: &spy, Spies: []int64{spy}, Dossier: Dossier{Spy: &spy}, Handler: &spy, Known: new(int64(1))}))
}

// A body may repeat a stored reference to a hidden record, so that clients can send back what they read. In a hidden
// field it must be rejected: otherwise a caller could find the stored reference by trying paths.
func TestAcceptedValuesDoNotDiscloseHiddenReferences(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule, request, body string
		status              int
	}{
		{"a reference in a patch", "PATCH /api/codebooks/1", `{"auditor":"/api/spies/1"}`, 400},
		{"a reference in a Put", "PUT /api/codebooks/1", `{"auditor":"/api/spies/1"}`, 400},
		{"a list", "PATCH /api/codebooks/1", `{"spies":["/api/spies/1"]}`, 400},
		{"a list with one that is seen", "PATCH /api/codebooks/1", `{"spies":["/api/spies/3","/api/spies/1"]}`, 400},
		{"a reference within a hidden member", "PATCH /api/codebooks/1", `{"dossier":{"spy":"/api/spies/1"}}`, 400},
		{"a reference that no answer shows", "PATCH /api/codebooks/1", `{"handler":"/api/spies/1"}`, 400},
		{"a record of a bulk update", "PATCH /api/codebooks", `[{"id":1,"auditor":"/api/spies/1"}]`, 400},
		{"a membership", "PUT /api/codebooks/1/spies/1", "", 404},
		{"the end of a membership", "DELETE /api/codebooks/1/spies/1", "", 204},
		{"what the caller does not send", "PATCH /api/codebooks/1", `{"known":"/api/spies/3"}`, 200},
		{"what the caller has seen", "PATCH /api/codebooks/1", `{"known":"/api/spies/1"}`, 200},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			isIt := newCodebook(t, 1).As("bob", test.request, test.body).HasStatus(test.status)
			newCodebook(t, 2).As("bob", test.request, test.body).Is(test.status, isIt.Body)
		})
	}
}
