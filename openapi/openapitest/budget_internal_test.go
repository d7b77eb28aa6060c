package openapitest

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trove-api/trove/resource"
)

// notes records the errors of a test.
type notes struct {
	testing.TB

	all []string
}

func (*notes) Helper()             {}
func (*notes) Logf(string, ...any) {}
func (n *notes) Errorf(format string, args ...any) {
	n.all = append(n.all, fmt.Sprintf(format, args...))
}

func TestARequestThatTakesTooLongIsReported(t *testing.T) {
	t.Parallel()
	type thing struct {
		ID   int64  `json:"id"`
		Name string `json:"name"`
	}
	api, err := resource.New(resource.Config{}, resource.Of[thing]{})
	if err != nil {
		t.Fatal(err)
	}
	var clock atomic.Int64
	slow := Through(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPut {
				clock.Add(int64(12 * time.Second))
			}
			next.ServeHTTP(w, r)
		})
	})
	got := &notes{TB: t}
	Conform(got, api, slow, func(s *settings) { s.now = func() time.Time { return time.Unix(0, clock.Load()) } })
	if len(got.all) != 1 || !strings.Contains(got.all[0], "PUT /api/things/{id} (updateThing) takes longer than the limit: 10s") {
		t.Errorf("want an error for Put alone, got %.1000q", got.all)
	}
	clock.Store(0)
	got = &notes{TB: t}
	Conform(got, api, slow, Within(15*time.Second), func(s *settings) { s.now = func() time.Time { return time.Unix(0, clock.Load()) } })
	if len(got.all) != 0 {
		t.Errorf("12 seconds are within the limit of 15, but got %.1000q", got.all)
	}
}
