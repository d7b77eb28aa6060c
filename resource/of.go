package resource

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/memory"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/untyped"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/validation"
)

// Declaration is a declared resource: an [Of] or [Enum] of any type. No other type implements it.
type Declaration interface {
	declare() definition
}

// Of declares the struct T as a resource. Only T is required: the zero value of each field is the default named there.
// [New] copies the literal, so later changes have no effect.
type Of[T any] struct {
	// ShortName is the resource's name. Paths, schemas and operation ids derive from it: "DragonTreasure" gives
	// /dragon_treasures. Default: the name of T.
	ShortName string
	// Path is the path of the collection below the API's prefix, for operations without a template of their own.
	// Operations on one record add /{identifier}, and all accept format suffixes. It can be below other records:
	// "/dragon_treasures/{treasure}/reviews". If such a variable is also a part of the identifier, the path of one
	// record adds only the other parts. Default: the plural of the short name in snake case.
	Path string
	// Description is the resource's description in the OpenAPI document, in Markdown. Default: none.
	Description string
	// Operations are what clients can do, in the order in which the OpenAPI document lists them. Default:
	// [operation.Standard], all six, if it is nil.
	Operations []operation.Operation
	// ExtraProperties are passed to every operation, which can override them by name. Hooks and handlers read them as
	// operation.Request.ExtraProperties. Trove itself reads "standard_put" (a bool): if it is true, Put replaces the
	// record and resets fields that the body omits. Default: none.
	ExtraProperties map[string]any
	// Access has the rules for who may call the operations and read the records. Default: everyone may do everything.
	// If Config.Authentication has a scheme, or any access rule exists in the API, every operation needs a rule, its
	// own or one from here. A missing rule is an error of [New].
	Access access.Rules
	// Store stores the records. Default: a new in-memory store, for this declaration alone. Package store explains how
	// to wrap another store.
	Store store.Store[T]
	// Prepare runs on Post, Put and Patch after the body is applied and before the record is validated. Set
	// server-controlled fields here. Errors from validation.Fail are reported together with broken rules; any other
	// error ends the request. It does not run if the body has wrong types or unknown fields. Nor does it run on Delete,
	// on operations with a Handler or on reads, so use Access for permissions. The record must not be changed after
	// Prepare has returned. Default: none.
	Prepare func(ctx context.Context, req *operation.Request, record *T) error
	// Stamp sets fields of new records from the principal, such as their owner, before Prepare: see operation.Stamp. If
	// no scheme of Config.Authentication provides its type of principals, that is an error of [New]; without schemes,
	// middleware can set any. Default: none.
	Stamp operation.Stamper[T]
	// BeforeTransaction is for slow work, such as hashing a password or calling another service. It runs on Post, Put
	// and Patch after the record is validated and the caller is authorized. It runs before the transaction begins, so
	// other requests do not wait for it. Its changes to the record are saved without another validation, but the access
	// rules and references are checked again. The next change validates the whole record. Any error ends the request.
	//
	// With BeforeTransaction, reading the record, Prepare and Input also run before the transaction. What they write to
	// a store is committed at once, and a later error does not undo it. If the stored record has changed when the
	// transaction begins, the request starts over, up to five times; then it returns 503. The function must therefore
	// be retryable. It does not run for a request that repeats an Idempotency-Key.
	//
	// Like Prepare, it does not run on Delete, or on a Put that adds to a list of references (see
	// operation.Metadata.URITemplate). Nor does it run on operations with a Handler; use operation.HandleAfter there.
	// For a record that a Handler saves with operation.CreateOf or PatchOf, it runs inside the handler's transaction.
	// Default: none.
	BeforeTransaction func(ctx context.Context, req *operation.Request, record *T) error
	// Inverse adds fields with the path of the records that reference this one: {"treasures": "DragonTreasure.owner"}
	// is the path of the treasures with this owner. The other resource needs a GetCollection below that reference, such
	// as "/users/{owner}/treasures". Default: none.
	Inverse map[string]string
	// Computed are response fields in addition to those of the struct, made by operation.Compute. Bodies may contain
	// them, like read-only fields, and they are ignored. Default: none.
	Computed []operation.Computed
	// History keeps a log of all changes of records, by any writer of the store, and adds the operation
	// GET /bookings/{id}/history, which lists those of a record: when, by whom and by which operation, and the values of
	// the changed fields before and after. It has the rules of the Get, and shows only fields that the caller may read. The
	// store must be a store.LogKeeper. Default: false.
	History bool
	// Errors is the format of the response to an invalid body. Default: Config.Errors.
	Errors validation.Shape
	// The fields below apply to operations that do not set their own. See operation.Metadata.

	// Processor wraps the save of operations. Default: none.
	Processor operation.Processor
	// Pagination sets how the collection is paged. Default: Config.Pagination.
	Pagination operation.Pagination
	// Order is the sort order of the collection if the client requests none: JSON names of fields, with "-" before a
	// descending one. Default: that of the identifier, ascending.
	Order []string
	// SparseFields lets clients choose the fields that Get and GetCollection send. Default: false.
	SparseFields bool
	// View limits the fields in every response that shows a record, including those of writes. Default: all fields.
	View *operation.View
	// Output converts the record to another type for every response, made by operation.Output. Default: none.
	Output operation.OutputType
	// Input is another type for bodies, made by operation.InputOf, or by operation.Input if nothing updates. Default:
	// none.
	Input operation.InputType
	// RequirePrecondition rejects changes without If-Match or "If-None-Match: *" with 428 (RFC 6585, section 3).
	// Default: false.
	RequirePrecondition bool
	// CacheControl is the Cache-Control header of the responses of Get and GetCollection. Default: "no-cache".
	CacheControl string
	// Idempotency is how long the response to a Post with an Idempotency-Key is stored. Default: 0, not at all.
	Idempotency time.Duration
	// Deprecated is when the resource was or will be deprecated. Default: the zero time, not at all.
	Deprecated time.Time
	// Sunset is when the resource is expected to end. Default: the zero time, never.
	Sunset time.Time
	// DeprecationLink is the URL of a page about the deprecation. Default: none.
	DeprecationLink string
	// Timeout limits how long an operation may take. Default: Config.Timeout; negative for no limit.
	Timeout time.Duration
	// Formats are the formats of responses and bodies, the default one first. Default: Config.Formats.
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
	store         untyped.Store   // its Records are nil if the declared store is a nil pointer
	storeMistakes map[string]bool // errors of the store that are already reported
	prepare       func(ctx context.Context, req *operation.Request, record any) error
	stamp         compiled.Stamper // nil for none; prepare runs it
	before        func(ctx context.Context, req *operation.Request, record any) error
	computed      []operation.Computed
	errors        validation.Shape
	inverse       map[string]string
	page          reflect.Type                         // store.Page of the records
	pageOf        func(out any) (compiled.Page, error) // converts the result of a handler to a page
	defaults      operation.Metadata                   // what operations inherit
	typeName      string                               // another name for references, in addition to the short name
	values        []string                             // of an Enum; nil otherwise
	history       bool
	mistakes      []string // of an Enum
}

