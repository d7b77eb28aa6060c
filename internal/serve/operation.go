package serve

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
)

// Operation serves the requests of a compiled operation. It is the lists of their steps, and what does not depend on a
// request. It is an http.Handler, safe for concurrent use.
type Operation struct {
	*compiled.Operation

	receive []step // read the request
	inner   []step // read the request within the request of another protocol
	ahead   []step // before the transaction; nil if all that follow run in it
	steps   []step // load, check, save, and create the response; in a transaction, if the operation writes
	// The steps of an element of a body: those that apply the body, those that validate the record before anything is saved,
	// and those that save it.
	receives, checked, finishes []step

	pathRecords []compiled.Parent                                                            // all records that the path names other than its own
	owner       *compiled.Resource                                                           // the resource whose store runs the transaction
	decode      func(c *call) *codec.Decoder                                                 // prepares the value that the body is decoded onto
	store       func(ctx context.Context, c *call) error                                     // saves the record
	write       func(ctx context.Context, c *call) error                                     // the same, through the Processor if there is one
	confine     func(c *call, ctx context.Context, query store.Query) (store.Query, error)   // restricts a query to what the caller may see
	load        func(c *call, ctx context.Context, query store.Query) (compiled.Page, error) // a page of a collection
	before      func(ctx context.Context, c *call) error                                     // the user's slow work before the transaction; nil for none

	checker      *check.Checker                // of the record that a body makes, or of a handler's body
	compares     bool                          // it needs the record before the change
	keepsCreated bool                          // it must not change createonly fields
	renames      bool                          // user functions may change the identifier of the record
	hands        bool                          // the store may keep the records that it gets, because no user function has them
	shownWhole   bool                          // the response shows the whole record, which proves that it can be encoded
	guarded      map[string]*compiled.Resource // resources that filters name, and whose records not everyone may see
	fromService  []*model.Field                // the parts of the identifier that the service sets
	keyed        []*model.Field                // references that the database checks in the write
	element      *Operation                    // saves the records of a handler's body; nil for none
	nested       []nested                      // the lists of its body
	always       int                           // the maximum number of records that each record always embeds
	lists        *compiled.Resource            // of the records of a list; nil for rows of an aggregation
	hides        bool                          // responses may have fields that the caller may not see
	encoders     sync.Map                      // without these fields, by authz.Set: few, one for each kind of caller

	run          serving                             // serves a request
	perform      serving                             // runs the steps after those that read the request, and sends the response
	audience     string                              // the path whose metadata challenges lead to
	standard     *compiled.Format                    // the format of responses, unless the client chooses another one
	offers       []string                            // the media types that clients can choose
	hasRanges    bool                                // a format looks at parameters of media types
	hasErrors    bool                                // a format writes errors in its own way
	isHome       bool                                // the path is that of the resource's Get
	isQuery      bool                                // the parameters are in the body
	hidesFields  bool                                // some callers may not see all fields of records
	guardsFields bool                                // some callers may not see the fields of all parameters
	schemes      []scheme                            // in the order in which they are tried
	vary         []string                            // the field Vary of a success; nil for none
	varyErrors   []string                            // the field Vary of an error; nil for none
	lineCount    int                                 // how many header lines most responses make for themselves
	headers      []func(c *call, header http.Header) // write the fields of a success
	missing      func() *problem.Problem             // for a record that does not exist
	idle         sync.Pool                           // of *call, each of them empty
}

// step is one step of a request.
type step struct {
	name string
	run  func(ctx context.Context, c *call) error
}

// when returns a step that is part of a list only if a condition of the declaration holds.
func when(holds bool, name string, run func(ctx context.Context, c *call) error) step {
	if !holds {
		return step{}
	}
	return step{name, run}
}

// steps joins lists, and leaves out the empty steps.
func steps(lists ...[]step) []step {
	return slices.DeleteFunc(slices.Concat(lists...), func(s step) bool { return s.run == nil })
}

