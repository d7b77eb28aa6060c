package resource

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/erased"
	"github.com/trove-api/trove/internal/memory"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/validation"
)

// Declaration is a declared resource: an [Of] or an [Enum] of any type. No other type satisfies it.
type Declaration interface {
	declare() definition
}

// Of declares the struct T as a resource. Only T is needed: the zero value of every
// field is the default named at the field. The literal is copied by [New]; changing it
// later changes nothing.
type Of[T any] struct {
	// ShortName is the resource's name, from which its paths, schemas and operation ids
	// are made: "DragonTreasure" gives /dragon_treasures. Default: the name of T.
	ShortName string
	// Path is that of the collection below the API's prefix, for operations that have no
	// template of their own; those of one record have /{identifier} behind it, all take format suffixes. It may be
	// below other records: "/dragon_treasures/{treasure}/reviews". If such a variable is also a part of the identifier,
	// the path of one record adds only the other parts. Default: the plural of the short name in snake case.
	Path string
	// Description is the resource's text in the document, in Markdown.
	Description string
	// Operations are what clients can do, in the order of the document. Default, if
	// nil: [operation.Standard], all six.
	Operations []operation.Operation
	// ExtraProperties are handed on to every operation, which may override them name by
	// name, and to hooks and handlers as operation.Request.ExtraProperties. Trove itself reads "standard_put" (a bool, default false): Put replaces the
	// record, and members that its body leaves out are reset.
	ExtraProperties map[string]any
	// Access says who may do what with the records, and see what of them. Default: everyone may
	// do everything. Once the API has a scheme in Config.Authentication, or one access rule anywhere, each
	// operation needs a rule, its own or one from here: a missing one is an error of [New].
	Access access.Rules
	// Store keeps the records. Default: a new one in memory, for this declaration alone.
	// What a store that wraps another one should do is told in package store.
	Store store.Store[T]
	// Prepare runs on Post, Put and Patch after the body is applied and before the
	// record is validated: fields that the service sets are set here. What
	// validation.Fail gives is told together with broken rules; any other error ends the
	// request. With wrong types or unknown members in the body it does not run, nor on
	// Delete, nor on operations with a Handler, nor where records are read: it is no place
	// for rights, which Access declares. The record must not be changed once it has returned.
	Prepare func(ctx context.Context, req *operation.Request, record *T) error
	// BeforeTransaction is for slow work, such as hashing a password or asking another service: it runs on Post, Put
	// and Patch when the record is valid and the caller may save it, and before the transaction that saves it
	// begins. No other request waits for it. What it sets in the record is saved without another validation (the next
	// change validates the whole record), but the access rules and the references of the record are checked again. Any error
	// ends the request.
	//
	// Reading the record, Prepare and Input then run before the transaction too: what these functions write to a store is
	// saved at once, and not undone by a later error. If the stored record has changed when the transaction begins, the
	// request starts over, up to five times in all; then it returns 503. So the function may run several times for one request.
	// It does not run for a request that repeats an Idempotency-Key.
	//
	// It runs on what Prepare runs on: not on Delete, memberships or operations with a Handler, which have
	// operation.HandleAfter. A record that a Handler saves by an operation.CreateOf or PatchOf passes through it within
	// the handler's transaction. Default: none.
	BeforeTransaction func(ctx context.Context, req *operation.Request, record *T) error
	// Inverse are members that show where the records are that refer to one, by their names:
	// {"treasures": "DragonTreasure.owner"} is the address of the treasures whose owner it is.
	// The other resource has a GetCollection below that reference, "/users/{owner}/treasures".
	// Default: none.
	Inverse map[string]string
	// Computed are members that every answer has beside those of the struct, made by
	// operation.Compute. Bodies may have them, as they may have what is read-only, and nothing comes of it.
	// Default: none.
	Computed []operation.Computed
	// Errors is the shape of the answer to a body that is not valid. Default:
	// Config.Errors.
	Errors validation.Shape
	// The fields below are for operations that set none of their own. operation.Metadata says what each of them is.

	// Processor wraps the save of operations. Default: none.
	Processor operation.Processor
	// Pagination is how the collection is cut into pages. Default: Config.Pagination.
	Pagination operation.Pagination
	// Order is the sort order of the collection if the client requests none. Default: that of the identifier, ascending.
	Order []string
	// SparseFields lets clients choose the members that Get and GetCollection send. Default: false.
	SparseFields bool
	// View is what every response shows of a record, those to changes included. Default: all members.
	View *operation.View
	// Output is another type that every response has in place of a record, made by operation.Output. Default: none.
	Output operation.OutputType
	// Input is another type that bodies have in place of the record, made by operation.InputOf, or by operation.Input
	// if nothing updates. Default: none.
	Input operation.InputType
	// RequirePrecondition rejects changes by requests that do not say which state they change: 428. Default: false.
	RequirePrecondition bool
	// CacheControl is the field Cache-Control of the responses of Get and GetCollection. Default: "no-cache".
	CacheControl string
	// Idempotency is how long the response to a Post with an Idempotency-Key is kept. Default: 0, not at all.
	Idempotency time.Duration
	// Deprecated is since when clients should no longer use the resource. Default: the zero time, not at all.
	Deprecated time.Time
	// Sunset is when the resource is expected to end. Default: the zero time, never.
	Sunset time.Time
	// DeprecationLink is the address of a text on the deprecation. Default: none.
	DeprecationLink string
	// Timeout is how long an operation may take. Default: Config.Timeout; negative for no limit.
	Timeout time.Duration
	// Formats are the formats of responses and bodies, the usual one first. Default: Config.Formats.
	Formats []format.Format
}

