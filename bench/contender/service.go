package contender

import (
	"context"
	"errors"
	"net/http"
	"strings"
)

// Most services have both: code around each request, and a rule of their own before each change.

// middleware names the server in a header, and rejects robots.
func middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.UserAgent(), "robot") {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		w.Header().Set("X-Served-By", "bench")
		next.ServeHTTP(w, r)
	})
}

var errContraband = errors.New("contraband is not taken")

// hook rejects some items before their rules are checked. The identifier is "" for new items.
func hook(ctx context.Context, id, name, category string) error {
	if category == "scroll" && id == "" && strings.HasPrefix(name, "Forbidden") {
		return errContraband
	}
	return ctx.Err()
}
