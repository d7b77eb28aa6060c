package compiled

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/internal/uritemplate"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
)

// Operation is an operation as routes, documents and protocols see it. Package serve runs it: its steps are fixed when the
// API is made, so that requests do not ask what an operation is.
type Operation struct {
	API      *API
	Resource *Resource
	Kind     operation.Kind
	Name     string // of the declaration, "" for none
	ID       string // in the OpenAPI document: "listDragonTreasures"
	Method   string
	Template *uritemplate.Template // with the prefix
	Suffix   bool                  // the path takes format suffixes
	Status   int                   // of success

	Parents    []Parent // the records above the operation's own in the path, in order; nil for none
	Membership *Parent  // the reference that it adds to a list of the record or removes from it; nil for other operations
	Parameters *parameters.Set

	In         *Value       // the body; nil for none
	Listing    *model.View  // that of In with the Nested lists, for documents; nil without them
	Missing    *Value       // the body when AllowCreate creates the record; nil for none
	Out        *Value       // the response, or each record of a list; nil for none
	MediaTypes []string     // of bodies, the default first; nil for none
	Readers    []*Format    // the format that reads each of them
	Formats    []*Format    // of responses, the default first
	Expansions []*Expansion // the records that the response embeds, if requested or always; nil for none
	Sparse     *model.View  // the fields from which clients choose; nil if they cannot choose

	FormatParameters []format.Parameter // Parameters, as formats see them
	FormatBody       *format.Type       // In, as formats see it; nil if no format needs it

	// The functions of the user, nil for none, and data for them.
	Handler   Handler
	Sets      *Sets // instead of a Handler's function, the fields of an operation.Set
	Restores  bool  // instead of a Handler's function, an operation.Restore
	Purges    bool  // instead of a Handler's function, an operation.Purge
	Processor Processor
	Estimator store.Estimator // estimates totals, if no condition restricts a query
	Input     Input           // applies bodies to records
	Output    Output          // makes responses from records
	Extra     map[string]any  // the extra properties

	Item        bool // the path names a record
	Reads       bool // it changes nothing, and runs in no transaction
	Custom      bool // a Handler does the work
	Creates     bool // each success is a new record of the resource
	AllowCreate bool // a Put that creates the record that its path names
	Replace     bool // a Put whose body is the whole record: omitted fields get their defaults
	Saves       bool // it may write the record that its path names, or that its body is
	Lists       bool // the response is several records of the resource, each of them Out
	Pages       bool // parameters choose which: filters, sort order, page
	Aggregates  bool // ... and they are groups of records, not records
	Shows       bool // the response shows one record: that of the path, or of the body
	IsLocated   bool // ... as the Get at the record's path shows it
	Computes    bool // responses may have computed fields
	Hooked      bool // functions of the user run in it, which may return any error
	Observed    bool // functions of the user, or the store, may ask the context for the request

	History  *History   // of the record, which the response lists; nil for other operations
	Creating *Resource  // whose records a handler's body creates; nil for none
	Patching *Resource  // whose records a handler's body changes; nil for none
	Element  *Operation // saves each of these records; nil for none
	Unruled  bool       // an Element cannot save, because a required access rule is missing

	Nested []*Nested // the lists in the body whose elements are records of other resources; nil for none

	Access    access.Rule // the rule for calling it: its own, else the resource's; nil for everyone
	Gate      *Gate       // the compiled rules; nil if everyone may do everything
	When      *When       // what must hold for the record before the change; nil for nothing
	Private   bool        // the response depends on the caller
	Anonymous bool        // credentials are ignored

	RequirePrecondition bool
	Cache               []string      // the header field Cache-Control; nil for none
	Idempotency         time.Duration // how long responses are stored for an Idempotency-Key; 0 for not at all
	MaxBodyBytes        int64
	Timeout             time.Duration // 0 for none
	Lifecycle           Lifecycle

	Queries bool           // the method QUERY (RFC 10008) takes the parameters in a body
	Query   http.Handler   // serves the method QUERY; nil for none
	Server  http.Handler   // a *serve.Operation of package serve, which imports this package; nil for one only in the model
	Around  []http.Handler // middleware that its requests pass first, the outermost first; nil for none

	// Only for documents.
	Summary        string
	Description    string
	Hidden         bool              // served, but not documented
	ResponseHeader map[string]string // descriptions of the header fields that functions set, by canonical name
}

// Nested is a list in the body of an operation: records that refer to the one of the body.
type Nested struct {
	Name  string
	Field *model.Field   // the reference
	Keys  []*model.Field // the identifier of the records, without the reference
	Key   *codec.Decoder // reads them
	Named bool           // clients choose the identifier of new records
	// The operations of the records' resource: their collection below the record of the body, and those that save them, with
	// the reference as their only parent. Change and Delete are nil for a Post.
	List, Create, Change, Delete *Operation
}

