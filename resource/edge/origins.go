package edge

import (
	"net/http"

	"github.com/go-chi/cors"
)

// Origins lets pages of other origins use an API (CORS, as the Fetch standard has it): those named, such as
// "https://shop.example", with one "*" in a name for any text, or "*" alone for all. Without any it changes nothing.
// Their pages may send every method of an operation and every field of the header, and read the fields that Trove and [Rate] set.
// Cookies they may not send: they sign in with a token. Preflights are answered 200 and may be kept for ten minutes.
func Origins(origins ...string) func(http.Handler) http.Handler {
	if len(origins) == 0 {
		return unchanged
	}
	return cors.Handler(cors.Options{
		AllowedOrigins: origins,
		AllowedMethods: []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete},
		AllowedHeaders: []string{"*"},
		ExposedHeaders: []string{
			"Accept-Patch", "Accept-Post", "Allow", "Content-Location", "Deprecation", "ETag", "Idempotent-Replayed", "Link", "Location",
			"Retry-After", "Sunset", "WWW-Authenticate", "X-RateLimit-Increment", "X-RateLimit-Limit", "X-RateLimit-Remaining",
			"X-RateLimit-Reset", "X-Total-Count",
		},
		MaxAge: 600, // seconds
	})
}

func unchanged(next http.Handler) http.Handler { return next }
