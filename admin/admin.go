package admin

import (
	"compress/gzip"
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/trove-api/trove/internal/content"
	"github.com/trove-api/trove/internal/httpfield"
	"github.com/trove-api/trove/internal/invoke"
)

// admin serves what depends on the caller. It does not change.
type admin struct {
	api      *invoke.API
	endpoint *invoke.Endpoint
	files    string // the path of the files
	config   Config
	session  session
	ways     []signIn
	layouts  []*layout
	gets     []*invoke.Operation // of records
	allowed  *invoke.Writer
}

func newAdmin(api *invoke.API, config Config, files string) (*admin, error) {
	allowed, err := api.Writer(allowedFormat)
	if err != nil {
		return nil, err //nolint:wrapcheck // it names the format
	}
	a := &admin{
		api: api, files: files, endpoint: api.Endpoint(config.path()), config: config, session: newSession(api, config),
		ways: ways(api, config), allowed: allowed,
	}
	a.layouts = layouts(api, config, a.session)
	for _, l := range a.layouts {
		a.gets = append(a.gets, l.gets...)
	}
	return a, nil
}

// handler returns a handler that authenticates callers as operations do.
func (a *admin) handler(serve func(w http.ResponseWriter, r *http.Request, caller *invoke.Caller)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !a.endpoint.TakesGet(w, r) {
			return
		}
		if caller := a.endpoint.Authenticate(w, r); caller != nil {
			serve(w, r, caller)
		}
	})
}

// serveModel sends the model for the caller.
func (a *admin) serveModel(w http.ResponseWriter, r *http.Request, caller *invoke.Caller) {
	v := &view{admin: a, caller: caller, may: map[*invoke.Operation]bool{}, shown: map[*invoke.Resource]bool{}}
	send(w, r, v.model())
}

// send sends a value as JSON. It depends on the caller, so nothing stores it.
func send(w http.ResponseWriter, r *http.Request, value any) {
	body, err := json.Marshal(value)
	if err != nil { // it has only strings, and JSON that Trove has written
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	header := w.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Cache-Control", "no-store")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Add("Vary", "Accept-Encoding")
	if httpfield.AcceptsGzip(r.Header["Accept-Encoding"]) {
		if zipped := content.Compress(body, gzip.BestSpeed); zipped != nil {
			header.Set("Content-Encoding", "gzip")
			body = zipped
		}
	}
	header.Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) // the client may be gone
}
