package compiled

import (
	"net/url"
	"reflect"
	"strings"

	"github.com/trove-api/trove/internal/uritemplate"
	"github.com/trove-api/trove/operation"
)

// Home is where the records of a resource are whose only Get is below others: their address names
// the others, to which each record itself refers.
type Home struct {
	get     *Operation
	address uritemplate.Address
}

// HomeOf returns the home that an operation gives records, nil where it gives none. A reference that
// may be null makes no address; nor does one that some may not see, for the address would tell it.
func HomeOf(op *Operation) *Home {
	if op.Kind != operation.KindGet || op.Custom || !op.Item || !op.IsBelowOthers() {
		return nil
	}
	for i := range op.Parents {
		p := &op.Parents[i]
		isGuarded := op.Resource.Members[p.Field.Name].Read != nil
		if p.Below != OwnRecord || p.Field.Reference.Many || p.Field.Type.Nullable || p.Resource.ID.IsComposite() || isGuarded {
			return nil
		}
	}
	return &Home{op, uritemplate.AddressOf(op.Template, strings.Join(op.Template.Variables(), ";"), op.Suffixes())}
}

// Append appends the address of a record, nothing where it has none.
func (h *Home) Append(b []byte, record reflect.Value) []byte {
	variables := h.get.Template.Variables()
	parts := make([]string, len(variables))
	for i, name := range variables {
		text, err := h.variable(record, name)
		if err != nil || text == "" {
			return b
		}
		parts[i] = url.PathEscape(text)
	}
	return h.address.Append(b, strings.Join(parts, ";"))
}

// variable returns what a record has for a variable of the address.
func (h *Home) variable(record reflect.Value, name string) (string, error) {
	for i := range h.get.Parents {
		if p := &h.get.Parents[i]; p.Variable == name {
			return p.Resource.ID.Text(p.Field.Value(record).Interface())
		}
	}
	id := h.get.Resource.ID
	return id.Variable(id.ValueIn(record).Interface(), name)
}

// Get returns the operation at whose address a record is: the first Get, else the first below other
// records that the record refers to; nil for none.
func (r *Resource) Get() *Operation {
	if r.Item == nil && r.Home != nil {
		return r.Home.get
	}
	return r.Item
}
