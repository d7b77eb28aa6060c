package compiled

import (
	"context"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/uritemplate"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
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
	Embedded     *Value // a record embedded in another one; nil if it cannot be embedded
	Shown        *Value // a record in a response, with computed fields
	Codec        *codec.Codec
	Checker      *check.Checker
	Hides        bool // a record has fields that no response shows
	Narrows      bool // an operation shows fewer fields of a record than responses can
	Errors       validation.Shape
	Store        Store
	Staleness    time.Duration                                                       // how old the data of its reads can be; 0 without replicas
	Aggregator   store.Aggregator                                                    // the same store; nil if it computes no groups
	PageOf       func(out any) (Page, error)                                         // converts the result of a handler to a page
	ReadsRequest bool                                                                // the store may read the request from the context
	Ping         func(ctx context.Context) error                                     // reports whether the store can be reached; nil if it cannot report that
	Prepare      func(ctx context.Context, req *operation.Request, record any) error // nil for none
	Before       func(ctx context.Context, req *operation.Request, record any) error // slow work before the transaction; nil for none
	Members      map[string]access.Field                                             // rules for fields, by name
	Read         *authz.Rule                                                         // the compiled rule for reading a record by its Get; nil for everyone
	Gate         *authz.Fields                                                       // the compiled rules for fields; nil for none
	Reads        access.Rule                                                         // the rule for reading a record; nil for everyone
	Deleted      *authz.Rule                                                         // the rule for seeing the trash; nil for everyone, or without a trash
	Operations   []*Operation
	Reached      map[string]*Resource    // by the references that filters and sorting go through; nil for none
	Collection   *Operation              // the first GetCollection without a handler; nil for none
	Item         *Operation              // the first Get without a handler; nil for none
	RecordPath   *uritemplate.RecordPath // of Item; nil for none
	Home         *Home                   // the path of records without an Item; nil for none
	Page         string                  // the path of the page on which people find its records; "" for none
}

// Home makes the paths of records whose only Get is below other records. The record itself references these.
type Home struct {
	get     *Operation
	address uritemplate.RecordPath
}

// HomeOf returns the home that an operation gives records, nil for none. A nullable reference cannot be in a path, nor
// can one that some callers may not read, because the path would reveal it.
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
	return &Home{op, uritemplate.RecordPathOf(op.Template, strings.Join(op.Template.Variables(), ";"), op.Suffixes())}
}

// Append appends the path of a record, or nothing if it has none.
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

// variable returns the value of a variable of the path for a record.
func (h *Home) variable(record reflect.Value, name string) (string, error) {
	for i := range h.get.Parents {
		if p := &h.get.Parents[i]; p.Variable == name {
			return p.Resource.ID.Text(p.Field.Value(record).Interface())
		}
	}
	id := h.get.Resource.ID
	return id.Variable(id.ValueIn(record).Interface(), name)
}

// Get returns the operation at the path of a record: the first Get, else the first Get below records that the record
// references; nil for none.
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

// HidesState reports whether a record can change without any change in a response. It has fields that some or all
// responses omit, and no version that shows the change. If clients choose identifiers, a version is not enough, because
// a new record can have the identifier and version of a deleted one.
func (r *Resource) HidesState() bool {
	return r.Gate.Hides() || r.Narrows || r.Hides && (r.Struct.Version == nil || !r.ID.Generated())
}

// Computed is a response field in addition to those of the struct.
type Computed struct {
	Field   *model.Field // of no struct
	Value   *Value
	Compute func(ctx context.Context, record any) (any, error) // both are pointers
}

// TitleField returns the name of the field whose value names a record for people, "" for none.
func (r *Resource) TitleField() string {
	if f := r.Struct.Title(); f != nil {
		return f.Name
	}
	return ""
}

// Expansion is a reference whose records a response can embed.
type Expansion struct {
	Path     string // JSON names joined by a dot: "owner", "owner.team"
	Field    *model.Field
	Resource *Resource // of the records
	Shown    *Value    // a record: Resource.Embedded, or fewer fields of it
	Always   bool      // embedded even if the client does not request it
	Inner    []*Expansion
	// Alone encodes only the reference, if a view omits it but embeds the record; nil otherwise. Formats that link
	// records need it, because they embed a record at its reference.
	Alone *codec.Encoder

	Nested *Nested // the list that the body has instead of a reference; nil for a reference

	Label    []byte // the field's name as JSON, and a colon
	Computes bool   // the records have computed fields
}

// AlwaysEmbedded returns the maximum number of records that are always embedded in each record.
func AlwaysEmbedded(list []*Expansion) int {
	sum := 0
	for _, e := range list {
		switch {
		case !e.Always:
		case e.Field.Reference.Many:
			sum += e.Field.Reference.Most * (1 + AlwaysEmbedded(e.Inner))
		default:
			sum += 1 + AlwaysEmbedded(e.Inner)
		}
	}
	return sum
}

// NewExpansion completes an expansion.
func NewExpansion(e Expansion) *Expansion {
	e.Label, _ = jsontext.AppendQuote(nil, e.Field.Name) // the model reports names that are not UTF-8
	e.Label = append(e.Label, ':')
	e.Computes = slices.ContainsFunc(e.Resource.Computed, func(c *Computed) bool { return e.Shown.View.Field(c.Field) != nil })
	return &e
}

// Source is a type and what is compiled from it, once for an API. Operations on the type differ only in their views.
type Source struct {
	Type     *model.Type
	Codec    *codec.Codec
	Checker  *check.Checker // nil if no body has the type
	Views    *model.Views
	Response *Value // the view of responses

	values map[*model.View]*Value
}

// Value is what an operation reads or writes: a view of a type.
type Value struct {
	Type    *model.Type
	View    *model.View // of the struct that the type is or contains; nil for none
	Codec   *codec.Codec
	Decoder *codec.Decoder // of a body
	Encoder *codec.Encoder // of a response
	Checker *check.Checker // of a body
	Each    *Value         // the elements of a list of structs; nil otherwise
	Order   []string       // Members of the View that an operation declares; nil for none
}

// Value returns the value of a view, the same one each time. It is not safe for concurrent use.
func (s *Source) Value(v *model.View) *Value {
	if known := s.values[v]; known != nil {
		return known
	}
	made := &Value{Type: s.Type, View: v, Codec: s.Codec}
	if v != nil && v.Request {
		made.Decoder, made.Checker = s.Codec.Decoder(v), s.Checker
	} else {
		made.Encoder = s.Codec.Encoder(v)
	}
	if s.values == nil {
		s.values = map[*model.View]*Value{}
	}
	s.values[v] = made
	return made
}
