package invoke

import (
	"net/http"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/serve"
)

// Permissions is what a caller may do to a record.
type Permissions = serve.Permissions

// permissionsFormat writes the permissions of the caller instead of the record.
var permissionsFormat = format.Format{ //nolint:gochecknoglobals // never changes
	MediaType: format.JSON, Item: func(b []byte, item format.Item) ([]byte, error) {
		made, err := serve.PermissionsOf(item)
		if err != nil {
			return b, err //nolint:wrapcheck // of a rule
		}
		text, err := json.Marshal(made) // null if what Get returns is not the record
		return append(b, text...), err
	},
}

// Permissions calls the Get of the record at a path, and returns what the caller may do to it, in the trash too. If the call
// fails, it returns that response. No name of a field that rules hide and lock in every record is in the result.
func (c *Caller) Permissions(get *Operation, path string) (made *Permissions, failed *Response) {
	response := c.Call(get, Call{Path: path, Writer: c.endpoint.api.permissions})
	if response.Status == http.StatusNotFound && get.TakesDeleted() {
		response = c.Call(get, Call{Path: path, Query: "deleted=only", Writer: c.endpoint.api.permissions})
	}
	if response.Status != http.StatusOK || json.Unmarshal(response.Body.Bytes(), &made) != nil {
		return nil, response
	}
	if made == nil {
		made = c.withoutRecord(get.Resource)
	}
	made.Locked = slices.DeleteFunc(made.Locked, func(name string) bool {
		f := get.Resource.Field(name)
		return f == nil || !c.Sees(f) && !c.Sets(f)
	})
	return made, nil
}

// withoutRecord returns what the caller may do to some record of a resource whose Get does not return the record.
func (c *Caller) withoutRecord(r *Resource) *Permissions {
	made := &Permissions{Operations: []string{}, Locked: []string{}}
	for _, op := range r.Operations {
		if op.Item && !op.Hidden && c.May(op) {
			made.Operations = append(made.Operations, op.ID)
		}
	}
	for _, f := range r.Fields {
		if !c.Sets(f) {
			made.Locked = append(made.Locked, f.Name)
		}
	}
	return made
}
