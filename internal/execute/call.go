package execute

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/conditional"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/internal/txn"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
)

// Call is a request to an operation. It is run once, by one goroutine.
type Call struct {
	Operation  *Operation
	ID         any                // the identifier of the record; nil for none
	Member     any                // the identifier that a membership adds or removes; nil for other operations
	Parents    []any              // the identifiers of the parents, in the order of Operation.Parents
	Values     *parameters.Values // nil for those of a call without parameters
	Body       []byte             // JSON, of an operation that takes a body
	Conditions conditional.Conditions
	Key        *Key               // nil for none
	Stream     bool               // a collection is read batch by batch: Next
	EmbedsOnce bool               // the response has each embedded record once, however many records refer to it
	Request    *operation.Request // what hooks, handlers and stores see; nil if the call makes it when they need it
	Principal  any                // of the caller; nil for the one that operation.WithPrincipal has set in the context, or none
	Scopes     access.Scopes      // that the principal's credentials grant
	Caller     Caller             // nil if the result is enough
	Watcher    Watcher            // nil for none

	State   []byte   // memory for states of records, which the next call may use again
	Scratch *Scratch // memory for all else, which the next call may use after Clear; nil until some was needed

	ownRequest bool      // the call has made the request
	ran        bool      // a transaction has run the steps
	authorized bool      // Authorize has been called
	prepared   *prepared // before the transaction; nil if all steps run in it
	latest     any       // the record as the transaction has found it, for the next start; nil for none
	caller     authz.Caller
	selected   map[authz.Set]*codec.Encoder // of the requested fields without hidden ones
	attempt
}

// attempt is the state of one run of the steps. A transaction may run them again, and then begins with the zero value, so all
// state of a run is in here.
type attempt struct {
	Result

	tx         compiled.Tx // nil outside of a transaction
	previous   any         // the record before the change; nil for none
	inserted   bool        // the record is new, and has been saved
	saved      bool        // the Processor has saved a record
	in         any         // pointer to what the body is decoded onto: the record, or a handler's own
	decoded    codec.Decoded
	members    []string               // the fields that the body or the path sets; nil until sent lists them
	held       map[referencedKey]bool // references of the record before the change
	elements   []*element             // the records of a handler's body
	written    authz.Set              // the fields with rules that the caller has been allowed to write
	hookErrors []error                // field errors of Prepare, reported together with broken rules
	embeds     int                    // how many records the response embeds, or the batch of a stream
	whole      bool                   // all steps have run, so that the transaction may end
}

// Result is what a call returns. It is valid until the call is run again or reset.
type Result struct {
	Record   any            // pointer to the record that the call is about
	Created  bool           // it is a new one
	Unsaved  bool           // the Processor has saved nothing, so that the record shows no state
	Out      any            // the response: the record, or what a handler has returned; nil for a collection
	Items    compiled.Items // of a collection; nil for other operations
	Total    int            // of a collection, or NoTotal
	More     bool           // the store has more records after them
	Embedded []*Embedded    // what the record, or those of Items, refer to; nil for nothing

	Replayed bool   // the same call has had a response before: Kept
	Kept     []byte // what Caller.Keep has returned then
}

// Caller is the protocol that makes a call, if it has a part in the transaction.
// It is an interface because three closures would allocate for each request.
type Caller interface {
	// Respond creates the response of a result before the transaction ends, so that nothing is saved without a response.
	Respond(ctx context.Context, result *Result) error
	// Keep returns the response to store for later calls with the same key.
	Keep() ([]byte, error)
	// Again is called before the steps run once more. It discards the response, and restores what hooks may have changed.
	Again(ctx context.Context) error
}

// Watcher observes steps.
// It is nil without observers, so that a request pays one comparison for each step and reads no clock.
type Watcher interface {
	// Ran reports that a step has run, and when it began.
	Ran(step string, began time.Time)
}

// Describe sets the Request that hooks, handlers and stores see, and discards changes of an earlier run. The protocol sets
// its Origin.
func (c *Call) Describe(ctx context.Context) {
	if c.Principal == nil {
		c.Principal = operation.PrincipalFrom(ctx)
	}
	if c.Request == nil {
		c.Request = new(operation.Request)
	}
	*c.Request = operation.Request{
		Origin:          c.Request.Origin,
		Kind:            c.Operation.Kind,
		Name:            c.Operation.Name,
		ExtraProperties: c.Operation.Extra,
		Parameters:      c.Values.Own,
		Principal:       c.Principal,
		Scopes:          c.Scopes,
	}
}

// describe makes the request of a call whose caller has made none.
// Variables are strings, as in a path, in every protocol.
func (c *Call) describe(ctx context.Context) {
	c.Describe(ctx)
	variables := map[string]string{}
	c.Request.Origin = operation.From(nil, variables)
	for i, key := range c.Parents {
		if text, err := c.Operation.Parents[i].Resource.ID.Text(key); err == nil {
			variables[c.Operation.Parents[i].Variable] = text
		}
	}
	if !c.Operation.Item {
		return
	}
	id := c.Operation.Resource.ID
	for _, name := range id.Names() {
		if text, err := id.Variable(c.ID, name); err == nil { // else the record does not exist
			variables[name] = text
		}
	}
}

