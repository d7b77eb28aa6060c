package middleware

import (
	"net/http"

	"github.com/go-chi/cors"
)

// Origins allows pages of other origins to use the API (CORS, as in the Fetch standard). An origin is a name such as
// "https://shop.example", which may contain one "*", or "*" alone for all. Without origins it does nothing. The pages
// may use every method of an operation and every request header, and read the response headers that Trove and [Rate]
// set. They cannot send cookies and have to sign in with a token. Preflight requests return 200 and may be cached for
// ten minutes.
func Origins(origins ...string) func(http.Handler) http.Handler {
	if len(origins) == 0 {
		return unchanged
	}
	return cors.Handler(cors.Options{
		AllowedOrigins: origins,
		AllowedMethods: []string{http.MethodGet, http.MethodHead, "QUERY", http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete},
		AllowedHeaders: []string{"*"},
		ExposedHeaders: []string{
			"Accept-Patch", "Accept-Post", "Accept-Query", "Allow", "Content-Location", "Deprecation", "ETag", "Idempotent-Replayed", "Link", "Location",
			"RateLimit", "RateLimit-Policy", "Retry-After", "Sunset", "Trove-Position", "WWW-Authenticate", "X-RateLimit-Limit", "X-RateLimit-Remaining",
			"X-RateLimit-Reset", "X-Total-Count", "X-Total-Estimate", "X-Total-More-Than",
		},
		MaxAge: 600, // seconds
	})
}

func unchanged(next http.Handler) http.Handler { return next }
