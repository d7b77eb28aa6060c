package admin

import (
	"encoding/json"
	"net/http"

	"github.com/trove-api/trove/internal/guest"
)

// admin serves what depends on the caller. It does not change.
type admin struct {
	api     *guest.API
	config  Config
	session session
	ways    []signIn
	layouts []*layout
	gets    []*guest.Operation // of records
}

// texts are those of schemas that the page says in its own way, or that are about other callers.
var texts = map[string]string{ //nolint:gochecknoglobals // never changes
	"field.read": "", "field.write": "", "field.kept": "",
	"field.reference.path": "", "field.references.path": "", "field.reference.id": "", "field.references.id": "",
}

func newAdmin(api *guest.API, config Config) (*admin, error) {
	if err := api.DescribeWith(texts, api.Operations...); err != nil {
		return nil, err //nolint:wrapcheck // it names what is wrong
	}
	a := &admin{api: api, config: config, session: newSession(api, config), ways: ways(api, config)}
	a.layouts = layouts(api, config, a.session)
	for _, l := range a.layouts {
		a.gets = append(a.gets, l.gets...)
	}
	return a, nil
}

// handler returns the handler of a path, which authenticates callers as operations do.
func (a *admin) handler(path string, serve func(w http.ResponseWriter, r *http.Request, caller *guest.Caller)) http.Handler {
	door := a.api.Door(path)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !door.TakesGet(w, r) {
			return
		}
		if caller := door.Enter(w, r); caller != nil {
			serve(w, r, caller)
		}
	})
}

// serveModel sends the model for the caller.
func (a *admin) serveModel(w http.ResponseWriter, _ *http.Request, caller *guest.Caller) {
	v := &view{admin: a, caller: caller, may: map[*guest.Operation]bool{}, shown: map[*guest.Resource]bool{}}
	send(w, v.model())
}

// send sends a value as JSON. It depends on the caller, so nothing stores it.
func send(w http.ResponseWriter, value any) {
	header := w.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	_ = json.NewEncoder(w).Encode(value) // the client may be gone
}
