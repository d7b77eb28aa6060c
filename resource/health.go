package resource

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/refusal"
	"github.com/trove-api/trove/operation"
)

// readyWithin is how long the stores may take to say that they are in reach.
const readyWithin = 5 * time.Second

// Healthz answers 200 as long as the program serves at all. Route it where a supervisor
// asks: api.Router().Get("/healthz", api.Healthz).
func (*API) Healthz(w http.ResponseWriter, r *http.Request) { writeStatus(w, r, `{"status":"alive"}`) }

// Readyz answers 200 if every store that is a store.Pinger can be used now, else 503 with
// Retry-After, as a problem that names the resources. If a resource has operations that write, its
// store must also be able to write, if it can tell. It waits five seconds at most.
// Route it where a load balancer asks: api.Router().Get("/readyz", api.Readyz).
func (a *API) Readyz(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), readyWithin)
	defer cancel()
	for _, resource := range a.model.Resources {
		if resource.Ping == nil {
			continue
		}
		if err := resource.Ping(ctx); err != nil {
			a.model.Logger.WarnContext(ctx, "not ready", "resource", resource.ShortName, "error", err.Error())
			w.Header().Set("Retry-After", "1")
			WriteError(w, r, operation.Error{
				Status: refusal.NotReady.Status(),
				Detail: refusal.NotReady.Says(resource.ShortName),
			})
			return
		}
	}
	writeStatus(w, r, `{"status":"ready"}`)
}

func writeStatus(w http.ResponseWriter, r *http.Request, body string) {
	header := w.Header()
	header.Set("Content-Type", format.JSON)
	header.Set("Content-Length", strconv.Itoa(len(body)))
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	if r.Method != http.MethodHead {
		_, _ = w.Write([]byte(body)) // the client may be gone, which is nobody's fault
	}
}