// Lifecycle is the deprecation and end of an operation, as announced in each response.
type Lifecycle struct {
	Deprecated, Sunset time.Time // zero for not at all
	Link               string    // "" for none
}

// Staleness returns how old the data of its reads can be, or of reads after its writes. It is 0 without replicas.
func (o *Operation) Staleness() (most time.Duration) {
	if o.Reads && !o.Custom {
		return o.Resource.Staleness
	}
	for _, r := range o.API.Resources { // a function may read or write records of any
		most = max(most, r.Staleness)
	}
	return most
}

// OfTrash reports whether the operation is about a record in the trash.
func (o *Operation) OfTrash() bool { return o.Restores || o.Purges }

// TakesDeleted reports whether clients can request records in the trash.
func (o *Operation) TakesDeleted() bool {
	return o.Resource.Struct.Deleted != nil && o.Reads && !o.Aggregates && (!o.Custom || o.History != nil)
}

// Bodies returns the resource whose records a handler's body creates or changes, nil for none.
func (o *Operation) Bodies() *Resource { return cmp.Or(o.Creating, o.Patching) }

// Deletes reports whether the operation deletes the record that its path names.
func (o *Operation) Deletes() bool {
	return o.Kind == operation.KindDelete && !o.Custom && o.Membership == nil
}

// HasElementRules reports whether access rules decide about each record of a handler's body, or of a nested list.
func (o *Operation) HasElementRules() bool {
	ruled := func(op *Operation) bool { return op != nil && (op.Gate != nil || op.Resource.Gate != nil) }
	return ruled(o.Element) || slices.ContainsFunc(o.Nested, func(n *Nested) bool { return ruled(n.Create) || ruled(n.Change) || ruled(n.Delete) })
}

// PathRecords lists all records that the path names other than the operation's own, in the order in which it reads them.
func (o *Operation) PathRecords() []Parent {
	if o.Membership == nil {
		return o.Parents
	}
	return append(slices.Clip(o.Parents), *o.Membership)
}

// Path returns the template without {._format}, as in routes and documents.
func (o *Operation) Path() string { return o.Template.Path() }

// TakesBody reports whether requests of the operation have a body.
func (o *Operation) TakesBody() bool { return o.In != nil }

// HasResponseBody reports whether a successful response has a body.
func (o *Operation) HasResponseBody() bool {
	return o.Out != nil && o.Status != http.StatusNoContent
}

// ReadRuleName returns the name of the rule by which callers see records, "" for none.
func (o *Operation) ReadRuleName() string {
	if o.Gate == nil || o.Gate.Read == nil {
		return ""
	}
	return o.Gate.Read.Name
}

// HandlesSecrets reports whether the operation begins or ends a session, or sets a password. It ignores credentials, as
// the ways to sign in and out do, sets a cookie, has a parameter that is called a password, or its body sets a secret.
func (o *Operation) HandlesSecrets() bool {
	updates := o.Item && !o.Custom && !o.AllowCreate
	return o.Anonymous || o.ResponseHeader["Set-Cookie"] != "" || o.TakesBody() && setsSecret(o.In.View, updates, map[*model.View]bool{}) ||
		slices.ContainsFunc(o.Parameters.List, func(p *parameters.Parameter) bool { return p.Kind == parameters.Own && namesPassword(p.Name) })
}

// setsSecret reports whether a body of a view can set a field that is called a password, or a writeonly one that may hold
// text, in nested structs too. Updates do not set createonly fields.
func setsSecret(view *model.View, updates bool, seen map[*model.View]bool) bool {
	if view == nil || seen[view] {
		return false
	}
	seen[view] = true
	return slices.ContainsFunc(view.Fields, func(f model.ViewField) bool {
		if !f.Writable || updates && f.Field.CreateOnly {
			return false
		}
		return namesPassword(f.Field.Name) || !f.Readable && mayHoldText(f.Field.Type) || setsSecret(f.Inner, updates, seen)
	})
}

func namesPassword(name string) bool { return strings.Contains(strings.ToLower(name), "password") }

// mayHoldText reports whether the JSON of a type, or of a type within it, may be a string of any form.
func mayHoldText(t *model.Type) bool {
	for each := range t.Within() {
		switch each.Kind {
		case model.String, model.Bytes, model.Text, model.Custom, model.Any:
			return true
		}
	}
	return false
}

// Narrows reports whether a successful response shows only some fields of records, or of what Output makes from them.
func (o *Operation) Narrows() bool {
	r := o.Resource
	return o.Out != nil && (o.Output != nil || o.Out.Codec == r.Codec) && o.Out.View != r.Source.Response.View && o.Out.View != r.Shown.View
}

// HasNoPath reports whether the operation returns a list of records that has no path, because it is not a GET.
func (o *Operation) HasNoPath() bool { return o.Lists && o.Method != http.MethodGet }