func (o Of[T]) declare() definition {
	d := definition{
		record:      reflect.TypeFor[T](),
		shortName:   o.ShortName,
		path:        o.Path,
		description: o.Description,
		operations:  o.Operations,
		access:      o.Access,
		prepare:     untyped.Hook(o.Prepare),
		before:      untyped.Hook(o.BeforeTransaction),
		computed:    o.Computed,
		errors:      o.Errors,
		inverse:     o.Inverse,
		history:     o.History,
		page:        reflect.TypeFor[store.Page[T]](),
		pageOf:      untyped.HandlerPage[T],
	}
	d.stamp, _ = o.Stamp.(compiled.Stamper)
	if o.Store != nil && !isNil(o.Store) {
		d.store = untyped.Of(o.Store)
	}
	d.complete(reflect.ValueOf(&o).Elem(), o.Store == nil)
	return d
}

// complete sets what does not depend on the type parameter, so that it is compiled only once.
func (d *definition) complete(declared reflect.Value, inMemory bool) {
	d.typeName, d.storeMistakes = naming.TypeName(d.record), map[string]bool{}
	defaults := reflect.ValueOf(&d.defaults).Elem()
	for _, name := range inherited {
		if name != "Access" { // a resource has one rule for each verb
			defaults.FieldByName(name).Set(declared.FieldByName(name))
		}
	}
	if prepare, stamp := d.prepare, d.stamp; stamp != nil {
		d.prepare = func(ctx context.Context, req *operation.Request, record any) error {
			if req.Previous == nil {
				stamp.Stamp(req.Principal, record)
			}
			if prepare == nil {
				return nil
			}
			return prepare(ctx, req, record)
		}
	}
	if inMemory {
		records := memory.New(d.record, nil)
		d.store = untyped.Untyped(records, records)
	}
}

// isNil reports whether v is nil, or an interface that holds a nil pointer.
func isNil(v any) bool {
	value := reflect.ValueOf(v)
	return !value.IsValid() || value.Kind() == reflect.Pointer && value.IsNil()
}

// inherited lists the fields of a resource that its operations inherit.
var inherited = []string{
	"ExtraProperties", "Processor", "Pagination", "Order", "SparseFields", "View", "Output", "Input", "RequirePrecondition",
	"CacheControl", "Idempotency", "Deprecated", "Sunset", "DeprecationLink", "Timeout", "Access", "Formats",
}

