package operation_test

import (
	"testing"

	"github.com/trove-api/trove/operation"
)

func TestKinds(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		operation    operation.Operation
		name, method string
		writes, body bool
	}{
		{operation.Get{}, "Get", "GET", false, false},
		{operation.GetCollection{}, "GetCollection", "GET", false, false},
		{operation.Post{}, "Post", "POST", true, true},
		{operation.Put{}, "Put", "PUT", true, true},
		{operation.Patch{}, "Patch", "PATCH", true, true},
		{operation.Delete{}, "Delete", "DELETE", true, false},
	} {
		kind := test.operation.Kind()
		if kind.String() != test.name || kind.Method() != test.method || kind.Writes() != test.writes || kind.TakesBody() != test.body {
			t.Errorf("%s has the method %q, writes %v, takes a body %v", kind, kind.Method(), kind.Writes(), kind.TakesBody())
		}
	}
	for _, none := range []operation.Kind{0, -1, 99} {
		if none.String() != "unknown" || none.Method() != "" || none.Writes() || none.TakesBody() {
			t.Errorf("kind %d is taken for %s", int(none), none)
		}
	}
}

func TestMetadataIsWhatTheLiteralSays(t *testing.T) {
	t.Parallel()
	const name = "x"
	for _, o := range []operation.Operation{
		operation.Get{Name: name},
		operation.GetCollection{Name: name},
		operation.Post{Name: name},
		operation.Put{Name: name},
		operation.Patch{Name: name},
		&operation.Delete{Name: name},
	} {
		if got := o.Metadata(); got.Name != name {
			t.Errorf("the metadata of %s is %+v", o.Kind(), got)
		}
	}
}

func TestStandardReturnsANewSliceEachTime(t *testing.T) {
	t.Parallel()
	first, second := operation.Standard(), operation.Standard()
	first[0] = operation.Delete{}
	if len(second) != 6 || second[0].Kind() != operation.KindGet {
		t.Errorf("Standard gives %v after a change", second)
	}
}

func TestAnErrorReadsAsItsDetailElseItsTitleElseItsStatus(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]operation.Error{
		"d":                {Status: 402, Title: "t", Detail: "d"},
		"t":                {Status: 402, Title: "t"},
		"Payment Required": {Status: 402},
		"operation failed": {},
	} {
		if err.Error() != want {
			t.Errorf("the error reads %q, want %q", err.Error(), want)
		}
	}
}

func TestContextsCarryThePrincipalAndTheRequest(t *testing.T) {
	t.Parallel()
	if operation.PrincipalFrom(t.Context()) != nil {
		t.Error("a principal is there without being put")
	}
	if _, ok := operation.RequestFrom(t.Context()); ok {
		t.Error("a request is there without being put")
	}
	req := &operation.Request{Name: "x"}
	ctx := operation.WithRequest(operation.WithPrincipal(t.Context(), 7), req)
	if got := operation.PrincipalFrom(ctx); got != 7 {
		t.Errorf("the principal is %v", got)
	}
	if got, ok := operation.RequestFrom(ctx); !ok || got != req {
		t.Errorf("the request is %v", got)
	}
}