// HasParameter reports whether clients can give a parameter of a kind.
func (o *Operation) HasParameter(kind parameters.Kind) bool {
	return slices.ContainsFunc(o.Parameters.List, func(p *parameters.Parameter) bool { return p.Kind == kind })
}

// Through lists the references that clients of a collection can filter or sort through, by name.
func (o *Operation) Through() []string {
	if o.Parameters == nil || !o.Pages {
		return nil
	}
	return o.Parameters.Through()
}

// Gate has the compiled rules of an operation. A nil rule allows everyone.
type Gate struct {
	Read   *authz.Rule // for the records that it reads
	Act    *authz.Rule // for what it does; nil if it only reads
	Create *authz.Rule // instead of Act, if a Put creates its record
}

// IsGated reports whether rules depend on the caller: those of the operation, of fields of its records, or of parent
// records.
func (o *Operation) IsGated() bool {
	return o.Gate != nil || o.Resource.Gate != nil || o.HasGuardedParents()
}

// HasGuardedParents reports whether some callers may not read the parent records.
func (o *Operation) HasGuardedParents() bool {
	return slices.ContainsFunc(o.Parents, func(p Parent) bool { return !IsOpen(p.Resource.ReadRule()) })
}

// ReadRule returns the rule for reading a record by its Get, nil for everyone.
func (r *Resource) ReadRule() access.Rule {
	if r.Item != nil {
		return r.Item.Access
	}
	return r.Reads
}

// IsOpen reports whether a rule allows everyone: it is nil or access.Public, under any name.
func IsOpen(rule access.Rule) bool {
	return rule == nil || rule.Describe().Kind == access.Public.Describe().Kind
}

// Runs reports whether the rules call functions of the user.
func (g *Gate) Runs() bool { return g != nil && (g.Read.Runs() || g.Act.Runs() || g.Create.Runs()) }

// Parent is a record above those of an operation. Its template names it by a variable with the name of the reference to
// it. The operation is limited to records below it.
type Parent struct {
	Variable string
	Resource *Resource    // of the parent
	Field    *model.Field // the reference to it
	// Below is the index of the operation's parent that has the reference, or OwnRecord.
	Below int
}

// IsDirect reports whether the operation's own records have the reference.
func (p *Parent) IsDirect() bool { return p.Below == OwnRecord }

// OwnRecord is the Below of a parent that the operation's own records reference.
const OwnRecord = -1

// IsBelowOthers reports whether the path needs more than the identifier of the operation's record.
func (o *Operation) IsBelowOthers() bool {
	return slices.ContainsFunc(o.Parents, func(p Parent) bool { return !o.Item || p.Below != OwnRecord || !p.Field.Identifier })
}

// PositionField is the header field with the position of a write: see package postgres, Replicas.
const PositionField = "Trove-Position"

// ownFields lists header fields that describe the response or the connection. If functions could set them, a response
// could contradict the document.
var ownFields = []string{
	"Connection", "Deprecation", "Etag", "Idempotent-Replayed", "Keep-Alive", "Last-Modified", "Sunset", "Trailer",
	"Transfer-Encoding", "Trove-Position", "Upgrade", "X-Content-Type-Options", "X-Total-Count", "X-Total-Estimate", "X-Total-More-Than",
}

// ReservesHeader reports whether hooks and handlers cannot set a header field, given by its canonical name.
func (o *Operation) ReservesHeader(name string) bool {
	switch name {
	case "Location":
		return o.Creates || o.AllowCreate
	case "Cache-Control":
		return o.Reads
	}
	return strings.HasPrefix(name, "Content-") && name != "Content-Disposition" && name != "Content-Security-Policy" || slices.Contains(ownFields, name)
}

// ScopesIn lists the scopes in a rule, which may be nil.
func ScopesIn(rule access.Rule) []string {
	if rule == nil {
		return nil
	}
	d := rule.Describe()
	if d.Kind == "scope" {
		return []string{d.Scope}
	}
	var found []string
	for _, part := range d.Parts {
		found = append(found, ScopesIn(part)...)
	}
	return found
}

// History is what an operation reads that lists the changes of a record.
type History struct {
	Log    Store    // of the resource's store
	Name   string   // of the store in the log
	Logged []string // the fields whose changes are logged: those that responses can show
	Shown  []string // those that the Get of the record shows
}

// maxRecord is the maximum length of a record's name in a log, in characters, because stores index it.
const maxRecord = 400

// Record returns what the log calls the record with an identifier; see [store.LogEntry]. Only the text of several fields can
// be too long. It has separators, and its hash has none, so the hash is the name of no other record.
func (h *History) Record(id model.Identifier, key any) (string, error) {
	text, err := id.Text(key)
	name := h.Name + "/" + text
	if utf8.RuneCountInString(name) > maxRecord {
		name = fmt.Sprintf("%s/%x", h.Name, sha256.Sum256([]byte(text)))
	}
	return name, err
}
