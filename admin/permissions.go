package admin

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/trove-api/trove/internal/guest"
)

// mostPaths is how many records a request for permissions may name.
const mostPaths = 100

// permissions is what the caller may do to a record.
type permissions struct {
	Operations []string `json:"operations"`
	Locked     []string `json:"locked"` // the fields that the caller may not set
}

// servePermissions sends what the caller may do to records, by their paths. Records that are missing or hidden are absent.
func (a *admin) servePermissions(w http.ResponseWriter, r *http.Request, caller *guest.Caller) {
	paths := r.URL.Query()["path"]
	if len(paths) > mostPaths {
		a.api.Door(a.config.path()).Reject(w, r, guest.Invalid(fmt.Sprintf("At most %d paths are allowed.", mostPaths), nil))
		return
	}
	found := map[string]permissions{}
	for _, path := range paths {
		if _, known := found[path]; known {
			continue
		}
		if made, ok := a.permissions(caller, path); ok {
			found[path] = made
		}
	}
	send(w, found)
}

// permissions returns what the caller may do to the record with a path, and whether they may see it.
func (a *admin) permissions(caller *guest.Caller, path string) (made permissions, ok bool) {
	at := slices.IndexFunc(a.gets, func(op *guest.Operation) bool { return op.IsAt(path) })
	if at < 0 {
		return made, false
	}
	get := a.gets[at]
	if caller.Call(get, guest.Call{Path: path}).Status != http.StatusOK {
		return made, false
	}
	made = permissions{Operations: []string{}, Locked: []string{}}
	for _, op := range get.Of.Operations {
		if op.Item && !op.Hidden && caller.May(op) {
			made.Operations = append(made.Operations, op.ID)
		}
	}
	for _, f := range get.Of.Fields {
		if !caller.Sets(f) {
			made.Locked = append(made.Locked, f.Name)
		}
	}
	return made, true
}
