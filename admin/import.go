package admin

import (
	"encoding/json"
	"maps"
	"net/http"
	"path"
	"slices"

	"github.com/trove-api/trove/internal/invoke"
	"github.com/trove-api/trove/operation"
)

// mostLines is how many records a request of an import may have.
const mostLines = 1000

// imports serves imports: it creates the records of a request in one transaction, or only checks whether it could. Each is
// created by a call of the Post, so a caller can do nothing here that they cannot do there. It does not change.
type imports struct {
	*invoke.Endpoint

	api *invoke.API
	by  map[string]*invoke.Operation // by id
}

func newImports(api *invoke.API, at string, layouts []*layout) *imports {
	i := &imports{api: api, by: map[string]*invoke.Operation{}}
	for _, l := range layouts {
		for _, op := range direct(l.creates) {
			if op.Nests() {
				i.by[op.ID] = op
			}
		}
	}
	i.Endpoint = api.Endpoint(at, slices.Collect(maps.Values(i.by))...)
	return i
}

// importModel is what a request of an import may have.
type importModel struct {
	Lines int   `json:"lines"`
	Bytes int64 `json:"bytes"`
}

// model returns the limits of imports with an operation, nil if the caller cannot import with it. Anonymous callers cannot: a
// limit of requests may be all that keeps them from creating many records.
func (i *imports) model(op *invoke.Operation, caller *invoke.Caller) *importModel {
	if op == nil || i.by[op.ID] != op || i.isClosed(caller) {
		return nil
	}
	return &importModel{mostLines, i.MaxBytes()}
}

func (i *imports) isClosed(caller *invoke.Caller) bool { return i.api.Ruled && caller.IsAnonymous() }

// imported is the response to an import.
type imported struct {
	Saved bool           `json:"saved"`
	Lines []importedLine `json:"lines"`
}

// importedLine is the response to one record.
type importedLine struct {
	Status   int             `json:"status"`
	Location string          `json:"location,omitempty"` // of a saved record
	Problem  json.RawMessage `json:"problem,omitempty"`
}

// serve serves a request: the last segment of the path is the operation's id, the parameter mode the purpose, and each
// line of the body a record.
func (i *imports) serve(w http.ResponseWriter, r *http.Request, caller *invoke.Caller) {
	op, mode := i.by[path.Base(r.URL.Path)], invoke.Purpose(r.URL.Query().Get("mode"))
	switch {
	case i.isClosed(caller):
		i.Challenge(w, r)
		return
	case op == nil:
		i.Reject(w, r, operation.Error{Status: http.StatusNotFound, Detail: "The operation does not exist, or cannot be used for imports."})
		return
	case mode != invoke.Check && mode != invoke.All && mode != invoke.Good:
		i.Reject(w, r, operation.Error{Status: http.StatusBadRequest, Detail: "The parameter mode must be check, all or good."})
		return
	}
	calls, err := i.ReceiveLines(w, r, mostLines)
	if err != nil {
		i.Reject(w, r, err)
		return
	}
	responses, isSaved, failed := caller.Together(op, calls, mode)
	if failed != nil {
		failed.Send(w)
		return
	}
	made := imported{Saved: isSaved, Lines: []importedLine{}}
	for _, response := range responses {
		line := importedLine{Status: response.Status}
		if text := response.Body.Bytes(); response.IsError() && json.Valid(text) { // middleware may write other texts
			line.Problem = text
		} else if isSaved {
			line.Location = response.Header().Get("Location")
		}
		made.Lines = append(made.Lines, line)
	}
	send(w, caller, made)
}