// definition is a declaration without its type parameter.
type definition struct {
	record        reflect.Type
	shortName     string
	path          string
	description   string
	operations    []operation.Operation
	access        access.Rules
	store         erased.Store    // none where the declared one is a nil pointer
	storeMistakes map[string]bool // that have been told
	prepare       func(ctx context.Context, req *operation.Request, record any) error
	before        func(ctx context.Context, req *operation.Request, record any) error
	computed      []operation.Computed
	errors        validation.Shape
	inverse       map[string]string
	page          reflect.Type                         // store.Page of the records
	answered      func(out any) (compiled.Page, error) // the records that a handler has answered with
	defaults      operation.Metadata                   // what operations take over where they say nothing
	typeName      string                               // what references may call it beside its short name
	values        []string                             // of an enumeration; else nil
	mistakes      []string                             // of an enumeration
}

func (o Of[T]) declare() definition {
	d := definition{
		record:      reflect.TypeFor[T](),
		shortName:   o.ShortName,
		path:        o.Path,
		description: o.Description,
		operations:  o.Operations,
		access:      o.Access,
		prepare:     erased.Hook(o.Prepare),
		before:      erased.Hook(o.BeforeTransaction),
		computed:    o.Computed,
		errors:      o.Errors,
		inverse:     o.Inverse,
		page:        reflect.TypeFor[store.Page[T]](),
		answered:    erased.HandlerPage[T],
	}
	if o.Store != nil && !isNil(o.Store) {
		d.store = erased.Of(o.Store)
	}
	d.complete(reflect.ValueOf(&o).Elem(), o.Store == nil)
	return d
}

// complete sets what needs no type parameter: it is compiled once for all types of records.
func (d *definition) complete(declared reflect.Value, inMemory bool) {
	d.typeName, d.storeMistakes = naming.TypeName(d.record), map[string]bool{}
	defaults := reflect.ValueOf(&d.defaults).Elem()
	for _, name := range inherited {
		if name != "Access" { // the rules of a resource are one for each verb
			defaults.FieldByName(name).Set(declared.FieldByName(name))
		}
	}
	if inMemory {
		untyped := memory.New(d.record, nil)
		d.store = erased.Untyped(untyped, untyped)
	}
}

// isNil reports whether v is nil, or an interface that holds a nil pointer.
func isNil(v any) bool {
	value := reflect.ValueOf(v)
	return !value.IsValid() || value.Kind() == reflect.Pointer && value.IsNil()
}

// inherited are the fields of a resource that its operations take over.
var inherited = []string{
	"ExtraProperties", "Processor", "Pagination", "Order", "SparseFields", "View", "Output", "Input", "RequirePrecondition",
	"CacheControl", "Idempotency", "Deprecated", "Sunset", "DeprecationLink", "Timeout", "Access", "Formats",
}

// merged are those of them that an operation may set and still take the rest over.
var merged = []string{"ExtraProperties", "Pagination"}

// without returns the definition as an operation sees it that does not take over the fields
// of its Unset.
func (c *compiler) without(where string, m *operation.Metadata, d *definition) *definition {
	if m.Unset == nil {
		return d
	}
	copied := *d
	d = &copied
	theirs, own := reflect.ValueOf(&d.defaults).Elem(), reflect.ValueOf(m).Elem()
	for i, name := range m.Unset {
		switch {
		case !slices.Contains(inherited, name):
			c.fail(where, "Unset has %q; allowed: %s%s", name, strings.Join(inherited, ", "), naming.DidYouMean(name, inherited))
			continue
		case slices.Contains(m.Unset[:i], name):
			c.fail(where, "Unset has %q twice", name)
		case !own.FieldByName(name).IsZero() && !slices.Contains(merged, name):
			c.fail(where, "Unset has %q, which the operation sets itself; drop one of the two", name)
		case theirs.FieldByName(name).IsZero() && (name != "Access" || !hasRules(d.access)):
			c.fail(where, "Unset has %q, which the resource does not set", name)
		}
		theirs.FieldByName(name).SetZero()
		if name == "Access" { // the rules of a resource are one for each verb
			d.access = access.Rules{Members: d.access.Members}
		}
	}
	return d
}