// runSteps runs steps in order. Only a request with observers reads the clock, because two looks at it for each of ten
// steps cost more than some steps.
func (c *call) runSteps(ctx context.Context, list []step) error {
	for i := range list {
		if c.watch == nil {
			if err := list[i].run(ctx, c); err != nil {
				return err
			}
			continue
		}
		if err := list[i].watched(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// watched runs the step and reports it to observers, also if it panics.
func (s *step) watched(ctx context.Context, c *call) error {
	defer c.watch.ran(s.name, time.Now())
	return s.run(ctx, c)
}

// savesBy sets how the operation saves its record.
func (o *Operation) savesBy(store func(ctx context.Context, c *call) error) {
	o.store, o.write = store, store
	if o.Processor != nil {
		o.write = process
	}
}

// reads completes an operation that changes nothing.
func (o *Operation) reads(load []step) *Operation {
	o.steps = steps(load, o.responds())
	return o.serves()
}

// writes completes an operation that changes records. Its steps have three parts (see the package documentation). With a
// function before the transaction, the first two parts run before the transaction, and the first again in it.
func (o *Operation) writes(build, save []step) *Operation {
	look := []step{
		when(len(o.Parents) > 0, "parents", readParents),
		when(o.Item, "read", readerOf(o.Operation)),
		when(o.Item && o.Gate != nil && (o.Gate.Act != nil || o.AllowCreate && o.Gate.Create != nil), "authorize", authorizeRecord),
		when(o.Item && o.When != nil, "when", func(ctx context.Context, c *call) error { return c.meets(ctx, "") }),
		{"preconditions", holdConditions},
	}
	if o.before == nil {
		o.steps = steps(look, build, save, o.responds())
		return o.serves()
	}
	o.ahead = steps(look, build, []step{{"before", o.before}})
	o.steps = steps(look, []step{{"resume", resume}}, save, o.responds())
	return o.serves()
}

// receiving are the steps that read a request. Within the request of another protocol, the format is settled and the
// caller is known.
func (o *Operation) receiving(isInner bool) []step {
	hasSchemes := len(o.API.Authentication) > 0
	return steps([]step{
		when(hasSchemes && !o.Anonymous && !isInner, "credentials", readCredentials),
		when(hasSchemes && !o.Anonymous && isInner, "credentials", takeClient),
		when(hasSchemes && o.Anonymous && !isInner, "credentials", checkOrigin),
		when(o.IsGated(), "authorize", authorize),
		when(!isInner, "negotiate", negotiateType),
		when(o.isQuery, "receive", receive),
		when(o.isQuery, "parameters", readQuery),
		{"parameters", readParameters},
		{"preconditions", readConditions},
		when(o.TakesBody() && !isInner, "receive", receive),
		when(o.TakesBody() && isInner, "receive", takeBody),
		when(o.Idempotency > 0, "replay", readKey),
	})
}

// responds are the steps that create the response.
func (o *Operation) responds() []step {
	hasBody := o.HasResponseBody()
	return []step{
		when(o.Observed, "fields", checkFields),
		when(hasBody, "serialize", serialize),
		when(hasBody && o.Shows, "validators", tagRecord),
		when(hasBody && o.Pages, "validators", tagPage),
		when(hasBody && o.Reads && !o.Shows && !o.Pages, "validators", tagBody),
		when(o.Reads, "preconditions", evaluateConditions),
	}
}

// serves completes an operation with what its requests and responses have in common. All requests share one problem for a
// record that does not exist, because it is the most common error.
func (o *Operation) serves() *Operation {
	op, get := o.Operation, o.Resource.Get()
	o.receive, o.inner, o.run, o.perform = o.receiving(false), o.receiving(true), limited(op), perform
	o.audience, o.schemes, o.standard, o.offers = op.API.Prefix, schemesOf(op.API), op.DefaultFormat(), op.Offers()
	o.isHome = get != nil && op.Template == get.Template
	o.hidesFields = op.Resource.Gate.Hides() && op.Out != nil && op.Out.Type.Struct == op.Resource.Struct && op.Output == nil
	o.guardsFields = slices.ContainsFunc(op.FormatParameters, func(p format.Parameter) bool {
		return p.Field != "" && op.API.Guards(op.Resource, p.Field)
	})
	o.missing = sync.OnceValue(func() *problem.Problem {
		return problemOfKind(problem.NotFound, naming.Phrase(op.Resource.ShortName)).Prepare()
	})
	for _, f := range op.Formats {
		o.hasRanges, o.hasErrors = o.hasRanges || f.Supports != nil, o.hasErrors || f.WriteError != nil
	}
	switch {
	case op.Pages, op.Kind == operation.KindPost:
		o.lineCount = 4 // Link and the total, or Location and Content-Location
	case !op.Reads:
		o.lineCount = 3 // Content-Location
	default:
		o.lineCount = 2 // ETag and Content-Length
	}
	switch {
	case op.Private:
		o.vary, o.varyErrors = op.API.Vary, op.API.Vary
	case op.HasResponseBody():
		o.vary, o.varyErrors = varyAccept[:], varyAccept[:]
	case o.hasErrors:
		o.varyErrors = varyAccept[:]
	}
	if op.Staleness() > 0 {
		o.readsReplicas()
	}
	o.headers = headersOf(op, o.vary)
	return o
}
