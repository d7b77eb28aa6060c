//go:build !race

package access_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/alloctest"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// guarded returns an API of a thousand hoards of captain 1, without rules and with the usual ones.
func guarded(t testing.TB) (plain, ruled spec.Client) {
	t.Helper()
	hoards := make([]spec.Hoard, 1000)
	for i := range hoards {
		hoards[i] = spec.Hoard{Name: string(rune('a'+i%26)) + string(rune('a'+i/26)), Owner: 1, Published: i%2 == 0}
	}
	ann := &spec.Captain{ID: 1}
	tokens := map[string]*spec.Captain{"ann": ann}
	scheme := access.Bearer("token", func(_ context.Context, token string) (*spec.Captain, access.Scopes, error) {
		if who := tokens[token]; who != nil {
			return who, access.Unlimited, nil
		}
		return nil, nil, access.ErrCredentials
	})
	plain = spec.NewClient(t, resource.Config{}, resource.Of[spec.Hoard]{Store: memory.New(hoards...)})
	ruled = spec.NewClient(t, resource.Config{Authentication: []access.Scheme{scheme}}, resource.Of[spec.Hoard]{
		Store: memory.New(hoards...), Access: spec.HoardRules,
	})
	return plain, ruled
}

// asAnn sends requests with the credentials of captain 1.
type asAnn struct{ http.Handler }

var annsToken = []string{"Bearer ann"}

func (a asAnn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r.Header["Authorization"] = annsToken
	a.Handler.ServeHTTP(w, r)
}

// TestRulesAllocateLittle limits what rules allocate on top of the same requests without rules.
//
//nolint:paralleltest // counts the allocations of the whole process
func TestRulesAllocateLittle(t *testing.T) {
	plain, ruled := guarded(t)
	for _, test := range []struct {
		name, request string
		more          float64
	}{
		{"a published record", "GET /api/hoards/501", 0},
		{"an owner's record", "GET /api/hoards/500", 0},
		{"a page", "GET /api/hoards?page=3", 10},
		{"a page of a filter", "GET /api/hoards?owner=1&page=3", 12},
	} {
		var counts [2]float64
		for i, handler := range []http.Handler{plain.Handler, asAnn{ruled.Handler}} {
			send, status := spec.Repeated(t, test.request, "")
			counts[i], _ = alloctest.Count(200, func() { send(handler) })
			if *status != 200 {
				t.Fatalf("%s gets %d", test.name, *status)
			}
		}
		t.Logf("%s allocates %v times, and %v with rules", test.name, counts[0], counts[1])
		if counts[1]-counts[0] > test.more {
			t.Errorf("%s allocates %v times, and %v with rules; want at most %v more", test.name, counts[0], counts[1], test.more)
		}
	}
}
