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

// notes keeps what a test would report.
type notes struct {
	testing.TB

	all []string
}

func (*notes) Helper()             {}
func (*notes) Logf(string, ...any) {}
func (n *notes) Errorf(format string, args ...any) {
	n.all = append(n.all, fmt.Sprintf(format, args...))
}

func TestARequestThatTakesTooLongIsNoticed(t *testing.T) {
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
	told := &notes{TB: t}
	Conform(told, api, slow, func(s *settings) { s.now = func() time.Time { return time.Unix(0, clock.Load()) } })
	if len(told.all) != 1 || !strings.Contains(told.all[0], "PUT /api/things/{id} (updateThing) takes longer than 10s") {
		t.Errorf("want a complaint about Put alone, got %.1000q", told.all)
	}
	clock.Store(0)
	told = &notes{TB: t}
	Conform(told, api, slow, Within(15*time.Second), func(s *settings) { s.now = func() time.Time { return time.Unix(0, clock.Load()) } })
	if len(told.all) != 0 {
		t.Errorf("12 seconds are within 15, and yet: %.1000q", told.all)
	}
}