// Enum declares the values of a named string type as a read-only resource, such as the statuses of an order. The path
// /statuses lists all of them, unpaged and in the order of Values. The path /statuses/{id} returns one. A record has
// the value as its id, its position from 1, and its description if it has one. Fields of the type V can reference it:
// api:"ref=Status". [New] copies the literal.
type Enum[V ~string] struct {
	// ShortName is the resource's name. Default: the name of V.
	ShortName string
	// Description is the resource's description in the OpenAPI document, in Markdown. Default: none.
	Description string
	// Values lists the values, each once and not blank. Required: at least one.
	Values []V
	// Descriptions has the description of each value, which its record shows. A key that is not in Values is an error
	// of [New]. Default: none.
	Descriptions map[V]string
	// Operations are what clients can do: [operation.Get] and [operation.GetCollection], for example with other
	// templates. Default: one of each.
	Operations []operation.Operation
	// Access has the access rules; only Read is used. Default: everyone may read, in an API without schemes and access
	// rules. In any other API a missing rule is an error of [New].
	Access access.Rules
}

// enumerated is a value of an Enum as a record.
type enumerated[V ~string] struct {
	ID          V      `json:"id" api:"id"`
	Position    int    `json:"position" api:"readonly" doc:"Position among all values, from 1."`
	Description string `json:"description,omitempty" api:"readonly" doc:"Description of the value."`
}

func (e Enum[V]) declare() definition {
	name := naming.TypeName(reflect.TypeFor[V]())
	off := false
	of := Of[enumerated[V]]{
		ShortName: e.ShortName, Description: e.Description, Access: e.Access, Operations: e.Operations,
		Pagination: operation.Pagination{Enabled: &off, ClientEnabled: &off}, Order: []string{"position"},
	}
	if of.ShortName == "" {
		of.ShortName = name
	}
	if of.Operations == nil {
		of.Operations = []operation.Operation{operation.Get{}, operation.GetCollection{}}
	}
	values, mistakes := e.values()
	records := make([]any, len(values))
	texts := make([]string, len(values))
	for i, value := range values {
		records[i] = &enumerated[V]{value, i + 1, e.Descriptions[value]}
		texts[i] = string(value)
	}
	d := of.declare()
	stored := memory.New(d.record, records)
	d.store = untyped.Untyped(stored, stored)
	if typ, err := model.CompileType(reflect.TypeFor[V]()); err == nil && typ.Kind != model.String {
		mistakes = append(mistakes, "the type "+name+" marshals itself; use a string type without such methods")
	}
	d.typeName, d.values, d.mistakes = name, texts, mistakes
	return d
}

// values returns the valid values and the errors in the declaration.
func (e Enum[V]) values() (values []V, mistakes []string) {
	fail := func(format string, args ...any) { mistakes = append(mistakes, fmt.Sprintf(format, args...)) }
	name := naming.TypeName(reflect.TypeFor[V]())
	if len(e.Values) == 0 {
		fail("Values is empty; list the values, as in resource.Enum[%s]{Values: []%[1]s{…}}", name)
	}
	if e.ShortName == "" && reflect.TypeFor[V]() == reflect.TypeFor[string]() {
		fail("the type string is not a name for a resource; declare a type such as type Status string, or set ShortName")
	}
	var texts []string
	for i, value := range e.Values {
		switch {
		case slices.Contains(values, value):
			fail("Values[%d] is %q, which is a duplicate", i, value)
			continue
		case !check.IsNotBlank(string(value)), !utf8.ValidString(string(value)), strings.ContainsRune(string(value), 0):
			fail("Values[%d] is %q; values must be UTF-8 and not blank", i, value)
			continue
		}
		values, texts = append(values, value), append(texts, string(value))
	}
	for _, value := range slices.Sorted(maps.Keys(e.Descriptions)) {
		if !slices.Contains(e.Values, value) {
			fail("Descriptions has %q, which is not in Values%s", value, naming.DidYouMean(string(value), texts))
		}
	}
	for i, o := range e.Operations {
		if !isNil(o) && o.Kind() != operation.KindGet && o.Kind() != operation.KindGetCollection {
			fail("operation %d is a %s; allowed: Get and GetCollection, because the values are fixed", i+1, o.Kind())
		}
	}
	return values, mistakes
}

// enumerate adds the values of an Enum to schemas and parameters as a oneof rule. It does nothing for values with
// quotes, which that rule cannot contain.
func enumerate(id *model.Field, values []string) {
	rule := model.Constraint{Name: "oneof", Param: "'" + strings.Join(values, "' '") + "'"}
	if len(values) > 0 && slices.Equal(rule.Words(), values) {
		id.Rules.All = append(slices.Clip(id.Rules.All), rule)
	}
}
