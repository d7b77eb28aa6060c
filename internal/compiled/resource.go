package compiled

import (
	"context"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/gate"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/uritemplate"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/validation"
)

// Resource is a compiled resource.
type Resource struct {
	ShortName    string // "DragonTreasure"
	PluralName   string // "DragonTreasures"
	Description  string
	Struct       *model.Struct
	ID           model.Identifier
	Source       *Source // of a record
	Computed     []*Computed
	Embedded     *Value // a record as others show it that refer to it; nil where none do
	Shown        *Value // a record as answers show it, with what is computed
	Codec        *codec.Codec
	Checker      *check.Checker
	Hides        bool // a record has members that no answer shows
	Narrows      bool // an operation shows less of a record than the record has for answers
	Errors       validation.Shape
	Store        Store
	PageOf       func(out any) (Page, error)                                         // the records that a handler has answered with
	ReadsRequest bool                                                                // the store may ask the context for the request
	Ping         func(ctx context.Context) error                                     // whether the store can be reached; nil where it does not say
	Prepare      func(ctx context.Context, req *operation.Request, record any) error // nil for none
	Before       func(ctx context.Context, req *operation.Request, record any) error // of slow work before the transaction; nil for none
	Members      map[string]access.Member                                            // rules of single members, by name
	Read         *gate.Rule                                                          // who may see a record by its Get; nil for everybody
	Gate         *gate.Fields                                                       // the same, compiled; nil for none
	Reads        access.Rule                                                         // who may see a record; nil for everybody
	Operations   []*Operation
	Reached      map[string]*Resource // by the references that filters and order go through; nil for none
	Collection   *Operation           // the first GetCollection without a handler; nil for none
	Item         *Operation           // the first Get without a handler; nil for none
	Address      *uritemplate.Address // of its records, by Item; nil where there is none
	Home         *Home                // where they are if there is no Item; nil for nowhere

	Relationships map[string]*uritemplate.Address // of its references that have addresses of their own, by member; nil for none
}

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

// Stamps returns the version of a record as a string, and when it was last changed. They are "" and the zero time if its
// struct has no field for them.
func (r *Resource) Stamps(record any) (version string, modified time.Time) {
	if f := r.Struct.Version; f != nil {
		v := f.Value(reflect.ValueOf(record).Elem())
		if v.CanInt() {
			version = strconv.FormatInt(v.Int(), 10)
		} else {
			version = strconv.FormatUint(v.Uint(), 10)
		}
	}
	if f := r.Struct.Modified; f != nil {
		at := f.Value(reflect.ValueOf(record).Elem()).Convert(reflect.TypeFor[time.Time]())
		modified, _ = reflect.TypeAssert[time.Time](at)
	}
	return version, modified
}

// HidesState reports whether a record may change in nothing that an answer shows: it has
// members that none does, and no version that tells of their changes. Where clients choose
// identifiers another record may come to have the version of one that was deleted.
//
// Nor does an answer show all of a record that has members which some may not see, or which
// a view leaves out.
func (r *Resource) HidesState() bool {
	return r.Gate.Hides() || r.Narrows || r.Hides && (r.Struct.Version == nil || !r.ID.Generated())
}

// Computed is a member that answers have beside those of the struct.
type Computed struct {
	Field   *model.Field // of no struct
	Value   *Value
	Compute func(ctx context.Context, record any) (any, error) // both are pointers
}
