package openapitest_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/resource"
)

func TestARequestThatTakesTooLongIsReported(t *testing.T) {
	t.Parallel()
	slow := openapitest.Through(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPut {
				time.Sleep(12 * time.Second)
			}
			next.ServeHTTP(w, r)
		})
	})
	synctest.Test(t, func(t *testing.T) { // sleeping takes no time
		type thing struct {
			ID   int64  `json:"id"`
			Name string `json:"name"`
		}
		api := compile(t, []resource.Declaration{resource.Of[thing]{}})
		got := &recorder{TB: t}
		openapitest.Conform(got, api, slow)
		if len(got.complaints) != 1 || !strings.Contains(got.complaints[0], "PUT /api/things/{id} (updateThing) takes longer than the limit: 10s") {
			t.Errorf("want an error for Put alone, got %.1000q", got.complaints)
		}
		got = &recorder{TB: t}
		openapitest.Conform(got, api, slow, openapitest.Within(15*time.Second))
		if len(got.complaints) != 0 {
			t.Errorf("12 seconds are within the limit of 15, but got %.1000q", got.complaints)
		}
	})
}
