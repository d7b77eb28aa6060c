package access_test

import (
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
)

// TestBadCredentialsAreRejectedBeforeContinue guards that bad credentials are rejected before the client sends
// the body (RFC 9110, section 10.1.1).
func TestBadCredentialsAreRejectedBeforeContinue(t *testing.T) {
	t.Parallel()
	long := `{"name":"` + strings.Repeat("x", 1<<20) + `"}`
	for _, test := range []struct {
		rule, request, body string
		header              []string
		status              int
		continues           bool
	}{
		{"nobody", "POST /api/hoards", long, nil, 401, false},
		{"a forged token", "POST /api/hoards", long, spec.Header("Authorization", "Bearer forged"), 401, false},
		{"a malformed token", "PATCH /api/hoards/1", long, spec.Header("Authorization", "Bearer"), 401, false},
		{"a forged token, where all may write", "POST /api/captains", long, spec.Header("Authorization", "Bearer forged"), 401, false},
		{"a missing scope", "POST /api/hoards", long, spec.Header("Authorization", "Bearer ann-plain"), 403, false},
		{"good credentials", "POST /api/hoards", `{"name":"x","owner":1}`, spec.Header("Authorization", "Bearer ann"), 201, true},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			api := func(t testing.TB) spec.Client {
				t.Helper()
				return spec.NewCrew(t, resource.Of[spec.Hoard]{}, resource.Of[spec.Captain]{}).Client
			}
			spec.OverTheWire(t, api, func(w spec.Wire) {
				var continued atomic.Bool
				w.Client.Transport.(*http.Transport).ExpectContinueTimeout = time.Minute
				r := w.Request(test.request, test.body, append(test.header, "Expect", "100-continue")...)
				trace := &httptrace.ClientTrace{Got100Continue: func() { continued.Store(true) }}
				got := w.Do(r.WithContext(httptrace.WithClientTrace(r.Context(), trace))).HasStatus(test.status)
				if continued.Load() != test.continues {
					w.T.Errorf("100 Continue: %v, want %v", continued.Load(), test.continues)
				}
				if test.status == 401 && got.Header.Get("WWW-Authenticate") == "" {
					w.T.Errorf("the answer has no challenge: %v", got.Header)
				}
			})
		})
	}
}
