package serve_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/serve"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// twice is a store that runs each transaction two times, and saves the second.
type twice struct{ store.Store[Coin] }

func (s twice) Transact(ctx context.Context, fn func(context.Context, store.Tx[Coin]) error) error {
	again := errors.New("again")
	err := s.Store.Transact(ctx, func(ctx context.Context, tx store.Tx[Coin]) error {
		return errors.Join(fn(ctx, tx), again)
	})
	if !errors.Is(err, again) {
		return err
	}
	return s.Store.Transact(ctx, fn)
}

// TestANewKindOfOperationIsOneConstructor serves a kind that no package but this test knows: it has the transaction, the
// rules, the conditions and the reruns of all others.
func TestANewKindOfOperationIsOneConstructor(t *testing.T) {
	t.Parallel()
	own := access.Equal("owner", func(c *collector) string { return c.Name })
	api, err := resource.New(resource.Config{Authentication: []access.Scheme{access.Bearer("token", authenticate)}}, resource.Of[Coin]{
		Store: twice{memory.New(Coin{Name: "a", Owner: "Ada", Mint: "1", Value: 1}, Coin{Name: "b", Owner: "eve", Mint: "2", Value: 1}, Coin{Name: "c", Owner: "Bob", Mint: "3", Value: 9})},
		Access: access.Rules{
			Read: access.Not(access.Where("owner", "eve")), Create: own, Update: access.All(own, access.Where("value", 1, 2, 3)), Delete: own,
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	r := compiled.Of(api).Resources[0]
	patch := *r.Operations[slices.IndexFunc(r.Operations, func(op *compiled.Operation) bool { return op.Kind == operation.KindPatch })]
	patch.In = nil
	touch := serve.Touch(&patch, func(record any) { record.(*Coin).Value++ })
	want := []string{
		"credentials", "authorize", "negotiate", "parameters", "preconditions",
		"read", "authorize", "preconditions", "touch", "authorize", "write", "fields", "serialize", "validators",
	}
	if !slices.Equal(touch.Steps(), want) {
		t.Errorf("it has the steps %v, want %v", touch.Steps(), want)
	}
	send := func(server http.Handler, method, path, ifMatch string) *httptest.ResponseRecorder {
		request := httptest.NewRequestWithContext(t.Context(), method, path, http.NoBody)
		request.Header.Set("Authorization", "Bearer Ada")
		if ifMatch != "" {
			request.Header.Set("If-Match", ifMatch)
		}
		w := httptest.NewRecorder()
		server.ServeHTTP(w, request)
		return w
	}
	for _, test := range []struct {
		rule, path, ifMatch string
		status              int
	}{
		{"it changes the record", "/api/coins/1", "", 200},
		{"and once more", "/api/coins/1", "", 200},
		{"as long as the new state may be", "/api/coins/1", "", 403},
		{"of a state that the client has not seen", "/api/coins/1", `"stale"`, 412},
		{"of another one's", "/api/coins/3", "", 403},
		{"of a hidden record", "/api/coins/2", "", 404},
		{"of none", "/api/coins/4", "", 404},
	} {
		if w := send(touch, http.MethodPatch, test.path, test.ifMatch); w.Code != test.status {
			t.Errorf("%s: the response is %d %s, want %d", test.rule, w.Code, w.Body, test.status)
		}
	}
	const coin = `{"id":1,"name":"a","mint":"1","value":3,"owner":"Ada","note":""}`
	if w := send(r.Item.Server, http.MethodGet, "/api/coins/1", ""); w.Body.String() != coin {
		t.Errorf("the record is %s, want %s", w.Body, coin)
	}
}
