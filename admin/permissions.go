package admin

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/invoke"
)

// mostPaths is how many records a request for permissions may name.
const mostPaths = 100

// permissions is what the caller may do to a record.
type permissions struct {
	Operations []string `json:"operations"`
	Locked     []string `json:"locked"` // the fields that the caller may not set
}

// allowedFormat writes the permissions of the caller instead of the record.
var allowedFormat = format.Format{ //nolint:gochecknoglobals // never changes
	MediaType: format.JSON, Item: func(b []byte, item format.Item) ([]byte, error) {
		operations, locked, err := invoke.Permissions(item)
		if err != nil || operations == nil { // what Get returns is not the record
			return append(b, "null"...), err
		}
		text, err := json.Marshal(permissions{operations, append([]string{}, locked...)})
		return append(b, text...), err
	},
}

// servePermissions sends what the caller may do to records, by their paths. Missing and hidden records are absent.
func (a *admin) servePermissions(w http.ResponseWriter, r *http.Request, caller *invoke.Caller) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	paths := query["path"]
	switch {
	case err != nil || len(paths) == 0:
		a.reject(w, r, "The parameter path is missing or malformed.")
		return
	case len(paths) > mostPaths:
		a.reject(w, r, fmt.Sprintf("The parameter path may be given at most %d times.", mostPaths))
		return
	}
	found := map[string]json.RawMessage{}
	for _, path := range paths {
		if _, known := found[path]; known {
			continue
		}
		response := a.permissions(caller, path)
		switch {
		case response == nil:
		case response.Status == http.StatusOK:
			found[path] = bytes.Clone(response.Body.Bytes())
		case response.Status >= http.StatusInternalServerError, response.Status == http.StatusTooManyRequests:
			maps.Copy(w.Header(), response.Header())
			w.WriteHeader(response.Status)
			_, _ = w.Write(response.Body.Bytes()) // the client may be gone
			return
		}
	}
	send(w, r, found)
}

// permissions calls the Get of the record with a path. It returns nil if no Get has it.
func (a *admin) permissions(caller *invoke.Caller, path string) *invoke.Response {
	at := slices.IndexFunc(a.gets, func(op *invoke.Operation) bool { return op.IsAt(path) })
	if at < 0 {
		return nil
	}
	get := a.gets[at]
	response := caller.Call(get, invoke.Call{Path: path, Writer: a.allowed})
	if response.Status != http.StatusOK {
		return response
	}
	var made *permissions
	if err := json.Unmarshal(response.Body.Bytes(), &made); err != nil {
		return nil // it is what allowedFormat has written
	}
	if made == nil {
		made = withoutRecord(caller, get.Resource)
	}
	// Not even the name of a field that rules hide and lock in every record.
	made.Locked = slices.DeleteFunc(made.Locked, func(name string) bool {
		f := get.Resource.Field(name)
		return f == nil || !caller.Sees(f) && !caller.Sets(f)
	})
	text, err := json.Marshal(made)
	if err != nil { // it has only strings
		return nil
	}
	response.Body.Reset()
	response.Body.Write(text)
	return response
}

// withoutRecord returns what the caller may do to some record of a resource whose Get does not return the record.
func withoutRecord(caller *invoke.Caller, r *invoke.Resource) *permissions {
	made := &permissions{Operations: []string{}, Locked: []string{}}
	for _, op := range r.Operations {
		if op.Item && !op.Hidden && caller.May(op) {
			made.Operations = append(made.Operations, op.ID)
		}
	}
	for _, f := range r.Fields {
		if !caller.Sets(f) {
			made.Locked = append(made.Locked, f.Name)
		}
	}
	return made
}

// reject sends the error of an invalid query.
func (a *admin) reject(w http.ResponseWriter, r *http.Request, detail string) {
	a.endpoint.Reject(w, r, invoke.Invalid(detail, nil))
}