// Run runs the steps of the operation. The result is not nil, even with an error.
func (c *Call) Run(ctx context.Context) (_ *Result, err error) {
	o := c.Operation
	if !c.authorized {
		if err := c.Authorize(ctx); err != nil {
			return &c.Result, err
		}
	}
	if c.Values == nil { // the defaults of all parameters, pages included
		if c.Values, err = o.Parameters.Read(ctx, "", nil, o.API.Ignored, nil); err != nil {
			return &c.Result, err
		}
	}
	if c.Request == nil && o.Observed {
		c.ownRequest = true
		c.describe(ctx)
	}
	if c.Request != nil {
		ctx = operation.WithRequest(ctx, c.Request)
	}
	switch {
	case o.Reads:
		return &c.Result, c.run(ctx)
	case o.ahead != nil:
		err = c.runAhead(ctx)
	default:
		err = c.transact(ctx)
	}
	if c.Request != nil {
		txn.End(ctx)
	}
	return &c.Result, err
}

// Within returns the context for functions that make parts of a response, which a stream calls after Run.
func (c *Call) Within(ctx context.Context) context.Context {
	if c.Request == nil {
		return ctx
	}
	return operation.WithRequest(ctx, c.Request)
}

// transact runs the steps in a transaction.
func (c *Call) transact(ctx context.Context) error {
	// The call itself under another type, because a closure would allocate on every write.
	err := c.Operation.owner.Store.Transact(ctx, (*inTransaction)(c))
	if err != nil {
		err = c.explainConflict(err)
	}
	// From here on nothing can be saved: a Processor may have kept save, and call it later.
	c.tx = nil
	if err == nil && !c.whole {
		err = errNotRun
	}
	return err
}

// errNotRun reports a store that breaks its contract.
var errNotRun = errors.New("the store's Transact returned nil, though its function has not returned nil")

// inTransaction is a call whose steps run in a transaction.
type inTransaction Call

// Run runs the steps. With a key, it looks up and keeps their response in the transaction, too.
func (t *inTransaction) Run(ctx context.Context, tx compiled.Tx) error {
	c := (*Call)(t)
	if err := c.begin(ctx, tx); err != nil {
		return err
	}
	if c.Key != nil {
		if err := c.runSteps(ctx, []step{{"replay", lookUp}}); err != nil || c.Replayed {
			c.whole = err == nil
			return err
		}
	}
	if c.Operation.ahead == nil || c.prepared != nil { // else the transaction is to look up the response
		if err := c.run(ctx); err != nil {
			return err
		}
		if c.Key != nil {
			if err := c.runSteps(ctx, []step{{"replay", keep}}); err != nil {
				return err
			}
		}
	}
	c.whole = true
	return nil
}

// begin begins a run of the steps. It discards the state of an earlier run, and what hooks see of it.
func (c *Call) begin(ctx context.Context, tx compiled.Tx) error {
	c.attempt = attempt{tx: tx}
	again := c.ran
	c.ran = true
	if again && c.ownRequest {
		c.describe(ctx)
	}
	if again && c.Caller != nil {
		return c.Caller.Again(ctx)
	}
	return nil
}

// run runs the steps, and has the response made as the last step of the transaction. If it cannot be made, nothing is
// saved either: a client that gets an error must be able to try again.
func (c *Call) run(ctx context.Context) error {
	if err := c.runSteps(ctx, c.Operation.steps); err != nil {
		return err
	}
	if !c.Operation.Custom {
		c.Out = c.Record
	}
	if c.Caller == nil {
		return nil
	}
	return c.Caller.Respond(ctx, &c.Result)
}

// runSteps runs steps in order. Only a watcher reads the clock, because two looks at it for each of ten steps cost more
// than some steps.
func (c *Call) runSteps(ctx context.Context, list []step) error {
	for i := range list {
		if c.Watcher == nil {
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

// watched runs the step and reports it to the watcher, also if it panics.
func (s *step) watched(ctx context.Context, c *Call) error {
	defer c.Watcher.Ran(s.name, time.Now())
	return s.run(ctx, c)
}

// Key makes a call retryable: a second call with the same key gets the response of the first.
type Key struct {
	Name    string // unique to the caller and operation
	Request []byte // a hash of the call; calls with different hashes are different
}

// lookUp looks up the response to an earlier call with the key. It runs in the transaction: otherwise two concurrent calls
// with one key could both save.
func lookUp(ctx context.Context, c *Call) error {
	kept, err := c.tx.Response(ctx, c.Key.Name)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil
	case err != nil:
		return err
	case !slices.Equal(kept.Request, c.Key.Request):
		return ErrKeyUsed
	}
	c.Replayed, c.Kept = true, kept.Content
	return nil
}

// keep stores the response in the transaction of the change, so that both are committed or neither.
func keep(ctx context.Context, c *Call) error {
	var content []byte
	if c.Caller != nil {
		var err error
		if content, err = c.Caller.Keep(); err != nil {
			return err
		}
	}
	return c.tx.KeepResponse(ctx, c.Key.Name, store.StoredResponse{
		Request: c.Key.Request, Content: content, Expires: time.Now().Add(c.Operation.Idempotency),
	})
}
