package hooks_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// distant is a store that may be out of reach.
type distant struct {
	store.Store[spec.Programmer]

	err error
}

func (d distant) Ping(ctx context.Context) error {
	if _, limited := ctx.Deadline(); !limited {
		return errors.New("nobody says how long to wait")
	}
	return d.err
}

func TestReadinessIsThatOfTheStores(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		err    error
		status int
	}{
		"a store in reach":     {nil, 200},
		"a store out of reach": {errors.New("dial 10.0.0.7: refused"), 503},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var log strings.Builder
			api, err := resource.New(resource.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))},
				resource.Of[spec.DragonTreasure]{}, resource.Of[spec.Programmer]{Store: distant{memory.New[spec.Programmer](), test.err}})
			if err != nil {
				t.Fatal(err)
			}
			api.Router().Get("/readyz", api.Readyz)
			api.Router().Get("/healthz", api.Healthz)
			ready, alive := httptest.NewRecorder(), httptest.NewRecorder()
			api.ServeHTTP(ready, httptest.NewRequestWithContext(t.Context(), "GET", "/readyz", nil))
			api.ServeHTTP(alive, httptest.NewRequestWithContext(t.Context(), "GET", "/healthz", nil))
			if alive.Code != 200 || ready.Code != test.status {
				t.Errorf("alive is %d, ready is %d", alive.Code, ready.Code)
			}
			if test.err == nil {
				return
			}
			body := ready.Body.String()
			if !strings.Contains(body, "Programmer") || strings.Contains(body, "10.0.0.7") || ready.Header().Get("Retry-After") == "" {
				t.Errorf("the answer is %v %s", ready.Header(), body)
			}
			if !strings.Contains(log.String(), "10.0.0.7") {
				t.Errorf("the log does not say why: %s", log.String())
			}
		})
	}
}
