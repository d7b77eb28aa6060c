package execute_test

import (
	"errors"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/execute"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// minter is the principal of the tests.
type minter struct {
	name string
	head bool
}

// TestNoProtocolGoesAroundTheGate runs calls like a protocol that does not call Authorize.
func TestNoProtocolGoesAroundTheGate(t *testing.T) {
	t.Parallel()
	head := access.If("head", func(m *minter) bool { return m.head })
	own := access.Equal("name", func(m *minter) string { return m.name })
	api, err := resource.New(resource.Config{}, resource.Of[Coin]{Access: access.Rules{
		Read: access.Any(own, head), Create: access.Authenticated, Update: access.Any(own, head), Delete: head,
		Fields: map[string]access.Field{"value": {Read: head, Write: head}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	operations := map[operation.Kind]*execute.Operation{}
	for _, op := range compiled.Of(api).Resources[0].Operations {
		operations[op.Kind] = execute.OperationOf(op)
	}
	ann, ben := &minter{name: "ann"}, &minter{name: "ben", head: true}
	run := func(who *minter, kind operation.Kind, id any, body string) (*execute.Call, error) {
		call := &execute.Call{Operation: operations[kind], ID: id, Body: []byte(body), Principal: who}
		if who == nil {
			call.Principal = nil
		}
		_, err := call.Run(t.Context())
		return call, err
	}
	for _, name := range []string{"ann", "eve"} {
		if _, err := run(ben, operation.KindPost, nil, `{"name":"`+name+`","value":3}`); err != nil {
			t.Fatal(err)
		}
	}
	isForbidden := func(err error) bool {
		_, ok := errors.AsType[*execute.ForbiddenError](err)
		return ok
	}
	isMissing := func(err error) bool { return errors.Is(err, store.ErrNotFound) }
	for name, test := range map[string]struct {
		who  *minter
		kind operation.Kind
		id   int64
		body string
		want func(error) bool
	}{
		"nobody creates nothing":           {nil, operation.KindPost, 0, `{"name":"x"}`, isForbidden},
		"nobody lists nothing":             {nil, operation.KindGetCollection, 0, "", isForbidden},
		"a hidden record is missing":       {ann, operation.KindGet, 2, "", isMissing},
		"a hidden record is not changed":   {ann, operation.KindPatch, 2, `{}`, isMissing},
		"a hidden record is not deleted":   {ann, operation.KindDelete, 2, "", isForbidden},
		"a record is not deleted":          {ann, operation.KindDelete, 1, "", isForbidden},
		"a record is not given away":       {ann, operation.KindPatch, 1, `{"name":"eve2"}`, isForbidden},
		"a member is not set":              {ann, operation.KindPatch, 1, `{"value":4}`, isForbidden},
		"a hidden value is not guessed":    {ann, operation.KindPatch, 1, `{"value":3}`, isForbidden},
		"what the rules allow is not held": {ann, operation.KindPatch, 1, `{"name":"ann"}`, func(err error) bool { return err == nil }},
		"the head may":                     {ben, operation.KindPatch, 2, `{"value":4}`, func(err error) bool { return err == nil }},
	} {
		if _, err := run(test.who, test.kind, test.id, test.body); !test.want(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for who, want := range map[*minter]string{ann: `{"id":1,"name":"ann"}`, ben: `{"id":1,"name":"ann","value":3}`} {
		call, err := run(who, operation.KindGetCollection, nil, "")
		if err != nil || who == ann && call.Items.Len() != 1 || who == ben && call.Items.Len() != 2 {
			t.Fatalf("%s lists %d records: %v", who.name, call.Items.Len(), err)
		}
		view, shown, err := call.View(t.Context(), call.Items.At(0), operations[operation.KindGet].Out.Encoder)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := view.Append(nil, shown); err != nil || string(got) != want {
			t.Errorf("%s sees %s, want %s: %v", who.name, got, want, err)
		}
	}
}
