package execute_test

import (
	"errors"
	"net/http"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/conditional"
	"github.com/trove-api/trove/internal/execute"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// TestANewKindOfOperationIsOneConstructor runs a kind that no package but this test knows: it has the transaction, the
// rules, the conditions and the reruns of all others.
func TestANewKindOfOperationIsOneConstructor(t *testing.T) {
	t.Parallel()
	own := access.Equal("name", func(m *minter) string { return m.name })
	api, err := resource.New(resource.Config{}, resource.Of[Coin]{
		Store:  twice{memory.New(Coin{Name: "ann", Value: 1}, Coin{Name: "eve", Value: 1}, Coin{Name: "ben", Value: 9})},
		Access: access.Rules{Read: access.Not(access.Where("name", "eve")), Create: own, Update: access.All(own, access.Where("value", 1, 2, 3)), Delete: own},
	})
	if err != nil {
		t.Fatal(err)
	}
	r := compiled.Of(api).Resources[0]
	patch := *r.Operations[slices.IndexFunc(r.Operations, func(op *compiled.Operation) bool { return op.Kind == operation.KindPatch })]
	patch.In = nil
	touch := execute.Touch(&patch, execute.Functions{}, func(record any) { record.(*Coin).Value++ })
	if want := []string{"read", "authorize", "preconditions", "touch", "authorize", "write"}; !slices.Equal(touch.Steps(), want) {
		t.Errorf("it has the steps %v, want %v", touch.Steps(), want)
	}
	stale, _ := conditional.Read(http.Header{"If-Match": {`"stale"`}}, false)
	isForbidden := func(err error) bool { _, ok := errors.AsType[*execute.ForbiddenError](err); return ok }
	for _, test := range []struct {
		rule  string
		who   string
		id    int64
		given conditional.Conditions
		want  func(err error) bool
	}{
		{"it changes the record", "ann", 1, conditional.Conditions{}, func(err error) bool { return err == nil }},
		{"and once more", "ann", 1, conditional.Conditions{}, func(err error) bool { return err == nil }},
		{"as long as the new state may be", "ann", 1, conditional.Conditions{}, isForbidden},
		{"of a state that the client has not seen", "ann", 1, stale, func(err error) bool { return errors.Is(err, execute.ErrPrecondition) }},
		{"of another one's", "ann", 3, conditional.Conditions{}, isForbidden},
		{"of a hidden record", "eve", 2, conditional.Conditions{}, func(err error) bool { return errors.Is(err, store.ErrNotFound) }},
		{"of none", "ann", 4, conditional.Conditions{}, func(err error) bool { return errors.Is(err, store.ErrNotFound) }},
	} {
		call := &execute.Call{Operation: touch, ID: test.id, Conditions: test.given, Principal: &minter{name: test.who}}
		if _, err := call.Run(t.Context()); !test.want(err) {
			t.Errorf("%s: %v", test.rule, err)
		}
	}
	get := &execute.Call{Operation: execute.OperationOf(r.Item), ID: int64(1), Principal: &minter{name: "ann"}}
	if result, err := get.Run(t.Context()); err != nil || !cmp.Equal(result.Record, any(&Coin{1, "ann", 3})) {
		t.Errorf("the record is %+v: %v", result.Record, err)
	}
}
